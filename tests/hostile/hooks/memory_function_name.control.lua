-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local count = 0
  function count() end
end)
