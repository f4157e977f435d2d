-- ends: HR0404 | HR0405 | HR0406
on("arena.go", { name = "attack" }, function(ev)
  local grow
  grow = function(...) return grow(1, ...) end
  grow()
end)
