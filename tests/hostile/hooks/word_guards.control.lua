-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local function length() return 1 end
end)
