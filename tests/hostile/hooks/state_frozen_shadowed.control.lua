-- ends: done
local memory = frozen{ n = 0 }
on("arena.go", { name = "attack" }, function(ev)
  ev.actor:set_note("seen", memory.n)
end)
