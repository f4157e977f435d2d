on("arena.go", { name = "attack" }, function(ev) end)
