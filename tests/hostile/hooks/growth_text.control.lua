-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local s = "x"
for i = 1, 5 do s = s .. s end
end)
