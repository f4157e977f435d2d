-- ends: done
local start = 0
on("arena.go", { name = "attack" }, function(ev)
  local self = start
  self = self + 1
  ev.actor:set_note("seen", self)
end)
