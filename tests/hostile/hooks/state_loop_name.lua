-- ends: load HR0410
local n = 0
on("arena.go", { name = "attack" }, function(ev)
  for i = 1, 2 do local x = n; n = i end
  ev.actor:set_note("seen", n)
end)
