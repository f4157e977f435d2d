//! The host functions of Rhai beside its packages: errors, digits, frozen values and a sort that ends when it must.

use super::RhaiResult;
use crate::budget::ScriptStop;
use crate::handover::Handover;
use ::rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, INT, ImmutableString, Map, NativeCallContext, Position};

/// Names that belong to the host; a file that defines one of them would hide it from itself.
pub(super) const OWN: [&str; 21] = [
    "abs",
    "assert",
    "ceil",
    "clamp",
    "contains",
    "div_ceil",
    "div_floor",
    "error",
    "floor",
    "frozen",
    "inner",
    "len",
    "max",
    "min",
    "mute",
    "on",
    "sort",
    "sort_by",
    "to_string",
    "tonumber",
    "wrap",
];

/// Teaches an engine the functions.
pub(super) fn teach(engine: &mut Engine, passage: &Handover) {
    engine.register_fn("error", |message: ImmutableString| -> RhaiResult<()> { Err(raised(message.as_str())) });
    engine.register_fn("assert", |holds: bool| assert(holds, "assertion failed"));
    engine.register_fn("assert", |holds: bool, message: ImmutableString| assert(holds, &message));
    engine.register_fn("tonumber", |text: ImmutableString| to_number(&text));
    engine.register_fn("tonumber", |number: INT| number);
    engine.register_fn("frozen", |map: Map| map);
    engine.register_fn("frozen", |list: Array| list);
    for name in ["sort", "sort_by"] {
        let passage = passage.clone();
        let work =
            move |call: NativeCallContext<'_>, list: &mut Array, compare: FnPtr| sort(&passage, &call, list, &compare);
        engine.register_fn(name, work);
        let by_name = |_: &mut Array, _: ImmutableString| -> RhaiResult<()> {
            Err(raised("`sort` wants a function, such as `|a, b| a - b`"))
        };
        engine.register_fn(name, by_name);
    }
}

fn raised(message: &str) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorRuntime(message.into(), Position::NONE))
}

fn assert(holds: bool, message: &str) -> RhaiResult<()> {
    if holds { Ok(()) } else { Err(raised(message)) }
}

fn to_number(text: &str) -> Dynamic {
    text.trim().parse::<i32>().map_or(Dynamic::UNIT, |number| Dynamic::from_int(number.into()))
}

/// A stable sort by insertion. The engine's own swallows what goes wrong in the function, budget stops included.
fn sort(passage: &Handover, call: &NativeCallContext<'_>, list: &mut Array, compare: &FnPtr) -> RhaiResult<()> {
    let mut sorted = Array::with_capacity(list.len());
    for item in std::mem::take(list) {
        let place = place_for(call, &sorted, &item, compare)?;
        passage.account.spend(1).map_err(|stop: ScriptStop| raised(stop.sentence()))?;
        sorted.insert(place, item);
    }
    *list = sorted;
    Ok(())
}

/// Behind all that do not come after the item.
fn place_for(call: &NativeCallContext<'_>, sorted: &[Dynamic], item: &Dynamic, compare: &FnPtr) -> RhaiResult<usize> {
    let (mut low, mut high) = (0, sorted.len());
    while low < high {
        let middle = low.midpoint(high);
        let Some(other) = sorted.get(middle) else { break };
        match comes_first(compare.call_raw(call, None, [item.clone(), other.clone()])?)? {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    Ok(low)
}

fn comes_first(answer: Dynamic) -> RhaiResult<bool> {
    if let Ok(number) = answer.as_int() {
        return Ok(number < 0);
    }
    answer
        .as_bool()
        .map_err(|what| raised(&format!("the function of `sort` returns a number or yes and no, not a {what}")))
}
