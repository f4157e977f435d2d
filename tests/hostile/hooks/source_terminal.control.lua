-- ends: done
on("arena.go", { name = "attack" }, function(ev)
assert("\27[2J" ~= nil)
end)
