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

-- What `#` gives: 0, or the end that doubling and halving find. Without holes that is the length; with holes it goes by
-- what stands in the list, while the machine would go by the room that it keeps.
local function length(list)
  if type(list) ~= "table" then
    return #list
  elseif list[1] == nil then
    return 0
  elseif list[2] == nil then
    return 1
  elseif list[4] == nil then
    return list[3] == nil and 2 or 3
  end
  local last, beyond = 4, 8
  while beyond < 1073741824 and list[beyond] ~= nil do
    last, beyond = beyond, beyond * 2
  end
  while beyond - last > 1 do
    local middle = (last + beyond) // 2
    if list[middle] == nil then
      beyond = middle
    else
      last = middle
    end
  end
  return last
end

-- What may stand in brackets where something is assigned: anything else would stand at its address.
local function key(k)
  local kind = type(k)
  if kind == "table" or kind == "function" or kind == "userdata" and not host.is_entity(k) then
    error("a " .. kind .. " cannot be a key; use a number, a string or an entity", 2)
  end
  return k
end

-- What is assigned into a table and may be nothing.
local function value(v)
  if v == nil then
    host.pay_for_holes(1)
  end
  return v
end

-- The same for the last of fewer values than there are targets.
local function nothings(count, ...)
  host.pay_for_holes(count)
  return ...
end

local function pair(a, b)
  if type(a) == "number" then
    a = host.digits(a)
  end
  if type(b) == "number" then
    b = host.digits(b)
  end
  if type(a) == "string" and type(b) == "string" then
    local size = #a + #b
    if size > 63 then
      host.note_text(size)
    end
  end
  return a .. b
end

-- What `..` gives: a number is written as `tostring` writes it, and a long text is paid for.
local function joined(a, b, ...)
  local both = pair(a, b)
  if select("#", ...) == 0 then
    return both
  end
  return joined(both, ...)
end

local function less(a, b)
  return a < b
end

-- Luau compares strings by their bytes; Lua 5.4 goes by the locale of its host.
local at_most
if not freeze then
  less = function(a, b)
    if type(a) == "string" and type(b) == "string" then
      return host.before(a, b)
    end
    return a < b
  end
  at_most = function(a, b)
    if type(a) == "string" and type(b) == "string" then
      return not host.before(b, a)
    end
    return a <= b
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
        return length(copy)
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
  local last = length(t)
  local given = select("#", ...)
  if given == 1 then
    t[last + 1] = (...)
  elseif given == 2 then
    local at, value = ...
    must_be_place(at, last + 1, "insert")
    for i = last, at, -1 do
      t[i + 1] = t[i]
    end
    t[at] = value
  else
    error("`table.insert` wants a list, maybe a place, and a value", 2)
  end
end

function list.remove(t, at)
  must_be_list(t, "remove")
  local last = length(t)
  if last == 0 and at == nil then
    return nil
  end
  at = at == nil and last or at
  must_be_place(at, last, "remove")
  local taken = t[at]
  for i = at, last - 1 do
    t[i] = t[i + 1]
  end
  t[last] = nil
  host.pay_for_holes(1)
  return taken
end

function list.concat(t, between)
  must_be_list(t, "concat")
  local pieces = {}
  for i = 1, length(t) do
    local piece = t[i]
    if type(piece) ~= "string" and type(piece) ~= "number" then
      error("`table.concat` wants strings and numbers, not a " .. type(piece), 2)
    end
    pieces[i] = words(piece)
  end
  return host.join(pieces, between)
end

-- A stable merge sort: equal elements keep their order, and any `before` ends.
function list.sort(t, before)
  must_be_list(t, "sort")
  before = before or less
  local count, from, to, width = length(t), {}, {}, 1
  for i = 1, count do
    from[i] = t[i]
  end
  while width < count do
    for start = 1, count, 2 * width do
      local left, right = start, start + width
      local middle, last = right, start + 2 * width
      if middle > count + 1 then
        middle, right = count + 1, count + 1
      end
      if last > count + 1 then
        last = count + 1
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
  for i = 1, count do
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

local world = {
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
  __length = length,
  __key = key,
  __value = value,
  __nothings = nothings,
  __joined = joined,
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

if not freeze then
  world.__less = less
  world.__at_most = at_most
  world.__more = function(a, b)
    return less(b, a)
  end
  world.__at_least = function(a, b)
    return at_most(b, a)
  end
end
return world
