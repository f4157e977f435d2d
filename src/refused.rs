//! Refusals, said in words.

use crate::{Refusal, Table};

/// A refusal in words.
#[must_use]
pub fn told(table: &Table, refusal: &Refusal) -> String {
    let arguments: Vec<(&str, &str)> = refusal.arguments.iter().map(|(name, value)| (&**name, &**value)).collect();
    table.rules().texts.render("en", &refusal.text, &arguments)
}
