-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local text = "" .. 6 // 3 .. (0 * -1)
  assert(text == "20", text)
end)
