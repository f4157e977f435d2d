-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local function seen() return 1 end
  ev.actor:set_note("seen", seen())
end)
