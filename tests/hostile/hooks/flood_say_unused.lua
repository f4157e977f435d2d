-- ends: HR0404 | HR0405 | HR0520 | HR0402 | HR0408
on("arena.go", { name = "attack" }, function(ev)
local s = ("x"):rep(120)
while true do say("told", { who = ev.actor, a = s, b = s, c = s, d = s }) end
end)
