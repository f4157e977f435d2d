//! The main thread of a browser has about a mebibyte of stack: what may nest at most is read, run and thrown away in it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod common;

use common::{Tongue, account, numbers, script};
use houserule_scripts::ScriptErrorKind;

const STACK: usize = 1 << 20;

/// More than any file may nest.
const TOO_MANY: usize = 2_000;

fn on_a_small_stack<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    let stack = std::env::var("STACK_KIB").ok().map_or(STACK, |kib| kib.parse::<usize>().unwrap() << 10);
    std::thread::Builder::new().stack_size(stack).spawn(work).unwrap().join().unwrap()
}

/// Loads a hook with this body and calls it; the kind of the error that it ends with.
fn played<T: Tongue>(body: &str) -> Result<(), ScriptErrorKind> {
    let (account, files) = (account(), [script::<T>(&T::file(body))]);
    T::survey(&files, &account).map_err(|wrong| wrong.first().unwrap().kind)?;
    let guest = T::build(&files, &account).map_err(|wrong| wrong.first().unwrap().kind)?;
    account.refill();
    T::call(&guest, 0, &numbers(&[7, 2])).map(drop).map_err(|error| error.kind)
}

/// How many of a piece may stand within each other, of which it is asserted that one is right and that more are wrong.
fn most<T: Tongue>(before: &'static str, middle: &'static str, after: &'static str) -> usize {
    if std::env::var("SHAPE").is_ok_and(|shape| !before.contains(&shape)) {
        return 0;
    }
    let nested = move |count: usize| {
        let (first, before) = before.split_once('@').unwrap_or(("", before));
        let (after, last) = after.split_once('@').unwrap_or((after, ""));
        let body = format!("{first}{}{middle}{}{last}", before.repeat(count), after.repeat(count));
        on_a_small_stack(move || played::<T>(&body))
    };
    assert_eq!(nested(1), Ok(()), "{before}");
    let (mut fits, mut wrong) = (1, TOO_MANY);
    let refused = nested(wrong);
    eprintln!("{before:30} {TOO_MANY}: {refused:?}");
    while wrong - fits > 1 {
        let middle = (fits + wrong) / 2;
        if nested(middle).is_ok() { fits = middle } else { wrong = middle }
    }
    eprintln!("{before:30} most {fits}, then {:?}", nested(fits + 1));
    fits
}

#[cfg(any(feature = "luau", feature = "lua54"))]
#[test]
fn what_nests_fits_a_small_stack_in_lua() {
    for (before, middle, after) in [
        ("local x = @(", "1", ")@ return 1"),
        ("local x = @{ ", "1", " }@ return 1"),
        ("local x = @{ [", "1", "] = 1 }@ return 1"),
        ("local x = @{ a = ", "1", " }@ return 1"),
        ("local x = @- ", "1", "@ return 1"),
        ("local x = @not ", "1", "@ return 1"),
        ("local x = @1 + ", "1", "@ return 1"),
        ("local x = 1@ + 1", "", "@ return 1"),
        ("local x = @1 < 2 and ", "1", "@ return 1"),
        ("local x = @'a' .. ", "'b'", "@ return 1"),
        ("local x = @function() return ", "1", " end@ return 1"),
        ("local x = @(function() return ", "1", " end)()@ return 1"),
        ("local f = function(y) return y end local x = @f(", "1", ")@ return 1"),
        ("local f f = function() return f end local x = f@()", "", "@ return 1"),
        ("local f f = function() return f end local x = f@''", "", "@ return 1"),
        ("local f f = function() return f end local x = f@[[]]", "", "@ return 1"),
        ("local f f = function() return f end local x = f@{}", "", "@ return 1"),
        ("local z = { 1, 1 } local x = @z[", "1", "]@ return 1"),
        ("@do ", "", " end @return 1"),
        ("@if a == 7 then ", "", " end @return 1"),
        ("@if a == 7 then return 1 else ", "", " end @return 1"),
        ("if a == 1 then @elseif a == 2 then ", "", "@ end return 1"),
        ("@while a == 7 do ", "", " break end @return 1"),
        ("@for i = 1, 1 do ", "", " end @return 1"),
        ("@repeat ", "", " until a == 7 @return 1"),
        ("@local function g() ", "", " end @return 1"),
    ] {
        most::<common::Lua>(before, middle, after);
    }
}

#[cfg(feature = "luau")]
#[test]
fn what_nests_fits_a_small_stack_in_luau() {
    for (before, middle, after) in [
        ("local x = @if a == 7 then ", "1", " else 2@ return 1"),
        ("local x = @if a == 1 then 1 else ", "1", "@ return 1"),
        ("local x = if a == 1 then 1 @elseif a == 2 then 2 ", "", "@else 3 return 1"),
        ("local x = @`{", "1", "}`@ return 1"),
        ("local x: @{", "number", "}@ = nil return 1"),
        ("local x: @(", "number", ")@ = 1 return 1"),
        ("local x: number@?", "", "@ = 1 return 1"),
        ("local x: @() -> ", "number", "@ = 1 return 1"),
        ("local x = 1@ :: any", "", "@ return 1"),
        ("local x: @typeof(", "1", ")@ = 1 return 1"),
    ] {
        let _ = std::panic::catch_unwind(|| most::<common::Lua>(before, middle, after));
    }
}

#[cfg(feature = "rhai")]
#[test]
fn what_nests_fits_a_small_stack_in_rhai() {
    for (before, middle, after) in [
        ("let x = @(", "1", ")@; 1"),
        ("let x = @[", "1", "]@; 1"),
        ("let x = @#{ a: ", "1", " }@; 1"),
        ("let x = @-", "1", "@; 1"),
        ("let x = @!", "true", "@; 1"),
        ("let x = @1 + ", "1", "@; 1"),
        ("let x = 1@ + 1", "", "@; 1"),
        ("let x = true@ && true", "", "@; 1"),
        ("let x = @() ?? ", "1", "@; 1"),
        ("let x = @abs(", "1", ")@; 1"),
        ("let x = 1@.abs()", "", "@; 1"),
        ("let z = [0, 0]; let x = @z[", "0", "]@; 1"),
        ("let x = @`${", "1", "}`@; 1"),
        ("@{ ", "1", " }@; 1"),
        ("let x = @if a == 7 { ", "1", " } else { 0 }@; 1"),
        ("@if a == 1 { } else { ", "", " }@; 1"),
        ("if a == 1 { 1 } @else if a == 2 { 2 } ", "", "@ else { 3 } 1"),
        ("@while a == 7 { ", "", " break; }@; 1"),
        ("@loop { ", "", " break; }@; 1"),
        ("@for i in 0..1 { ", "", " }@; 1"),
        ("@do { ", "", " } while false;@; 1"),
        ("@switch a { 7 => { ", "1", " }, _ => 0 }@; 1"),
        ("let x = @|y| ", "1", "@; 1"),
        ("let x = @|y| { ", "1", " }@; 1"),
    ] {
        let _ = std::panic::catch_unwind(|| most::<common::Rhai>(before, middle, after));
    }
}

#[cfg(feature = "rhai")]
#[test]
fn what_runs_fits_a_small_stack_in_rhai() {
    for body in [
        "let f = |f, n| `${[n].map(|x| [x].filter(|y| f.call(f, y + 1)))}`; f.call(f, 0)",
        "let f = |f, n| { let l = [1, 2]; l.sort(|a, b| f.call(f, n + 1)); 1 }; f.call(f, 0)",
        "let f = |f, n| { if n > 0 { if n > 0 { for i in 0..2 { while true { return [f.call(f, n + 1)]; } } } } 1 }; f.call(f, 1)",
        "let f = |f, n| 1 + (1 + (1 + (1 + (1 + (1 + f.call(f, n)))))); f.call(f, 1)",
    ] {
        eprintln!("{body}");
        assert_eq!(on_a_small_stack(|| played::<common::Rhai>(body)), Err(ScriptErrorKind::Depth), "{body}");
    }
}

#[cfg(any(feature = "luau", feature = "lua54"))]
#[test]
fn what_runs_fits_a_small_stack_in_lua() {
    for body in [
        "local f f = function(n) return f(n + 1) + 1 end return f(1)",
        "local f f = function(n) local t = { 1, 2 } table.sort(t, function(a, b) f(n + 1) return a < b end) return 1 end return f(1)",
        "local f f = function(n) for _, k in pairs({ 1 }) do f(n + 1) end return 1 end return f(1)",
    ] {
        eprintln!("{body}");
        assert_eq!(on_a_small_stack(|| played::<common::Lua>(body)), Err(ScriptErrorKind::Depth), "{body}");
    }
}

fn told(language: &'static str, text: &str) -> String {
    let text = text.to_owned();
    on_a_small_stack(move || {
        let mut table = common::home::table(&common::home::read(language, &text).unwrap());
        let intent = houserule_kernel::intent::Intent::new("all").by("rook").at("wall");
        format!("{:?}", table.act(&intent))
    })
}

#[test]
fn hooks_within_hooks_fit_a_small_stack() {
    let lua = [
        "on('may_i', { name = 'h' }, function(ev) raise('may_i', { n = 1 }) end)",
        "on('may_i', { name = 'h' }, function(ev) local f f = function(n) if n > 0 then f(n - 1) else raise('may_i', { n = 1 }) end end f(150) end)",
        "on('may_i', { name = 'h' }, function(ev) local f f = function(n) local t = { 1, 2 } table.sort(t, function(a, b) if n > 0 then f(n - 1) else raise('may_i', { n = 1 }) end return a < b end) end f(20) end)",
    ];
    let rhai = [
        "on(\"may_i\", #{ name: \"h\" }, |ev| { raise(\"may_i\", #{ n: 1 }); });",
        "on(\"may_i\", #{ name: \"h\" }, |ev| { let f = |f, n| { if n > 0 { f.call(f, n - 1) } else { raise(\"may_i\", #{ n: 1 }) } }; f.call(f, 28); });",
        "on(\"may_i\", #{ name: \"h\" }, |ev| { let f = |f, n| { if n > 0 { if n > 0 { for i in 0..2 { while true { return [f.call(f, n - 1)]; } } } } raise(\"may_i\", #{ n: 1 }) }; f.call(f, 28); });",
        "on(\"may_i\", #{ name: \"h\" }, |ev| { let f = |f, n| { if n > 0 { let l = [1, 2]; l.sort(|a, b| f.call(f, n - 1)) } else { raise(\"may_i\", #{ n: 1 }) } }; f.call(f, 13); });",
    ];
    for (language, texts) in [("lua", &lua[..]), ("rhai", &rhai[..])] {
        let start = if language == "lua" {
            "on('action.done', { name = 'a', action = 'all' }, function(ev) raise('may_i', { n = 1 }) end)\n"
        } else {
            "on(\"action.done\", #{ name: \"a\", action: \"all\" }, |ev| { raise(\"may_i\", #{ n: 1 }); });\n"
        };
        for text in texts.iter().filter(|text| std::env::var("SHAPE").is_ok_and(|shape| text.contains(&shape))) {
            eprintln!("{text}");
            let told = told(language, &format!("{start}{text}"));
            eprintln!("   {}", told.get(..200).unwrap_or(&told));
        }
    }
}
