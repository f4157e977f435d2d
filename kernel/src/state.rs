//! All that may change at a table, as plain values.

use crate::clock::{Clock, Moment};
use crate::entity::Entity;
use crate::ident::*;
use crate::initiative::Order;
use serde::{Deserialize, Serialize};

/// Through how many hands a thing may be held.
pub const MOST_HANDS: usize = 16;

/// Something that is due at a moment: the end of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timer {
    /// Its number at the table.
    pub serial: Serial,
    /// Who bears what ends.
    pub bearer: EntityId,
    /// What ends.
    pub instance: Serial,
    /// When.
    pub due: Moment,
}

/// The state of a table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// The seed that all draws come from.
    #[serde(with = "crate::wide")]
    pub seed: u64,
    /// Which fight of a simulation this is; 0 at a table.
    pub fight: u32,
    /// Everybody who was ever seated, by id.
    pub entities: Vec<Entity>,
    /// The time.
    pub clock: Clock,
    /// The order of acting.
    pub order: Order,
    /// What is due, in the order in which it was set.
    pub timers: Vec<Timer>,
    /// House-rule switches: numbers, yes and no, or choices.
    pub options: IdMap<OptionId>,
    /// The next number of an instance, timer or loose modifier.
    pub next: u32,
    /// Whether an intent was ever done; switches are fixed from then on.
    pub begun: bool,
}

impl State {
    /// An entity by its id.
    #[must_use]
    pub fn entity(&self, who: EntityId) -> Option<&Entity> {
        self.entities.get(usize::try_from(who.0).ok()?)
    }

    pub(crate) fn entity_mut(&mut self, who: EntityId) -> Option<&mut Entity> {
        self.entities.get_mut(usize::try_from(who.0).ok()?)
    }

    /// The entity of that name that has not left.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<EntityId> {
        self.present().find(|(_, entity)| &*entity.name == name).map(|(who, _)| who)
    }

    /// All entities that have not left, but the table itself.
    pub fn present(&self) -> impl Iterator<Item = (EntityId, &Entity)> {
        let numbered = (0_u32..).map(EntityId).zip(&self.entities);
        numbered.skip(1).filter(|(_, entity)| !entity.gone)
    }

    /// Through how many hands what somebody owns is held; nothing if they are too
    /// many or go round in a circle.
    #[must_use]
    pub fn hands(&self, mut owner: Option<EntityId>) -> Option<usize> {
        for hands in 0..=MOST_HANDS {
            let Some(who) = owner else { return Some(hands) };
            owner = self.entity(who).and_then(|entity| entity.owner);
        }
        None
    }

    /// The timers of one instance.
    pub fn timers_of(&self, instance: Serial) -> impl Iterator<Item = &Timer> {
        self.timers.iter().filter(move |timer| timer.instance == instance)
    }
}
