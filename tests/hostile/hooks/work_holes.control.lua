-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local t = { a = 1 }
  for i = 1, 5 do t.a = nil t.b = 1 t.b = nil t.a = 1 end
end)
