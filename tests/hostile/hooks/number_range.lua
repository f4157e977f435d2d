-- ends: HR0403 | HR0402
on("arena.go", { name = "attack" }, function(ev)
ev.actor:set_note("seen", 2147483648)
end)
