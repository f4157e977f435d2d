-- ends: HR0526 | HR0520 | HR0404
on("arena.more", { name = "again" }, function(ev) raise("arena.more", { amount = 1, victim = ev.victim }) end)
on("arena.go", { name = "attack" }, function(ev) raise("arena.more", { amount = 1, victim = ev.actor }) end)
