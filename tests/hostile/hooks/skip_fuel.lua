-- ends: HR0404
on("arena.go", { name = "attack", on_error = "skip" }, function(ev)
while true do end
end)
