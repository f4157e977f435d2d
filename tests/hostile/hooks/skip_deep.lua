-- ends: HR0404 | HR0405
on("arena.more", { name = "deep", on_error = "skip" }, function(ev) local s = "x" while true do s = s .. s end end)
on("arena.go", { name = "attack", on_error = "skip" }, function(ev)
raise("arena.more", { amount = 1, victim = ev.actor })
end)
