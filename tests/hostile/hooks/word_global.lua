-- ends: load HR0410
on("arena.go", { name = "attack" }, function(ev)
_G.x = 1
end)
