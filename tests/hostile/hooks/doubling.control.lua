-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local s = "x"
  s = s .. s
end)
