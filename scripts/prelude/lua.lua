-- The whole world of a Lua hook: built once per guest from a few host functions.
local host = ...
local error, type, next, select, floor = error, type, next, select, math.floor
local freeze = table.freeze
local isfrozen = table.isfrozen
local setmetatable = setmetatable
local backing = {}

local function words(value)
  local kind = type(value)
  if kind == "string" then
    return value
  elseif kind == "number" then
    return host.digits(value)
  elseif value == true then
    return "true"
  elseif value == false then
    return "false"
  end
  return kind
end

-- Whatever is thrown is a string: the machine would tell anything else by its address.
local function fail(message, level)
  local kind = type(message)
  if kind ~= "string" and kind ~= "number" then
    error("`error` was called without a string; say in words what is wrong", 2)
  end
  error(words(message), level == 0 and 0 or type(level) == "number" and level + 1 or 2)
end

local function assert(value, message, ...)
  if not value then
    error(message == nil and "assertion failed" or words(message), 2)
  end
  return value, message, ...
end

-- In order of keys: numbers first, then strings by their bytes; a snapshot of the keys at the start.
local function pairs(t)
  if type(t) ~= "table" then
    error("`pairs` wants a table, not a " .. type(t), 2)
  end
  local keys, at = host.keys(backing[t] or t), 0
  return function()
    local key, value
    repeat
      at = at + 1
      key = keys[at]
      value = key ~= nil and t[key]
    until key == nil or value ~= nil
    return key, value
  end
end

local frozen
local function frozen_value(value)
  local kind = type(value)
  if kind == "table" then
    return frozen(value)
  elseif kind == "function" or kind == "userdata" or kind == "thread" then
    error("a frozen table holds no " .. kind, 0)
  end
  return value
end

if freeze then
  frozen = function(t)
    if type(t) ~= "table" then
      error("`frozen` wants a table, not a " .. type(t), 2)
    end
    if isfrozen(t) then
      return t
    end
    freeze(t)
    for _, value in next, t do
      frozen_value(value)
    end
    return t
  end
else
  backing = setmetatable({}, { __mode = "k" })
  frozen = function(t)
    if type(t) ~= "table" then
      error("`frozen` wants a table, not a " .. type(t), 2)
    end
    if backing[t] then
      return t
    end
    local copy = {}
    for key, value in next, t do
      copy[key] = frozen_value(value)
    end
    local proxy = setmetatable({}, {
      __index = copy,
      __len = function()
        return #copy
      end,
      __newindex = function()
        error("a frozen table cannot be changed", 2)
      end,
    })
    backing[proxy] = copy
    return proxy
  end
end

-- Lua 5.4 has no read-only tables: a library hides behind an empty one.
local frozen_library
if not freeze then
  frozen_library = function(library)
    return setmetatable({}, {
      __index = library,
      __newindex = function()
        error("a frozen table cannot be changed", 2)
      end,
    })
  end
end

local list = {}

local function must_be_list(t, who)
  if type(t) ~= "table" then
    error("`table." .. who .. "` wants a list, not a " .. type(t), 3)
  end
end

local function must_be_place(at, last, who)
  if type(at) ~= "number" or at ~= floor(at) or at < 1 or at > last then
    error("`table." .. who .. "` wants a place from 1 to " .. last, 3)
  end
end

function list.insert(t, ...)
  must_be_list(t, "insert")
  local length = #t
  local given = select("#", ...)
  if given == 1 then
    t[length + 1] = (...)
  elseif given == 2 then
    local at, value = ...
    must_be_place(at, length + 1, "insert")
    for i = length, at, -1 do
      t[i + 1] = t[i]
    end
    t[at] = value
  else
    error("`table.insert` wants a list, maybe a place, and a value", 2)
  end
end

function list.remove(t, at)
  must_be_list(t, "remove")
  local length = #t
  if length == 0 and at == nil then
    return nil
  end
  at = at == nil and length or at
  must_be_place(at, length, "remove")
  local value = t[at]
  for i = at, length - 1 do
    t[i] = t[i + 1]
  end
  t[length] = nil
  return value
end

function list.concat(t, between)
  must_be_list(t, "concat")
  local pieces = {}
  for i = 1, #t do
    local piece = t[i]
    if type(piece) ~= "string" and type(piece) ~= "number" then
      error("`table.concat` wants strings and numbers, not a " .. type(piece), 2)
    end
    pieces[i] = words(piece)
  end
  return host.join(pieces, between)
end

local function less(a, b)
  return a < b
end

-- A stable merge sort: equal elements keep their order, and any `before` ends.
function list.sort(t, before)
  must_be_list(t, "sort")
  before = before or less
  local length, from, to, width = #t, {}, {}, 1
  for i = 1, length do
    from[i] = t[i]
  end
  while width < length do
    for start = 1, length, 2 * width do
      local left, right = start, start + width
      local middle, last = right, start + 2 * width
      if middle > length + 1 then
        middle, right = length + 1, length + 1
      end
      if last > length + 1 then
        last = length + 1
      end
      for i = start, last - 1 do
        if left < middle and (right >= last or not before(from[right], from[left])) then
          to[i] = from[left]
          left = left + 1
        else
          to[i] = from[right]
          right = right + 1
        end
      end
    end
    from, to = to, from
    width = 2 * width
  end
  for i = 1, length do
    t[i] = from[i]
  end
end

local function must_be_whole(number, who)
  if type(number) ~= "number" or number ~= floor(number) or number > 9007199254740991 or number < -9007199254740991 then
    error("`math." .. who .. "` wants whole numbers, not " .. (type(number) == "number" and "a fraction" or "a " .. type(number)), 3)
  end
end

local function div_floor(a, b)
  must_be_whole(a, "div_floor")
  must_be_whole(b, "div_floor")
  if b == 0 then
    error("division by zero", 2)
  end
  return (a // b) + 0
end

local function div_ceil(a, b)
  must_be_whole(a, "div_ceil")
  must_be_whole(b, "div_ceil")
  if b == 0 then
    error("division by zero", 2)
  end
  return 0 - (-a // b)
end

local function clamp(number, low, high)
  if low > high then
    error("`math.clamp` wants the lower bound first", 2)
  end
  return number < low and low or number > high and high or number
end

return {
  type = type,
  tostring = words,
  tonumber = host.tonumber,
  error = fail,
  assert = assert,
  select = select,
  ipairs = ipairs,
  pairs = pairs,
  frozen = frozen,
  frozen_library = frozen_library,
  string = host.string,
  table = list,
  math = {
    floor = floor,
    ceil = math.ceil,
    abs = math.abs,
    min = math.min,
    max = math.max,
    clamp = clamp,
    div_floor = div_floor,
    div_ceil = div_ceil,
  },
}
