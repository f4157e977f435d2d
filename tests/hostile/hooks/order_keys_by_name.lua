-- ends: HR0402
on("arena.go", { name = "attack" }, function(ev)
  local t, k = {}, {}
  t[k] = 1
end)
