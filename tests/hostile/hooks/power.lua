-- ends: load HR0410
on("arena.go", { name = "attack" }, function(ev)
  local n = 2 ^ 0.5
end)
