//! The main thread of a browser has about a mebibyte of stack: what may nest at most is read, run and thrown away there.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

mod common;

use common::{Tongue, account, home, numbers, script};
use houserule_kernel::intent::Intent;
use houserule_scripts::ScriptErrorKind;

const STACK: usize = 1 << 20;

/// More than may stand within each other in any file.
const TOO_MANY: usize = 2_000;

/// Honest files nest no deeper.
const HONEST: usize = 5;

fn on_a_small_stack<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap()
}

/// Loads a hook with this body and calls it, on a small stack; the kind of the error that it ends with.
fn played<T: Tongue>(body: &str) -> Result<(), ScriptErrorKind> {
    let text = T::file(body);
    on_a_small_stack(move || {
        let (account, files) = (account(), [script::<T>(&text)]);
        T::survey(&files, &account).map_err(|wrong| wrong.first().unwrap().kind)?;
        let guest = T::build(&files, &account).map_err(|wrong| wrong.first().unwrap().kind)?;
        account.refill();
        T::call(&guest, 0, &numbers(&[7, 2])).map(drop).map_err(|error| error.kind)
    })
}

/// What stands before and after the places of `@` is repeated around what stands between them.
fn nested(pattern: &str, count: usize) -> String {
    let parts: Vec<&str> = pattern.split('@').collect();
    let [first, before, middle, after, last] = parts[..] else { panic!("{pattern}") };
    format!("{first}{}{middle}{}{last}", before.repeat(count), after.repeat(count))
}

/// Plays the deepest nest that is allowed: an honest one is, and far too deep ones are refused by name.
fn nests<T: Tongue>(pattern: &str) {
    let end = |count| played::<T>(&nested(pattern, count));
    assert_eq!(end(HONEST), Ok(()), "{pattern}");
    assert_eq!(end(TOO_MANY), Err(ScriptErrorKind::Syntax), "{pattern}");
    let (mut fits, mut refused) = (HONEST, TOO_MANY);
    while refused - fits > 1 {
        let middle = fits.midpoint(refused);
        match end(middle) {
            Ok(()) => fits = middle,
            Err(kind) => {
                assert_eq!(kind, ScriptErrorKind::Syntax, "{pattern} {middle} times");
                refused = middle;
            }
        }
    }
}

#[cfg(any(feature = "luau", feature = "lua54"))]
#[test]
fn the_deepest_nests_are_read_in_lua() {
    for pattern in [
        "local x = @(@1@)@ return 1",
        "local x = @{ @1@ }@ return 1",
        "local x = @{ [1] = @1@ }@ return 1",
        "local x = @- @1@@ return 1",
        "local x = @not @1@@ return 1",
        "local x = @1 + @1@@ return 1",
        "local x = 1@ + 1@@@ return 1",
        "local x = @1 < 2 and @1@@ return 1",
        "local x = @'a' .. @'b'@@ return 1",
        "local x = @function() return @1@ end@ return 1",
        "local x = @(function() return @1@ end)()@ return 1",
        "local f = function(y) return y end local x = @f(@1@)@ return 1",
        "local f f = function() return f end local x = f@()@@@ return 1",
        "local f f = function() return f end local x = f@''@@@ return 1",
        "local f f = function() return f end local x = f@{}@@@ return 1",
        "local z = { 1, 1 } local x = @z[@1@]@ return 1",
        "@do @@ end @return 1",
        "@if a == 7 then @@ end @return 1",
        "@if a == 7 then return 1 else @@ end @return 1",
        "@while a == 7 do @@ break end @return 1",
        "@for i = 1, 1 do @@ end @return 1",
        "if a == 1 then @elseif a == 2 then @@@ end return 1",
        "@repeat @@ until a == 7 @return 1",
        "@local function g() @@ end @return 1",
        "@for i = 1, 1 do local g = function() @@ end end @return 1",
    ] {
        nests::<common::Lua>(pattern);
    }
}

#[cfg(feature = "luau")]
#[test]
fn the_deepest_choices_and_types_are_read_in_luau() {
    for pattern in [
        "local x = @if a == 7 then @1@ else 2@ return 1",
        "local x = @if a == 1 then 1 else @1@@ return 1",
        "local x = if a == 1 then 1 @elseif a == 2 then 2 @@@else 3 return 1",
        "local x: @{@number@}@ = nil return 1",
        "local x: @(@number@)@ = 1 return 1",
        "local x: @() -> @number@@ = 1 return 1",
    ] {
        nests::<common::Lua>(pattern);
    }
}

#[cfg(feature = "rhai")]
#[test]
fn the_deepest_nests_are_read_in_rhai() {
    for pattern in [
        "let x = @(@1@)@; 1",
        "let x = @[@1@]@; 1",
        "let x = @#{ a: @1@ }@; 1",
        "let x = @!@true@@; 1",
        "let x = @1 + @1@@; 1",
        "let x = 1@ + 1@@@; 1",
        "let x = @() ?? @1@@; 1",
        "let x = @abs(@1@)@; 1",
        "let x = 1@.abs()@@@; 1",
        "let z = [0, 0]; let x = @z[@0@]@; 1",
        "let x = @`${@1@}`@; 1",
        "@{ @1@ }@; 1",
        "let x = @if a == 7 { @1@ } else { 0 }@; 1",
        "@if a == 1 { } else { @@ }@; 1",
        "if a == 1 { 1 } @else if a == 2 { 2 } @@@ else { 3 } 1",
        "@while a == 7 { @@ break; }@; 1",
        "@for i in 0..1 { @@ }@; 1",
        "@do { @@ } while false;@; 1",
        "@switch a { 7 => { @1@ }, _ => 0 }@; 1",
        "let x = @|y| @1@@; 1",
    ] {
        nests::<common::Rhai>(pattern);
    }
}

#[cfg(feature = "rhai")]
#[test]
fn the_deepest_calls_run_in_rhai() {
    for call in [
        "@for i in 0..1 { @f.call(f, n)@ }@",
        "@if n > 0 { @f.call(f, n)@ }@",
        "@while n > 0 { @f.call(f, n)@ }@",
        "@{ @f.call(f, n)@ }@",
        "@[@f.call(f, n)@]@",
        "@1 + (@f.call(f, n)@)@",
        "@abs(@f.call(f, n)@)@",
        "@`${@f.call(f, n)@}`@",
        "@switch n { 1 => { @f.call(f, n)@ }, _ => 0 }@",
        "@[n].map(|x| @f.call(f, x)@)@",
        "let l = [1, 2]; @l.sort(|a, b| @f.call(f, n)@)@",
    ] {
        let body = |count| format!("let f = |f, n| {{ {}; 1 }}; f.call(f, 1)", nested(call, count));
        let ends: Vec<_> = (1..30).map(|count| played::<common::Rhai>(&body(count))).collect();
        assert_eq!(ends[0], Err(ScriptErrorKind::Depth), "{call}");
        assert_eq!(ends[28], Err(ScriptErrorKind::Syntax), "{call}");
    }
}

#[cfg(any(feature = "luau", feature = "lua54"))]
#[test]
fn the_deepest_calls_run_in_lua() {
    for body in [
        "local f f = function(n) return f(n) + 1 end return f(1)",
        "local f f = function(n) local t = { 1, 2 } table.sort(t, function() return f(n) end) return 1 end return f(1)",
        "local f f = function(n) for _, k in pairs({ 1 }) do f(k) end return 1 end return f(1)",
    ] {
        assert_eq!(played::<common::Lua>(body), Err(ScriptErrorKind::Depth), "{body}");
    }
}

/// The code with which hooks end that answer each other, each within so many calls of its own.
fn answered(language: &'static str, calls: u32) -> String {
    let lua = format!(
        "local function answer(ev) local f f = function(n) if n > 0 then f(n - 1) else raise('may_i', {{ n = 1 }}) end end \
         f({calls}) end\n\
         on('action.done', {{ name = 'a', action = 'all' }}, answer)\non('may_i', {{ name = 'h' }}, answer)"
    );
    let body = format!(
        "let f = |f, n| {{ if n > 0 {{ {} }} else {{ raise(\"may_i\", #{{ n: 1 }}) }} }}; f.call(f, {calls});",
        nested("@for i in 0..1 { @f.call(f, n - 1)@ }@", 6)
    );
    let rhai = format!(
        "on(\"action.done\", #{{ name: \"a\", action: \"all\" }}, |ev| {{ {body} }});\n\
         on(\"may_i\", #{{ name: \"h\" }}, |ev| {{ {body} }});"
    );
    let text = if language == "lua" { lua } else { rhai };
    on_a_small_stack(move || {
        let mut table = home::table(&home::read(language, &text).unwrap());
        table.act(&Intent::new("all").by("rook").at("wall")).unwrap_err().code.to_string()
    })
}

/// The calls of hooks within hooks count together, for they share one stack; a few in each leave room for the others.
#[test]
fn hooks_within_hooks_share_the_stack() {
    for language in ["lua", "rhai"].into_iter().filter(|language| home::speaks(language)) {
        assert_eq!(answered(language, 0), "HR0526", "{language}");
    }
    let deep = |language, calls| home::speaks(language).then(|| answered(language, calls));
    assert_eq!(deep("rhai", 28).unwrap_or("HR0406".into()), "HR0406");
    assert_eq!(deep("rhai", 5).unwrap_or("HR0406".into()), "HR0406");
    assert_eq!(deep("lua", 150).unwrap_or("HR0526".into()), "HR0406");
}
