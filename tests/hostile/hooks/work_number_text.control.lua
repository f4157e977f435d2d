-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local s, n = tonumber(" 1"), 0
  for i = 1, 100 do n = (n + s + s + s + s) % 7 end
end)
