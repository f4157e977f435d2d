-- A turn of dying costs a second point of resolve, while there is one.
wrap("dying.slips_away", function(ev, inner)
  local who = ev.who
  local before = who:pool("resolve")
  inner()
  if who:has("dying") and who:pool("resolve") < before and who:pool("resolve") > 0 then
    who:add_pool("resolve", -1)
    say("deadly.ebbs", { who = who })
  end
end)
