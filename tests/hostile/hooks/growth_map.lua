-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
local t = {}
local i = 0
while true do i = i + 1 t["k" .. i] = i end
end)
