-- Whoever goes limp drops everything that is held in hands, one thing after the
-- other; whoever is disarmed, the first of them.

local function drop_it(item)
  raise("falls_from_hand", { item = item })
end

on("goes_limp", { name = "dropping.all" }, function(ev)
  local item = ev.bearer:holds("handheld")
  while item do
    drop_it(item)
    item = ev.bearer:holds("handheld")
  end
end)

on("disarmed", { name = "dropping.one" }, function(ev)
  local item = ev.target:holds("handheld")
  if item then
    drop_it(item)
  end
end)
