on("check.degree", { name = "decide", reads = { "natural", "total", "dc" }, writes = { "degree" } }, function(natural, total, dc)
  if natural == 20 then
    return "critical"
  elseif natural ~= 1 and total >= dc then
    return "hit"
  end
  return "miss"
end)
