-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local a, b, n = "a", "b", false
  n = a < b and a < b and a < b
end)
