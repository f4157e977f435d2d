-- Who rolls twice for the worse keeps the lower face.

on("check.rolled", {
  name = "rerolls.worse",
  reads = { "natural", "bonus" },
  writes = { "natural", "bonus" },
  when = "bearer has rolls_for_worse and not (bearer has rolls_for_better) and not (check == miss_chance or check == fortification or check == wound)",
}, function(natural, bonus)
  local lower = math.min(natural, roll("1d20").total)
  return lower, bonus + lower - natural
end)
