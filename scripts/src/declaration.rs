//! What a file declares when it runs once: hooks, wrappers and mutes, with their options checked.

use crate::error::{ScriptError, ScriptErrorKind};
use houserule_kernel::error::{Span, nearest};
use houserule_kernel::event::{FieldType, HIT_FIELDS, KERNEL_EVENTS};
use houserule_kernel::script::{Declaration, Declared};
use std::collections::BTreeMap;

/// An option as a script said it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RawOption {
    Text(String),
    Number(i32),
    List(Vec<String>),
    Other(&'static str),
}

impl RawOption {
    fn kind(&self) -> &'static str {
        match self {
            RawOption::Text(_) => "string",
            RawOption::Number(_) => "number",
            RawOption::List(_) => "list",
            RawOption::Other(kind) => kind,
        }
    }
}

/// The options of one call, as said.
pub(crate) type Options = BTreeMap<String, RawOption>;

/// What an event can be chosen by, if the kernel knows the event; a pack's own events are checked when packs are read.
pub(crate) fn filters_of(event: &str) -> Option<Vec<&'static str>> {
    let fields = match KERNEL_EVENTS.iter().find(|(known, ..)| *known == event) {
        Some((_, fields, _)) => fields,
        None if event.starts_with("damage/") => HIT_FIELDS,
        None => return None,
    };
    let named = fields.iter().filter(|(_, field)| matches!(field, FieldType::Name(_)));
    Some(named.map(|(name, _)| *name).collect())
}

/// What every hook may say of itself; a wrapper and a mute only say why.
const OF_ON: [&str; 10] =
    ["name", "when", "bearer", "before", "after", "priority", "because", "on_error", "reads", "writes"];

/// Checks one call and gives what it declares, or the sentence that refuses it.
pub(crate) fn declare(deed: Declared, first: String, mut options: Options, span: Span) -> Result<Declaration, String> {
    if first.is_empty() {
        return Err(format!(
            "`{}` wants {} first",
            word(deed),
            if deed == Declared::On { "an event" } else { "a name" }
        ));
    }
    refuse_unknown(deed, &options, &first)?;
    let (event, name) = match deed {
        Declared::On => (first, text(&mut options, "name")?.unwrap_or_default()),
        Declared::Wrap | Declared::Mute => (String::new(), first),
    };
    if name.is_empty() {
        return Err(format!(
            "this hook on `{event}` has no name; say `name = \"…\"` so that others can wrap or mute it"
        ));
    }
    let made = Declaration {
        deed,
        event,
        name,
        when: text(&mut options, "when")?,
        reads: list(&mut options, "reads")?,
        writes: list(&mut options, "writes")?.unwrap_or_default(),
        before: list(&mut options, "before")?.unwrap_or_default(),
        after: list(&mut options, "after")?.unwrap_or_default(),
        priority: number(&mut options, "priority")?,
        because: text(&mut options, "because")?,
        everybody: everybody(&mut options)?,
        skip: skip(&mut options)?,
        filters: rest(options)?,
        span,
    };
    complete(made)
}

/// What only shows when all options are read.
fn complete(made: Declaration) -> Result<Declaration, String> {
    if made.deed == Declared::Mute && made.because.as_ref().is_none_or(String::is_empty) {
        return Err(format!("`mute` of `{}` gives no reason; say `because = \"…\"` for the log", made.name));
    }
    if made.reads.is_none() && !made.writes.is_empty() {
        return Err(format!(
            "`{}` has `writes` but no `reads`; a hook that gets the event changes its fields",
            made.name
        ));
    }
    Ok(made)
}

/// The word of a deed, as scripts say it.
pub(crate) fn word(deed: Declared) -> &'static str {
    match deed {
        Declared::On => "on",
        Declared::Wrap => "wrap",
        Declared::Mute => "mute",
    }
}

fn refuse_unknown(deed: Declared, options: &Options, first: &str) -> Result<(), String> {
    let mut known = vec!["because"];
    if deed == Declared::On {
        let Some(filters) = filters_of(first) else { return Ok(()) };
        known = OF_ON.into_iter().chain(filters).collect();
    }
    let Some(wrong) = options.keys().find(|key| !known.contains(&key.as_str())) else { return Ok(()) };
    let way_out = match nearest(wrong, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are `{}`", known.join("`, `")),
    };
    Err(format!("`{}` has no option `{wrong}`; {way_out}", word(deed)))
}

fn text(options: &mut Options, key: &str) -> Result<Option<String>, String> {
    match options.remove(key) {
        None => Ok(None),
        Some(RawOption::Text(text)) => Ok(Some(text)),
        Some(other) => Err(format!("option `{key}` wants a string, not a {}", other.kind())),
    }
}

fn list(options: &mut Options, key: &str) -> Result<Option<Vec<String>>, String> {
    let names = match options.remove(key) {
        None => return Ok(None),
        Some(RawOption::List(names)) => names,
        Some(other) => return Err(format!("option `{key}` wants a list of strings, not a {}", other.kind())),
    };
    let twice = names.iter().enumerate().find(|(at, name)| names.iter().skip(at + 1).any(|other| other == *name));
    twice.map_or(Ok(Some(names.clone())), |(_, name)| Err(format!("option `{key}` names `{name}` twice")))
}

fn number(options: &mut Options, key: &str) -> Result<i32, String> {
    match options.remove(key) {
        None => Ok(0),
        Some(RawOption::Number(number)) => Ok(number),
        Some(other) => Err(format!("option `{key}` wants a whole number, not a {}", other.kind())),
    }
}

fn everybody(options: &mut Options) -> Result<bool, String> {
    match text(options, "bearer")?.as_deref() {
        None => Ok(false),
        Some("everybody") => Ok(true),
        Some(other) => Err(format!(
            "option `bearer` knows only `everybody`, not `{other}`; leave it out to hear of whom the event is about"
        )),
    }
}

fn skip(options: &mut Options) -> Result<bool, String> {
    match text(options, "on_error")?.as_deref() {
        None => Ok(false),
        Some("skip") => Ok(true),
        Some(other) => {
            Err(format!("option `on_error` knows only `skip`, not `{other}`; leave it out to stop the action"))
        }
    }
}

fn rest(options: Options) -> Result<BTreeMap<String, String>, String> {
    options
        .into_iter()
        .map(|(key, said)| match said {
            RawOption::Text(text) => Ok((key, text)),
            other => Err(format!("option `{key}` wants a string, not a {}", other.kind())),
        })
        .collect()
}

/// The error of a name that two hooks have, if there is one; `places` are those of the declarations.
pub(crate) fn named_twice(declared: &[Declaration], places: &[(String, u32)]) -> Option<ScriptError> {
    let mut known: BTreeMap<&str, &(String, u32)> = BTreeMap::new();
    for (one, place) in declared.iter().zip(places).filter(|(one, _)| one.deed == Declared::On) {
        if let Some((file, line)) = known.insert(&one.name, place) {
            let message = format!("there is a hook `{}` already, in {file}:{line}", one.name);
            return Some(ScriptError::at(ScriptErrorKind::Declaration, &place.0, place.1, None, message));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(options: &[(&str, RawOption)]) -> Result<Declaration, String> {
        let options = options.iter().map(|(key, said)| ((*key).to_owned(), said.clone())).collect();
        declare(Declared::On, "pool.emptied".into(), options, Span::default())
    }

    #[test]
    fn other_strings_are_filters_if_the_host_knows_them() {
        let name = ("name", RawOption::Text("x".into()));
        let made = on(&[name.clone(), ("pool", RawOption::Text("hp".into()))]).unwrap();
        assert_eq!(made.filters.get("pool").map(String::as_str), Some("hp"));
        let wrong = on(&[name, ("pol", RawOption::Text("hp".into()))]).unwrap_err();
        assert_eq!(wrong, "`on` has no option `pol`; did you mean `pool`?");
    }

    #[test]
    fn a_hook_without_a_name_is_refused() {
        assert!(on(&[]).unwrap_err().contains("has no name"));
    }

    #[test]
    fn options_of_the_wrong_type_are_refused() {
        let with = |key, said| on(&[("name", RawOption::Text("x".into())), (key, said)]).unwrap_err();
        assert_eq!(
            with("reads", RawOption::Text("total".into())),
            "option `reads` wants a list of strings, not a string"
        );
        assert_eq!(with("priority", RawOption::Other("table")), "option `priority` wants a whole number, not a table");
        assert!(with("on_error", RawOption::Text("ignore".into())).contains("knows only `skip`"));
        assert!(with("writes", RawOption::List(vec!["a".into()])).contains("no `reads`"));
        assert!(with("after", RawOption::List(vec!["a".into(), "a".into()])).contains("twice"));
    }

    #[test]
    fn a_mute_gives_its_reason() {
        let bare = declare(Declared::Mute, "x".into(), Options::new(), Span::default());
        assert!(bare.unwrap_err().contains("because"));
    }
}
