-- ends: load HR0410
on("arena.go", { name = "attack" }, function(ev)
io.open("/etc/passwd")
end)
