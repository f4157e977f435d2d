//! Moves scalars between a hook and its host; what a rule cannot use is refused by name.

use crate::scalar::{self, Scalar, Scalars};
use ::rhai::{Dynamic, FnPtr, FuncArgs};

/// What a hook gets: `inner` first if it wraps, then the scalars.
pub(super) struct Arguments<'a> {
    pub(super) inner: Option<&'a FnPtr>,
    pub(super) scalars: &'a [Scalar],
}

impl FuncArgs for Arguments<'_> {
    fn parse<ARGS: Extend<Dynamic>>(self, arguments: &mut ARGS) {
        arguments.extend(self.inner.map(|inner| Dynamic::from(inner.clone())));
        arguments.extend(self.scalars.iter().map(to_rhai));
    }
}

fn to_rhai(value: &Scalar) -> Dynamic {
    match value {
        Scalar::Nothing => Dynamic::UNIT,
        Scalar::Number(number) => Dynamic::from_int((*number).into()),
        Scalar::Truth(truth) => Dynamic::from_bool(*truth),
        Scalar::Name(name) => Dynamic::from(name.as_ref().to_owned()),
    }
}

/// The results as a script gets them: nothing, one value, or a list.
pub(super) fn to_value(scalars: &[Scalar]) -> Dynamic {
    match scalars {
        [] => Dynamic::UNIT,
        [one] => to_rhai(one),
        many => Dynamic::from_array(many.iter().map(to_rhai).collect()),
    }
}

/// What a hook returned: one value, or a list with one for each name in `writes`.
pub(super) fn results(value: &Dynamic, writes: usize) -> Result<Scalars, String> {
    let mut out = Scalars::new();
    match value.as_array_ref() {
        Ok(list) => {
            if list.len() > writes {
                return Err(scalar::too_many(list.len(), writes));
            }
            for value in list.iter() {
                out.push(from_rhai(value)?);
            }
        }
        Err(_) if value.is_unit() => {}
        Err(_) if writes == 0 => return Err(scalar::too_many(1, 0)),
        Err(_) => out.push(from_rhai(value)?),
    }
    out.resize(writes, Scalar::Nothing);
    Ok(out)
}

/// What a script hands over.
pub(super) fn from_rhai(value: &Dynamic) -> Result<Scalar, String> {
    if value.is_unit() {
        return Ok(Scalar::Nothing);
    }
    if let Ok(number) = value.as_int() {
        return scalar::whole(number);
    }
    if let Ok(truth) = value.as_bool() {
        return Ok(Scalar::Truth(truth));
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        return scalar::name(&text);
    }
    Err(scalar::wrong_type(what(value)))
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
