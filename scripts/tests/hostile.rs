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
use houserule_scripts::{Account, Limits};

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
        case("rep of nothing", "return #(''):rep(2^53)", Gives(0)),
        case("rep of too much", "return ('x'):rep(1e300)", Either(Runtime, Size)),
        case("doubling", "local s = 'x' while true do s = s .. s end", With(Memory)),
        case(
            "concat churn",
            "local s = ('x'):rep(16000) for i = 1, 5 do s = s .. s end while true do local t = s .. 'y' end",
            With(Memory),
        ),
        case(
            "compare churn",
            "local s = ('x'):rep(16000) for i = 1, 5 do s = s .. s end local t = s .. 'y' while true do local u = t < s end",
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
        case("huge error", "local s = ('x'):rep(16000) error(s .. s .. s .. s)", With(Runtime)),
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
        case("pairs of tables", "for k in pairs({ [{}] = 1 }) do end", With(Runtime)),
        case("pairs of nothing", "for k in pairs(nil) do end", With(Runtime)),
        case("unordered loop", "for k, v in { a = 1 } do end", if LUAU { With(Syntax) } else { With(Runtime) }),
        case("frozen", "local t = frozen{1} t[1] = 2", With(Runtime)),
        case("frozen insert", "local t = frozen{1} table.insert(t, 2)", With(Runtime)),
        case("frozen circle", "local t = {} t.t = t frozen(t)", if LUAU { Nothing } else { With(Depth) }),
        case(
            "varargs churn",
            "local function f(...) return f(1, ...) end f()",
            if LUAU { With(Depth) } else { With(Memory) },
        ),
        case("closure churn", "while true do local f = function() return a end end", With(Fuel)),
        case("table churn", "while true do local t = { a, b, { a } } end", With(Fuel)),
        case("string churn", "local i = 0 while true do i = i + 1 local s = 'x' .. i end", With(Fuel)),
        case("contains churn", "local s = ('x'):rep(16000) while true do s:contains('xy') end", With(Fuel)),
        case("upper churn", "local s = ('x'):rep(16000) while true do s:upper() end", Either(Fuel, Memory)),
        case("deep parens", format!("return {}1{}", many("(", 8_000), many(")", 8_000)), With(Syntax)),
        case("deeper parens", format!("return {}1{}", many("(", 100_000), many(")", 100_000)), With(Size)),
        case("parens that pass", format!("return {}1{}", many("(", 150), many(")", 150)), Gives(1)),
        case("tables that pass", format!("return #{}{}", many("{", 150), many("}", 150)), Gives(1)),
        case("blocks that pass", format!("{}{}", many("if a then ", 150), many(" end", 150)), Nothing),
        case("deep tables", format!("return {}{}", many("{", 8_000), many("}", 8_000)), With(Syntax)),
        case("deep unary", format!("return {}1", many("- ", 8_000)), With(Syntax)),
        case("long sum", format!("return 1{}", many("+1", 100_000)), Either(Syntax, Size)),
        case(
            "long sum of names",
            format!("return a{}", many("+a", 16_000)),
            if LUAU { With(Syntax) } else { Gives(7 * 16_001) },
        ),
        case("deep blocks", format!("{}{}", many("do ", 30_000), many(" end", 30_000)), With(Syntax)),
        case("deep functions", format!("{}{}", many("local function f() ", 8_000), many(" end", 8_000)), With(Syntax)),
        case(
            "elseif chain",
            format!("if a then {} end", many(" elseif a then ", 15_000)),
            if LUAU { With(Syntax) } else { Nothing },
        ),
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
        case("loop in dedup", "let l = [3, 2, 1]; l.dedup(|a, b| { loop {} }); 1", With(Fuel)),
        case("loop in for_each", "let l = [3, 2, 1]; l.for_each(|| { loop {} }); 1", With(Fuel)),
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
        case("unknown property", "let x = #{a: 1}; x.no_such_prop + 1", With(Runtime)),
        case("unknown name", "attack_bonus", With(Syntax)),
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

/// The default limits bite without anybody asking for them.
#[test]
fn limits_are_on_by_default() {
    let account = Account::open(Limits::default());
    assert!(account.limits().fuel < 1_000_000 && account.limits().memory < 64 << 20);
}
