//! What texts and characters can do, and how values are written. No address, hash or name of a closure is ever shown.

use super::RhaiResult;
use super::api::NAMES;
use super::lists::{count, place_in, size};
use super::price::{self, pay, units};
use crate::budget::FuelMeter;
use ::rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, INT, ImmutableString, Module};
use std::any::TypeId;
use std::ops::{Range, RangeInclusive};

type TextChange = fn(&str) -> String;

/// Teaches an engine the functions.
pub(super) fn teach(engine: &mut Engine, account: &FuelMeter) {
    loops(engine);
    reading(engine);
    changing(engine, account);
    making(engine, account);
    writing(engine, account);
}

/// What `for` goes through besides lists.
fn loops(engine: &mut Engine) {
    engine.register_iterator::<Range<INT>>();
    engine.register_iterator::<RangeInclusive<INT>>();
    let mut module = Module::new();
    module.set_iter(TypeId::of::<ImmutableString>(), |text| {
        let (text, mut at) = (text.into_immutable_string().unwrap_or_default(), 0);
        Box::new(std::iter::from_fn(move || {
            let letter = text.get(at..)?.chars().next()?;
            at += letter.len_utf8();
            Some(Dynamic::from_char(letter))
        }))
    });
    engine.register_global_module(module.into());
    engine.register_fn("range", |from: INT, to: INT| from..to);
    engine.register_fn("contains", |range: Range<INT>, number: INT| range.contains(&number));
    engine.register_fn("contains", |range: RangeInclusive<INT>, number: INT| range.contains(&number));
}

fn reading(engine: &mut Engine) {
    let len = |text: ImmutableString| count(text.chars().count());
    engine.register_get("len", move |text: &mut ImmutableString| len(text.clone()));
    engine.register_fn("len", len);
    engine.register_get("is_empty", |text: &mut ImmutableString| text.is_empty());
    engine.register_fn("is_empty", |text: ImmutableString| text.is_empty());
    engine.register_fn("contains", |text: ImmutableString, part: Dynamic| {
        Ok::<_, Box<EvalAltResult>>(text.contains(&*piece(&part)?))
    });
    engine.register_fn("starts_with", |text: ImmutableString, part: Dynamic| {
        Ok::<_, Box<EvalAltResult>>(text.starts_with(&*piece(&part)?))
    });
    engine.register_fn("ends_with", |text: ImmutableString, part: Dynamic| {
        Ok::<_, Box<EvalAltResult>>(text.ends_with(&*piece(&part)?))
    });
    engine.register_fn("index_of", |text: ImmutableString, part: Dynamic| -> RhaiResult<INT> {
        let before = text.find(&*piece(&part)?).and_then(|at| text.get(..at));
        Ok(before.map_or(-1, |before| count(before.chars().count())))
    });
}

/// What makes a new text pays for it.
fn changing(engine: &mut Engine, account: &FuelMeter) {
    let paid = |account: &FuelMeter| {
        let account = account.clone();
        move |text: String| pay(&account, price::text(text.len())).map(|()| ImmutableString::from(text))
    };
    let whole: [(&str, &str, TextChange); 3] = [
        ("trimmed", "trim", |text| text.trim().to_owned()),
        ("to_upper", "make_upper", str::to_uppercase),
        ("to_lower", "make_lower", str::to_lowercase),
    ];
    for (new, same, work) in whole {
        let made = paid(account);
        engine.register_fn(new, move |text: ImmutableString| made(work(&text)));
        let made = paid(account);
        engine.register_fn(same, move |text: &mut ImmutableString| made(work(text)).map(|new| *text = new));
    }
    let made = paid(account);
    engine.register_fn("sub_string", move |text: ImmutableString, start: INT| made(part(&text, start, INT::MAX)));
    let made = paid(account);
    engine.register_fn("sub_string", move |text: ImmutableString, start: INT, len: INT| made(part(&text, start, len)));
    let made = paid(account);
    engine.register_fn("sub_string", move |text: ImmutableString, range: Range<INT>| {
        made(part(&text, range.start, range.end.saturating_sub(range.start)))
    });
    let made = paid(account);
    engine.register_fn("truncate", move |text: &mut ImmutableString, len: INT| {
        made(part(text, 0, len)).map(|new| *text = new)
    });
    let made = paid(account);
    engine.register_fn("crop", move |text: &mut ImmutableString, start: INT, len: INT| {
        made(part(text, start, len)).map(|new| *text = new)
    });
    engine.register_fn("clear", |text: &mut ImmutableString| *text = ImmutableString::new());
}

/// What can make more than it was given is paid for before it is made.
fn making(engine: &mut Engine, account: &FuelMeter) {
    let payer = account.clone();
    engine.register_fn("replace", move |text: &mut ImmutableString, old: Dynamic, new: Dynamic| -> RhaiResult<()> {
        let (old, new) = (piece(&old)?, piece(&new)?);
        let bytes = text.matches(&*old).count().saturating_mul(new.len());
        pay(&payer, price::text(bytes))?;
        *text = text.replace(&*old, &new).into();
        Ok(())
    });
    let payer = account.clone();
    engine.register_fn("pad", move |text: &mut ImmutableString, len: INT, with: Dynamic| -> RhaiResult<()> {
        let (with, missing) = (piece(&with)?, size(len).saturating_sub(text.chars().count()));
        pay(&payer, price::text(missing.saturating_mul(with.len())))?;
        let filling: String = with.chars().cycle().take(if with.is_empty() { 0 } else { missing }).collect();
        *text = format!("{text}{filling}").into();
        Ok(())
    });
    let payer = account.clone();
    engine.register_fn("split", move |text: ImmutableString, by: Dynamic| -> RhaiResult<Array> {
        let by = piece(&by)?;
        pieces(&payer, text.split(&*by))
    });
    let payer = account.clone();
    engine.register_fn("split", move |text: ImmutableString| pieces(&payer, text.split_whitespace()));
    for name in ["chars", "to_chars"] {
        let payer = account.clone();
        engine.register_fn(name, move |text: ImmutableString| -> RhaiResult<Array> {
            pay(&payer, text.chars().count() as u64)?;
            Ok(text.chars().map(Dynamic::from_char).collect())
        });
    }
}

fn writing(engine: &mut Engine, account: &FuelMeter) {
    let writer = || {
        let account = account.clone();
        move |value: &Dynamic| -> RhaiResult<String> {
            pay(&account, units(value))?;
            let text = shown(value);
            pay(&account, price::text(text.len()))?;
            Ok(text)
        }
    };
    let write = writer();
    engine.register_fn("to_string", move |value: Dynamic| write(&value));
    let write = writer();
    engine.register_fn("+", move |text: ImmutableString, value: Dynamic| {
        Ok::<_, Box<EvalAltResult>>(format!("{text}{}", write(&value)?))
    });
    let write = writer();
    engine.register_fn("+", move |value: Dynamic, text: ImmutableString| {
        Ok::<_, Box<EvalAltResult>>(format!("{}{text}", write(&value)?))
    });
    let write = writer();
    engine.register_fn("+=", move |text: &mut ImmutableString, value: Dynamic| -> RhaiResult<()> {
        *text = format!("{text}{}", write(&value)?).into();
        Ok(())
    });
}

fn pieces<'a>(account: &FuelMeter, parts: impl Iterator<Item = &'a str>) -> RhaiResult<Array> {
    let mut list = Array::new();
    for part in parts {
        pay(account, 5 + price::text(part.len()))?;
        list.push(Dynamic::from(part.to_owned()));
    }
    Ok(list)
}

/// A text or one character.
fn piece(value: &Dynamic) -> RhaiResult<ImmutableString> {
    if let Ok(text) = value.as_immutable_string_ref() {
        return Ok(text.clone());
    }
    let letter = value.as_char().map_err(|_| format!("a text is wanted here, not `{}`", shown(value)))?;
    Ok(letter.to_string().into())
}

fn part(text: &str, start: INT, len: INT) -> String {
    text.chars().skip(place_in(text.chars().count(), start)).take(size(len)).collect()
}

/// A value as scripts write it.
pub(super) fn shown(value: &Dynamic) -> String {
    match value.as_immutable_string_ref() {
        Ok(text) => text.to_string(),
        Err(_) if value.is_unit() => String::new(),
        Err(_) => inside(value),
    }
}

/// A value as it is written inside a list.
fn inside(value: &Dynamic) -> String {
    if let Ok(text) = value.as_immutable_string_ref() {
        return format!("{:?}", text.as_str());
    }
    if let Ok(list) = value.as_array_ref() {
        return format!("[{}]", list.iter().map(inside).collect::<Vec<_>>().join(", "));
    }
    if let Ok(map) = value.as_map_ref() {
        let entries = map.iter().map(|(key, value)| format!("{:?}: {}", key.as_str(), inside(value)));
        return format!("#{{{}}}", entries.collect::<Vec<_>>().join(", "));
    }
    scalar(value)
}

fn scalar(value: &Dynamic) -> String {
    if let Ok(number) = value.as_int() {
        number.to_string()
    } else if let Ok(answer) = value.as_bool() {
        answer.to_string()
    } else if let Ok(letter) = value.as_char() {
        letter.to_string()
    } else if value.is_unit() {
        "()".to_owned()
    } else if value.is::<FnPtr>() {
        "function".to_owned()
    } else {
        handle(value).to_owned()
    }
}

fn handle(value: &Dynamic) -> &'static str {
    let [(entity, _), (event, _), (roll, _)] = NAMES;
    if value.is::<super::api::EntityHandle>() {
        entity
    } else if value.is::<crate::handle::EventHandle>() {
        event
    } else if value.is::<crate::handle::RollHandle>() {
        roll
    } else {
        "range"
    }
}
