-- ends: HR0404 | HR0405 | HR0520
on("arena.go", { name = "attack" }, function(ev)
while true do ev.actor:apply("dazed", { value = 1 }) ev.actor:remove("dazed") end
end)
