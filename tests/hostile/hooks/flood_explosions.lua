-- ends: HR0404 | HR0405 | HR0520 | HR0506
on("arena.go", { name = "attack" }, function(ev)
while true do roll("999d2!") end
end)
