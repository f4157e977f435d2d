-- ends: done
on("arena.go", { name = "attack" }, function(ev)
for i = 1, 9 do ev.actor:has("marked") end
end)
