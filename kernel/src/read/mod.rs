//! Reads packs into a ruleset: everything wrong is told at once.

mod circles;
pub mod desk;
mod hooks;
mod names;
mod numbers;
pub mod pages;
mod places;
mod plain;
mod rules;
pub mod steps;
pub mod time;
mod tongues;
mod wording;

use crate::error::{Diagnostic, Problem, Sources, Span, nearest};
use crate::ident::*;
use crate::pack::{ABSENT, Body, Kinds, Limits, Merged, Pack, Table, merge, read_toml};
use crate::ruleset::*;
use crate::script::{Declaration, Language, Script};
use crate::text::Texts;
use desk::Desk;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use wording::{Worded, Wording};

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

/// Why packs do not make a ruleset: everything that is wrong with them.
#[derive(Clone, Debug)]
pub struct Report {
    /// The problems, by file and place.
    pub problems: Vec<Diagnostic>,
    /// The files they are in.
    pub sources: Sources,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problems.iter().try_for_each(|problem| writeln!(f, "{problem}"))
    }
}

impl std::error::Error for Report {}

impl Ruleset {
    /// Reads packs, with the script languages the host speaks. Of a pack with
    /// hooks in several languages, the first the host names is used.
    ///
    /// # Errors
    /// Everything that is wrong with the packs, all at once.
    pub fn read(packs: &[Pack], languages: &[Arc<dyn Language>]) -> Result<Arc<Ruleset>, Box<Report>> {
        Ruleset::read_among(packs, languages, &[])
    }

    /// The same; of the ids of `others`, packs that the host could have given,
    /// the nearest is told where a pack extends one that is not there.
    ///
    /// # Errors
    /// As [`Ruleset::read`].
    pub fn read_among(
        packs: &[Pack],
        languages: &[Arc<dyn Language>],
        others: &[&str],
    ) -> Result<Arc<Ruleset>, Box<Report>> {
        let mut reading = Reading { sources: Sources::default(), problems: Vec::new() };
        let ruleset = reading.read(packs, languages);
        reading.suggest(others);
        match ruleset {
            Some(ruleset) if reading.problems.is_empty() => {
                Ok(Arc::new(Ruleset { sources: reading.sources, ..ruleset }))
            }
            _ => Err(Box::new(reading.report())),
        }
    }
}

struct Reading {
    sources: Sources,
    problems: Vec<Problem>,
}

impl Reading {
    fn report(mut self) -> Report {
        self.problems.sort();
        self.problems.dedup();
        let problems = self.problems.iter().map(|problem| self.sources.locate(problem)).collect();
        Report { problems, sources: self.sources }
    }

    fn read(&mut self, packs: &[Pack], languages: &[Arc<dyn Language>]) -> Option<Ruleset> {
        let kinds = Kinds { named: NAMED, single: SINGLE, dotted: DOTTED };
        let merged = merge(packs, &kinds, &mut self.sources, &mut self.problems);
        if merged.groundless {
            return None;
        }
        let packs = in_order(packs, &merged);
        let (texts, keys, words) = self.texts(&packs);
        for (manifest, (_, pack)) in merged.packs.iter().zip(&packs) {
            self.problems.extend(tongues::unkept(manifest, pack, languages));
        }
        let scripts = self.scripts(&packs, languages);
        let (declared, all_heard) = self.survey(languages, &scripts);
        let all: Vec<Declaration> = declared.iter().map(|(_, declaration)| declaration.clone()).collect();
        let lexicon = Arc::new(names::lexicon(&merged, &all, &keys));
        let wording = Wording { merged: &merged, lexicon: &lexicon, packs: &packs, own: &own_words() };
        self.problems.extend(wording.problems(&words));
        let events = hooks::shapes(&merged, &lexicon, &mut self.problems);
        let choices = time::choices(&merged, &lexicon);
        let deals = rules::deals(&merged);
        let removed = desk::removed(&merged.layers, &self.sources);
        let desk = Desk { merged: &merged, lexicon: Arc::clone(&lexicon), choices, events, deals, removed };
        let rules = rule_spans(&merged, &all);
        let known = self.problems.len();
        let ruleset = self.assemble(&desk, &declared, rules, texts);
        if !all_heard {
            let known: Vec<Problem> = self.problems.drain(..known).collect();
            self.problems.retain(|problem| !is_of_hooks(problem));
            self.problems.splice(..0, known);
        }
        let mut ruleset = ruleset?;
        ruleset.packs = packs.iter().map(|(id, pack)| ingredient(id, pack, &merged)).collect();
        ruleset.limits = limits(&merged);
        ruleset.sheets = sheets(&packs);
        ruleset.layers = merged.layers.clone();
        ruleset.languages = languages.to_vec();
        ruleset.scripts = scripts;
        self.problems.extend(circles::circles(&desk, &ruleset));
        self.problems.extend(places::misplaced(&ruleset));
        Some(ruleset)
    }

    fn assemble(
        &mut self,
        desk: &Desk<'_>,
        declared: &[(usize, Declaration)],
        rules: Shelf<RuleId, Span>,
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
        let time::Ground { grid, space, share, pass, cost, count } = time::grid(desk, problems);
        let creatures = pages::pages(desk, &tags, problems);
        let items = pages::pages(desk, &tags, problems);
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
            tactics: tactics(desk),
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
            heard: Set::default(),
            ticking: Set::default(),
            refilling: Set::default(),
            sways: Sways::default(),
            tags,
        };
        pages::pools_fit(desk, &ruleset.creatures, &ruleset.pools, problems);
        pages::pools_fit(desk, &ruleset.items, &ruleset.pools, problems);
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

    /// The texts of the kernel and of the packs, and all their keys.
    fn texts(&mut self, packs: &[(&str, &Pack)]) -> (Texts, Vec<String>, Vec<Worded>) {
        let (mut texts, mut words) = (Texts::default(), Vec::new());
        for (language, text) in WORDS {
            words.extend(self.text_file(&mut texts, &format!("kernel/text/{language}.toml"), language, text));
        }
        let own = words.len();
        for (id, pack) in packs {
            for (name, text) in pack.files() {
                if let Some(language) = name.strip_prefix("text/").and_then(|name| name.strip_suffix(".toml")) {
                    words.extend(self.text_file(&mut texts, &format!("{id}/{name}"), language, text));
                }
            }
        }
        let keys = words.iter().map(|text| text.key.clone()).collect();
        (texts, keys, words.split_off(own))
    }

    fn text_file(&mut self, texts: &mut Texts, name: &str, language: &str, text: &str) -> Vec<Worded> {
        let file = self.sources.add(name, text);
        let table = read_toml(text, file, &mut self.problems);
        let mut words: Vec<Worded> = Vec::new();
        flatten("", &table, &mut words, &mut self.problems);
        let place = Span { file, start: 0, end: 0 };
        let lines = words.iter().map(|text| (text.key.as_str(), text.text.as_str(), text.span));
        let problems = texts.add(language, place, lines);
        self.problems.extend(problems);
        words
    }

    /// The script files of each language: of each pack those of the first
    /// language that it offers and the host speaks, `lib/` before all else.
    fn scripts(&mut self, packs: &[(&str, &Pack)], languages: &[Arc<dyn Language>]) -> Vec<Vec<Script>> {
        let mut scripts = vec![Vec::new(); languages.len()];
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
            }
        }
        scripts
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

/// Whether a problem is that nothing of a name was declared by a script: while
/// some scripts could not be heard, nobody knows.
fn is_of_hooks(problem: &Problem) -> bool {
    let begins = |words: &str| problem.message.starts_with(words);
    problem.code == "HR0203" && (begins("there is no hook `") || begins("there is no rule `hook."))
}

/// The kernel's own words alone.
fn own_words() -> Texts {
    let mut reading = Reading { sources: Sources::default(), problems: Vec::new() };
    reading.texts(&[]).0
}

fn script_files<'a>(pack: &'a Pack, extension: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let fits = move |name: &str| name.rsplit_once('.').is_some_and(|(_, end)| end == extension);
    pack.files().filter(move |(name, _)| (name.starts_with("hooks/") || name.starts_with("lib/")) && fits(name))
}

fn in_order<'a>(packs: &'a [Pack], merged: &'a Merged) -> Vec<(&'a str, &'a Pack)> {
    let find = |id: &str| packs.iter().find(|pack| pack.id().is_some_and(|own| own == id));
    merged.packs.iter().filter_map(|manifest| Some((manifest.id.as_str(), find(&manifest.id)?))).collect()
}

fn flatten(prefix: &str, table: &Table, into: &mut Vec<Worded>, problems: &mut Vec<Problem>) {
    for child in table.children() {
        let key = if prefix.is_empty() { child.name.clone() } else { format!("{prefix}.{}", child.name) };
        match &child.node.body {
            Body::Text(phrase) => {
                into.push(Worded { key, place: child.span, text: phrase.text.clone(), span: phrase.span });
            }
            Body::Table(inner) => flatten(&key, inner, into, problems),
            Body::Broken => {}
            _ => problems.push(Problem::new(
                "HR0203",
                child.node.span,
                format!("the words for `{key}` are a text, not {}", child.node.described()),
            )),
        }
    }
}

fn rule_spans(merged: &Merged, declared: &[Declaration]) -> Shelf<RuleId, Span> {
    let spans = names::rules(merged, declared).into_iter().map(|(_, span)| span).collect();
    Shelf::new(spans)
}

fn next_serial() -> u64 {
    static SERIAL: AtomicU64 = AtomicU64::new(1);
    SERIAL.fetch_add(1, Ordering::Relaxed)
}

fn windows(desk: &Desk<'_>, reactions: &Shelf<ReactionId, crate::action::Reaction>) -> Shelf<EventId, Vec<ReactionId>> {
    let names = desk.lexicon.names(Kind::Event);
    let open = |at: usize| {
        let event = EventId::new(u16::try_from(at).unwrap_or(u16::MAX));
        reactions.iter().filter(|(_, reaction)| reaction.window == event).map(|(id, _)| id).collect()
    };
    let things = (0..names.len()).map(open).collect();
    Shelf::new(things)
}

fn desk_events(desk: &Desk<'_>) -> Shelf<EventId, crate::event::EventShape> {
    Shelf::new(desk.events.clone())
}

fn named_steps(
    desk: &Desk<'_>,
    name: &str,
    node: Option<&crate::pack::Node>,
    problems: &mut Vec<Problem>,
) -> Vec<crate::step::Step> {
    let Some(node) = node else { return Vec::new() };
    let mut f = crate::pack::Fields::open(node, format!("steps `{name}`"), problems);
    f.text("about");
    let steps = steps::list(desk, &mut f, "do", &desk::Locals::new());
    f.close();
    steps
}

fn tactics(desk: &Desk<'_>) -> Vec<crate::pack::Child> {
    desk.merged.kind("tactic").to_vec()
}

fn sheets(packs: &[(&str, &Pack)]) -> BTreeMap<String, String> {
    let files = packs.iter().flat_map(|(_, pack)| pack.files());
    let sheets = files.filter(|(name, _)| name.starts_with("sheets/") && name.ends_with(".toml"));
    sheets.map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
}

fn limits(merged: &Merged) -> Vec<(String, Limits)> {
    let asking = merged.packs.iter().filter(|manifest| manifest.limits != Limits::default());
    asking.map(|manifest| (manifest.id.clone(), manifest.limits.clone())).collect()
}

fn ingredient(id: &str, pack: &Pack, merged: &Merged) -> Ingredient {
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
    Ingredient { id: id.to_owned(), version, credits: credits.flatten().collect(), files }
}

/// Finds once what no change of a table alters.
fn look_over(ruleset: &mut Ruleset) {
    ruleset.ticking = rules::ticking(&ruleset.conditions);
    ruleset.refilling = rules::refilling(ruleset);
    ruleset.heard = rules::heard(ruleset);
    plain::mark(ruleset);
    let pages = ruleset.creatures.iter().map(|(_, page)| page).chain(ruleset.items.iter().map(|(_, page)| page));
    ruleset.zones = pages.into_iter().any(|page| page.radius.is_some());
}

fn known(lexicon: &Lexicon) -> Option<Known> {
    Some(Known {
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

fn words(lexicon: &Lexicon) -> Option<Words> {
    let [roll, fact, tie, gate, skipped, dropped, muted, occupied] = names::KERNEL_TEXTS;
    Some(Words {
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
