-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local s = "name"
  local n = ev.actor.name
end)
