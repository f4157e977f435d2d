-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local function f(n) if n > 0 then return f(n - 1) end end
f(9)
end)
