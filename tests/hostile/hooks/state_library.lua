-- ends: load HR0410 | HR0402
on("arena.go", { name = "attack" }, function(ev)
local m = math
m.seen = 1
end)
