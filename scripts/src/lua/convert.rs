//! Moves values between Lua and its host; what a rule cannot use is refused by name.

use super::api::{handle, held};
use crate::api::Type;
use crate::handle::{EventHandle, RollHandle};
use crate::scalar::{self, ConversionError, LONGEST_NAME, LONGEST_TEXT};
use crate::value::{NamedScalars, ScriptValue as Given};
use houserule_kernel::script::{HookResult, Scalar};
use mlua::{AnyUserData, Function, IntoLua, Lua, MultiValue, Table, Value};
use std::collections::BTreeMap;

/// How a hook is called, in the values of Lua.
pub(super) enum Entrance<'a> {
    /// With the words that it reads.
    Words(&'a [Scalar]),
    /// With the event.
    Event(&'a AnyUserData),
}

/// Calls a hook. The outer error is the machine's, the inner one a value that cannot cross.
pub(super) fn call(
    lua: &Lua,
    hook: &Function,
    inner: Option<&Function>,
    entrance: Entrance<'_>,
    writes: usize,
) -> mlua::Result<Result<HookResult, ConversionError>> {
    let arguments = match entrance {
        Entrance::Words(words) => words,
        Entrance::Event(event) => {
            return hook.call::<MultiValue>((event, inner)).map(|out| many(&out, writes));
        }
    };
    let one = |value: &Scalar| into_lua(lua, value);
    match (inner, arguments, writes) {
        (None, [], 0..=1) => hook.call::<(Value, Value)>(()).map(|out| few(&out, writes)),
        (None, [a], 0..=1) => hook.call::<(Value, Value)>(one(a)?).map(|out| few(&out, writes)),
        (None, [a, b], 0..=1) => hook.call::<(Value, Value)>((one(a)?, one(b)?)).map(|out| few(&out, writes)),
        (None, [a, b, c], 0..=1) => {
            hook.call::<(Value, Value)>((one(a)?, one(b)?, one(c)?)).map(|out| few(&out, writes))
        }
        _ => hook.call::<MultiValue>(into_lua_all(lua, inner, arguments)?).map(|out| many(&out, writes)),
    }
}

fn into_lua_all(lua: &Lua, inner: Option<&Function>, arguments: &[Scalar]) -> mlua::Result<MultiValue> {
    let first = inner.map(|inner| Ok(Value::Function(inner.clone())));
    first.into_iter().chain(arguments.iter().map(|value| into_lua(lua, value))).collect()
}

fn into_lua(lua: &Lua, value: &Scalar) -> mlua::Result<Value> {
    Ok(match value {
        Scalar::Nothing => Value::Nil,
        Scalar::Number(number) => Value::Integer((*number).into()),
        Scalar::YesNo(answer) => Value::Boolean(*answer),
        Scalar::Name(name) => name.as_ref().into_lua(lua)?,
        Scalar::Entity(who) => Value::LightUserData(handle(*who)),
    })
}

/// Several scalars as a script gets them.
pub(super) fn to_values(lua: &Lua, scalars: &[Scalar]) -> mlua::Result<MultiValue> {
    into_lua_all(lua, None, scalars)
}

/// What a word gives, as a script gets it.
pub(super) fn to_lua(lua: &Lua, value: &Given) -> mlua::Result<Value> {
    match value {
        Given::One(one) => into_lua(lua, one),
        Given::List(list) => {
            let values = list.iter().map(|one| into_lua(lua, one)).collect::<mlua::Result<Vec<_>>>()?;
            Ok(Value::Table(lua.create_sequence_from(values)?))
        }
        Given::Table(table) => {
            let made = lua.create_table()?;
            table.iter().try_for_each(|(name, value)| made.raw_set(&**name, into_lua(lua, value)?))?;
            Ok(Value::Table(made))
        }
        Given::Event => Ok(Value::UserData(lua.create_any_userdata(EventHandle)?)),
        Given::Roll(thrown) => Ok(Value::UserData(lua.create_any_userdata(RollHandle(thrown.clone()))?)),
    }
}

/// What a script hands to a word that wants this type.
pub(super) fn from_lua(value: &Value, wants: Type) -> Result<Given, ConversionError> {
    match (value, wants) {
        (Value::Table(table), Type::Table | Type::Options(_)) => named(&plain(table)).map(Given::Table),
        (Value::Table(table), _) => list(&plain(table)).map(Given::List),
        (Value::UserData(_) | Value::LightUserData(_), _) => handed(value),
        (Value::String(_), Type::Text) => scalar(value, LONGEST_TEXT).map(Given::One),
        _ => scalar(value, LONGEST_NAME).map(Given::One),
    }
}

fn handed(value: &Value) -> Result<Given, ConversionError> {
    match value {
        Value::LightUserData(who) => held(*who).map(|who| Given::One(Scalar::Entity(who))),
        Value::UserData(rolled) if rolled.is::<RollHandle>() => {
            rolled.borrow::<RollHandle>().ok().map(|rolled| Given::Roll(rolled.0.clone()))
        }
        Value::UserData(event) if event.is::<EventHandle>() => Some(Given::Event),
        _ => None,
    }
    .ok_or_else(|| unfit("value of this type"))
}

fn unfit(what: &str) -> ConversionError {
    ConversionError::Kind(format!("a {what} cannot be handed to the host"))
}

/// Elements of the longest list or table that a script hands over.
const MOST_ELEMENTS: usize = 64;

fn too_long() -> ConversionError {
    ConversionError::Range(format!("a list or table for the host has at most {MOST_ELEMENTS} entries"))
}

/// The table behind a frozen one.
fn plain(table: &Table) -> Table {
    let behind = table.metatable().and_then(|meta| meta.raw_get::<Table>("__index").ok());
    behind.unwrap_or_else(|| table.clone())
}

fn list(table: &Table) -> Result<Vec<Scalar>, ConversionError> {
    let mut list = Vec::new();
    for value in table.sequence_values::<Value>().take(MOST_ELEMENTS + 1) {
        list.push(scalar(&value.map_err(|error| ConversionError::Kind(error.to_string()))?, LONGEST_NAME)?);
    }
    if list.len() > MOST_ELEMENTS { Err(too_long()) } else { Ok(list) }
}

/// The entries of a table, by name.
fn named(table: &Table) -> Result<NamedScalars, ConversionError> {
    let mut entries = BTreeMap::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| ConversionError::Kind(error.to_string()))?;
        let Value::String(key) = key else {
            return Err(ConversionError::Kind("options are written `name = value`".into()));
        };
        entries.insert(key.to_string_lossy().into_boxed_str(), scalar(&value, LONGEST_NAME)?);
        if entries.len() > MOST_ELEMENTS {
            return Err(too_long());
        }
    }
    Ok(entries.into_iter().collect())
}

fn few((first, second): &(Value, Value), writes: usize) -> Result<HookResult, ConversionError> {
    let got = if second.is_nil() { usize::from(!first.is_nil()) } else { 2 };
    if got > writes {
        return Err(scalar::too_many(got, writes));
    }
    Ok(if writes == 0 { HookResult::new() } else { HookResult::from_iter([returned(first)?]) })
}

fn many(values: &MultiValue, writes: usize) -> Result<HookResult, ConversionError> {
    if values.iter().skip(writes).any(|value| !value.is_nil()) {
        return Err(scalar::too_many(values.len(), writes));
    }
    let mut out = values.iter().take(writes).map(returned).collect::<Result<HookResult, ConversionError>>()?;
    out.resize(writes, Scalar::Nothing);
    Ok(out)
}

fn returned(value: &Value) -> Result<Scalar, ConversionError> {
    match value {
        Value::Nil | Value::Boolean(_) | Value::Integer(_) | Value::Number(_) | Value::String(_) => {
            scalar(value, LONGEST_NAME)
        }
        Value::UserData(_) | Value::LightUserData(_) => match handed(value) {
            Ok(Given::One(who)) => Ok(who),
            _ => Err(scalar::wrong_type("roll or event")),
        },
        other => Err(scalar::wrong_type(other.type_name())),
    }
}

fn scalar(value: &Value, longest: usize) -> Result<Scalar, ConversionError> {
    match value {
        Value::Nil => Ok(Scalar::Nothing),
        Value::Boolean(answer) => Ok(Scalar::YesNo(*answer)),
        Value::Integer(number) => scalar::whole(*number),
        Value::Number(number) => scalar::whole_of_float(*number),
        Value::String(text) => {
            let text = text.to_str().map_err(|_| ConversionError::Range("a name must be valid text".to_owned()))?;
            scalar::name(&text, longest)
        }
        Value::UserData(_) | Value::LightUserData(_) => match handed(value)? {
            Given::One(who) => Ok(who),
            _ => Err(unfit("roll or event")),
        },
        other => Err(unfit(other.type_name())),
    }
}
