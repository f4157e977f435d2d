-- ends: HR0404 | HR0405
on("arena.go", { name = "attack" }, function(ev)
  while true do local t = {{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}} end
end)
