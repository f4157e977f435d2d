-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local s = table.concat({ "a", "b" }, ",")
end)
