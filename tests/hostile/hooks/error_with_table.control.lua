-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  if false then error("never") end
end)
