-- ends: done
local function counter()
  local n = 0
  return function() n = n + 1 return n end
end
on("arena.go", { name = "attack" }, function(ev) ev.actor:set_note("seen", counter()()) end)
