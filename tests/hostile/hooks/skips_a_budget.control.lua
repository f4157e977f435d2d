-- ends: done
on("arena.go", { name = "attack", on_error = "skip" }, function(ev)
  roll("1d20")
end)
