-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local s = tostring(12)
ev.actor:set_note("seen", #s)
end)
