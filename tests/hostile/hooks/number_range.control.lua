-- ends: done
on("arena.go", { name = "attack" }, function(ev)
ev.actor:set_note("seen", 2147483647)
end)
