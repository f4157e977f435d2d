-- ends: HR0404
on("arena.go", { name = "attack" }, function(ev)
  local t = {}
  for i = 1, 4095 do t[i * 7919 + 0.5] = 1 end
  t.a = 1
  while true do t.a = nil t.b = 1 t.b = nil t.a = 1 end
end)
