-- ends: done
on("arena.go", { name = "attack" }, function(ev)
for i = 1, 5 do ev.actor:modifier("guard", 1) end
ev.actor:stat("guard")
end)
