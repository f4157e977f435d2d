//! The front door: one session of play, to which intents come and outcomes go.

use crate::budget::{Budget, Toil};
use crate::change::StateField;
use crate::entity::{Entity, StatBlockRef};
use crate::error::Fault;
use crate::feed::FeedEvent;
use crate::ident::*;
use crate::intent::{Intent, NewEntity, Operation};
use crate::journal::{Entry, Journal, Record};
use crate::memo::StatCache;
use crate::oracle::*;
use crate::philox;
use crate::policy::Policies;
use crate::ruleset::Ruleset;
use crate::situation::{Formula, Situation};
use crate::space::Square;
use crate::state::State;
use crate::validate;
use smallvec::SmallVec;
use stage::Transaction;
use std::sync::Arc;

mod stage;

/// What came of an intent.
#[derive(Debug)]
#[must_use]
pub enum Outcome {
    /// It was done; the table has changed. Which entry of the journal it is.
    Done(usize),
    /// Somebody must answer first; the table is as before.
    Asking(Box<Question>),
    /// It was refused; the table is as before.
    Refused(Box<Refusal>),
}

impl Outcome {
    /// Whether the intent was done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        matches!(self, Outcome::Done(_))
    }
}

/// One session of play. Plain data: it holds no virtual machine, and may be
/// cloned, saved, and moved between threads.
#[derive(Clone)]
pub struct Table {
    rules: Arc<Ruleset>,
    state: State,
    journal: Journal,
    pending: Option<Box<Pending>>,
    feed: Vec<FeedEvent>,
    /// IdMap that were added up before; they are no state.
    memo: StatCache,
    budget: Budget,
    policies: Arc<Policies>,
    poisoned: bool,
}

impl Table {
    /// Lays a table: nobody is seated, and all dice come from the seed.
    #[must_use]
    pub fn new(rules: &Arc<Ruleset>, seed: u64) -> Table {
        let mut state = State { seed, next: 1, ..State::default() };
        for (option, switch) in rules.options.iter() {
            state.options.put(option, switch.default);
        }
        state.entities.push(table_itself());
        Table {
            rules: Arc::clone(rules),
            state,
            journal: Journal::default(),
            pending: None,
            feed: Vec::new(),
            memo: StatCache::default(),
            budget: Budget::default(),
            policies: Arc::default(),
            poisoned: false,
        }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Arc<Ruleset> {
        &self.rules
    }

    /// The state, to read.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The journal, to read.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The question that waits for an answer.
    #[must_use]
    pub fn question(&self) -> Option<&Question> {
        self.pending.as_deref().map(|pending| &pending.question)
    }

    /// How much one intent may do.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// How much one intent may do.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Who answers questions before anybody is asked. Policies belong to the host:
    /// they are in no save and no digest.
    pub fn set_policies(&mut self, policies: Policies) {
        self.policies = Arc::new(policies);
    }

    /// Who answers questions before anybody is asked.
    #[must_use]
    pub fn policies(&self) -> &Policies {
        &self.policies
    }

    /// Which fight of a simulation this is: each has dice of its own.
    pub fn set_fight(&mut self, fight: u32) {
        self.state.fight = fight;
    }

    pub(crate) fn from_parts(
        rules: Arc<Ruleset>,
        state: State,
        journal: Journal,
        pending: Option<Box<Pending>>,
    ) -> Table {
        let (budget, policies) = (Budget::default(), Arc::default());
        let (feed, memo) = (Vec::new(), StatCache::default());
        Table { rules, state, journal, pending, feed, memo, budget, policies, poisoned: false }
    }

    /// The events of the feed from a number on, each with its own number. A table
    /// that was loaded begins a new feed.
    pub fn feed_since(&self, number: usize) -> impl Iterator<Item = (usize, FeedEvent)> + '_ {
        self.feed.iter().copied().enumerate().skip(number)
    }

    pub(crate) fn pending(&self) -> Option<&Pending> {
        self.pending.as_deref()
    }

    /// Takes an action, said by names.
    ///
    /// # Errors
    /// A fault of the rules; the table is as before.
    pub fn act(&mut self, intent: &Intent) -> Result<Outcome, Fault> {
        match self.prepare(intent) {
            Ok(deed) => self.perform(&deed),
            Err(refusal) => Ok(Outcome::Refused(Box::new(refusal))),
        }
    }

    /// Turns names into ids, so that an intent may be done again and again.
    ///
    /// # Errors
    /// A refusal that names what is not there.
    pub fn prepare(&self, intent: &Intent) -> Result<Operation, Refusal> {
        let unknown = |code, key: &str, name: &str| Refusal::new(code, key, &[("name", name)]);
        let who = self.state.find(&intent.who).ok_or_else(|| unknown("HR0704", "refuse.unknown_who", &intent.who))?;
        let action = self
            .rules
            .lexicon
            .find(&intent.action)
            .ok_or_else(|| unknown("HR0703", "refuse.unknown_action", &intent.action))?;
        let item = match &intent.item {
            Some(item) => Some(self.held_item(who, &intent.who, item)?),
            None => self.first_fitting(who, action),
        };
        let and = intent.and.as_ref().map(|item| self.held_item(who, &intent.who, item)).transpose()?;
        let mut targets = SmallVec::new();
        for target in &intent.targets {
            targets.push(self.state.find(target).ok_or_else(|| unknown("HR0704", "refuse.unknown_target", target))?);
        }
        let to = intent.to.map(on_map).transpose()?;
        let via = intent.via.iter().map(|square| on_map(*square)).collect::<Result<_, _>>()?;
        Ok(Operation::Act { who, action, item, and, targets, to, via, facts: self.facts(&intent.facts)? })
    }

    /// Turns the names of facts into ids.
    ///
    /// # Errors
    /// A refusal that names the fact the rules do not know.
    pub fn facts(&self, facts: &[(String, i32)]) -> Result<SmallVec<[(FactId, i32); 2]>, Refusal> {
        let find = |(name, number): &(String, i32)| {
            let id = self.rules.lexicon.find(name).map(|fact| (fact, *number));
            id.ok_or_else(|| Refusal::new("HR0703", "refuse.unknown_name", &[("kind", "fact"), ("name", name)]))
        };
        facts.iter().map(find).collect()
    }

    /// The item that is meant where none is named: the first held that the
    /// action can be done with.
    fn first_fitting(&self, who: EntityId, action: ActionId) -> Option<EntityId> {
        let tag = self.rules.actions.get(action).item?;
        let held = &self.state.entity(who)?.holds;
        held.iter().copied().find(|item| self.state.entity(*item).is_some_and(|entity| entity.tags.has(tag)))
    }

    /// The held item with that name, of that page, or with that tag.
    fn held_item(&self, who: EntityId, who_name: &str, name: &str) -> Result<EntityId, Refusal> {
        let held = self.state.entity(who).map(|entity| entity.holds.clone()).unwrap_or_default();
        let entity = |item: &&EntityId| self.state.entity(**item).is_some_and(|entity| &*entity.name == name);
        let page = |item: &&EntityId| match self.state.entity(**item).map(|entity| entity.origin) {
            Some(StatBlockRef::Item(page)) => self.rules.name(page) == name,
            _ => false,
        };
        let tag: Option<TagId> = self.rules.lexicon.find(name);
        let tagged = |item: &&EntityId| {
            tag.is_some_and(|tag| self.state.entity(**item).is_some_and(|entity| entity.tags.has(tag)))
        };
        let found = held.iter().find(entity).or_else(|| held.iter().find(page)).or_else(|| held.iter().find(tagged));
        found
            .copied()
            .ok_or_else(|| Refusal::new("HR0703", "refuse.unknown_item", &[("who", who_name), ("name", name)]))
    }

    /// Does an intent with the table's own dice.
    ///
    /// # Errors
    /// A fault of the rules; the table is as before.
    pub fn perform(&mut self, deed: &Operation) -> Result<Outcome, Fault> {
        self.perform_with(deed, &mut Oracle::Seeded)
    }

    /// Does an intent; the oracle answers what the rules do not decide.
    ///
    /// # Errors
    /// A fault of the rules; the table is as before.
    pub fn perform_with(&mut self, deed: &Operation, oracle: &mut Oracle) -> Result<Outcome, Fault> {
        if self.pending.as_ref().is_some_and(|pending| pending.question.binds) {
            return Ok(Outcome::Refused(Box::new(Refusal::new("HR0710", "refuse.bound", &[]))));
        }
        self.pending = None;
        self.run(deed, &[], oracle)
    }

    /// Does an intent again with everything that was answered when it was done
    /// first: no generator is asked.
    ///
    /// # Errors
    /// A fault of the rules, or `HR0523` if it asks for something else now.
    pub fn perform_again(&mut self, deed: &Operation, answers: &[(InputKey, Answered)]) -> Result<Outcome, Fault> {
        self.pending = None;
        self.run(deed, answers, &mut Oracle::Seeded)
    }

    /// A fresh table to which everything in this journal was done again.
    ///
    /// # Errors
    /// As [`Table::perform_again`].
    pub fn replayed(&self) -> Result<Table, Fault> {
        let mut again = Table::new(&self.rules, self.state.seed);
        again.state.fight = self.state.fight;
        for entry in self.journal.done() {
            let outcome = again.perform_again(&entry.deed, self.journal.answers(entry))?;
            if !outcome.is_done() {
                return Err(Fault::of_intent("HR0523", "the run diverged: what was done once is not done again"));
            }
        }
        again.feed.clear();
        Ok(again)
    }

    /// Answers what was asked, and goes on with the intent.
    ///
    /// # Errors
    /// A fault of the rules; the table is as before.
    pub fn answer(&mut self, answer: impl Into<Answer>, oracle: &mut Oracle) -> Result<Outcome, Fault> {
        let Some(pending) = self.pending.take() else { return Ok(nothing_asked()) };
        let answered = match pending.with_answer(&answer.into()) {
            Ok(answered) => answered,
            Err(refusal) => {
                self.pending = Some(pending);
                return Ok(Outcome::Refused(Box::new(refusal)));
            }
        };
        let done = self.run(&pending.deed, &answered, oracle);
        if done.is_err() {
            self.pending = Some(pending);
        }
        done
    }

    /// Answers what was asked in the words of [`Question::read`].
    ///
    /// # Errors
    /// As [`Table::answer`].
    pub fn answer_in_words(&mut self, text: &str, oracle: &mut Oracle) -> Result<Outcome, Fault> {
        let Some(question) = self.question() else { return Ok(nothing_asked()) };
        match question.read(text) {
            Some(answer) => self.answer(answer, oracle),
            None => Ok(Outcome::Refused(Box::new(no_answer(question)))),
        }
    }

    /// Gives up an intent that was asked about; its draws stay spent.
    ///
    /// # Errors
    /// A fault of the rules; the table is as before.
    pub fn withdraw(&mut self) -> Result<Outcome, Fault> {
        let Some(pending) = self.pending.take() else { return Ok(nothing_asked()) };
        let mut spent: Vec<(EntityId, StreamId, u32)> = Vec::new();
        for (demand, answer) in &pending.answered {
            if let InputKey::Face { who, stream, .. } = demand {
                match spent.iter_mut().find(|(known, of, _)| known == who && of == stream) {
                    Some((.., count)) => *count = count.saturating_add(answer.spent),
                    None => spent.push((*who, *stream, answer.spent)),
                }
            }
        }
        let done = self.run(&Operation::Withdraw { spent }, &[], &mut Oracle::Seeded);
        if done.is_err() {
            self.pending = Some(pending);
        }
        done
    }

    /// Seats a creature of the packs.
    ///
    /// # Errors
    /// A fault of the rules; the table is as before.
    pub fn seat(&mut self, name: &str, creature: &str, side: &str) -> Result<Outcome, Fault> {
        match self.new_seat(name, creature, side) {
            Ok(seat) => self.perform(&Operation::Seat(Box::new(seat))),
            Err(refusal) => Ok(Outcome::Refused(Box::new(refusal))),
        }
    }

    /// A seat for a creature of the packs, to be changed before it is taken.
    ///
    /// # Errors
    /// A refusal if there is no such creature.
    pub fn new_seat(&self, name: &str, creature: &str, side: &str) -> Result<NewEntity, Refusal> {
        let unknown = || Refusal::new("HR0703", "refuse.unknown_name", &[("kind", "creature"), ("name", creature)]);
        let origin = StatBlockRef::Creature(self.rules.lexicon.find(creature).ok_or_else(unknown)?);
        Ok(NewEntity {
            name: name.into(),
            origin,
            side: side.into(),
            square: None,
            stats: Vec::new(),
            pools: Vec::new(),
            tags: Vec::new(),
            holds: None,
            owner: None,
        })
    }

    /// Begins an encounter with everybody of these names; those of `aware` know
    /// of the others.
    ///
    /// # Errors
    /// A fault of the rules; the table is as before.
    pub fn begin(&mut self, who: &[&str], aware: &[&str]) -> Result<Outcome, Fault> {
        match (self.find_all(who), self.find_all(aware)) {
            (Ok(who), Ok(aware)) => self.perform(&Operation::Begin { who, aware }),
            (Err(refusal), _) | (_, Err(refusal)) => Ok(Outcome::Refused(Box::new(refusal))),
        }
    }

    /// The entities of these names.
    ///
    /// # Errors
    /// A refusal that names who is not there.
    pub fn find_all(&self, names: &[&str]) -> Result<Vec<EntityId>, Refusal> {
        let find = |name: &&str| {
            self.state.find(name).ok_or_else(|| Refusal::new("HR0704", "refuse.unknown_who", &[("name", name)]))
        };
        names.iter().map(find).collect()
    }

    /// Ends the turn and begins the next.
    ///
    /// # Errors
    /// A fault of the rules; the table is as before.
    #[expect(clippy::should_implement_trait, reason = "a table is no iterator; `next` is what players say")]
    pub fn next(&mut self) -> Result<Outcome, Fault> {
        self.perform(&Operation::Next)
    }

    /// The value of an expression for somebody, such as `hp` or `kac.touch`.
    ///
    /// # Errors
    /// If it cannot be read, or reads what is not there.
    pub fn read(&self, who: EntityId, expression: &str) -> Result<i32, Fault> {
        self.read_about(Situation::of(who), expression)
    }

    /// The value of an expression in a situation.
    ///
    /// # Errors
    /// As [`Table::read`].
    pub fn read_about(&self, about: Situation, expression: &str) -> Result<i32, Fault> {
        self.value(about, &self.rules.expression(expression)?)
    }

    /// The value of a formula in a situation: for who asks the same again and
    /// again.
    ///
    /// # Errors
    /// If it reads what is not there.
    pub fn value(&self, about: Situation, formula: &Formula) -> Result<i32, Fault> {
        validate::reading(&self.rules, &self.state, &about, formula)?;
        let toil = Toil::new(self.budget.work);
        let reckoner = self.reckoner(about, &toil);
        reckoner.value(formula).map_err(|stop| self.fault_of(stop))
    }

    fn reckoner<'a>(&'a self, about: Situation, toil: &'a Toil) -> crate::eval::Evaluator<'a> {
        crate::eval::Evaluator::new(&self.rules, &self.state, about, toil)
    }

    /// What a reading that stopped means for the caller.
    #[must_use]
    pub fn fault_of(&self, stop: Interrupt) -> Fault {
        match stop {
            Interrupt::Fault(fault) => *fault,
            Interrupt::Lacks(lack) => lacking(&self.rules, lack),
            Interrupt::Refuse(refusal) => Fault::new(&refusal.code, refusal.text.to_string()),
            Interrupt::Ask(_) | Interrupt::Disrupt => {
                Fault::new("HR0528", "a rule asks or ends something where it may only read")
            }
        }
    }

    /// Takes back the last entry. A host that fears peeking keeps the draws.
    pub fn undo(&mut self, keep_draws: bool) -> bool {
        let Some(entry) = self.journal.done().last().cloned() else { return false };
        self.pending = None;
        self.rewrite(&entry, false, keep_draws);
        self.journal.done -= 1;
        self.feed.push(FeedEvent::Undone(self.journal.done));
        true
    }

    /// Does the entry again that was taken back last.
    pub fn redo(&mut self) -> bool {
        let Some(entry) = self.journal.undone().first().cloned() else { return false };
        self.pending = None;
        self.rewrite(&entry, true, false);
        self.feed.push(FeedEvent::Redone(self.journal.done));
        self.journal.done += 1;
        true
    }

    fn rewrite(&mut self, entry: &Entry, forward: bool, keep_draws: bool) {
        let Table { rules, journal, state, memo, .. } = self;
        let changes = journal.records(entry).iter().filter_map(|record| match record {
            Record::Change(change) => Some(change),
            _ => None,
        });
        if forward {
            for change in changes {
                memo.touch(rules, state, change.place);
                state.put(change.place, change.after.clone());
            }
        } else {
            let kept = |place: StateField| keep_draws && matches!(place, StateField::Draws(..));
            for change in changes.rev().filter(|change| !kept(change.place)) {
                memo.touch(rules, state, change.place);
                state.put(change.place, change.before.clone());
            }
        }
    }

    /// Forgets how the table came to be as it is, and keeps the room the journal
    /// took: for simulations, which need no history.
    pub fn forget_history(&mut self) {
        self.feed.clear();
        self.journal.clear();
        self.state.entities.iter_mut().for_each(|entity| entity.cited.clear());
    }

    /// Runs an intent, and again for each fact that a policy or the host knows;
    /// whatever happens, the table gets its state back.
    fn run(
        &mut self,
        deed: &Operation,
        served: &[(InputKey, Answered)],
        oracle: &mut Oracle,
    ) -> Result<Outcome, Fault> {
        let mut outcome = self.run_tripped(deed, served, oracle, None)?;
        while let Some(answered) = self.known_fact(&outcome, oracle)? {
            outcome = self.run_tripped(deed, &answered, oracle, None)?;
        }
        Ok(outcome)
    }

    /// What was answered in a run that asks for a fact, with that fact, if a
    /// policy or the host knows it.
    fn known_fact(
        &mut self,
        outcome: &Outcome,
        oracle: &mut Oracle,
    ) -> Result<Option<Vec<(InputKey, Answered)>>, Fault> {
        let Outcome::Asking(question) = outcome else { return Ok(None) };
        if !matches!(question.asked, QuestionKind::Fact { .. }) {
            return Ok(None);
        }
        let toil = Toil::new(self.budget.work);
        let reckoner = self.reckoner(Situation::default(), &toil);
        let ruled = self.policies.of(question).answer(question, |formula| reckoner.value(formula));
        let ruled = ruled.map_err(|stop| self.fault_of(stop))?.or_else(|| oracle.host(&question.demand()));
        let known = ruled.zip(self.pending.as_ref()).and_then(|(fact, pending)| pending.with_answer(&fact).ok());
        self.pending = if known.is_some() { None } else { self.pending.take() };
        Ok(known)
    }

    /// As [`Table::perform`], but stopped after so many changes, draws and hooks;
    /// for tests of atomicity.
    ///
    /// # Errors
    /// `HR0527` when it is stopped; the table is as before.
    pub fn perform_tripped(&mut self, deed: &Operation, after: u32) -> Result<Outcome, Fault> {
        self.run_tripped(deed, &[], &mut Oracle::Seeded, Some(after))
    }

    fn run_tripped(
        &mut self,
        deed: &Operation,
        served: &[(InputKey, Answered)],
        oracle: &mut Oracle,
        trip: Option<u32>,
    ) -> Result<Outcome, Fault> {
        if self.poisoned {
            return Err(Fault::new(
                "HR0540",
                "a panic ended an intent of this table; it was rolled back and takes no other; save it and load the \
                 save, and play goes on",
            ));
        }
        if let Err(refusal) = validate::deed(&self.rules, &self.state, deed) {
            return Ok(Outcome::Refused(Box::new(refusal)));
        }
        let mut stage = Transaction::set(self, served, oracle, trip);
        let done = stage.scene.play_out(deed);
        let done = stage.end(deed, done, oracle);
        match done {
            Ok(()) => {
                self.feed.push(FeedEvent::Done(self.journal.done.saturating_sub(1)));
                Ok(Outcome::Done(self.journal.done().len().saturating_sub(1)))
            }
            Err((stop, answered)) => self.stopped(deed, stop, answered),
        }
    }

    /// Runs the intent that waits once more, up to its question, and looks at
    /// what was written until then. The table itself stays as it is.
    pub fn halfway<T>(&self, look: impl FnOnce(&State, &Journal, &Entry) -> T) -> Option<T> {
        let pending = self.pending.as_deref()?;
        let (mut again, mut nobody) = (self.clone(), Oracle::Host(Box::new(|_| None)));
        let mut stage = Transaction::set(&mut again, &pending.answered, &mut nobody, None);
        let asked = matches!(stage.scene.play_out(&pending.deed), Err(Interrupt::Ask(_)));
        let mut play = stage.scene.lend().into_play()?;
        play.journal.close(pending.deed.clone(), stage.since);
        let told = play.journal.done().last().map(|entry| look(&play.state, &play.journal, entry));
        told.filter(|_| asked)
    }

    /// What a run that did not come to its end means for the caller.
    fn stopped(
        &mut self,
        deed: &Operation,
        stop: Interrupt,
        answered: Vec<(InputKey, Answered)>,
    ) -> Result<Outcome, Fault> {
        match stop {
            Interrupt::Refuse(refusal) => Ok(Outcome::Refused(refusal)),
            Interrupt::Ask(question) => {
                let pending = Pending { deed: deed.clone(), answered, question: (*question).clone() };
                self.pending = Some(Box::new(pending));
                Ok(Outcome::Asking(question))
            }
            stop => Err(self.fault_of(stop)),
        }
    }
}

/// The square at these coordinates.
fn on_map((x, y): (i32, i32)) -> Result<Square, Refusal> {
    Square::checked(x.into(), y.into()).map_err(|_| Refusal::new("HR0703", "refuse.no_square", &[]))
}

fn nothing_asked() -> Outcome {
    Outcome::Refused(Box::new(Refusal::new("HR0710", "refuse.nothing_asked", &[])))
}

fn lacking(rules: &Ruleset, lack: Missing) -> Fault {
    match lack {
        Missing::Who(word) => {
            Fault::new("HR0525", format!("a rule asks about `{}`, but there is none here", word.word()))
        }
        Missing::Fact(fact) => {
            Fault::new("HR0525", format!("a rule asks for the fact `{}`, which nobody stated", rules.name(fact)))
        }
    }
}

/// The entity that owns the draws of nobody.
fn table_itself() -> Entity {
    Entity {
        name: "table".into(),
        origin: StatBlockRef::Table,
        owner: None,
        side: Box::default(),
        key: philox::name_key("table"),
        given: IdMap::default(),
        pools: IdMap::default(),
        counts: IdMap::default(),
        notes: IdMap::default(),
        tags: IdSet::default(),
        bears: Vec::new(),
        spared: IdMap::default(),
        loose: Vec::new(),
        holds: SmallVec::new(),
        square: None,
        heading: 0,
        gone: false,
        draws: Vec::new(),
        cited: Vec::new(),
    }
}
