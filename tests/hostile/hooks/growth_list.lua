-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
local t = {}
while true do t[#t + 1] = 1 end
end)
