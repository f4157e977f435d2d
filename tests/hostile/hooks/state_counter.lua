-- ends: load HR0410
local function counter()
  local n = 0
  return function() n = n + 1 return n end
end
local next_one = counter()
on("arena.go", { name = "attack" }, function(ev) ev.actor:set_note("seen", next_one()) end)
