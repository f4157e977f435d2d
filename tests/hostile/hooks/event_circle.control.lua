-- ends: done
on("arena.more", { name = "again" }, function(ev) ev.victim:tag("marked") end)
on("arena.go", { name = "attack" }, function(ev) raise("arena.more", { amount = 1, victim = ev.actor }) end)
