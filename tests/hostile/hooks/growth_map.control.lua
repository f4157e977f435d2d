-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local t = {}
for i = 1, 9 do t["k" .. i] = i end
end)
