//! What work costs: each operation, and the size of whatever is read or made. So all bytes that an intent can make are
//! bounded by its fuel, whatever holds them.

use crate::budget::{FuelMeter, ScriptStop};
use crate::handle::RollHandle;
use ::rhai::{Dynamic, EvalAltResult, FnPtr, Position};

/// Fuel of one operation of the engine.
pub(super) const OPERATION: u64 = 4;
/// Bytes that one unit of fuel pays for: one place of a list.
const UNIT: usize = 16;
/// What a list takes besides its places, in units.
const LIST: u64 = 3;
/// What the first entry of a map takes, and each entry.
const NODE: u64 = 29;
const ENTRY: u64 = 6;
/// What a function value takes.
const FUNCTION: u64 = 6;
/// What a handle takes: an entity, the event, a roll, a range.
const HANDLE: u64 = 3;
/// The most that one value may take, in units.
const LARGEST: u64 = 8 << 10;
/// How deep lists and maps nest.
const DEEPEST: u32 = 16;

type Paid = Result<(), Box<EvalAltResult>>;

/// Pays for so many units. A value beyond all bounds stops the intent.
pub(super) fn pay(account: &FuelMeter, units: u64) -> Paid {
    if units == 0 {
        return Ok(());
    }
    if units > LARGEST {
        account.halt(ScriptStop::Size);
    }
    account.spend(units).map(drop).map_err(|stop| {
        // Not as a termination, which the engine would blame on the outermost call.
        Box::new(EvalAltResult::ErrorRuntime(stop.sentence().into(), Position::NONE))
    })
}

/// The units of so many bytes of text.
pub(super) fn text(bytes: usize) -> u64 {
    (bytes / UNIT) as u64
}

/// The units of a map without what it holds.
fn map<'a>(keys: impl Iterator<Item = &'a str>) -> u64 {
    keys.enumerate().fold(LIST, |sum, (at, key)| sum + if at == 0 { NODE } else { 0 } + ENTRY + text(key.len()))
}

/// The units of a value: what copying it touches beyond its own place.
pub(super) fn units(value: &Dynamic) -> u64 {
    held(value, 0)
}

fn held(value: &Dynamic, depth: u32) -> u64 {
    if value.is_int() || value.is_bool() || value.is_unit() || value.is_char() {
        return 0;
    }
    if let Ok(string) = value.as_immutable_string_ref() {
        return text(string.len());
    }
    if let Ok(list) = value.as_array_ref() {
        return nested(depth, LIST, list.len() as u64, list.iter());
    }
    if let Ok(entries) = value.as_map_ref() {
        return nested(depth, map(entries.keys().map(|key| key.as_str())), 0, entries.values());
    }
    if let Some(function) = value.read_lock::<FnPtr>() {
        return FUNCTION + function.iter_curry().map(|kept| 1 + held(kept, depth)).sum::<u64>();
    }
    value.read_lock::<RollHandle>().map_or(HANDLE, |roll| HANDLE + text(roll.0.faces.len() * size_of::<i32>()))
}

fn nested<'a>(depth: u32, own: u64, places: u64, items: impl Iterator<Item = &'a Dynamic>) -> u64 {
    if depth == DEEPEST {
        return LARGEST + 1;
    }
    items.fold(own.saturating_add(places), |sum, item| sum.saturating_add(held(item, depth + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::rhai::Array;

    #[test]
    fn scalars_are_free_and_places_count() {
        assert_eq!(units(&Dynamic::from(7_i64)), 0);
        assert_eq!(units(&Dynamic::from("a short name")), 0);
        assert_eq!(units(&Dynamic::from("x".repeat(160))), 10);
        assert_eq!(units(&Dynamic::from_array(vec![Dynamic::UNIT; 10])), LIST + 10);
    }

    #[test]
    fn what_nests_too_deep_is_too_large() {
        let nest =
            |times: u32| (0..times).fold(Dynamic::from_array(Array::new()), |list, _| Dynamic::from_array(vec![list]));
        assert!(units(&nest(DEEPEST - 1)) <= LARGEST);
        assert!(units(&nest(DEEPEST)) > LARGEST);
        assert!(units(&nest(500)) > LARGEST);
    }
}
