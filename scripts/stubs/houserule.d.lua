---@meta
-- Made from the one list of words; do not edit.

--- A creature or a thing at the table. `==` says whether two are the same.
---@class Entity
local Entity = {}

--- Its name, unlike any other at the table. (since 0.1)
---@return string
function Entity:name() end

--- The side it is on. (since 0.1)
---@return string
function Entity:side() end

--- Whether the other is the same entity; `==` says so too. (since 0.1)
---@param other Entity
---@return boolean
function Entity:is_same(other) end

--- The first thing it holds with this tag or name. (since 0.1)
---@param item string
---@return Entity?
function Entity:holds(item) end

--- Feet between the two, if both stand on the map. (since 0.1)
---@param other Entity
---@return integer?
function Entity:distance_to(other) end

--- The total of a stat; `speed.crawling` looks through a view. (since 0.1)
---@param stat string
---@return integer
function Entity:stat(stat) end

--- What is left in a pool. (since 0.1)
---@param pool string
---@return integer
function Entity:pool(pool) end

--- The most a pool holds. (since 0.1)
---@param pool string
---@return integer
function Entity:pool_max(pool) end

--- Sets a pool within its range; gives by how much it changed. (since 0.1)
---@param pool string
---@param amount integer
---@return integer
function Entity:set_pool(pool, amount) end

--- Adds to a pool within its range; gives by how much it changed. (since 0.1)
---@param pool string
---@param amount integer
---@return integer
function Entity:add_pool(pool, amount) end

--- Whether it has a tag or bears a condition, maybe toward somebody. (since 0.1)
---@param name string
---@param toward? Entity
---@return boolean
function Entity:has(name, toward) end

--- The value of a condition; 0 where it is not borne. (since 0.1)
---@param condition string
---@return integer
function Entity:value(condition) end

--- Puts a condition on it; says whether it took hold. (since 0.1)
---@param condition string
---@param options? { value?: integer, rounds?: integer, minutes?: integer, hours?: integer, days?: integer, until_event?: string, whose?: Entity, times?: integer, from?: Entity, toward?: Entity }
---@return boolean
function Entity:apply(condition, options) end

--- Ends a condition; says whether it was borne. (since 0.1)
---@param condition string
---@param options? { from?: Entity, toward?: Entity }
---@return boolean
function Entity:remove(condition, options) end

--- Raises the value of a condition, or lowers it by less than 0. (since 0.1)
---@param condition string
---@param by integer
---@param options? { from?: Entity, toward?: Entity }
function Entity:shift(condition, by, options) end

--- Keeps a condition from doing anything; its time may be stopped. (since 0.1)
---@param condition string
---@param options? { stopped?: boolean, from?: Entity, toward?: Entity }
function Entity:suspend(condition, options) end

--- Lets a suspended condition go on. (since 0.1)
---@param condition string
---@param options? { from?: Entity, toward?: Entity }
function Entity:resume(condition, options) end

--- Lets a condition last longer, or less long. (since 0.1)
---@param condition string
---@param options { rounds?: integer, minutes?: integer, hours?: integer, days?: integer, until_event?: string, whose?: Entity, times?: integer, from?: Entity, toward?: Entity }
function Entity:extend(condition, options) end

--- Keeps up a condition that it caused, whoever bears it. (since 0.1)
---@param condition string
function Entity:sustain(condition) end

--- Gives it a tag. (since 0.1)
---@param tag string
function Entity:tag(tag) end

--- Takes a tag away. (since 0.1)
---@param tag string
function Entity:untag(tag) end

--- A count. (since 0.1)
---@param count string
---@return integer
function Entity:count(count) end

--- Adds to a count; gives what it is now. (since 0.1)
---@param count string
---@param amount integer
---@return integer
function Entity:add_count(count, amount) end

--- A note it keeps; 0 if nothing was noted. (since 0.1)
---@param note string
---@return integer
function Entity:note(note) end

--- Notes a number. (since 0.1)
---@param note string
---@param amount integer
function Entity:set_note(note, amount) end

--- Deals it damage of a type, through all stages. (since 0.1)
---@param amount integer
---@param type string
function Entity:damage(amount, type) end

--- Raises a pool up to its maximum; gives by how much. (since 0.1)
---@param pool string
---@param amount integer
---@return integer
function Entity:heal(pool, amount) end

--- Makes a check; gives its degree. (since 0.1)
---@param check string
---@param options? { dc?: integer, target?: Entity }
---@return string
function Entity:check(check, options) end

--- Gives it a modifier on a stat, untyped if no type is said. (since 0.1)
---@param stat string
---@param amount integer
---@param options? { type?: string }
function Entity:modifier(stat, amount, options) end

--- The event whose hook runs. Its fields are read by name, and written before it happens.
---@class Event
---@field event string The name of the event.
---@field bearer Entity? Whose number or condition it is about.
---@field actor Entity? Who acts.
---@field target Entity? Who is acted upon.
---@field item Entity? What it is done with.
---@field source Entity? Who caused it.
---@field action string?
---@field after integer?
---@field amount integer?
---@field before integer?
---@field bonus integer?
---@field check string?
---@field condition string?
---@field dc integer?
---@field degree string?
---@field feet integer?
---@field forced boolean?
---@field from Entity?
---@field left_over integer?
---@field natural integer?
---@field pool string?
---@field round integer?
---@field times integer?
---@field total integer?
---@field value integer?
---@field who Entity?
---@field x integer?
---@field y integer?
---@field zone Entity?
local Event = {}

--- Keeps a before-event from happening. (since 0.1)
---@param text string
function Event:prevent(text) end

--- Refuses the whole intent; only in `action.begin`, before any draw. (since 0.1)
---@param text string
function Event:refuse(text) end

--- A note of the running condition; 0 if nothing was noted. (since 0.1)
---@param note string
---@return integer
function Event:note(note) end

--- Notes a number with the running condition. (since 0.1)
---@param note string
---@param number integer
function Event:set_note(note, number) end

--- Whether the damage it tells of has a tag. (since 0.1)
---@param tag string
---@return boolean
function Event:damage_has(tag) end

--- What was rolled.
---@class Roll
---@field total integer What it comes to.
---@field natural integer The face of the one die that counts; 0 if several do.
---@field faces integer[] The faces that count, in the order drawn.
local Roll = {}

--- Rolls dice for who acts, from the stream `roll` if none is said. (since 0.1)
---@param dice string
---@param options? { stream?: string, who?: Entity }
---@return Roll
function roll(dice, options) end

--- The value of an expression for somebody; a yes is 1. (since 0.1)
---@param expression string
---@param who Entity
---@return integer
function formula(expression, who) end

--- The round of the encounter, from 1; 0 outside. (since 0.1)
---@return integer
function round() end

--- How a house-rule switch is set: a number, or the choice's name. (since 0.1)
---@param name string
---@return any
function option(name) end

--- Raises an event; a before-event says whether it was not prevented. (since 0.1)
---@param event string
---@param fields? table<string, any>
---@return boolean
function raise(event, fields) end

--- Says a line to everybody. (since 0.1)
---@param text string
---@param arguments? table<string, any>
function say(text, arguments) end

--- Asks somebody to choose one of some names; gives the one chosen. (since 0.1)
---@param who Entity
---@param text string
---@param options string[]
---@param arguments? table<string, any>
---@return string
function choose(who, text, options, arguments) end

--- Asks somebody to choose so many of some names, or any number. (since 0.1)
---@param who Entity
---@param text string
---@param options string[]
---@param limits? { least?: integer, most?: integer }
---@param arguments? table<string, any>
---@return string[]
function choose_some(who, text, options, limits, arguments) end

--- Asks somebody to put some names in order; gives them, the first first. (since 0.1)
---@param who Entity
---@param text string
---@param options string[]
---@param arguments? table<string, any>
---@return string[]
function order(who, text, options, arguments) end

--- Asks the game master for one of some names; gives the one chosen. (since 0.1)
---@param text string
---@param options string[]
---@param arguments? table<string, any>
---@return string
function ruling(text, options, arguments) end

--- Asks somebody, or else the game master, for a `number` or a `yes_no`. (since 0.1)
---@param text string
---@param how? { who?: Entity, kind?: string, least?: integer, most?: integer, otherwise?: any }
---@param arguments? table<string, any>
---@return any
function ask(text, how, arguments) end

--- Divides and rounds down. (since 0.1)
---@param a integer
---@param b integer
---@return integer
function math.div_floor(a, b) end

--- Divides and rounds up. (since 0.1)
---@param a integer
---@param b integer
---@return integer
function math.div_ceil(a, b) end

--- The number, brought between two bounds. (since 0.1)
---@param number integer
---@param low integer
---@param high integer
---@return integer
function math.clamp(number, low, high) end

--- The lesser of two. (since 0.1)
---@param a integer
---@param b integer
---@return integer
function math.min(a, b) end

--- The greater of two. (since 0.1)
---@param a integer
---@param b integer
---@return integer
function math.max(a, b) end

--- The number without its sign. (since 0.1)
---@param number integer
---@return integer
function math.abs(number) end

--- Declares a hook: `name`, and maybe `when`, `reads`, `writes`, `before`, `after`, `priority`, `because`, `bearer`, `on_error`.
---@param event string
---@param options table
---@param hook function
function on(event, options, hook) end

--- Runs around another hook; `inner()` runs that one and gives what it wrote.
---@param name string
---@param hook function
function wrap(name, hook) end

--- Silences another hook, and says why.
---@param name string
---@param options { because: string }
function mute(name, options) end
