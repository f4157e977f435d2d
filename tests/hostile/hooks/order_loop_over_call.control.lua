-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local n = 0
  for _, v in pairs({ a = 1, b = 2 }) do n = n + v end
end)
