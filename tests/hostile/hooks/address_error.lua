-- ends: HR0402
on("arena.go", { name = "attack" }, function(ev)
error({})
end)
