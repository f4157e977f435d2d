-- ends: done
on("arena.go", { name = "attack" }, function(ev)
say("numbered", { n = 1 })
end)
