//! What a call costs: an empty hook, and one with three numbers in and one out, beside the bare engines.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a measurement may panic"
)]

use houserule_kernel::script::{HookCall, Scalar, Script};
use houserule_scripts::{FuelMeter, ScriptLimits};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: u32 = 200_000;

fn price(name: &str, mut work: impl FnMut()) {
    let mut best = u128::MAX;
    for _ in 0..7 {
        let start = Instant::now();
        (0..ROUNDS).for_each(|_| work());
        best = best.min(start.elapsed().as_nanos() / u128::from(ROUNDS));
    }
    println!("{name:<34}{best:>6} ns");
}

fn arguments() -> HookCall {
    HookCall::Words([14, 12, 3].into_iter().map(Scalar::Number).collect())
}

fn file(name: &str, text: &str) -> Script {
    Script { name: name.to_owned(), text: text.to_owned(), file: 0 }
}

fn main() {
    #[cfg(any(feature = "luau", feature = "lua54"))]
    lua();
    #[cfg(feature = "rhai")]
    rhai();
}

#[cfg(any(feature = "luau", feature = "lua54"))]
fn lua() {
    let text = "on('e', { name = 'a', reads = {} }, function() end)\n\
                on('e', { name = 'b', reads = {'t', 'd', 'n'}, writes = {'r'} }, function(t, d, n) return t - d + n end)";
    let account = FuelMeter::open(ScriptLimits::default());
    let files = [file("p/a.lua", text)];
    let guest = houserule_scripts::LuaGuest::build(&files, &account).expect("the pack loads");
    price("lua, guest, empty", || {
        account.refill();
        black_box(guest.run_hook(0, &HookCall::Words(Default::default()), None).is_ok());
    });
    let three = arguments();
    price("lua, guest, 3 in 1 out", || {
        account.refill();
        black_box(guest.run_hook(1, &three, None).is_ok());
    });
    let bare = mlua::Lua::new();
    let empty: mlua::Function = bare.load("return function() end").eval().expect("it compiles");
    price("lua, bare, empty", || {
        black_box(empty.call::<()>(()).is_ok());
    });
    let sum: mlua::Function = bare.load("return function(t, d, n) return t - d + n end").eval().expect("it compiles");
    price("lua, bare, 3 in 1 out", || {
        black_box(sum.call::<i64>((14, 12, 3)).is_ok());
    });
    price("lua, survey of two hooks (x100)", {
        let mut n = 0;
        move || {
            n += 1;
            if n % 100 == 0 {
                black_box(houserule_scripts::lua::survey(&files, &FuelMeter::open(ScriptLimits::default())).is_ok());
            }
        }
    });
}

#[cfg(feature = "rhai")]
fn rhai() {
    let text = "on(\"e\", #{ name: \"a\", reads: [] }, || {});\n\
                on(\"e\", #{ name: \"b\", reads: [\"t\", \"d\", \"n\"], writes: [\"r\"] }, |t, d, n| t - d + n);";
    let account = FuelMeter::open(ScriptLimits::default());
    let files = [file("p/a.rhai", text)];
    let guest = houserule_scripts::RhaiGuest::build(&files, &account).expect("the pack loads");
    price("rhai, guest, empty", || {
        account.refill();
        black_box(guest.run_hook(0, &HookCall::Words(Default::default()), None).is_ok());
    });
    let three = arguments();
    price("rhai, guest, 3 in 1 out", || {
        account.refill();
        black_box(guest.run_hook(1, &three, None).is_ok());
    });
    let engine = rhai::Engine::new();
    let tree = engine.compile("fn a() {} fn b(t, d, n) { t - d + n }").expect("it compiles");
    let mut scope = rhai::Scope::new();
    price("rhai, bare, empty", || {
        black_box(engine.call_fn::<()>(&mut scope, &tree, "a", ()).is_ok());
    });
    price("rhai, bare, 3 in 1 out", || {
        black_box(engine.call_fn::<i64>(&mut scope, &tree, "b", (14_i64, 12_i64, 3_i64)).is_ok());
    });
}
