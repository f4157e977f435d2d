-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local s, t = ("x"):rep(16) .. "a", ("x"):rep(16) .. "b"
assert(s < t)
end)
