-- ends: HR0404 | HR0405 | HR0520
on("arena.go", { name = "attack" }, function(ev)
while true do formula("0+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1", ev.actor) end
end)
