//! What crosses the border between rules and scripts: whole numbers, yes or no, short names, and entities.

use houserule_kernel::script::Scalar;

/// Bytes of the longest name that a script may hand over.
pub const LONGEST_NAME: usize = 128;
/// Bytes of the longest expression or text that a script may hand over.
pub const LONGEST_TEXT: usize = 1_000;

/// A value that a rule cannot use, with the sentence that refuses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionError {
    /// A fraction, a number beyond 32 bits, a name that is too long.
    Range(String),
    /// A value of another kind than is wanted.
    Kind(String),
}

impl ConversionError {
    /// The stable code of the fault it becomes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ConversionError::Range(_) => "HR0403",
            ConversionError::Kind(_) => "HR0402",
        }
    }

    /// The sentence for the rule-writer.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            ConversionError::Range(message) | ConversionError::Kind(message) => message,
        }
    }
}

/// A whole number that came as an integer.
pub(crate) fn whole(number: impl TryInto<i32> + Copy + std::fmt::Display) -> Result<Scalar, ConversionError> {
    number.try_into().map(Scalar::Number).map_err(|_| beyond(number))
}

/// A whole number that came as a fraction type.
#[cfg(any(feature = "luau", feature = "lua54"))]
pub(crate) fn whole_of_float(number: f64) -> Result<Scalar, ConversionError> {
    #[expect(clippy::cast_possible_truncation, reason = "saturates, and the comparison below catches what it changed")]
    let near = number as i32;
    if f64::from(near) == number {
        return Ok(Scalar::Number(near));
    }
    let fraction = number.is_finite() && number.abs() <= f64::from(i32::MAX);
    Err(if fraction {
        let way_out = "round it with `math.div_floor`, `math.floor` or `math.ceil`";
        ConversionError::Range(format!("`{number}` is not a whole number; {way_out}"))
    } else if number.is_finite() {
        beyond(number)
    } else {
        ConversionError::Range("the result is no number; look for a division by zero".to_owned())
    })
}

/// A name.
pub(crate) fn name(text: &str, longest: usize) -> Result<Scalar, ConversionError> {
    if text.len() > longest {
        return Err(too_long(text.len(), longest));
    }
    Ok(Scalar::Name(text.into()))
}

/// The refusal of a text of so many bytes.
pub(crate) fn too_long(length: usize, longest: usize) -> ConversionError {
    ConversionError::Range(format!("a text of {length} bytes is too long; here it has at most {longest}"))
}

/// What a scalar is called in sentences.
pub(crate) fn described(value: &Scalar) -> &'static str {
    match value {
        Scalar::Nothing => "nothing",
        Scalar::Number(_) => "a number",
        Scalar::YesNo(_) => "a yes or no",
        Scalar::Name(_) => "a string",
        Scalar::Entity(_) => "an entity",
    }
}

/// The refusal of a value of a type that cannot cross.
pub(crate) fn wrong_type(what: &str) -> ConversionError {
    ConversionError::Range(format!("a hook returns numbers, yes or no, names and entities, not a {what}"))
}

/// The refusal of more results than `writes` names.
pub(crate) fn too_many(got: usize, writes: usize) -> ConversionError {
    let way_out = "return one value for each name";
    ConversionError::Range(format!("the hook returns {got} values, but its `writes` names {writes}; {way_out}"))
}

fn beyond(number: impl std::fmt::Display) -> ConversionError {
    ConversionError::Range(format!("`{number}` is beyond the numbers of rules, {} to {}", i32::MIN, i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_border_is_exactly_thirty_two_bits() {
        assert_eq!(whole(2_147_483_647_i64), Ok(Scalar::Number(i32::MAX)));
        assert!(whole(2_147_483_648_i64).unwrap_err().message().contains("`2147483648` is beyond"));
        assert!(whole(i64::MIN).is_err());
    }

    #[cfg(any(feature = "luau", feature = "lua54"))]
    #[test]
    fn fractions_and_no_numbers_are_refused_with_a_way_out() {
        assert_eq!(whole_of_float(-2_147_483_648.0), Ok(Scalar::Number(i32::MIN)));
        assert!(whole_of_float(3.5).unwrap_err().message().contains("div_floor"));
        assert!(whole_of_float(f64::NAN).unwrap_err().message().contains("division by zero"));
        assert!(whole_of_float(2_147_483_648.0).unwrap_err().message().contains("beyond"));
    }

    #[test]
    fn a_long_name_is_refused() {
        assert!(name(&"x".repeat(129), LONGEST_NAME).unwrap_err().message().contains("129 bytes"));
    }
}
