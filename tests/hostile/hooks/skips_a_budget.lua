-- ends: HR0404 | HR0520
on("arena.go", { name = "attack", on_error = "skip" }, function(ev)
  for i = 1, 1000000 do roll("1d20") end
end)
