//! Exact chances: fractions of whole numbers.

use std::fmt;

/// A chance between 0 and 1, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    /// So many.
    pub ways: u128,
    /// Out of so many.
    pub of: u128,
}

impl Chance {
    /// That which never happens.
    pub const NEVER: Chance = Chance { ways: 0, of: 1 };
    /// That which always happens.
    pub const ALWAYS: Chance = Chance { ways: 1, of: 1 };

    /// The chance of one in so many, or less by that if it is one of several
    /// things that must all happen. `None` beyond the range of numbers.
    #[must_use]
    pub fn and_one_in(self, sides: u32) -> Option<Chance> {
        Some(Chance { ways: self.ways, of: self.of.checked_mul(u128::from(sides.max(1)))? }.lowest())
    }

    /// The chance of either of two things that never happen together.
    #[must_use]
    pub fn or(self, other: Chance) -> Option<Chance> {
        let shared = gcd(self.of, other.of);
        let of = self.of.checked_mul(other.of / shared)?;
        let ways = self.ways.checked_mul(of / self.of)?.checked_add(other.ways.checked_mul(of / other.of)?)?;
        Some(Chance { ways, of }.lowest())
    }

    fn lowest(self) -> Chance {
        let shared = gcd(self.ways, self.of).max(1);
        Chance { ways: self.ways / shared, of: self.of / shared }
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.ways, self.of)
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_in_lowest_terms() {
        let one_of_six = Chance::ALWAYS.and_one_in(6).unwrap();
        let half = (0..3).fold(Chance::NEVER, |sum, _| sum.or(one_of_six).unwrap());
        assert_eq!(half, Chance { ways: 1, of: 2 });
        assert_eq!(half.to_string(), "1/2");
    }

    #[test]
    fn what_cannot_be_counted_is_told() {
        let small = (0..5).try_fold(Chance::ALWAYS, |chance, _| chance.and_one_in(u32::MAX));
        assert_eq!(small, None);
    }
}
