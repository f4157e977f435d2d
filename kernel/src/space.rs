//! The map: a grid of squares, and what can be told of bodies that stand on it, in whole numbers only.
//!
//! A body fills `side` by `side` squares up and to the right of its corner.
//! Every answer is exact: points are kept in half squares, so that corners and
//! centres are whole numbers. Coordinates reach [`LIMIT`] either way; further
//! ones are refused by [`Square::checked`] and by loading, and count as the
//! limit where a host builds a [`Square`] by hand, so nothing can overflow.

use crate::error::Fault;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU16;

/// The largest coordinate, in squares from the middle of the map.
pub const LIMIT: i32 = 1_000_000;

/// One square of the grid; saved as `[x, y]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "(i64, i64)", into = "(i64, i64)")]
pub struct Square {
    /// Column, rising to the right.
    pub x: i32,
    /// Row, rising upwards.
    pub y: i32,
}

impl Square {
    /// The square at column `x` and row `y`.
    ///
    /// # Errors
    /// `HR0560` if a coordinate lies beyond [`LIMIT`].
    pub fn checked(x: i64, y: i64) -> Result<Square, Fault> {
        Ok(Square { x: coordinate(x)?, y: coordinate(y)? })
    }

    fn on_map(self) -> Square {
        Square { x: self.x.clamp(-LIMIT, LIMIT), y: self.y.clamp(-LIMIT, LIMIT) }
    }
}

fn coordinate(wanted: i64) -> Result<i32, Fault> {
    let off = || Fault::new("HR0560", format!("the map ends {LIMIT} squares from its middle, before `{wanted}`"));
    i32::try_from(wanted).ok().filter(|number| (-LIMIT..=LIMIT).contains(number)).ok_or_else(off)
}

impl TryFrom<(i64, i64)> for Square {
    type Error = Fault;

    fn try_from((x, y): (i64, i64)) -> Result<Square, Fault> {
        Square::checked(x, y)
    }
}

impl From<Square> for (i64, i64) {
    fn from(square: Square) -> (i64, i64) {
        (square.x.into(), square.y.into())
    }
}

/// The space that something fills; saved as `[x, y, side]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "(i64, i64, i64)", into = "(i64, i64, i64)")]
pub struct Body {
    /// The lowest, leftmost square.
    pub corner: Square,
    /// Length of a side in squares, at least 1.
    pub side: u16,
}

impl Body {
    /// The body of `side` squares whose lowest, leftmost square is (`x`, `y`).
    ///
    /// # Errors
    /// `HR0560` if the corner is off the map, `HR0561` if the side is not from 1 to 65535.
    pub fn checked(x: i64, y: i64, side: i64) -> Result<Body, Fault> {
        let wrong = || Fault::new("HR0561", format!("a body is 1 to {} squares wide, not `{side}`", u16::MAX));
        let side = u16::try_from(side).ok().filter(|side| *side > 0).ok_or_else(wrong)?;
        Ok(Body { corner: Square::checked(x, y)?, side })
    }

    /// First and last column, first and last row.
    fn stretches(self) -> [(i32, i32); 2] {
        let Square { x, y } = self.corner.on_map();
        let more = i32::from(self.side.max(1)) - 1;
        [(x, x + more), (y, y + more)]
    }

    /// Lowest and highest corner.
    fn extent(self) -> (Point, Point) {
        let [(left, right), (bottom, top)] =
            self.stretches().map(|(low, high)| (2 * i64::from(low), 2 * i64::from(high) + 2));
        (Point { x: left, y: bottom }, Point { x: right, y: top })
    }

    fn corners(self) -> [Point; 4] {
        let (low, high) = self.extent();
        [low, Point { x: high.x, y: low.y }, Point { x: low.x, y: high.y }, high]
    }

    fn centre(self) -> Point {
        let (low, high) = self.extent();
        // The corners are even, so the halves are exact.
        Point { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2 }
    }
}

impl From<Square> for Body {
    fn from(corner: Square) -> Body {
        Body { corner, side: 1 }
    }
}

impl TryFrom<(i64, i64, i64)> for Body {
    type Error = Fault;

    fn try_from((x, y, side): (i64, i64, i64)) -> Result<Body, Fault> {
        Body::checked(x, y, side)
    }
}

impl From<Body> for (i64, i64, i64) {
    fn from(body: Body) -> (i64, i64, i64) {
        (body.corner.x.into(), body.corner.y.into(), body.side.into())
    }
}

/// What a diagonal step counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiagonalRule {
    /// One square each.
    One,
    /// One and two squares by turns: 1, 2, 1, 2.
    Alternate,
    /// Two squares each.
    Two,
}

impl DiagonalRule {
    /// Squares that one step counts, of a walk's so-manieth diagonal from 1 if it
    /// is one.
    #[must_use]
    pub fn step(self, diagonal: bool, number: u32) -> i32 {
        match self {
            DiagonalRule::Alternate if diagonal => 2 - i32::from(number % 2 == 1),
            DiagonalRule::Two if diagonal => 2,
            _ => 1,
        }
    }

    /// Squares of the shortest way over `x` columns and `y` rows (neither negative).
    fn count(self, x: i32, y: i32) -> i32 {
        let (long, short) = (x.max(y), x.min(y));
        match self {
            DiagonalRule::One => long,
            DiagonalRule::Alternate => long + short / 2,
            DiagonalRule::Two => long + short,
        }
    }
}

/// Where a burst starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Centre {
    /// The crossing of grid lines at the lower left of this square.
    Crossing(Square),
    /// The square itself, which the burst takes in at any radius.
    Square(Square),
}

/// How a game counts squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// What a diagonal step counts.
    pub diagonals: DiagonalRule,
    /// Length of a square's side in feet.
    pub feet_per_square: NonZeroU16,
    /// Whether a reach of exactly two squares takes in the second diagonal,
    /// whatever diagonals count otherwise.
    #[serde(default)]
    pub two_takes_corners: bool,
}

impl Grid {
    /// Squares between the nearest squares of two bodies: 0 if they share one,
    /// 1 if they touch.
    #[must_use]
    pub fn distance(self, a: Body, b: Body) -> i32 {
        let [x, y] = gaps(a, b);
        self.diagonals.count(x, y)
    }

    /// The same in feet.
    #[must_use]
    pub fn feet_between(self, a: Body, b: Body) -> i32 {
        self.distance(a, b).saturating_mul(i32::from(self.feet_per_square.get()))
    }

    /// Whether a body that reaches `reach` feet reaches another. A reach below
    /// one square needs a shared square; a negative one reaches nothing.
    #[must_use]
    pub fn in_reach(self, attacker: Body, target: Body, reach: i32) -> bool {
        let [x, y] = gaps(attacker, target);
        let two = 2 * i32::from(self.feet_per_square.get());
        let rule = if self.two_takes_corners && reach == two { DiagonalRule::One } else { self.diagonals };
        rule.count(x, y) <= self.squares(reach)
    }

    /// The squares outside a body's own space within `reach` feet of it, in
    /// rising order. None for a reach below one square.
    pub fn reached(self, body: Body, reach: i32) -> impl Iterator<Item = Square> {
        around(body, self.squares(reach))
            .filter(move |square| gaps(body, Body::from(*square)) != [0, 0])
            .filter(move |square| self.in_reach(body, Body::from(*square), reach))
    }

    /// The squares within `radius` feet of a centre, in rising order. From a
    /// crossing the first square counts one whatever diagonals count, and by
    /// turns it is the first diagonal (so 10 feet of 5-foot squares are twelve squares).
    pub fn burst(self, centre: Centre, radius: i32) -> impl Iterator<Item = Square> {
        let (Centre::Crossing(middle) | Centre::Square(middle)) = centre;
        let (middle, squares) = (middle.on_map(), self.squares(radius));
        around(Body::from(middle), squares).filter(move |square| {
            let (x, y) = (square.x - middle.x, square.y - middle.y);
            squares
                >= match centre {
                    Centre::Square(_) => self.diagonals.count(x.abs(), y.abs()),
                    Centre::Crossing(_) => self.past_crossing(beside(x), beside(y)),
                }
        })
    }

    /// The squares of a quarter circle of `radius` feet that a body sends toward
    /// a square, in rising order: those less than half a right angle off the line
    /// between the centres.
    pub fn cone(self, from: Body, toward: Square, radius: i32) -> impl Iterator<Item = Square> {
        let (start, aim) = (from.centre(), Body::from(toward.on_map()).centre());
        self.reached(from, radius).filter(move |square| {
            let centre = Body::from(*square).centre();
            within_half_right_angle((aim.x - start.x, aim.y - start.y), (centre.x - start.x, centre.y - start.y))
        })
    }

    fn past_crossing(self, x: i32, y: i32) -> i32 {
        self.diagonals.count(x, y) - i32::from(self.diagonals == DiagonalRule::Two)
    }

    /// Whole squares in a length of feet, rounded down.
    fn squares(self, feet: i32) -> i32 {
        feet.div_euclid(i32::from(self.feet_per_square.get()))
    }
}

/// Whether the angle between two ways is less than half a right angle: its
/// cosine, squared, is more than a half.
fn within_half_right_angle(one: (i64, i64), other: (i64, i64)) -> bool {
    let product = |a: (i64, i64), b: (i64, i64)| i128::from(a.0) * i128::from(b.0) + i128::from(a.1) * i128::from(b.1);
    let dot = product(one, other);
    dot > 0 && 2 * dot * dot > product(one, one) * product(other, other)
}

/// Columns and rows from a body's nearest square to another's.
fn gaps(a: Body, b: Body) -> [i32; 2] {
    let ([ax, ay], [bx, by]) = (a.stretches(), b.stretches());
    [(ax, bx), (ay, by)].map(|(a, b)| (b.0 - a.1).max(a.0 - b.1).max(0))
}

/// How many squares beside a grid line a column lies, 1 for the first on either side.
fn beside(offset: i32) -> i32 {
    if offset < 0 { -offset } else { offset + 1 }
}

/// The squares of a body and of `more` squares round it, as far as the map goes.
fn around(body: Body, more: i32) -> impl Iterator<Item = Square> {
    let grown = |(low, high): (i32, i32)| low.saturating_sub(more).max(-LIMIT)..=high.saturating_add(more).min(LIMIT);
    let [columns, rows] = body.stretches().map(grown);
    columns.flat_map(move |x| rows.clone().map(move |y| Square { x, y }))
}

/// The squares whose inside is crossed by the straight line between the
/// centres of two squares, from the first to the last. Where the line passes
/// exactly through a corner it goes on diagonally, and the two squares it only
/// touches are left out. There and back are the same squares.
pub fn line(from: Square, to: Square) -> impl Iterator<Item = Square> {
    let (from, to) = (from.on_map(), to.on_map());
    let (columns, rows) = ((to.x - from.x).abs(), (to.y - from.y).abs());
    let next = move |&(x, y): &(i32, i32)| {
        // Which border comes first: the next column's at (2x + 1) / columns
        // of the way, or the next row's at (2y + 1) / rows.
        let column_at = (2 * i64::from(x) + 1) * i64::from(rows);
        let row_at = (2 * i64::from(y) + 1) * i64::from(columns);
        let step = (x + i32::from(column_at <= row_at), y + i32::from(row_at <= column_at));
        ((x, y) != (columns, rows)).then_some(step)
    };
    let (right, up) = ((to.x - from.x).signum(), (to.y - from.y).signum());
    std::iter::successors(Some((0, 0)), next).map(move |(x, y)| Square { x: from.x + x * right, y: from.y + y * up })
}

/// The squares of the shortest walk from one square to another, the first left
/// out: as near to the straight line as steps go, aslant as often as the way
/// allows. There are as many as the longer of columns and rows.
pub fn way(from: Square, to: Square) -> impl Iterator<Item = Square> {
    let (from, to) = (from.on_map(), to.on_map());
    let (columns, rows) = (i64::from(to.x - from.x), i64::from(to.y - from.y));
    let steps = columns.abs().max(rows.abs());
    let along = move |whole: i64, step: i64| (2 * whole * step + steps).div_euclid(2 * steps.max(1));
    let near = |start: i32, more: i64| start.saturating_add(i32::try_from(more).unwrap_or(0));
    (1..=steps).map(move |step| Square { x: near(from.x, along(columns, step)), y: near(from.y, along(rows, step)) })
}

/// Whether two bodies stand on opposite sides of a third: the line between
/// their centres passes through opposite borders of its space, their corners
/// included, and so through opposite corners too.
#[must_use]
pub fn opposite(a: Body, b: Body, target: Body) -> bool {
    let (low, high) = target.extent();
    let sideways = Segment { from: a.centre(), to: b.centre() };
    let upwards = Segment { from: sideways.from.turned(), to: sideways.to.turned() };
    sideways.enters_and_leaves(low, high) || upwards.enters_and_leaves(low.turned(), high.turned())
}

/// How many of the four lines from one corner of `from` to the corners of `to`
/// an obstacle crosses, for the corner of `from` that is best off: 0 to 4.
///
/// A line is crossed where it runs through the inside of an obstacle, or
/// between two obstacles that touch it from both sides at one point (so a row
/// of squares is a wall without chinks); touching one from one side is free.
/// Leave the two bodies themselves out of the obstacles.
#[must_use]
pub fn crossed_lines(from: Body, to: Body, obstacles: &[Body]) -> u8 {
    let crossed = |start: Point| -> u8 {
        to.corners().map(|end| u8::from(Segment { from: start, to: end }.is_crossed(obstacles))).iter().sum()
    };
    from.corners().map(crossed).into_iter().min().unwrap_or(0)
}

/// Whether an obstacle crosses the line between the centres of two bodies, in
/// the sense of [`crossed_lines`].
#[must_use]
pub fn centre_line_crossed(from: Body, to: Body, obstacles: &[Body]) -> bool {
    Segment { from: from.centre(), to: to.centre() }.is_crossed(obstacles)
}

/// A point in half squares; on the map each coordinate stays below 2^22, and
/// products of two differences below 2^48.
#[derive(Clone, Copy, Debug)]
struct Point {
    x: i64,
    y: i64,
}

impl Point {
    fn turned(self) -> Point {
        Point { x: self.y, y: self.x }
    }
}

/// A straight line between two points.
#[derive(Clone, Copy, Debug)]
struct Segment {
    from: Point,
    to: Point,
}

/// Where and from which side an obstacle touches a segment: its side (the sign
/// of [`Segment::side`]), and the stretch in the measure of [`Segment::along`].
struct Touch {
    side: i64,
    first: i64,
    last: i64,
}

impl Segment {
    /// Above 0 for a point to the left of the line, below 0 to the right.
    fn side(self, point: Point) -> i64 {
        (self.to.x - self.from.x) * (point.y - self.from.y) - (self.to.y - self.from.y) * (point.x - self.from.x)
    }

    /// How far along the line a point lies: 0 at its start.
    fn along(self, point: Point) -> i64 {
        (self.to.x - self.from.x) * (point.x - self.from.x) + (self.to.y - self.from.y) * (point.y - self.from.y)
    }

    /// Whether it passes through the left and the right border of a box, ends of the borders included.
    fn enters_and_leaves(self, low: Point, high: Point) -> bool {
        let (from, to) = if self.from.x <= self.to.x { (self.from, self.to) } else { (self.to, self.from) };
        let (run, rise) = (to.x - from.x, to.y - from.y);
        let meets_border = |x: i64| {
            let height = from.y * run + (x - from.x) * rise;
            (low.y * run..=high.y * run).contains(&height)
        };
        from.x <= low.x && to.x >= high.x && meets_border(low.x) && meets_border(high.x)
    }

    fn is_crossed(self, obstacles: &[Body]) -> bool {
        let touches = || obstacles.iter().filter_map(|obstacle| self.touch(*obstacle));
        obstacles.iter().any(|obstacle| self.runs_through(*obstacle))
            || touches()
                .any(|left| left.side > 0 && touches().any(|right| right.side < 0 && self.closes(&left, &right)))
    }

    /// Whether it has a point inside the body, borders not counted: neither
    /// a column, nor a row, nor the line itself lies between them.
    fn runs_through(self, body: Body) -> bool {
        let (low, high) = body.extent();
        let overlap = |a: i64, b: i64, low: i64, high: i64| a.max(b) > low && a.min(b) < high;
        let sides = body.corners().map(|corner| self.side(corner).signum());
        sides.contains(&1)
            && sides.contains(&-1)
            && overlap(self.from.x, self.to.x, low.x, high.x)
            && overlap(self.from.y, self.to.y, low.y, high.y)
    }

    /// Where the line touches a corner or border of the body.
    fn touch(self, body: Body) -> Option<Touch> {
        let met =
            || body.corners().into_iter().filter(|corner| self.side(*corner) == 0).map(|corner| self.along(corner));
        Some(Touch { side: self.side(body.centre()).signum(), first: met().min()?, last: met().max()? })
    }

    /// Whether two touches share a point between the ends of the segment.
    fn closes(self, left: &Touch, right: &Touch) -> bool {
        let (first, last) = (left.first.max(right.first), left.last.min(right.last));
        first <= last && first < self.along(self.to) && last > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    const RULES: [DiagonalRule; 3] = [DiagonalRule::One, DiagonalRule::Alternate, DiagonalRule::Two];

    fn grid(diagonals: DiagonalRule) -> Grid {
        Grid { diagonals, feet_per_square: NonZeroU16::new(5).unwrap(), two_takes_corners: true }
    }

    fn square(x: i32, y: i32) -> Square {
        Square { x, y }
    }

    fn body(x: i32, y: i32, side: u16) -> Body {
        Body { corner: square(x, y), side }
    }

    fn squares_of(body: Body) -> Vec<Square> {
        around(body, 0).collect()
    }

    /// Steps from square to square, cheapest first, remembering whether the next diagonal is dear.
    fn walked(from: Square, rule: DiagonalRule) -> BTreeMap<Square, i32> {
        let mut seen = BTreeSet::new();
        let mut open = BTreeSet::from([(0, from, false)]);
        let mut costs = BTreeMap::new();
        while let Some((cost, at, dear)) = open.pop_first() {
            if at.x.abs() > 8 || at.y.abs() > 8 || !seen.insert((at, dear)) {
                continue;
            }
            costs.entry(at).or_insert(cost);
            for (x, y) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))) {
                let diagonal = x != 0 && y != 0;
                let step = match rule {
                    DiagonalRule::Alternate if diagonal && dear => 2,
                    DiagonalRule::Two if diagonal => 2,
                    _ => 1,
                };
                open.insert((cost + step, square(at.x + x, at.y + y), dear != diagonal));
            }
        }
        costs
    }

    #[test]
    fn four_diagonals_are_six_squares_by_turns() {
        let away = |rule| grid(rule).distance(body(0, 0, 1), body(4, 4, 1));
        assert_eq!(RULES.map(away), [4, 6, 8]);
    }

    #[test]
    fn large_bodies_are_measured_from_their_nearest_squares() {
        let near = |a, b| grid(DiagonalRule::Alternate).distance(a, b);
        assert_eq!(near(body(0, 0, 2), body(2, 0, 1)), 1);
        assert_eq!(near(body(0, 0, 3), body(1, 1, 1)), 0);
        assert_eq!(near(body(0, 0, 2), body(3, 3, 2)), 3);
    }

    #[test]
    fn two_squares_of_reach_take_corners_only_where_the_game_says_so() {
        let (rook, wall) = (body(0, 0, 1), body(2, 2, 1));
        let plain = Grid { two_takes_corners: false, ..grid(DiagonalRule::Alternate) };
        assert!(grid(DiagonalRule::Alternate).in_reach(rook, wall, 10));
        assert!(!plain.in_reach(rook, wall, 10));
        assert!(!grid(DiagonalRule::Alternate).in_reach(rook, body(3, 3, 1), 15));
        assert_eq!(grid(DiagonalRule::Alternate).reached(rook, 10).count(), 24);
        assert_eq!(plain.reached(rook, 10).count(), 20);
    }

    #[test]
    fn no_reach_needs_a_shared_square_and_threatens_none() {
        let rule = grid(DiagonalRule::Alternate);
        assert!(rule.in_reach(body(1, 1, 1), body(0, 0, 2), 0));
        assert!(!rule.in_reach(body(2, 1, 1), body(0, 0, 2), 4));
        assert_eq!(rule.reached(body(0, 0, 1), 4).count(), 0);
    }

    #[test]
    fn a_negative_reach_reaches_nothing() {
        let rule = grid(DiagonalRule::One);
        assert!(!rule.in_reach(body(0, 0, 1), body(0, 0, 1), -1));
        assert_eq!(rule.reached(body(0, 0, 3), -5).count(), 0);
        assert_eq!(rule.burst(Centre::Square(square(0, 0)), -1).count(), 0);
    }

    #[test]
    fn bursts_have_the_published_number_of_squares() {
        let crossing = |rule, feet| grid(rule).burst(Centre::Crossing(square(3, -2)), feet).count();
        assert_eq!([5, 10, 15, 20].map(|feet| crossing(DiagonalRule::Alternate, feet)), [4, 12, 24, 44]);
        assert_eq!([0, 5, 10].map(|feet| crossing(DiagonalRule::One, feet)), [0, 4, 16]);
        assert_eq!([5, 10].map(|feet| crossing(DiagonalRule::Two, feet)), [4, 12]);
        let round = |rule, feet| grid(rule).burst(Centre::Square(square(3, -2)), feet).count();
        assert_eq!([0, 5, 10].map(|feet| round(DiagonalRule::Alternate, feet)), [1, 9, 21]);
        assert_eq!([0, 5, 10].map(|feet| round(DiagonalRule::Two, feet)), [1, 5, 13]);
    }

    #[test]
    fn a_line_through_corners_goes_on_diagonally() {
        let steps: Vec<Square> = line(square(0, 0), square(2, 2)).collect();
        assert_eq!(steps, [square(0, 0), square(1, 1), square(2, 2)]);
        let steps: Vec<Square> = line(square(0, 0), square(-1, 2)).collect();
        assert_eq!(steps, [square(0, 0), square(0, 1), square(-1, 1), square(-1, 2)]);
        assert_eq!(line(square(4, 4), square(4, 4)).count(), 1);
    }

    #[test]
    fn opposite_sides_and_corners_are_opposite() {
        let wall = body(0, 0, 1);
        assert!(opposite(body(-1, 0, 1), body(1, 0, 1), wall));
        assert!(opposite(body(-1, -1, 1), body(1, 1, 1), wall));
        assert!(opposite(body(0, 2, 1), body(0, -1, 1), wall));
        assert!(!opposite(body(-1, 0, 1), body(1, 1, 1), wall));
        assert!(!opposite(body(-1, 0, 1), body(0, 1, 1), wall));
        assert!(!opposite(body(-1, 1, 1), body(1, 1, 1), wall));
    }

    #[test]
    fn round_a_large_target_a_step_aside_may_still_be_opposite() {
        let wall = body(0, 0, 2);
        assert!(opposite(body(-1, 0, 1), body(2, 1, 1), wall));
        assert!(opposite(body(-1, -1, 1), body(2, 2, 1), wall));
        assert!(!opposite(body(-1, 0, 1), body(0, 2, 1), wall));
        assert!(opposite(body(-2, 0, 2), body(2, 1, 1), wall));
    }

    #[test]
    fn nobody_is_opposite_to_itself_or_from_one_side() {
        let wall = body(0, 0, 1);
        assert!(!opposite(body(-1, 0, 1), body(-1, 0, 1), wall));
        assert!(!opposite(body(-1, 0, 1), body(-3, 0, 1), wall));
        assert!(!opposite(wall, body(1, 0, 1), wall));
    }

    #[test]
    fn a_row_of_squares_is_a_wall_without_chinks() {
        let row: Vec<Body> = (-4..=8).map(|y| body(3, y, 1)).collect();
        assert_eq!(crossed_lines(body(0, 2, 1), body(6, 2, 1), &row), 4);
        let slant: Vec<Body> = (-4..=8).map(|n| body(n, 4 - n, 1)).collect();
        assert_eq!(crossed_lines(body(0, 0, 1), body(4, 4, 1), &slant), 4);
    }

    #[test]
    fn one_post_leaves_a_good_corner_some_lines() {
        assert_eq!(crossed_lines(body(0, 0, 1), body(4, 0, 1), &[]), 0);
        assert_eq!(crossed_lines(body(0, 0, 1), body(4, 0, 1), &[body(2, 0, 1)]), 2);
        assert_eq!(crossed_lines(body(0, 0, 1), body(4, 0, 1), &[body(2, 1, 1)]), 0);
        assert!(centre_line_crossed(body(0, 0, 1), body(4, 0, 1), &[body(2, 0, 1)]));
        assert!(!centre_line_crossed(body(0, 0, 1), body(4, 0, 1), &[body(2, 1, 1), body(5, 0, 1)]));
    }

    #[test]
    fn what_stands_beside_neighbours_is_not_in_their_way() {
        let beside = [body(0, 1, 1), body(1, 1, 1), body(0, -1, 1), body(2, 0, 1), body(1, -1, 1)];
        assert_eq!(crossed_lines(body(0, 0, 1), body(1, 0, 1), &beside[..2]), 0);
        assert_eq!(crossed_lines(body(0, 0, 1), body(1, 0, 1), &beside), 0);
    }

    #[test]
    fn squares_off_the_map_are_refused() {
        assert_eq!(Square::checked(1_000_000, -1_000_000).unwrap(), square(LIMIT, -LIMIT));
        let fault = Square::checked(0, 1_000_001).unwrap_err();
        assert_eq!(fault.to_string(), "the map ends 1000000 squares from its middle, before `1000001` [HR0560]");
        assert!(Square::checked(i64::MIN, 0).is_err());
        assert!(serde_json::from_str::<Square>("[0, 1000001]").is_err());
        assert!(serde_json::from_str::<Square>("[0, 0.5]").is_err());
    }

    #[test]
    fn bodies_without_a_side_are_refused() {
        assert_eq!(Body::checked(0, 0, 0).unwrap_err().code, "HR0561");
        assert!(Body::checked(0, 0, 65_536).is_err());
        assert!(serde_json::from_str::<Body>("[0, 0, -1]").is_err());
        assert_eq!(serde_json::to_string(&body(1, -2, 3)).unwrap(), "[1,-2,3]");
        assert_eq!(serde_json::from_str::<Body>("[1, -2, 3]").unwrap(), body(1, -2, 3));
    }

    #[test]
    fn a_grid_without_feet_or_with_unknown_words_is_refused() {
        let read = |text: &str| toml::from_str::<Grid>(text);
        assert_eq!(read("diagonals = 'one'\nfeet_per_square = 5").unwrap().diagonals, DiagonalRule::One);
        assert!(read("diagonals = 'one'\nfeet_per_square = 0").is_err());
        assert!(read("diagonals = 'three'\nfeet_per_square = 5").is_err());
        assert!(read("diagonals = 'one'\nfeet_per_square = 5\nfeet = 5").is_err());
    }

    #[test]
    fn squares_built_beyond_the_map_count_as_its_edge() {
        let (low, high) = (body(i32::MIN, i32::MIN, 0), body(i32::MAX, i32::MAX, u16::MAX));
        assert_eq!(grid(DiagonalRule::Two).distance(low, high), 4 * LIMIT);
        assert!(!opposite(low, body(0, 0, 1), high));
        assert!(opposite(low, high, body(0, 0, u16::MAX)));
        assert_eq!(line(square(i32::MAX, 0), square(LIMIT, 0)).count(), 1);
        assert_eq!(grid(DiagonalRule::One).reached(high, 5).count(), 3);
        assert_eq!(crossed_lines(low, high, &[body(-9, -9, u16::MAX)]), 4);
        assert!(centre_line_crossed(high, low, &[body(0, 0, u16::MAX)]));
    }

    fn some_square() -> impl Strategy<Value = Square> {
        (-6_i32..=6, -6_i32..=6).prop_map(|(x, y)| square(x, y))
    }

    fn some_body() -> impl Strategy<Value = Body> {
        (some_square(), 1_u16..=3).prop_map(|(corner, side)| Body { corner, side })
    }

    fn mirrored(body: Body) -> Body {
        let Square { x, y } = body.corner;
        Body { corner: square(y, -x - i32::from(body.side) + 1), side: body.side }
    }

    proptest! {
        #[test]
        fn distance_is_the_cheapest_walk(a in some_body(), b in some_body(), rule in 0_usize..3) {
            let rule = RULES[rule];
            let ways = squares_of(a).into_iter().map(|from| walked(from, rule));
            let best = ways.flat_map(|costs| squares_of(b).into_iter().map(move |to| costs[&to])).min().unwrap();
            prop_assert_eq!(grid(rule).distance(a, b), best);
            prop_assert_eq!(grid(rule).distance(b, a), best);
        }

        #[test]
        fn threatened_squares_are_those_in_reach(a in some_body(), reach in 0_i32..20, rule in 0_usize..3) {
            let rule = grid(RULES[rule]);
            let own = squares_of(a);
            let model: Vec<Square> = around(a, 6)
                .filter(|at| !own.contains(at) && rule.in_reach(a, Body::from(*at), reach))
                .collect();
            prop_assert_eq!(rule.reached(a, reach).collect::<Vec<_>>(), model);
        }

        #[test]
        fn a_way_is_the_shortest_walk(a in some_square(), b in some_square(), rule in 0_usize..3) {
            let (mut at, mut cost, mut aslant) = (a, 0, 0);
            for step in way(a, b) {
                let (x, y) = ((step.x - at.x).abs(), (step.y - at.y).abs());
                prop_assert!(x.max(y) == 1, "{at:?} to {step:?}");
                aslant += u32::from(x == y);
                cost += RULES[rule].step(x == y, aslant);
                at = step;
            }
            prop_assert_eq!(at, b);
            prop_assert_eq!(cost, grid(RULES[rule]).distance(Body::from(a), Body::from(b)));
        }

        #[test]
        fn a_line_is_the_squares_it_splits(a in some_square(), b in some_square()) {
            let there: Vec<Square> = line(a, b).collect();
            let mut back: Vec<Square> = line(b, a).collect();
            back.reverse();
            prop_assert_eq!(&there, &back);
            let middle = Segment { from: Body::from(a).centre(), to: Body::from(b).centre() };
            let split = |at: &Square| {
                let sides = Body::from(*at).corners().map(|corner| middle.side(corner));
                sides.iter().any(|side| *side > 0) && sides.iter().any(|side| *side < 0)
            };
            let within = |at: &Square| at.x >= a.x.min(b.x) && at.x <= a.x.max(b.x) && at.y >= a.y.min(b.y) && at.y <= a.y.max(b.y);
            let model: BTreeSet<Square> = around(body(0, 0, 1), 7).filter(|at| within(at) && (split(at) || *at == a)).collect();
            prop_assert_eq!(there.into_iter().collect::<BTreeSet<_>>(), model);
        }

        #[test]
        fn opposite_has_no_order_and_no_direction(a in some_body(), b in some_body(), target in some_body()) {
            let found = opposite(a, b, target);
            prop_assert_eq!(found, opposite(b, a, target));
            prop_assert_eq!(found, opposite(mirrored(a), mirrored(b), mirrored(target)));
        }

        #[test]
        fn opposite_lines_run_through_or_along_the_target(a in some_body(), b in some_body(), target in some_body()) {
            let between = Segment { from: a.centre(), to: b.centre() };
            if opposite(a, b, target) {
                prop_assert!(between.runs_through(target) || between.touch(target).is_some_and(|touch| touch.first < touch.last));
            }
        }

        #[test]
        fn an_obstacle_blocks_as_much_whole_as_in_squares(
            from in some_body(), to in some_body(), obstacles in proptest::collection::vec(some_body(), 0..5),
        ) {
            let crumbs: Vec<Body> = obstacles.iter().flat_map(|whole| squares_of(*whole)).map(Body::from).collect();
            let found = crossed_lines(from, to, &obstacles);
            prop_assert_eq!(found, crossed_lines(from, to, &crumbs));
            prop_assert_eq!(centre_line_crossed(from, to, &obstacles), centre_line_crossed(to, from, &crumbs));
            let turned: Vec<Body> = obstacles.iter().map(|whole| mirrored(*whole)).collect();
            prop_assert_eq!(found, crossed_lines(mirrored(from), mirrored(to), &turned));
            let fewer = obstacles.get(1..).unwrap_or(&[]);
            prop_assert!(found >= crossed_lines(from, to, fewer));
        }
    }
}
