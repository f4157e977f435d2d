//! The host functions that stand under the prelude: text, digits and ordered keys.

use super::meter::{note_text, reach};
use crate::budget::{FuelMeter, ScriptStop};
use crate::handover::{Handover, contained};
use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, LuaString, Table, Value};
use std::cmp::Ordering;

/// The table that the prelude gets.
pub(super) fn host_functions(lua: &Lua, passage: &Handover) -> mlua::Result<Table> {
    let host = lua.create_table()?;
    host.raw_set("digits", function(lua, passage, |_, _, value: Value| digits(&value))?)?;
    host.raw_set("tonumber", function(lua, passage, |_, passage, value: Value| to_number(passage, &value))?)?;
    host.raw_set("join", function(lua, passage, join)?)?;
    host.raw_set("keys", function(lua, passage, |lua, passage, table: Table| keys(lua, passage, &table))?)?;
    host.raw_set("is_entity", lua.create_function(|_, value: Value| Ok(value.is_light_userdata()))?)?;
    host.raw_set("pay_for_holes", function(lua, passage, pay_for_holes)?)?;
    host.raw_set("before", function(lua, passage, |_, passage, (a, b)| before(passage, &a, &b))?)?;
    host.raw_set("note_text", function(lua, passage, note)?)?;
    host.raw_set("string", strings(lua, passage)?)?;
    Ok(host)
}

/// Why a host function failed: the sentence for the rule-writer, or an error of the machine as it is, so that the end
/// of memory stays the end of memory.
pub(super) struct Failed(mlua::Error);

impl From<String> for Failed {
    fn from(sentence: String) -> Failed {
        Failed(mlua::Error::runtime(sentence))
    }
}

impl From<ScriptStop> for Failed {
    fn from(stop: ScriptStop) -> Failed {
        Failed(mlua::Error::runtime(stop.sentence()))
    }
}

impl From<mlua::Error> for Failed {
    fn from(error: mlua::Error) -> Failed {
        Failed(error)
    }
}

/// A host function: it runs only while nothing has stopped the intent, and a panic in it becomes a stop.
pub(super) fn function<A: FromLuaMulti, R: IntoLuaMulti>(
    lua: &Lua,
    passage: &Handover,
    work: impl Fn(&Lua, &Handover, A) -> Result<R, Failed> + 'static,
) -> mlua::Result<Function> {
    let passage = passage.clone();
    lua.create_function(move |lua, arguments: A| {
        let result = guarded(&passage.account, || work(lua, &passage, arguments));
        result.map_err(|stop: ScriptStop| mlua::Error::runtime(stop.sentence()))?.map_err(|Failed(error)| error)
    })
}

/// Runs host code for a script: not at all once the intent is stopped, and a panic becomes a stop.
fn guarded<R>(account: &FuelMeter, work: impl FnOnce() -> R) -> Result<R, ScriptStop> {
    let result = contained(account, work)?;
    account.stopped().map_or(Ok(result), Err)
}

fn strings(lua: &Lua, passage: &Handover) -> mlua::Result<Table> {
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

fn text(value: &Value, who: &str) -> Result<LuaString, Failed> {
    match value {
        Value::String(text) => Ok(text.clone()),
        other => Err(format!("`string.{who}` wants a string, not a {}", other.type_name()).into()),
    }
}

/// A new string, if it is within bounds.
fn made(lua: &Lua, passage: &Handover, bytes: &[u8]) -> Result<LuaString, Failed> {
    note(lua, passage, bytes.len())?;
    Ok(lua.create_string(bytes)?)
}

/// Pays for a text of so many bytes that is about to be made, if it is within bounds.
fn note(lua: &Lua, passage: &Handover, bytes: usize) -> Result<(), Failed> {
    within(passage, bytes)?;
    spend(passage, bytes)?;
    note_text(lua, bytes);
    Ok(())
}

/// Reading or making text costs fuel by its length.
fn spend(passage: &Handover, length: usize) -> Result<(), Failed> {
    passage.account.spend(length as u64 / 64)?;
    Ok(())
}

fn within(passage: &Handover, length: usize) -> Result<(), Failed> {
    if length <= passage.account.limits().text {
        return Ok(());
    }
    passage.account.halt(ScriptStop::Size);
    Err(ScriptStop::Size.into())
}

fn byte(s: &Value, at: Option<i64>) -> Result<Option<u8>, Failed> {
    let s = text(s, "byte")?;
    let bytes = s.as_bytes();
    let at = usize::try_from(at.unwrap_or(1)).ok().and_then(|at| at.checked_sub(1));
    Ok(at.and_then(|at| bytes.get(at).copied()))
}

fn contains(passage: &Handover, s: &Value, part: &Value) -> Result<bool, Failed> {
    let (s, part) = (text(s, "contains")?, text(part, "contains")?);
    let (s, part) = (s.as_bytes(), part.as_bytes());
    within(passage, s.len().max(part.len()))?;
    spend(passage, s.len() + part.len())?;
    Ok(find(&s, &part))
}

/// Whether the bytes of `part` stand in `s`; as text where both are text, which takes linear time.
fn find(s: &[u8], part: &[u8]) -> bool {
    match (std::str::from_utf8(s), std::str::from_utf8(part)) {
        (Ok(s), Ok(part)) => s.contains(part),
        _ => false,
    }
}

fn cased(lua: &Lua, passage: &Handover, s: &Value, upper: bool) -> Result<LuaString, Failed> {
    let s = text(s, if upper { "upper" } else { "lower" })?;
    within(passage, s.as_bytes().len())?;
    let cased = if upper { s.as_bytes().to_ascii_uppercase() } else { s.as_bytes().to_ascii_lowercase() };
    made(lua, passage, &cased)
}

fn sub(lua: &Lua, passage: &Handover, s: &Value, from: i64, to: Option<i64>) -> Result<LuaString, Failed> {
    let s = text(s, "sub")?;
    let bytes = s.as_bytes();
    let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let absolute = |place: i64| if place < 0 { length.saturating_add(place).saturating_add(1) } else { place };
    let from = absolute(from).max(1);
    let to = absolute(to.unwrap_or(-1)).min(length);
    let range = usize::try_from(from - 1).ok().zip(usize::try_from(to).ok());
    made(lua, passage, range.and_then(|(from, to)| bytes.get(from..to)).unwrap_or(&[]))
}

fn rep(lua: &Lua, passage: &Handover, s: &Value, times: i64) -> Result<LuaString, Failed> {
    let s = text(s, "rep")?;
    let bytes = s.as_bytes();
    let times = if bytes.is_empty() { 0 } else { usize::try_from(times).unwrap_or(0) };
    within(passage, bytes.len().saturating_mul(times))?;
    made(lua, passage, &bytes.repeat(times))
}

/// Joins the strings of a list, with a string between them.
fn join(lua: &Lua, passage: &Handover, (pieces, between): (Table, Option<LuaString>)) -> Result<LuaString, Failed> {
    let mut joined = Vec::new();
    for piece in pieces.sequence_values::<LuaString>() {
        if let Some(between) = between.as_ref().filter(|_| !joined.is_empty()) {
            joined.push(between.clone());
        }
        joined.push(piece?);
    }
    let length = joined.iter().map(|piece| piece.as_bytes().len()).fold(0, usize::saturating_add);
    within(passage, length)?;
    let bytes: Vec<u8> = joined.iter().flat_map(|piece| piece.as_bytes().to_vec()).collect();
    made(lua, passage, &bytes)
}

/// The digits of a whole number, the same in every Lua.
fn digits(value: &Value) -> Result<String, Failed> {
    match *value {
        Value::Integer(number) => Ok(number.to_string()),
        Value::Number(number) if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 => {
            let sign = if number < 0.0 { "-" } else { "" };
            Ok(format!("{sign}{:.0}", number.abs()))
        }
        _ => Err("only a whole number can be made a text; round it with `math.div_floor`, `math.floor` or `math.ceil`"
            .to_owned()
            .into()),
    }
}

/// A number as it is, a string of decimal digits as a number, else nothing.
fn to_number(passage: &Handover, value: &Value) -> Result<Value, Failed> {
    Ok(match value {
        Value::Integer(_) | Value::Number(_) => value.clone(),
        Value::String(text) => {
            spend(passage, text.as_bytes().len())?;
            let number = text.to_str().ok().and_then(|text| text.trim().parse::<i32>().ok());
            number.map_or(Value::Nil, |number| Value::Integer(number.into()))
        }
        _ => Value::Nil,
    })
}

/// Fuel of one hole in a table: a new key after it may have the machine build the whole table anew.
const HOLE: u64 = 256;

fn pay_for_holes(lua: &Lua, passage: &Handover, holes: u32) -> Result<(), Failed> {
    passage.account.spend(HOLE.saturating_mul(reach(lua)).saturating_mul(holes.into()))?;
    Ok(())
}

/// Whether a string stands before another, by their bytes.
fn before(passage: &Handover, a: &LuaString, b: &LuaString) -> Result<bool, Failed> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    spend(passage, a.len().min(b.len()))?;
    Ok(*a < *b)
}

/// Bytes of a key for one fuel; to be sorted, a key is read again and again.
const SORTED: u64 = 16;

/// The keys of a table in order: numbers, then strings by their bytes, then entities by their number.
fn keys(lua: &Lua, passage: &Handover, table: &Table) -> Result<Table, Failed> {
    let mut keys = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, _) = pair?;
        if !matches!(key, Value::Integer(_) | Value::Number(_) | Value::String(_) | Value::LightUserData(_)) {
            return Err("`pairs` has an order for numbers, strings and entities as keys, not for others"
                .to_owned()
                .into());
        }
        passage.account.spend(1 + key.as_string().map_or(0, |name| name.as_bytes().len()) as u64 / SORTED)?;
        keys.push(key);
    }
    keys.sort_by(in_order);
    Ok(lua.create_sequence_from(keys)?)
}

fn in_order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.as_bytes().cmp(&b.as_bytes()),
        (Value::LightUserData(a), Value::LightUserData(b)) => a.0.addr().cmp(&b.0.addr()),
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        _ => kind(a).cmp(&kind(b)).then_with(|| a.as_f64().unwrap_or(0.0).total_cmp(&b.as_f64().unwrap_or(0.0))),
    }
}

fn kind(key: &Value) -> u8 {
    match key {
        Value::LightUserData(_) => 2,
        Value::String(_) => 1,
        _ => 0,
    }
}
