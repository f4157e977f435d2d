-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
local s = ("x"):rep(1e9)
end)
