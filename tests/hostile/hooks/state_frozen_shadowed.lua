-- ends: load HR0410
local function frozen(t) return t end
local memory = frozen{ n = 0 }
on("arena.go", { name = "attack" }, function(ev)
  memory.n = memory.n + 1
  ev.actor:set_note("seen", memory.n)
end)
