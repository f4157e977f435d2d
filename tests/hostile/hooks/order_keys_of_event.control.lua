-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local t = {}
  t[ev.actor] = 1
  ev.actor:set_note("seen", t[ev.actor])
end)
