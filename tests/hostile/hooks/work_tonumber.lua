-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
  local s = (" "):rep(15800)
  local t = s .. s .. s
  while true do tonumber(t) end
end)
