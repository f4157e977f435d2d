-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local t = {}
  for i = 1, 8 do t[i] = i end
  for k in pairs(t) do t[k] = nil end
end)
