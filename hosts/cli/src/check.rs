//! `houserule check`: everything that is wrong with packs, their encounters and their scenarios.

use crate::args::CheckArgs;
use crate::capped::capped;
use crate::limits::LimitsReport;
use crate::output::Output;
use crate::packs::{ENCOUNTERS, FoundPage, Library, SHEETS, id_of, quoted};
use crate::report::{CliError, Finding, Severity, in_file};
use crate::stats::Stats;
use crate::{ExitStatus, play};
use houserule::coverage::{self, Coverage};
use houserule::kernel::situation::Situation;
use houserule::loader::pack::{TomlTable, read_toml};
use houserule::loader::problems::Problems;
use houserule::scenario::{Scenario, of_pack};
use houserule::sheet::Sheet;
use houserule::{Diagnostic, Fault, Language, Pack, Ruleset, load_with};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many keys are named in one warning.
const MOST_KEYS: usize = 5;

/// What is found in one pack.
#[derive(Serialize)]
struct CheckedPack {
    pack: String,
    findings: Vec<Finding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Stats>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<LimitsReport>,
}

/// Checks packs, each for itself.
///
/// # Errors
/// None: a pack that is not found is told of beside those that are; what is
/// wrong with these is the result.
pub fn check(args: &CheckArgs, library: &Library, screen: &mut Output) -> Result<ExitStatus, CliError> {
    let (mut checked, mut missing) = (Vec::new(), 0);
    for word in &args.wanted {
        let examined = library.find(word).and_then(|pack| examine(word, pack, library));
        let mut found = match examined {
            Ok(found) => found,
            Err(CliError(findings)) => {
                missing += findings.len();
                screen.complain(&findings);
                continue;
            }
        };
        found.stats = found.stats.filter(|_| args.stats);
        found.limits = found.limits.filter(|_| args.limits);
        tell(&found, screen);
        checked.push(found);
    }
    let count = |grade| checked.iter().flat_map(|pack| &pack.findings).filter(|finding| finding.grade == grade).count();
    let (errors, warnings) = (count(Severity::Error) + missing, count(Severity::Warning));
    screen.give(&json!({ "packs": checked, "errors": errors, "warnings": warnings }));
    Ok(if errors == 0 { ExitStatus::Fine } else { ExitStatus::Findings })
}

fn tell(checked: &CheckedPack, screen: &mut Output) {
    let counted = |grade, one: &str| {
        let count = checked.findings.iter().filter(|finding| finding.grade == grade).count();
        if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
    };
    screen.show(&checked.findings);
    screen.say(&format!(
        "{}: {}, {}",
        checked.pack,
        counted(Severity::Error, "problem"),
        counted(Severity::Warning, "warning")
    ));
    if let Some(stats) = &checked.stats {
        stats.tell(screen);
    }
    if let Some(limits) = &checked.limits {
        limits.tell(screen);
    }
}

fn examine(word: &str, pack: Pack, library: &Library) -> Result<CheckedPack, CliError> {
    let mut checked = CheckedPack {
        pack: id_of(&pack).unwrap_or_else(|| word.to_owned()),
        findings: Vec::new(),
        stats: None,
        limits: None,
    };
    let packs = library.gather(vec![pack.clone()], &[])?;
    let all = packs.clone();
    let spoken: BTreeSet<String> = packs.iter().flat_map(languages_of).collect();
    match read_in_every_language(packs, library.languages()) {
        Ok(rules) => {
            let path = |name: &str| library.path_of(&format!("{}/{name}", checked.pack));
            let mut found = untold(&rules, &pack, &path, &spoken);
            found.extend(unread(&pack, &path));
            checked.findings.extend(found);
            checked
                .findings
                .extend(ENCOUNTERS.pages(&pack).flat_map(|(name, text)| of_encounter(&pack, name, text, library)));
            checked
                .findings
                .extend(of_pack(&pack).iter().flat_map(|(name, text)| of_scenario(&rules, &checked.pack, name, text)));
            checked
                .findings
                .extend(SHEETS.pages(&pack).flat_map(|(name, text)| of_sheet(&rules, &checked.pack, name, text)));
            checked.findings.extend(of_coverage(&pack));
            checked.stats = Some(Stats::count(&rules, &checked.pack));
            checked.limits = Some(LimitsReport::of(&rules, &all, library.languages()));
        }
        Err(CliError(findings)) => checked.findings = findings,
    }
    let CliError(hardly_meant) = Box::new(pack.warnings()).into();
    checked.findings.extend(hardly_meant.into_iter().map(Finding::warning));
    checked.findings = library.placed(capped(checked.findings));
    Ok(checked)
}

/// The rules of packs, read once with each language in front, so that the hooks
/// of every language are looked at.
fn read_in_every_language(packs: Vec<Pack>, languages: &[Arc<dyn Language>]) -> Result<Arc<Ruleset>, CliError> {
    let mut read = load_with(packs.clone(), &[], languages).map_err(CliError::from);
    for first in 1..languages.len() {
        let mut order = languages.to_vec();
        order.rotate_left(first);
        let again = load_with(packs.clone(), &[], &order).map_err(CliError::from);
        read = match (read, again) {
            (Ok(rules), Ok(_)) => Ok(rules),
            (Err(CliError(mut all)), Err(CliError(more))) => {
                all.extend(more.into_iter().filter(|finding| !all.contains(finding)).collect::<Vec<_>>());
                Err(CliError(all))
            }
            (Err(trouble), Ok(_)) | (Ok(_), Err(trouble)) => Err(trouble),
        };
    }
    read
}

fn of_encounter(pack: &Pack, name: &str, text: &str, library: &Library) -> Vec<Finding> {
    let name = format!("{}/encounters/{name}.toml", id_of(pack).unwrap_or_default());
    let written = FoundPage { name, text: text.to_owned(), home: Some(pack.clone()) };
    seated(&written, library).unwrap_or_else(|CliError(findings)| findings)
}

/// Reads an encounter and seats everybody, by the packs that it names. Gives
/// what is hardly meant.
fn seated(written: &FoundPage, library: &Library) -> Result<Vec<Finding>, CliError> {
    let (rules, encounter) = play::read(library, written)?;
    let inside = |fault: Fault| fault.during(format!("`{}`", written.name));
    let table = encounter.lay(&rules, 0).map_err(inside)?;
    if let Some((who, _)) = table.state().present().next() {
        table.value(Situation::of(who), &encounter.standing).map_err(inside)?;
    }
    let mut found = encounter.warnings.clone();
    found.extend(encounter.clamped(&table));
    Ok(warnings(&found, &written.text))
}

/// Findings that need not be mended.
fn warnings(found: &[Diagnostic], text: &str) -> Vec<Finding> {
    in_file(found, text).0.into_iter().map(Finding::warning).collect()
}

fn of_scenario(rules: &Arc<Ruleset>, pack: &str, name: &str, text: &str) -> Vec<Finding> {
    let name = format!("{pack}/scenarios/{name}.toml");
    match Scenario::read(rules, &name, text) {
        Ok(scenario) => warnings(&scenario.clamped(rules), text),
        Err(problems) => in_file(&problems, text).0,
    }
}

/// What is wrong with a sheet, or with taking its seat.
fn of_sheet(rules: &Arc<Ruleset>, pack: &str, name: &str, text: &str) -> Vec<Finding> {
    let name = format!("{pack}/sheets/{name}.toml");
    match Sheet::read(rules, &name, text) {
        Ok(sheet) => match sheet.lay(rules) {
            Ok(table) => warnings(&sheet.clamped(&table), text),
            Err(fault) => vec![fault.during(format!("`{name}`")).into()],
        },
        Err(problems) => in_file(&problems, text).0,
    }
}

/// What is wrong with what the pack says that it covers.
fn of_coverage(pack: &Pack) -> Vec<Finding> {
    let wrong = Coverage::read(pack).err().unwrap_or_default();
    in_file(&wrong, pack.file(coverage::FILE).unwrap_or_default()).0
}

/// The languages in which a pack has words for people.
fn languages_of(pack: &Pack) -> Vec<String> {
    let language = |name: &str| Some(name.strip_prefix("text/")?.strip_suffix(".toml")?.to_owned());
    pack.files().filter_map(|(name, _)| language(name)).collect()
}

/// A warning for each language that the packs speak, and that lacks words of
/// this pack which another has. That the kernel speaks more binds no pack.
fn untold(rules: &Ruleset, pack: &Pack, path: &dyn Fn(&str) -> String, spoken: &BTreeSet<String>) -> Vec<Finding> {
    let keys = keys(pack);
    let lacks = |language: &str| {
        let missing: Vec<&String> = keys.iter().filter(|key| rules.texts.template(language, key).is_none()).collect();
        let named = quoted(missing.get(..MOST_KEYS).unwrap_or(&missing));
        let more = if missing.len() > MOST_KEYS { " and others" } else { "" };
        let message = format!("`{language}` has no words for {named}{more}, which other languages have words for");
        let file = path(&format!("text/{language}.toml"));
        let help = format!("add {} to `{file}`", if missing.len() == 1 { "it" } else { "them" });
        (!missing.is_empty()).then(|| Finding::new("HR0909", message).help(help).warning())
    };
    spoken.iter().map(String::as_str).filter_map(lacks).collect()
}

/// A warning for each file that looks like rules or hooks, and is read as neither.
fn unread(pack: &Pack, path: &dyn Fn(&str) -> String) -> Vec<Finding> {
    let script = |name: &str| [".lua", ".rhai"].iter().any(|end| name.to_lowercase().ends_with(end));
    let astray = |name: &str| {
        let room = ["hooks/", "lib/"].iter().any(|room| name.starts_with(room));
        match name.rsplit_once('.') {
            Some((_, end)) if end != end.to_lowercase() => Some("endings are written small, such as `.toml`"),
            _ if script(name) && !room => Some("put it into the folder `hooks`, or into `lib` if others use it"),
            _ => None,
        }
    };
    let looks_like = |name: &str| script(name) || name.to_lowercase().ends_with(".toml");
    let found = pack.core().filter(|(name, _)| looks_like(name)).filter_map(|(name, _)| Some((name, astray(name)?)));
    let warn = |(name, help): (&str, &str)| {
        Finding::new("HR0911", format!("`{}` is read by nobody", path(name))).help(help).warning()
    };
    found.map(warn).collect()
}

/// The keys of a pack's own texts, in whatever language.
fn keys(pack: &Pack) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for (_, text) in pack.files().filter(|(name, _)| name.starts_with("text/") && name.ends_with(".toml")) {
        flatten("", &read_toml(text, 0, &mut Problems::default()), &mut keys);
    }
    keys
}

fn flatten(prefix: &str, table: &TomlTable, into: &mut BTreeSet<String>) {
    for child in table.children() {
        let key = if prefix.is_empty() { child.name.clone() } else { format!("{prefix}.{}", child.name) };
        match child.node.as_table() {
            Some(inner) => flatten(&key, inner, into),
            None => {
                into.insert(key);
            }
        }
    }
}
