-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local t = {}
  for i = 1, 30 do t["x" .. i] = 1 end
  local n = 0
  for _, v in pairs(t) do n = n + v end
end)
