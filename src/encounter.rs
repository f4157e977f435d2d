//! Encounters: a fight as data, played to its end.

use crate::house_rules::{policies, settings};
use crate::members::Member;
use crate::outcome_text::told;
use crate::tactics::{intent, stands};
use crate::{
    Answer, Budget, Diagnostic, Fault, Oracle, Outcome, Policies, Problem, Problems, Question, Ruleset, Sources, Table,
};
use houserule_kernel::formula::ExpectedType;
use houserule_kernel::ident::EntityId;
use houserule_kernel::intent::Operation;
use houserule_kernel::situation::Formula;
use houserule_kernel::tactic::Tactic;
use houserule_loader::load::context::{LoadContext, Locals};
use houserule_loader::load::tactics::read_tactic;
use houserule_loader::pack::{FieldReader, Merged, NodeKind, TomlNode, read_toml};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many rounds a fight lasts if it says nothing.
const MOST_ROUNDS: i32 = 50;
/// How many things somebody may do in one turn.
const MOST_ACTS: usize = 16;

/// A fight as its file says it.
#[derive(Clone, Debug)]
pub struct Encounter {
    /// For people.
    pub title: String,
    /// The seed, if it says one.
    pub seed: Option<u64>,
    /// Settings of house-rule switches.
    pub settings: Vec<(houserule_kernel::ident::OptionId, i32)>,
    /// Who answers questions before anybody is asked.
    pub policies: Policies,
    /// Who takes part, in the order of the file.
    pub members: Vec<Member>,
    /// The last round.
    pub rounds: i32,
    /// The question that says who still counts.
    pub standing: Formula,
    /// How they act.
    pub tactics: BTreeMap<String, Tactic>,
    /// How much each intent may do; the default, unless the host says more.
    pub budget: Budget,
    /// What can be played, but is hardly meant.
    pub warnings: Vec<Diagnostic>,
    /// Its file, to say where something stands.
    pub sources: Sources,
}

/// How a fight ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// One side, or none, is left standing.
    Won(Option<String>),
    /// The last round is over.
    TimeUp,
    /// Somebody must answer whom nobody answers for.
    Waiting(Question),
}

/// What is told while a fight goes on.
pub trait Watcher {
    /// An entry was written.
    fn entry(&mut self, table: &Table, entry: usize);
    /// Somebody is asked; `None` leaves it to the default.
    fn ask(&mut self, _table: &Table, _question: &Question) -> Option<Answer> {
        None
    }
}

/// A watcher that looks away.
pub struct Silent;

impl Watcher for Silent {
    fn entry(&mut self, _: &Table, _: usize) {}
}

/// The packs that an encounter names, without reading the rest.
///
/// # Errors
/// What is wrong with the file.
pub fn packs(name: &str, text: &str) -> Result<Vec<String>, Vec<Diagnostic>> {
    named_packs("the encounter", name, text)
}

/// The packs that a file names for which they are needed; `what` it is, in
/// sentences.
///
/// # Errors
/// What is wrong with the file.
pub(crate) fn named_packs(what: &str, name: &str, text: &str) -> Result<Vec<String>, Vec<Diagnostic>> {
    let mut sources = Sources::default();
    let mut problems = Problems::default();
    let file = sources.add(name, text);
    let table = read_toml(text, file, &mut problems);
    let found = table.get("pack").map(|child| match &child.node.body {
        NodeKind::Text(phrase) => vec![phrase.text.clone()],
        NodeKind::List(list) => list.iter().filter_map(TomlNode::as_text).map(|phrase| phrase.text.clone()).collect(),
        _ => Vec::new(),
    });
    match found.filter(|packs| !packs.is_empty()) {
        Some(packs) if problems.is_empty() => Ok(packs),
        found => {
            if found.is_none() && problems.is_empty() {
                let span = crate::Span { file, start: 0, end: 0 };
                let problem = Problem::new("HR0202", span, format!("{what} does not say its pack"));
                problems.push(problem.help("write `pack = \"sf1e\"`"));
            }
            Err(problems.told(&sources))
        }
    }
}

impl Encounter {
    /// Reads an encounter by the names of a ruleset.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(rules: &Ruleset, name: &str, text: &str) -> Result<Encounter, Vec<Diagnostic>> {
        let mut sources = Sources::default();
        let mut problems = Problems::default();
        let file = sources.add(name, text);
        let body = NodeKind::Table(read_toml(text, file, &mut problems));
        let node = TomlNode { span: crate::Span { file, start: 0, end: 0 }, body };
        let encounter = Encounter::read_fields(rules, &node, &mut problems);
        if problems.is_empty() {
            let warnings = hardly_meant(&encounter.members).into_iter().collect::<Problems>().told(&sources);
            return Ok(Encounter { warnings, sources, ..encounter });
        }
        Err(problems.told(&sources))
    }

    fn read_fields(rules: &Ruleset, node: &TomlNode, problems: &mut Problems) -> Encounter {
        let mut f = FieldReader::open(node, "the encounter", problems);
        let title = f.required_text("title").map(|title| title.text.clone()).unwrap_or_default();
        f.texts("pack");
        let seed = f.int_in("seed", 0..=i32::MAX).and_then(|seed| u64::try_from(seed).ok());
        let settings = settings(rules, &mut f);
        let policies = policies(rules, &mut f);
        let members: Vec<Member> =
            f.table("who").into_iter().filter_map(|child| Member::read(rules, child, None, f.problems())).collect();
        if members.is_empty()
            && f.child("who").is_none_or(|who| who.node.as_table().is_some_and(|who| who.names().next().is_none()))
        {
            f.problems().push(
                Problem::new("HR0202", node.span, "nobody takes part in the encounter")
                    .help("write `[who.NAME]` with `like = \"…\"` for each who does"),
            );
        }
        let mut tactics = rules.tactics.clone();
        for child in f.table("tactic") {
            tactics.insert(child.name.clone(), read_tactic(rules, child, f.problems()));
        }
        let (rounds, standing) = end(rules, &mut f);
        for member in &members {
            check_tactic(member, &tactics, f.problems());
        }
        f.close();
        let (warnings, sources) = (Vec::new(), Sources::default());
        let budget = Budget::default();
        Encounter { title, seed, settings, policies, members, rounds, standing, tactics, budget, warnings, sources }
    }

    /// Lays a table for the fight, with everybody seated.
    ///
    /// # Errors
    /// A fault of the rules, or a refusal as a fault.
    pub fn lay(&self, rules: &Arc<Ruleset>, seed: u64) -> Result<Table, Fault> {
        let mut table = Table::new(rules, seed);
        table.set_policies(self.policies.clone());
        table.set_budget(self.budget);
        for (option, value) in &self.settings {
            let outcome = table.perform(&Operation::Switch { option: *option, value: *value })?;
            must(&table, outcome)?;
        }
        for member in &self.members {
            let seated = table.perform(&Operation::Seat(Box::new(member.seat.clone())));
            let seated = seated.and_then(|outcome| must(&table, outcome));
            seated.map_err(|fault| fault.during(format!("the seat of `{}`", member.seat.name)))?;
        }
        Ok(table)
    }

    /// The pools that did not begin as the encounter says, since they have
    /// bounds; of a table that was laid for it.
    #[must_use]
    pub fn clamped(&self, table: &Table) -> Vec<Diagnostic> {
        let problems: Problems = self.members.iter().flat_map(|member| member.clamped(table)).collect();
        problems.told(&self.sources)
    }

    /// Plays the fight to its end. Whoever acts does so by tactics; questions go
    /// to the watcher, then to their defaults.
    ///
    /// # Errors
    /// A fault of the rules, or the refusal to begin or to go on as a fault.
    pub fn play(&self, table: &mut Table, oracle: &mut Oracle, watcher: &mut dyn Watcher) -> Result<Ending, Fault> {
        loop {
            if let Some(ending) = self.step(table, oracle, watcher)? {
                return Ok(ending);
            }
        }
    }

    /// Plays one thing of the fight: its beginning, what somebody does, or the
    /// end of a turn. Says how the fight ended once it is over; what was done is
    /// known from the table itself, so that a fight goes on from any saved one.
    ///
    /// # Errors
    /// As [`Encounter::play`].
    pub fn step(
        &self,
        table: &mut Table,
        oracle: &mut Oracle,
        watcher: &mut dyn Watcher,
    ) -> Result<Option<Ending>, Fault> {
        let waits = |question: Option<Question>| question.map(Ending::Waiting);
        if !has_begun(table) {
            let begin = self.beginning(table);
            return Ok(waits(must_go(self.go(table, &begin, oracle, watcher)?)?));
        }
        let acts = acts_in_a_row(table);
        if acts == 0
            && let Some(ending) = self.ending(table)?
        {
            return Ok(Some(ending));
        }
        if acts < MOST_ACTS {
            match self.act(table, oracle, watcher)? {
                Acted::Yes => return Ok(None),
                Acted::Asked(question) => return Ok(waits(Some(*question))),
                Acted::No(_) => {}
            }
        }
        if let Some(ending) = self.ending(table)? {
            return Ok(Some(ending));
        }
        Ok(waits(must_go(self.go(table, &Operation::Next, oracle, watcher)?)?))
    }

    /// Those of the members who act, as far as a word chooses them.
    fn ids(&self, table: &Table, chosen: impl Fn(&Member) -> bool) -> Vec<EntityId> {
        let members = self.members.iter().filter(|member| member.acts() && chosen(member));
        members.filter_map(|member| table.state().find(&member.seat.name)).collect()
    }

    fn beginning(&self, table: &Table) -> Operation {
        let aware = self.ids(table, |member| member.aware);
        Operation::Begin { who: self.ids(table, |_| true), aware }
    }

    fn ending(&self, table: &Table) -> Result<Option<Ending>, Fault> {
        let mut sides: Vec<String> = Vec::new();
        for one in self.ids(table, |_| true) {
            if stands(table, one, &self.standing)? {
                sides.extend(table.state().entity(one).map(|entity| entity.side.to_string()));
            }
        }
        sides.sort();
        sides.dedup();
        Ok(match sides.len() {
            0 | 1 => Some(Ending::Won(sides.pop())),
            _ if i64::from(table.state().order.round) > i64::from(self.rounds) => Some(Ending::TimeUp),
            _ => None,
        })
    }

    /// Does what whoever acts likes best of what is legal.
    fn act(&self, table: &mut Table, oracle: &mut Oracle, watcher: &mut dyn Watcher) -> Result<Acted, Fault> {
        let Some(who) = table.state().order.acting() else { return Ok(Acted::No(None)) };
        let name = table.state().entity(who).map(|entity| entity.name.clone()).unwrap_or_default();
        let member = self.members.iter().find(|member| member.seat.name == name);
        let tactic = member.and_then(|member| self.tactics.get(member.tactic.as_ref()?));
        self.act_once(table, who, tactic, oracle, watcher)
    }

    fn act_once(
        &self,
        table: &mut Table,
        who: EntityId,
        tactic: Option<&Tactic>,
        oracle: &mut Oracle,
        watcher: &mut dyn Watcher,
    ) -> Result<Acted, Fault> {
        for preference in tactic.into_iter().flat_map(|tactic| &tactic.prefer) {
            let intent = intent(preference, table, who, &self.standing)?;
            let Some(Ok(deed)) = intent.map(|intent| table.prepare(&intent)) else { continue };
            match self.go(table, &deed, oracle, watcher)? {
                Acted::No(_) => {}
                acted => return Ok(acted),
            }
        }
        Ok(Acted::No(None))
    }

    /// Does an intent and answers what is asked; a refusal is left to the caller.
    fn go(
        &self,
        table: &mut Table,
        deed: &Operation,
        oracle: &mut Oracle,
        watcher: &mut dyn Watcher,
    ) -> Result<Acted, Fault> {
        let mut outcome = table.perform_with(deed, oracle)?;
        loop {
            match outcome {
                Outcome::Done(entry) => {
                    watcher.entry(table, entry);
                    return Ok(Acted::Yes);
                }
                Outcome::Refused(refusal) => {
                    return Ok(Acted::No(Some(Fault::new(&refusal.code, told(table, &refusal)))));
                }
                Outcome::Asking(question) => match watcher.ask(table, &question).or(question.default.clone()) {
                    Some(answer) => outcome = table.answer(answer, oracle)?,
                    None => return Ok(Acted::Asked(question)),
                },
            }
        }
    }
}

fn has_begun(table: &Table) -> bool {
    let begins = |deed: &Operation| matches!(deed, Operation::Begin { .. });
    table.state().order.acting().is_some() || table.journal().done().iter().any(|entry| begins(&entry.deed))
}

/// How many things were done since the turn began.
fn acts_in_a_row(table: &Table) -> usize {
    let entries = table.journal().done().iter().rev();
    entries.take_while(|entry| matches!(entry.deed, Operation::Act { .. })).count()
}

enum Acted {
    Yes,
    /// Nothing was done; why, if it was refused.
    No(Option<Fault>),
    Asked(Box<Question>),
}

/// What cannot be left undone: that it is refused ends the fight.
fn must_go(acted: Acted) -> Result<Option<Question>, Fault> {
    match acted {
        Acted::Yes | Acted::No(None) => Ok(None),
        Acted::No(Some(refusal)) => Err(refusal),
        Acted::Asked(question) => Ok(Some(*question)),
    }
}

fn must(table: &Table, outcome: Outcome) -> Result<(), Fault> {
    match outcome {
        Outcome::Done(_) => Ok(()),
        Outcome::Refused(refusal) => Err(Fault::new(&refusal.code, told(table, &refusal))),
        Outcome::Asking(_) => Err(Fault::new("HR0528", "a question was asked while the table was laid")),
    }
}

fn end(rules: &Ruleset, f: &mut FieldReader<'_, '_>) -> (i32, Formula) {
    let everybody = || Formula::number(1);
    let Some(node) = f.node("end") else { return (MOST_ROUNDS, everybody()) };
    let merged = Merged::default();
    let desk = LoadContext::of(rules, &merged);
    let mut inner = f.inside(node, "`end`");
    let rounds = inner.int_in("rounds", 1..=1_000).unwrap_or(MOST_ROUNDS);
    let standing = desk.field(&mut inner, "standing", ExpectedType::YesNo, &Locals::new());
    inner.close();
    (rounds, standing.unwrap_or_else(everybody))
}

fn check_tactic(member: &Member, tactics: &BTreeMap<String, Tactic>, problems: &mut Problems) {
    let Some(tactic) = &member.tactic else { return };
    if !tactics.contains_key(tactic) {
        let near = houserule_kernel::error::nearest(tactic, tactics.keys().map(String::as_str))
            .map(|near| format!("did you mean `{near}`?"));
        let message = format!("`{}` acts by the tactic `{tactic}`, which nobody wrote", member.seat.name);
        problems.push(Problem { help: near, ..Problem::new("HR0203", member.place, message) });
    }
}

/// That somebody stands idle, or that there is nobody to fight.
fn hardly_meant(members: &[Member]) -> Vec<Problem> {
    let acting = || members.iter().filter(|member| member.acts());
    let mut problems: Vec<Problem> = Vec::new();
    for member in acting().filter(|member| member.tactic.is_none()) {
        let message = format!("`{}` has no tactic, and stands idle", member.seat.name);
        problems.push(Problem::new("HR0919", member.place, message).help("add `tactic = \"…\"`"));
    }
    let first = acting().next();
    if let Some(one) = first.filter(|one| acting().all(|member| member.seat.side == one.seat.side)) {
        let side = if one.seat.side.is_empty() { "no side".to_owned() } else { format!("side `{}`", one.seat.side) };
        let message = format!("everybody is on {side}, so that the fight is over before it begins");
        problems.push(Problem::new("HR0920", one.place, message).help("give the others a `side` of their own"));
    }
    problems
}
