-- ends: HR0404
on("arena.go", { name = "attack" }, function(ev)
while true do ev.actor:has("marked") end
end)
