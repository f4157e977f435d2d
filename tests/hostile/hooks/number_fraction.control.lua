-- ends: done
on("arena.go", { name = "attack" }, function(ev)
ev.actor:set_note("seen", 6 / 3)
end)
