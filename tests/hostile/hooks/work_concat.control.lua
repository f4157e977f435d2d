-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local t = { "a", "b" }
table.concat(t)
end)
