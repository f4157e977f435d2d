-- ends: done
on("arena.go", { name = "attack" }, function(ev)
ev.actor:modifier("guard", 1)
end)
