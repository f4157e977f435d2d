-- ends: load HR0410
on("arena.go", { name = "attack" }, function(ev)
  local function __length() return 1 end
end)
