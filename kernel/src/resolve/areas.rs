//! Areas: whom a burst, a line, a cone or an emanation catches.

use super::acts::ActRequest;
use crate::action::{Action, Area, AreaShape, TargetKind};
use crate::ident::*;
use crate::oracle::{Flow, Interrupt, Refusal};
use crate::scene::Scene;
use crate::situation::Situation;
use crate::space::{Centre, Footprint, LIMIT, Square, line};
use smallvec::SmallVec;

/// Those whom an area catches.
pub(super) type Caught = SmallVec<[EntityId; 8]>;

/// Where an area works.
enum Zone {
    /// Round somebody.
    Around(Footprint),
    /// Round a square or a crossing.
    Burst(Centre),
    /// On these squares.
    Squares(Vec<Square>),
}

impl Scene {
    /// Every creature that the area of an action catches, by id; where so many are
    /// caught at most, the nearest.
    pub(super) fn caught(&self, action: &Action, act: ActRequest<'_>, about: Situation) -> Flow<Caught> {
        let Some(area) = &action.area else { return Ok(Caught::new()) };
        let mut caught = Caught::new();
        for who in self.within(area, act, about)? {
            let about = Situation { target: Some(who), ..about };
            if self.is_a(who, TargetKind::Creature) && self.reckon(about).holds(area.when.as_ref())? {
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
    fn within(&self, area: &Area, act: ActRequest<'_>, about: Situation) -> Flow<Caught> {
        let feet = self.reckon(about).value(&area.feet)?;
        let actor = self.reckon(about).body(act.who)?;
        let to = || act.to.ok_or_else(nowhere);
        let zone = match (area.shape, actor) {
            (AreaShape::Burst, _) => Zone::Burst(Centre::Square(to()?)),
            (AreaShape::BurstAtCrossing, _) => Zone::Burst(Centre::Crossing(to()?)),
            (_, None) => return Err(nowhere()),
            (AreaShape::Emanation, Some(from)) => Zone::Around(from),
            (shape, Some(from)) => Zone::Squares(self.squares(shape, to()?, from, feet)?),
        };
        self.toil_over_all()?;
        let mut within = Caught::new();
        for (who, _) in self.state.present() {
            let Some(body) = self.reckon(about).body(who)? else { continue };
            let oneself = who == act.who && area.shape == AreaShape::Emanation;
            within.extend((!oneself && self.covers(&zone, body, feet)?).then_some(who));
        }
        Ok(within)
    }

    fn covers(&self, zone: &Zone, body: Footprint, feet: i32) -> Flow<bool> {
        let grid = self.rules.grid;
        Ok(match zone {
            Zone::Around(from) => grid.feet_between(*from, body) <= feet,
            Zone::Burst(centre) => grid.burst_catches(*centre, feet, body),
            Zone::Squares(squares) => {
                self.toil(squares.len() / 8)?;
                squares.iter().any(|square| grid.distance(body, (*square).into()) == 0)
            }
        })
    }

    /// The squares that a cone or a line fills toward a square. They are paid for
    /// before they are listed.
    fn squares(&self, shape: AreaShape, to: Square, from: Footprint, feet: i32) -> Flow<Vec<Square>> {
        let grid = self.rules.grid;
        let reach = 1 + feet.unsigned_abs() as usize / usize::from(grid.feet_per_square.get());
        if shape == AreaShape::Cone {
            let side = reach.saturating_mul(2).saturating_add(from.side.into());
            self.toil(side.saturating_mul(side))?;
            return Ok(grid.cone(from, to, feet).collect());
        }
        self.toil(reach.min(usize::try_from(2 * LIMIT).unwrap_or(usize::MAX)))?;
        let near = |square: &Square| grid.feet_between(from, (*square).into()) <= feet;
        Ok(line(from.corner, to).skip(1).take_while(near).collect())
    }

    /// Some entities by distance from who acts, those that stand nowhere first,
    /// then by id.
    pub(super) fn nearest_first(&self, targets: &[EntityId], about: Situation) -> Flow<Caught> {
        self.toil(4 * targets.len())?;
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

fn nowhere() -> Interrupt {
    Refusal::new("HR0703", "refuse.no_square", &[]).into()
}
