-- ends: done
on("arena.go", { name = "attack" }, function(ev)
ev.actor:check("grit", { dc = 1 })
end)
