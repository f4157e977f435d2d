//! Refusals and legal answers, said in words.

use crate::{Question, Refusal, Table};

/// A refusal in words.
#[must_use]
pub fn told(table: &Table, refusal: &Refusal) -> String {
    rendered(table, &refusal.text, &refusal.arguments)
}

/// What may be answered, in words.
#[must_use]
pub fn legal(table: &Table, question: &Question) -> String {
    let (text, arguments) = question.legal();
    rendered(table, text, &arguments)
}

fn rendered(table: &Table, text: &str, arguments: &[(Box<str>, Box<str>)]) -> String {
    let arguments: Vec<(&str, &str)> = arguments.iter().map(|(name, value)| (&**name, &**value)).collect();
    table.rules().texts.render("en", text, &arguments)
}
