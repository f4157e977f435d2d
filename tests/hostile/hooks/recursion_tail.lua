-- ends: HR0406 | HR0404
on("arena.go", { name = "attack" }, function(ev)
local function f() return f() end
return f()
end)
