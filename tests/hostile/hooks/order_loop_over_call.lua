-- ends: load HR0410
local function same(t) return t end
on("arena.go", { name = "attack" }, function(ev)
  for k in same({ a = 1, b = 2 }) do say(k) end
end)
