//! What the tests of both languages share.
#![allow(dead_code, clippy::unwrap_used, reason = "each test program uses a part, and tests may panic")]

pub mod home;

use houserule_kernel::script::{Declaration, HookCall, HookResult, Scalar, Script};
use houserule_scripts::{FuelMeter, ScriptError, ScriptLimits};

/// A call with scalars.
pub fn words(arguments: &[Scalar]) -> HookCall {
    HookCall::Words(arguments.iter().cloned().collect())
}

/// Numbers as scalars.
pub fn numbers(values: &[i32]) -> HookResult {
    values.iter().map(|number| Scalar::Number(*number)).collect()
}

/// A file with its name in the pack.
pub fn file(name: &str, text: &str) -> Script {
    Script { name: name.to_owned(), text: text.to_owned(), file: 0 }
}

pub fn account() -> FuelMeter {
    FuelMeter::open(ScriptLimits::default())
}

/// One of the two languages, as a test sees it.
pub trait Tongue {
    type Guest;
    const EXTENSION: &'static str;
    fn survey(files: &[Script], account: &FuelMeter) -> Result<Vec<Declaration>, Vec<ScriptError>>;
    fn build(files: &[Script], account: &FuelMeter) -> Result<Self::Guest, Vec<ScriptError>>;
    fn call(guest: &Self::Guest, index: usize, arguments: &[Scalar]) -> Result<HookResult, ScriptError>;
    fn is_spoilt(guest: &Self::Guest) -> bool;
    /// A file with a hook of two arguments and one result, with `body` from line 2 on, and a good hook after it.
    fn file(body: &str) -> String;
}

#[cfg(any(feature = "luau", feature = "lua54"))]
pub struct Lua;

#[cfg(any(feature = "luau", feature = "lua54"))]
impl Tongue for Lua {
    type Guest = houserule_scripts::LuaGuest;
    const EXTENSION: &'static str = "lua";
    fn survey(files: &[Script], account: &FuelMeter) -> Result<Vec<Declaration>, Vec<ScriptError>> {
        houserule_scripts::lua::survey(files, account)
    }
    fn build(files: &[Script], account: &FuelMeter) -> Result<Self::Guest, Vec<ScriptError>> {
        houserule_scripts::LuaGuest::build(files, account)
    }
    fn call(guest: &Self::Guest, index: usize, arguments: &[Scalar]) -> Result<HookResult, ScriptError> {
        guest.run_hook(index, &words(arguments), None)
    }
    fn is_spoilt(guest: &Self::Guest) -> bool {
        guest.is_spoilt()
    }
    fn file(body: &str) -> String {
        format!(
            "on('e', {{ name = 'bad', reads = {{'a', 'b'}}, writes = {{'r'}} }}, function(a, b)\n{body}\nend)\n\
             on('e', {{ name = 'good', reads = {{'a', 'b'}}, writes = {{'r'}} }}, function(a, b) return a + b end)\n"
        )
    }
}

#[cfg(feature = "rhai")]
pub struct Rhai;

#[cfg(feature = "rhai")]
impl Tongue for Rhai {
    type Guest = houserule_scripts::RhaiGuest;
    const EXTENSION: &'static str = "rhai";
    fn survey(files: &[Script], account: &FuelMeter) -> Result<Vec<Declaration>, Vec<ScriptError>> {
        houserule_scripts::rhai::survey(files, account)
    }
    fn build(files: &[Script], account: &FuelMeter) -> Result<Self::Guest, Vec<ScriptError>> {
        houserule_scripts::RhaiGuest::build(files, account)
    }
    fn call(guest: &Self::Guest, index: usize, arguments: &[Scalar]) -> Result<HookResult, ScriptError> {
        guest.run_hook(index, &words(arguments), None)
    }
    fn is_spoilt(guest: &Self::Guest) -> bool {
        guest.is_spoilt()
    }
    fn file(body: &str) -> String {
        format!(
            "on(\"e\", #{{ name: \"bad\", reads: [\"a\", \"b\"], writes: [\"r\"] }}, |a, b| {{\n{body}\n}});\n\
             on(\"e\", #{{ name: \"good\", reads: [\"a\", \"b\"], writes: [\"r\"] }}, |a, b| a + b);\n"
        )
    }
}

/// A file under the pack name that its language has.
pub fn script<T: Tongue>(text: &str) -> Script {
    file(&format!("p/hooks/x.{}", T::EXTENSION), text)
}

/// What a hook gives, of whom it is asserted that it gives the same again, in this guest and in a fresh one.
pub fn called<T: Tongue>(
    guest: &T::Guest,
    files: &[Script],
    account: &FuelMeter,
    index: usize,
) -> Result<HookResult, ScriptError> {
    let call = |guest: &T::Guest| {
        account.refill();
        T::call(guest, index, &numbers(&[7, 2]))
    };
    let first = call(guest);
    let words = |result: &Result<HookResult, ScriptError>| format!("{result:?}");
    if !T::is_spoilt(guest) {
        assert_eq!(words(&call(guest)), words(&first), "called again");
    }
    assert_eq!(words(&call(&T::build(files, account).unwrap())), words(&first), "called in a fresh guest");
    first
}

/// What the hook with this body gives for 7 and 2, loading included.
pub fn run<T: Tongue>(body: &str) -> Result<Scalar, ScriptError> {
    let (account, files) = (account(), [script::<T>(&T::file(body))]);
    T::survey(&files, &account).map_err(|mut wrong| wrong.remove(0))?;
    let guest = T::build(&files, &account).map_err(|mut wrong| wrong.remove(0))?;
    called::<T>(&guest, &files, &account, 0).map(|mut out| out.remove(0))
}
