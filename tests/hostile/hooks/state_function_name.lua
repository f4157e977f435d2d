-- ends: load HR0410
local seen
on("arena.go", { name = "attack" }, function(ev)
  if seen then ev.actor:set_note("seen", 1) end
  function seen() return 1 end
end)
