-- ends: load HR0410
local count = 0
on("arena.go", { name = "attack" }, function(ev)
  function count() end
end)
