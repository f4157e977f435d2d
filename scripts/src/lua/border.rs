//! Moves scalars between a hook and its host; what a rule cannot use is refused by name.

use crate::scalar::{self, Scalar, Scalars};
use mlua::{Function, IntoLua, Lua, MultiValue, Value};

/// Calls a hook. The outer error is the machine's, the inner one a value that cannot cross.
pub(super) fn call(
    lua: &Lua,
    hook: &Function,
    inner: Option<&Function>,
    arguments: &[Scalar],
    writes: usize,
) -> mlua::Result<Result<Scalars, String>> {
    let all = || into_lua_all(lua, inner, arguments);
    let one = |value: &Scalar| into_lua(lua, value);
    match (inner, arguments, writes) {
        (None, [], 0..=1) => hook.call::<(Value, Value)>(()).map(|out| few(out, writes)),
        (None, [a], 0..=1) => hook.call::<(Value, Value)>(one(a)?).map(|out| few(out, writes)),
        (None, [a, b], 0..=1) => hook.call::<(Value, Value)>((one(a)?, one(b)?)).map(|out| few(out, writes)),
        (None, [a, b, c], 0..=1) => {
            hook.call::<(Value, Value)>((one(a)?, one(b)?, one(c)?)).map(|out| few(out, writes))
        }
        _ => hook.call::<MultiValue>(all()?).map(|out| many(out, writes)),
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
        Scalar::Truth(truth) => Value::Boolean(*truth),
        Scalar::Name(name) => name.as_ref().into_lua(lua)?,
    })
}

/// The results as a script gets them.
pub(super) fn to_values(lua: &Lua, scalars: &[Scalar]) -> Result<MultiValue, String> {
    into_lua_all(lua, None, scalars).map_err(|error| error.to_string())
}

fn few((first, second): (Value, Value), writes: usize) -> Result<Scalars, String> {
    let got = if second.is_nil() { usize::from(!first.is_nil()) } else { 2 };
    if got > writes {
        return Err(scalar::too_many(got, writes));
    }
    Ok(if writes == 0 { Scalars::new() } else { Scalars::from_iter([from_lua(&first)?]) })
}

fn many(values: MultiValue, writes: usize) -> Result<Scalars, String> {
    if values.iter().skip(writes).any(|value| !value.is_nil()) {
        return Err(scalar::too_many(values.len(), writes));
    }
    let mut out = from_values(values.iter().take(writes))?;
    out.resize(writes, Scalar::Nothing);
    Ok(out)
}

/// What a script hands over.
pub(super) fn from_values<'a>(values: impl Iterator<Item = &'a Value>) -> Result<Scalars, String> {
    values.map(from_lua).collect()
}

fn from_lua(value: &Value) -> Result<Scalar, String> {
    match value {
        Value::Nil => Ok(Scalar::Nothing),
        Value::Boolean(truth) => Ok(Scalar::Truth(*truth)),
        Value::Integer(number) => scalar::whole(*number),
        Value::Number(number) => scalar::whole_of_float(*number),
        Value::String(text) => {
            let text = text.to_str().map_err(|_| "a name must be valid text".to_owned())?;
            scalar::name(&text)
        }
        other => Err(scalar::wrong_type(other.type_name())),
    }
}
