-- ends: HR0534
on("arena.go", { name = "attack" }, function(ev)
raise("pool.emptied", {})
end)
