-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local function count(...) return select("#", ...) end
  local n = count(1, 2, 3)
end)
