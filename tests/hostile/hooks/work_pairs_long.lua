-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
  local s, t = ("x"):rep(15800), {}
  for i = 1, 30 do t[s .. s .. s .. i] = 1 end
  while true do pairs(t) end
end)
