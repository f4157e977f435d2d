-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
  local t = {}
  for i = 1, 1000 do t[i] = "0123456789" end
  while true do table.concat(t, ",") end
end)
