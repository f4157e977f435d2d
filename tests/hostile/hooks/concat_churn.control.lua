-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local s = ("x"):rep(160)
  for i = 1, 3 do local t = s .. 1 end
end)
