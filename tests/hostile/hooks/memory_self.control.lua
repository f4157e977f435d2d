-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local self = 0
  self = self + 1
end)
