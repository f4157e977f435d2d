-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
local s = "x"
while true do s = s .. s end
end)
