-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local t = {}
  for i = 1, 40 do t[i] = i end
  ev.actor:set_note("seen", #t)
end)
