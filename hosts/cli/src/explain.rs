//! `houserule explain`: where a number, a hook, a switch, a rule or an error comes from.

use crate::args::{ExplainArgs, ExplainTopic};
use crate::output::Output;
use crate::packs::{ENCOUNTERS, Library};
use crate::report::{CliError, Finding};
use crate::{ExitStatus, codes, play};
use houserule::Explain;
use houserule::explain::{Explanation, explain_hooks, explain_option, explain_rule};
use houserule::kernel::ident::NameKind;
use houserule::{Fault, Ruleset, Table};

/// Explains one thing.
///
/// # Errors
/// If there is no such thing, or everything that is wrong with its pack.
pub fn explain(args: &ExplainArgs, library: &Library, screen: &mut Output) -> Result<ExitStatus, CliError> {
    let account = match &args.what {
        None => return codes::explain(args.code.as_deref().unwrap_or_default(), screen),
        Some(ExplainTopic::Stat { number, encounter }) => stat(number, encounter, library)?,
        Some(ExplainTopic::Hooks { event, pack }) => of_pack(explain_hooks, event, pack, library)?,
        Some(ExplainTopic::Option { name, pack }) => of_pack(explain_option, name, pack, library)?,
        Some(ExplainTopic::Rule { name, pack }) => rule(name, pack, library)?,
    };
    screen.tell(account.to_text().trim_end());
    screen.give(&account);
    Ok(ExitStatus::Fine)
}

fn of_pack(
    explain: fn(&Ruleset, &str, &str) -> Result<Explanation, Fault>,
    name: &str,
    pack: &str,
    library: &Library,
) -> Result<Explanation, CliError> {
    let rules = library.load(Vec::new(), &[pack.to_owned()])?;
    Ok(explain(&rules, name, "en")?)
}

fn rule(name: &str, pack: &str, library: &Library) -> Result<Explanation, CliError> {
    let rules = library.load(Vec::new(), &[pack.to_owned()])?;
    explain_rule(&rules, name, "en").map_err(|fault| match kinds_of(&rules, name).as_slice() {
        [] => fault.into(),
        full => Finding::new("HR0541", format!("`{name}` is not the full name of a rule"))
            .help(format!("did you mean {}?", full.join(" or ")))
            .into(),
    })
}

/// The full names of rules that end with a name without its kind.
fn kinds_of(rules: &Ruleset, name: &str) -> Vec<String> {
    let full = rules.lexicon.names(NameKind::Rule);
    let known = full.iter().filter(|rule| rule.split_once('.').is_some_and(|(_, rest)| rest == name));
    known.map(|rule| format!("`{rule}`")).collect()
}

/// A number as it is when everybody is seated and nothing has happened yet.
fn stat(number: &str, encounter: &str, library: &Library) -> Result<Explanation, CliError> {
    let (rules, encounter) = play::read(library, &library.page(ENCOUNTERS, encounter)?)?;
    let table = encounter.lay(&rules, encounter.seed.unwrap_or_default())?;
    let (who, stat) = split(&table, number)?;
    match stat.split_once('.') {
        Some((stat, view)) => Ok(table.explain_stat(who, stat, Some(view), "en")?),
        None => Ok(table.explain_stat(who, stat, None, "en")?),
    }
}

/// Whose number it is, and which: names of people may have dots themselves.
fn split<'a>(table: &Table, number: &'a str) -> Result<(&'a str, &'a str), CliError> {
    let places = || number.match_indices('.').filter_map(|(at, _)| Some((number.get(..at)?, number.get(at + 1..)?)));
    let known = places().find(|(who, _)| table.state().find(who).is_some());
    known.or_else(|| places().next()).ok_or_else(|| {
        let finding = Finding::new("HR0908", format!("`{number}` does not say whose number it is"));
        finding.help(format!("write `WHO.{number}`, or `WHO.{number}.VIEW` for a view")).into()
    })
}
