-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
local t = {}
for i = 1, 400000 do table.insert(t, 1, i) end
end)
