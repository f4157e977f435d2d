//! The order of acting: slots that stay where they are while their owners move.

use crate::ident::{EntityId, SlotId};
use serde::{Deserialize, Serialize};

/// What breaks ties, the first number first, the higher first.
pub type TieBreakers = [i32; 4];

/// Where somebody stands in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderEntry {
    /// The marker, never used twice in an encounter.
    pub slot: SlotId,
    /// Who acts here; nobody at a marker that was left behind.
    pub owner: Option<EntityId>,
    /// The initiative count.
    pub count: i32,
    /// What breaks ties.
    pub breaks: TieBreakers,
}

impl OrderEntry {
    fn key(&self) -> (i32, TieBreakers) {
        (self.count, self.breaks)
    }
}

/// The order of an encounter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Whether an encounter runs.
    pub running: bool,
    /// The round, from 1; 0 in a round for the aware alone.
    pub round: u32,
    /// Everybody's places, first to act first.
    pub places: Vec<OrderEntry>,
    /// The slot whose turn it is.
    pub at: Option<SlotId>,
    /// Who has begun a turn in this round.
    pub acted: Vec<EntityId>,
    /// Who waits in the middle of a turn that has begun.
    pub delayed: Vec<EntityId>,
    /// Who takes part but is not aware yet.
    pub unaware: Vec<EntityId>,
    /// The number of the next new slot.
    pub next: u32,
}

impl Order {
    /// How many bytes it counts as in the journal.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let people = self.acted.len() + self.delayed.len() + self.unaware.len();
        64 + 40 * self.places.len() + 4 * people
    }

    /// Who acts now.
    #[must_use]
    pub fn acting(&self) -> Option<EntityId> {
        self.place(self.at?)?.owner
    }

    /// The place with this slot.
    #[must_use]
    pub fn place(&self, slot: SlotId) -> Option<&OrderEntry> {
        self.places.iter().find(|place| place.slot == slot)
    }

    /// The place at which somebody acts.
    #[must_use]
    pub fn place_of(&self, who: EntityId) -> Option<&OrderEntry> {
        self.places.iter().find(|place| place.owner == Some(who))
    }

    /// Who takes part, first to act first, then the unaware.
    pub fn members(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.places.iter().filter_map(|place| place.owner).chain(self.unaware.iter().copied())
    }

    fn new_slot(&mut self) -> SlotId {
        let slot = SlotId(self.next);
        self.next = self.next.saturating_add(1);
        slot
    }

    /// Puts somebody into the order by count and tie-breakers; behind equals.
    pub fn insert(&mut self, owner: EntityId, count: i32, breaks: TieBreakers) {
        let place = OrderEntry { slot: self.new_slot(), owner: Some(owner), count, breaks };
        let before = self.places.iter().position(|other| other.key() < place.key()).unwrap_or(self.places.len());
        self.places.insert(before, place);
        self.unaware.retain(|other| *other != owner);
    }

    /// The slot after this one; nothing at the end of the round.
    #[must_use]
    pub fn after(&self, slot: Option<SlotId>) -> Option<OrderEntry> {
        let Some(slot) = slot else { return self.places.first().copied() };
        let at = self.places.iter().position(|place| place.slot == slot)?;
        self.places.get(at + 1).copied()
    }

    /// Moves somebody to just behind a slot. The old slot stays as a marker, so
    /// that what was timed by it keeps its time.
    pub fn move_behind(&mut self, who: EntityId, slot: SlotId) -> bool {
        let Some(at) = self.places.iter().position(|place| place.slot == slot) else { return false };
        let Some(anchor) = self.places.get(at).copied() else { return false };
        self.leave(who);
        let place = OrderEntry { slot: self.new_slot(), owner: Some(who), ..anchor };
        self.places.insert(at + 1, place);
        true
    }

    /// Moves somebody to just before a slot, as [`Order::move_behind`].
    pub fn move_before(&mut self, who: EntityId, slot: SlotId) -> bool {
        let Some(at) = self.places.iter().position(|place| place.slot == slot) else { return false };
        let Some(anchor) = self.places.get(at).copied() else { return false };
        self.leave(who);
        let place = OrderEntry { slot: self.new_slot(), owner: Some(who), ..anchor };
        self.places.insert(at, place);
        true
    }

    /// Takes somebody out; the slot stays as a marker.
    pub fn leave(&mut self, who: EntityId) {
        let left = self.places.iter_mut().filter(|place| place.owner == Some(who));
        left.for_each(|place| place.owner = None);
        self.unaware.retain(|other| *other != who);
        self.delayed.retain(|other| *other != who);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: EntityId = EntityId(1);
    const B: EntityId = EntityId(2);
    const C: EntityId = EntityId(3);

    fn order() -> Order {
        let mut order = Order::default();
        order.insert(B, 15, [0; 4]);
        order.insert(A, 20, [0; 4]);
        order.insert(C, 15, [2, 0, 0, 0]);
        order
    }

    fn owners(order: &Order) -> Vec<Option<EntityId>> {
        order.places.iter().map(|place| place.owner).collect()
    }

    #[test]
    fn higher_counts_act_first_and_tie_breakers_decide() {
        assert_eq!(owners(&order()), [Some(A), Some(C), Some(B)]);
    }

    #[test]
    fn a_delayed_creature_leaves_a_marker_behind() {
        let mut order = order();
        let last = order.place_of(B).unwrap().slot;
        assert!(order.move_behind(A, last));
        assert_eq!(owners(&order), [None, Some(C), Some(B), Some(A)]);
        assert_eq!(order.place_of(A).unwrap().count, 15);
    }

    #[test]
    fn nobody_moves_behind_a_slot_that_is_not_there() {
        let mut order = order();
        assert!(!order.move_behind(A, SlotId(99)));
        assert_eq!(owners(&order), [Some(A), Some(C), Some(B)]);
    }

    #[test]
    fn after_the_last_slot_the_round_ends() {
        let order = order();
        let last = order.place_of(B).unwrap().slot;
        assert_eq!(order.after(Some(last)), None);
        assert_eq!(order.after(None).unwrap().owner, Some(A));
    }
}
