-- ends: load HR0410
on("arena.go", { name = "attack" }, function(ev)
return table.unpack({ 1 })
end)
