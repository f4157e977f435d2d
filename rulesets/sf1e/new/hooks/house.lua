-- What data cannot say, as a hook. Here: a critical hit gives a point of
-- resolve back to whoever landed it.
on("check.done", { name = "{id}.heartened", check = "attack", degree = "critical" }, function(ev)
  if ev.who:add_pool("resolve", 1) > 0 then
    say("{id}.heartened", { who = ev.who })
  end
end)
