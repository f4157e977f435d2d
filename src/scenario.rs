//! Scenarios: a pack's own tests, each a small story with what must come of it.

use crate::Explain;
use crate::house_rules::{policies, settings};
use crate::members::Member;
use crate::outcome_text::{legal, told};
use crate::scenario_names::ScenarioNames;
use crate::{
    Budget, Diagnostic, Intent, Operation, Oracle, Outcome, Policies, Problem, Problems, Question, QuestionKind,
    Refusal, Ruleset, Sources, Span, Table,
};
use houserule_kernel::ident::{EntityId, OptionId};
use houserule_kernel::printable::printable;
use houserule_loader::pack::{FieldReader, Merged, NodeKind, TomlEntry, TomlNode, read_toml};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

pub use crate::scenario_step::{ActKind, ScenarioStep};

/// A scenario as its file says it.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// ActKind it shows, for people.
    pub about: String,
    /// Where its numbers come from.
    pub source: Vec<String>,
    /// Settings of house-rule switches.
    pub settings: Vec<(OptionId, i32)>,
    /// Who answers questions for which an act has no answer.
    pub policies: Policies,
    /// Who takes part.
    pub given: Vec<Member>,
    /// ActKind happens.
    pub acts: Vec<ScenarioStep>,
    /// The same again with changes.
    pub rows: Vec<Row>,
    /// How much each of its intents may do; the default, unless the host says more.
    pub budget: Budget,
    /// Its file, to say where something did not come as it must.
    pub sources: Sources,
}

/// A row of a table: changes to the story above.
#[derive(Clone, Debug)]
pub struct Row {
    /// ActKind it shows.
    pub name: String,
    /// Who takes part.
    pub given: Vec<Member>,
    /// ActKind happens.
    pub acts: Vec<ScenarioStep>,
    /// Where the row stands.
    pub place: Span,
}

/// ActKind came of playing a story.
#[derive(Clone, Debug, Default)]
pub struct PlayedScenario {
    /// ActKind was told, one paragraph an act.
    pub told: String,
    /// ActKind did not come as it must, in sentences that begin with file and line.
    pub failures: Vec<String>,
}

impl Scenario {
    /// Reads a scenario by the names of a ruleset.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(rules: &Ruleset, name: &str, text: &str) -> Result<Scenario, Vec<Diagnostic>> {
        let mut sources = Sources::default();
        let mut problems = Problems::default();
        let file = sources.add(name, text);
        let node = TomlNode {
            span: Span { file, start: 0, end: 0 },
            body: NodeKind::Table(read_toml(text, file, &mut problems)),
        };
        let mut scenario = Scenario::read_fields(rules, &node, text, &mut problems);
        if problems.is_empty() {
            scenario.sources = sources;
            return Ok(scenario);
        }
        Err(problems.told(&sources))
    }

    fn read_fields(rules: &Ruleset, node: &TomlNode, text: &str, problems: &mut Problems) -> Scenario {
        let merged = Merged::default();
        let bill = ScenarioNames::of(rules, &merged, node, text);
        let mut f = FieldReader::open(node, "the scenario", problems);
        let about = f.required_text("about").map(|about| about.text.clone()).unwrap_or_default();
        let source = f.texts("source").into_iter().map(|source| source.text.clone()).collect();
        let settings = settings(rules, &mut f);
        let policies = policies(rules, &mut f);
        let given: Vec<Member> =
            f.table("given").into_iter().filter_map(|child| Member::read(rules, child, None, f.problems())).collect();
        let acts: Vec<ScenarioStep> = f
            .list("act")
            .iter()
            .map(|node| ScenarioStep::default().overlaid(f.inside(node, "an act"), &bill))
            .collect();
        let rows =
            f.list("each").iter().map(|node| row(rules, f.inside(node, "a row"), &given, &acts, &bill)).collect();
        f.close();
        let (budget, sources) = (Budget::default(), Sources::default());
        Scenario { about, source, settings, policies, given, acts, rows, budget, sources }
    }

    /// The pools that did not begin as the story says, since they have bounds.
    #[must_use]
    pub fn clamped(&self, rules: &Arc<Ruleset>) -> Vec<Diagnostic> {
        let casts = std::iter::once(&self.given).chain(self.rows.iter().map(|row| &row.given));
        let problems: Problems = casts.flat_map(|given| self.clamped_of(rules, given)).collect();
        problems.told(&self.sources)
    }

    fn clamped_of(&self, rules: &Arc<Ruleset>, given: &[Member]) -> Vec<Problem> {
        let mut table = Table::new(rules, 1);
        // whoever cannot be seated is told of when the story is played
        let _ = seat_all(&mut table, self, given);
        given.iter().flat_map(|member| member.clamped(&table)).collect()
    }

    /// Plays the story, and each row of its table. With `between`, what it does
    /// to the table happens after every act.
    pub fn play(
        &self,
        rules: &Arc<Ruleset>,
        between: &mut dyn FnMut(&mut Table) -> Result<(), String>,
    ) -> PlayedScenario {
        let mut played = PlayedScenario::default();
        play_story(rules, self, (&self.given, &self.acts), None, between, &mut played);
        for row in &self.rows {
            played.told.push_str(&format!("\n## {}\n", printable(&row.name)));
            play_story(rules, self, (&row.given, &row.acts), Some(row), between, &mut played);
        }
        played
    }
}

fn row(
    rules: &Ruleset,
    mut f: FieldReader<'_, '_>,
    given: &[Member],
    acts: &[ScenarioStep],
    bill: &ScenarioNames<'_>,
) -> Row {
    let place = f.span();
    let name = f.required_text("name").map(|name| name.text.clone()).unwrap_or_default();
    let mut members = given.to_vec();
    for child in f.table("given") {
        overlay_member(rules, child, &mut members, f.problems());
    }
    let at = f.int_in("act", 1..=1_000).and_then(|at| usize::try_from(at).ok()).unwrap_or(1);
    let mut acts = acts.to_vec();
    match acts.get_mut(at.saturating_sub(1)) {
        Some(act) => *act = std::mem::take(act).overlaid(f, bill),
        None => {
            let span = f.span();
            f.problems().push(Problem::new("HR0205", span, format!("there is no act {at} to change")));
        }
    }
    Row { name, given: members, acts, place }
}

fn overlay_member(rules: &Ruleset, child: &TomlEntry, members: &mut Vec<Member>, problems: &mut Problems) {
    let at = members.iter().position(|member| *member.seat.name == *child.name);
    let member = Member::read(rules, child, at.and_then(|at| members.get(at)), problems);
    match (member, at.and_then(|at| members.get_mut(at))) {
        (Some(member), Some(place)) => *place = member,
        (Some(member), None) => members.push(member),
        (None, _) => {}
    }
}

/// ActKind did not come as it must, and the line that says so.
type Missed = (Span, String);

fn play_story(
    rules: &Arc<Ruleset>,
    scenario: &Scenario,
    (given, acts): (&[Member], &[ScenarioStep]),
    row: Option<&Row>,
    between: &mut dyn FnMut(&mut Table) -> Result<(), String>,
    played: &mut PlayedScenario,
) {
    let mut table = Table::new(rules, 1);
    table.set_policies(scenario.policies.clone());
    table.set_budget(scenario.budget);
    let whole = row.map(|row| format!("row `{}`, ", row.name)).unwrap_or_default();
    let failed = |(span, told): Missed, at: &str| {
        let (line, _) = scenario.sources.line_column(span);
        format!("{}:{line}: {whole}{at}{told}", scenario.sources.name(span.file))
    };
    if let Err((span, told)) = seat_all(&mut table, scenario, given) {
        let place = if span == Span::default() { row.map_or(span, |row| row.place) } else { span };
        played.failures.push(failed((place, told), ""));
        return;
    }
    for (at, act) in acts.iter().enumerate() {
        let number = format!("act {}: ", at + 1);
        let missed = act.play(&mut table, given, &mut played.told);
        played.failures.extend(missed.into_iter().map(|missed| failed(missed, &number)));
        if let Err(told) = between(&mut table) {
            played.failures.push(failed((act.place, told), &number));
        }
    }
}

fn seat_all(table: &mut Table, scenario: &Scenario, given: &[Member]) -> Result<(), Missed> {
    for (option, value) in &scenario.settings {
        let switched = table.perform(&Operation::Switch { option: *option, value: *value });
        must(table, switched).map_err(|told| (Span::default(), told))?;
    }
    for member in given {
        let seated = table.perform(&Operation::Seat(Box::new(member.seat.clone())));
        must(table, seated).map_err(|told| (member.place, not_seated(table, member, &told)))?;
    }
    Ok(())
}

/// That nothing is refused or asked while the table is laid.
fn must(table: &Table, outcome: Result<Outcome, crate::Fault>) -> Result<(), String> {
    match outcome {
        Ok(Outcome::Done(_)) => Ok(()),
        Ok(Outcome::Refused(refusal)) => Err(told(table, &refusal)),
        Ok(Outcome::Asking(question)) => {
            Err(format!("`{}` is asked while the table is laid", table.rules().name(question.text)))
        }
        Err(fault) => Err(fault.to_string()),
    }
}

/// Why somebody has no seat: whoever stands on their square is named.
fn not_seated(table: &Table, member: &Member, why: &str) -> String {
    let seat = &member.seat;
    let there = |square| table.state().present().find(|(_, entity)| entity.square == Some(square));
    match seat.square.and_then(|square| Some((square, there(square)?.1))) {
        Some((at, other)) => format!("`{}` cannot sit at {}, {}: `{}` is there", seat.name, at.x, at.y, other.name),
        None => format!("`{}` cannot be seated: {why}", seat.name),
    }
}

impl ScenarioStep {
    fn play(&self, table: &mut Table, given: &[Member], log: &mut String) -> Vec<Missed> {
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
            let left = if rest.len() == 1 { "1 face is".to_owned() } else { format!("{} faces are", rest.len()) };
            failures.push((self.at("tape"), format!("{left} left on the tape")));
        }
        self.check_after(table, &mut failures);
        failures
    }

    fn deed(&self, table: &Table, given: &[Member]) -> Result<Option<Operation>, Refusal> {
        let one =
            |name: &str| Ok::<EntityId, Refusal>(table.find_all(&[name])?.first().copied().unwrap_or(EntityId::TABLE));
        let target = || self.target.as_ref().map(|name| one(name)).transpose();
        Ok(Some(match &self.what {
            ActKind::Nothing => return Ok(None),
            ActKind::Do(intent) => {
                let targets = self.target.iter().cloned().collect();
                table.prepare(&Intent {
                    who: self.who.clone(),
                    targets,
                    facts: self.facts.clone(),
                    ..intent.clone()
                })?
            }
            ActKind::Begin(who, aware) => {
                let acting = || given.iter().filter(|member| member.acts());
                let everybody: Vec<String> = acting().map(|member| member.seat.name.to_string()).collect();
                let who = who.clone().unwrap_or(everybody);
                let aware = aware.clone().unwrap_or_else(|| {
                    acting().filter(|member| member.aware).map(|member| member.seat.name.to_string()).collect()
                });
                let ids = |names: &[String]| table.find_all(&names.iter().map(String::as_str).collect::<Vec<_>>());
                Operation::Begin { who: ids(&who)?, aware: ids(&aware)? }
            }
            ActKind::Next => Operation::Next,
            ActKind::Wait(stretches) => {
                let round = table.rules().turn.seconds;
                Operation::Wait { seconds: stretches.iter().map(|(unit, count)| unit.seconds(*count, round)).sum() }
            }
            ActKind::End => Operation::End,
            ActKind::Join(who) => Operation::Join(one(who)?),
            ActKind::Delay(behind) => Operation::Delay { behind: one(behind)? },
            ActKind::Check(check, dc) => {
                let unknown = || Refusal::new("HR0703", "refuse.unknown_name", &[("kind", "check"), ("name", check)]);
                let id = table.rules().lexicon.find(check).ok_or_else(unknown)?;
                Operation::Check {
                    who: one(&self.who)?,
                    target: target()?,
                    check: id,
                    dc: *dc,
                    facts: table.facts(&self.facts)?,
                }
            }
            ActKind::Run(steps) => {
                Operation::Rule { who: one(&self.who)?, target: target()?, steps: steps.as_str().into() }
            }
        }))
    }

    fn perform(
        &self,
        table: &mut Table,
        deed: &Operation,
        oracle: &mut Oracle,
        failures: &mut Vec<Missed>,
    ) -> Result<Outcome, crate::Fault> {
        let mut outcome = table.perform_with(deed, oracle)?;
        let mut answers = self.answers.iter();
        while let Outcome::Asking(_) = &outcome {
            let Some(answer) = answers.next() else { break };
            outcome = table.answer_in_words(answer, oracle)?;
        }
        let left = answers.next().map(|answer| format!("nothing was asked to which `{answer}` is the answer"));
        failures.extend(left.map(|told| (self.at("answers"), told)));
        Ok(outcome)
    }

    fn judge(
        &self,
        table: &Table,
        outcome: Result<Outcome, crate::Fault>,
        log: &mut String,
        failures: &mut Vec<Missed>,
    ) {
        let mut miss = |key, told| failures.push((self.at(key), told));
        match (outcome, &self.refused) {
            (Ok(Outcome::Done(entry)), None) => {
                log.push_str(&tell(table, entry));
                self.check_done(table, entry, failures);
            }
            (Ok(Outcome::Done(_)), Some(refused)) => {
                miss("refused", format!("it was done, but should be refused: `{refused}`"))
            }
            (Ok(Outcome::Refused(refusal)), Some(expected))
                if *refusal.text == **expected || *refusal.code == **expected =>
            {
                log.push_str(&format!("refused: {}\n", printable(&told(table, &refusal))));
            }
            (Ok(Outcome::Refused(refusal)), _) => {
                miss("refused", format!("refused: {} (`{}`)", told(table, &refusal), refusal.text))
            }
            (Ok(Outcome::Asking(question)), _) => {
                let asked = table.rules().name(question.text);
                miss("answers", format!("`{asked}` is asked: {}; {}", legal(table, &question), to_answer(&question)));
            }
            (Err(fault), Some(expected)) if fault.code == **expected => log.push_str(&format!("fault: {fault}\n")),
            (Err(fault), _) => miss(if fault.code == *"HR0702" { "tape" } else { "" }, fault.to_string()),
        }
    }

    fn check_done(&self, table: &Table, entry: usize, failures: &mut Vec<Missed>) {
        if let Some(expected) = &self.expect {
            let found = degrees(table, entry);
            if found != *expected {
                failures.push((self.at("expect"), format!("the checks came out {found:?}, not {expected:?}")));
            }
        }
        let order = &table.state().order;
        let name = |who: EntityId| table.state().entity(who).map_or(String::new(), |entity| entity.name.to_string());
        if let Some(expected) = &self.order {
            let found: Vec<String> = order.places.iter().filter_map(|place| place.owner).map(name).collect();
            if found != *expected {
                failures.push((self.at("order"), format!("the order is {found:?}, not {expected:?}")));
            }
        }
        if let Some(expected) = &self.turn {
            let found = order.acting().map(name).unwrap_or_default();
            if found != *expected {
                failures.push((self.at("turn"), format!("it is the turn of `{found}`, not of `{expected}`")));
            }
        }
    }

    fn check_after(&self, table: &Table, failures: &mut Vec<Missed>) {
        for (what, expected, place) in &self.after {
            let (name, expression) = what.split_once('.').unwrap_or((what, ""));
            let found = match table.state().find(name) {
                Some(who) => table.read(who, expression),
                None => Err(crate::Fault::new("HR0704", format!("there is nobody called `{name}`"))),
            };
            match found {
                Ok(found) if found == *expected => {}
                Ok(found) => failures.push((*place, format!("`{what}` is {found}, not {expected}"))),
                Err(fault) => failures.push((*place, fault.to_string())),
            }
        }
    }
}

/// How a scenario answers a question.
fn to_answer(question: &Question) -> &'static str {
    match question.asked {
        QuestionKind::YesNo => "add `answers = [\"yes\"]` or `[\"no\"]`",
        QuestionKind::Fact { .. } => "state it in `facts`, or add it to `answers`",
        _ => "add it to `answers`",
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

/// ActKind an entry says, in words.
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
