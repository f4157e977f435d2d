-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local function f(n) if n > 0 then return 1 + f(n - 1) end return 0 end
f(9)
end)
