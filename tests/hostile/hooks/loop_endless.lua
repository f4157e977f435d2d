-- ends: HR0404
on("arena.go", { name = "attack" }, function(ev)
ev.actor:set_pool("blood", 1)
while true do end
end)
