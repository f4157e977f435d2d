-- ends: HR0404 | HR0405 | HR0520
on("arena.go", { name = "attack" }, function(ev)
while true do ev.actor:check("grit", { dc = 1 }) end
end)
