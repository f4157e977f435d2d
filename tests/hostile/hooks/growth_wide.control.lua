-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local s = ("x"):rep(16)
local t = {}
for i = 1, 9 do t[#t + 1] = s .. #t end
end)
