-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local k = { "x" }
  local t = { [k[1]] = 1 }
end)
