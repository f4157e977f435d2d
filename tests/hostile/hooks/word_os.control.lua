-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local os = frozen{ exit = 1 }
  ev.actor:set_note("seen", os.exit)
end)
