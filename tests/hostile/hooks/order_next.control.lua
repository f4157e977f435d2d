-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local t = {}
for i = 1, 20 do t["k" .. i] = i end
local n = 0
for k, v in pairs(t) do n = (n * 3 + v) % 1000 end
ev.actor:set_note("seen", n)
end)
