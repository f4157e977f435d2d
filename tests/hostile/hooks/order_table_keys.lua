-- ends: HR0402
on("arena.go", { name = "attack" }, function(ev)
  local t = {}
  for i = 1, 8 do
    local key = {}
    t[key] = i
  end
  for k in pairs(t) do say(k) end
end)
