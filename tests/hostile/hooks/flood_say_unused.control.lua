-- ends: done
on("arena.go", { name = "attack" }, function(ev)
say("told", { who = ev.actor })
end)
