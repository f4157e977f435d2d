-- ends: load HR0410 | HR0402
local memory = frozen{ inner = { n = 0 } }
on("arena.go", { name = "attack" }, function(ev)
  memory.inner.n = memory.inner.n + 1
  ev.actor:set_note("seen", memory.inner.n)
end)
