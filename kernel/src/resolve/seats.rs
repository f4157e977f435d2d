//! Who comes to the table, what they hold, and where they stand.

use super::paths::path;
use crate::change::{Image, Place};
use crate::entity::{Entity, Origin};
use crate::error::Fault;
use crate::event::{Event, entity_field};
use crate::ident::*;
use crate::intent::Seat;
use crate::oracle::{Flow, Refusal};
use crate::philox::name_key;
use crate::resolve::Onset;
use crate::ruleset::{Page, Ruleset};
use crate::scene::Scene;
use crate::situation::Situation;
use crate::space::Square;
use smallvec::SmallVec;
use std::sync::Arc;

/// The most entities a table seats.
const MOST_ENTITIES: usize = 10_000;

impl Scene {
    /// Seats somebody, with what they hold.
    ///
    /// # Errors
    /// `HR0704` if the name is taken or reserved.
    pub fn seat(&mut self, seat: &Seat) -> Flow<EntityId> {
        let who = self.sit_down(seat)?;
        self.catch_up()?;
        Ok(who)
    }

    /// Seats somebody whole; the table settles only when all of it is there.
    fn sit_down(&mut self, seat: &Seat) -> Flow<EntityId> {
        let rules = Arc::clone(&self.rules);
        if seat.name.is_empty() || self.state.entities.iter().any(|entity| entity.name == seat.name) {
            return Err(Refusal::new("HR0704", "refuse.name_taken", &[("name", &seat.name)]).into());
        }
        let who = self.admit(&rules, seat)?;
        let nothing = Page::default();
        let page = rules.page(seat.origin).unwrap_or(&nothing);
        let holds = seat.holds.as_ref().unwrap_or(&page.holds);
        for item in holds {
            self.equip(&rules, who, *item)?;
        }
        self.fill_pools(&rules, who, page, seat)?;
        for condition in &page.bears {
            self.apply(who, Onset::of(*condition))?;
        }
        Ok(who)
    }

    fn admit(&mut self, rules: &Ruleset, seat: &Seat) -> Flow<EntityId> {
        let who = EntityId(u32::try_from(self.state.entities.len()).unwrap_or(u32::MAX));
        if self.state.entities.len() >= MOST_ENTITIES {
            return Err(Fault::new("HR0520", format!("a table seats {MOST_ENTITIES} entities at most")).into());
        }
        let nothing = Page::default();
        let page = rules.page(seat.origin).unwrap_or(&nothing);
        let entity = Entity {
            name: seat.name.clone(),
            origin: seat.origin,
            owner: seat.owner,
            side: seat.side.clone(),
            key: self.free_key(&seat.name),
            given: given(rules, page, seat),
            pools: Numbers::default(),
            counts: Numbers::default(),
            notes: Numbers::default(),
            tags: tags(rules, page, seat),
            bears: Vec::new(),
            loose: Vec::new(),
            holds: SmallVec::new(),
            square: seat.square,
            gone: false,
            draws: Vec::new(),
        };
        self.change(Place::Entity(who), Image::Entity(Box::new(entity)))?;
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
    pub fn equip(&mut self, rules: &Ruleset, owner: EntityId, item: ItemId) -> Flow<()> {
        let name = self.item_name(&self.name_of(owner), rules.name(item));
        let seat = Seat {
            name,
            origin: Origin::Item(item),
            side: Box::default(),
            square: None,
            stats: Vec::new(),
            pools: Vec::new(),
            tags: Vec::new(),
            holds: None,
            owner: None,
        };
        let held = self.sit_down(&seat)?;
        self.hand_over(held, Some(owner))
    }

    fn item_name(&self, owner: &str, item: &str) -> Box<str> {
        let first = format!("{owner}'s {}", item.replace('_', " "));
        let taken = |name: &str| self.state.entities.iter().any(|entity| &*entity.name == name);
        let later = (2_u32..).map(|number| format!("{first} {number}"));
        std::iter::once(first.clone()).chain(later).find(|name| !taken(name)).unwrap_or(first).into()
    }

    fn fill_pools(&mut self, rules: &Ruleset, who: EntityId, page: &Page, seat: &Seat) -> Flow<()> {
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
                self.change(Place::Pool(who, pool), Image::Number(to))?;
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
            self.change(Place::Holds(from), Image::List(kept))?;
        }
        if let Some(to) = to {
            let mut held = self.held(to);
            held.push(item);
            self.change(Place::Holds(to), Image::List(held))?;
        }
        self.change(Place::Owner(item), Image::Who(to))
    }

    fn held(&self, who: EntityId) -> SmallVec<[EntityId; 4]> {
        self.state.entity(who).map(|entity| entity.holds.clone()).unwrap_or_default()
    }

    /// Walks to a square by way of others, one square after the other; in the
    /// window of each, others may halt the walk.
    ///
    /// # Errors
    /// As hooks do.
    pub fn walk(&mut self, who: EntityId, via: &[Square], to: Square, about: Situation) -> Flow<()> {
        let Some(from) = self.state.entity(who).and_then(|entity| entity.square) else { return Ok(()) };
        for square in path(from, via, to) {
            let Some(at) = self.state.entity(who).and_then(|entity| entity.square) else { break };
            let event = Event::new(self.rules.known.square_leaving, about, &[entity_field(Some(who)), at.x, at.y]);
            if self.before(event)?.prevented.is_some() {
                break;
            }
            let around = self.zones_around(who)?;
            self.change(Place::Square(who), Image::Square(Some(square)))?;
            self.tell_zones(who, &around)?;
        }
        let feet = self.walked(who, from);
        let moved = Event::new(self.rules.known.moved, about, &[entity_field(Some(who)), feet]);
        self.announce(moved)
    }

    /// The zones that somebody is in.
    fn zones_around(&self, who: EntityId) -> Flow<SmallVec<[EntityId; 4]>> {
        let mut around = SmallVec::new();
        if !self.rules.zones {
            return Ok(around);
        }
        for (zone, _) in self.state.present() {
            if zone != who && self.reckon(Situation::of(who)).is_within(who, zone)? {
                around.push(zone);
            }
        }
        Ok(around)
    }

    fn tell_zones(&mut self, who: EntityId, before: &[EntityId]) -> Flow<()> {
        let now = self.zones_around(who)?;
        let (entered, left) = (self.rules.known.zone_entered, self.rules.known.zone_left);
        let told = |event, zone: &EntityId| {
            Event::new(
                event,
                Situation { source: Some(*zone), ..Situation::of(who) },
                &[entity_field(Some(who)), entity_field(Some(*zone))],
            )
        };
        for zone in before.iter().filter(|zone| !now.contains(zone)) {
            self.announce(told(left, zone))?;
        }
        now.iter().filter(|zone| !before.contains(zone)).try_for_each(|zone| self.announce(told(entered, zone)))
    }

    fn walked(&self, who: EntityId, from: Square) -> i32 {
        let to = self.state.entity(who).and_then(|entity| entity.square).unwrap_or(from);
        self.rules.grid.feet_between(from.into(), to.into())
    }

    /// Pushes somebody away from who acts, or pulls them if `feet` is negative.
    ///
    /// # Errors
    /// `HR0560` at the edge of the map.
    pub fn push_away(&mut self, who: EntityId, feet: i32, about: Situation) -> Flow<()> {
        let square = |who: Option<EntityId>| self.state.entity(who?).and_then(|entity| entity.square);
        let (Some(from), Some(at)) = (square(about.actor), square(Some(who))) else { return Ok(()) };
        let squares = feet / i32::from(self.rules.grid.feet_per_square.get());
        let step = |from: i32, at: i32| i64::from((at - from).signum()) * i64::from(squares);
        let to = Square::checked(i64::from(at.x) + step(from.x, at.x), i64::from(at.y) + step(from.y, at.y))?;
        let around = self.zones_around(who)?;
        self.change(Place::Square(who), Image::Square(Some(to)))?;
        self.tell_zones(who, &around)
    }
}

/// The given values of a newcomer: its seat over its page over the rules.
fn given(rules: &Ruleset, page: &Page, seat: &Seat) -> Numbers<StatId> {
    let mut given = Numbers::default();
    for (stat, definition) in rules.stats.iter().filter(|(_, stat)| stat.start != 0) {
        given.put(stat, definition.start);
    }
    for (stat, number) in page.stats.iter().chain(&seat.stats) {
        given.put(*stat, *number);
    }
    given
}

fn tags(rules: &Ruleset, page: &Page, seat: &Seat) -> Set<TagId> {
    let mut tags = page.tags.clone();
    for tag in &seat.tags {
        tags.put(*tag, true);
        tags.join(rules.implied(*tag));
    }
    tags
}
