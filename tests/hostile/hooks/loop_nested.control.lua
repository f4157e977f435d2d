-- ends: done
on("arena.go", { name = "attack" }, function(ev)
for i = 1, 9 do for j = 1, 9 do end end
end)
