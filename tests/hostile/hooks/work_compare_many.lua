-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
  local s, n = ("x"):rep(15800), false
  local a, b = s .. s .. s .. 1, s .. s .. s .. 2
  while true do n = a < b and a < b and a < b and a < b and a < b and a < b and a < b and a < b end
end)
