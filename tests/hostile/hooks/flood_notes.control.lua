-- ends: done
on("arena.go", { name = "attack" }, function(ev)
ev.actor:set_note("seen", 1)
end)
