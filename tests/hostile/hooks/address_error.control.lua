-- ends: done
on("arena.go", { name = "attack" }, function(ev)
assert({} ~= nil)
end)
