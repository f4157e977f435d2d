-- ends: done
on("arena.go", { name = "attack" }, function(ev)
raise("arena.may", { amount = 1, victim = ev.actor })
end)
