-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
  local s, n = ("x"):rep(16000), 0
  local a, b = s .. 1, s .. 2
  while true do if a < b then n = n + 1 end end
end)
