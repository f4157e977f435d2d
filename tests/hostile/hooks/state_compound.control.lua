-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local n = 0
  n += 1
  ev.actor:set_note("seen", n)
end)
