//! Moves values between Rhai and its host; what a rule cannot use is refused by name.

use super::api::EntityHandle;
use crate::api::Type;
use crate::handle::{EventHandle, RollHandle};
use crate::scalar::{self, ConversionError, LONGEST_NAME, LONGEST_TEXT};
use crate::value::ScriptValue;
use ::rhai::{Dynamic, FnPtr, FuncArgs, Map};
use houserule_kernel::script::{HookCall, HookResult, Scalar};

/// What a hook gets: with words the scalars, `inner` first if it wraps; else the event, and `inner` after it.
pub(super) struct HookArguments<'a> {
    pub(super) inner: Option<&'a FnPtr>,
    pub(super) call: &'a HookCall,
}

impl FuncArgs for HookArguments<'_> {
    fn parse<ARGS: Extend<Dynamic>>(self, arguments: &mut ARGS) {
        let inner = self.inner.map(|inner| Dynamic::from(inner.clone()));
        match self.call {
            HookCall::Words(words) => {
                arguments.extend(inner);
                arguments.extend(words.iter().map(one_to_rhai));
            }
            HookCall::Event => {
                arguments.extend([Dynamic::from(EventHandle)]);
                arguments.extend(inner);
            }
        }
    }
}

fn one_to_rhai(value: &Scalar) -> Dynamic {
    match value {
        Scalar::Nothing => Dynamic::UNIT,
        Scalar::Number(number) => Dynamic::from_int((*number).into()),
        Scalar::YesNo(answer) => Dynamic::from_bool(*answer),
        Scalar::Name(name) => Dynamic::from(name.as_ref().to_owned()),
        Scalar::Entity(who) => Dynamic::from(EntityHandle(*who)),
    }
}

/// Several scalars as a script gets them: nothing, one value, or a list.
pub(super) fn to_value(scalars: &[Scalar]) -> Dynamic {
    match scalars {
        [] => Dynamic::UNIT,
        [one] => one_to_rhai(one),
        many => Dynamic::from_array(many.iter().map(one_to_rhai).collect()),
    }
}

/// What a word gives, as a script gets it.
pub(super) fn to_rhai(value: &ScriptValue) -> Dynamic {
    match value {
        ScriptValue::One(one) => one_to_rhai(one),
        ScriptValue::List(list) => Dynamic::from_array(list.iter().map(one_to_rhai).collect()),
        ScriptValue::Table(table) => {
            let entry = |(name, value): &(Box<str>, Scalar)| ((&**name).into(), one_to_rhai(value));
            Dynamic::from_map(table.iter().map(entry).collect::<Map>())
        }
        ScriptValue::Event => Dynamic::from(EventHandle),
        ScriptValue::Roll(thrown) => Dynamic::from(RollHandle(thrown.clone())),
    }
}

/// What a script hands to a word that wants this type.
pub(super) fn from_rhai(value: &Dynamic, wants: Type) -> Result<ScriptValue, ConversionError> {
    if let Ok(list) = value.as_array_ref() {
        return list.iter().map(|one| handed(one, LONGEST_NAME)).collect::<Result<_, _>>().map(ScriptValue::List);
    }
    if let Ok(map) = value.as_map_ref() {
        let entry =
            |(name, value): (&::rhai::Identifier, &Dynamic)| Ok((name.as_str().into(), handed(value, LONGEST_NAME)?));
        return map.iter().map(entry).collect::<Result<_, ConversionError>>().map(ScriptValue::Table);
    }
    if value.is::<EventHandle>() {
        return Ok(ScriptValue::Event);
    }
    if let Some(RollHandle(thrown)) = value.read_lock::<RollHandle>().as_deref() {
        return Ok(ScriptValue::Roll(thrown.clone()));
    }
    handed(value, if wants == Type::Text { LONGEST_TEXT } else { LONGEST_NAME }).map(ScriptValue::One)
}

fn handed(value: &Dynamic, longest: usize) -> Result<Scalar, ConversionError> {
    scalar(value, longest)
        .unwrap_or_else(|| Err(ConversionError::Kind(format!("a {} cannot be handed to the host", what(value)))))
}

/// What a hook returned: one value, or a list with one for each name in `writes`.
pub(super) fn results(value: &Dynamic, writes: usize) -> Result<HookResult, ConversionError> {
    let mut out = HookResult::new();
    match value.as_array_ref() {
        Ok(list) => {
            if list.len() > writes {
                return Err(scalar::too_many(list.len(), writes));
            }
            for value in list.iter() {
                out.push(returned(value)?);
            }
        }
        Err(_) if value.is_unit() => {}
        Err(_) if writes == 0 => return Err(scalar::too_many(1, 0)),
        Err(_) => out.push(returned(value)?),
    }
    out.resize(writes, Scalar::Nothing);
    Ok(out)
}

fn returned(value: &Dynamic) -> Result<Scalar, ConversionError> {
    scalar(value, LONGEST_NAME).unwrap_or_else(|| Err(scalar::wrong_type(what(value))))
}

fn scalar(value: &Dynamic, longest: usize) -> Option<Result<Scalar, ConversionError>> {
    if value.is_unit() {
        return Some(Ok(Scalar::Nothing));
    }
    if let Ok(number) = value.as_int() {
        return Some(scalar::whole(number));
    }
    if let Ok(answer) = value.as_bool() {
        return Some(Ok(Scalar::YesNo(answer)));
    }
    if let Some(who) = value.read_lock::<EntityHandle>() {
        return Some(Ok(Scalar::Entity(who.0)));
    }
    let text = value.as_immutable_string_ref().ok()?;
    Some(scalar::name(&text, longest))
}

fn what(value: &Dynamic) -> &'static str {
    if value.is_array() {
        "list"
    } else if value.is_map() {
        "map"
    } else if value.is_fnptr() {
        "function"
    } else {
        "value of this type"
    }
}
