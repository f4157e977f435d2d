-- ends: HR0404
on("arena.go", { name = "attack" }, function(ev)
  local s, n = (" "):rep(15000) .. "1", 0
  for i = 1, 1000000 do n = (n + s + s + s + s) % 7 end
end)
