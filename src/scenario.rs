//! Scenarios: a pack's own tests, each a small story with what must come of it.

use crate::cast::Member;
use crate::house_rules::{policies, settings};
use crate::refused::{legal, told};
use crate::{Deed, Diagnostic, Intent, Oracle, Outcome, Policies, Problem, Refusal, Ruleset, Sources, Span, Table};
use houserule_kernel::clock::Unit;
use houserule_kernel::ident::{EntityId, OptionId};
use houserule_kernel::oracle::{Taped, taped};
use houserule_kernel::pack::{Body, Child, Fields, Node, read_toml};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// A scenario as its file says it.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What it shows, for people.
    pub about: String,
    /// Where its numbers come from.
    pub source: Vec<String>,
    /// Settings of house-rule switches.
    pub settings: Vec<(OptionId, i32)>,
    /// Who answers questions for which an act has no answer.
    pub policies: Policies,
    /// Who takes part.
    pub given: Vec<Member>,
    /// What happens.
    pub acts: Vec<Act>,
    /// The same again with changes.
    pub rows: Vec<Row>,
}

/// What is done in one act.
#[derive(Clone, Debug, Default)]
pub enum What {
    /// Nothing: only numbers are read.
    #[default]
    Nothing,
    /// An action.
    Do(Intent),
    /// An encounter begins with these, of whom those are aware.
    Begin(Option<Vec<String>>, Option<Vec<String>>),
    /// The next turn.
    Next,
    /// Time passes.
    Wait(Vec<(Unit, i32)>),
    /// The encounter ends.
    End,
    /// Somebody joins.
    Join(String),
    /// The acting creature waits behind another.
    Delay(String),
    /// A bare check.
    Check(String, Option<i32>),
    /// Steps of the game master.
    Run(String),
}

/// One act, and what must come of it.
#[derive(Clone, Debug, Default)]
pub struct Act {
    /// What is done.
    pub what: What,
    /// Who does it.
    pub who: String,
    /// Against whom.
    pub target: Option<String>,
    /// What is stated.
    pub facts: Vec<(String, i32)>,
    /// The faces of the dice; the table's own if there are none.
    pub tape: Option<Vec<Taped>>,
    /// Answers to what is asked.
    pub answers: Vec<String>,
    /// The degrees of the checks, in order.
    pub expect: Option<Vec<String>>,
    /// The order of acting.
    pub order: Option<Vec<String>>,
    /// Whose turn it is afterwards.
    pub turn: Option<String>,
    /// Why it is refused.
    pub refused: Option<String>,
    /// Numbers afterwards.
    pub after: Vec<(String, i32)>,
}

/// A row of a table: changes to the story above.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it shows.
    pub name: String,
    /// Who takes part.
    pub given: Vec<Member>,
    /// What happens.
    pub acts: Vec<Act>,
}

/// What came of playing a story.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// What was told, one paragraph an act.
    pub told: String,
    /// What did not come as it must, in sentences.
    pub failures: Vec<String>,
}

impl Scenario {
    /// Reads a scenario by the names of a ruleset.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(rules: &Ruleset, name: &str, text: &str) -> Result<Scenario, Vec<Diagnostic>> {
        let mut sources = Sources::default();
        let mut problems = Vec::new();
        let file = sources.add(name, text);
        let node =
            Node { span: Span { file, start: 0, end: 0 }, body: Body::Table(read_toml(text, file, &mut problems)) };
        let scenario = Scenario::read_fields(rules, &node, text, &mut problems);
        if problems.is_empty() {
            return Ok(scenario);
        }
        problems.sort();
        Err(problems.iter().map(|problem| sources.locate(problem)).collect())
    }

    fn read_fields(rules: &Ruleset, node: &Node, text: &str, problems: &mut Vec<Problem>) -> Scenario {
        let mut f = Fields::open(node, "the scenario", problems);
        let about = f.required_text("about").map(|about| about.text.clone()).unwrap_or_default();
        let source = f.texts("source").into_iter().map(|source| source.text.clone()).collect();
        let settings = settings(rules, &mut f);
        let policies = policies(rules, &mut f);
        let given: Vec<Member> =
            f.table("given").into_iter().filter_map(|child| Member::read(rules, child, None, f.problems())).collect();
        let acts: Vec<Act> =
            f.list("act").iter().map(|node| Act::default().overlaid(f.inside(node, "an act"), text)).collect();
        let rows = f.list("each").iter().map(|node| row(rules, f.inside(node, "a row"), &given, &acts, text)).collect();
        f.close();
        Scenario { about, source, settings, policies, given, acts, rows }
    }

    /// Plays the story, and each row of its table. With `between`, what it does
    /// to the table happens after every act.
    pub fn play(&self, rules: &Arc<Ruleset>, between: &mut dyn FnMut(&mut Table) -> Result<(), String>) -> Played {
        let mut played = Played::default();
        play_story(rules, self, &self.given, &self.acts, "", between, &mut played);
        for row in &self.rows {
            played.told.push_str(&format!("\n## {}\n", row.name));
            play_story(rules, self, &row.given, &row.acts, &row.name, between, &mut played);
        }
        played
    }
}

fn row(rules: &Ruleset, mut f: Fields<'_, '_>, given: &[Member], acts: &[Act], text: &str) -> Row {
    let name = f.required_text("name").map(|name| name.text.clone()).unwrap_or_default();
    let mut members = given.to_vec();
    for child in f.table("given") {
        overlay_member(rules, child, &mut members, f.problems());
    }
    let at = f.int_in("act", 1..=1_000).and_then(|at| usize::try_from(at).ok()).unwrap_or(1);
    let mut acts = acts.to_vec();
    match acts.get_mut(at.saturating_sub(1)) {
        Some(act) => *act = std::mem::take(act).overlaid(f, text),
        None => {
            let span = f.span();
            f.problems().push(Problem::new("HR0205", span, format!("there is no act {at} to change")));
        }
    }
    Row { name, given: members, acts }
}

fn overlay_member(rules: &Ruleset, child: &Child, members: &mut Vec<Member>, problems: &mut Vec<Problem>) {
    let at = members.iter().position(|member| *member.seat.name == *child.name);
    let member = Member::read(rules, child, at.and_then(|at| members.get(at)), problems);
    match (member, at.and_then(|at| members.get_mut(at))) {
        (Some(member), Some(place)) => *place = member,
        (Some(member), None) => members.push(member),
        (None, _) => {}
    }
}

impl Act {
    /// Reads what an act says over what is known of it already.
    fn overlaid(mut self, mut f: Fields<'_, '_>, text: &str) -> Act {
        let word = |f: &mut Fields<'_, '_>, key: &str| f.text(key).map(|phrase| phrase.text.clone());
        let words = |f: &mut Fields<'_, '_>, key: &str| {
            let there = f.child(key).is_some();
            there.then(|| f.texts(key).into_iter().map(|phrase| phrase.text.clone()).collect::<Vec<_>>())
        };
        self.who = word(&mut f, "who").unwrap_or(self.who);
        self.target = word(&mut f, "target").or(self.target);
        self.read_what(&mut f, text);
        if f.child("facts").is_some() {
            self.facts = numbers(&mut f, "facts");
        }
        if let Some(tape) = words(&mut f, "tape") {
            self.tape = Some(tape.iter().filter_map(|face| tape_face(&mut f, face)).collect());
        }
        self.answers = words(&mut f, "answers").unwrap_or(self.answers);
        self.expect = words(&mut f, "expect").or(self.expect);
        self.order = words(&mut f, "order").or(self.order);
        self.turn = word(&mut f, "turn").or(self.turn);
        self.refused = word(&mut f, "refused").or(self.refused);
        if f.child("after").is_some() {
            self.after = numbers(&mut f, "after");
        }
        f.close();
        self
    }

    fn read_what(&mut self, f: &mut Fields<'_, '_>, text: &str) {
        let word = |f: &mut Fields<'_, '_>, key: &str| f.text(key).map(|phrase| phrase.text.clone());
        let (action, item) = (word(f, "do"), word(f, "with"));
        let and = word(f, "and");
        let to = crate::cast::square(f, "to").map(|square| (square.x, square.y));
        let via = crate::cast::squares(f, "via");
        match (&mut self.what, action) {
            (_, Some(action)) => self.what = What::Do(Intent { item, and, to, via, ..Intent::new(&action) }),
            (What::Do(intent), None) => {
                intent.item = item.or(intent.item.take());
                intent.to = to.or(intent.to);
                intent.and = and.or(intent.and.take());
                if !via.is_empty() {
                    intent.via = via;
                }
            }
            _ => {}
        }
        if let Some(child) = f.child("begin") {
            let names = |body: &Body| match body {
                Body::List(list) => {
                    Some(list.iter().filter_map(Node::as_text).map(|phrase| phrase.text.clone()).collect())
                }
                _ => None,
            };
            self.what = What::Begin(names(&child.node.body), None);
        }
        if f.child("aware").is_some() {
            let aware = f.texts("aware").into_iter().map(|phrase| phrase.text.clone()).collect();
            if let What::Begin(_, known) = &mut self.what {
                *known = Some(aware);
            }
        }
        self.read_rare(f, text);
    }

    fn read_rare(&mut self, f: &mut Fields<'_, '_>, text: &str) {
        if f.yes("next", false) {
            self.what = What::Next;
        }
        if f.yes("end", false) {
            self.what = What::End;
        }
        for (key, make) in [("join", What::Join as fn(String) -> What), ("delay", What::Delay)] {
            if let Some(name) = f.text(key) {
                self.what = make(name.text.clone());
            }
        }
        if let Some(node) = f.node("wait") {
            self.what = What::Wait(wait(f.inside(node, "`wait`")));
        }
        let dc = f.int("dc");
        match (&mut self.what, f.text("check")) {
            (_, Some(check)) => self.what = What::Check(check.text.clone(), dc),
            (What::Check(_, known), None) => *known = dc.or(*known),
            _ => {}
        }
        if let Some(node) = f.node("run") {
            let written = text.get(node.span.start as usize..node.span.end as usize).unwrap_or("[]");
            self.what = What::Run(format!("do = {written}"));
        }
    }
}

fn wait(mut f: Fields<'_, '_>) -> Vec<(Unit, i32)> {
    let stretches = Unit::WORDS.iter().filter_map(|(key, unit)| Some((*unit, f.int(key)?))).collect();
    f.close();
    stretches
}

fn tape_face(f: &mut Fields<'_, '_>, face: &str) -> Option<Taped> {
    match taped(face) {
        Ok(taped) => Some(taped),
        Err(message) => {
            let span = f.span();
            f.problems().push(Problem::new("HR0702", span, message));
            None
        }
    }
}

fn numbers(f: &mut Fields<'_, '_>, key: &str) -> Vec<(String, i32)> {
    let mut numbers = Vec::new();
    for child in f.table(key) {
        match child.node.body {
            Body::Int(number) => numbers.push((child.name.clone(), number)),
            Body::Yes(answer) => numbers.push((child.name.clone(), i32::from(answer))),
            _ => f.problems().push(Problem::new(
                "HR0203",
                child.node.span,
                format!("`{}` is a number, `true` or `false`", child.name),
            )),
        }
    }
    numbers
}

fn play_story(
    rules: &Arc<Ruleset>,
    scenario: &Scenario,
    given: &[Member],
    acts: &[Act],
    row: &str,
    between: &mut dyn FnMut(&mut Table) -> Result<(), String>,
    played: &mut Played,
) {
    let mut table = Table::new(rules, 1);
    table.set_policies(scenario.policies.clone());
    let place = |at: usize| if row.is_empty() { format!("act {at}") } else { format!("row `{row}`, act {at}") };
    if let Err(failure) = seat_all(&mut table, scenario, given) {
        played.failures.push(format!("{}: {failure}", place(0)));
        return;
    }
    for (at, act) in acts.iter().enumerate() {
        let failures = act.play(&mut table, given, &mut played.told);
        played.failures.extend(failures.into_iter().map(|failure| format!("{}: {failure}", place(at + 1))));
        if let Err(failure) = between(&mut table) {
            played.failures.push(format!("{}: {failure}", place(at + 1)));
        }
    }
}

fn seat_all(table: &mut Table, scenario: &Scenario, given: &[Member]) -> Result<(), String> {
    let switches = scenario.settings.iter().map(|(option, value)| Deed::Switch { option: *option, value: *value });
    let seats = given.iter().map(|member| Deed::Seat(Box::new(member.seat.clone())));
    for deed in switches.chain(seats) {
        match table.perform(&deed) {
            Ok(Outcome::Done(_)) => {}
            Ok(Outcome::Refused(refusal)) => return Err(told(table, &refusal)),
            Ok(Outcome::Asking(_)) => return Err("a question was asked while people were seated".to_owned()),
            Err(fault) => return Err(fault.to_string()),
        }
    }
    Ok(())
}

impl Act {
    fn play(&self, table: &mut Table, given: &[Member], log: &mut String) -> Vec<String> {
        let mut failures = Vec::new();
        let mut oracle = match &self.tape {
            Some(tape) => Oracle::Tape(VecDeque::from(tape.clone())),
            None => Oracle::Seeded,
        };
        let outcome = match self.deed(table, given) {
            Ok(None) => None,
            Ok(Some(deed)) => Some(self.perform(table, &deed, &mut oracle, &mut failures)),
            Err(refusal) => Some(Ok(Outcome::Refused(Box::new(refusal)))),
        };
        if let Some(outcome) = outcome {
            self.judge(table, outcome, log, &mut failures);
        }
        if let Oracle::Tape(rest) = &oracle
            && !rest.is_empty()
        {
            failures.push(format!("{} faces are left on the tape", rest.len()));
        }
        self.check_after(table, &mut failures);
        failures
    }

    fn deed(&self, table: &Table, given: &[Member]) -> Result<Option<Deed>, Refusal> {
        let one =
            |name: &str| Ok::<EntityId, Refusal>(table.find_all(&[name])?.first().copied().unwrap_or(EntityId::TABLE));
        let target = || self.target.as_ref().map(|name| one(name)).transpose();
        Ok(Some(match &self.what {
            What::Nothing => return Ok(None),
            What::Do(intent) => {
                let targets = self.target.iter().cloned().collect();
                table.prepare(&Intent {
                    who: self.who.clone(),
                    targets,
                    facts: self.facts.clone(),
                    ..intent.clone()
                })?
            }
            What::Begin(who, aware) => {
                let acting = || given.iter().filter(|member| member.acts());
                let everybody: Vec<String> = acting().map(|member| member.seat.name.to_string()).collect();
                let who = who.clone().unwrap_or(everybody);
                let aware = aware.clone().unwrap_or_else(|| {
                    acting().filter(|member| member.aware).map(|member| member.seat.name.to_string()).collect()
                });
                let ids = |names: &[String]| table.find_all(&names.iter().map(String::as_str).collect::<Vec<_>>());
                Deed::Begin { who: ids(&who)?, aware: ids(&aware)? }
            }
            What::Next => Deed::Next,
            What::Wait(stretches) => {
                let round = table.rules().turn.seconds;
                Deed::Wait { seconds: stretches.iter().map(|(unit, count)| unit.seconds(*count, round)).sum() }
            }
            What::End => Deed::End,
            What::Join(who) => Deed::Join(one(who)?),
            What::Delay(behind) => Deed::Delay { behind: one(behind)? },
            What::Check(check, dc) => {
                let unknown = || Refusal::new("HR0703", "refuse.unknown_name", &[("kind", "check"), ("name", check)]);
                let id = table.rules().lexicon.find(check).ok_or_else(unknown)?;
                Deed::Check {
                    who: one(&self.who)?,
                    target: target()?,
                    check: id,
                    dc: *dc,
                    facts: table.facts(&self.facts)?,
                }
            }
            What::Run(steps) => Deed::Rule { who: one(&self.who)?, target: target()?, steps: steps.as_str().into() },
        }))
    }

    fn perform(
        &self,
        table: &mut Table,
        deed: &Deed,
        oracle: &mut Oracle,
        failures: &mut Vec<String>,
    ) -> Result<Outcome, crate::Fault> {
        let mut outcome = table.perform_with(deed, oracle)?;
        let mut answers = self.answers.iter();
        while let Outcome::Asking(_) = &outcome {
            let Some(answer) = answers.next() else { break };
            outcome = table.answer_in_words(answer, oracle)?;
        }
        failures.extend(answers.next().map(|answer| format!("nothing was asked to which `{answer}` is the answer")));
        Ok(outcome)
    }

    fn judge(
        &self,
        table: &Table,
        outcome: Result<Outcome, crate::Fault>,
        log: &mut String,
        failures: &mut Vec<String>,
    ) {
        match (outcome, &self.refused) {
            (Ok(Outcome::Done(entry)), None) => {
                log.push_str(&tell(table, entry));
                self.check_done(table, entry, failures);
            }
            (Ok(Outcome::Done(_)), Some(refused)) => {
                failures.push(format!("it was done, but should be refused: `{refused}`"))
            }
            (Ok(Outcome::Refused(refusal)), Some(expected))
                if *refusal.text == **expected || *refusal.code == **expected =>
            {
                log.push_str(&format!("refused: {}\n", told(table, &refusal)));
            }
            (Ok(Outcome::Refused(refusal)), _) => {
                failures.push(format!("refused: {} (`{}`)", told(table, &refusal), refusal.text))
            }
            (Ok(Outcome::Asking(question)), _) => {
                let asked = table.rules().name(question.text);
                failures.push(format!("`{asked}` is asked: {}", legal(table, &question)));
            }
            (Err(fault), Some(expected)) if fault.code == **expected => log.push_str(&format!("fault: {fault}\n")),
            (Err(fault), _) => failures.push(fault.to_string()),
        }
    }

    fn check_done(&self, table: &Table, entry: usize, failures: &mut Vec<String>) {
        if let Some(expected) = &self.expect {
            let found = degrees(table, entry);
            if found != *expected {
                failures.push(format!("the checks came out {found:?}, not {expected:?}"));
            }
        }
        let order = &table.state().order;
        let name = |who: EntityId| table.state().entity(who).map_or(String::new(), |entity| entity.name.to_string());
        if let Some(expected) = &self.order {
            let found: Vec<String> = order.places.iter().filter_map(|place| place.owner).map(name).collect();
            if found != *expected {
                failures.push(format!("the order is {found:?}, not {expected:?}"));
            }
        }
        if let Some(expected) = &self.turn {
            let found = order.acting().map(name).unwrap_or_default();
            if found != *expected {
                failures.push(format!("it is the turn of `{found}`, not of `{expected}`"));
            }
        }
    }

    fn check_after(&self, table: &Table, failures: &mut Vec<String>) {
        for (what, expected) in &self.after {
            let Some((name, expression)) = what.split_once('.') else {
                failures.push(format!("`{what}` does not say whose number it is; write `NAME.{what}`"));
                continue;
            };
            let found = match table.state().find(name) {
                Some(who) => table.read(who, expression),
                None => Err(crate::Fault::new("HR0704", format!("there is nobody called `{name}`"))),
            };
            match found {
                Ok(found) if found == *expected => {}
                Ok(found) => failures.push(format!("`{what}` is {found}, not {expected}")),
                Err(fault) => failures.push(fault.to_string()),
            }
        }
    }
}

/// The degrees of the checks of an entry, in order; those of initiative aside.
fn degrees(table: &Table, entry: usize) -> Vec<String> {
    let rules = table.rules();
    let initiative = rules.initiative.as_ref().map(|initiative| initiative.check);
    let records = table.journal().done().get(entry).map(|entry| table.journal().records(entry)).unwrap_or_default();
    let mut degrees: Vec<String> = Vec::new();
    for record in records {
        if let houserule_kernel::journal::Record::Concluded { check, degree, .. } = record
            && Some(*check) != initiative
        {
            degrees.push(rules.name(*degree).to_owned());
        }
    }
    degrees
}

/// What an entry says, in words.
fn tell(table: &Table, entry: usize) -> String {
    table.explain(entry, "en").map_or_else(|fault| fault.to_string(), |account| account.to_text())
}

/// The scenarios of a pack, by name, with their texts.
#[must_use]
pub fn of_pack(pack: &crate::Pack) -> BTreeMap<String, String> {
    let scenarios = pack.files().filter_map(|(name, text)| {
        let name = name.strip_prefix("scenarios/")?.strip_suffix(".toml")?;
        Some((name.to_owned(), text.to_owned()))
    });
    scenarios.collect()
}
