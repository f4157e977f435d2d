-- ends: HR0404 | HR0405 | HR0520
on("arena.go", { name = "attack" }, function(ev)
while true do raise("arena.may", { amount = 1, victim = ev.actor }) end
end)
