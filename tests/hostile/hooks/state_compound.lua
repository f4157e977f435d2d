-- ends: load HR0410
local n = 0
on("arena.go", { name = "attack" }, function(ev)
  n += 1
  ev.actor:set_note("seen", n)
end)
