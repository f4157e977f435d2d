//! Who comes to the table, what they hold, and where they stand.

use crate::change::{StateField, StateValue};
use crate::entity::{Entity, StatBlockRef};
use crate::error::Fault;
use crate::ident::*;
use crate::intent::{HeldItem, NewEntity};
use crate::oracle::{Flow, Interrupt, Refusal};
use crate::philox::name_key;
use crate::resolve::NewCondition;
use crate::ruleset::{Ruleset, StatBlock};
use crate::scene::{Scene, too_much};
use crate::situation::Situation;
use crate::state::MOST_HANDS;
use crate::validate::{LONGEST_NAME, MOST_ENTITIES};
use smallvec::SmallVec;
use std::sync::Arc;

/// The most things that one holds.
const MOST_HELD: usize = 1_000;

impl Scene {
    /// Seats somebody, with what they hold.
    ///
    /// # Errors
    /// `HR0704` if the name is taken or reserved; `HR0708` if somebody stands on
    /// the square whom the packs do not let them share it with.
    pub fn seat(&mut self, seat: &NewEntity) -> Flow<EntityId> {
        let who = self.sit_down(seat)?;
        if let Some(square) = seat.square {
            self.needs_room(who, square)?;
        }
        self.catch_up()?;
        Ok(who)
    }

    /// Seats somebody whole; the table settles only when all of it is there.
    fn sit_down(&mut self, seat: &NewEntity) -> Flow<EntityId> {
        self.deeper("things hold", |scene| scene.settle_in(seat))
    }

    fn settle_in(&mut self, seat: &NewEntity) -> Flow<EntityId> {
        self.toil(4 * self.state.entities.len() + self.rules.stats.len())?;
        let rules = Arc::clone(&self.rules);
        if seat.name.is_empty() || self.state.entities.iter().any(|entity| entity.name == seat.name) {
            return Err(Refusal::new("HR0704", "refuse.name_taken", &[("name", &seat.name)]).into());
        }
        let who = self.admit(&rules, seat)?;
        let nothing = StatBlock::default();
        let page = rules.page(seat.origin).unwrap_or(&nothing);
        let holds = seat.holds.as_ref().unwrap_or(&page.holds);
        for item in holds {
            self.equip(&rules, who, item)?;
        }
        self.fill_pools(&rules, who, page, seat)?;
        for condition in &page.bears {
            self.apply(who, NewCondition::of(*condition))?;
        }
        Ok(who)
    }

    fn admit(&mut self, rules: &Ruleset, seat: &NewEntity) -> Flow<EntityId> {
        let who = EntityId(u32::try_from(self.state.entities.len()).unwrap_or(u32::MAX));
        if self.state.entities.len() >= MOST_ENTITIES {
            return Err(Fault::of_intent("HR0520", format!("a table seats {MOST_ENTITIES} entities at most")).into());
        }
        if self.state.hands(seat.owner).is_none() {
            return Err(too_far());
        }
        let nothing = StatBlock::default();
        let page = rules.page(seat.origin).unwrap_or(&nothing);
        let entity = Entity {
            name: seat.name.clone(),
            origin: seat.origin,
            owner: seat.owner,
            side: seat.side.clone(),
            key: self.free_key(&seat.name),
            given: given(rules, page, seat),
            pools: IdMap::default(),
            counts: IdMap::default(),
            notes: IdMap::default(),
            tags: tags(rules, page, seat),
            bears: Vec::new(),
            spared: IdMap::default(),
            loose: Vec::new(),
            holds: SmallVec::new(),
            square: seat.square,
            heading: 0,
            gone: false,
            draws: Vec::new(),
            cited: Vec::new(),
        };
        self.change(StateField::Entity(who), StateValue::Entity(Box::new(entity)))?;
        Ok(who)
    }

    /// The key of a name; the next free one if two names collide.
    fn free_key(&self, name: &str) -> u32 {
        let mut key = name_key(name);
        while self.state.entities.iter().any(|entity| entity.key == key) {
            key = key.wrapping_add(1);
        }
        key
    }

    /// Makes an item, held by somebody and named after both.
    ///
    /// # Errors
    /// When the table is full or the budget used up.
    pub fn equip(&mut self, rules: &Ruleset, owner: EntityId, held: &HeldItem) -> Flow<()> {
        let name = self.item_name(&self.name_of(owner), rules.name(held.item));
        let seat = NewEntity {
            name,
            origin: StatBlockRef::Item(held.item),
            side: Box::default(),
            square: None,
            stats: held.stats.clone(),
            pools: held.pools.clone(),
            tags: held.tags.clone(),
            holds: None,
            owner: None,
        };
        let held = self.sit_down(&seat)?;
        self.hand_over(held, Some(owner))
    }

    /// The name of an item: after its owner and what it is, and with a number if
    /// there are others.
    fn item_name(&self, owner: &str, item: &str) -> Box<str> {
        let owner: String = owner.chars().take(2 * LONGEST_NAME).collect();
        let first = format!("{owner}'s {}", item.replace('_', " "));
        let rests = self.state.entities.iter().filter_map(|entity| entity.name.strip_prefix(&*first));
        let number = |rest: &str| if rest.is_empty() { Some(1) } else { rest.strip_prefix(' ')?.parse().ok() };
        let mut taken: Vec<u32> = rests.filter_map(number).collect();
        taken.sort_unstable();
        let free = (1..).find(|number| taken.binary_search(number).is_err()).unwrap_or(1);
        if free == 1 { first.into() } else { format!("{first} {free}").into() }
    }

    fn fill_pools(&mut self, rules: &Ruleset, who: EntityId, page: &StatBlock, seat: &NewEntity) -> Flow<()> {
        self.toil(rules.pools.len() * (1 + (seat.pools.len() + page.pools.len()) / 8))?;
        for (pool, definition) in rules.pools.iter() {
            let said = seat.pools.iter().chain(&page.pools).find(|(said, _)| *said == pool).map(|(_, number)| *number);
            let has = self.state.entity(who).is_some_and(|entity| entity.is_one_of(&definition.of));
            if !has {
                continue;
            }
            let start = match (said, &definition.start) {
                (Some(number), _) => number,
                (None, Some(start)) => self.reckon(Situation::of(who)).value(start)?,
                (None, None) => self.pool_max(who, pool)?,
            };
            let most = self.pool_max(who, pool)?;
            let to = start.clamp(definition.min.min(most), most);
            if to != 0 {
                self.change(StateField::Pool(who, pool), StateValue::Number(to))?;
            }
        }
        Ok(())
    }

    /// Hands an item to somebody, or to nobody.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn hand_over(&mut self, item: EntityId, to: Option<EntityId>) -> Flow<()> {
        let from = self.state.entity(item).and_then(|item| item.owner);
        if from == to {
            return Ok(());
        }
        if let Some(from) = from {
            let kept = self.held(from).into_iter().filter(|held| *held != item).collect();
            self.change(StateField::Holds(from), StateValue::List(kept))?;
        }
        if let Some(to) = to {
            let mut held = self.held(to);
            if held.len() >= MOST_HELD {
                return Err(too_much("one holds", MOST_HELD, "things").into());
            }
            held.push(item);
            self.change(StateField::Holds(to), StateValue::List(held))?;
        }
        self.change(StateField::Owner(item), StateValue::Who(to))?;
        self.toil_over_all()?;
        let within_reach = |entity: &Entity| self.state.hands(entity.owner).is_some();
        if self.state.entities.iter().all(within_reach) { Ok(()) } else { Err(too_far()) }
    }

    fn held(&self, who: EntityId) -> SmallVec<[EntityId; 4]> {
        self.state.entity(who).map(|entity| entity.holds.clone()).unwrap_or_default()
    }
}

/// The stop of a thing that would hold itself, or be held by too many in a row.
fn too_far() -> Interrupt {
    too_much("a thing is held through", MOST_HANDS, "hands and never by itself").into()
}

/// The given values of a newcomer: its seat over its page over the rules.
fn given(rules: &Ruleset, page: &StatBlock, seat: &NewEntity) -> IdMap<StatId> {
    let mut given = IdMap::default();
    for (stat, definition) in rules.stats.iter().filter(|(_, stat)| stat.start != 0) {
        given.put(stat, definition.start);
    }
    for (stat, number) in page.stats.iter().chain(&seat.stats) {
        given.put(*stat, *number);
    }
    given
}

fn tags(rules: &Ruleset, page: &StatBlock, seat: &NewEntity) -> IdSet<TagId> {
    let mut tags = page.tags.clone();
    for tag in &seat.tags {
        tags.put(*tag, true);
        tags.join(rules.implied(*tag));
    }
    tags
}
