-- ends: done
local kept = frozen{0}
on("arena.go", { name = "attack" }, function(ev)
  local alias = { kept[1] }
  alias[1] = alias[1] + 1
end)
