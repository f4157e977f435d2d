-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local t = { 1, 2 }
  local function none() end
  t[1], t.x = none()
end)
