//! Reads packs into a ruleset: everything wrong is told at once.

mod cacheable;
pub mod context;
mod cycles;
mod hooks;
mod languages;
mod names;
mod numbers;
mod rules;
mod ruling;
pub mod stat_blocks;
mod step_context;
pub mod steps;
pub mod tactics;
mod texts;
pub mod time;
mod warnings;

use crate::pack::limits::{MOST_BYTES_OF_SCRIPTS, MOST_HOLES, MOST_IN_A_SET, MOST_OF_A_KIND};
use crate::pack::{ABSENT, Growth, Kinds, Merged, NodeKind, Pack, TomlEntry, TomlTable, merge, read_toml};
use crate::problems::Problems;
use context::LoadContext;
use houserule_kernel::budget::RequestedLimits;
use houserule_kernel::error::{Diagnostic, Problem, Sources, Span, nearest};
use houserule_kernel::ident::*;
use houserule_kernel::ruleset::*;
use houserule_kernel::script::{Declaration, Language, Script};
use houserule_kernel::text::Texts;
use ruling::PackSteps;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tactics::read_tactic;
use texts::{PackText, TextContext};

/// Kinds whose definitions have names.
const NAMED: &[&str] = &[
    "tag",
    "type",
    "stat",
    "modifier",
    "view",
    "pool",
    "count",
    "note",
    "fact",
    "chart",
    "condition",
    "check",
    "action",
    "event",
    "steps",
    "hook",
    "reaction",
    "option",
    "profile",
    "stream",
    "creature",
    "item",
    "trade",
    "bundle",
    "tactic",
];
/// Kinds that are one table.
const SINGLE: &[&str] = &["stacking", "damage", "turn", "initiative", "grid"];
/// Kinds whose names may have dots and slashes.
const DOTTED: &[&str] = &["event", "hook"];
/// The kernel's own words in English.
/// The kernel's own words, by language.
const WORDS: [(&str, &str); 2] =
    [("en", include_str!("../../text/en.toml")), ("id", include_str!("../../text/id.toml"))];

/// What is told of packs: why they make no ruleset, or what is hardly meant.
#[derive(Clone, Debug)]
pub struct LoadError {
    /// The problems, by file and place.
    pub problems: Vec<Diagnostic>,
    /// The files they are in.
    pub sources: Sources,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problems.iter().try_for_each(|problem| writeln!(f, "{problem}"))
    }
}

impl std::error::Error for LoadError {}

/// Reads packs into a ruleset, with the script languages that the host speaks. Of a
/// pack with hooks in several languages, the first that the host names is used.
///
/// # Errors
/// Everything that is wrong with the packs, all at once.
pub fn load(packs: &[Pack], languages: &[Arc<dyn Language>]) -> Result<Arc<Ruleset>, Box<LoadError>> {
    load_suggesting(packs, languages, &[])
}

/// Like [`load`]; `others` are ids of packs to suggest when `extends` names a pack
/// that is not there.
///
/// # Errors
/// As [`load`].
pub fn load_suggesting(
    packs: &[Pack],
    languages: &[Arc<dyn Language>],
    others: &[&str],
) -> Result<Arc<Ruleset>, Box<LoadError>> {
    let mut reading = LoadResult::default();
    let ruleset = reading.read(packs, languages);
    reading.suggest(others);
    match ruleset {
        Some(ruleset) if reading.problems.is_empty() => Ok(Arc::new(Ruleset { sources: reading.sources, ..ruleset })),
        _ => Err(Box::new(reading.report())),
    }
}

#[derive(Default)]
struct LoadResult {
    sources: Sources,
    problems: Problems,
    /// How many braces the texts have.
    holes: usize,
}

impl LoadResult {
    fn report(self) -> LoadError {
        LoadError { problems: self.problems.told(&self.sources), sources: self.sources }
    }

    fn read(&mut self, packs: &[Pack], languages: &[Arc<dyn Language>]) -> Option<Ruleset> {
        let kinds = Kinds { named: NAMED, single: SINGLE, dotted: DOTTED };
        let mut merged = merge(packs, &kinds, &mut self.sources, &mut self.problems);
        if merged.groundless {
            return None;
        }
        let mut growth = std::mem::take(&mut merged.growth);
        let packs = in_order(packs, &merged);
        let (texts, keys, words) = self.texts(&packs, &mut growth)?;
        for (manifest, (_, pack)) in merged.packs.iter().zip(&packs) {
            self.problems.extend(languages::unkept(manifest, pack, languages));
        }
        let scripts = self.scripts(&packs, languages)?;
        let (declared, all_heard) = self.survey(languages, &scripts);
        let all: Vec<Declaration> = declared.iter().map(|(_, declaration)| declaration.clone()).collect();
        let lexicon = self.lexicon(&merged, &all, &keys)?;
        let wording = TextContext { merged: &merged, lexicon: &lexicon, packs: &packs, own: &own_words()? };
        wording.check(&words, &mut self.problems);
        drop((keys, words));
        let desk = self.desk(&merged, &lexicon, !all_heard);
        let rules = rule_spans(&merged, &all);
        let mut ruleset = self.assemble(&desk, &declared, rules, texts)?;
        cycles::circles(&desk, &ruleset, &mut self.problems);
        if self.problems.is_empty() {
            stat_blocks::hoards(&desk, &ruleset, &mut self.problems);
            step_context::misplaced(&ruleset, &mut self.problems);
        }
        drop(desk);
        ruleset.packs = packs.iter().map(|(id, pack)| ingredient(id, pack, &merged)).collect();
        ruleset.limits = limits(&merged);
        ruleset.sheets = sheets(&packs);
        drop(packs);
        let tactics = merged.kinds.remove("tactic").unwrap_or_default();
        ruleset.layers = merged.layers;
        ruleset.languages = languages.to_vec();
        ruleset.scripts = scripts;
        if self.problems.is_empty() {
            let read = |child: &TomlEntry| (child.name.clone(), read_tactic(&ruleset, child, &mut self.problems));
            ruleset.tactics = tactics.iter().map(read).collect();
        }
        Some(ruleset)
    }

    /// All names, if none of their lists is too long.
    fn lexicon(&mut self, merged: &Merged, all: &[Declaration], keys: &[String]) -> Option<Arc<Lexicon>> {
        let lexicon = names::lexicon(merged, all, keys);
        let most = |kind| match kind {
            NameKind::Tag | NameKind::Stat | NameKind::Type => MOST_IN_A_SET,
            _ => MOST_OF_A_KIND,
        };
        if let Some((kind, name)) = lexicon.overfull(most) {
            let (word, most) = (kind.word(), most(kind));
            let span = merged.find(word, name).map(|child| child.span).unwrap_or_default();
            let message = format!("there are more than {most} names of the kind `{word}`; `{name}` is one too many");
            self.problems.push(Problem::new("HR0135", span, message).help("write fewer, or leave a pack away"));
            return None;
        }
        Some(Arc::new(lexicon))
    }

    /// Where the definitions are read.
    fn desk<'a>(&mut self, merged: &'a Merged, lexicon: &Arc<Lexicon>, deaf: bool) -> LoadContext<'a> {
        LoadContext {
            merged,
            choices: time::choices(merged, lexicon),
            events: hooks::shapes(merged, lexicon, &mut self.problems),
            deals: rules::deals(merged),
            removed: context::removed(&merged.layers, &self.sources),
            tagged: context::tagged(merged),
            deaf,
            terse: lexicon.terse(),
            spent: context::Spent::default(),
            lexicon: Arc::clone(lexicon),
        }
    }

    fn assemble(
        &mut self,
        desk: &LoadContext<'_>,
        declared: &[(usize, Declaration)],
        rules: IdVec<RuleId, Span>,
        texts: Texts,
    ) -> Option<Ruleset> {
        let problems = &mut self.problems;
        numbers::names(desk, problems);
        numbers::notes(desk, problems);
        let tags = numbers::tags(desk, problems);
        let hooks = hooks::hooks(desk, declared, problems);
        let named = hooks::named(desk, &hooks);
        let conditions = rules::conditions(desk, problems);
        let reactions = rules::reactions(desk, problems);
        let time::GridTable { grid, space, share, pass, cost, count } = time::grid(desk, problems);
        let creatures = stat_blocks::pages(desk, &tags, problems);
        let items = stat_blocks::pages(desk, &tags, problems);
        let windows = windows(desk, &reactions);
        let mut ruleset = Ruleset {
            serial: next_serial(),
            lexicon: Arc::clone(&desk.lexicon),
            sources: Sources::default(),
            rules,
            layers: Vec::new(),
            packs: Vec::new(),
            limits: Vec::new(),
            texts,
            types: numbers::types(desk, problems),
            stacking: numbers::stacking(desk, problems),
            stats: numbers::stats(desk, problems),
            views: numbers::views(desk, problems),
            pools: numbers::pools(desk, problems),
            counts: numbers::counts(desk, problems),
            facts: numbers::facts(desk, problems),
            charts: numbers::charts(desk, problems),
            standing: rules::standing(&conditions),
            conditions,
            checks: rules::checks(desk, problems),
            dealing: rules::dealing(desk, problems),
            actions: rules::actions(desk, problems),
            trades: time::trades(desk, problems),
            bundles: time::bundles(desk, problems),
            reactions,
            events: desk_events(desk),
            hooks,
            windows,
            named,
            steps: desk.shelf(|name, node| named_steps(desk, name, node, problems)),
            options: time::options(desk, problems),
            profiles: time::profiles(desk, problems),
            creatures,
            items,
            tactics: BTreeMap::new(),
            step_reader: Arc::new(PackSteps),
            sheets: BTreeMap::new(),
            zones: false,
            turn: time::turn(desk, problems),
            initiative: time::initiative(desk, problems),
            grid,
            space,
            share,
            step_cost: cost,
            diagonals: count,
            pass,
            languages: Vec::new(),
            scripts: Vec::new(),
            known: known(&desk.lexicon)?,
            streams: streams(&desk.lexicon)?,
            untyped: desk.lexicon.find("untyped")?,
            words: words(&desk.lexicon)?,
            heard: IdSet::default(),
            ticking: IdSet::default(),
            refilling: IdSet::default(),
            sways: StatDependencies::default(),
            tags,
        };
        stat_blocks::pools_fit(desk, &ruleset.creatures, &ruleset.pools, problems);
        stat_blocks::pools_fit(desk, &ruleset.items, &ruleset.pools, problems);
        look_over(&mut ruleset);
        Some(ruleset)
    }

    /// Tells of packs that are extended and not there which other was meant.
    fn suggest(&mut self, others: &[&str]) {
        for problem in self.problems.iter_mut().filter(|problem| problem.code == ABSENT) {
            let (start, end) = (problem.span.start as usize, problem.span.end as usize);
            let id = self.sources.text(problem.span.file).get(start..end).unwrap_or_default();
            if let Some(near) = nearest(id.trim_matches(['"', '\'']), others.iter().copied()) {
                problem.help = Some(format!("did you mean `{near}`?"));
            }
        }
    }

    /// The texts of the kernel and of the packs, and all their keys, if there is
    /// room for them.
    fn texts(&mut self, packs: &[(&str, &Pack)], growth: &mut Growth) -> Option<(Texts, Vec<String>, Vec<PackText>)> {
        let (mut texts, mut words) = (Texts::default(), Vec::new());
        for (language, text) in WORDS {
            let name = format!("kernel/text/{language}.toml");
            words.extend(self.text_file(&mut texts, growth, &name, language, &Arc::from(text))?);
        }
        let own = words.len();
        for (id, pack) in packs {
            for (name, text) in pack.shared() {
                if let Some(language) = name.strip_prefix("text/").and_then(|name| name.strip_suffix(".toml")) {
                    words.extend(self.text_file(&mut texts, growth, &format!("{id}/{name}"), language, text)?);
                }
            }
        }
        let keys = words.iter().map(|text| text.key.clone()).collect();
        Some((texts, keys, words.split_off(own)))
    }

    fn text_file(
        &mut self,
        texts: &mut Texts,
        growth: &mut Growth,
        name: &str,
        language: &str,
        text: &Arc<str>,
    ) -> Option<Vec<PackText>> {
        let file = self.sources.add(name, Arc::clone(text));
        let place = Span { file, start: 0, end: 0 };
        self.holes += text.bytes().filter(|byte| matches!(byte, b'{' | b'}' | b'|')).count();
        if self.holes > MOST_HOLES {
            let message = format!("with `{name}` the texts have more than {MOST_HOLES} braces and bars");
            self.problems.push(Problem::new("HR0135", place, message).help("write fewer of them"));
            return None;
        }
        let table = read_toml(text, file, &mut self.problems);
        let mut words: Vec<PackText> = Vec::new();
        if !flatten("", &table, &mut words, growth, &mut self.problems) {
            return None;
        }
        let lines = words.iter().map(|text| (text.key.as_str(), text.text.as_str(), text.span));
        let problems = texts.add(language, place, lines);
        self.problems.extend(problems);
        Some(words)
    }

    /// The script files of each language: of each pack those of the first
    /// language that it offers and the host speaks, `lib/` before all else. None
    /// if they are too long.
    fn scripts(&mut self, packs: &[(&str, &Pack)], languages: &[Arc<dyn Language>]) -> Option<Vec<Vec<Script>>> {
        let (mut scripts, mut bytes) = (vec![Vec::new(); languages.len()], 0);
        for (id, pack) in packs {
            let offers = |language: &Arc<dyn Language>| script_files(pack, language.extension()).next().is_some();
            let Some(at) = languages.iter().position(offers) else { continue };
            let Some((language, list)) = languages.get(at).zip(scripts.get_mut(at)) else { continue };
            let mut files: Vec<(&str, &str)> = script_files(pack, language.extension()).collect();
            files.sort_by_key(|(name, _)| (!name.starts_with("lib/"), *name));
            for (name, text) in files {
                let name = format!("{id}/{name}");
                let file = self.sources.add(&name, text);
                list.push(Script { name, text: text.to_owned(), file });
                bytes += text.len();
                if bytes > MOST_BYTES_OF_SCRIPTS {
                    let message = format!("the scripts together have more than {MOST_BYTES_OF_SCRIPTS} bytes");
                    let problem = Problem::new("HR0135", Span { file, start: 0, end: 0 }, message);
                    self.problems.push(problem.help("write shorter ones, or leave a pack away"));
                    return None;
                }
            }
        }
        Some(scripts)
    }

    /// What scripts declare, and whether all of them could be heard.
    fn survey(
        &mut self,
        languages: &[Arc<dyn Language>],
        scripts: &[Vec<Script>],
    ) -> (Vec<(usize, Declaration)>, bool) {
        let (mut declared, mut all_heard) = (Vec::new(), true);
        for (at, (language, scripts)) in
            languages.iter().zip(scripts).enumerate().filter(|(_, (_, scripts))| !scripts.is_empty())
        {
            match language.survey(scripts) {
                Ok(declarations) => declared.extend(declarations.into_iter().map(|declaration| (at, declaration))),
                Err(problems) => {
                    self.problems.extend(problems);
                    all_heard = false;
                }
            }
        }
        (declared, all_heard)
    }
}

/// The kernel's own words alone.
fn own_words() -> Option<Texts> {
    Some(LoadResult::default().texts(&[], &mut Growth::default())?.0)
}

fn script_files<'a>(pack: &'a Pack, extension: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let fits = move |name: &str| name.rsplit_once('.').is_some_and(|(_, end)| end == extension);
    pack.files().filter(move |(name, _)| (name.starts_with("hooks/") || name.starts_with("lib/")) && fits(name))
}

fn in_order<'a>(packs: &'a [Pack], merged: &'a Merged) -> Vec<(&'a str, &'a Pack)> {
    let mut ids: BTreeMap<String, &Pack> = BTreeMap::new();
    for (id, pack) in packs.iter().filter_map(|pack| Some((pack.id()?, pack))) {
        ids.entry(id).or_insert(pack);
    }
    merged.packs.iter().filter_map(|manifest| Some((manifest.id.as_str(), *ids.get(&manifest.id)?))).collect()
}

/// Writes out the keys of texts, as far as there is room for them.
fn flatten(
    prefix: &str,
    table: &TomlTable,
    into: &mut Vec<PackText>,
    growth: &mut Growth,
    problems: &mut Problems,
) -> bool {
    table.children().into_iter().all(|child| {
        let key = if prefix.is_empty() { child.name.clone() } else { format!("{prefix}.{}", child.name) };
        match &child.node.body {
            NodeKind::Text(phrase) => {
                let has_room = growth.take(2, key.len() + phrase.text.len(), &key, child.span, problems);
                into.push(PackText { key, place: child.span, text: phrase.text.clone(), span: phrase.span });
                has_room
            }
            NodeKind::Table(inner) => flatten(&key, inner, into, growth, problems),
            NodeKind::Broken => true,
            _ => {
                let message = format!("the words for `{key}` are a text, not {}", child.node.described());
                problems.push(Problem::new("HR0203", child.node.span, message));
                true
            }
        }
    })
}

fn rule_spans(merged: &Merged, declared: &[Declaration]) -> IdVec<RuleId, Span> {
    let spans = names::rules(merged, declared).into_iter().map(|(_, span)| span).collect();
    IdVec::new(spans)
}

fn next_serial() -> u64 {
    static SERIAL: AtomicU64 = AtomicU64::new(1);
    SERIAL.fetch_add(1, Ordering::Relaxed)
}

fn windows(
    desk: &LoadContext<'_>,
    reactions: &IdVec<ReactionId, houserule_kernel::action::Reaction>,
) -> IdVec<EventId, Vec<ReactionId>> {
    let mut open = vec![Vec::new(); desk.lexicon.names(NameKind::Event).len()];
    for (id, reaction) in reactions.iter() {
        open.get_mut(usize::from(reaction.window.number())).into_iter().for_each(|window| window.push(id));
    }
    IdVec::new(open)
}

fn desk_events(desk: &LoadContext<'_>) -> IdVec<EventId, houserule_kernel::event::EventShape> {
    IdVec::new(desk.events.clone())
}

fn named_steps(
    desk: &LoadContext<'_>,
    name: &str,
    node: Option<&crate::pack::TomlNode>,
    problems: &mut Problems,
) -> Vec<houserule_kernel::step::Step> {
    let Some(node) = node else { return Vec::new() };
    let mut f = crate::pack::FieldReader::open(node, format!("steps `{name}`"), problems);
    f.text("about");
    let steps = steps::list(desk, &mut f, "do", &context::Locals::new());
    f.close();
    steps
}

fn sheets(packs: &[(&str, &Pack)]) -> BTreeMap<String, Arc<str>> {
    let files = packs.iter().flat_map(|(_, pack)| pack.shared());
    let sheets = files.filter(|(name, _)| name.starts_with("sheets/") && name.ends_with(".toml"));
    sheets.map(|(name, text)| (name.to_owned(), Arc::clone(text))).collect()
}

fn limits(merged: &Merged) -> Vec<(String, RequestedLimits)> {
    let asking = merged.packs.iter().filter(|manifest| manifest.limits != RequestedLimits::default());
    asking.map(|manifest| (manifest.id.clone(), manifest.limits.clone())).collect()
}

fn ingredient(id: &str, pack: &Pack, merged: &Merged) -> IncludedPack {
    let manifest = merged.packs.iter().find(|manifest| manifest.id == id);
    let version = manifest.map(|manifest| manifest.version.clone()).unwrap_or_default();
    let told = |what: &str, text: Option<&String>| text.map(|text| (what.to_owned(), text.clone()));
    let credits = manifest.into_iter().flat_map(|manifest| {
        [
            told("title", Some(&manifest.title)),
            told("source", manifest.source.as_ref()),
            told("licence", manifest.licence.as_ref()),
            told("attribution", manifest.attribution.as_ref()),
            told("credits", manifest.credits.as_ref()),
        ]
    });
    let hashed = |(name, text): (&str, &str)| (name.to_owned(), blake3::hash(text.as_bytes()).to_hex().to_string());
    let files = pack.core().map(hashed).collect();
    IncludedPack { id: id.to_owned(), version, credits: credits.flatten().collect(), files }
}

/// Finds once what no change of a table alters.
fn look_over(ruleset: &mut Ruleset) {
    ruleset.ticking = rules::ticking(&ruleset.conditions);
    ruleset.refilling = rules::refilling(ruleset);
    ruleset.heard = rules::heard(ruleset);
    cacheable::mark(ruleset);
    let pages = ruleset.creatures.iter().map(|(_, page)| page).chain(ruleset.items.iter().map(|(_, page)| page));
    ruleset.zones = pages.into_iter().any(|page| page.radius.is_some());
}

fn known(lexicon: &Lexicon) -> Option<KernelEvents> {
    Some(KernelEvents {
        action_begin: lexicon.find("action.begin")?,
        action_done: lexicon.find("action.done")?,
        check_begin: lexicon.find("check.begin")?,
        check_rolled: lexicon.find("check.rolled")?,
        check_total: lexicon.find("check.total")?,
        check_degree: lexicon.find("check.degree")?,
        check_done: lexicon.find("check.done")?,
        damage_begin: lexicon.find("damage.begin")?,
        damage_taken: lexicon.find("damage.taken")?,
        pool_emptied: lexicon.find("pool.emptied")?,
        pool_changed: lexicon.find("pool.changed")?,
        pool_healed: lexicon.find("pool.healed")?,
        condition_begin: lexicon.find("condition.begin")?,
        condition_applied: lexicon.find("condition.applied")?,
        condition_changed: lexicon.find("condition.changed")?,
        condition_ended: lexicon.find("condition.ended")?,
        square_leaving: lexicon.find("square.leaving")?,
        moved: lexicon.find("moved")?,
        zone_entered: lexicon.find("zone.entered")?,
        zone_left: lexicon.find("zone.left")?,
        turn_delayed: lexicon.find("turn.delayed")?,
        turn_resumed: lexicon.find("turn.resumed")?,
        encounter_begin: lexicon.find("encounter.begin")?,
        encounter_end: lexicon.find("encounter.end")?,
    })
}

fn streams(lexicon: &Lexicon) -> Option<Streams> {
    let [damage, roll, tie, pick] = names::KERNEL_STREAMS;
    Some(Streams {
        damage: lexicon.find(damage)?,
        roll: lexicon.find(roll)?,
        tie: lexicon.find(tie)?,
        pick: lexicon.find(pick)?,
    })
}

fn words(lexicon: &Lexicon) -> Option<KernelTexts> {
    let [roll, fact, tie, gate, skipped, dropped, muted, occupied] = names::KERNEL_TEXTS;
    Some(KernelTexts {
        roll: lexicon.find(roll)?,
        fact: lexicon.find(fact)?,
        tie: lexicon.find(tie)?,
        gate: lexicon.find(gate)?,
        skipped: lexicon.find(skipped)?,
        muted: lexicon.find(muted)?,
        occupied: lexicon.find(occupied)?,
        dropped: lexicon.find(dropped)?,
    })
}
