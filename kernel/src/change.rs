//! The only way a table changes: a place, what stood there, what stands there now.

use crate::clock::Clock;
use crate::condition::Instance;
use crate::entity::{Entity, LastTally, StreamPosition};
use crate::ident::*;
use crate::initiative::Order;
use crate::modifier::AdHocModifier;
use crate::philox;
use crate::space::Square;
use crate::state::{State, Timer};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Where something changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StateField {
    /// What is left in a pool.
    Pool(EntityId, PoolId),
    /// The given value of a stat.
    Given(EntityId, StatId),
    /// A count.
    Count(EntityId, CountId),
    /// A note of an entity.
    Note(EntityId, NoteId),
    /// A tag.
    Tag(EntityId, TagId),
    /// An instance of a condition.
    Instance(EntityId, Serial),
    /// What keeps a standing condition away.
    Spared(EntityId, ConditionId),
    /// A loose modifier.
    Loose(EntityId, Serial),
    /// A timer.
    Timer(Serial),
    /// What an entity holds.
    Holds(EntityId),
    /// Who holds an entity.
    Owner(EntityId),
    /// Where an entity stands.
    Square(EntityId),
    /// The way in which an entity moved last.
    Heading(EntityId),
    /// Whether an entity has left.
    Gone(EntityId),
    /// The youngest entity.
    Entity(EntityId),
    /// How many numbers a stream has given.
    Draws(EntityId, StreamId),
    /// Where the tally of a stat was written last, counted from one; 0 if never.
    Cited(EntityId, StatId, Option<ViewId>),
    /// The order of acting.
    Order,
    /// The time.
    Clock,
    /// A house-rule switch.
    Option(OptionId),
    /// The next serial number.
    Next,
    /// Whether an intent was ever done.
    Begun,
}

impl StateField {
    /// Whose place it is, if it is one of somebody.
    #[must_use]
    pub fn whose(self) -> Option<EntityId> {
        match self {
            StateField::Pool(who, _)
            | StateField::Given(who, _)
            | StateField::Count(who, _)
            | StateField::Note(who, _)
            | StateField::Tag(who, _)
            | StateField::Instance(who, _)
            | StateField::Spared(who, _)
            | StateField::Loose(who, _)
            | StateField::Holds(who)
            | StateField::Owner(who)
            | StateField::Square(who)
            | StateField::Heading(who)
            | StateField::Gone(who)
            | StateField::Entity(who)
            | StateField::Draws(who, _)
            | StateField::Cited(who, ..) => Some(who),
            StateField::Timer(_)
            | StateField::Order
            | StateField::Clock
            | StateField::Option(_)
            | StateField::Next
            | StateField::Begun => None,
        }
    }
}

/// What stands at a place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum StateValue {
    /// Nothing.
    Nothing,
    /// A number.
    Number(i32),
    /// A counter.
    Counter(u32),
    /// A yes or a no.
    YesNo(bool),
    /// A square, or none.
    Square(Option<Square>),
    /// An entity, or nobody.
    Who(Option<EntityId>),
    /// A list of entities.
    List(SmallVec<[EntityId; 4]>),
    /// An instance.
    Instance(Box<Instance>),
    /// A loose modifier.
    Loose(Box<AdHocModifier>),
    /// A timer.
    Timer(Timer),
    /// An entity.
    Entity(Box<Entity>),
    /// An order.
    Order(Box<Order>),
    /// A time.
    Clock(Clock),
}

impl StateValue {
    /// How many bytes it counts as, besides the line it stands in.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            StateValue::List(list) => 4 * list.len(),
            StateValue::Instance(borne) => 64 + 8 * borne.notes.len(),
            StateValue::Loose(_) => 64,
            StateValue::Entity(entity) => entity.bytes(),
            StateValue::Order(order) => order.bytes(),
            _ => 0,
        }
    }
}

/// One reversible change.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Change {
    /// Where.
    pub place: StateField,
    /// What stood there.
    pub before: StateValue,
    /// What stands there now.
    pub after: StateValue,
}

impl State {
    /// Puts an image at a place and gives back the one that stood there. An
    /// image that does not fit the place changes nothing.
    pub fn put(&mut self, place: StateField, image: StateValue) -> StateValue {
        self.put_fitting(place, image).unwrap_or(StateValue::Nothing)
    }

    /// As [`State::put`]; nothing if the image does not fit.
    pub(crate) fn put_fitting(&mut self, place: StateField, image: StateValue) -> Option<StateValue> {
        use StateValue::{Clock, Counter, List, Number, YesNo};
        Some(match (place, image) {
            (StateField::Spared(who, condition), Number(to)) => Number(self.entity_mut(who)?.spared.put(condition, to)),
            (StateField::Pool(who, pool), Number(to)) => Number(self.entity_mut(who)?.pools.put(pool, to)),
            (StateField::Given(who, stat), Number(to)) => Number(self.entity_mut(who)?.given.put(stat, to)),
            (StateField::Count(who, count), Number(to)) => Number(self.entity_mut(who)?.counts.put(count, to)),
            (StateField::Note(who, note), Number(to)) => Number(self.entity_mut(who)?.notes.put(note, to)),
            (StateField::Tag(who, tag), YesNo(to)) => YesNo(self.entity_mut(who)?.tags.put(tag, to)),
            (StateField::Holds(who), List(to)) => List(std::mem::replace(&mut self.entity_mut(who)?.holds, to)),
            (StateField::Owner(who), StateValue::Who(to)) => {
                StateValue::Who(std::mem::replace(&mut self.entity_mut(who)?.owner, to))
            }
            (StateField::Square(who), StateValue::Square(to)) => {
                StateValue::Square(std::mem::replace(&mut self.entity_mut(who)?.square, to))
            }
            (StateField::Heading(who), Number(to)) => Number(std::mem::replace(&mut self.entity_mut(who)?.heading, to)),
            (StateField::Gone(who), YesNo(to)) => YesNo(std::mem::replace(&mut self.entity_mut(who)?.gone, to)),
            (StateField::Draws(who, stream), Counter(to)) => Counter(self.rewind(who, stream, to)?),
            (StateField::Cited(who, stat, view), Counter(to)) => {
                Counter(put_cited(&mut self.entity_mut(who)?.cited, stat, view, to))
            }
            (StateField::Option(option), Number(to)) => Number(self.options.put(option, to)),
            (StateField::Next, Counter(to)) => Counter(std::mem::replace(&mut self.next, to)),
            (StateField::Begun, YesNo(to)) => YesNo(std::mem::replace(&mut self.begun, to)),
            (StateField::Clock, Clock(to)) => Clock(std::mem::replace(&mut self.clock, to)),
            (StateField::Order, StateValue::Order(to)) => {
                StateValue::Order(Box::new(std::mem::replace(&mut self.order, *to)))
            }
            (place, image) => return self.put_thing(place, image),
        })
    }

    fn put_thing(&mut self, place: StateField, image: StateValue) -> Option<StateValue> {
        match place {
            StateField::Instance(who, serial) => Some(put_instance(&mut self.entity_mut(who)?.bears, serial, image)),
            StateField::Loose(who, serial) => Some(put_loose(&mut self.entity_mut(who)?.loose, serial, image)),
            StateField::Timer(serial) => Some(put_timer(&mut self.timers, serial, image)),
            StateField::Entity(who) => self.put_entity(who, image),
            _ => None,
        }
    }

    fn put_entity(&mut self, who: EntityId, image: StateValue) -> Option<StateValue> {
        match image {
            StateValue::Entity(entity) if usize::try_from(who.0).ok()? == self.entities.len() => {
                self.entities.push(*entity);
                Some(StateValue::Nothing)
            }
            StateValue::Nothing => Some(StateValue::Entity(Box::new(self.entities.pop()?))),
            _ => None,
        }
    }

    fn rewind(&mut self, who: EntityId, stream: StreamId, to: u32) -> Option<u32> {
        let cell = self.draw_cell(who, stream)?;
        let before = cell.count();
        cell.rewind_to(to);
        if to == 0 {
            self.entity_mut(who)?.draws.retain(|draws| draws.stream != stream);
        }
        Some(before)
    }

    /// The counter of one stream of one entity.
    pub(crate) fn draw_cell(&mut self, who: EntityId, stream: StreamId) -> Option<&mut philox::Cell> {
        let draws = &mut self.entity_mut(who)?.draws;
        let at = match draws.binary_search_by_key(&stream, |draws| draws.stream) {
            Ok(at) => at,
            Err(at) => {
                draws.insert(at, StreamPosition { stream, cell: philox::Cell::new() });
                at
            }
        };
        draws.get_mut(at).map(|draws| &mut draws.cell)
    }
}

fn put_cited(cited: &mut Vec<LastTally>, stat: StatId, view: Option<ViewId>, tally: u32) -> u32 {
    match cited.binary_search_by_key(&(stat, view), |cited| (cited.stat, cited.view)) {
        Ok(at) if tally == 0 => cited.remove(at).tally,
        Ok(at) => cited.get_mut(at).map_or(0, |cited| std::mem::replace(&mut cited.tally, tally)),
        Err(_) if tally == 0 => 0,
        Err(at) => {
            cited.insert(at, LastTally { stat, view, tally });
            0
        }
    }
}

/// Lists of numbered things stay in the order of their numbers, so that what is
/// put back stands where it stood.
macro_rules! put_numbered {
    ($name:ident, $thing:ty, $image:ident, $wrap:expr, $open:expr) => {
        fn $name(list: &mut Vec<$thing>, serial: Serial, image: StateValue) -> StateValue {
            let found = list.binary_search_by_key(&serial, |thing| thing.serial);
            let before = match found {
                Ok(at) => StateValue::$image($wrap(list.remove(at))),
                Err(_) => StateValue::Nothing,
            };
            if let StateValue::$image(thing) = image {
                let at = found.unwrap_or_else(|at| at);
                list.insert(at.min(list.len()), $open(thing));
            }
            before
        }
    };
}

put_numbered!(put_instance, Instance, Instance, Box::new, |thing: Box<Instance>| *thing);
put_numbered!(put_loose, AdHocModifier, Loose, Box::new, |thing: Box<AdHocModifier>| *thing);
put_numbered!(put_timer, Timer, Timer, std::convert::identity, std::convert::identity);
