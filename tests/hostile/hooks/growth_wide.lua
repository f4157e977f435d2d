-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
local s = ("x"):rep(16000)
local t = {}
while true do t[#t + 1] = s .. #t end
end)
