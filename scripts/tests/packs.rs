//! What a pack's author meets: declarations, errors with places, no memory, wrappers, and the same answers in both languages.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod common;

use common::{Tongue, account, filters, run, script};
#[cfg(any(feature = "luau", feature = "lua54"))]
use houserule_scripts::Limits;
use houserule_scripts::{Account, Deed, Door, Scalar, Scalars, Script, ScriptError, ScriptErrorKind, Stop};
use std::cell::RefCell;
use std::rc::Rc;

fn numbers(values: &[i32]) -> Scalars {
    values.iter().map(|number| Scalar::Number(*number)).collect()
}

fn refused<T: Tongue>(text: &str) -> Vec<String> {
    T::survey(&[script::<T>(text)], &account()).unwrap_err().iter().map(ToString::to_string).collect()
}

/// A host that gives 10 for whatever is wrapped and remembers what it was asked, or does as told.
struct Ten {
    asked: RefCell<Vec<Scalars>>,
    answer: fn() -> Result<Scalars, Stop>,
}

impl Ten {
    fn new(answer: fn() -> Result<Scalars, Stop>) -> Rc<Ten> {
        Rc::new(Ten { asked: RefCell::default(), answer })
    }
}

impl Door for Ten {
    fn inner(&self, arguments: &[Scalar]) -> Result<Scalars, Stop> {
        self.asked.borrow_mut().push(arguments.iter().cloned().collect());
        (self.answer)()
    }
}

#[cfg(any(feature = "luau", feature = "lua54"))]
mod lua {
    use super::*;
    use common::Lua;
    use houserule_scripts::{LuaGuest, lua::survey};

    #[test]
    fn a_file_declares_its_hooks_with_all_options() {
        let text = "local LIMIT = 3 * 2\nlocal TABLE = frozen{ low = 1, deep = { 2, 3 } }\n\
                    local function half(x) return math.div_floor(x, 2) end\n\
                    on('pool.emptied', { name = 'dying.begin', pool = 'hp', when = 'target has x', priority = -2,\n\
                      reads = {'total'}, writes = {'degree'}, before = {'b'}, after = {'c'}, because = 'x',\n\
                      on_error = 'skip' }, function(total) return half(total) + LIMIT + TABLE.deep[2] end)\n\
                    wrap('other', function(inner, total) return inner(total) + 1 end)\n\
                    wrap('third', { priority = 3 }, function(inner) return inner() end)\n\
                    mute('fourth', { because = 'house rule' })";
        let declared = survey(&[script::<Lua>(text)], &filters, &account()).unwrap();
        assert_eq!(
            declared.iter().map(|one| one.deed).collect::<Vec<_>>(),
            [Deed::On, Deed::Wrap, Deed::Wrap, Deed::Mute]
        );
        let first = &declared[0];
        assert_eq!((first.event.as_str(), first.name.as_str(), first.priority), ("pool.emptied", "dying.begin", -2));
        assert_eq!(first.filter.get("pool").map(String::as_str), Some("hp"));
        assert_eq!((first.file.as_str(), first.line), ("p/hooks/x.lua", 4));
        assert!(first.on_error_skip && first.reads == Some(vec!["total".into()]));
        let account = account();
        let guest = LuaGuest::build(&[script::<Lua>(text)], &filters, &account).unwrap();
        assert_eq!(guest.declarations(), declared.as_slice());
        assert_eq!(guest.call(0, &numbers(&[9]), None).unwrap(), numbers(&[13]));
    }

    #[test]
    fn all_errors_of_a_file_come_at_once_with_their_columns() {
        let text = "local seen = {}\nlocal count = 0\non('e', { name = 'x', reads = {'a'} }, function(a)\n  \
                    count = count + 1\n  seen[a] = true\n  for k in seen do end\n  return fooor(a)\nend)\nwhile true do end\n";
        let wrong = refused::<Lua>(text);
        let places: Vec<&str> = wrong.iter().map(|one| one.split(": ").next().unwrap()).collect();
        let loops = if cfg!(feature = "luau") { vec!["p/hooks/x.lua:6:9"] } else { vec![] };
        let mut wanted = vec!["p/hooks/x.lua:1:14", "p/hooks/x.lua:4:3", "p/hooks/x.lua:5:3"];
        wanted.extend(loops);
        wanted.extend(["p/hooks/x.lua:7:10", "p/hooks/x.lua:9:1"]);
        assert_eq!(places, wanted, "{wrong:#?}");
        assert!(wrong[0].contains("write `frozen{…}`"), "{}", wrong[0]);
        assert!(wrong[1].contains("scripts have no memory"), "{}", wrong[1]);
    }

    #[test]
    fn misspelt_names_have_a_way_out() {
        let hook = |body: &str| format!("on('e', {{ name = 'x', reads = {{'total'}} }}, function(total) {body} end)");
        assert!(refused::<Lua>(&hook("return totl"))[0].ends_with("nothing named `totl`; did you mean `total`?"));
        assert!(
            refused::<Lua>(&hook("return math.flor(1)"))[0].ends_with("`math` has no `flor`; did you mean `floor`?")
        );
        assert!(
            refused::<Lua>("on('pool.x', { name = 'x', pol = 'hp' }, function() end)")[0]
                .ends_with("p/hooks/x.lua:1: `on` has no option `pol`; did you mean `pool`?")
        );
        assert!(refused::<Lua>("on('e', function() end)")[0].contains("write `on("));
        assert!(
            refused::<Lua>("on('e', { name = 'x' }, function() end)\non('e', { name = 'x' }, function() end)")[0]
                .contains("x.lua:2: there is a hook `x` already, in p/hooks/x.lua:1")
        );
    }

    #[test]
    fn what_would_be_memory_is_refused() {
        let refuse = |text: &str| assert!(!refused::<Lua>(text).is_empty());
        refuse("local n = 0 local function f() n = n + 1 end");
        refuse("N = 0 function f() N = 1 end");
        refuse("function f() f = nil end");
        refuse("local t = frozen{1} function f() t[1] = 2 end");
        refuse(
            "local function make() local n = 0 return function() n = n + 1 return n end end\n\
                on('e', { name = 'x' }, make())",
        );
        refuse("local function make() local n = 0 return function() n = n + 1 return n end end\nlocal f = make()");
        refuse("do local n = 0 function f() n = n + 1 end end");
        refuse("return 1");
        refuse("function string.upper() end");
        refuse("pairs = nil");
        let fine = "local function f(n) local m = 0 local function g() m = m + n end g() return m end\n\
                    on('e', { name = 'x', reads = {'a'}, writes = {'r'} }, function(a) a = a + 1 return f(a) end)";
        let account = account();
        let guest = LuaGuest::build(&[script::<Lua>(fine)], &filters, &account).unwrap();
        assert!(survey(&[script::<Lua>(fine)], &filters, &account).is_ok());
        assert_eq!(guest.call(0, &numbers(&[1]), None).unwrap(), guest.call(0, &numbers(&[1]), None).unwrap());
    }

    #[test]
    fn libraries_serve_all_files_and_names_are_defined_once() {
        let library =
            Script::new("p/lib/a.lua", "STEP = 5\nfunction step(n) return n * STEP end\nlocal function mine() end");
        let hook = "on('e', { name = 'x', reads = {'a'}, writes = {'r'} }, function(a) return step(a) + STEP end)";
        let files = [script::<Lua>(hook), library.clone()];
        let account = account();
        survey(&files, &filters, &account).unwrap();
        let guest = LuaGuest::build(&files, &filters, &account).unwrap();
        assert_eq!(guest.call(0, &numbers(&[2]), None).unwrap(), numbers(&[15]));
        let twice = [library, Script::new("p/lib/b.lua", "\nfunction step() end")];
        let wrong = survey(&twice, &filters, &account).unwrap_err();
        assert!(wrong[0].to_string().starts_with("p/lib/b.lua:2:10: `step` is defined already, in p/lib/a.lua:2"));
        let private =
            [Script::new("p/lib/a.lua", "local function mine() end"), script::<Lua>("function f() return mine() end")];
        assert!(survey(&private, &filters, &account).unwrap_err()[0].message.contains("nothing named `mine`"));
    }

    #[test]
    fn errors_name_pack_file_and_line_and_no_host_path() {
        let error = run::<Lua>("local x = 1\nerror('boom')").unwrap_err();
        assert_eq!((error.file.as_str(), error.line, error.message.as_str()), ("p/hooks/x.lua", 3, "boom"));
        let error = run::<Lua>("local ctx = nil\nreturn ctx.atack + 1").unwrap_err();
        assert_eq!(error.line, 3);
        assert!(cfg!(feature = "lua54") || error.message.contains("`atack`"), "{error}");
        let deep =
            run::<Lua>("local function f() error('deep') end\nlocal function g() f() return 1 end\nreturn g() + 1")
                .unwrap_err();
        let lines: Vec<u32> = deep.frames.iter().map(|(_, line)| *line).collect();
        assert_eq!(lines, [2, 3, 4]);
        let below = run::<Lua>("\ntable.sort({ 1, 'x', true })").unwrap_err();
        assert_eq!((below.file.as_str(), below.line), ("p/hooks/x.lua", 3));
        assert!(!below.message.contains("prelude") && !below.message.contains("src/"), "{below}");
        let stopped = run::<Lua>("\nwhile true do end").unwrap_err();
        assert_eq!((stopped.kind, stopped.line), (ScriptErrorKind::Fuel, 3));
        let long = Script::new(&format!("p/{}/x.lua", "long".repeat(40)), "error(");
        let error = survey(std::slice::from_ref(&long), &filters, &account()).unwrap_err().remove(0);
        assert_eq!(error.file, long.file);
    }

    #[test]
    fn pairs_go_by_number_then_by_bytes_of_the_name() {
        let body = "local out = '' local t = { zeta = 1, alpha = 2, [10] = 3, [2] = 4, Beta = 5, mid = 6, [-1] = 7 }\n\
                    for k in pairs(t) do out = out .. tostring(k) .. ' ' end return out";
        assert_eq!(run::<Lua>(body).unwrap(), "-1 2 10 Beta alpha mid zeta ".into());
        let changed = "local n = 0 local t = { a = 1, b = 2, c = 3 } for k, v in pairs(t) do n = n + v t.b = nil t.d = 9 end return n";
        assert_eq!(run::<Lua>(changed).unwrap(), 4.into());
        assert_eq!(
            run::<Lua>("local n = 0 for k, v in pairs(frozen{ a = 1, b = { 5 } }) do n = n + 1 end return n").unwrap(),
            2.into()
        );
    }

    #[test]
    fn text_and_lists_work_as_the_manual_says() {
        let gives = |body: &str, wanted: Scalar| assert_eq!(run::<Lua>(body).unwrap(), wanted, "{body}");
        gives("return ('abc'):upper():sub(2)", "BC".into());
        gives("return ('abc'):sub(-2, -1)", "bc".into());
        gives("return ('abc'):sub(5)", "".into());
        gives("return string.len('abc') + #'de'", 5.into());
        gives("return ('abc'):contains('bc')", true.into());
        gives("return string.byte('A')", 65.into());
        gives("return tonumber('12') + tonumber(' -2 ')", 10.into());
        gives("return tonumber('0x10')", Scalar::Nothing);
        gives("return tostring(6 / 2) .. tostring(true) .. tostring({})", "3truetable".into());
        gives("local t = { 3, 1, 2 } table.sort(t) return table.concat(t, '-')", "1-2-3".into());
        gives("local t = { 1, 2, 3 } table.insert(t, 2, 9) table.remove(t, 1) return table.concat(t)", "923".into());
        gives(
            "local t = {} for i = 1, 9 do t[i] = { k = i % 3, i = i } end table.sort(t, function(x, y) return x.k < y.k end)\n\
               local s = '' for _, x in ipairs(t) do s = s .. tostring(x.i) end return s",
            "369147258".into(),
        );
        gives("return select('#', 1, 2) + select(2, 1, 5)", 7.into());
        gives("return math.max(1, 5, 3) + math.min(4, 2) + math.abs(-3) + math.clamp(9, 1, 4)", 14.into());
    }
}

#[cfg(feature = "rhai")]
mod rhai {
    use super::*;
    use common::Rhai;
    use houserule_scripts::{RhaiGuest, rhai::survey};

    #[test]
    fn a_file_declares_its_hooks_with_all_options() {
        let text = "const LIMIT = 3 * 2;\nconst TABLE = frozen(#{ low: 1, deep: [2, 3] });\n\
                    fn half(x) { div_floor(x, 2) + global::LIMIT }\n\
                    on(\"pool.emptied\", #{ name: \"dying.begin\", pool: \"hp\", \"when\": \"target has x\", priority: -2,\n\
                      reads: [\"total\"], writes: [\"degree\"], before: [\"b\"], after: [\"c\"], because: \"x\",\n\
                      on_error: \"skip\" }, |total| half(total) + TABLE.deep[1]);\n\
                    wrap(\"other\", |inner, total| inner.call(total) + 1);\n\
                    mute(\"fourth\", #{ because: \"house rule\" });";
        let declared = survey(&[script::<Rhai>(text)], &filters, &account()).unwrap();
        assert_eq!(declared.iter().map(|one| one.deed).collect::<Vec<_>>(), [Deed::On, Deed::Wrap, Deed::Mute]);
        let first = &declared[0];
        assert_eq!((first.event.as_str(), first.name.as_str(), first.priority), ("pool.emptied", "dying.begin", -2));
        assert_eq!((first.file.as_str(), first.line), ("p/hooks/x.rhai", 4));
        let account = account();
        let guest = RhaiGuest::build(&[script::<Rhai>(text)], &filters, &account).unwrap();
        assert_eq!(guest.call(0, &numbers(&[9]), None).unwrap(), numbers(&[13]));
    }

    #[test]
    fn what_would_be_memory_is_refused() {
        let refuse = |text: &str| assert!(!refused::<Rhai>(text).is_empty(), "{text}");
        refuse("let n = 0;");
        refuse("const N = 0; on(\"e\", #{ name: \"x\" }, || { N = 1; });");
        refuse("loop {}");
        refuse("fn make() { 1 } const N = make();");
        refuse("fn div_floor(a, b) { a }");
        refuse("on(\"e\", #{ name: \"x\", pol: 1 }, || 1);");
    }

    #[test]
    fn what_a_closure_captures_does_not_outlive_a_call() {
        let text = "const LIST = [1];\non(\"e\", #{ name: \"x\", reads: [], writes: [\"r\"] }, || { let l = LIST; l.push(1); l.len });\n\
                    on(\"e\", #{ name: \"y\", reads: [], writes: [\"r\"] }, || LIST.len);";
        let (account, files) = (account(), [script::<Rhai>(text)]);
        survey(&files, &filters, &account).unwrap();
        let guest = RhaiGuest::build(&files, &filters, &account).unwrap();
        for _ in 0..3 {
            assert_eq!(guest.call(0, &[], None).unwrap(), numbers(&[2]));
            assert_eq!(guest.call(1, &[], None).unwrap(), numbers(&[1]));
        }
    }

    #[test]
    fn libraries_serve_all_files_and_names_are_defined_once() {
        let library =
            Script::new("p/lib/a.rhai", "const STEP = 5;\nfn step(n) { n * global::STEP }\nprivate fn mine() { 1 }");
        let hook = "on(\"e\", #{ name: \"x\", reads: [\"a\"], writes: [\"r\"] }, |a| step(a));";
        let files = [script::<Rhai>(hook), library.clone()];
        let account = account();
        survey(&files, &filters, &account).unwrap();
        let guest = RhaiGuest::build(&files, &filters, &account).unwrap();
        assert_eq!(guest.call(0, &numbers(&[2]), None).unwrap(), numbers(&[10]));
        let twice = [library, Script::new("p/lib/b.rhai", "fn step(n) { n }")];
        assert!(
            survey(&twice, &filters, &account).unwrap_err()[0]
                .message
                .contains("`step` is defined already, in p/lib/a.rhai")
        );
    }

    #[test]
    fn errors_name_pack_file_line_and_column() {
        let error = run::<Rhai>("let x = 1;\nerror(\"boom\")").unwrap_err();
        assert_eq!((error.file.as_str(), error.line, error.message.as_str()), ("p/hooks/x.rhai", 3, "boom"));
        let error = run::<Rhai>("let x = 1;\nlet y = unknown_thing + 1;").unwrap_err();
        assert_eq!((error.line, error.column), (3, Some(9)));
        assert!(error.message.contains("`unknown_thing`"), "{error}");
        let error = run::<Rhai>("let x = #{a: 1};\nx.no_such_prop + 1").unwrap_err();
        assert_eq!((error.line, error.message.as_str()), (3, "there is no `no_such_prop` in this map"));
        let stopped = run::<Rhai>("\nloop {}").unwrap_err();
        // The engine forgets where in the function it was stopped; the hook itself is blamed.
        assert_eq!((stopped.kind, stopped.line), (ScriptErrorKind::Fuel, 1));
        let files = [
            Script::new("p/lib/a.rhai", "\nfn bad(n) { error(\"deep\") }"),
            script::<Rhai>("on(\"e\", #{ name: \"x\", reads: [], writes: [] }, || {\n bad(1)\n});"),
        ];
        let account = account();
        let guest = RhaiGuest::build(&files, &filters, &account).unwrap();
        let deep = guest.call(0, &[], None).unwrap_err();
        assert_eq!((deep.file.as_str(), deep.line, deep.message.as_str()), ("p/lib/a.rhai", 2, "deep"));
        assert!(deep.frames.contains(&("p/hooks/x.rhai".into(), 2)), "{deep:?}");
        assert!(refused::<Rhai>("on(\"e\", || 1);")[0].contains("write `on("));
    }

    #[test]
    fn maps_go_by_name() {
        let body = "let out = \"\"; for k in #{ zeta: 1, alpha: 2, Beta: 3 }.keys() { out += k + \" \"; } out";
        assert_eq!(run::<Rhai>(body).unwrap(), "Beta alpha zeta ".into());
    }
}

/// Both kinds of guest behind one call, for what must hold in both.
fn each(
    lua: &str,
    rhai: &str,
    check: impl Fn(&Account, Rc<Ten>, &dyn Fn() -> Result<Scalars, ScriptError>),
    ten: fn() -> Result<Scalars, Stop>,
) {
    #[cfg(any(feature = "luau", feature = "lua54"))]
    {
        let (account, door) = (account(), Ten::new(ten));
        let guest = houserule_scripts::LuaGuest::build(&[script::<common::Lua>(lua)], &filters, &account).unwrap();
        guest.replace_door(door.clone());
        check(&account, door, &|| guest.call(0, &numbers(&[7]), Some(1)));
    }
    #[cfg(feature = "rhai")]
    {
        let (account, door) = (account(), Ten::new(ten));
        let guest = houserule_scripts::RhaiGuest::build(&[script::<common::Rhai>(rhai)], &filters, &account).unwrap();
        guest.replace_door(door.clone());
        check(&account, door, &|| guest.call(0, &numbers(&[7]), Some(1)));
    }
    let _ = (lua, rhai);
}

const WRAP_LUA: &str = "wrap('x', function(inner, n) return inner(n + 1) + 5 end)";
const WRAP_RHAI: &str = "wrap(\"x\", |inner, n| inner.call(n + 1) + 5);";

#[test]
fn a_wrapper_asks_the_host_for_what_it_wraps() {
    let ten = || Ok(numbers(&[10]));
    each(
        WRAP_LUA,
        WRAP_RHAI,
        |_, door, call| {
            assert_eq!(call().unwrap(), numbers(&[15]));
            assert_eq!(*door.asked.borrow(), [numbers(&[8])]);
        },
        ten,
    );
}

#[test]
fn a_stop_of_the_host_ends_the_hook_and_every_call_after_it() {
    each(
        WRAP_LUA,
        WRAP_RHAI,
        |account, door, call| {
            assert_eq!(call().unwrap_err().kind, ScriptErrorKind::Stopped);
            assert_eq!(call().unwrap_err().kind, ScriptErrorKind::Stopped);
            assert_eq!(door.asked.borrow().len(), 1);
            account.refill();
            assert_eq!(call().unwrap_err().kind, ScriptErrorKind::Stopped);
            assert_eq!(door.asked.borrow().len(), 2);
        },
        || Err(Stop::Host),
    );
}

#[test]
fn a_panic_of_the_host_is_an_error_and_spoils_the_guest() {
    each(
        WRAP_LUA,
        WRAP_RHAI,
        |account, door, call| {
            let error = call().unwrap_err();
            assert_eq!(error.kind, ScriptErrorKind::Panic);
            assert!(error.file.starts_with("p/hooks/x."));
            account.refill();
            assert!(call().is_err());
            assert_eq!(door.asked.borrow().len(), 1);
        },
        || panic!("kernel bug"),
    );
}

#[test]
fn a_swallowed_stop_is_still_a_stop() {
    let lua = "wrap('x', function(inner, n) return 1 end)";
    let rhai = "wrap(\"x\", |inner, n| 1);";
    each(
        lua,
        rhai,
        |account, _, call| {
            account.halt(Stop::Host);
            assert_eq!(call().unwrap_err().kind, ScriptErrorKind::Stopped);
        },
        || Ok(numbers(&[1])),
    );
}

#[test]
fn fuel_is_one_account_for_all_calls_of_an_intent() {
    let lua = "wrap('x', function(inner, n) for i = 1, 30000 do end return 1 end)";
    let rhai = "wrap(\"x\", |inner, n| { for i in 0..20000 {} 1 });";
    each(
        lua,
        rhai,
        |account, _, call| {
            let good = (0..).take_while(|_| call().is_ok()).count();
            assert!((1..100).contains(&good), "{good}");
            assert_eq!(account.stopped(), Some(Stop::Fuel));
            account.refill();
            assert!(call().is_ok());
        },
        || Ok(numbers(&[1])),
    );
}

#[test]
fn results_beyond_what_writes_names_are_refused() {
    let lua = "wrap('x', function(inner, n) return 1, 2 end)";
    let rhai = "wrap(\"x\", |inner, n| [1, 2]);";
    each(
        lua,
        rhai,
        |_, _, call| {
            let error = call().unwrap_err();
            assert_eq!(error.kind, ScriptErrorKind::Value);
            assert_eq!(
                error.message,
                "the hook returns 2 values, but its `writes` names 1; return one value for each name"
            );
        },
        || Ok(numbers(&[1])),
    );
}

/// The same sums in both languages.
#[cfg(all(any(feature = "luau", feature = "lua54"), feature = "rhai"))]
#[test]
fn arithmetic_twins_agree() {
    let cases = [
        ("-7 // 2", "-7 / 2", -4),
        ("7 // -2", "7 / -2", -4),
        ("-7 // -2", "-7 / -2", 3),
        ("-7 % 3", "-7 % 3", 2),
        ("7 % -3", "7 % -3", -2),
        ("math.div_floor(-7, 2)", "div_floor(-7, 2)", -4),
        ("math.div_ceil(-7, 2)", "div_ceil(-7, 2)", -3),
        ("math.div_ceil(7, 2)", "div_ceil(7, 2)", 4),
        ("math.div_ceil(7, -2)", "div_ceil(7, -2)", -3),
        ("math.div_floor(0, -5)", "div_floor(0, -5)", 0),
        ("math.clamp(9, 1, 4)", "clamp(9, 1, 4)", 4),
        ("math.clamp(-9, 1, 4)", "clamp(-9, 1, 4)", 1),
        ("math.min(a, b) - math.max(a, b)", "min(a, b) - max(a, b)", -5),
        ("math.abs(-3)", "abs(-3)", 3),
        ("-2147483647 - 1", "-2147483647 - 1", i32::MIN),
    ];
    for (lua, rhai, wanted) in cases {
        assert_eq!(run::<common::Lua>(&format!("return {lua}")).unwrap(), wanted.into(), "{lua}");
        assert_eq!(run::<common::Rhai>(rhai).unwrap(), wanted.into(), "{rhai}");
    }
    assert_eq!(run::<common::Rhai>("1 + 7 / 2 * 3 - -7 % 4 * 2").unwrap(), 8.into());
    assert_eq!(run::<common::Lua>("return 1 + 7 // 2 * 3 - -7 % 4 * 2").unwrap(), 8.into());
    for in_place in ["let x = 7; x /= 2; x", "let x = 7; x %= 2; x"] {
        assert_eq!(run::<common::Rhai>(in_place).unwrap_err().kind, ScriptErrorKind::Syntax);
    }
    let both = |lua: &str, rhai: &str| (run::<common::Lua>(lua).unwrap_err(), run::<common::Rhai>(rhai).unwrap_err());
    for (lua, rhai) in [
        ("return 2147483648", "2147483648"),
        ("return {}", "[[]]"),
        ("return ('x'):rep(200)", "let s = \"\"; s.pad(200, \"x\"); s"),
    ] {
        let (lua, rhai) = both(lua, rhai);
        assert_eq!((lua.kind, rhai.kind), (ScriptErrorKind::Value, ScriptErrorKind::Value));
    }
}

#[cfg(any(feature = "luau", feature = "lua54"))]
#[test]
fn a_small_budget_is_kept() {
    let account = Account::open(Limits { fuel: 1_000, ..Limits::default() });
    let file = script::<common::Lua>("on('e', { name = 'x', reads = {} }, function() for i = 1, 100000 do end end)");
    let guest = houserule_scripts::LuaGuest::build(&[file], &filters, &account).unwrap();
    assert_eq!(guest.call(0, &[], None).unwrap_err().kind, ScriptErrorKind::Fuel);
    assert_eq!(account.used(), 1_000);
}
