-- ends: HR0402
on("arena.go", { name = "attack" }, function(ev)
error("\27[2J\226\128\174")
end)
