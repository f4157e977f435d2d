-- ends: done
on("arena.go", { name = "attack" }, function(ev)
local a = 1
if a == 0 then elseif a == 0 then elseif a == 0 then elseif a == 0 then elseif a == 0 then elseif a == 0 then elseif a == 0 then elseif a == 0 then elseif a == 0 then elseif a == 0 then end
end)
