-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
local s, t = ("x"):rep(16000) .. "a", ("x"):rep(16000) .. "b"
while s < t do end
end)
