-- Whoever is stunned or panics lets go of all that is in hand. What is put away
-- stays, and so does what is a part of the body: it is set aside meanwhile.

local function stays(thing)
  return thing:has("sheathed") or thing:has("natural") or thing:has("unarmed")
end

local function let_go(who)
  local kept = {}
  local thing = who:holds("weapon")
  while thing do
    if stays(thing) then
      thing:untag("weapon")
      kept[#kept + 1] = thing
    else
      raise("let_go", { who = who, item = thing })
    end
    thing = who:holds("weapon")
  end
  for _, thing in ipairs(kept) do
    thing:tag("weapon")
  end
end

on("condition.applied", { name = "dropping.stunned", condition = "stunned" }, function(ev)
  let_go(ev.who)
end)

on("condition.applied", { name = "dropping.panicked", condition = "panicked" }, function(ev)
  let_go(ev.who)
end)
