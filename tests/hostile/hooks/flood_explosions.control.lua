-- ends: done
on("arena.go", { name = "attack" }, function(ev)
roll("1d6!")
end)
