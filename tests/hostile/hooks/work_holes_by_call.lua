-- ends: HR0404
on("arena.go", { name = "attack" }, function(ev)
  local t, i = {}, 4096
  local function none() end
  for k = 1, 4096 do t[k * 7919 + 0.5] = 1 end
  while true do t[(i - 4095) * 7919 + 0.5], t.x = none() i = i + 1 t[i * 7919 + 0.5] = 1 end
end)
