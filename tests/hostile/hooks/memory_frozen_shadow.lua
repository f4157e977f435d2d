-- ends: load HR0410
local function frozen(t) return t end
local kept = frozen{0}
on("arena.go", { name = "attack" }, function(ev)
  local alias = kept
  alias[1] = alias[1] + 1
end)
