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

/// One of the eight ways that lead from a square to the next, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    right: i32,
    up: i32,
}

impl Direction {
    /// Nowhere.
    pub const NONE: Direction = Direction { right: 0, up: 0 };
    /// Upwards first, then clockwise.
    const ALL: [Direction; 8] = [
        Direction { right: 0, up: 1 },
        Direction { right: 1, up: 1 },
        Direction { right: 1, up: 0 },
        Direction { right: 1, up: -1 },
        Direction { right: 0, up: -1 },
        Direction { right: -1, up: -1 },
        Direction { right: -1, up: 0 },
        Direction { right: -1, up: 1 },
    ];

    /// The way with a number: 1 is up, the others follow clockwise to 8; 0 is none.
    ///
    /// # Errors
    /// `HR0562` for any other number.
    pub fn numbered(number: i32) -> Result<Direction, Fault> {
        let wrong =
            || Fault::new("HR0562", format!("a way is a number from 1 to 8, clockwise from up, not `{number}`"));
        let at = usize::try_from(number).map_err(|_| wrong())?;
        at.checked_sub(1).map_or(Some(&Direction::NONE), |at| Direction::ALL.get(at)).copied().ok_or_else(wrong)
    }

    /// The number of the way; 0 for none.
    #[must_use]
    pub fn number(self) -> i32 {
        (1..).zip(Direction::ALL).find(|(_, way)| *way == self).map_or(0, |(number, _)| number)
    }

    /// Whether it leads aslant.
    #[must_use]
    pub fn is_diagonal(self) -> bool {
        self.right != 0 && self.up != 0
    }

    /// The way back.
    #[must_use]
    pub fn back(self) -> Direction {
        Direction { right: -self.right, up: -self.up }
    }
}

impl Square {
    /// The way that leads from here toward another square.
    #[must_use]
    pub fn way_to(self, other: Square) -> Direction {
        Direction { right: (other.x - self.x).signum(), up: (other.y - self.y).signum() }
    }

    /// The next square on a way.
    ///
    /// # Errors
    /// `HR0560` at the edge of the map.
    pub fn next(self, way: Direction) -> Result<Square, Fault> {
        Square::checked(i64::from(self.x) + i64::from(way.right), i64::from(self.y) + i64::from(way.up))
    }
}

/// The space that something fills; saved as `[x, y, side]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "(i64, i64, i64)", into = "(i64, i64, i64)")]
pub struct Footprint {
    /// The lowest, leftmost square.
    pub corner: Square,
    /// Length of a side in squares, at least 1.
    pub side: u16,
}

impl Footprint {
    /// The body of `side` squares whose lowest, leftmost square is (`x`, `y`).
    ///
    /// # Errors
    /// `HR0560` if the corner is off the map, `HR0561` if the side is not from 1 to 65535.
    pub fn checked(x: i64, y: i64, side: i64) -> Result<Footprint, Fault> {
        let wrong = || Fault::new("HR0561", format!("a body is 1 to {} squares wide, not `{side}`", u16::MAX));
        let side = u16::try_from(side).ok().filter(|side| *side > 0).ok_or_else(wrong)?;
        Ok(Footprint { corner: Square::checked(x, y)?, side })
    }

    /// First and last column, first and last row.
    fn stretches(self) -> [(i32, i32); 2] {
        let Square { x, y } = self.corner.on_map();
        let more = i32::from(self.side.max(1)) - 1;
        [(x, x + more), (y, y + more)]
    }

    /// Lowest and highest corner.
    fn extent(self) -> (PlanePoint, PlanePoint) {
        let [(left, right), (bottom, top)] =
            self.stretches().map(|(low, high)| (2 * i64::from(low), 2 * i64::from(high) + 2));
        (PlanePoint { x: left, y: bottom }, PlanePoint { x: right, y: top })
    }

    fn corners(self) -> [PlanePoint; 4] {
        let (low, high) = self.extent();
        [low, PlanePoint { x: high.x, y: low.y }, PlanePoint { x: low.x, y: high.y }, high]
    }

    fn centre(self) -> PlanePoint {
        let (low, high) = self.extent();
        // The corners are even, so the halves are exact.
        PlanePoint { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2 }
    }
}

impl From<Square> for Footprint {
    fn from(corner: Square) -> Footprint {
        Footprint { corner, side: 1 }
    }
}

impl TryFrom<(i64, i64, i64)> for Footprint {
    type Error = Fault;

    fn try_from((x, y, side): (i64, i64, i64)) -> Result<Footprint, Fault> {
        Footprint::checked(x, y, side)
    }
}

impl From<Footprint> for (i64, i64, i64) {
    fn from(body: Footprint) -> (i64, i64, i64) {
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
    pub fn distance(self, a: Footprint, b: Footprint) -> i32 {
        let [x, y] = gaps(a, b);
        self.diagonals.count(x, y)
    }

    /// The same in feet.
    #[must_use]
    pub fn feet_between(self, a: Footprint, b: Footprint) -> i32 {
        self.distance(a, b).saturating_mul(i32::from(self.feet_per_square.get()))
    }

    /// Whether a body that reaches `reach` feet reaches another. A reach below
    /// one square needs a shared square; a negative one reaches nothing.
    #[must_use]
    pub fn in_reach(self, attacker: Footprint, target: Footprint, reach: i32) -> bool {
        let [x, y] = gaps(attacker, target);
        let two = 2 * i32::from(self.feet_per_square.get());
        let rule = if self.two_takes_corners && reach == two { DiagonalRule::One } else { self.diagonals };
        rule.count(x, y) <= self.squares(reach)
    }

    /// The squares outside a body's own space within `reach` feet of it, in
    /// rising order. None for a reach below one square.
    pub fn reached(self, body: Footprint, reach: i32) -> impl Iterator<Item = Square> {
        around(body, self.squares(reach))
            .filter(move |square| gaps(body, Footprint::from(*square)) != [0, 0])
            .filter(move |square| self.in_reach(body, Footprint::from(*square), reach))
    }

    /// The squares within `radius` feet of a centre, in rising order. From a
    /// crossing the first square counts one whatever diagonals count, and by
    /// turns it is the first diagonal (so 10 feet of 5-foot squares are twelve squares).
    pub fn burst(self, centre: Centre, radius: i32) -> impl Iterator<Item = Square> {
        let (Centre::Crossing(middle) | Centre::Square(middle)) = centre;
        let (middle, squares) = (middle.on_map(), self.squares(radius));
        around(Footprint::from(middle), squares).filter(move |square| {
            let (x, y) = (square.x - middle.x, square.y - middle.y);
            squares
                >= match centre {
                    Centre::Square(_) => self.diagonals.count(x.abs(), y.abs()),
                    Centre::Crossing(_) => self.past_crossing(beside(x), beside(y)),
                }
        })
    }

    /// Whether a burst catches a body: told by the squares of it that are nearest,
    /// however large the burst is.
    #[must_use]
    pub fn burst_catches(self, centre: Centre, radius: i32, body: Footprint) -> bool {
        let (Centre::Crossing(middle) | Centre::Square(middle)) = centre;
        let (middle, squares) = (middle.on_map(), self.squares(radius));
        let [columns, rows] = body.stretches();
        let nearest = |(low, high): (i32, i32), at: i32| at.clamp(low, high) - at;
        let (x, y) = (nearest(columns, middle.x), nearest(rows, middle.y));
        squares
            >= match centre {
                Centre::Square(_) => self.diagonals.count(x.abs(), y.abs()),
                Centre::Crossing(_) => self.past_crossing(beside(x), beside(y)),
            }
    }

    /// The squares of a quarter circle of `radius` feet that a body sends toward
    /// a square, in rising order: those less than half a right angle off the line
    /// between the centres.
    pub fn cone(self, from: Footprint, toward: Square, radius: i32) -> impl Iterator<Item = Square> {
        let (start, aim) = (from.centre(), Footprint::from(toward.on_map()).centre());
        self.reached(from, radius).filter(move |square| {
            let centre = Footprint::from(*square).centre();
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
fn gaps(a: Footprint, b: Footprint) -> [i32; 2] {
    let ([ax, ay], [bx, by]) = (a.stretches(), b.stretches());
    [(ax, bx), (ay, by)].map(|(a, b)| (b.0 - a.1).max(a.0 - b.1).max(0))
}

/// How many squares beside a grid line a column lies, 1 for the first on either side.
fn beside(offset: i32) -> i32 {
    if offset < 0 { -offset } else { offset + 1 }
}

/// The squares of a body and of `more` squares round it, as far as the map goes.
fn around(body: Footprint, more: i32) -> impl Iterator<Item = Square> {
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
pub fn opposite(a: Footprint, b: Footprint, target: Footprint) -> bool {
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
pub fn crossed_lines(from: Footprint, to: Footprint, obstacles: &[Footprint]) -> u8 {
    let crossed = |start: PlanePoint| -> u8 {
        to.corners().map(|end| u8::from(Segment { from: start, to: end }.is_crossed(obstacles))).iter().sum()
    };
    from.corners().map(crossed).into_iter().min().unwrap_or(0)
}

/// Whether an obstacle crosses the line between the centres of two bodies, in
/// the sense of [`crossed_lines`].
#[must_use]
pub fn centre_line_crossed(from: Footprint, to: Footprint, obstacles: &[Footprint]) -> bool {
    Segment { from: from.centre(), to: to.centre() }.is_crossed(obstacles)
}

/// A point in half squares; on the map each coordinate stays below 2^22, and
/// products of two differences below 2^48.
#[derive(Clone, Copy, Debug)]
struct PlanePoint {
    x: i64,
    y: i64,
}

impl PlanePoint {
    fn turned(self) -> PlanePoint {
        PlanePoint { x: self.y, y: self.x }
    }
}

/// A straight line between two points.
#[derive(Clone, Copy, Debug)]
struct Segment {
    from: PlanePoint,
    to: PlanePoint,
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
    fn side(self, point: PlanePoint) -> i64 {
        (self.to.x - self.from.x) * (point.y - self.from.y) - (self.to.y - self.from.y) * (point.x - self.from.x)
    }

    /// How far along the line a point lies: 0 at its start.
    fn along(self, point: PlanePoint) -> i64 {
        (self.to.x - self.from.x) * (point.x - self.from.x) + (self.to.y - self.from.y) * (point.y - self.from.y)
    }

    /// Whether it passes through the left and the right border of a box, ends of the borders included.
    fn enters_and_leaves(self, low: PlanePoint, high: PlanePoint) -> bool {
        let (from, to) = if self.from.x <= self.to.x { (self.from, self.to) } else { (self.to, self.from) };
        let (run, rise) = (to.x - from.x, to.y - from.y);
        let meets_border = |x: i64| {
            let height = from.y * run + (x - from.x) * rise;
            (low.y * run..=high.y * run).contains(&height)
        };
        from.x <= low.x && to.x >= high.x && meets_border(low.x) && meets_border(high.x)
    }

    fn is_crossed(self, obstacles: &[Footprint]) -> bool {
        let touches = || obstacles.iter().filter_map(|obstacle| self.touch(*obstacle));
        obstacles.iter().any(|obstacle| self.runs_through(*obstacle))
            || touches()
                .any(|left| left.side > 0 && touches().any(|right| right.side < 0 && self.closes(&left, &right)))
    }

    /// Whether it has a point inside the body, borders not counted: neither
    /// a column, nor a row, nor the line itself lies between them.
    fn runs_through(self, body: Footprint) -> bool {
        let (low, high) = body.extent();
        let overlap = |a: i64, b: i64, low: i64, high: i64| a.max(b) > low && a.min(b) < high;
        let sides = body.corners().map(|corner| self.side(corner).signum());
        sides.contains(&1)
            && sides.contains(&-1)
            && overlap(self.from.x, self.to.x, low.x, high.x)
            && overlap(self.from.y, self.to.y, low.y, high.y)
    }

    /// Where the line touches a corner or border of the body.
    fn touch(self, body: Footprint) -> Option<Touch> {
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
mod tests;
