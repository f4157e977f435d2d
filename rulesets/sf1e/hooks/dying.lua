-- Who falls to 0 hit points, what further damage does to them, and how long
-- they have. Resolve decides: who must lose a point and has none is dead.

-- Rounds count from 0 when only the aware act; a note of 0 means never.
local function now()
  return round() + 1
end

local function die(who, text)
  if who:apply("dead") then
    say(text, { who = who })
  end
end

local function lose_resolve(who)
  if who:pool("resolve") == 0 then
    die(who, "dying.no_resolve")
  else
    who:add_pool("resolve", -1)
    say("dying.loses_resolve", { who = who })
  end
end

local function begin_dying(who, spared_round, last_round)
  who:set_note("spared_round", spared_round)
  who:set_note("last_round", last_round)
  who:apply("dying")
  say("dying.begins", { who = who })
end

-- Dropped in the own turn: nothing is lost at its end. Dropped with no resolve
-- left: one more round to be saved in, and three for those who never have any.
local function fall(who)
  local spared_round, last_round = 0, 0
  if formula("own_turn", who) ~= 0 then
    spared_round = now()
  end
  if who:pool_max("resolve") == 0 then
    last_round = now() + 3
  elseif who:pool("resolve") == 0 then
    last_round = now() + 1
  end
  who:set_note("hurt_round", 0)
  begin_dying(who, spared_round, last_round)
end

on("pool.emptied", { name = "dying.fall", pool = "hp", when = "not (damage has nonlethal) and not (bearer has ferocity) and not (bearer has smothered)" }, function(ev)
  local who = ev.who
  if who:pool_max("resolve") == 0 and option("nameless") == "dead" then
    die(who, "dying.slain")
  elseif ev.left_over >= who:pool_max("hp") then
    die(who, "dying.massive")
  else
    fall(who)
  end
end)

-- The first wound of a round costs resolve; later ones only beyond half of the
-- maximum. A wound as large as the maximum kills outright.
local function hurt_again(who, amount)
  if who:note("hurt_round") ~= now() then
    who:set_note("hurt_round", now())
    lose_resolve(who)
  elseif amount * 2 > who:pool_max("hp") then
    lose_resolve(who)
  end
end

on("damage.taken", {
  name = "dying.hurt",
  when = "note.hp_before == 0 and left_over > 0 and resolve.max > 0 and (bearer has dying or bearer has stable)",
}, function(ev)
  local who = ev.who
  if ev.amount >= who:pool_max("hp") then
    die(who, "dying.massive")
  elseif who:has("stable") then
    who:remove("stable")
    begin_dying(who, 0, 0)
  else
    hurt_again(who, ev.amount)
  end
end)

on("pool.healed", {
  name = "dying.saved",
  pool = "hp",
  when = "hp > 0 and (bearer has dying or bearer has stable)",
}, function(ev)
  ev.who:remove("dying")
  ev.who:remove("stable")
  say("dying.wakes", { who = ev.who })
end)

on("turn.end", { name = "dying.slips_away", when = "bearer has dying" }, function(ev)
  local who = ev.who
  local spared = who:note("spared_round") == now()
  local lingers = who:pool("resolve") == 0 and now() < who:note("last_round")
  if not spared and not lingers then
    lose_resolve(who)
  end
end)
