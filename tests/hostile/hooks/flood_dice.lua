-- ends: HR0404 | HR0405 | HR0520 | HR0504
on("arena.go", { name = "attack" }, function(ev)
while true do roll("1000d1000000") end
end)
