//! What lists can do. What a function is given has been paid for when it was read; what it makes beyond that, and every
//! item that it hands to a function, is paid for here.

use super::RhaiResult;
use super::price::{pay, units};
use super::texts::shown;
use crate::budget::FuelMeter;
use ::rhai::{Array, Dynamic, Engine, FnPtr, FuncRegistration, INT, NativeCallContext};
use std::cmp::Ordering;

/// Teaches an engine a function that leaves what it is asked of unchanged, so that constants have it too.
macro_rules! asking {
    ($engine:expr, $name:expr, $work:expr) => {
        FuncRegistration::new($name).with_purity(true).register_into_engine($engine, $work);
    };
}
pub(super) use asking;

/// Teaches an engine the functions.
pub(super) fn teach(engine: &mut Engine, account: &FuelMeter) {
    engine.register_iterator::<Array>();
    reading(engine);
    changing(engine, account);
    with_functions(engine, account);
    finding(engine, account);
}

fn reading(engine: &mut Engine) {
    FuncRegistration::new_getter("len")
        .with_purity(true)
        .register_into_engine(engine, |list: &mut Array| count(list.len()));
    FuncRegistration::new_getter("is_empty")
        .with_purity(true)
        .register_into_engine(engine, |list: &mut Array| list.is_empty());
    asking!(engine, "len", |list: &mut Array| count(list.len()));
    asking!(engine, "is_empty", |list: &mut Array| list.is_empty());
    asking!(engine, "contains", |list: &mut Array, wanted: Dynamic| list.iter().any(|item| equal(item, &wanted)));
    asking!(engine, "index_of", |list: &mut Array, wanted: Dynamic| {
        list.iter().position(|item| equal(item, &wanted)).map_or(-1, count)
    });
    asking!(engine, "extract", |list: &mut Array, start: INT| part(list, start, INT::MAX));
    asking!(engine, "extract", |list: &mut Array, start: INT, len: INT| part(list, start, len));
    asking!(engine, "==", |one: &mut Array, other: Array| all_equal(one, &other));
    asking!(engine, "!=", |one: &mut Array, other: Array| !all_equal(one, &other));
    engine.register_fn("+", |mut one: Array, other: Array| {
        one.extend(other);
        one
    });
}

fn changing(engine: &mut Engine, account: &FuelMeter) {
    engine.register_fn("push", |list: &mut Array, item: Dynamic| list.push(item));
    engine.register_fn("append", |list: &mut Array, other: Array| list.extend(other));
    engine.register_fn("insert", |list: &mut Array, at: INT, item: Dynamic| list.insert(place(list, at), item));
    engine.register_fn("pop", |list: &mut Array| list.pop().unwrap_or_default());
    engine.register_fn("shift", |list: &mut Array| if list.is_empty() { Dynamic::UNIT } else { list.remove(0) });
    engine.register_fn("remove", |list: &mut Array, at: INT| {
        let at = place(list, at);
        if at < list.len() { list.remove(at) } else { Dynamic::UNIT }
    });
    engine.register_fn("clear", |list: &mut Array| list.clear());
    engine.register_fn("truncate", |list: &mut Array, len: INT| list.truncate(size(len)));
    engine.register_fn("chop", |list: &mut Array, len: INT| drop(list.drain(..list.len().saturating_sub(size(len)))));
    engine.register_fn("reverse", |list: &mut Array| list.reverse());
    engine.register_fn("dedup", |list: &mut Array| list.dedup_by(|one, other| equal(one, other)));
    engine.register_fn("sort", |list: &mut Array| sort(list));
    let account = account.clone();
    engine.register_fn("pad", move |list: &mut Array, len: INT, item: Dynamic| -> RhaiResult<()> {
        let more = size(len).saturating_sub(list.len()) as u64;
        pay(&account, more.saturating_mul(1 + units(&item)))?;
        list.resize(list.len().max(size(len)), item);
        Ok(())
    });
}

/// How functions of lists call what they are given.
struct Asker {
    account: FuelMeter,
    name: &'static str,
}

impl Asker {
    fn ask(&self, call: &NativeCallContext<'_>, function: &FnPtr, item: &Dynamic, at: usize) -> RhaiResult<Dynamic> {
        pay(&self.account, 1 + units(item))?;
        function.call_raw_with_extra_args(self.name, call, None, [item.clone()], [count(at).into()], None)
    }

    fn agrees(&self, call: &NativeCallContext<'_>, function: &FnPtr, item: &Dynamic, at: usize) -> RhaiResult<bool> {
        Ok(self.ask(call, function, item, at)?.as_bool().unwrap_or(false))
    }

    fn first(
        &self,
        call: &NativeCallContext<'_>,
        list: &Array,
        function: &FnPtr,
        wanted: bool,
    ) -> RhaiResult<Option<usize>> {
        for (at, item) in list.iter().enumerate() {
            if self.agrees(call, function, item, at)? == wanted {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    fn fold(
        &self,
        call: &NativeCallContext<'_>,
        list: &Array,
        function: &FnPtr,
        start: Dynamic,
    ) -> RhaiResult<Dynamic> {
        let mut sum = start;
        for (at, item) in list.iter().enumerate() {
            pay(&self.account, 1 + units(item) + units(&sum))?;
            let both = [sum, item.clone()];
            sum = function.call_raw_with_extra_args(self.name, call, None, both, [count(at).into()], None)?;
        }
        Ok(sum)
    }

    /// Takes those out that a function agrees with, or those that it does not.
    fn take(
        &self,
        call: &NativeCallContext<'_>,
        list: &mut Array,
        function: &FnPtr,
        wanted: bool,
    ) -> RhaiResult<Array> {
        let (mut stay, mut leave) = (Array::new(), Array::new());
        for (at, item) in std::mem::take(list).into_iter().enumerate() {
            let agrees = self.agrees(call, function, &item, at)?;
            if agrees == wanted { leave.push(item) } else { stay.push(item) }
        }
        *list = stay;
        Ok(leave)
    }
}

fn with_functions(engine: &mut Engine, account: &FuelMeter) {
    let asker = |name| Asker { account: account.clone(), name };
    let map = asker("map");
    asking!(engine, "map", move |call: NativeCallContext<'_>,
                                 list: &mut Array,
                                 function: FnPtr|
          -> RhaiResult<Array> {
        list.iter().enumerate().map(|(at, item)| map.ask(&call, &function, item, at)).collect()
    });
    let each = asker("for_each");
    asking!(engine, "for_each", move |call: NativeCallContext<'_>,
                                      list: &mut Array,
                                      function: FnPtr|
          -> RhaiResult<()> {
        list.iter().enumerate().try_for_each(|(at, item)| each.ask(&call, &function, item, at).map(drop))
    });
    let filter = asker("filter");
    asking!(engine, "filter", move |call: NativeCallContext<'_>,
                                    list: &mut Array,
                                    function: FnPtr|
          -> RhaiResult<Array> {
        let mut kept = Array::new();
        for (at, item) in list.iter().enumerate() {
            if filter.agrees(&call, &function, item, at)? {
                kept.push(item.clone());
            }
        }
        Ok(kept)
    });
    let retain = asker("retain");
    engine.register_fn("retain", move |call: NativeCallContext<'_>, list: &mut Array, function: FnPtr| {
        retain.take(&call, list, &function, false)
    });
    let drain = asker("drain");
    engine.register_fn("drain", move |call: NativeCallContext<'_>, list: &mut Array, function: FnPtr| {
        drain.take(&call, list, &function, true)
    });
    let reduce = asker("reduce");
    asking!(engine, "reduce", move |call: NativeCallContext<'_>, list: &mut Array, function: FnPtr| {
        reduce.fold(&call, list, &function, Dynamic::UNIT)
    });
    let reduce = asker("reduce");
    asking!(engine, "reduce", move |call: NativeCallContext<'_>, list: &mut Array, function: FnPtr, start: Dynamic| {
        pay(&reduce.account, units(&start))?;
        reduce.fold(&call, list, &function, start)
    });
}

fn finding(engine: &mut Engine, account: &FuelMeter) {
    let asker = |name| Asker { account: account.clone(), name };
    let find = asker("find");
    asking!(engine, "find", move |call: NativeCallContext<'_>,
                                  list: &mut Array,
                                  function: FnPtr|
          -> RhaiResult<Dynamic> {
        let found = find.first(&call, list, &function, true)?;
        Ok(found.and_then(|at| list.get(at)).cloned().unwrap_or_default())
    });
    let index_of = asker("index_of");
    asking!(engine, "index_of", move |call: NativeCallContext<'_>,
                                      list: &mut Array,
                                      function: FnPtr|
          -> RhaiResult<INT> {
        Ok(index_of.first(&call, list, &function, true)?.map_or(-1, count))
    });
    let some = asker("some");
    asking!(engine, "some", move |call: NativeCallContext<'_>,
                                  list: &mut Array,
                                  function: FnPtr|
          -> RhaiResult<bool> { Ok(some.first(&call, list, &function, true)?.is_some()) });
    let all = asker("all");
    asking!(engine, "all", move |call: NativeCallContext<'_>, list: &mut Array, function: FnPtr| -> RhaiResult<bool> {
        Ok(all.first(&call, list, &function, false)?.is_none())
    });
}

/// A length as scripts count.
pub(super) fn count(number: usize) -> INT {
    INT::try_from(number).unwrap_or(INT::MAX)
}

/// A length that a script gave.
pub(super) fn size(number: INT) -> usize {
    usize::try_from(number).unwrap_or(0)
}

/// A place in so many; less than 0 counts from the end.
pub(super) fn place_in(len: usize, at: INT) -> usize {
    match usize::try_from(at) {
        Ok(at) => at.min(len),
        Err(_) => len.saturating_sub(usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX)),
    }
}

fn place(list: &Array, at: INT) -> usize {
    place_in(list.len(), at)
}

fn part(list: &Array, start: INT, len: INT) -> Array {
    list.iter().skip(place(list, start)).take(size(len)).cloned().collect()
}

fn all_equal(one: &Array, other: &Array) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
}

/// Whether two values are the same; values of different kinds never are.
pub(super) fn equal(one: &Dynamic, other: &Dynamic) -> bool {
    if let (Ok(one), Ok(other)) = (one.as_array_ref(), other.as_array_ref()) {
        return all_equal(&one, &other);
    }
    if let (Ok(one), Ok(other)) = (one.as_map_ref(), other.as_map_ref()) {
        let entries = one.iter().zip(other.iter());
        return one.len() == other.len() && { entries }.all(|((k, v), (l, w))| k == l && equal(v, w));
    }
    if let (Some(one), Some(other)) = (super::api::entity(one), super::api::entity(other)) {
        return one == other;
    }
    one.is_unit() && other.is_unit() || order(one, other) == Some(Ordering::Equal)
}

/// How two numbers, texts, characters or answers stand to each other.
fn order(one: &Dynamic, other: &Dynamic) -> Option<Ordering> {
    if let (Ok(one), Ok(other)) = (one.as_int(), other.as_int()) {
        return Some(one.cmp(&other));
    }
    if let (Ok(one), Ok(other)) = (one.as_immutable_string_ref(), other.as_immutable_string_ref()) {
        return Some(one.as_str().cmp(other.as_str()));
    }
    if let (Ok(one), Ok(other)) = (one.as_char(), other.as_char()) {
        return Some(one.cmp(&other));
    }
    Some(one.as_bool().ok()?.cmp(&other.as_bool().ok()?))
}

fn sort(list: &mut Array) -> RhaiResult<()> {
    let first = list.first().cloned().unwrap_or_default();
    if let Some(other) = list.iter().skip(1).find(|item| order(&first, item).is_none()) {
        let (one, other) = (shown(&first), shown(other));
        return Err(
            format!("`sort` cannot compare `{one}` and `{other}`; give it a function, such as `|a, b| a - b`").into()
        );
    }
    list.sort_by(|one, other| order(one, other).unwrap_or(Ordering::Equal));
    Ok(())
}
