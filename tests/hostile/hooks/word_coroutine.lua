-- ends: load HR0410
on("arena.go", { name = "attack" }, function(ev)
coroutine.wrap(function() end)()
end)
