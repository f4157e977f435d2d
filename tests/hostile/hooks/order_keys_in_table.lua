-- ends: HR0402
on("arena.go", { name = "attack" }, function(ev)
  local k = { function() end }
  local t = { [k[1]] = 1 }
end)
