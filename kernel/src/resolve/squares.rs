//! Squares: who may stand where and pass whom, walking, pushing, and the zones that come and go with it.

use super::paths::{path, walk_length};
use crate::change::{StateField, StateValue};
use crate::entity::StatBlockRef;
use crate::event::{RuleEvent, entity_field};
use crate::ident::*;
use crate::journal::Record;
use crate::oracle::{Flow, Refusal};
use crate::scene::Scene;
use crate::situation::{Formula, Situation};
use crate::space::{Direction, Square};
use smallvec::SmallVec;
use std::sync::Arc;

/// Who is inside which zone, the zone second.
type ZoneOccupants = SmallVec<[(EntityId, EntityId); 4]>;

impl Scene {
    /// Whether somebody may stand on a square: nobody else does, or the packs let
    /// them share it.
    ///
    /// # Errors
    /// As the stat of sizes and the question of the packs do.
    pub fn may_stand(&self, who: EntityId, square: Square) -> Flow<bool> {
        let rules = Arc::clone(&self.rules);
        self.all_there(who, square, rules.share.as_ref(), false)
    }

    /// Whether somebody may go through a square, past all who stand there.
    ///
    /// # Errors
    /// As [`Scene::may_stand`].
    pub fn may_pass(&self, who: EntityId, square: Square) -> Flow<bool> {
        let rules = Arc::clone(&self.rules);
        self.all_there(who, square, rules.pass.as_ref(), true)
    }

    /// Whether a question says yes of all creatures that stand where somebody
    /// would; what is so without a question is `unasked`.
    fn all_there(&self, who: EntityId, square: Square, question: Option<&Formula>, unasked: bool) -> Flow<bool> {
        if question.is_none() && unasked || !self.is_creature(who) {
            return Ok(true);
        }
        self.toil_over_all()?;
        let reckoner = self.reckon(Situation::of(who));
        let body = reckoner.body_at(who, square)?;
        let stands = |other: EntityId| other != who && self.is_creature(other) && self.square_of(Some(other)).is_some();
        for (other, _) in self.state.present().filter(|(other, _)| stands(*other)) {
            let there = reckoner.body(other)?.is_some_and(|there| self.rules.grid.distance(body, there) == 0);
            let about = Situation { target: Some(other), ..Situation::of(who) };
            if there && !(question.is_some() && self.reckon(about).holds(question)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_creature(&self, who: EntityId) -> bool {
        self.state.entity(who).is_some_and(|entity| matches!(entity.origin, StatBlockRef::Creature(_)))
    }

    /// That somebody may stand on a square.
    ///
    /// # Errors
    /// `HR0708` if they may not; else as [`Scene::may_stand`].
    pub fn needs_room(&self, who: EntityId, square: Square) -> Flow<()> {
        match self.may_stand(who, square)? {
            true => Ok(()),
            false => Err(Refusal::new("HR0708", "refuse.occupied", &[]).into()),
        }
    }

    /// That somebody may walk to a square: stand there, and pass all on the way.
    ///
    /// # Errors
    /// `HR0708` if they may not; else as [`Scene::may_stand`].
    pub(super) fn needs_way(&self, who: EntityId, path: &[Square]) -> Flow<()> {
        let Some((to, between)) = path.split_last() else { return Ok(()) };
        self.needs_room(who, *to)?;
        for square in between.iter().filter(|_| self.rules.pass.is_some()) {
            if !self.may_pass(who, *square)? {
                return Err(Refusal::new("HR0708", "refuse.in_the_way", &[]).into());
            }
        }
        Ok(())
    }

    fn square_of(&self, who: Option<EntityId>) -> Option<Square> {
        self.state.entity(who?).and_then(|entity| entity.square)
    }

    /// Walks to a square by way of others, one square after the other; in the
    /// window of each, others may halt the walk. Whoever is halted where somebody else stands
    /// goes back to the last square that was free.
    ///
    /// # Errors
    /// As hooks do.
    pub fn walk(&mut self, who: EntityId, via: &[Square], to: Square, about: Situation) -> Flow<()> {
        let Some(from) = self.square_of(Some(who)) else { return Ok(()) };
        self.toil(usize::try_from(walk_length(from, via, to)).unwrap_or(usize::MAX))?;
        let path = path(from, via, to);
        let last = path.len();
        let mut free = from;
        for (at_step, square) in (1..).zip(path) {
            let Some(at) = self.square_of(Some(who)) else { break };
            if !self.may_leave(who, at, false, about)? {
                break;
            }
            let may_stand = self.may_stand(who, square)?;
            if !may_stand && (at_step == last || !self.may_pass(who, square)?) {
                self.say_occupied(who)?;
                break;
            }
            self.step_onto(who, square)?;
            self.count_step(who, at, square)?;
            free = if may_stand { square } else { free };
        }
        let halted = self.square_of(Some(who)).filter(|at| *at != free);
        if let Some(at) = halted
            && !self.may_stand(who, at)?
        {
            self.say_occupied(who)?;
            self.step_onto(who, free)?;
        }
        self.tell_moved(who, from, false, about)
    }

    /// Opens the window in which others may keep somebody on a square they are
    /// leaving.
    fn may_leave(&mut self, who: EntityId, at: Square, forced: bool, about: Situation) -> Flow<bool> {
        let fields = [entity_field(Some(who)), at.x, at.y, i32::from(forced)];
        Ok(self.before(RuleEvent::new(self.rules.known.square_leaving, about, &fields))?.prevented.is_none())
    }

    fn tell_moved(&mut self, who: EntityId, from: Square, forced: bool, about: Situation) -> Flow<()> {
        let fields = [entity_field(Some(who)), self.walked(who, from), i32::from(forced)];
        self.announce(RuleEvent::new(self.rules.known.moved, about, &fields))
    }

    fn say_occupied(&mut self, who: EntityId) -> Flow<()> {
        let (text, arguments) = (self.rules.words.occupied, self.cast(Situation::of(who)));
        self.record(Record::Said { text, arguments, audience: Audience::Everyone })
    }

    fn walked(&self, who: EntityId, from: Square) -> i32 {
        let to = self.square_of(Some(who)).unwrap_or(from);
        self.rules.grid.feet_between(from.into(), to.into())
    }

    /// Puts somebody on a square, and tells which zones they enter and leave, and
    /// who enters and leaves the zones that go with them.
    fn step_onto(&mut self, who: EntityId, square: Square) -> Flow<()> {
        let before = self.covered(who)?;
        self.turn_to(who, square)?;
        self.change(StateField::Square(who), StateValue::Square(Some(square)))?;
        self.tell_zones(&before, &self.covered(who)?)
    }

    fn turn_to(&mut self, who: EntityId, square: Square) -> Flow<()> {
        let Some(way) = self.square_of(Some(who)).map(|from| from.way_to(square)) else { return Ok(()) };
        let heads = self.state.entity(who).map_or(0, |entity| entity.heading);
        let turns = way != Direction::NONE && way.number() != heads;
        if turns { self.change(StateField::Heading(who), StateValue::Number(way.number())) } else { Ok(()) }
    }

    /// The zones that somebody is in, and who is in the zones that go with them.
    fn covered(&self, who: EntityId) -> Flow<ZoneOccupants> {
        let mut covered = ZoneOccupants::new();
        if !self.rules.zones {
            return Ok(covered);
        }
        self.toil_over_all()?;
        let reckoner = self.reckon(Situation::of(who));
        for (zone, entity) in self.state.present().filter(|(zone, _)| *zone != who) {
            if reckoner.is_within(who, zone)? {
                covered.push((who, zone));
            }
            let goes_along = entity.owner == Some(who) && entity.square.is_none();
            if goes_along {
                self.those_within(zone, who, &mut covered)?;
            }
        }
        self.those_within(who, who, &mut covered)?;
        Ok(covered)
    }

    fn those_within(&self, zone: EntityId, but: EntityId, covered: &mut ZoneOccupants) -> Flow<()> {
        let page = self.state.entity(zone).and_then(|entity| self.rules.page(entity.origin));
        if page.is_none_or(|page| page.radius.is_none()) {
            return Ok(());
        }
        self.toil_over_all()?;
        for (who, _) in self.state.present().filter(|(who, _)| *who != but && *who != zone) {
            if self.reckon(Situation::of(who)).is_within(who, zone)? {
                covered.push((who, zone));
            }
        }
        Ok(())
    }

    fn tell_zones(&mut self, before: &ZoneOccupants, now: &ZoneOccupants) -> Flow<()> {
        let (entered, left) = (self.rules.known.zone_entered, self.rules.known.zone_left);
        let told = |event, (who, zone): &(EntityId, EntityId)| {
            let about = Situation { source: Some(*zone), ..Situation::of(*who) };
            RuleEvent::new(event, about, &[entity_field(Some(*who)), entity_field(Some(*zone))])
        };
        self.toil(before.len() * now.len() / 4)?;
        before.iter().filter(|pair| !now.contains(pair)).try_for_each(|pair| self.announce(told(left, pair)))?;
        now.iter().filter(|pair| !before.contains(pair)).try_for_each(|pair| self.announce(told(entered, pair)))
    }

    /// Pushes somebody, one square after the other, or pulls them if `feet` is
    /// negative: a way from 1 to 8, or else away from who acts. Others may halt them
    /// as they leave a square; they stop before one on which they may not stand.
    ///
    /// # Errors
    /// `HR0560` at the edge of the map, `HR0562` if there is no such way; else as
    /// hooks do.
    pub fn push(&mut self, who: EntityId, feet: i32, way: Option<i32>, about: Situation) -> Flow<()> {
        let Some(from) = self.square_of(Some(who)) else { return Ok(()) };
        let way = match (way, self.square_of(about.actor)) {
            (Some(way), _) => Direction::numbered(way)?,
            (None, Some(actor)) => actor.way_to(from),
            (None, None) => Direction::NONE,
        };
        let squares = feet / i32::from(self.rules.grid.feet_per_square.get());
        let way = if squares < 0 { way.back() } else { way };
        if way != Direction::NONE {
            for _ in 0..squares.unsigned_abs() {
                if !self.push_on(who, way, about)? {
                    break;
                }
            }
        }
        let moved = self.square_of(Some(who)) != Some(from);
        let about = Situation { source: about.actor, ..Situation::of(who) };
        if moved { self.tell_moved(who, from, true, about) } else { Ok(()) }
    }

    /// Pushes somebody one square on, and says whether they went there.
    fn push_on(&mut self, who: EntityId, way: Direction, about: Situation) -> Flow<bool> {
        self.pay(crate::budget::Cost::Deed)?;
        let Some(at) = self.square_of(Some(who)) else { return Ok(false) };
        let next = at.next(way)?;
        if !self.may_stand(who, next)? {
            self.say_occupied(who)?;
            return Ok(false);
        }
        let about = Situation { source: about.actor, action: about.action, ..Situation::of(who) };
        if self.is_creature(who) && !self.may_leave(who, at, true, about)? {
            return Ok(false);
        }
        self.step_onto(who, next)?;
        Ok(true)
    }
}
