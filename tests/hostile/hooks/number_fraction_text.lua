-- ends: HR0402
on("arena.go", { name = "attack" }, function(ev)
  local text = "" .. 1 / 3
end)
