-- ends: HR0535
on("arena.go", { name = "attack" }, function(ev)
while true do ev.actor:modifier("guard", 1) end
end)
