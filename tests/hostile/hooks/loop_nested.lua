-- ends: HR0404
on("arena.go", { name = "attack" }, function(ev)
for i = 1, 1e9 do for j = 1, 1e9 do end end
end)
