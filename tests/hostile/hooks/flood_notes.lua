-- ends: HR0404 | HR0405 | HR0520
on("arena.go", { name = "attack" }, function(ev)
local i = 0
while true do i = i + 1 ev.actor:set_note("seen", i) end
end)
