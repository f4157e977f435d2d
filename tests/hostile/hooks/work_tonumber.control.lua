-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local n = tonumber(" 12 ")
end)
