-- ends: HR0535
on("arena.go", { name = "attack" }, function(ev)
for i = 1, 5000 do ev.actor:modifier("guard", 1) end
while true do ev.actor:stat("guard") ev.actor:modifier("guard", 1) end
end)
