//! Hostile scripts: each ends in a named error or a harmless value, and the guest works on or is known to be spoilt.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod common;

use common::{Tongue, account, called, numbers, script};
use houserule_kernel::script::Scalar;
use houserule_scripts::ScriptErrorKind::{self, Depth, Fuel, Memory, Runtime, Size, Syntax, Value};
use houserule_scripts::{FuelMeter, ScriptLimits};

/// What may come of a script.
enum Ends {
    /// With this error.
    With(ScriptErrorKind),
    /// With one of two errors: which count is met first depends on the flavour.
    Either(ScriptErrorKind, ScriptErrorKind),
    /// With this number.
    Gives(i32),
    /// Without a change.
    Nothing,
}
#[cfg(any(feature = "luau", feature = "lua54"))]
const LUAU: bool = cfg!(feature = "luau");
use Ends::{Either, Gives, Nothing, With};

fn try_all<T: Tongue>(cases: &[(&str, String, Ends)]) {
    let wrong: Vec<String> = cases.iter().filter_map(|(name, body, ends)| try_one::<T>(name, body, ends)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn try_one<T: Tongue>(name: &str, body: &str, ends: &Ends) -> Option<String> {
    let result = outcome::<T>(body);
    let shown = format!("{name}: {result:?}").chars().take(300).collect::<String>();
    let fits = match (&result, ends) {
        (Err(kind), With(wanted)) => kind == wanted,
        (Err(kind), Either(one, other)) => kind == one || kind == other,
        (Ok(Scalar::Number(number)), Gives(wanted)) => number == wanted,
        (Ok(Scalar::Nothing), Nothing) => true,
        _ => false,
    };
    (!fits).then_some(shown)
}

/// The value or error of the hook; afterwards the guest must work, or be spoilt and say so.
fn outcome<T: Tongue>(body: &str) -> Result<Scalar, ScriptErrorKind> {
    let (account, files) = (account(), [script::<T>(&T::file(body))]);
    T::survey(&files, &account).map_err(|wrong| wrong[0].kind)?;
    let guest = T::build(&files, &account).map_err(|wrong| wrong[0].kind)?;
    let result = called::<T>(&guest, &files, &account, 0).map(|out| out[0].clone()).map_err(|error| {
        assert!(error.file.starts_with("p/hooks/x."), "{error:?}");
        assert!(error.line > 0, "{error:?}");
        error.kind
    });
    assert_eq!(T::is_spoilt(&guest), result == Err(Memory));
    let again = if T::is_spoilt(&guest) { T::build(&files, &account).unwrap() } else { guest };
    account.refill();
    assert_eq!(T::call(&again, 1, &numbers(&[7, 2])).unwrap()[0], Scalar::Number(9));
    result
}

fn case(name: &'static str, body: impl Into<String>, ends: Ends) -> (&'static str, String, Ends) {
    (name, body.into(), ends)
}

#[cfg(any(feature = "luau", feature = "lua54"))]
#[test]
fn hostile_lua() {
    let many = |piece: &str, count: usize| piece.repeat(count);
    try_all::<common::Lua>(&[
        case("endless while", "while true do end", With(Fuel)),
        case("endless for", "for i = 1, 1e300 do end", With(Fuel)),
        case("endless repeat", "repeat until false", With(Fuel)),
        case("nested loops", "for i = 1, 1e9 do for j = 1, 1e9 do end end", With(Fuel)),
        case("recursion", "local function f() return 1 + f() end return f()", With(Depth)),
        case(
            "mutual recursion",
            "local g local function f() return 1 + g() end g = function() return 1 + f() end return f()",
            With(Depth),
        ),
        case("tail calls", "local function f() return f() end return f()", Either(Fuel, Depth)),
        case("pcall", "pcall(function() while true do end end)", With(Syntax)),
        case("xpcall", "xpcall(error, error)", With(Syntax)),
        case("coroutine", "coroutine.wrap(function() while true do end end)()", With(Syntax)),
        case("rep", "return ('x'):rep(1e9)", With(Size)),
        case("rep of nothing", "return #(''):rep(9007199254740992)", Gives(0)),
        case("rep of too much", "return ('x'):rep(1e300)", Either(Runtime, Size)),
        case("doubling", "local s = 'x' while true do s = s .. s end", With(Size)),
        case("concat churn", "local s = ('x'):rep(16000) while true do local t = s .. 'y' end", Either(Memory, Fuel)),
        case(
            "compare churn",
            "local s = ('x'):rep(16000) local t = s .. 'y' while true do local u = t < s end",
            Either(Memory, Fuel),
        ),
        case("big list", "local t = {} while true do t[#t + 1] = 1 end", Either(Memory, Fuel)),
        case("big nested list", "local t = {} while true do t = { t, t } end", Either(Memory, Fuel)),
        case("insert in front", "local t = {} for i = 1, 400000 do table.insert(t, 1, i) end", With(Fuel)),
        case("table.move", "table.move({}, 1, 1e15, 2)", With(Syntax)),
        case("table.create", "local t = table t.create(1e9)", With(Runtime)),
        case("unpack", "return table.unpack({1, 2})", With(Syntax)),
        case("unpack by another name", "local t = table return t.unpack({1, 2})", With(Runtime)),
        case("char by another name", "local s = string return s.char(65)", With(Runtime)),
        case("sine by another name", "local m = math return m.sin(1)", With(Runtime)),
        case("power by another name", "local p = math return p.pow(2, 2)", With(Runtime)),
        case(
            "evil sort",
            "local t = {} for i = 1, 1000 do t[i] = i end table.sort(t, function() while true do end end)",
            With(Fuel),
        ),
        case(
            "sort without order",
            "local t = {} for i = 1, 100 do t[i] = i end table.sort(t, function() return true end) return #t",
            Gives(100),
        ),
        case("sort by error", "table.sort({3, 2, 1}, function() error('no') end)", With(Runtime)),
        case("patterns", "return ('a'):rep(30000):find('.-.-.-.-b')", With(Size)),
        case("find", "return ('abc'):find('b')", With(Runtime)),
        case("gsub", "return ('abc'):gsub('.', error)", With(Runtime)),
        case("format", "return ('%p'):format({})", With(Runtime)),
        case("metatable", "setmetatable({}, { __gc = function() while true do end end })", With(Syntax)),
        case("getmetatable", "return getmetatable('').__index", With(Syntax)),
        case("poisoned strings", "string.upper = function() return 'X' end", With(Syntax)),
        case("poisoned strings by name", "local s = string; s.upper = nil", With(Runtime)),
        case("poisoned library by name", "local t = table; t.insert = nil", With(Runtime)),
        case("rawset", "rawset(string, 'upper', nil)", With(Syntax)),
        case("load", "return load('return 1')()", With(Syntax)),
        case("loadstring", "return loadstring('return 1')()", With(Syntax)),
        case("require", "require('x')", With(Syntax)),
        case("dofile", "dofile('/etc/passwd')", With(Syntax)),
        case("os", "os.exit()", With(Syntax)),
        case("io", "io.open('/etc/passwd')", With(Syntax)),
        case("debug", "debug.traceback()", With(Syntax)),
        case("gc", "collectgarbage()", With(Syntax)),
        case("getfenv", "getfenv(0)", With(Syntax)),
        case("newproxy", "newproxy(true)", With(Syntax)),
        case("random", "return math.random(6)", With(Syntax)),
        case("global table", "_G.x = 1", With(Syntax)),
        case("new global", "x = 1", With(Syntax)),
        case("unknown name", "return attack_bonus", With(Syntax)),
        case("on in a hook", "on('e', { name = 'z' }, function() end)", With(Runtime)),
        case("error with a table", "error({})", With(Runtime)),
        case("error with nothing", "error()", With(Runtime)),
        case("huge error", "local s = ('x'):rep(16000) error(s)", With(Runtime)),
        case("fraction", "return a / b", With(Value)),
        case("no number", "return 0 / 0", With(Value)),
        case("infinity", "return 1 / 0", With(Value)),
        case("beyond 32 bits", "return 2147483648", With(Value)),
        case("largest", "return 2147483647", Gives(i32::MAX)),
        case("smallest", "return -2147483648", Gives(i32::MIN)),
        case("overflow", "return 9223372036854775807 + 1", With(Value)),
        case("huge", "return 1e300", With(Value)),
        case("table out", "return {}", With(Value)),
        case("function out", "return function() end", With(Value)),
        case("two values", "return 1, 2", With(Value)),
        case("long name", "return ('x'):rep(200)", With(Value)),
        case("invalid text", "return '\\xff'", With(Value)),
        case("nothing", "", Nothing),
        case("clamp upside down", "return math.clamp(1, 3, 2)", With(Runtime)),
        case("division by zero", "return math.div_floor(a, 0)", With(Runtime)),
        case("pairs of tables", "for k in pairs({ [{}] = 1 }) do end", With(Syntax)),
        case("pairs of nothing", "for k in pairs(nil) do end", With(Runtime)),
        case("unordered loop", "for k, v in { a = 1 } do end", With(Syntax)),
        case("frozen", "local t = frozen{1} t[1] = 2", With(Runtime)),
        case("frozen insert", "local t = frozen{1} table.insert(t, 2)", With(Runtime)),
        case("frozen circle", "local t = {} t.t = t frozen(t)", if LUAU { Nothing } else { With(Depth) }),
        case(
            "varargs churn",
            "local function f(...) return f(1, ...) end f()",
            if LUAU { With(Depth) } else { Either(Memory, Fuel) },
        ),
        case("closure churn", "while true do local f = function() return a end end", With(Fuel)),
        case("table churn", "while true do local t = { a, b, { a } } end", With(Fuel)),
        case("string churn", "local i = 0 while true do i = i + 1 local s = 'x' .. i end", With(Fuel)),
        case("contains churn", "local s = ('x'):rep(16000) while true do s:contains('xy') end", With(Fuel)),
        case("upper churn", "local s = ('x'):rep(16000) while true do s:upper() end", Either(Fuel, Memory)),
        case("deep parens", format!("return {}1{}", many("(", 8_000), many(")", 8_000)), With(Syntax)),
        case("deeper parens", format!("return {}1{}", many("(", 100_000), many(")", 100_000)), With(Syntax)),
        case("parens that pass", format!("return {}1{}", many("(", 48), many(")", 48)), Gives(1)),
        case("tables that pass", format!("return #{}{}", many("{", 24), many("}", 24)), Gives(1)),
        case("blocks that pass", format!("{}{}", many("if a then ", 12), many(" end", 12)), Nothing),
        case("deep blocks", format!("{}{}", many("if a then ", 48), many(" end", 48)), With(Syntax)),
        case("deep tables", format!("return {}{}", many("{", 8_000), many("}", 8_000)), With(Syntax)),
        case("deep unary", format!("return {}1", many("- ", 8_000)), With(Syntax)),
        case("index in index", format!("local t = {{}} return {}1{}", many("t[", 40), many("]", 40)), With(Syntax)),
        case("index in index that passes", "local t = {1} return t[t[t[t[t[1]]]]]", Gives(1)),
        // What a lint that only forbids would let through.
        case("memory by a hidden line", "-- x\rcount = (count or 0) + 1\nreturn a", With(Syntax)),
        case("function that assigns its own name", "function bad() end", With(Syntax)),
        case("method of a library", "function string.upper() end", With(Syntax)),
        case("loop over a call", "local function same(t) return t end for k in same({ 1 }) do end", With(Syntax)),
        case("loop over a shadow", "local pairs = function(t) return t end for k in pairs({ 1 }) do end", With(Syntax)),
        case("loop over parentheses", "for k in (pairs)({ 1 }) do end", With(Syntax)),
        case("loop over two", "for k in pairs({ 1 }), 1 do end", With(Syntax)),
        case("ordered loop", "local n = 0 for k in pairs({ 1, x = 2 }) do n = n + 1 end return n", Gives(2)),
        case("power", "return 2 ^ 2", With(Syntax)),
        case("product", "return 2 * 2", Gives(4)),
        case("environment", "local _ENV = {} return 1", With(Syntax)),
        case("environment by name", "return _ENV", With(Syntax)),
        case("assignment through a call", "local function f() return {} end (f()).x = 1", With(Syntax)),
        case("table as a key", "local t = {} t[{}] = 1", With(Syntax)),
        case("tables as keys by name", "local t, k = {}, {} t[k] = 1 for x in pairs(t) do end", With(Runtime)),
        case("error with a function", "error(function() end)", With(Runtime)),
        case("error that is no stop", "error('stack of cards', 0)", With(Runtime)),
        case("big words", format!("while true do {} end", many("local x = a ", 180)), With(Fuel)),
        case("big growth", "local s = ('x'):rep(16000) while true do local t = s .. a end", With(Fuel)),
        case("varargs", "local function f(...) return select('#', ...) end while true do f(a, a, a) end", With(Fuel)),
        case("long sum", format!("return 1{}", many("+1", 100_000)), Either(Syntax, Size)),
        case("long sum of names", format!("return a{}", many("+a", 16_000)), With(Syntax)),
        case("deep blocks", format!("{}{}", many("do ", 30_000), many(" end", 30_000)), With(Syntax)),
        case("deep functions", format!("{}{}", many("local function f() ", 8_000), many(" end", 8_000)), With(Syntax)),
        case("elseif chain", format!("if a then {} end", many(" elseif a then ", 15_000)), With(Syntax)),
        case("text between backticks", "local x = `a{1}`", With(Syntax)),
        case("backtick that passes", "local x = '`' -- `", Nothing),
        case("elseif chain that passes", format!("if a then {} end", many(" elseif a then ", 40)), Nothing),
        case("long path", format!("local t = {{}} return t{}", many(".a", 16_000)), Either(Runtime, Syntax)),
        case("calls of calls", format!("local function f() end f{}", many("()", 16_000)), Either(Runtime, Syntax)),
        case("huge file", many("local x = 1 ", 30_000), With(Size)),
        case("bytecode", "\u{1b}Lua", With(Syntax)),
        case("shebang", "#!x", With(Syntax)),
    ]);
}

#[cfg(feature = "rhai")]
#[test]
fn hostile_rhai() {
    let many = |piece: &str, count: usize| piece.repeat(count);
    try_all::<common::Rhai>(&[
        case("endless loop", "loop {}", With(Fuel)),
        case("endless while", "while true {}", With(Fuel)),
        case("endless for", "for i in 0..1000000000 {}", With(Fuel)),
        case("endless do", "do {} while true", With(Fuel)),
        case("recursion by pointer", "let f = |f| f.call(f); f.call(f)", With(Depth)),
        case("try", "try { loop {} } catch { 1 }", With(Syntax)),
        case("throw", "throw 1", With(Syntax)),
        case("eval", "eval(\"1\")", With(Syntax)),
        case("import", "import \"x\" as y;", With(Syntax)),
        case("print", "print(1)", With(Syntax)),
        case("debug", "debug(1)", With(Syntax)),
        case("sleep", "sleep(5)", With(Runtime)),
        case("timestamp", "timestamp()", With(Runtime)),
        case("exit", "exit(1)", With(Runtime)),
        case("map in a loop", "let l = [1, 2, 3]; loop { l.map(|x| x + 1); }", With(Fuel)),
        case("loop in map", "[1, 2].map(|x| { loop {} })", With(Fuel)),
        case("loop in filter", "[1, 2].filter(|x| { loop {} })", With(Fuel)),
        case("loop in reduce", "[1, 2].reduce(|s, x| { loop {} })", With(Fuel)),
        case("loop in sort", "let l = [3, 2, 1]; l.sort(|a, b| { loop {} }); 1", With(Fuel)),
        case("loop in sort_by", "let l = [3, 2, 1]; l.sort_by(|a, b| { loop {} }); 1", With(Fuel)),
        case("dedup by a function", "let l = [3, 2, 1]; l.dedup(|a, b| { loop {} }); 1", With(Runtime)),
        case("loop in for_each", "let l = [3, 2, 1]; l.for_each(|x| { loop {} }); 1", With(Fuel)),
        case("loop in some", "[3].some(|x| { loop {} }); 1", With(Fuel)),
        case("loop in retain", "let l = [3, 2, 1]; l.retain(|x| { loop {} }); 1", With(Fuel)),
        case("loop in drain", "let l = [3, 2, 1]; l.drain(|x| { loop {} }); 1", With(Fuel)),
        case("loop in index_of", "[3].index_of(|x| { loop {} }); 1", With(Fuel)),
        case("loop in map filter", "let m = #{a: 1}; m.filter(|k, v| { loop {} }); 1", Either(Fuel, Runtime)),
        case("deep in sort", "let f = |f| f.call(f); let l = [2, 1]; l.sort(|a, b| f.call(f)); 1", With(Depth)),
        case("error in sort", "let l = [2, 1]; l.sort(|a, b| error(\"no\")); 1", With(Runtime)),
        case("sort by name", "let l = [2, 1]; l.sort(\"f\"); 1", With(Runtime)),
        case("sort without order", "let l = []; for i in 0..100 { l.push(i); } l.sort(|a, b| -1); l.len", Gives(100)),
        case("doubling", "let s = \"x\"; loop { s += s; }", With(Size)),
        case("pad", "let s = \"x\"; s.pad(1000000000, \"y\"); s.len", With(Size)),
        case("list pad", "let l = []; l.pad(1000000000, 1); l.len", With(Size)),
        case("big list", "let l = []; loop { l.push(1); }", Either(Size, Fuel)),
        case("list sums", "let l = [1]; loop { l += l; }", With(Size)),
        case("nested lists", "let l = [1]; loop { l = [l, l]; }", Either(Size, Fuel)),
        case("big map", "let m = #{}; let i = 0; loop { i += 1; m[\"k\" + i] = i; }", Either(Size, Fuel)),
        case("contains churn", "let l = []; for i in 0..1000 { l.push(i); } loop { l.contains(-1); }", With(Fuel)),
        case("string churn", "let s = \"x\"; s.pad(8000, \"x\"); loop { s.contains(\"xy\"); }", With(Fuel)),
        case("concat churn", "let s = \"x\"; s.pad(8000, \"x\"); loop { let t = s + \"y\"; }", With(Fuel)),
        case("chain of closures", "let f = || 1; for i in 0..20000 { let g = f; f = || g.call(); } 1", With(Runtime)),
        case(
            "chain by constants",
            "let f = || 1; for i in 0..20000 { const g = f; f = || g.call(); } 1",
            With(Runtime),
        ),
        case("chain in maps", "let m = #{}; for i in 0..20000 { let n = m; m = #{ f: || n.len() }; } 1", With(Runtime)),
        case("circle of closures", "let n = 1; let f = || n; f = || f.call(); 1", With(Runtime)),
        case("circle by a cell", "let x = 1; let f = || x; x = f; f.call(); 1", Gives(1)),
        case("circle by two cells", "let x = 1; let f = || x; x = f; let g = || x; 1", With(Runtime)),
        case("curry", "let f = |x| x; f.curry(1)", With(Syntax)),
        case("function by name", "Fn(\"len\")", With(Syntax)),
        case("list in a closure", "let l = [1]; [1].map(|x| l.len()); 1", With(Runtime)),
        case("change in a closure", "let n = 0; [1].for_each(|x| { n += x; }); n", With(Syntax)),
        case("nested change", "let n = 0; [1].map(|x| [x].map(|y| { n = y; })); n", With(Syntax)),
        case("number in a closure", "let n = 3; [1, 2].map(|x| x + n)[1]", Gives(5)),
        case(
            "closure in a closure",
            "let n = 1; let f = |x| { let g = |y| y + n + x; g.call(1) }; f.call(1)",
            Gives(3),
        ),
        case("function in a closure", "let d = |x| x * 2; [1, 2].map(|x| d.call(x))[1]", Gives(4)),
        case("copy in a closure", "let n = 1; let f = |x| x + n; n = 5; f.call(1) + n", Gives(7)),
        case("closure that leaves", "let mk = |n| || n; mk.call(4).call()", Gives(4)),
        case("map of functions", "let n = 2; let m = #{ f: |x| x + n }; m.f(1)", Gives(3)),
        case("wrong number of values", "let f = |x| x; f.call(1, 2)", With(Runtime)),
        case("constant in a hook", "const X = 1; global::X", With(Runtime)),
        case("deep by index", "let l = [0]; loop { let c = l; l[0] = c; }", With(Size)),
        case("wide by index", "let l = [0, 0, 0, 0]; loop { for i in 0..4 { let c = l; l[i] = c; } }", With(Size)),
        case("copies of a list", "let l = []; l.pad(900, []); loop { let c = l; }", With(Fuel)),
        case("copies of a map", "let m = #{}; for i in 0..99 { m[\"k\" + i] = i; } loop { let c = m; }", With(Fuel)),
        case("equal lists", "let l = []; l.pad(900, []); let m = l; loop { if l == m {} }", With(Fuel)),
        case("equal texts", "let s = \"x\"; s.pad(8000, \"x\"); let t = s + \"\"; loop { if s == t {} }", With(Fuel)),
        case("replace", "let s = \"a\"; s.pad(8000, \"a\"); let t = s + \"\"; s.replace(\"a\", t); 1", With(Size)),
        case("split", "let s = \"a\"; s.pad(900, \"a\"); loop { s.split(\"\"); }", With(Fuel)),
        case("sorts", "let l = []; for i in 0..500 { l.push(-i); } loop { l.sort(); l.reverse(); }", With(Fuel)),
        case("text of a list", "let l = []; l.pad(900, 1); loop { `${l}`; }", With(Fuel)),
        case("many values", format!("max({}1)", many("1, ", 20)), With(Syntax)),
        case("big literal", format!("[{}1].len", many("1, ", 40)), With(Syntax)),
        case("literal that passes", format!("[{}1].len", many("1, ", 31)), Gives(32)),
        case("nested literal", format!("[{}1].len", many("#{a: 1}, ", 9)), With(Syntax)),
        case("long text in a sum", format!("(\"{}\" + a).len", many("x", 65)), With(Syntax)),
        case("many ranges", format!("switch a {{ {} }}", many("1..2 => 1, ", 65)), With(Syntax)),
        case("unknown property", "let x = #{a: 1}; x.no_such_prop + 1", With(Runtime)),
        case("unknown name", "attack_bonus", With(Syntax)),
        case("this", "[1].map(|| this)", With(Syntax)),
        case("unknown function", "attack(1)", With(Runtime)),
        case("on in a hook", "on(\"e\", #{name: \"z\"}, || 1)", With(Runtime)),
        case("error", "error(\"boom\")", With(Runtime)),
        case("assert", "assert(a == b, \"boom\")", With(Runtime)),
        case("float", "1.5", With(Syntax)),
        case("float out of nothing", "7.to_float()", With(Runtime)),
        case("beyond 32 bits", "2147483648", With(Value)),
        case("largest", "2147483647", Gives(i32::MAX)),
        case("smallest", "-2147483648", Gives(i32::MIN)),
        case("overflow", "9223372036854775807 + 1", With(Runtime)),
        case("negation", "-(-9223372036854775807 - 1)", With(Runtime)),
        case("smallest by minus one", "(-9223372036854775807 - 1) / -1", With(Runtime)),
        case("division by zero", "a / 0", With(Runtime)),
        case("remainder by zero", "a % 0", With(Runtime)),
        case("shift", "1 << 64", With(Syntax)),
        case("power", "2 ** 64", With(Runtime)),
        case("map out", "#{}", With(Value)),
        case("function out", "|| 1", With(Value)),
        case("two values", "[1, 2]", With(Value)),
        case("long name", "let s = \"\"; s.pad(200, \"x\"); s", With(Value)),
        case("nothing", "", Nothing),
        case("unknown global", "global::X", With(Runtime)),
        case("deep parens", format!("{}1{}", many("(", 10_000), many(")", 10_000)), With(Syntax)),
        case("deep lists", format!("{}{}", many("[", 10_000), many("]", 10_000)), With(Syntax)),
        case("deep unary", format!("{}1", many("-", 10_000)), With(Syntax)),
        case("long sum", format!("1{}", many("+1", 10_000)), With(Syntax)),
        case("deep blocks", format!("{}{}", many("{", 10_000), many("}", 10_000)), With(Syntax)),
        case("deep closures", format!("{}1", many("|| ", 10_000)), With(Syntax)),
        case("else chain", format!("if a == 1 {{}} {}", many("else if a == 2 {} ", 10_000)), With(Syntax)),
        case("long path", format!("a{}", many(".a", 10_000)), With(Syntax)),
        case("huge file", many("let x = 1; ", 30_000), With(Size)),
        case("many variables", (0..1_000).map(|i| format!("let x{i} = 1; ")).collect::<String>(), With(Size)),
    ]);
}

/// One number, whatever ran before and on which guest.
fn fuel_of<T: Tongue>(body: &str) -> u64 {
    let (account, files) = (account(), [script::<T>(&T::file(body))]);
    let guest = T::build(&files, &account).unwrap();
    let mut counts: Vec<u64> = Vec::new();
    for _ in 0..5 {
        account.refill();
        T::call(&guest, 0, &numbers(&[7, 2])).unwrap();
        counts.push(account.used());
        account.refill();
        T::call(&guest, 1, &numbers(&[1, 2])).unwrap();
    }
    counts.dedup();
    assert_eq!(counts.len(), 1, "{counts:?}");
    counts[0]
}

#[cfg(any(feature = "luau", feature = "lua54"))]
#[test]
fn fuel_is_the_same_for_the_same_deeds_in_lua() {
    let body = "local t = {} for _, k in ipairs{'d','b','a','c'} do t[k] = #t end \
                local n = 0 for k, v in pairs(t) do for i = 1, 100 do n = n + i end end \
                table.sort(t, function(x, y) return x < y end) return n % 100";
    assert_eq!(fuel_of::<common::Lua>(body), fuel_of::<common::Lua>(body));
    assert!(fuel_of::<common::Lua>(body) > 0);
}

#[cfg(feature = "rhai")]
#[test]
fn fuel_is_the_same_for_the_same_deeds_in_rhai() {
    let body = "let n = 0; for k in [3, 1, 2].map(|x| x * 2) { n += k; } let l = [3, 1, 2]; l.sort(|a, b| a - b); n";
    assert_eq!(fuel_of::<common::Rhai>(body), fuel_of::<common::Rhai>(body));
}

/// What may nest fits into the stack that a thread has by default, also in a debug build.
#[cfg(feature = "rhai")]
#[test]
fn what_nests_fits_into_two_mebibytes_in_rhai() {
    let nested = [
        "let f = |f, n| `${[n].map(|x| [x].filter(|y| f.call(f, y + 1)))}`; f.call(f, 0)",
        "let f = |f, n| { let l = [1, 2]; l.sort(|a, b| f.call(f, n + 1)); 1 }; f.call(f, 0)",
        "let f = |f, n| { if n > 0 { if n > 0 { for i in 0..2 { while true { return [f.call(f, n + 1)]; } } } } 1 }; f.call(f, 1)",
    ];
    for body in nested {
        let run = move || outcome::<common::Rhai>(body);
        let ended = std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
        assert_eq!(ended, Err(Depth), "{body}");
    }
    let deep = "let l = []; for i in 0..14 { let c = l; l = [c]; } let m = l; `${m}`; m == l; 1";
    let run = || outcome::<common::Rhai>(deep);
    let ended = std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
    assert_eq!(ended, Ok(Scalar::Number(1)));
}

/// A word of the engine that is none of ours is refused with a way out, and nothing shows a hash or an address.
#[cfg(feature = "rhai")]
#[test]
fn refusals_name_a_way_out_and_no_hash() {
    let told = |body: &str| common::run::<common::Rhai>(body).unwrap_err().message;
    assert_eq!(told("throw 1"), "scripts cannot `throw`; use `error(\"why\")`");
    assert!(told("import \"x\" as y;").contains("under `lib/`"));
    assert!(told("let l = [1]; [1].map(|x| l.len())").contains("`l` is a list; read what is needed"));
    assert!(told("let n = 0; [1].map(|x| { n = x; })").contains("keeps a copy of `n`"));
    assert_eq!(told("let f = |x| x; error(`${f} ${[f]} ` + f)"), "function [function] function");
    for body in
        ["let f = |x| x; f.call(1, 2)", "(|x| x) + 1", "let f = |x| x; f.foo", "-(|x| x)", "[1].map(|x, y, z| x)"]
    {
        let message = told(body);
        assert!(!message.contains('$') && !message.contains("::"), "{message}");
    }
}

/// The default limits bite without anybody asking for them.
#[test]
fn limits_are_on_by_default() {
    let account = FuelMeter::open(ScriptLimits::default());
    assert!(
        account.limits().fuel == u64::from(houserule_kernel::budget::Budget::default().fuel)
            && account.limits().memory < 64 << 20
    );
}

/// Files that would keep something from one call to the next, each with a control that keeps nothing.
#[cfg(any(feature = "luau", feature = "lua54"))]
#[test]
fn a_lua_file_cannot_keep_anything() {
    let hook =
        |body: &str| format!("on('e', {{ name = 'a', reads = {{'n'}}, writes = {{'r'}} }}, function(n) {body} end)");
    let wrong = [
        ("local self = 0\n", "self = self + 1 return self"),
        ("local count = 0\n", "function count() end return 1"),
        ("local count = 0\n", "count = 1 return 1"),
        ("local count = frozen{0}\n", "count[1] = 1 return 1"),
        (
            "local frozen = function(t) return t end\nlocal count = frozen{0}\n",
            "local c = count c[1] = c[1] + 1 return c[1]",
        ),
        ("local function frozen(t) return t end\nlocal count = frozen{0}\n", "local c = count c[1] = 1 return 1"),
        ("local function pairs(t) return t end\n", "for k in pairs({ 1 }) do end return 1"),
        ("local on = 1\n", "return 1"),
        ("local count\nfunction count() end\n", "return 1"),
        ("local count = 1\ncount = 2\n", "return 1"),
        ("local t = {}\n", "local c = t c.x = 1 return 1"),
        ("local t = frozen{ x = 1 }\n", "function t.f() end return 1"),
        ("local t = frozen{ x = 1 }\n", "function t:m() end return 1"),
        ("local n = 0\nfor i = 1, 2 do n = i end\n", "return n"),
        ("do local n = 0 end\n", "return 1"),
        ("local function get() local t = {} return t end\nlocal t = get()\n", "t.x = 1 return 1"),
        ("function helper() helper = nil end\n", "helper() return 1"),
    ];
    for (before, body) in wrong {
        let text = format!("{before}{}", hook(body));
        assert!(common::Lua::survey(&[script::<common::Lua>(&text)], &account()).is_err(), "{text}");
    }
    let right = [
        ("", "local self = 0 self = self + 1 return self"),
        ("", "local count function count() return 1 end return count()"),
        ("", "local t = {} function t.f() return 1 end function t:m() return self.f() end return t:m()"),
        ("local t = frozen{ x = 1 }\n", "local frozen, pairs = 1, 2 return t.x"),
        ("function helper(n) n = n + 1 return n end\n", "return helper(0)"),
        ("local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end\n", "return fib(2)"),
        ("", "local n = 0 local function add() n = n + 1 end add() return n"),
        ("", "local n = 0 repeat local last = n n = n + 1 until last == 0 return n"),
    ];
    for (before, body) in right {
        assert_eq!(twice(&format!("{before}{}", hook(body))), Scalar::Number(1), "{body}");
    }
    for (before, body) in [
        ("local t = frozen{ x = frozen{ 1 } }\n", "local c = t.x c[1] = 2 return 1"),
        ("local t = frozen{ x = { 1 } }\n", "local c = t.x table.insert(c, 2) return 1"),
        ("local s = string\n", "local c = s c.upper = nil return 1"),
    ] {
        let files = [script::<common::Lua>(&format!("{before}{}", hook(body)))];
        common::Lua::survey(&files, &account()).unwrap();
        let guest = common::Lua::build(&files, &account()).unwrap();
        assert_eq!(common::Lua::call(&guest, 0, &numbers(&[7])).unwrap_err().kind, Runtime, "{body}");
    }
}

/// What a hook gives, which must be the same twice in one guest, and in a fresh guest on another thread.
#[cfg(any(feature = "luau", feature = "lua54"))]
fn twice(text: &str) -> Scalar {
    let text = text.to_owned();
    let play = move |times: usize| {
        let (account, files) = (account(), [script::<common::Lua>(&text)]);
        common::Lua::survey(&files, &account).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
        let guest = common::Lua::build(&files, &account).unwrap();
        let call = |_| {
            account.refill();
            let given = common::Lua::call(&guest, 0, &numbers(&[7])).unwrap().remove(0);
            (given, account.used())
        };
        (0..times).map(call).collect::<Vec<_>>()
    };
    let mut all = play(3);
    all.extend(std::thread::spawn(move || play(1)).join().unwrap());
    all.dedup();
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0).0
}

/// One entity is one value: equal, good as a key, and in one order; two entities are two.
#[cfg(any(feature = "luau", feature = "lua54"))]
#[test]
fn entities_are_keys_in_lua() {
    let text = "on('e', { name = 'a', reads = {'n'}, writes = {'r'} }, function(a, b)
        local t = {} t[b] = 2 t[a] = 1 t.x = 3 t[1] = 4
        local told = '' for key, value in pairs(t) do told = told .. tostring(value) end
        return (t[a] == 1 and t[b] == 2 and a ~= b) and told or 'lost' end)";
    let (account, files) = (account(), [script::<common::Lua>(text)]);
    common::Lua::survey(&files, &account).unwrap();
    let guest = common::Lua::build(&files, &account).unwrap();
    let given = common::Lua::call(&guest, 0, &[Scalar::Entity(3), Scalar::Entity(900)]).unwrap();
    assert_eq!(given[0], Scalar::Name("4312".into()));
}

/// Memory that ends inside a host function is the end of memory, not an error of the script.
#[cfg(any(feature = "luau", feature = "lua54"))]
#[test]
fn memory_that_ends_in_a_host_function_is_a_stop() {
    let body = "local t = {} while true do for i = 1, 200 do t[#t + 1] = ('x'):rep(16000) .. tostring(#t) end end";
    let account = FuelMeter::open(ScriptLimits { fuel: 1 << 40, ..ScriptLimits::default() });
    let files = [script::<common::Lua>(&common::Lua::file(body))];
    common::Lua::survey(&files, &account).unwrap();
    let guest = common::Lua::build(&files, &account).unwrap();
    assert_eq!(common::Lua::call(&guest, 0, &numbers(&[7, 2])).unwrap_err().kind, Memory);
    assert_eq!(account.stopped(), Some(houserule_scripts::ScriptStop::Memory));
    assert!(guest.is_spoilt());
}
