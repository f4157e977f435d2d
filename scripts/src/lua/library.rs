//! The host functions that stand under the prelude: text, digits and ordered keys.

use crate::budget::{Account, Stop};
use crate::passage::{Passage, contained};
use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, LuaString, Table, Value};
use std::cmp::Ordering;

/// The table that the prelude gets.
pub(super) fn host_functions(lua: &Lua, passage: &Passage) -> mlua::Result<Table> {
    let host = lua.create_table()?;
    host.raw_set("digits", function(lua, passage, |_, _, value: Value| digits(&value))?)?;
    host.raw_set("tonumber", function(lua, passage, |_, _, value: Value| Ok(to_number(&value)))?)?;
    host.raw_set("join", function(lua, passage, join)?)?;
    host.raw_set("keys", function(lua, passage, |lua, passage, table: Table| keys(lua, passage, &table))?)?;
    host.raw_set("string", strings(lua, passage)?)?;
    Ok(host)
}

/// A host function: it runs only while nothing has stopped the intent, and a panic in it becomes a stop.
pub(super) fn function<A: FromLuaMulti, R: IntoLuaMulti>(
    lua: &Lua,
    passage: &Passage,
    work: impl Fn(&Lua, &Passage, A) -> Result<R, String> + 'static,
) -> mlua::Result<Function> {
    let passage = passage.clone();
    lua.create_function(move |lua, arguments: A| {
        let result = guarded(&passage.account, || work(lua, &passage, arguments));
        result.map_err(|stop: Stop| mlua::Error::runtime(stop.sentence()))?.map_err(mlua::Error::runtime)
    })
}

/// Runs host code for a script: not at all once the intent is stopped, and a panic becomes a stop.
fn guarded<R>(account: &Account, work: impl FnOnce() -> R) -> Result<R, Stop> {
    let result = contained(account, work)?;
    account.stopped().map_or(Ok(result), Err)
}

fn strings(lua: &Lua, passage: &Passage) -> mlua::Result<Table> {
    let strings = lua.create_table()?;
    strings.raw_set("len", function(lua, passage, |_, _, s: Value| Ok(text(&s, "len")?.as_bytes().len()))?)?;
    strings.raw_set("byte", function(lua, passage, |_, _, (s, at): (Value, Option<i64>)| byte(&s, at))?)?;
    strings.raw_set("contains", function(lua, passage, |_, passage, (s, part)| contains(passage, &s, &part))?)?;
    strings.raw_set("upper", function(lua, passage, |lua, passage, s| cased(lua, passage, &s, true))?)?;
    strings.raw_set("lower", function(lua, passage, |lua, passage, s| cased(lua, passage, &s, false))?)?;
    strings.raw_set("sub", function(lua, passage, |lua, passage, (s, from, to)| sub(lua, passage, &s, from, to))?)?;
    strings.raw_set("rep", function(lua, passage, |lua, passage, (s, times)| rep(lua, passage, &s, times))?)?;
    Ok(strings)
}

fn text(value: &Value, who: &str) -> Result<LuaString, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        other => Err(format!("`string.{who}` wants a string, not a {}", other.type_name())),
    }
}

/// A new string, if it is within bounds.
fn made(lua: &Lua, passage: &Passage, bytes: &[u8]) -> Result<LuaString, String> {
    within(passage, bytes.len())?;
    spend(passage, bytes.len())?;
    lua.create_string(bytes).map_err(|error| error.to_string())
}

/// Reading or making text costs fuel by its length.
fn spend(passage: &Passage, length: usize) -> Result<(), String> {
    passage.account.spend(length as u64 / 64).map(|_| ()).map_err(|stop| stop.sentence().to_owned())
}

fn within(passage: &Passage, length: usize) -> Result<(), String> {
    if length <= passage.account.limits().text {
        return Ok(());
    }
    passage.account.halt(Stop::Size);
    Err(Stop::Size.sentence().to_owned())
}

fn byte(s: &Value, at: Option<i64>) -> Result<Option<u8>, String> {
    let s = text(s, "byte")?;
    let bytes = s.as_bytes();
    let at = usize::try_from(at.unwrap_or(1)).ok().and_then(|at| at.checked_sub(1));
    Ok(at.and_then(|at| bytes.get(at).copied()))
}

fn contains(passage: &Passage, s: &Value, part: &Value) -> Result<bool, String> {
    let (s, part) = (text(s, "contains")?, text(part, "contains")?);
    let (s, part) = (s.as_bytes(), part.as_bytes());
    within(passage, s.len())?;
    spend(passage, s.len())?;
    Ok(find(&s, &part))
}

/// Whether the bytes of `part` stand in `s`; as text where both are text, which takes linear time.
fn find(s: &[u8], part: &[u8]) -> bool {
    match (std::str::from_utf8(s), std::str::from_utf8(part)) {
        (Ok(s), Ok(part)) => s.contains(part),
        _ => false,
    }
}

fn cased(lua: &Lua, passage: &Passage, s: &Value, upper: bool) -> Result<LuaString, String> {
    let s = text(s, if upper { "upper" } else { "lower" })?;
    within(passage, s.as_bytes().len())?;
    let cased = if upper { s.as_bytes().to_ascii_uppercase() } else { s.as_bytes().to_ascii_lowercase() };
    made(lua, passage, &cased)
}

fn sub(lua: &Lua, passage: &Passage, s: &Value, from: i64, to: Option<i64>) -> Result<LuaString, String> {
    let s = text(s, "sub")?;
    let bytes = s.as_bytes();
    let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let absolute = |place: i64| if place < 0 { length.saturating_add(place).saturating_add(1) } else { place };
    let from = absolute(from).max(1);
    let to = absolute(to.unwrap_or(-1)).min(length);
    let range = usize::try_from(from - 1).ok().zip(usize::try_from(to).ok());
    made(lua, passage, range.and_then(|(from, to)| bytes.get(from..to)).unwrap_or(&[]))
}

fn rep(lua: &Lua, passage: &Passage, s: &Value, times: i64) -> Result<LuaString, String> {
    let s = text(s, "rep")?;
    let bytes = s.as_bytes();
    let times = if bytes.is_empty() { 0 } else { usize::try_from(times).unwrap_or(0) };
    within(passage, bytes.len().saturating_mul(times))?;
    made(lua, passage, &bytes.repeat(times))
}

fn join(lua: &Lua, passage: &Passage, (a, b): (Value, Value)) -> Result<LuaString, String> {
    let (a, b) = (text(&a, "concat")?, text(&b, "concat")?);
    let (a, b) = (a.as_bytes(), b.as_bytes());
    within(passage, a.len().saturating_add(b.len()))?;
    made(lua, passage, &[&*a, &*b].concat())
}

/// The digits of a whole number, the same in every Lua.
fn digits(value: &Value) -> Result<String, String> {
    match *value {
        Value::Integer(number) => Ok(number.to_string()),
        Value::Number(number) if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 => {
            let sign = if number < 0.0 { "-" } else { "" };
            Ok(format!("{sign}{:.0}", number.abs()))
        }
        _ => Err("`tostring` wants a whole number; round it with `math.div_floor`, `math.floor` or `math.ceil`".into()),
    }
}

/// A number as it is, a string of decimal digits as a number, else nothing.
fn to_number(value: &Value) -> Value {
    match value {
        Value::Integer(_) | Value::Number(_) => value.clone(),
        Value::String(text) => {
            let number = text.to_str().ok().and_then(|text| text.trim().parse::<i32>().ok());
            number.map_or(Value::Nil, |number| Value::Integer(i64::from(number)))
        }
        _ => Value::Nil,
    }
}

/// The keys of a table in order: numbers, then strings by their bytes.
fn keys(lua: &Lua, passage: &Passage, table: &Table) -> Result<Table, String> {
    let mut keys = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, _) = pair.map_err(|error| error.to_string())?;
        if !matches!(key, Value::Integer(_) | Value::Number(_) | Value::String(_)) {
            return Err(format!("`pairs` has an order for numbers and strings as keys, not for a {}", key.type_name()));
        }
        keys.push(key);
    }
    passage.account.spend(keys.len() as u64).map_err(|stop| stop.sentence().to_owned())?;
    keys.sort_by(in_order);
    lua.create_sequence_from(keys).map_err(|error| error.to_string())
}

fn in_order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.as_bytes().cmp(&b.as_bytes()),
        (Value::String(_), _) => Ordering::Greater,
        (_, Value::String(_)) => Ordering::Less,
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        _ => a.as_f64().unwrap_or(0.0).total_cmp(&b.as_f64().unwrap_or(0.0)),
    }
}
