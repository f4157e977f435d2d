//! What crosses the border between rules and scripts: whole numbers, yes or no, and short names.

use smallvec::SmallVec;

/// One value on its way into or out of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scalar {
    /// Nothing: a hook that returns it changes nothing.
    #[default]
    Nothing,
    /// A rules value.
    Number(i32),
    /// Yes or no.
    Truth(bool),
    /// A name, such as a degree or a tag; at most [`LONGEST_NAME`] bytes on the way out.
    Name(Box<str>),
}

/// A few scalars.
pub type Scalars = SmallVec<[Scalar; 4]>;

/// Bytes of the longest name that a script may hand back.
pub const LONGEST_NAME: usize = 128;

impl From<i32> for Scalar {
    fn from(number: i32) -> Self {
        Scalar::Number(number)
    }
}

impl From<bool> for Scalar {
    fn from(truth: bool) -> Self {
        Scalar::Truth(truth)
    }
}

impl From<&str> for Scalar {
    fn from(name: &str) -> Self {
        Scalar::Name(name.into())
    }
}

/// A whole number that came as an integer, or the sentence that refuses it.
pub(crate) fn whole(number: i64) -> Result<Scalar, String> {
    i32::try_from(number).map(Scalar::Number).map_err(|_| beyond(number))
}

/// A whole number that came as a fraction type, or the sentence that refuses it.
#[cfg(any(feature = "luau", feature = "lua54"))]
pub(crate) fn whole_of_float(number: f64) -> Result<Scalar, String> {
    #[expect(clippy::cast_possible_truncation, reason = "saturates, and the comparison below catches what it changed")]
    let near = number as i32;
    if f64::from(near) == number {
        return Ok(Scalar::Number(near));
    }
    let fraction = number.is_finite() && number.abs() <= f64::from(i32::MAX);
    Err(if fraction {
        format!("`{number}` is not a whole number; round it with `math.div_floor`, `math.floor` or `math.ceil`")
    } else if number.is_finite() {
        beyond(number)
    } else {
        "the result is no number; look for a division by zero".to_owned()
    })
}

/// A name, or the sentence that refuses it.
pub(crate) fn name(text: &str) -> Result<Scalar, String> {
    if text.len() > LONGEST_NAME {
        return Err(format!("a name of {} bytes is too long; a name has at most {LONGEST_NAME}", text.len()));
    }
    Ok(Scalar::Name(text.into()))
}

/// The sentence for a value of a type that cannot cross.
pub(crate) fn wrong_type(what: &str) -> String {
    format!("a hook returns numbers, yes or no, and names, not a {what}")
}

/// The sentence for more results than `writes` names.
pub(crate) fn too_many(got: usize, writes: usize) -> String {
    format!("the hook returns {got} values, but its `writes` names {writes}; return one value for each name")
}

fn beyond(number: impl std::fmt::Display) -> String {
    format!("`{number}` is beyond the numbers of rules, {} to {}", i32::MIN, i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_border_is_exactly_thirty_two_bits() {
        assert_eq!(whole(2_147_483_647), Ok(Scalar::Number(i32::MAX)));
        assert!(whole(2_147_483_648).unwrap_err().contains("`2147483648` is beyond"));
        assert!(whole(i64::MIN).is_err());
    }

    #[cfg(any(feature = "luau", feature = "lua54"))]
    #[test]
    fn fractions_and_no_numbers_are_refused_with_a_way_out() {
        assert_eq!(whole_of_float(-2_147_483_648.0), Ok(Scalar::Number(i32::MIN)));
        assert!(whole_of_float(3.5).unwrap_err().contains("div_floor"));
        assert!(whole_of_float(f64::NAN).unwrap_err().contains("division by zero"));
        assert!(whole_of_float(2_147_483_648.0).unwrap_err().contains("beyond"));
    }

    #[test]
    fn a_long_name_is_refused() {
        assert!(name(&"x".repeat(129)).unwrap_err().contains("129 bytes"));
    }
}
