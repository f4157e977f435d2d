-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
local t = {}
for i = 1, 100 do t[i] = ("x"):rep(100) end
while true do table.concat(t) end
end)
