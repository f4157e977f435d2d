-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local t = {}
for i = 1, 9 do t = { t, t } end
end)
