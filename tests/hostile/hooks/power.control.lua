-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local n = 2 * 2
end)
