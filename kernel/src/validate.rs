//! What comes from outside is checked in meaning before it is believed: deeds and situations by their ids, saves in
//! all that rules lean on.

use crate::change::{Change, StateField, StateValue};
use crate::entity::{Entity, StatBlockRef};
use crate::error::Fault;
use crate::ident::*;
use crate::initiative::Order;
use crate::inspect::{Known, Stray, Wanted, inspect};
use crate::intent::Operation;
use crate::journal::{Entry, Journal, Record};
use crate::oracle::{Pending, Refusal};
use crate::question::{Question, QuestionKind};
use crate::ruleset::Ruleset;
use crate::situation::{Formula, Situation};
use crate::space::Square;
use crate::state::State;
use serde::Serialize;
use std::collections::BTreeSet;

/// The most entities a table seats.
pub const MOST_ENTITIES: usize = 10_000;
/// The most modifiers that rules give to one entity.
pub const MOST_LOOSE: usize = 256;
/// The most conditions that one entity bears.
pub const MOST_BORNE: usize = 256;
/// The most timers of a table.
pub const MOST_TIMERS: usize = 10_000;
/// The most letters of a name or a side that somebody gives.
pub const LONGEST_NAME: usize = 100;

/// The most letters of a name at a table; things are named after their holders.
const LONGEST_OF_ALL: usize = 1_000;
/// The most facts that an intent states.
const MOST_FACTS: usize = 100;
/// The most things in one list of a deed.
const LONGEST_LIST: usize = MOST_ENTITIES;
/// The largest counter of a save: no table that is played comes near it.
const LAST_COUNTER: u32 = 1 << 31;

type Checked = Result<(), Stray>;

/// Whether a deed names only those who are at the table, and only what the rules
/// know.
///
/// # Errors
/// `HR0704` for somebody who is not there, `HR0703` for all else.
pub fn deed(rules: &Ruleset, state: &State, deed: &Operation) -> Result<(), Refusal> {
    let somebody = |who| state.entity(who).is_some_and(|entity| !entity.gone);
    let known = Known { lexicon: &rules.lexicon, somebody: &somebody, longest: LONGEST_LIST };
    inspect(deed, known).map_err(|stray| refused(&stray))?;
    if let Operation::Act { facts, .. } | Operation::Check { facts, .. } = deed
        && facts.len() > MOST_FACTS
    {
        return Err(refused(&Stray::new(format!("has more than {MOST_FACTS}")).within("facts")));
    }
    let mut squares = squares(deed);
    if squares.any(|square| Square::checked(square.x.into(), square.y.into()).is_err()) {
        return Err(Refusal::new("HR0703", "refuse.no_square", &[]));
    }
    match deed {
        Operation::Seat(seat) if seat.origin == StatBlockRef::Table => Err(refused(&Stray::new("table"))),
        Operation::Seat(seat) if !(is_short(&seat.name) && is_short(&seat.side)) => {
            Err(Refusal::new("HR0704", "refuse.name_long", &[("most", &LONGEST_NAME.to_string())]))
        }
        _ => Ok(()),
    }
}

fn refused(stray: &Stray) -> Refusal {
    match stray.id {
        Some(Wanted::Entity) => Refusal::new("HR0704", "refuse.nobody_there", &[("what", &stray.to_string())]),
        _ => Refusal::new("HR0703", "refuse.not_known", &[("what", &stray.to_string())]),
    }
}

fn squares(deed: &Operation) -> impl Iterator<Item = Square> + '_ {
    let (one, list): (Option<Square>, &[Square]) = match deed {
        Operation::Act { to, via, .. } => (*to, via),
        Operation::Seat(seat) => (seat.square, &[]),
        _ => (None, &[]),
    };
    one.into_iter().chain(list.iter().copied())
}

fn is_short(name: &str) -> bool {
    name.chars().nth(LONGEST_NAME).is_none()
}

/// Whether a reading is about those who are or were at the table, and in words of
/// these rules.
///
/// # Errors
/// `HR0541` if it is not.
pub fn reading(rules: &Ruleset, state: &State, about: &Situation, formula: &Formula) -> Result<(), Fault> {
    let somebody = |who| state.entity(who).is_some();
    let known = Known { lexicon: &rules.lexicon, somebody: &somebody, longest: LONGEST_LIST };
    let told = |stray: Stray| Fault::new("HR0541", format!("this cannot be read here: {stray}"));
    inspect(about, known).map_err(told)?;
    match is_of(rules, formula) {
        true => Ok(()),
        false => Err(Fault::new("HR0541", format!("`{}` was read by other rules; read it by these", formula.text()))),
    }
}

/// Whether a formula names only what these rules know.
#[must_use]
pub fn is_of(rules: &Ruleset, formula: &Formula) -> bool {
    let known = |kind, number: u16| usize::from(number) < rules.lexicon.count(kind);
    formula.reads().all(|slot| slot.names().into_iter().flatten().all(|(kind, number)| known(kind, number)))
        && formula.tables().all(|chart| known(NameKind::Chart, chart))
}

/// Whether all of a save can be.
///
/// # Errors
/// `HR0554` with the first thing that cannot, and where it stands.
pub fn save(rules: &Ruleset, state: &State, journal: &Journal, pending: Option<&Pending>) -> Result<(), Fault> {
    let room = Room { rules, state, journal };
    let checked = room
        .state()
        .map_err(|stray| stray.within("state"))
        .and_then(|()| room.journal().map_err(|stray| stray.within("journal")))
        .and_then(|()| pending.map_or(Ok(()), |pending| room.pending(pending)).map_err(|stray| stray.within("pending")))
        .and_then(|()| room.rehearse());
    checked.map_err(|stray| Fault::new("HR0554", format!("the save says what cannot be: {stray}")))
}

fn need(right: bool, wrong: &str) -> Checked {
    if right { Ok(()) } else { Err(Stray::new(wrong)) }
}

/// A check of one part.
fn part(right: bool, name: &str, wrong: &str) -> Checked {
    need(right, wrong).map_err(|stray| stray.within(name))
}

fn rises<T, K: Ord>(list: &[T], key: impl Fn(&T) -> K) -> bool {
    list.iter().zip(list.iter().skip(1)).all(|(one, next)| key(one) < key(next))
}

/// What a save holds.
#[derive(Clone, Copy)]
struct Room<'a> {
    rules: &'a Ruleset,
    state: &'a State,
    journal: &'a Journal,
}

impl Room<'_> {
    /// The ids of a part; of entities there are so many.
    fn ids(&self, value: &impl Serialize, entities: usize) -> Checked {
        let somebody = |who: EntityId| (who.0 as usize) < entities;
        inspect(value, Known { lexicon: &self.rules.lexicon, somebody: &somebody, longest: usize::MAX })
    }

    fn state(&self) -> Checked {
        let state = self.state;
        let count = state.entities.len();
        part((1..=MOST_ENTITIES).contains(&count), "entities", "are none, or more than a table seats")?;
        self.ids(state, count)?;
        part(state.next <= LAST_COUNTER, "next", "is beyond all that was ever counted")?;
        part(state.clock.seconds >= 0, "clock", "runs before the beginning of time")?;
        self.names()?;
        for (number, entity) in state.entities.iter().enumerate() {
            let told = |stray: Stray| stray.within(number).within("entities");
            self.entity(state, number, entity).map_err(told)?;
        }
        order(&state.order).map_err(|stray| stray.within("order"))?;
        timers(state).map_err(|stray| stray.within("timers"))
    }

    /// Nobody has another's name, nor another's dice.
    fn names(&self) -> Checked {
        let names: BTreeSet<&str> = self.state.entities.iter().map(|entity| &*entity.name).collect();
        let keys: BTreeSet<u32> = self.state.entities.iter().map(|entity| entity.key).collect();
        let count = self.state.entities.len();
        part(names.len() == count, "entities", "have one name twice")?;
        part(keys.len() == count, "entities", "draw the same dice twice")
    }

    fn journal(&self) -> Checked {
        let journal = self.journal;
        part(journal.done as usize <= journal.entries.len(), "done", "is more than there are entries")?;
        let tiled = |name: &str, of: fn(&Entry) -> (u32, u32), count: usize| {
            part(are_tiles(&journal.entries, of, count), name, "do not lie one after the other in the entries")
        };
        tiled("records", |entry| entry.records, journal.records.len())?;
        tiled("answers", |entry| entry.answers, journal.answers.len())?;
        tiled("tallies", |entry| entry.tallies, journal.tallies.len())?;
        tiled("faces", |entry| entry.faces, journal.faces.len())?;
        self.ids(journal, self.state.entities.len() + self.unborn())?;
        for (number, record) in journal.records.iter().enumerate() {
            self.record(record).map_err(|stray| stray.within(number).within("records"))?;
        }
        Ok(())
    }

    /// How many come to the table if all that was undone is done again.
    fn unborn(&self) -> usize {
        let records = self.journal.undone().iter().flat_map(|entry| self.journal.records(entry));
        records.filter(|record| matches!(record, Record::Change(Change { place: StateField::Entity(_), .. }))).count()
    }

    fn record(&self, record: &Record) -> Checked {
        match record {
            Record::Rolled { dice: (from, to), .. } => {
                part(from <= to && *to as usize <= self.journal.faces.len(), "dice", "are not among the faces")
            }
            Record::Tallied { tally, .. } => {
                part((*tally as usize) < self.journal.tallies.len(), "tally", "is not among the tallies")
            }
            Record::Change(change) => {
                need(fits(change.place, &change.before) && fits(change.place, &change.after), "does not fit its place")
            }
            _ => Ok(()),
        }
    }

    fn pending(&self, pending: &Pending) -> Checked {
        self.ids(pending, self.state.entities.len())?;
        question(&pending.question).map_err(|stray| stray.within("question"))?;
        let refused = |refusal: Refusal| Stray::new(format!("would be refused: {}", refusal.text)).within("deed");
        deed(self.rules, self.state, &pending.deed).map_err(refused)
    }

    /// Takes back everything that was done and does it again, and does again what
    /// was undone, on a copy: each entry must leave a table that can be.
    fn rehearse(&self) -> Checked {
        let (done, mut state) = (self.journal.done as usize, self.state.clone());
        for (number, entry) in self.journal.done().iter().enumerate().rev() {
            self.step(&mut state, entry, |change| &change.before, true).map_err(|stray| at_entry(stray, number))?;
        }
        Room { state: &state, ..*self }.state().map_err(|stray| stray.within("undone"))?;
        self.redone(&mut state, 0)?;
        state.clone_from(self.state);
        self.redone(&mut state, done)
    }

    /// Does again what the journal has from an entry on.
    fn redone(&self, state: &mut State, from: usize) -> Checked {
        for (number, entry) in self.journal.entries.iter().enumerate().skip(from) {
            self.step(state, entry, |change| &change.after, false).map_err(|stray| at_entry(stray, number))?;
        }
        Room { state, ..*self }.state().map_err(|stray| stray.within("redone"))
    }

    fn step(&self, state: &mut State, entry: &Entry, image: fn(&Change) -> &StateValue, back: bool) -> Checked {
        let changes = || self.journal.records(entry).iter().filter_map(changed);
        let mut put = |change: &Change| {
            let stood = state.put_fitting(change.place, image(change).clone());
            need(stood.is_some(), "has no place to go to")
        };
        if back { changes().rev().try_for_each(&mut put) } else { changes().try_for_each(&mut put) }?;
        part((1..=MOST_ENTITIES).contains(&state.entities.len()), "entities", "would be none, or too many")?;
        changes().try_for_each(|change| self.touched(state, change.place))
    }

    /// Checks what a change touched.
    fn touched(&self, state: &State, place: StateField) -> Checked {
        match place {
            StateField::Order => order(&state.order),
            StateField::Timer(_) => timers(state),
            StateField::Next => need(state.next <= LAST_COUNTER, "counts beyond all that was ever counted"),
            StateField::Clock => need(state.clock.seconds >= 0, "sets the clock before the beginning of time"),
            place => {
                let who = place.whose().and_then(|who| Some((who.0 as usize, state.entity(who)?)));
                who.map_or(Ok(()), |(number, entity)| self.entity(state, number, entity))
            }
        }
    }

    fn entity(&self, state: &State, number: usize, entity: &Entity) -> Checked {
        let cited = |tally: u32| (1..=self.journal.tallies.len()).contains(&(tally as usize));
        let known = entity.cited.iter().all(|cite| cited(cite.tally));
        part(known, "cited", "names a tally that the journal has not")?;
        entity_of(state, number, entity)
    }
}

fn at_entry(stray: Stray, number: usize) -> Stray {
    stray.within(number).within("entries").within("journal")
}

fn changed(record: &Record) -> Option<&Change> {
    if let Record::Change(change) = record { Some(change) } else { None }
}

/// Whether stretches lie one after the other and are all there is.
fn are_tiles(entries: &[Entry], of: fn(&Entry) -> (u32, u32), count: usize) -> bool {
    let mut end = 0;
    for (from, to) in entries.iter().map(of) {
        if from != end || to < from {
            return false;
        }
        end = to;
    }
    end as usize == count
}

/// Whether an image may stand at a place. Of numbered things it has the number of
/// the place.
fn fits(place: StateField, image: &StateValue) -> bool {
    match (place, image) {
        (
            StateField::Instance(..) | StateField::Loose(..) | StateField::Timer(_) | StateField::Entity(_),
            StateValue::Nothing,
        ) => true,
        (StateField::Instance(_, serial), StateValue::Instance(borne)) => borne.serial == serial,
        (StateField::Loose(_, serial), StateValue::Loose(loose)) => loose.serial == serial,
        (StateField::Timer(serial), StateValue::Timer(timer)) => timer.serial == serial,
        (StateField::Entity(_), StateValue::Entity(_)) => true,
        (StateField::Draws(..) | StateField::Cited(..) | StateField::Next, StateValue::Counter(_)) => true,
        (StateField::Tag(..) | StateField::Gone(_) | StateField::Begun, StateValue::YesNo(_)) => true,
        (
            StateField::Pool(..) | StateField::Given(..) | StateField::Count(..) | StateField::Note(..),
            StateValue::Number(_),
        ) => true,
        (StateField::Spared(..) | StateField::Heading(_) | StateField::Option(_), StateValue::Number(_)) => true,
        (StateField::Holds(_), StateValue::List(_)) | (StateField::Owner(_), StateValue::Who(_)) => true,
        (StateField::Square(_), StateValue::Square(_)) => true,
        (StateField::Order, StateValue::Order(_)) | (StateField::Clock, StateValue::Clock(_)) => true,
        _ => false,
    }
}

fn entity_of(state: &State, number: usize, entity: &Entity) -> Checked {
    let named = !entity.name.is_empty() && entity.name.chars().nth(LONGEST_OF_ALL).is_none();
    part(named, "name", "is none, or too long")?;
    part(entity.side.chars().nth(LONGEST_OF_ALL).is_none(), "side", "is too long")?;
    part(
        (entity.origin == StatBlockRef::Table) == (number == 0),
        "origin",
        "is the table's own, or the table has another",
    )?;
    part((0..=8).contains(&entity.heading), "heading", "is not a number from 0 to 8")?;
    let serial = |serial: Serial| serial.0 < state.next;
    let bears = &entity.bears;
    let numbered = rises(bears, |borne| borne.serial) && bears.iter().all(|borne| serial(borne.serial));
    part(numbered && bears.len() <= MOST_BORNE, "bears", "is out of order, too long, or numbered beyond `next`")?;
    let child =
        |borne: &crate::condition::Instance| borne.parent.is_none_or(|parent| entity.instance(parent).is_some());
    part(bears.iter().all(child), "bears", "came with a condition that is not there")?;
    let loose = &entity.loose;
    let numbered = rises(loose, |loose| loose.serial) && loose.iter().all(|loose| serial(loose.serial));
    part(numbered && loose.len() <= MOST_LOOSE, "loose", "is out of order, too long, or numbered beyond `next`")?;
    part(rises(&entity.draws, |draws| draws.stream), "draws", "are out of order")?;
    part(rises(&entity.cited, |cited| (cited.stat, cited.view)), "cited", "is out of order")?;
    hands(state, number, entity)
}

/// Whether what somebody holds knows its holder, and everybody's holder is found
/// in few steps.
fn hands(state: &State, number: usize, entity: &Entity) -> Checked {
    let once: BTreeSet<EntityId> = entity.holds.iter().copied().collect();
    let owned = |held: &EntityId| {
        state.entity(*held).and_then(|held| held.owner).is_some_and(|owner| owner.0 as usize == number)
    };
    part(once.len() == entity.holds.len() && once.iter().all(owned), "holds", "is not held by this holder alone")?;
    part(state.hands(entity.owner).is_some(), "owner", "is held in a circle, or through too many hands")
}

fn order(order: &Order) -> Checked {
    if !order.running {
        return need(*order == Order::default(), "goes on while no encounter runs");
    }
    let slots: BTreeSet<SlotId> = order.places.iter().map(|place| place.slot).collect();
    let owners: Vec<EntityId> = order.places.iter().filter_map(|place| place.owner).collect();
    let once: BTreeSet<EntityId> = owners.iter().copied().collect();
    part(slots.len() == order.places.len(), "places", "have a slot twice")?;
    part(once.len() == owners.len(), "places", "have an owner twice")?;
    let next = order.next <= LAST_COUNTER && slots.last().is_none_or(|last| last.0 < order.next);
    part(next, "next", "is not beyond all slots")?;
    part(order.at.is_none_or(|at| slots.contains(&at)), "at", "is a slot that is not there")
}

fn timers(state: &State) -> Checked {
    let timers = &state.timers;
    let numbered = rises(timers, |timer| timer.serial) && timers.iter().all(|timer| timer.serial.0 < state.next);
    need(numbered && timers.len() <= MOST_TIMERS, "are out of order, too many, or numbered beyond `next`")?;
    let borne = |bearer: EntityId, serial| state.entity(bearer).is_some_and(|entity| entity.instance(serial).is_some());
    need(timers.iter().all(|timer| borne(timer.bearer, timer.instance)), "wait for a condition that nobody bears")
}

fn question(question: &Question) -> Checked {
    let options = question.options.len();
    let of = |of: u32| of as usize == options;
    let right = match question.asked {
        QuestionKind::YesNo | QuestionKind::Fact { .. } => true,
        QuestionKind::One { of: count } | QuestionKind::Order { of: count } => of(count),
        QuestionKind::Several { of: count, least, most } => of(count) && least <= most && most <= count,
        QuestionKind::Number { least, most } => least <= most,
        QuestionKind::Faces { sides, count, .. } => (1..=1_000_000).contains(&sides) && (1..=1_000).contains(&count),
    };
    part(right, "asked", "does not fit the options")?;
    let default = question.default.as_ref().is_none_or(|default| question.asked.settled(default).is_some());
    part(default, "default", "is no answer")
}
