-- ends: load HR0410
local self = 0
on("arena.go", { name = "attack" }, function(ev)
  self = self + 1
  ev.actor:set_note("seen", self)
end)
