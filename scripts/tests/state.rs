//! No Lua file keeps anything from one call of a hook to the next: each way is refused, beside one that keeps nothing.
#![cfg(any(feature = "luau", feature = "lua54"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod common;

use common::{Lua, Tongue, account, numbers, script};
use houserule_kernel::script::Scalar;
use houserule_scripts::ScriptError;

/// A file with a hook that gets `n`.
fn file(before: &str, body: &str) -> String {
    format!("{before}\non('e', {{ name = 'a', reads = {{'n'}}, writes = {{'r'}} }}, function(n)\n{body}\nend)")
}

/// What the hook gives when it is called three times in one guest, then in a fresh one.
fn calls(text: &str) -> Result<Vec<Scalar>, ScriptError> {
    let (account, files) = (account(), [script::<Lua>(text)]);
    let first = |mut wrong: Vec<ScriptError>| wrong.remove(0);
    Lua::survey(&files, &account).map_err(first)?;
    let guest = Lua::build(&files, &account).map_err(first)?;
    let fresh = Lua::build(&files, &account).map_err(first)?;
    let call = |guest| {
        account.refill();
        Lua::call(guest, 0, &numbers(&[7])).map(|mut given| given.remove(0))
    };
    [&guest, &guest, &guest, &fresh].into_iter().map(call).collect()
}

/// Both are read or both run: the attack ends in an error, or gives the same each time.
fn tried(attacks: &[(&str, &str)], controls: &[(&str, &str)]) {
    for (before, body) in attacks {
        let text = file(before, body);
        if let Ok(given) = calls(&text) {
            panic!("{text}\nis no error but gives {given:?}");
        }
    }
    for (before, body) in controls {
        let text = file(before, body);
        let mut given = calls(&text).unwrap_or_else(|error| panic!("{text}\n{error:?}"));
        given.dedup();
        assert_eq!(given, [Scalar::Number(1)], "{text}");
    }
}

#[test]
fn a_function_changes_no_local_of_the_file() {
    tried(
        &[
            ("local c = 0", "local function f() local function g() c = c + 1 end g() end f() return c"),
            ("local c = 0", "local f = function() return function() c = c + 1 end end f()() return c"),
            ("local c = 0", "local a a, c = 1, c + 1 return c"),
            ("local c, d = 0, 0", "c, d = d + 1, c return c"),
            ("local c = 0", "local t = {} t.x, c = 1, c + 1 return c"),
            ("local c = 0", "for i = 1, 2 do c = c + i end return c"),
            ("local c = 0", "repeat local c2 = c c = c + 1 until c > 0 return c"),
            ("local c = 0", "repeat local c = 1 until c == 1 c = c + 1 return c"),
            ("local c = 0", "do local c = 1 end c = c + 1 return c"),
            ("local c = 0", "if n == 7 then local c = 1 else local c = 2 end c = c + 1 return c"),
            ("local c = 0", "while true do local c = 1 break end c = c + 1 return c"),
            ("local c = 0", "for c = 1, 2 do end c = c + 1 return c"),
            ("local c = 0", "for _, c in pairs({ 1 }) do end c = c + 1 return c"),
            ("local c = 0", "local function f(c) c = c + 1 end f(1) c = c + 1 return c"),
            ("local c = 0", "local function f(...) c = ... end f(n) return c"),
            ("local c = 0", "local function f() c = c + 1 local c = 1 end f() return c"),
            ("local c = 0", "local t = { f = function() c = c + 1 end } t.f() return c"),
            ("local c = 0", "local c2 = c local function f() c2 = 1 c = 2 end f() return c"),
            ("local c = 0\nfunction add() c = c + 1 return c end", "return add()"),
            ("local c = 0\nlocal function add() c = c + 1 return c end", "return add()"),
            ("local c = 0\nlocal add = function() c = c + 1 return c end", "return add()"),
            ("local c = 0\nlocal function c() end\n", "c = 1 return 1"),
            ("c = 0", "c = c + 1 return c"),
            ("c = 0", "local function f() c = c + 1 end f() return c"),
            ("function c() return 1 end", "function c() return 2 end return c()"),
            ("local function c() return 1 end", "function c() return 2 end return c()"),
            ("", "function c() return 2 end return c()"),
            ("", "x = n return x"),
        ],
        &[
            ("", "local c = 0 local function f() local function g() c = c + 1 end g() end f() return c"),
            ("local c = 0", "local c = c c = c + 1 return c"),
            ("local c = 0", "local function f(c) c = c + 1 return c end return f(c)"),
            ("local c = 0", "local a, b = c, c a, b = b + 1, a return a"),
            ("local c = 0", "for c = 1, 2 do local d = c d = d + 1 end return c + 1"),
            ("local c = 0", "local t = { c = c } t.c = t.c + 1 return t.c"),
            ("local c = 1\nfunction get() return c end", "return get()"),
            ("", "local self = 0 self = self + 1 return self"),
        ],
    );
}

#[test]
fn no_table_outlives_a_call() {
    tried(
        &[
            ("local t = {}", "return 1"),
            ("t = {}", "return 1"),
            ("local t = { x = {} }", "return 1"),
            ("local t = frozen{ x = 0 }", "t.x = t.x + 1 return t.x"),
            ("local t = frozen{ x = 0 }", "local u = t u.x = u.x + 1 return u.x"),
            ("local t = frozen{ x = { 0 } }", "local u = t.x u[1] = 1 return u[1]"),
            ("local t = frozen{ x = { 0 } }", "table.insert(t.x, 1) return 1"),
            ("local t = frozen{ 2, 1 }", "table.sort(t) return t[1]"),
            ("local t = frozen{ 2, 1 }", "return table.remove(t)"),
            ("local t = frozen{ 2, 1 }", "function t.f() end return 1"),
            ("local t = frozen{ 2, 1 }", "function t:m() end return 1"),
            ("local t = frozen{ 2, 1 }", "local u = t function u.f() end return 1"),
            ("local function make() return {} end\nlocal t = make()", "return 1"),
            ("local t = (frozen){}", "return 1"),
            ("local f = frozen\nlocal t = f{}", "return 1"),
            ("local function frozen(t) return t end\nlocal t = frozen{}", "return 1"),
            ("function frozen(t) return t end\nlocal t = frozen{}", "return 1"),
            ("local t = select(1, {})", "return 1"),
            ("local t = n and {} or {}", "return 1"),
            ("local t = frozen({}) or {}", "local u = t u.x = 1 return 1"),
            ("local t = frozen{}, {}", "return 1"),
            ("local t, u = frozen{}, {}", "return 1"),
            ("", "string.x = 1 return 1"),
            ("", "local s = string s.x = 1 return 1"),
            ("", "local s = ('').len s.x = 1 return 1"),
            ("", "local s = 'x' s.y = 1 return 1"),
            ("", "local s = table s.insert = nil return 1"),
            ("", "function table.insert() end return 1"),
            ("", "math.floor = nil return 1"),
            ("", "local m = { math } m[1].floor = nil return 1"),
            ("", "local m = frozen(table) m.x = 1 return 1"),
        ],
        &[
            ("local t = frozen{ x = 0 }", "local u = { x = t.x } u.x = u.x + 1 return u.x"),
            ("local t = frozen{ 2, 1 }", "local u = { t[1], t[2] } table.sort(u) return u[1]"),
            ("", "local t = {} function t.f() return 1 end return t.f()"),
            ("", "local t = { x = 1 } function t:m() return self.x end return t:m()"),
            ("", "local t = { {} } t[1].x = 1 return t[1].x"),
            ("local t = frozen{ x = { 1 } }", "return t.x[1]"),
        ],
    );
}

#[test]
fn words_that_could_keep_something_are_not_there() {
    let names = [
        "_G",
        "_ENV",
        "shared",
        "getfenv",
        "setfenv",
        "setmetatable",
        "getmetatable",
        "rawset",
        "rawget",
        "rawlen",
        "rawequal",
        "next",
        "unpack",
        "require",
        "dofile",
        "load",
        "loadstring",
        "coroutine",
        "debug",
        "os",
        "io",
        "utf8",
        "bit32",
        "buffer",
        "vector",
        "newproxy",
        "typeof",
        "gcinfo",
        "collectgarbage",
        "pcall",
        "xpcall",
        "print",
        "warn",
        "package",
        "host",
        "backing",
        "frozen_library",
        "world",
        "__length",
        "__value",
        "__nothings",
        "__less",
    ];
    let attacks: Vec<(&str, String)> = names.iter().map(|name| ("", format!("local x = {name} return 1"))).collect();
    let more: Vec<(&str, String)> =
        names.iter().map(|name| ("", format!("local s = ('').{name} return s() or 1"))).collect();
    let all: Vec<(&str, &str)> = attacks.iter().chain(&more).map(|(before, body)| (*before, body.as_str())).collect();
    tried(&all, &[("", "local s = ('x'):len() return s"), ("", "local host, world = 1, 2 return host")]);
    for body in [
        "local f = table.freeze return 1",
        "local f = table.clone return 1",
        "local t = table return t.clone({})[1] or 1",
        "local t = table return t.freeze({}) and 1",
        "return math.random(1)",
        "local m = math return m.random(1)",
        "local m = math m.randomseed(1) return 1",
        "local s = string return s.dump(on)",
        "local s = string s.format('%p', s) return 1",
        "return ('x'):gsub('x', '1')",
        "local t = table return t.pack(1).n",
        "local s = select return s('#', 1).x",
    ] {
        tried(&[("", body)], &[]);
    }
}

#[cfg(feature = "luau")]
#[test]
fn what_only_luau_has_keeps_nothing_either() {
    tried(
        &[
            ("local c = 0", "c += 1 return c"),
            ("local c = ''", "c ..= 'x' return #c"),
            ("c = 0", "c += 1 return c"),
            ("local c = 0", "local function f(): number c += 1 return c end return f()"),
            ("local c: number = 0", "c = c + 1 return c"),
            ("local c = 0", "for i = 1, 3 do if i == 2 then continue end c += i end return c"),
            ("local c = 0", "local x = if n == 7 then (function() c = c + 1 return c end)() else 0 return x"),
            ("local c = 0", "local x = (function() c += 1 return c end)() :: number return x"),
            ("local c = 0", "local s = `{(function() c += 1 return c end)()}` return 1"),
            ("local t = `x`", "return 1"),
            ("local t = frozen{ x = 0 }", "t.x += 1 return t.x"),
            ("local t = frozen{ x = 0 }", "local u = t u.x += 1 return u.x"),
            ("local t = {} :: any", "return 1"),
            ("local t = if true then {} else {}", "return 1"),
            ("local c = 0", "local function f<T>(x: T): T c = 1 return x end return f(1)"),
            ("type T = typeof((function() return 1 end)())\nlocal c = 0", "c += 1 return c"),
            ("@native local function f() return 1 end", "return f()"),
            ("const c = 0", "c += 1 return c"),
        ],
        &[
            ("", "local c = 0 c += 1 return c"),
            ("", "local c = 0 for i = 1, 3 do if i ~= 2 then continue end c += 1 end return c"),
            ("local c: number = 1", "local x: number = if n == 7 then c else 0 return x"),
            ("", "local function f<T>(x: T): T return x end return f(1)"),
            ("", "local t = { x = 0 } t.x += 1 return (t.x :: number)"),
            ("type T = { x: number }", "local t: T = { x = 1 } return t.x"),
        ],
    );
}

#[cfg(feature = "lua54")]
#[test]
fn what_only_lua_has_keeps_nothing_either() {
    tried(
        &[
            ("local c = 0", "goto on_ c = 1 ::on_:: c = c + 1 return c"),
            ("local c = 0", "::again:: c = c + 1 if c < 3 then goto again end return c"),
            ("local c <const> = 0", "c = 1 return c"),
            ("local c = 0", "local x <close> = nil return 1"),
            ("", "local _ENV = {} x = 1 return x"),
            ("", "local function f(_ENV) x = 1 end f({}) return 1"),
            ("", "return n & 1"),
            ("", "return ~n"),
        ],
        &[
            ("", "local c = 0 ::again:: c = c + 1 if c < 1 then goto again end return c"),
            ("local c <const> = 1", "return c"),
        ],
    );
}
