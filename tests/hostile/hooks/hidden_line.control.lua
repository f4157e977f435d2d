-- ends: done
-- a remark
on("arena.go", { name = "attack" }, function(ev)
end)
