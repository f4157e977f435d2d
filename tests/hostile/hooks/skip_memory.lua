-- ends: HR0405
on("arena.go", { name = "attack", on_error = "skip" }, function(ev)
local s = "x"
while true do s = s .. s end
end)
