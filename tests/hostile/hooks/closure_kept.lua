-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
local fs = {}
while true do local n = #fs fs[n + 1] = function() return n end end
end)
