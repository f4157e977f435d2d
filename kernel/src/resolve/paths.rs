//! Paths: the squares that a walk goes over, and how far that is.

use crate::change::{StateField, StateValue};
use crate::eval::Evaluator;
use crate::ident::*;
use crate::oracle::Flow;
use crate::scene::Scene;
use crate::situation::Situation;
use crate::space::{Square, way};
use smallvec::SmallVec;

/// The squares that a walk goes onto, in order.
pub(super) type Path = SmallVec<[Square; 16]>;

/// The most steps of one walk; a farther one is out of range, whatever the rules say.
pub(super) const MOST_STEPS: i64 = 10_000;

/// How many steps a walk has, told without taking them.
pub(super) fn walk_length(from: Square, via: &[Square], to: Square) -> i64 {
    let leg = |one: Square, other: Square| {
        let far = |one: i32, other: i32| (i64::from(other) - i64::from(one)).abs();
        far(one.x, other.x).max(far(one.y, other.y))
    };
    let points = || std::iter::once(from).chain(via.iter().copied());
    points().zip(points().skip(1).chain([to])).map(|(one, other)| leg(one, other)).sum()
}

/// The squares from one to another, as straight as steps go from each way point
/// to the next; the one where the walk begins is left out.
pub(super) fn path(from: Square, via: &[Square], to: Square) -> Path {
    let mut path = Path::new();
    let mut at = from;
    for point in via.iter().copied().chain([to]) {
        path.extend(way(at, point));
        at = point;
    }
    path
}

impl Scene {
    /// How many feet a walk over these squares takes.
    ///
    /// # Errors
    /// As what the packs say of the cost of a step does.
    pub(super) fn cost_of(&self, who: EntityId, path: &[Square]) -> Flow<i32> {
        let Some(mut at) = self.state.entity(who).and_then(|entity| entity.square) else { return Ok(0) };
        let (mut squares, mut diagonals) = (0_i32, self.diagonals_of(who));
        for square in path {
            let diagonal = at.way_to(*square).is_diagonal();
            diagonals += u32::from(diagonal);
            let step = self.rules.grid.diagonals.step(diagonal, diagonals);
            squares = squares.saturating_add(self.step_cost(who, *square, step, diagonal)?);
            at = *square;
        }
        Ok(squares.saturating_mul(i32::from(self.rules.grid.feet_per_square.get())))
    }

    /// How many diagonal steps somebody has made that still count.
    fn diagonals_of(&self, who: EntityId) -> u32 {
        let made = self.rules.diagonals.zip(self.state.entity(who)).map(|(count, entity)| entity.counts.get(count));
        made.and_then(|made| u32::try_from(made).ok()).unwrap_or(0)
    }

    /// Counts a step of a walk, if it was diagonal and the packs count those.
    pub(super) fn count_step(&mut self, who: EntityId, from: Square, to: Square) -> Flow<()> {
        let Some(count) = self.rules.diagonals.filter(|_| from.way_to(to).is_diagonal()) else { return Ok(()) };
        let made = self.diagonals_of(who).saturating_add(1);
        self.change(StateField::Count(who, count), StateValue::Number(i32::try_from(made).unwrap_or(i32::MAX)))
    }

    /// Squares that a step onto a square costs, with somebody read as if they
    /// stood there already; never less than none.
    fn step_cost(&self, who: EntityId, square: Square, step: i32, diagonal: bool) -> Flow<i32> {
        let Some(cost) = &self.rules.step_cost else { return Ok(step) };
        let locals = [step, i32::from(diagonal)];
        let reckoner = Evaluator { stands: Some((who, square)), locals: &locals, ..self.reckon(Situation::of(who)) };
        Ok(reckoner.value(cost)?.max(0))
    }
}
