-- Whoever goes limp drops everything that is held in hands, one thing after the
-- other.

on("goes_limp", { name = "dropping.all" }, function(ev)
  local item = ev.bearer:holds("handheld")
  while item do
    raise("falls_from_hand", { item = item })
    item = ev.bearer:holds("handheld")
  end
end)
