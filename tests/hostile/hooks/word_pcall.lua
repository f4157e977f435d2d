-- ends: load HR0410
on("arena.go", { name = "attack" }, function(ev)
pcall(function() while true do end end)
end)
