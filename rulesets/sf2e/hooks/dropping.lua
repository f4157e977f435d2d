-- Whoever goes limp drops everything that is held in hands, one thing after the
-- other; whoever is disarmed, the first of them. What is stowed stays: it is set
-- aside meanwhile.

local function drop_it(item)
  raise("falls_from_hand", { item = item })
end

local function drop_some(who, how_many)
  local kept = {}
  local dropped = 0
  local item = who:holds("handheld")
  while item and dropped < how_many do
    if item:has("stowed") then
      item:untag("handheld")
      kept[#kept + 1] = item
    else
      drop_it(item)
      dropped = dropped + 1
    end
    item = who:holds("handheld")
  end
  for _, item in ipairs(kept) do
    item:tag("handheld")
  end
end

on("goes_limp", { name = "dropping.all" }, function(ev)
  drop_some(ev.bearer, 99)
end)

on("disarmed", { name = "dropping.one" }, function(ev)
  drop_some(ev.target, 1)
end)
