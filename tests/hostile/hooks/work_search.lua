-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
local s = ("x"):rep(16000)
while true do s:contains("xy") end
end)
