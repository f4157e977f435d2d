-- ends: done
on("arena.more", { name = "deep", on_error = "skip" }, function(ev) error("harmless") end)
on("arena.go", { name = "attack", on_error = "skip" }, function(ev)
raise("arena.more", { amount = 1, victim = ev.actor })
end)
