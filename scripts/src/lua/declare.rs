//! The words that a file may say once: `on`, `wrap` and `mute`.

use super::library::{Failed, function};
use super::trace;
use crate::declaration::{Options, RawOption, word};
use crate::handover::Handover;
use crate::scalar::{ConversionError, whole, whole_of_float};
use houserule_kernel::script::{Declared, Scalar};
use mlua::{Function, Lua, MultiValue, Table, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// One call of a word, not yet checked.
#[derive(Debug)]
pub(super) struct LuaDeclaration {
    pub(super) deed: Declared,
    /// Number of the file, and line.
    pub(super) place: (usize, u32),
    /// The event or name, the options, and the function that all but a mute have.
    pub(super) said: Result<(String, Options, Option<Function>), String>,
}

/// What the files said so far.
#[derive(Debug, Default)]
pub(super) struct LuaDeclarations {
    pub(super) calls: Vec<LuaDeclaration>,
    /// No more is heard.
    pub(super) closed: bool,
}

/// Teaches a machine the words.
pub(super) fn teach(lua: &Lua, passage: &Handover) -> mlua::Result<Rc<RefCell<LuaDeclarations>>> {
    let heard = Rc::new(RefCell::new(LuaDeclarations::default()));
    for deed in [Declared::On, Declared::Wrap, Declared::Mute] {
        let heard = Rc::clone(&heard);
        let work = move |lua: &Lua, _: &Handover, call: MultiValue| hear(lua, &heard, deed, call);
        lua.globals().raw_set(word(deed), function(lua, passage, work)?)?;
    }
    Ok(heard)
}

fn hear(lua: &Lua, heard: &RefCell<LuaDeclarations>, deed: Declared, call: MultiValue) -> Result<(), Failed> {
    let mut heard = heard.borrow_mut();
    if heard.closed {
        return Err(format!("`{}` belongs at file level, not into a hook", word(deed)).into());
    }
    let place = lua.inspect_stack(1, trace::place).flatten().unwrap_or_default();
    heard.calls.push(LuaDeclaration { deed, place, said: take_apart(deed, call) });
    Ok(())
}

fn take_apart(deed: Declared, call: MultiValue) -> Result<(String, Options, Option<Function>), String> {
    let mut values: Vec<Value> = call.into_iter().collect();
    let function = match (deed, values.pop()) {
        (Declared::Mute, Some(last)) => {
            values.push(last);
            None
        }
        (Declared::On | Declared::Wrap, Some(Value::Function(function))) => Some(function),
        _ => return Err(usage(deed)),
    };
    match (deed, values.as_slice()) {
        (_, [Value::String(first), Value::Table(said)]) => Ok((first.to_string_lossy(), options(said)?, function)),
        (Declared::Wrap | Declared::Mute, [Value::String(first)]) => {
            Ok((first.to_string_lossy(), Options::new(), function))
        }
        _ => Err(usage(deed)),
    }
}

fn usage(deed: Declared) -> String {
    match deed {
        Declared::On => "write `on(\"event\", { name = \"…\" }, function(…) … end)`",
        Declared::Wrap => "write `wrap(\"hook\", function(inner, …) … end)`",
        Declared::Mute => "write `mute(\"hook\", { because = \"…\" })`",
    }
    .to_owned()
}

fn options(table: &Table) -> Result<Options, String> {
    let mut options = Options::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| error.to_string())?;
        let Value::String(key) = key else { return Err("options are written `name = value`".to_owned()) };
        options.insert(key.to_string_lossy(), said(&value)?);
    }
    Ok(options)
}

fn said(value: &Value) -> Result<RawOption, String> {
    Ok(match value {
        Value::String(text) => RawOption::Text(text.to_string_lossy()),
        Value::Integer(number) => number_said(whole(*number))?,
        Value::Number(number) => number_said(whole_of_float(*number))?,
        Value::Table(table) => list(table)?,
        other => RawOption::Other(other.type_name()),
    })
}

fn number_said(scalar: Result<Scalar, ConversionError>) -> Result<RawOption, String> {
    match scalar {
        Ok(Scalar::Number(number)) => Ok(RawOption::Number(number)),
        Ok(_) => Ok(RawOption::Other("number")),
        Err(wrong) => Err(wrong.message().to_owned()),
    }
}

/// A list of strings, or what else the table is.
fn list(table: &Table) -> Result<RawOption, String> {
    let mut names = Vec::new();
    for value in table.sequence_values::<Value>() {
        match value.map_err(|error| error.to_string())? {
            Value::String(name) => names.push(name.to_string_lossy()),
            other => {
                return Ok(RawOption::Other(if other.is_table() { "list of tables" } else { "list of other things" }));
            }
        }
    }
    let all = table.pairs::<Value, Value>().count() == names.len();
    Ok(if all { RawOption::List(names) } else { RawOption::Other("table with names") })
}
