-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local n = 0
  for i = 1, 2 do n = i end
  ev.actor:set_note("seen", n)
end)
