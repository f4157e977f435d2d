-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local x = ((((((((((((((((((((1))))))))))))))))))))
end)
