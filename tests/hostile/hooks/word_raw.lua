-- ends: load HR0410
on("arena.go", { name = "attack" }, function(ev)
rawset(string, "upper", nil)
end)
