-- ends: load HR0410 | HR0402
on("arena.go", { name = "attack" }, function(ev)
local pairs = function(t) return t end
local n = 0
for k, v in pairs({ a = 1, b = 2, c = 3 }) do n = (n * 3 + v) % 1000 end
ev.actor:set_note("seen", n)
end)
