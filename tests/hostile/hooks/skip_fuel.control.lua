-- ends: done
on("arena.go", { name = "attack", on_error = "skip" }, function(ev)
error("harmless")
end)
