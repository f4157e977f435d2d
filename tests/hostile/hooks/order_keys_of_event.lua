-- ends: HR0402
on("arena.go", { name = "attack" }, function(ev)
  local t = {}
  t[ev] = 1
end)
