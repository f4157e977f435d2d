-- ends: done
on("arena.go", { name = "attack" }, function(ev)
assert(error ~= nil)
end)
