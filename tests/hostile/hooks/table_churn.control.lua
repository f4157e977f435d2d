-- ends: done
on("arena.go", { name = "attack" }, function(ev)
  local t = {{},{},{},{}}
end)
