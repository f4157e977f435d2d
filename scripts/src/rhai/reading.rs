//! What happens whenever a variable is read: its size is paid for, and what a closure keeps becomes a copy.
//!
//! The parser makes a closure that uses outer variables a block of two statements. The first turns the variables into
//! cells that are shared, the second reads them to curry the function. Cells could hold each other, and hold without
//! end. So a variable that is found to be a cell is taken out of it before it is read: the cell never leaves its
//! variable, and the closure gets a copy of what it may keep. A constant stays a cell, which is read as a copy ever after.
//! At file level there are only constants, and closures keep them whatever their size: the hook pays when it runs.

use super::api::EntityHandle;
use super::price::{pay, units};
use crate::budget::FuelMeter;
use crate::handle::{EventHandle, RollHandle};
use crate::scalar::LONGEST_NAME;
use ::rhai::{Dynamic, Engine, EvalAltResult, EvalContext, FnPtr};

/// Fuel for looking a name up among the functions of a file.
const LOOK_UP: u64 = 32;

type ReadResult = Result<Option<Dynamic>, Box<EvalAltResult>>;
type Context<'a, 's, 'ps, 'g, 'c, 't> = EvalContext<'a, 's, 'ps, 'g, 'c, 't>;

/// Lets an engine pay for reading.
#[expect(deprecated, reason = "not deprecated but volatile, says the crate; its version is pinned")]
pub(super) fn teach(engine: &mut Engine, account: FuelMeter) {
    engine.on_var(move |name, index, mut context| {
        let value = match index {
            0 => context.scope().get(name),
            _ => context.scope().iter_raw().nth(index - 1).map(|(_, _, value)| value),
        };
        if value.is_some_and(Dynamic::is_shared) {
            return kept(&account, name, &mut context);
        }
        pay(&account, value.map_or(LOOK_UP, units))?;
        Ok(None)
    });
}

/// A variable that the closure being made keeps. The copy cannot be changed: the change would be lost.
fn kept(account: &FuelMeter, name: &str, context: &mut Context<'_, '_, '_, '_, '_, '_>) -> ReadResult {
    let copy = context.scope().get(name).map(Dynamic::flatten_clone).unwrap_or_default();
    pay(account, units(&copy))?;
    if context.call_level() > 0 {
        may_keep(name, &copy)?;
    }
    if let Some(cell) = context.scope_mut().get_mut(name) {
        *cell = cell.take().flatten();
    }
    Ok(Some(copy))
}

/// Closures keep copies of what is small and holds nothing else, so that no chain or circle of them can be made.
fn may_keep(name: &str, value: &Dynamic) -> Result<(), Box<EvalAltResult>> {
    let small = value.is_int() || value.is_bool() || value.is_unit() || value.is_char();
    let handle = value.is::<EntityHandle>() || value.is::<EventHandle>() || value.is::<RollHandle>();
    let text = value.as_immutable_string_ref().is_ok_and(|text| text.len() <= LONGEST_NAME);
    let function = value.read_lock::<FnPtr>().is_some_and(|function| !function.is_curried());
    if small || handle || text || function {
        return Ok(());
    }
    Err(format!(
        "a closure keeps numbers, yes or no, short names and entities, but `{name}` is {}; \
         read what is needed from it before, or use a loop",
        what(value)
    )
    .into())
}

fn what(value: &Dynamic) -> &'static str {
    if value.is_array() {
        "a list"
    } else if value.is_map() {
        "a map"
    } else if value.is_fnptr() {
        "a closure that keeps something itself"
    } else if value.is_string() {
        "a long text"
    } else {
        "something else"
    }
}
