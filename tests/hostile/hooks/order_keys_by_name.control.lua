-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local t, k = {}, "x"
  t[k] = 1
end)
