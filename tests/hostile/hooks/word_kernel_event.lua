-- ends: HR0402 | HR0408 | load HR0410 | load HR0413 | load HR0203
on("arena.go", { name = "attack" }, function(ev)
raise("pool.emptied", {})
end)
