//! What a file declares when it runs once: hooks, wrappers and mutes, with their options checked.

use crate::error::nearest;
use std::collections::BTreeMap;

/// Which of the three words was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// `on(event, options, fn)`.
    On,
    /// `wrap(name, [options,] fn)`.
    Wrap,
    /// `mute(name, options)`.
    Mute,
}

/// One call of `on`, `wrap` or `mute` at file level.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Declaration {
    /// Which word.
    pub deed: Deed,
    /// The event of `on`; empty for the others.
    pub event: String,
    /// The name of the hook: its own, or the one wrapped or muted.
    pub name: String,
    /// A predicate in the language of formulas.
    pub when: Option<String>,
    /// The fields that the function gets as scalars; without it, the function gets the event.
    pub reads: Option<Vec<String>>,
    /// The fields that its results change, in order.
    pub writes: Vec<String>,
    /// Hooks that come after this one.
    pub before: Vec<String>,
    /// Hooks that come before this one.
    pub after: Vec<String>,
    /// Higher goes first among those free to go.
    pub priority: i32,
    /// Why, for the log.
    pub because: Option<String>,
    /// Whether an error of this hook undoes the hook alone, not the intent.
    pub on_error_skip: bool,
    /// Other options: what the event must say for the hook to be called.
    pub filter: BTreeMap<String, String>,
    /// Pack file.
    pub file: String,
    /// Line from one.
    pub line: u32,
}

/// An option as a script said it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    Text(String),
    Number(i32),
    List(Vec<String>),
    Other(&'static str),
}

impl Said {
    fn kind(&self) -> &'static str {
        match self {
            Said::Text(_) => "string",
            Said::Number(_) => "number",
            Said::List(_) => "list",
            Said::Other(kind) => kind,
        }
    }
}

/// The options of one call, as said.
pub(crate) type Options = BTreeMap<String, Said>;

/// The filters that the host knows for an event, such as `pool` for a pool's events.
pub type KnownFilters<'a> = &'a dyn Fn(&str) -> Vec<String>;

const COMMON: [&str; 6] = ["when", "before", "after", "priority", "because", "on_error"];
const OF_ON: [&str; 3] = ["name", "reads", "writes"];

/// Checks one call and gives what it declares, or the sentence that refuses it.
pub(crate) fn declare(
    deed: Deed,
    first: String,
    mut options: Options,
    filters: &[String],
    (file, line): (&str, u32),
) -> Result<Declaration, String> {
    if first.is_empty() {
        return Err(format!("`{}` wants {} first", word(deed), if deed == Deed::On { "an event" } else { "a name" }));
    }
    refuse_unknown(deed, &options, filters)?;
    let (event, name) = match deed {
        Deed::On => (first, text(&mut options, "name")?.unwrap_or_default()),
        Deed::Wrap | Deed::Mute => (String::new(), first),
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
        on_error_skip: skip(&mut options)?,
        filter: rest(options)?,
        file: file.to_owned(),
        line,
    };
    complete(made)
}

/// What only shows when all options are read.
fn complete(made: Declaration) -> Result<Declaration, String> {
    if made.deed == Deed::Mute && made.because.as_ref().is_none_or(String::is_empty) {
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
pub(crate) fn word(deed: Deed) -> &'static str {
    match deed {
        Deed::On => "on",
        Deed::Wrap => "wrap",
        Deed::Mute => "mute",
    }
}

fn known(deed: Deed, filters: &[String]) -> Vec<&str> {
    match deed {
        Deed::On => COMMON.into_iter().chain(OF_ON).chain(filters.iter().map(String::as_str)).collect(),
        Deed::Wrap => COMMON.to_vec(),
        Deed::Mute => vec!["because", "when"],
    }
}

fn refuse_unknown(deed: Deed, options: &Options, filters: &[String]) -> Result<(), String> {
    let known = known(deed, filters);
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
        Some(Said::Text(text)) => Ok(Some(text)),
        Some(other) => Err(format!("option `{key}` wants a string, not a {}", other.kind())),
    }
}

fn list(options: &mut Options, key: &str) -> Result<Option<Vec<String>>, String> {
    let names = match options.remove(key) {
        None => return Ok(None),
        Some(Said::List(names)) => names,
        Some(other) => return Err(format!("option `{key}` wants a list of strings, not a {}", other.kind())),
    };
    let twice = names.iter().enumerate().find(|(at, name)| names.iter().skip(at + 1).any(|other| other == *name));
    twice.map_or(Ok(Some(names.clone())), |(_, name)| Err(format!("option `{key}` names `{name}` twice")))
}

fn number(options: &mut Options, key: &str) -> Result<i32, String> {
    match options.remove(key) {
        None => Ok(0),
        Some(Said::Number(number)) => Ok(number),
        Some(other) => Err(format!("option `{key}` wants a whole number, not a {}", other.kind())),
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
            Said::Text(text) => Ok((key, text)),
            other => Err(format!("option `{key}` wants a string, not a {}", other.kind())),
        })
        .collect()
}

/// The second of two hooks with one name, if there is one.
pub(crate) fn named_twice(declared: &[Declaration]) -> Option<(&Declaration, &Declaration)> {
    let hooks = || declared.iter().filter(|one| one.deed == Deed::On);
    hooks().enumerate().find_map(|(at, first)| Some((first, hooks().skip(at + 1).find(|two| two.name == first.name)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(options: &[(&str, Said)]) -> Result<Declaration, String> {
        let options = options.iter().map(|(key, said)| ((*key).to_owned(), said.clone())).collect();
        declare(Deed::On, "pool.emptied".into(), options, &["pool".into()], ("a.lua", 1))
    }

    #[test]
    fn other_strings_are_filters_if_the_host_knows_them() {
        let name = ("name", Said::Text("x".into()));
        let made = on(&[name.clone(), ("pool", Said::Text("hp".into()))]).unwrap();
        assert_eq!(made.filter.get("pool").map(String::as_str), Some("hp"));
        let wrong = on(&[name, ("pol", Said::Text("hp".into()))]).unwrap_err();
        assert_eq!(wrong, "`on` has no option `pol`; did you mean `pool`?");
    }

    #[test]
    fn a_hook_without_a_name_is_refused() {
        assert!(on(&[]).unwrap_err().contains("has no name"));
    }

    #[test]
    fn options_of_the_wrong_type_are_refused() {
        let with = |key, said| on(&[("name", Said::Text("x".into())), (key, said)]).unwrap_err();
        assert_eq!(with("reads", Said::Text("total".into())), "option `reads` wants a list of strings, not a string");
        assert_eq!(with("priority", Said::Other("table")), "option `priority` wants a whole number, not a table");
        assert!(with("on_error", Said::Text("ignore".into())).contains("knows only `skip`"));
        assert!(with("writes", Said::List(vec!["a".into()])).contains("no `reads`"));
        assert!(with("after", Said::List(vec!["a".into(), "a".into()])).contains("twice"));
    }

    #[test]
    fn a_mute_gives_its_reason() {
        let bare = declare(Deed::Mute, "x".into(), Options::new(), &[], ("a.lua", 1));
        assert!(bare.unwrap_err().contains("because"));
    }
}
