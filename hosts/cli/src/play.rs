//! `houserule play`: a fight from its first line to its last, told as it happens.

use crate::args::PlayArgs;
use crate::locale::Locale;
use crate::output::Output;
use crate::packs::{ENCOUNTERS, FoundPage, Library};
use crate::report::{CliError, Finding, in_file};
use crate::{ExitStatus, ask, limits, tape};
use houserule::Explain;
use houserule::encounter::{Encounter, Ending, Watcher, packs};
use houserule::explain::Explanation;
use houserule::{Answer, Oracle, Question, Ruleset, Table};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// Plays an encounter.
///
/// # Errors
/// Everything that is wrong with the encounter, its packs or the tape, or the
/// fault of a rule that ended it.
pub fn play(args: &PlayArgs, library: &Library, screen: &mut Output) -> Result<ExitStatus, CliError> {
    let mut oracle = match &args.tape {
        Some(file) => Oracle::Tape(tape::read(file)?),
        None => Oracle::Seeded,
    };
    let written = library.page(ENCOUNTERS, &args.encounter)?;
    let (rules, mut encounter) = read(library, &written)?;
    for (question, policy) in &args.answers {
        encounter.policies.set(&rules, question, policy)?;
    }
    let seed = args.seed.or(encounter.seed).unwrap_or_else(fresh_seed);
    let tongue = Locale::of(&args.lang, &rules)?;
    open(&encounter, &DiceChoice::of(args, seed), &tongue, screen);
    if args.allow_limits {
        encounter.budget = rules.budget_asked();
    }
    let helped = |fault| limits::helped(&rules, args.allow_limits, fault);
    let mut table = encounter.lay(&rules, seed).map_err(helped)?;
    let odd = [encounter.warnings.clone(), encounter.clamped(&table)].concat();
    let odd = in_file(&odd, &written.text).0.into_iter().map(Finding::warning).collect();
    screen.complain(&library.placed(odd));
    let mut telling = PlayLog { screen, asks: args.ask, tongue: &tongue, known: ask::AlreadyTold::default() };
    let ending = encounter.play(&mut table, &mut oracle, &mut telling).map_err(helped)?;
    let verdict = close(&table, &ending, &tongue, screen);
    if args.credits {
        credits(&rules, screen);
    }
    if let Oracle::Tape(tape) = &oracle {
        screen.complain(&tape::unused(tape).into_iter().collect::<Vec<_>>());
    }
    Ok(verdict)
}

/// An encounter with the rules it is played by.
///
/// # Errors
/// Everything that is wrong with either.
pub fn read(library: &Library, written: &FoundPage) -> Result<(Arc<Ruleset>, Encounter), CliError> {
    let FoundPage { name, text, home } = written;
    let words = packs(name, text).map_err(|problems| in_file(&problems, text))?;
    let rules = library.load_for(home.as_ref(), &words)?;
    let encounter = Encounter::read(&rules, name, text).map_err(|problems| in_file(&problems, text))?;
    Ok((rules, encounter))
}

/// A seed from the system: as large as an encounter may write one.
pub fn fresh_seed() -> u64 {
    RandomState::new().hash_one("seed") >> 33
}

/// Where the dice come from.
enum DiceChoice {
    Seed(u64),
    Tape(String),
}

impl DiceChoice {
    fn of(args: &PlayArgs, seed: u64) -> DiceChoice {
        args.tape.as_ref().map_or(DiceChoice::Seed(seed), |file| DiceChoice::Tape(file.display().to_string()))
    }

    fn said(&self, tongue: &Locale) -> String {
        match self {
            DiceChoice::Seed(seed) => tongue.say("play.seed", &[("seed", &seed.to_string())]),
            DiceChoice::Tape(file) => tongue.say("play.tape", &[("file", file)]),
        }
    }
}

fn open(encounter: &Encounter, dice: &DiceChoice, tongue: &Locale, screen: &mut Output) {
    let mut sides: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for member in &encounter.members {
        sides.entry(&member.seat.side).or_default().push(&member.seat.name);
    }
    screen.say(&encounter.title);
    screen.say(&dice.said(tongue));
    for (side, names) in &sides {
        let nobodys = tongue.say("play.no_side", &[]);
        let side = if side.is_empty() { &nobodys } else { *side };
        screen.say(&format!("{side}: {}", names.join(", ")));
    }
    screen.say("");
    let (seed, tape) = match dice {
        DiceChoice::Seed(seed) => (Some(seed.to_string()), None),
        DiceChoice::Tape(file) => (None, Some(file)),
    };
    let title = &encounter.title;
    screen.give(&json!({ "line": "opening", "title": title, "seed": seed, "tape": tape, "sides": sides }));
}

fn close(table: &Table, ending: &Ending, tongue: &Locale, screen: &mut Output) -> ExitStatus {
    let round = table.state().order.round;
    let say = |key: &str, side: &str| tongue.say(key, &[("side", side), ("round", &round.to_string())]);
    let told = match ending {
        Ending::Won(Some(side)) if side.is_empty() => say("play.won_alone", side),
        Ending::Won(Some(side)) => say("play.won", side),
        Ending::Won(None) => say("play.nobody", ""),
        Ending::TimeUp => say("play.time_up", ""),
        Ending::Waiting(question) => {
            let asked = ask::words(table, question, &tongue.language);
            let stuck = Finding::new("HR0906", format!("nobody answers the question: {asked}"));
            screen.complain(&[
                stuck.help("answer at the terminal with `--ask`, or say beforehand with `--answer KEY=POLICY`")
            ]);
            return ExitStatus::Findings;
        }
    };
    screen.say(&told);
    let won = if let Ending::Won(side) = ending { side.as_deref() } else { None };
    screen.give(&json!({ "line": "ending", "text": told, "won": won, "round": round }));
    ExitStatus::Fine
}

fn credits(rules: &Ruleset, screen: &mut Output) {
    for pack in &rules.packs {
        screen.say("");
        screen.say(&format!("{} {}", pack.id, pack.version));
        pack.credits.iter().for_each(|(what, text)| screen.say(&format!("  {what}: {text}")));
        let told: BTreeMap<_, _> = pack.credits.iter().cloned().collect();
        screen.give(&json!({ "line": "credits", "pack": pack.id, "version": pack.version, "credits": told }));
    }
}

/// Tells each entry as it is written.
struct PlayLog<'a> {
    screen: &'a mut Output,
    asks: bool,
    tongue: &'a Locale,
    /// What was told of the running intent before its questions.
    known: ask::AlreadyTold,
}

#[derive(Serialize)]
struct EntryReport<'a> {
    line: &'static str,
    entry: usize,
    #[serde(flatten)]
    account: &'a Explanation,
}

impl Watcher for PlayLog<'_> {
    fn entry(&mut self, table: &Table, entry: usize) {
        self.known = ask::AlreadyTold::default();
        match table.explain(entry, &self.tongue.language) {
            Ok(account) => {
                self.screen.tell(&account.to_text());
                self.screen.give(&EntryReport { line: "entry", entry, account: &account });
            }
            Err(fault) => self.screen.complain(&[fault.into()]),
        }
    }

    fn ask(&mut self, table: &Table, question: &Question) -> Option<Answer> {
        let PlayLog { screen, asks, tongue, known } = self;
        asks.then(|| ask::ask(screen, table, question, &tongue.language, known)).flatten()
    }
}
