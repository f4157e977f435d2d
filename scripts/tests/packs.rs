//! What a pack's author meets: declarations, errors with places, no memory, wrappers, and the same answers in both languages.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod common;

use common::{Tongue, account, file, numbers, run, script, words};
use houserule_kernel::script::{Declared, HookResult, Scalar};
#[cfg(any(feature = "luau", feature = "lua54"))]
use houserule_scripts::ScriptLimits;
use houserule_scripts::{FuelMeter, ScriptError, ScriptErrorKind, ScriptStop};

#[cfg(any(feature = "luau", feature = "lua54"))]
fn number(number: i32) -> Scalar {
    Scalar::Number(number)
}

fn name(name: &str) -> Scalar {
    Scalar::Name(name.into())
}

fn refused<T: Tongue>(text: &str) -> Vec<String> {
    T::survey(&[script::<T>(text)], &account()).unwrap_err().iter().map(ToString::to_string).collect()
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
                    wrap('other', function(inner, total) return inner() + 1 end)\n\
                    wrap('third', { because = 'x' }, function(inner) return inner() end)\n\
                    mute('fourth', { because = 'house rule' })";
        let declared = survey(&[script::<Lua>(text)], &account()).unwrap();
        assert_eq!(
            declared.iter().map(|one| one.deed).collect::<Vec<_>>(),
            [Declared::On, Declared::Wrap, Declared::Wrap, Declared::Mute]
        );
        let first = &declared[0];
        assert_eq!((first.event.as_str(), first.name.as_str(), first.priority), ("pool.emptied", "dying.begin", -2));
        assert_eq!(first.filters.get("pool").map(String::as_str), Some("hp"));
        assert_eq!(first.span, script::<Lua>(text).line_span(4));
        assert!(first.skip && first.reads == Some(vec!["total".into()]));
        let account = account();
        let guest = LuaGuest::build(&[script::<Lua>(text)], &account).unwrap();
        assert_eq!(guest.declarations(), declared.as_slice());
        assert_eq!(guest.run_hook(0, &words(&numbers(&[9])), None).unwrap(), numbers(&[13]));
    }

    #[test]
    fn all_errors_of_a_file_come_at_once_with_their_columns() {
        let text = "local seen = {}\nlocal count = 0\non('e', { name = 'x', reads = {'a'} }, function(a)\n  \
                    count = count + 1\n  seen[a] = true\n  for k in seen do end\n  return fooor(a)\nend)\nwhile true do end\n";
        let wrong = refused::<Lua>(text);
        let places: Vec<&str> = wrong.iter().map(|one| one.split(": ").next().unwrap()).collect();
        let wanted = ["1:14", "4:3", "5:3", "6:9", "7:10", "9:1"].map(|place| format!("p/hooks/x.lua:{place}"));
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
            refused::<Lua>("on('pool.emptied', { name = 'x', pol = 'hp' }, function() end)")[0]
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
        let guest = LuaGuest::build(&[script::<Lua>(fine)], &account).unwrap();
        assert!(survey(&[script::<Lua>(fine)], &account).is_ok());
        assert_eq!(
            guest.run_hook(0, &words(&numbers(&[1])), None).unwrap(),
            guest.run_hook(0, &words(&numbers(&[1])), None).unwrap()
        );
    }

    #[test]
    fn libraries_serve_all_files_and_names_are_defined_once() {
        let library = file("p/lib/a.lua", "STEP = 5\nfunction step(n) return n * STEP end\nlocal function mine() end");
        let hook = "on('e', { name = 'x', reads = {'a'}, writes = {'r'} }, function(a) return step(a) + STEP end)";
        let files = [script::<Lua>(hook), library.clone()];
        let account = account();
        survey(&files, &account).unwrap();
        let guest = LuaGuest::build(&files, &account).unwrap();
        assert_eq!(guest.run_hook(0, &words(&numbers(&[2])), None).unwrap(), numbers(&[15]));
        let twice = [library, file("p/lib/b.lua", "\nfunction step() end")];
        let wrong = survey(&twice, &account).unwrap_err();
        assert!(wrong[0].to_string().starts_with("p/lib/b.lua:2:10: `step` is defined already, in p/lib/a.lua:2"));
        let private =
            [file("p/lib/a.lua", "local function mine() end"), script::<Lua>("function f() return mine() end")];
        assert!(survey(&private, &account).unwrap_err()[0].message.contains("nothing named `mine`"));
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
        let long = file(&format!("p/{}/x.lua", "long".repeat(40)), "error(");
        let error = survey(std::slice::from_ref(&long), &account()).unwrap_err().remove(0);
        assert_eq!(error.file, long.name);
    }

    #[test]
    fn pairs_go_by_number_then_by_bytes_of_the_name() {
        let body = "local out = '' local t = { zeta = 1, alpha = 2, [10] = 3, [2] = 4, Beta = 5, mid = 6, [-1] = 7 }\n\
                    for k in pairs(t) do out = out .. tostring(k) .. ' ' end return out";
        assert_eq!(run::<Lua>(body).unwrap(), name("-1 2 10 Beta alpha mid zeta "));
        let changed = "local n = 0 local t = { a = 1, b = 2, c = 3 } for k, v in pairs(t) do n = n + v t.b = nil t.d = 9 end return n";
        assert_eq!(run::<Lua>(changed).unwrap(), number(4));
        assert_eq!(
            run::<Lua>("local n = 0 for k, v in pairs(frozen{ a = 1, b = { 5 } }) do n = n + 1 end return n").unwrap(),
            number(2)
        );
    }

    #[test]
    fn text_and_lists_work_as_the_manual_says() {
        let gives = |body: &str, wanted: Scalar| assert_eq!(run::<Lua>(body).unwrap(), wanted, "{body}");
        gives("return ('abc'):upper():sub(2)", name("BC"));
        gives("return ('abc'):sub(-2, -1)", name("bc"));
        gives("return ('abc'):sub(5)", name(""));
        gives("return string.len('abc') + #'de'", number(5));
        gives("return ('abc'):contains('bc')", Scalar::YesNo(true));
        gives("return string.byte('A')", number(65));
        gives("return tonumber('12') + tonumber(' -2 ')", number(10));
        gives("return tonumber('0x10')", Scalar::Nothing);
        gives("return tostring(6 / 2) .. tostring(true) .. tostring({})", name("3truetable"));
        gives("local t = { 3, 1, 2 } table.sort(t) return table.concat(t, '-')", name("1-2-3"));
        gives("local t = { 1, 2, 3 } table.insert(t, 2, 9) table.remove(t, 1) return table.concat(t)", name("923"));
        gives(
            "local t = {} for i = 1, 9 do t[i] = { k = i % 3, i = i } end table.sort(t, function(x, y) return x.k < y.k end)\n\
               local s = '' for _, x in ipairs(t) do s = s .. tostring(x.i) end return s",
            name("369147258"),
        );
        gives("return select('#', 1, 2) + select(2, 1, 5)", number(7));
        gives("return math.max(1, 5, 3) + math.min(4, 2) + math.abs(-3) + math.clamp(9, 1, 4)", number(14));
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
                    wrap(\"other\", |inner, total| inner.call() + 1);\n\
                    mute(\"fourth\", #{ because: \"house rule\" });";
        let declared = survey(&[script::<Rhai>(text)], &account()).unwrap();
        assert_eq!(
            declared.iter().map(|one| one.deed).collect::<Vec<_>>(),
            [Declared::On, Declared::Wrap, Declared::Mute]
        );
        let first = &declared[0];
        assert_eq!((first.event.as_str(), first.name.as_str(), first.priority), ("pool.emptied", "dying.begin", -2));
        assert_eq!(first.span, script::<Rhai>(text).line_span(4));
        let account = account();
        let guest = RhaiGuest::build(&[script::<Rhai>(text)], &account).unwrap();
        assert_eq!(guest.run_hook(0, &words(&numbers(&[9])), None).unwrap(), numbers(&[13]));
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
        survey(&files, &account).unwrap();
        let guest = RhaiGuest::build(&files, &account).unwrap();
        for _ in 0..3 {
            assert_eq!(guest.run_hook(0, &words(&[]), None).unwrap(), numbers(&[2]));
            assert_eq!(guest.run_hook(1, &words(&[]), None).unwrap(), numbers(&[1]));
        }
    }

    #[test]
    fn libraries_serve_all_files_and_names_are_defined_once() {
        let library = file("p/lib/a.rhai", "const STEP = 5;\nfn step(n) { n * global::STEP }\nprivate fn mine() { 1 }");
        let hook = "on(\"e\", #{ name: \"x\", reads: [\"a\"], writes: [\"r\"] }, |a| step(a));";
        let files = [script::<Rhai>(hook), library.clone()];
        let account = account();
        survey(&files, &account).unwrap();
        let guest = RhaiGuest::build(&files, &account).unwrap();
        assert_eq!(guest.run_hook(0, &words(&numbers(&[2])), None).unwrap(), numbers(&[10]));
        let twice = [library, file("p/lib/b.rhai", "fn step(n) { n }")];
        assert!(
            survey(&twice, &account).unwrap_err()[0].message.contains("`step` is defined already, in p/lib/a.rhai")
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
            file("p/lib/a.rhai", "\nfn bad(n) { error(\"deep\") }"),
            script::<Rhai>("on(\"e\", #{ name: \"x\", reads: [], writes: [] }, || {\n bad(1)\n});"),
        ];
        let account = account();
        let guest = RhaiGuest::build(&files, &account).unwrap();
        let deep = guest.run_hook(0, &words(&[]), None).unwrap_err();
        assert_eq!((deep.file.as_str(), deep.line, deep.message.as_str()), ("p/lib/a.rhai", 2, "deep"));
        assert!(deep.frames.contains(&("p/hooks/x.rhai".into(), 2)), "{deep:?}");
        assert!(refused::<Rhai>("on(\"e\", || 1);")[0].contains("write `on("));
    }

    #[test]
    fn maps_go_by_name() {
        let body = "let out = \"\"; for k in #{ zeta: 1, alpha: 2, Beta: 3 }.keys() { out += k + \" \"; } out";
        assert_eq!(run::<Rhai>(body).unwrap(), name("Beta alpha zeta "));
    }
}

/// Both kinds of guest behind one call, for what must hold in both.
fn each(lua: &str, rhai: &str, check: impl Fn(&FuelMeter, &dyn Fn() -> Result<HookResult, ScriptError>)) {
    #[cfg(any(feature = "luau", feature = "lua54"))]
    {
        let account = account();
        let guest = houserule_scripts::LuaGuest::build(&[script::<common::Lua>(lua)], &account).unwrap();
        check(&account, &|| guest.run_hook(0, &words(&numbers(&[7])), Some(1)));
    }
    #[cfg(feature = "rhai")]
    {
        let account = account();
        let guest = houserule_scripts::RhaiGuest::build(&[script::<common::Rhai>(rhai)], &account).unwrap();
        check(&account, &|| guest.run_hook(0, &words(&numbers(&[7])), Some(1)));
    }
    let _ = (lua, rhai);
}

#[test]
fn a_swallowed_stop_is_still_a_stop() {
    each("wrap('x', function(inner, n) return 1 end)", "wrap(\"x\", |inner, n| 1);", |account, call| {
        account.halt(ScriptStop::Host);
        assert_eq!(call().unwrap_err().kind, ScriptErrorKind::Stopped);
    });
}

#[test]
fn a_word_said_without_a_table_is_an_error_not_nothing() {
    let lua = "on('e', { name = 'x', reads = {'a'}, writes = {'r'} }, function(a) return round() end)";
    let rhai = "on(\"e\", #{ name: \"x\", reads: [\"a\"], writes: [\"r\"] }, |a| round());";
    each(lua, rhai, |_, call| assert!(call().unwrap_err().message.contains("`round` works only while a hook runs")));
}

#[test]
fn fuel_is_one_account_for_all_calls_of_an_intent() {
    let lua = "wrap('x', function(inner, n) for i = 1, 30000 do end return 1 end)";
    let rhai = "wrap(\"x\", |inner, n| { for i in 0..20000 {} 1 });";
    each(lua, rhai, |account, call| {
        let good = (0..).take_while(|_| call().is_ok()).count();
        assert!((1..1_000).contains(&good), "{good}");
        assert_eq!(account.stopped(), Some(ScriptStop::Fuel));
        account.refill();
        assert!(call().is_ok());
    });
}

#[test]
fn results_beyond_what_writes_names_are_refused() {
    each("wrap('x', function(inner, n) return 1, 2 end)", "wrap(\"x\", |inner, n| [1, 2]);", |_, call| {
        let error = call().unwrap_err();
        assert_eq!(error.kind, ScriptErrorKind::Value);
        let told = "the hook returns 2 values, but its `writes` names 1; return one value for each name";
        assert_eq!(error.message, told);
    });
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
        assert_eq!(run::<common::Lua>(&format!("return {lua}")).unwrap(), number(wanted), "{lua}");
        assert_eq!(run::<common::Rhai>(rhai).unwrap(), number(wanted), "{rhai}");
    }
    assert_eq!(run::<common::Rhai>("1 + 7 / 2 * 3 - -7 % 4 * 2").unwrap(), number(8));
    assert_eq!(run::<common::Lua>("return 1 + 7 // 2 * 3 - -7 % 4 * 2").unwrap(), number(8));
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
    let account = FuelMeter::open(ScriptLimits { fuel: 1_000, ..ScriptLimits::default() });
    let file = script::<common::Lua>("on('e', { name = 'x', reads = {} }, function() for i = 1, 100000 do end end)");
    let guest = houserule_scripts::LuaGuest::build(&[file], &account).unwrap();
    assert_eq!(guest.run_hook(0, &words(&[]), None).unwrap_err().kind, ScriptErrorKind::Fuel);
    assert_eq!(account.used(), 1_000);
}
