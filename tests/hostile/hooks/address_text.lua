-- ends: HR0402 | load HR0410 | done
on("arena.go", { name = "attack" }, function(ev)
local s = tostring({})
ev.actor:set_note("seen", #s)
error(s)
end)
