-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local n = 0
for k, v in pairs({ a = 1, b = 2, c = 3 }) do n = (n * 3 + v) % 1000 end
ev.actor:set_note("seen", n)
end)
