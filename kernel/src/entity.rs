//! Who and what is at a table: creatures, items and lasting effects.

use crate::condition::Instance;
use crate::ident::*;
use crate::modifier::AdHocModifier;
use crate::philox::Cell;
use crate::space::Square;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Which page of the rules an entity was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StatBlockRef {
    /// The table itself.
    Table,
    /// A creature.
    Creature(CreatureId),
    /// An item.
    Item(ItemId),
}

/// One entity. Only the room `change` writes to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entity {
    /// Its name, unlike any other at the table.
    pub name: Box<str>,
    /// What it was made from.
    pub origin: StatBlockRef,
    /// Who holds it, or whom it ends with.
    pub owner: Option<EntityId>,
    /// The side it is on in an encounter.
    pub side: Box<str>,
    /// The entity's part in the counter of its draws.
    pub key: u32,
    /// Given values of stats.
    pub given: IdMap<StatId>,
    /// What is left in its pools.
    pub pools: IdMap<PoolId>,
    /// Its counts.
    pub counts: IdMap<CountId>,
    /// Its notes.
    pub notes: IdMap<NoteId>,
    /// Its tags.
    pub tags: IdSet<TagId>,
    /// The conditions it bears, in the order in which they came.
    pub bears: Vec<Instance>,
    /// Standing conditions that it resisted, by what kept them away, as long as
    /// nothing about that changes.
    #[serde(default, skip_serializing_if = "IdMap::is_empty")]
    pub spared: IdMap<ConditionId>,
    /// Modifiers that rules gave it.
    pub loose: Vec<AdHocModifier>,
    /// What it holds, in the order in which it was taken.
    pub holds: SmallVec<[EntityId; 4]>,
    /// Where it stands.
    pub square: Option<Square>,
    /// The way in which it moved last: 1 to 8, clockwise from up; 0 if it never
    /// did.
    #[serde(default)]
    pub heading: i32,
    /// It has left the table.
    pub gone: bool,
    /// How many numbers each stream has given it.
    pub draws: Vec<StreamPosition>,
    /// Where its tallies stand in the journal, sorted by stat and view.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cited: Vec<LastTally>,
}

/// Where the tally of a stat was written last.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct LastTally {
    /// The stat.
    pub stat: StatId,
    /// The view.
    pub view: Option<ViewId>,
    /// Where it stands in the journal, counted from one.
    pub tally: u32,
}

/// How far one stream of an entity has come.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StreamPosition {
    /// The stream.
    pub stream: StreamId,
    /// The counter, and the block it stands in.
    pub cell: Cell,
}

impl Entity {
    /// How many bytes somebody who comes counts as in the journal.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let numbers = self.given.iter().count() + self.pools.iter().count() + self.counts.iter().count();
        512 + self.name.len() + self.side.len() + 8 * (numbers + self.tags.iter().count() + self.holds.len())
    }

    /// Whether something is for it that is for those with one of these tags, or
    /// for every creature if no tag is named.
    #[must_use]
    pub fn is_one_of(&self, tags: &IdSet<TagId>) -> bool {
        if tags.is_empty() { matches!(self.origin, StatBlockRef::Creature(_)) } else { self.tags.meets(tags) }
    }

    /// The strongest active instance of a condition, of equals the first.
    #[must_use]
    pub fn bearing(&self, condition: ConditionId) -> Option<&Instance> {
        let active = self.bears.iter().filter(|instance| instance.condition == condition && instance.active());
        active.max_by_key(|instance| (instance.value, std::cmp::Reverse(instance.serial)))
    }

    /// The instances that do anything: the active ones, and of a condition that
    /// is borne twice, as by itself and with another, only the strongest. Those
    /// that are borne once per source all count.
    pub fn counting<'a>(
        &'a self,
        per_source: impl Fn(ConditionId) -> bool + 'a,
    ) -> impl Iterator<Item = &'a Instance> + 'a {
        let active = || self.bears.iter().filter(|borne| borne.active());
        active().filter(move |one| {
            let same = |other: &&Instance| {
                other.condition == one.condition && (other.toward == one.toward || other.parent != one.parent)
            };
            let stronger =
                |other: &Instance| other.value > one.value || (other.value == one.value && other.serial < one.serial);
            per_source(one.condition) || !active().filter(same).any(stronger)
        })
    }

    /// The instance with this number.
    #[must_use]
    pub fn instance(&self, serial: Serial) -> Option<&Instance> {
        self.bears.iter().find(|instance| instance.serial == serial)
    }

    /// Where the tally of a stat stands in the journal, counted from one; 0 if it
    /// was never written.
    #[must_use]
    pub fn cites(&self, stat: StatId, view: Option<ViewId>) -> u32 {
        let found = self.cited.iter().find(|cited| (cited.stat, cited.view) == (stat, view));
        found.map_or(0, |cited| cited.tally)
    }
}
