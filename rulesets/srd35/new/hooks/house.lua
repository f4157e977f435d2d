-- What data cannot say, as a hook. Here: whoever lands a critical hit is
-- heartened, and has a temporary hit point more.
on("check.done", { name = "{id}.heartened", check = "attack", degree = "critical" }, function(ev)
  if ev.who:add_pool("temporary", 1) > 0 then
    say("{id}.heartened", { who = ev.who })
  end
end)
