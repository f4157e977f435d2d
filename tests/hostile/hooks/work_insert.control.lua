-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local t = {}
for i = 1, 9 do table.insert(t, 1, i) end
end)
