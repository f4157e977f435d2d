-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local s = ("x"):rep(16)
s:contains("xy")
end)
