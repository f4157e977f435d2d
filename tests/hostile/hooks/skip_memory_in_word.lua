-- ends: HR0404 | HR0405
on("arena.go", { name = "attack", on_error = "skip" }, function(ev)
local s = ("x"):rep(16000)
local t = {}
while true do t[#t + 1] = ev.actor:name() .. s .. #t end
end)
