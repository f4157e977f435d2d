-- What data cannot say, as a hook. Here: a line whenever somebody is blessed.
on("condition.applied", { name = "{id}.blessing", condition = "{id}_blessed" }, function(ev)
  say("{id}.blessing", { who = ev.who })
end)
