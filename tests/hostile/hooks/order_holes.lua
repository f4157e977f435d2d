-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local t = {}
  for i = 1, 40 do t["k" .. i] = i t[i] = i end
  for i = 1, 40 do t["k" .. i] = nil if i % 3 == 0 then t[i] = nil end t["l" .. i] = i end
  ev.actor:set_note("seen", #t)
end)
