//! What packs ask to be allowed in one intent, and what they can do beyond data: for whoever decides about them.

use crate::output::Output;
use crate::packs::id_of;
use crate::stats::Stats;
use houserule::kernel::budget::{Budget, COUNTED};
use houserule::kernel::layer::{LayerNote, PatchOp};
use houserule::kernel::script::{Declaration, Declared, Script};
use houserule::loader::pack::{MOST_BYTES, MOST_BYTES_IN_FILE, MOST_FILES};
use houserule::{Fault, Language, Pack, Ruleset};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The codes of stops that a larger budget could avoid: fuel, counts, nesting.
const STOPS: [&str; 3] = ["HR0404", "HR0520", "HR0526"];
/// How many names of a kind are shown to people.
const MOST_NAMES: usize = 12;

/// The words of scripts that do more than read, by what they do.
const POWERS: [(&str, &[&str]); 6] = [
    ("roll dice", &["check", "roll"]),
    ("ask", &["ask", "choose", "choose_some", "order", "ruling"]),
    ("say texts", &["say"]),
    ("refuse", &["prevent", "refuse"]),
    ("raise events", &["raise"]),
    (
        "change the table",
        &[
            "add_count",
            "add_pool",
            "apply",
            "damage",
            "extend",
            "heal",
            "remove",
            "resume",
            "set_note",
            "set_pool",
            "shift",
            "suspend",
            "sustain",
            "tag",
            "untag",
        ],
    ),
];

/// The table of counts, and the powers of each pack.
#[derive(Debug, Serialize)]
pub struct LimitsReport {
    counts: Vec<LimitRow>,
    packs: Vec<Powers>,
}

/// One count of a budget.
#[derive(Debug, Serialize)]
struct LimitRow {
    name: &'static str,
    what: &'static str,
    default: u32,
    ceiling: u32,
    /// What each pack asks for that asks for any.
    asked: BTreeMap<String, u32>,
}

/// What a pack can do.
#[derive(Debug, Default, Serialize)]
struct Powers {
    pack: String,
    files: usize,
    bytes: usize,
    largest: usize,
    rules: u32,
    /// Why it asks for more, if it does.
    because: Option<String>,
    /// How many hooks it has in each language.
    hooks: BTreeMap<&'static str, u32>,
    listens: BTreeSet<String>,
    wraps: BTreeSet<String>,
    mutes: BTreeSet<String>,
    writes: BTreeSet<String>,
    /// Words that stand in its scripts, by what they do.
    words: BTreeMap<&'static str, BTreeSet<&'static str>>,
    changes: BTreeSet<String>,
    replaces: BTreeSet<String>,
    removes: BTreeSet<String>,
}

impl LimitsReport {
    /// Of all packs of a ruleset.
    pub fn of(rules: &Ruleset, packs: &[Pack], languages: &[Arc<dyn Language>]) -> LimitsReport {
        let declared: Vec<_> = languages.iter().flat_map(|language| declared(rules, packs, language)).collect();
        let named = rules.packs.iter().filter_map(|known| pack_of(packs, &known.id));
        LimitsReport { counts: counts(rules), packs: named.map(|pack| Powers::of(rules, pack, &declared)).collect() }
    }

    /// Tells the counts, then each pack.
    pub fn tell(&self, screen: &mut Output) {
        let line = |name: &str, what: &str, default: &str, ceiling: &str, asked: &str| {
            format!("  {name:<9}{what:<26}{default:>9}  {ceiling:>9}  {asked}").trim_end().to_owned()
        };
        screen.say(&line("limit", "of one intent", "default", "ceiling", "asked for"));
        for LimitRow { name, what, default, ceiling, asked } in &self.counts {
            let asked: Vec<String> = asked.iter().map(|(pack, amount)| format!("{amount} by `{pack}`")).collect();
            screen.say(&line(name, what, &default.to_string(), &ceiling.to_string(), &asked.join(", ")));
        }
        self.packs.iter().for_each(|pack| pack.tell(screen));
    }
}

fn counts(rules: &Ruleset) -> Vec<LimitRow> {
    let asked = |name: &str| {
        let asking = rules.limits.iter().filter_map(|(pack, limits)| Some((pack.clone(), limits.amount(name)?)));
        asking.collect()
    };
    let default = Budget::default();
    let row = |counted: &houserule::kernel::budget::Counted| {
        let (name, what) = (counted.name, counted.what);
        LimitRow { name, what, default: counted.amount(default), ceiling: counted.ceiling, asked: asked(name) }
    };
    COUNTED.iter().map(row).collect()
}

fn pack_of<'a>(packs: &'a [Pack], id: &str) -> Option<&'a Pack> {
    packs.iter().find(|pack| id_of(pack).is_some_and(|known| known == id))
}

/// A hook as a pack declares it, in a language.
struct DeclaredHook {
    pack: String,
    language: &'static str,
    declaration: Declaration,
}

/// What the scripts of all packs in one language declare.
fn declared(rules: &Ruleset, packs: &[Pack], language: &Arc<dyn Language>) -> Vec<DeclaredHook> {
    let (mut scripts, mut owners) = (Vec::new(), Vec::new());
    for known in &rules.packs {
        for (name, text) in
            pack_of(packs, &known.id).into_iter().flat_map(|pack| scripts_of(pack, language.extension()))
        {
            let file = u16::try_from(scripts.len()).unwrap_or(u16::MAX);
            scripts.push(Script { name: format!("{}/{name}", known.id), text: text.to_owned(), file });
            owners.push(known.id.clone());
        }
    }
    let hook = |declaration: Declaration| {
        let pack = owners.get(usize::from(declaration.span.file)).cloned()?;
        Some(DeclaredHook { pack, language: language.name(), declaration })
    };
    // the packs were read already: what does not declare here was told of there
    let declarations = if scripts.is_empty() { Vec::new() } else { language.survey(&scripts).unwrap_or_default() };
    declarations.into_iter().filter_map(hook).collect()
}

/// The scripts of a pack that end in an extension, `lib/` before all else.
fn scripts_of<'a>(pack: &'a Pack, extension: &str) -> Vec<(&'a str, &'a str)> {
    let fits = |name: &str| {
        let room = name.starts_with("hooks/") || name.starts_with("lib/");
        room && name.rsplit_once('.').is_some_and(|(_, end)| end == extension)
    };
    let mut found: Vec<(&str, &str)> = pack.files().filter(|(name, _)| fits(name)).collect();
    found.sort_by_key(|(name, _)| (!name.starts_with("lib/"), *name));
    found
}

impl Powers {
    fn of(rules: &Ruleset, pack: &Pack, declared: &[DeclaredHook]) -> Powers {
        let id = id_of(pack).unwrap_or_default();
        let lengths = || pack.files().map(|(_, text)| text.len());
        let limits = rules.limits.iter().find(|(known, _)| *known == id);
        let mut powers = Powers {
            files: pack.files().count(),
            bytes: lengths().sum(),
            largest: lengths().max().unwrap_or(0),
            rules: Stats::count(rules, &id).all,
            because: limits.map(|(_, limits)| limits.because.clone()),
            words: words(pack),
            ..Powers::default()
        };
        declared.iter().filter(|hook| hook.pack == id).for_each(|hook| powers.hook(hook));
        rules.layers.iter().filter(|note| note.pack == id).for_each(|note| powers.patch(note));
        Powers { pack: id, ..powers }
    }

    fn hook(&mut self, hook: &DeclaredHook) {
        let Declaration { deed, event, name, writes, .. } = &hook.declaration;
        *self.hooks.entry(hook.language).or_default() += 1;
        self.writes.extend(writes.iter().cloned());
        let (names, name) = match deed {
            Declared::On => (&mut self.listens, event),
            Declared::Wrap => (&mut self.wraps, name),
            Declared::Mute => (&mut self.mutes, name),
        };
        names.insert(name.clone());
    }

    fn patch(&mut self, note: &LayerNote) {
        let names = match note.deed {
            PatchOp::Defined => return,
            PatchOp::Changed => &mut self.changes,
            PatchOp::Replaced => &mut self.replaces,
            PatchOp::Removed => &mut self.removes,
        };
        names.insert(format!("{}.{}", note.kind, note.name).trim_end_matches('.').to_owned());
    }

    fn tell(&self, screen: &mut Output) {
        screen.say(&format!("  `{}`", self.pack));
        let Powers { files, bytes, largest, .. } = self;
        let size = format!(
            "{files} of {MOST_FILES} files, {bytes} of {MOST_BYTES} bytes, the largest {largest} of {MOST_BYTES_IN_FILE}"
        );
        let hooks: Vec<String> = self.hooks.iter().map(|(language, count)| format!("{count} in {language}")).collect();
        let words: Vec<String> =
            self.words.iter().map(|(power, words)| format!("{power} ({})", listed(words))).collect();
        let lines = [
            ("size", size),
            ("rules", self.rules.to_string()),
            ("asks for more", self.because.clone().unwrap_or_default()),
            ("hooks", hooks.join(", ")),
            ("listens to", listed(&self.listens)),
            ("wraps", listed(&self.wraps)),
            ("mutes", listed(&self.mutes)),
            ("writes", listed(&self.writes)),
            ("scripts may", words.join(", ")),
            ("changes", listed(&self.changes)),
            ("replaces", listed(&self.replaces)),
            ("removes", listed(&self.removes)),
        ];
        let told = lines.iter().filter(|(_, what)| !what.is_empty());
        told.for_each(|(label, what)| screen.say(&format!("    {label:<15}{what}")));
    }
}

/// The words that stand anywhere in the scripts of a pack, be it in a comment:
/// rather one too many than one too few.
fn words(pack: &Pack) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let scripts = pack.files().filter(|(name, _)| name.starts_with("hooks/") || name.starts_with("lib/"));
    let apart = |sign: char| !sign.is_ascii_alphanumeric() && sign != '_';
    let said: BTreeSet<&str> = scripts.flat_map(|(_, text)| text.split(apart)).collect();
    let of = |words: &[&'static str]| words.iter().copied().filter(|word| said.contains(word)).collect();
    let found = POWERS.iter().map(|(power, words)| (*power, of(words)));
    found.filter(|(_, words): &(_, BTreeSet<_>)| !words.is_empty()).collect()
}

fn listed<T: AsRef<str>>(names: &BTreeSet<T>) -> String {
    let shown = names.iter().take(MOST_NAMES).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Whether a sentence tells of a stop that a larger budget could avoid.
pub fn is_stop(sentence: &str) -> bool {
    STOPS.iter().any(|code| sentence.contains(&format!("[{code}]")))
}

/// What the packs ask for, and how to grant it; nothing if nobody asks, or it
/// was granted.
pub fn asked(rules: &Ruleset, granted: bool) -> Option<String> {
    let (pack, limits) = rules.limits.first().filter(|_| !granted)?;
    let amounts: Vec<String> = limits.amounts.iter().map(|(name, amount)| format!("{name} {amount}")).collect();
    let more = rules.limits.len().saturating_sub(1);
    let others = if more == 0 { String::new() } else { format!("; {more} more ask too") };
    let asks = format!("`{pack}` asks to be allowed more: {}", amounts.join(", "));
    Some(format!("{asks} ({}){others}; `--allow-limits` allows it", limits.because))
}

/// A fault; one that stops an intent by a count says what the packs ask for.
pub fn helped(rules: &Ruleset, granted: bool, fault: Fault) -> crate::report::CliError {
    let help = asked(rules, granted).filter(|_| STOPS.contains(&fault.code.as_str()));
    let finding = crate::report::Finding::from(fault);
    match help {
        Some(help) => finding.help(help).into(),
        None => finding.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of scripts that only read, or only reckon.
    const READS: [&str; 32] = [
        "abs",
        "actor",
        "bearer",
        "clamp",
        "count",
        "damage_has",
        "distance_to",
        "div_ceil",
        "div_floor",
        "event",
        "faces",
        "formula",
        "has",
        "holds",
        "is_same",
        "item",
        "max",
        "min",
        "modifier",
        "name",
        "natural",
        "note",
        "option",
        "pool",
        "pool_max",
        "round",
        "side",
        "source",
        "stat",
        "target",
        "total",
        "value",
    ];

    #[test]
    fn every_word_of_scripts_has_its_power_or_only_reads() {
        let acts: BTreeSet<&str> = POWERS.iter().flat_map(|(_, words)| words.iter().copied()).collect();
        let known: BTreeSet<&str> = houserule_scripts::api::words().iter().map(|word| word.name).collect();
        let said: BTreeSet<&str> = acts.iter().chain(&READS).copied().collect();
        assert_eq!(known.difference(&said).collect::<Vec<_>>(), Vec::<&&str>::new(), "words without a power");
        assert_eq!(said.difference(&known).collect::<Vec<_>>(), Vec::<&&str>::new(), "words that there are not");
    }
}
