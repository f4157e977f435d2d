//! The running intent: the table's state, what was answered, what is still to do.

use crate::budget::{Cost, Meter, Toil};
use crate::change::{Change, StateField, StateValue};
use crate::check::CheckResult;
use crate::clock::Moment;
use crate::condition::Instance;
use crate::damage::{Hit, SharedRoll};
use crate::dice::Roll;
use crate::error::Fault;
use crate::eval::Evaluator;
use crate::event::RuleEvent;
use crate::ident::*;
use crate::journal::{Journal, JournalMark, Record};
use crate::memo::StatCache;
use crate::oracle::*;
use crate::policy::Policies;
use crate::ruleset::Ruleset;
use crate::script::RunHandle;
use crate::situation::Situation;
use crate::state::{State, Timer};
use crate::step::KeptRoll;
use crate::tally::Tally;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// That a check is rolled again.
#[derive(Clone, Copy, Debug)]
pub struct Reroll {
    /// Which of the two rolls counts.
    pub kept: KeptRoll,
    /// The rule that asked for it.
    pub rule: Option<RuleId>,
    /// The degree that a rule had set; it goes with the roll it was said of.
    pub set: Option<DegreeId>,
}

/// A check while it is decided.
#[derive(Clone, Copy, Debug)]
pub struct CheckFrame {
    /// What is known of it so far.
    pub verdict: CheckResult,
    /// A degree that a rule set.
    pub set: Option<DegreeId>,
    /// Added by rules on the way.
    pub added: i32,
    /// Rolled again.
    pub again: Option<Reroll>,
}

/// A before-event while its hooks run.
#[derive(Clone, Copy, Debug)]
pub struct EventFrame {
    /// The event, as hooks have changed it so far.
    pub event: RuleEvent,
    /// Why it does not happen.
    pub prevented: Option<TextId>,
    /// Whether it comes before what it speaks of.
    pub before: bool,
    /// The rule whose hook runs.
    pub rule: Option<RuleId>,
}

/// All that an intent holds while it runs.
pub struct Play {
    /// The rules.
    pub rules: Arc<Ruleset>,
    /// The table's state.
    pub state: State,
    /// The table's journal.
    pub journal: Journal,
    /// Who answers.
    pub door: Inputs,
    /// Who answers questions before anybody is asked.
    pub policies: Arc<Policies>,
    /// What may still be done.
    pub purse: Meter,
    /// The work that may still be done.
    pub toil: Toil,
    /// How much of the work scripts have paid for with fuel.
    pub billed: u32,
    /// Why the run ends, once it does.
    pub stop: Option<Interrupt>,
    /// After-events that wait for their turn.
    pub agenda: VecDeque<RuleEvent>,
    /// Who changed since the table last settled.
    pub touched: Crowd,
    /// Conditions that have ended and whose last steps run.
    pub ended: SmallVec<[Instance; 1]>,
    /// IdMap that were added up before; the table's own.
    pub memo: RefCell<StatCache>,
    /// Whose stats changed since the table last settled.
    pub reshaped: Crowd,
    /// Events that timers wait for.
    pub awaited: IdSet<EventId>,
    /// What was ruled of the situation, then what the intent states.
    pub facts: SmallVec<[(FactId, i32); 2]>,
    /// Which facts were read, by their places.
    pub needed: Cell<u64>,
    /// How many dice of the running throw are still to fall.
    pub coming: u32,
    /// The checks that run, innermost last.
    pub checks: SmallVec<[CheckFrame; 2]>,
    /// The hits that run, innermost last.
    pub hits: SmallVec<[Hit; 1]>,
    /// Throws that all targets of the running action suffer.
    pub shared: Vec<SharedRoll>,
    /// The tags of the hits of this intent, for the events that tell of them.
    pub struck: SmallVec<[IdSet<TagId>; 2]>,
    /// The events whose hooks run, innermost last.
    pub frames: SmallVec<[EventFrame; 4]>,
    /// The rule that is cited for what happens.
    pub rule: Option<RuleId>,
    /// The wrapped hooks that may be called on, innermost last.
    pub wrapped: SmallVec<[WrapFrame; 2]>,
    /// A roll whose room is used again.
    pub roll: Option<Box<Roll>>,
    /// A tally whose room is used again.
    pub tally: RefCell<Tally>,
    /// How deep lists of steps call each other just now.
    pub nesting: u32,
    /// Whether anything was drawn.
    pub drawn: bool,
    /// Stops the run after so many changes, draws and hooks; for tests of
    /// atomicity.
    pub trip: Option<u32>,
}

/// A hook around which another runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrapFrame {
    /// The event.
    pub event: EventId,
    /// The number of the hook among the event's hooks.
    pub hook: usize,
    /// How many wrappers around it run already.
    pub depth: usize,
}

/// The running intent as one owned value. It is hollow only while a virtual
/// machine holds it.
pub struct Scene(Option<Box<Play>>);

impl Scene {
    /// A scene over its play.
    #[must_use]
    pub fn new(play: Box<Play>) -> Scene {
        Scene(Some(play))
    }

    /// Takes the play out, as to hand it to a virtual machine.
    #[must_use]
    pub fn lend(&mut self) -> Scene {
        Scene(self.0.take())
    }

    /// The scene as a guest carries it; hollow afterwards.
    #[must_use]
    pub fn lent(&mut self) -> RunHandle {
        match self.0.take() {
            Some(play) => play,
            None => Box::new(()),
        }
    }

    /// The scene that a guest carried; hollow if it was another thing.
    #[must_use]
    pub fn returned(lent: RunHandle) -> Scene {
        Scene(lent.downcast().ok())
    }

    /// Whether a play is inside.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.0.is_some()
    }

    /// The play itself.
    #[must_use]
    pub fn into_play(self) -> Option<Box<Play>> {
        self.0
    }
}

impl Deref for Scene {
    type Target = Play;

    #[expect(clippy::expect_used, reason = "a scene is hollow only while a virtual machine holds its play")]
    fn deref(&self) -> &Play {
        self.0.as_ref().expect("the scene has its play")
    }
}

impl DerefMut for Scene {
    #[expect(clippy::expect_used, reason = "a scene is hollow only while a virtual machine holds its play")]
    fn deref_mut(&mut self) -> &mut Play {
        self.0.as_mut().expect("the scene has its play")
    }
}

impl Play {
    /// An empty stage for a ruleset.
    #[must_use]
    pub fn new(rules: Arc<Ruleset>) -> Play {
        Play {
            rules,
            state: State::default(),
            journal: Journal::default(),
            door: Inputs::new(Oracle::Seeded),
            policies: Arc::default(),
            purse: Meter::default(),
            toil: Toil::default(),
            billed: 0,
            stop: None,
            agenda: VecDeque::new(),
            touched: Crowd::default(),
            ended: SmallVec::new(),
            memo: RefCell::default(),
            reshaped: Crowd::default(),
            awaited: IdSet::default(),
            facts: SmallVec::new(),
            needed: Cell::new(0),
            coming: 0,
            checks: SmallVec::new(),
            hits: SmallVec::new(),
            shared: Vec::new(),
            struck: SmallVec::new(),
            frames: SmallVec::new(),
            rule: None,
            wrapped: SmallVec::new(),
            roll: None,
            tally: RefCell::default(),
            nesting: 0,
            drawn: false,
            trip: None,
        }
    }

    /// Clears the stage for the next intent, and keeps the room it has.
    pub fn clear(&mut self) {
        self.door.served.clear();
        self.door.answered.clear();
        self.stop = None;
        self.agenda.clear();
        self.touched.clear();
        self.reshaped.clear();
        self.ended.clear();
        self.awaited.clear();
        self.facts.clear();
        self.needed.set(0);
        self.coming = 0;
        self.checks.clear();
        self.hits.clear();
        self.shared.clear();
        self.struck.clear();
        self.frames.clear();
        self.wrapped.clear();
        (self.rule, self.nesting, self.drawn, self.trip) = (None, 0, false, None);
        self.billed = 0;
    }

    /// Reads numbers in a situation.
    #[must_use]
    pub fn reckon(&self, about: Situation) -> Evaluator<'_> {
        let damage = self.hits.last().map(|hit| &hit.tags).or_else(|| self.remembered_damage());
        let (rules, state, facts) = (&self.rules, &self.state, &self.facts);
        let ended = self.ended.as_slice();
        let (memo, needed) = (Some(&self.memo), Some(&self.needed));
        Evaluator { facts, damage, ended, memo, needed, ..Evaluator::new(rules, state, about, &self.toil) }
    }

    /// The tags of the damage that the running event tells of.
    fn remembered_damage(&self) -> Option<&IdSet<TagId>> {
        let hit = self.frames.last()?.event.hit;
        self.struck.get(usize::from(hit).checked_sub(1)?)
    }

    /// Changes a place, and writes down what stood there.
    ///
    /// # Errors
    /// When the budget of journal lines is used up.
    pub fn change(&mut self, place: StateField, after: StateValue) -> Flow<()> {
        self.pay(Cost::Record)?;
        self.touch(place)?;
        if let StateValue::Timer(Timer { due: Moment::Event { event, .. }, .. }) = &after {
            self.awaited.put(*event, true);
        }
        let before = self.state.put(place, after.clone());
        self.write(Record::Change(Change { place, before, after }))
    }

    /// What was changed since a mark is about to be taken back: it has to settle
    /// again, and what was kept of it is no longer good.
    pub fn touch_since(&mut self, mark: JournalMark) {
        let places: SmallVec<[StateField; 32]> = self.journal.changed_since(mark).collect();
        // who could not pay before need not pay for what is taken back
        places.into_iter().for_each(|place| _ = self.touch(place));
    }

    /// Everybody's totals may be others now: a switch was turned.
    pub fn touch_all(&mut self) -> Flow<()> {
        self.toil_over_all()?;
        let all: Vec<EntityId> = self.state.present().map(|(who, _)| who).collect();
        for who in all {
            self.notice(who, true);
        }
        Ok(())
    }

    /// Remembers whose totals, standing conditions and pools' maximum may be
    /// others now.
    fn touch(&mut self, place: StateField) -> Flow<()> {
        self.memo.get_mut().touch(&self.rules, &self.state, place);
        let (who, reshaped) = match place {
            StateField::Pool(who, _)
            | StateField::Count(who, _)
            | StateField::Note(who, _)
            | StateField::Entity(who) => (who, false),
            StateField::Given(who, _)
            | StateField::Tag(who, _)
            | StateField::Instance(who, _)
            | StateField::Loose(who, _) => (who, true),
            StateField::Holds(who) | StateField::Owner(who) | StateField::Gone(who) => (who, true),
            StateField::Square(who) if self.rules.zones => (who, true),
            _ => return Ok(()),
        };
        let all = if self.moves_a_zone(place, who) { self.touch_all() } else { Ok(()) };
        let holder = self.state.entity(who).and_then(|entity| entity.owner);
        self.notice(who, reshaped);
        if let Some(holder) = holder {
            self.notice(holder, reshaped);
        }
        all
    }

    /// Whether a change may bring a zone nearer to somebody, or farther away; who
    /// is not there yet may be one.
    fn moves_a_zone(&self, place: StateField, who: EntityId) -> bool {
        let zone = |who: &EntityId| {
            let page = |entity: &crate::entity::Entity| self.rules.page(entity.origin);
            self.state.entity(*who).is_none_or(|entity| page(entity).is_some_and(|page| page.radius.is_some()))
        };
        let comes_or_goes = matches!(
            place,
            StateField::Square(_)
                | StateField::Owner(_)
                | StateField::Gone(_)
                | StateField::Entity(_)
                | StateField::Holds(_)
        );
        let holds = || self.state.entity(who).is_some_and(|entity| entity.holds.iter().any(zone));
        self.rules.zones && comes_or_goes && (zone(&who) || holds())
    }

    fn notice(&mut self, who: EntityId, reshaped: bool) {
        self.touched.note(who);
        if reshaped {
            self.reshaped.note(who);
        }
    }

    /// Whether a timer waits for this event.
    #[must_use]
    pub fn is_awaited(&self, event: EventId) -> bool {
        self.awaited.has(event)
    }

    /// Remembers for which events timers wait. Too many do no harm.
    pub fn await_timers(&mut self) {
        for timer in &self.state.timers {
            if let Moment::Event { event, .. } = timer.due {
                self.awaited.put(event, true);
            }
        }
    }

    /// Pays for a deed out of the intent's budget.
    ///
    /// # Errors
    /// `HR0502` when the budget is used up.
    pub fn pay(&mut self, coin: Cost) -> Flow<()> {
        if let Some(trip) = &mut self.trip {
            *trip = trip.checked_sub(1).ok_or_else(|| Fault::of_intent("HR0527", "stopped on purpose"))?;
        }
        Ok(self.purse.pay(coin)?)
    }

    /// Writes a line.
    ///
    /// # Errors
    /// When the budget of journal lines is used up.
    pub fn record(&mut self, record: Record) -> Flow<()> {
        self.pay(Cost::Record)?;
        self.write(record)
    }

    /// Pays for the bytes of a line and writes it.
    ///
    /// # Errors
    /// `HR0520` when the budget of bytes is used up.
    pub(crate) fn write(&mut self, record: Record) -> Flow<()> {
        let bytes = record.bytes();
        self.journal.records.push(record);
        Ok(self.purse.write(bytes)?)
    }

    /// Pays for so much work: lines, entities, squares or letters that are looked at.
    ///
    /// # Errors
    /// `HR0520` when the budget of work is used up.
    #[inline]
    pub fn toil(&self, units: usize) -> Flow<()> {
        Ok(self.toil.pay(units)?)
    }

    /// Pays for looking at everybody.
    ///
    /// # Errors
    /// As [`Play::toil`].
    pub fn toil_over_all(&self) -> Flow<()> {
        self.toil(self.state.entities.len())
    }

    /// A new number for an instance, a timer or a loose modifier.
    ///
    /// # Errors
    /// As [`Play::change`].
    pub fn number(&mut self) -> Flow<Serial> {
        let serial = self.state.next;
        let next = serial.checked_add(1).ok_or_else(|| too_much("a table numbers", u32::MAX as usize, "things"))?;
        self.change(StateField::Next, StateValue::Counter(next))?;
        Ok(Serial(serial))
    }

    /// The event whose hook runs.
    #[must_use]
    pub fn frame(&self) -> Option<&EventFrame> {
        self.frames.last()
    }
}

/// The fault of more things of one kind than a table keeps.
pub(crate) fn too_much(who: &str, most: usize, what: &str) -> Fault {
    Fault::new("HR0535", format!("{who} {most} {what} at most; take away what is no longer needed"))
}

/// Some entities, each once, in the order in which they came.
#[derive(Debug, Default)]
pub struct Crowd {
    list: SmallVec<[EntityId; 8]>,
    /// One bit for each entity.
    seen: SmallVec<[u64; 4]>,
}

impl Crowd {
    /// Takes somebody in who is not there yet.
    pub fn note(&mut self, who: EntityId) {
        let (word, bit) = (who.0 as usize / 64, 1_u64 << (who.0 % 64));
        if self.seen.len() <= word {
            self.seen.resize(word + 1, 0);
        }
        let Some(bits) = self.seen.get_mut(word).filter(|bits| **bits & bit == 0) else { return };
        *bits |= bit;
        self.list.push(who);
    }

    /// Whether nobody is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Sends everybody away, and keeps the room they took.
    pub fn clear(&mut self) {
        self.list.clear();
        self.seen.clear();
    }

    /// Everybody who was there; nobody is afterwards.
    pub fn take(&mut self) -> SmallVec<[EntityId; 8]> {
        self.seen.clear();
        std::mem::take(&mut self.list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_has_each_once_in_the_order_of_coming() {
        let mut crowd = Crowd::default();
        [200, 3, 200, 4, 3].into_iter().map(EntityId).for_each(|who| crowd.note(who));
        assert_eq!(crowd.take().as_slice(), [200, 3, 4].map(EntityId));
        assert!(crowd.is_empty());
        crowd.note(EntityId(3));
        assert_eq!(crowd.take().as_slice(), [EntityId(3)]);
    }
}
