-- A wound told of by the rules is kept by whoever bears it.
on("on_wound", { name = "wounds.kept", when = "amount >= 0" }, function(ev)
  ev.bearer:set_note("seen", ev.amount + 1)
end)
