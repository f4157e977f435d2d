-- ends: HR0403
on("arena.go", { name = "attack" }, function(ev)
  local s = ("x"):rep(16000)
  local n = ev.actor[s]
end)
