-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
local t = {}
while true do t = { t, t } end
end)
