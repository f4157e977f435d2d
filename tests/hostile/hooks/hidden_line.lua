-- ends: load HR0410
-- a remarkcount = (count or 0) + 1
on("arena.go", { name = "attack" }, function(ev)
end)
