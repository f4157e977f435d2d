//! Areas: whom a burst, a line, a cone or an emanation catches.

use super::acts::Act;
use crate::action::{Action, Area, Shape, Sort};
use crate::ident::*;
use crate::oracle::{Flow, Refusal, Stop};
use crate::scene::Scene;
use crate::situation::Situation;
use crate::space::{Body, Centre, Square, line};
use smallvec::SmallVec;

/// Those whom an area catches.
pub(super) type Caught = SmallVec<[EntityId; 8]>;

impl Scene {
    /// Every creature that the area of an action catches, by id; where so many are
    /// caught at most, the nearest.
    pub(super) fn caught(&self, action: &Action, act: Act<'_>, about: Situation) -> Flow<Caught> {
        let Some(area) = &action.area else { return Ok(Caught::new()) };
        let mut caught = Caught::new();
        for who in self.within(area, act, about)? {
            let about = Situation { target: Some(who), ..about };
            if self.is_a(who, Sort::Creature) && self.reckon(about).holds(area.when.as_ref())? {
                caught.push(who);
            }
        }
        if let Some(most) = &area.most {
            caught = self.nearest_first(&caught, about)?;
            caught.truncate(usize::try_from(self.reckon(about).value(most)?).unwrap_or(0));
        }
        Ok(caught)
    }

    /// All who stand in an area.
    fn within(&self, area: &Area, act: Act<'_>, about: Situation) -> Flow<Caught> {
        let feet = self.reckon(about).value(&area.feet)?;
        let actor = self.reckon(about).body(act.who)?;
        let catches = |body: Body| self.rules.grid.feet_between(actor.unwrap_or(body), body) <= feet;
        let squares = match area.shape {
            Shape::Emanation if actor.is_none() => return Err(nowhere()),
            Shape::Emanation => SmallVec::new(),
            shape => self.squares(shape, act.to.ok_or_else(nowhere)?, actor, feet)?,
        };
        let covers = |body: Body| squares.iter().any(|square| self.rules.grid.distance(body, (*square).into()) == 0);
        let mut within = Caught::new();
        for (who, _) in self.state.present() {
            let Some(body) = self.reckon(about).body(who)? else { continue };
            let inside = if area.shape == Shape::Emanation { who != act.who && catches(body) } else { covers(body) };
            within.extend(inside.then_some(who));
        }
        Ok(within)
    }

    /// The squares that an area fills toward or around a square.
    fn squares(&self, shape: Shape, to: Square, actor: Option<Body>, feet: i32) -> Flow<SmallVec<[Square; 32]>> {
        let grid = self.rules.grid;
        Ok(match (shape, actor) {
            (Shape::Burst, _) => grid.burst(Centre::Square(to), feet).collect(),
            (Shape::BurstAtCrossing, _) => grid.burst(Centre::Crossing(to), feet).collect(),
            (Shape::Cone, Some(from)) => grid.cone(from, to, feet).collect(),
            (_, Some(from)) => {
                let near = |square: &Square| grid.feet_between(from, (*square).into()) <= feet;
                line(from.corner, to).skip(1).take_while(near).collect()
            }
            (_, None) => return Err(nowhere()),
        })
    }

    /// Some entities by distance from who acts, those that stand nowhere first,
    /// then by id.
    pub(super) fn nearest_first(&self, targets: &[EntityId], about: Situation) -> Flow<Caught> {
        let mut ranked: SmallVec<[(i32, EntityId); 8]> = SmallVec::new();
        for target in targets {
            let far = self.reckon(Situation { target: Some(*target), ..about }).distance()?;
            ranked.push((far.unwrap_or(0), *target));
        }
        ranked.sort_unstable();
        ranked.dedup();
        Ok(ranked.into_iter().map(|(_, target)| target).collect())
    }
}

fn nowhere() -> Stop {
    Refusal::new("HR0703", "refuse.no_square", &[]).into()
}
