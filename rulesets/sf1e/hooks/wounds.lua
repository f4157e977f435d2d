-- A severe wound is rolled twice; of two different parts of the body the
-- attacker takes the one that is liked better.

on("severe_wound", { name = "wounds.severe" }, function(ev)
  local first = ev.actor:check("wound")
  local second = ev.actor:check("wound")
  local part = first
  if first ~= second then
    part = choose(ev.actor, "ask.wound", { first, second })
  end
  raise("wounded", { part = part })
end)
