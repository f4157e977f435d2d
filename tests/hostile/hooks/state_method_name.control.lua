-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local seen = {}
  function seen.more() return 1 end
  ev.actor:set_note("seen", seen.more())
end)
