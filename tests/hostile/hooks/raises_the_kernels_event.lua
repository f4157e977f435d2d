-- ends: HR0534
on("arena.go", { name = "attack" }, function(ev)
  raise("check.begin", { natural = 20 })
end)
