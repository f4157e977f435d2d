-- ends: done
on("arena.go", { name = "attack" }, function(ev)
ev.actor:set_pool("blood", 1)
for i = 1, 100 do end
end)
