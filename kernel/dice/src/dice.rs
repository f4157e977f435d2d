//! What one dice term means: its bounds, its throw, and the record of every face.
//!
//! Suffixes apply in one fixed order, however they are spelled:
//!
//! 1. the whole first throw is drawn, left to right;
//! 2. each face, in the order in which it was drawn, is looked at once:
//!    if it meets `r` or `ro` it is taken away and one new face is drawn
//!    (with `ro`, a face that came by a reroll stays); if not, and it meets `!`,
//!    it stays and one new face is drawn. New faces join the end of the line
//!    and are looked at in their turn. After [`MAX_EXTRA`] new faces the rest
//!    stay as they are, and the roll says [`Roll::capped`];
//! 3. `min` and `max` bound what each remaining face counts for;
//! 4. `dh`, `dl`, `kh`, `kl`, in this order, each of what the one before it
//!    left; of equals the die drawn last goes first;
//! 5. `cs` and `cf` count the kept dice that meet them, the first less the
//!    second; without them the kept values are added up.
//!
//! Rerolls and explosions look at faces as shown, `cs` and `cf` at values.

use crate::expression::{FaceFilter, Suffix, SuffixKind};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::fmt;

/// Most dice thrown in one evaluation, extra dice apart.
pub const MAX_DICE: i64 = 1_000;
/// Most sides of a die.
pub const MAX_SIDES: i64 = 1_000_000;
/// Most dice that rerolls and explosions add to one term.
pub const MAX_EXTRA: u32 = 100;

/// The record of one evaluation, to be used again and again: with eight dice
/// or fewer it never allocates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll {
    /// The result.
    pub total: i32,
    /// Every face, in the order drawn.
    pub faces: SmallVec<[Face; 8]>,
    /// The terms of the outermost sum if any is labelled, neighbours without
    /// label taken together; else one part without label. They add up to the total.
    pub parts: SmallVec<[RollPart; 2]>,
    /// Whether a term met [`MAX_EXTRA`].
    pub capped: bool,
}

/// One face that was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Face {
    /// Which dice term of the expression, in the order written, from 0.
    pub term: u8,
    /// Whether it counts.
    pub fate: FaceStatus,
    /// How it came to the table.
    pub origin: FaceOrigin,
    /// Whether it brought another die.
    pub exploded: bool,
    /// Sides of the die; 3 for `dF`.
    pub sides: u32,
    /// As shown: 1 to sides, or -1 to 1 for `dF`.
    pub face: i32,
    /// What it counts for, after `min` and `max`.
    pub value: i32,
}

/// Whether a face counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FaceStatus {
    /// It counts.
    Kept,
    /// A keep or drop suffix took it away.
    Dropped,
    /// Another die was thrown in its stead.
    Rerolled,
}

/// How a face came to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FaceOrigin {
    /// By the first throw.
    Throw,
    /// In the stead of another.
    Reroll,
    /// Brought by another.
    Explosion,
}

/// What one labelled term came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollPart {
    /// Its label, by the number the vocabulary gave.
    pub label: Option<u16>,
    /// Its signed amount.
    pub amount: i32,
}

impl Roll {
    /// Forgets everything but the room it takes.
    pub fn clear(&mut self) {
        self.total = 0;
        self.faces.clear();
        self.parts.clear();
        self.capped = false;
    }

    /// The value of the one kept die of the first term that was rolled, if
    /// exactly one was kept. Dropped and rerolled faces never count.
    #[must_use]
    pub fn natural(&self) -> Option<i32> {
        let first = self.faces.first()?.term;
        let mut kept = self.faces.iter().filter(|face| face.term == first && face.fate == FaceStatus::Kept);
        match (kept.next(), kept.next()) {
            (Some(only), None) => Some(only.value),
            _ => None,
        }
    }
}

/// Why a dice term cannot be thrown. Known before anything is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidTerm {
    /// Fewer than no dice.
    NegativeCount(i64),
    /// More than [`MAX_DICE`], with all dice thrown before.
    TooManyDice(i64),
    /// Fewer than one side, or more than [`MAX_SIDES`].
    NoSuchDie(i64),
    /// Every face is rerolled or explodes.
    Endless,
}

impl InvalidTerm {
    /// The code of the fault this is while a rule runs: `HR0503` to `HR0506`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            InvalidTerm::NegativeCount(_) => "HR0503",
            InvalidTerm::TooManyDice(_) => "HR0504",
            InvalidTerm::NoSuchDie(_) => "HR0505",
            InvalidTerm::Endless => "HR0506",
        }
    }
}

impl fmt::Display for InvalidTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidTerm::NegativeCount(count) => write!(f, "`{count}` dice cannot be thrown; the least is 0"),
            InvalidTerm::TooManyDice(count) => {
                write!(f, "`{count}` dice are too many; {MAX_DICE} are the most at once")
            }
            InvalidTerm::NoSuchDie(sides) => {
                write!(f, "a die cannot have `{sides}` sides; 1 to {MAX_SIDES} are possible")
            }
            InvalidTerm::Endless => f.write_str("the dice never come to rest: every face is rerolled or explodes"),
        }
    }
}

/// The number of dice a term may throw when `thrown` have been thrown before.
///
/// # Errors
/// If it is negative, or too many with those.
#[inline]
pub fn count(count: i64, thrown: i64) -> Result<u32, InvalidTerm> {
    if count < 0 {
        return Err(InvalidTerm::NegativeCount(count));
    }
    let all = count.saturating_add(thrown);
    if all > MAX_DICE { Err(InvalidTerm::TooManyDice(all)) } else { Ok(u32::try_from(count).unwrap_or(u32::MAX)) }
}

/// What the suffixes of one dice term ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TermRules {
    fudge: bool,
    /// No suffix at all.
    plain: bool,
    reroll: Option<FaceFilter>,
    reroll_once: bool,
    explode: Option<Explosion>,
    min: Option<i32>,
    max: Option<i32>,
    drop_highest: Option<u32>,
    drop_lowest: Option<u32>,
    keep_highest: Option<u32>,
    keep_lowest: Option<u32>,
    successes: Option<FaceFilter>,
    failures: Option<FaceFilter>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Explosion {
    OnHighest,
    On(FaceFilter),
}

/// The dice of one term, ready to be thrown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermRoll {
    /// Which dice term of the expression.
    pub term: u8,
    /// How many; within [`MAX_DICE`].
    pub count: u32,
    /// Sides of each; within [`MAX_SIDES`].
    pub sides: u32,
}

impl TermRules {
    /// The rules that the suffixes of one term make; with `fudge` three sides
    /// show -1, 0 and 1.
    #[must_use]
    pub fn new(suffixes: &[Suffix], fudge: bool) -> TermRules {
        let mut rules = TermRules { fudge, plain: suffixes.is_empty(), ..TermRules::default() };
        suffixes.iter().for_each(|suffix| rules.add(suffix.kind));
        rules
    }

    fn add(&mut self, kind: SuffixKind) {
        match kind {
            SuffixKind::Reroll { once, when } => (self.reroll, self.reroll_once) = (Some(when), once),
            SuffixKind::Explode(None) => self.explode = Some(Explosion::OnHighest),
            SuffixKind::Explode(Some(when)) => self.explode = Some(Explosion::On(when)),
            SuffixKind::Min(min) => self.min = Some(min),
            SuffixKind::Max(max) => self.max = Some(max),
            SuffixKind::DropHighest(count) => self.drop_highest = Some(count),
            SuffixKind::DropLowest(count) => self.drop_lowest = Some(count),
            SuffixKind::KeepHighest(count) => self.keep_highest = Some(count),
            SuffixKind::KeepLowest(count) => self.keep_lowest = Some(count),
            SuffixKind::Successes(when) => self.successes = Some(when),
            SuffixKind::Failures(when) => self.failures = Some(when),
        }
    }

    /// The number of sides a die of this term may have.
    ///
    /// # Errors
    /// If it is out of bounds, or such dice would never come to rest.
    #[inline]
    pub fn sides(&self, sides: i64) -> Result<u32, InvalidTerm> {
        match u32::try_from(sides) {
            Ok(possible) if (1..=MAX_SIDES).contains(&sides) => self.restful(possible),
            _ => Err(InvalidTerm::NoSuchDie(sides)),
        }
    }

    /// Whether some face comes to rest. The conditions change their answer only
    /// next to their numbers, so the faces there and at both ends stand for all.
    fn restful(&self, sides: u32) -> Result<u32, InvalidTerm> {
        if self.reroll.is_none() && self.explode.is_none() {
            return Ok(sides);
        }
        let (low, high) = (self.shown(1), self.shown(sides));
        let numbers = [self.reroll, if let Some(Explosion::On(when)) = self.explode { Some(when) } else { None }];
        let near = |when: FaceFilter| [when.number.saturating_sub(1), when.number, when.number.saturating_add(1)];
        let telling = numbers.into_iter().flatten().flat_map(near).chain([low, high, high.saturating_sub(1)]);
        let rests = |face: i32| !self.always_rerolls(face) && !self.explodes(face, sides);
        let comes_to_rest = telling.filter(|face| (low..=high).contains(face)).any(rests);
        if comes_to_rest { Ok(sides) } else { Err(InvalidTerm::Endless) }
    }

    /// Throws the dice, adds their faces to the roll and gives the term's value.
    /// `draw` gives a face from 1 to the given number of sides.
    ///
    /// # Errors
    /// Those of `draw`; the roll then holds what was drawn before.
    #[inline]
    pub fn throw<E>(
        &self,
        toss: TermRoll,
        roll: &mut Roll,
        mut draw: impl FnMut(u32) -> Result<u32, E>,
    ) -> Result<i64, E> {
        let first = roll.faces.len();
        let mut sum = 0;
        for _ in 0..toss.count {
            let face = self.face(toss, draw(toss.sides)?, FaceOrigin::Throw);
            sum += i64::from(face.value);
            roll.faces.push(face);
        }
        if self.plain { Ok(sum) } else { self.refine(toss, first, roll, draw) }
    }

    fn refine<E>(
        &self,
        toss: TermRoll,
        first: usize,
        roll: &mut Roll,
        draw: impl FnMut(u32) -> Result<u32, E>,
    ) -> Result<i64, E> {
        if self.reroll.is_some() || self.explode.is_some() {
            self.extend(toss, first, roll, draw)?;
        }
        let pool = roll.faces.get_mut(first..).unwrap_or_default();
        self.bound(pool);
        self.sift(pool);
        Ok(self.worth(pool))
    }

    /// Rerolls and explodes, face after face in the order drawn.
    fn extend<E>(
        &self,
        toss: TermRoll,
        first: usize,
        roll: &mut Roll,
        mut draw: impl FnMut(u32) -> Result<u32, E>,
    ) -> Result<(), E> {
        let (mut at, mut extra) = (first, 0);
        while let Some(face) = roll.faces.get_mut(at) {
            let Some(origin) = self.demands(*face) else {
                at += 1;
                continue;
            };
            if extra == MAX_EXTRA {
                roll.capped = true;
                return Ok(());
            }
            let drawn = draw(toss.sides)?;
            match origin {
                FaceOrigin::Reroll => face.fate = FaceStatus::Rerolled,
                _ => face.exploded = true,
            }
            roll.faces.push(self.face(toss, drawn, origin));
            extra += 1;
            at += 1;
        }
        Ok(())
    }

    /// What kind of new die a face demands, if any.
    fn demands(&self, face: Face) -> Option<FaceOrigin> {
        let spent = self.reroll_once && face.origin == FaceOrigin::Reroll;
        if !spent && self.reroll.is_some_and(|when| when.holds(face.face)) {
            return Some(FaceOrigin::Reroll);
        }
        self.explodes(face.face, face.sides).then_some(FaceOrigin::Explosion)
    }

    fn always_rerolls(&self, face: i32) -> bool {
        !self.reroll_once && self.reroll.is_some_and(|when| when.holds(face))
    }

    fn explodes(&self, face: i32, sides: u32) -> bool {
        match self.explode {
            None => false,
            Some(Explosion::OnHighest) => face == self.shown(sides),
            Some(Explosion::On(when)) => when.holds(face),
        }
    }

    #[inline]
    fn shown(&self, drawn: u32) -> i32 {
        let face = i32::try_from(drawn).unwrap_or(i32::MAX);
        if self.fudge { face - 2 } else { face }
    }

    #[inline]
    fn face(&self, toss: TermRoll, drawn: u32, origin: FaceOrigin) -> Face {
        let face = self.shown(drawn);
        Face { term: toss.term, fate: FaceStatus::Kept, origin, exploded: false, sides: toss.sides, face, value: face }
    }

    fn bound(&self, pool: &mut [Face]) {
        if let Some(min) = self.min {
            pool.iter_mut().for_each(|face| face.value = face.value.max(min));
        }
        if let Some(max) = self.max {
            pool.iter_mut().for_each(|face| face.value = face.value.min(max));
        }
    }

    fn sift(&self, pool: &mut [Face]) {
        if let Some(count) = self.drop_highest {
            drop_worst(pool, count, |face| -i64::from(face.value));
        }
        if let Some(count) = self.drop_lowest {
            drop_worst(pool, count, |face| i64::from(face.value));
        }
        if let Some(count) = self.keep_highest {
            drop_worst(pool, kept(pool).saturating_sub(count), |face| i64::from(face.value));
        }
        if let Some(count) = self.keep_lowest {
            drop_worst(pool, kept(pool).saturating_sub(count), |face| -i64::from(face.value));
        }
    }

    fn worth(&self, pool: &[Face]) -> i64 {
        let values = || pool.iter().filter(|face| face.fate == FaceStatus::Kept).map(|face| face.value);
        if self.successes.is_none() && self.failures.is_none() {
            return values().map(i64::from).sum();
        }
        let meets = |when: Option<FaceFilter>, value: i32| i64::from(when.is_some_and(|when| when.holds(value)));
        values().map(|value| meets(self.successes, value) - meets(self.failures, value)).sum()
    }
}

fn kept(pool: &[Face]) -> u32 {
    let kept = pool.iter().filter(|face| face.fate == FaceStatus::Kept).count();
    u32::try_from(kept).unwrap_or(u32::MAX)
}

/// Drops `count` of the kept faces, those of least `worth` first, and of
/// equals the last.
fn drop_worst(pool: &mut [Face], count: u32, worth: impl Fn(&Face) -> i64) {
    for _ in 0..count {
        let standing = pool.iter_mut().rev().filter(|face| face.fate == FaceStatus::Kept);
        let Some(worst) = standing.min_by_key(|face| worth(face)) else { return };
        worst.fate = FaceStatus::Dropped;
    }
}

#[cfg(test)]
mod tests;
