-- ends: load HR0410 | HR0402
local seen = frozen{}
on("arena.go", { name = "attack" }, function(ev)
  function seen.more() return 1 end
end)
