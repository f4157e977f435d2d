//! `houserule check`: everything that is wrong with packs, their encounters and their scenarios.

use crate::Verdict;
use crate::args::Check;
use crate::packs::{Library, encounters, id_of};
use crate::report::{Finding, Grade, Trouble, in_file};
use crate::screen::Screen;
use crate::stats::Stats;
use houserule::encounter::{self, Encounter};
use houserule::scenario::{Scenario, of_pack};
use houserule::{Diagnostic, Language, Pack, Ruleset, load_with};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;

/// How many missing keys are named in one warning.
const MOST_KEYS: usize = 5;

/// What is found in one pack.
#[derive(Serialize)]
struct Checked {
    pack: String,
    findings: Vec<Finding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Stats>,
}

/// Checks packs, each for itself.
///
/// # Errors
/// If a pack is not found; what is wrong with one that is found is the result.
pub fn check(args: &Check, library: &Library, screen: &mut Screen) -> Result<Verdict, Trouble> {
    let packs: Vec<Pack> = args.wanted.iter().map(|word| library.find(word)).collect::<Result<_, _>>()?;
    let mut checked = Vec::new();
    for (word, pack) in args.wanted.iter().zip(packs) {
        let mut found = examine(word, pack, library)?;
        found.stats = found.stats.filter(|_| args.stats);
        tell(&found, screen);
        checked.push(found);
    }
    let count = |grade| checked.iter().flat_map(|pack| &pack.findings).filter(|finding| finding.grade == grade).count();
    let (errors, warnings) = (count(Grade::Error), count(Grade::Warning));
    screen.give(&json!({ "packs": checked, "errors": errors, "warnings": warnings }));
    Ok(if errors == 0 { Verdict::Fine } else { Verdict::Findings })
}

fn tell(checked: &Checked, screen: &mut Screen) {
    let counted = |grade, one: &str| {
        let count = checked.findings.iter().filter(|finding| finding.grade == grade).count();
        if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
    };
    screen.show(&checked.findings);
    screen.say(&format!("{}: {}, {}", checked.pack, counted(Grade::Error, "problem"), counted(Grade::Warning, "warning")));
    if let Some(stats) = &checked.stats {
        stats.tell(screen);
    }
}

fn examine(word: &str, pack: Pack, library: &Library) -> Result<Checked, Trouble> {
    let mut checked = Checked { pack: id_of(&pack).unwrap_or_else(|| word.to_owned()), findings: Vec::new(), stats: None };
    let packs = library.gather(vec![pack.clone()], &[])?;
    match read_in_every_language(packs, library.languages()) {
        Ok(rules) => {
            checked.findings.extend(untold(&rules, &checked.pack));
            checked.findings.extend(encounters(&pack).flat_map(|(name, text)| of_encounter(&pack, name, text, library)));
            checked.findings.extend(of_pack(&pack).iter().flat_map(|(name, text)| of_scenario(&rules, &checked.pack, name, text)));
            checked.stats = Some(Stats::count(&rules, &checked.pack));
        }
        Err(Trouble(findings)) => checked.findings = findings,
    }
    Ok(checked)
}

/// The rules of packs, read once with each language in front, so that the hooks
/// of every language are looked at.
fn read_in_every_language(packs: Vec<Pack>, languages: &[Arc<dyn Language>]) -> Result<Arc<Ruleset>, Trouble> {
    let mut read = load_with(packs.clone(), &[], languages).map_err(Trouble::from);
    for first in 1..languages.len() {
        let mut order = languages.to_vec();
        order.rotate_left(first);
        let again = load_with(packs.clone(), &[], &order).map_err(Trouble::from);
        read = match (read, again) {
            (Ok(rules), Ok(_)) => Ok(rules),
            (Err(Trouble(mut all)), Err(Trouble(more))) => {
                all.extend(more.into_iter().filter(|finding| !all.contains(finding)).collect::<Vec<_>>());
                Err(Trouble(all))
            }
            (Err(trouble), Ok(_)) | (Ok(_), Err(trouble)) => Err(trouble),
        };
    }
    read
}

fn of_encounter(pack: &Pack, name: &str, text: &str, library: &Library) -> Vec<Finding> {
    let id = id_of(pack).unwrap_or_default();
    let name = format!("{id}/encounters/{name}.toml");
    match seated(pack, &name, text, library) {
        Ok(()) => Vec::new(),
        Err(Trouble(findings)) => findings,
    }
}

/// Reads an encounter and seats everybody, by the packs that it names.
fn seated(pack: &Pack, name: &str, text: &str, library: &Library) -> Result<(), Trouble> {
    let found = |problems: Vec<Diagnostic>| in_file(&problems, text);
    let words = encounter::packs(name, text).map_err(found)?;
    let rules = library.load(vec![pack.clone()], &words)?;
    let encounter = Encounter::read(&rules, name, text).map_err(found)?;
    let table = encounter.lay(&rules, 0)?;
    if let Some((who, _)) = table.state().present().next() {
        table.read(who, &encounter.standing)?;
    }
    Ok(())
}

fn of_scenario(rules: &Ruleset, pack: &str, name: &str, text: &str) -> Vec<Finding> {
    let name = format!("{pack}/scenarios/{name}.toml");
    match Scenario::read(rules, &name, text) {
        Ok(_) => Vec::new(),
        Err(problems) => in_file(&problems, text).0,
    }
}

/// A warning for each language that lacks words which another has.
fn untold(rules: &Ruleset, pack: &str) -> Vec<Finding> {
    let lacks = |language: &str| {
        let missing = rules.texts.missing(language);
        let named = crate::packs::quoted(missing.get(..MOST_KEYS).unwrap_or(&missing));
        let more = if missing.len() > MOST_KEYS { " and others" } else { "" };
        let message = format!("the words of `{language}` lack {} of the keys that another language has: {named}{more}", missing.len());
        let help = format!("add them to `{pack}/text/{language}.toml`");
        (!missing.is_empty()).then(|| Finding::new("HR0909", message).help(help).warning())
    };
    rules.texts.languages().filter_map(lacks).collect()
}
