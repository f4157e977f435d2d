-- ends: HR0402
on("arena.go", { name = "attack" }, function(ev)
math.div_floor(1, 0)
end)
