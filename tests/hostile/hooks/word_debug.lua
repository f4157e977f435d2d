-- ends: load HR0410
on("arena.go", { name = "attack" }, function(ev)
debug.traceback()
end)
