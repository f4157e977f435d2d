-- ends: load HR0410
on("arena.go", { name = "attack" }, function(ev)
return math.random(6)
end)
