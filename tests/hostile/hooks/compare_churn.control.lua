-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local a, b, n = "a", "b", 0
  for i = 1, 3 do if a < b then n = n + 1 end end
end)
