-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local t = {}
for i = 1, 9 do t[i] = i end
table.sort(t, function(a, b) return a > b end)
end)
