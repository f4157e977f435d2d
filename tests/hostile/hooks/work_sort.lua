-- ends: HR0404
on("arena.go", { name = "attack" }, function(ev)
local t = {}
for i = 1, 1000 do t[i] = i end
table.sort(t, function() while true do end end)
end)
