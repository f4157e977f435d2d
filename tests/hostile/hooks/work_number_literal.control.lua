-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local s, n = 1, 0
  for i = 1, 100 do n = math.max(n, s, s, s) end
end)
