-- ends: done
on("arena.go", { name = "attack" }, function(ev)
math.div_floor(1, 2)
end)
