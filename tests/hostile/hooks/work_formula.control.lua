-- ends: done
on("arena.go", { name = "attack" }, function(ev)
formula("1 + 1", ev.actor)
end)
