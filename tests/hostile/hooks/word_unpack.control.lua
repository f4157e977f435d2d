-- ends: done
on("arena.go", { name = "attack" }, function(ev)
ev.actor:tag("marked")
end)
