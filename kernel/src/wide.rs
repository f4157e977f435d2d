//! 64-bit numbers as text, for hosts whose numbers are doubles.

use serde::{Deserialize, Deserializer, Serializer, de::Error};
use std::fmt::Display;
use std::str::FromStr;

/// Writes a number as text.
///
/// # Errors
/// As the writer does.
pub fn serialize<T: Display, S: Serializer>(number: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(number)
}

/// Reads a number from text.
///
/// # Errors
/// If the text is no such number.
pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map_err(|_| D::Error::custom(format!("`{text}` is not a number")))
}
