-- ends: done
on("arena.go", { name = "attack" }, function(ev)
ev.actor:apply("dazed", { value = 1 })
end)
