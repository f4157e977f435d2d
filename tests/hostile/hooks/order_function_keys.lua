-- ends: HR0402 | load HR0410
on("arena.go", { name = "attack" }, function(ev)
local t = {}
for i = 1, 20 do t[function() return i end] = i end
local n = 0
for k, v in pairs(t) do n = (n * 3 + v) % 1000 end
ev.actor:set_note("seen", n)
end)
