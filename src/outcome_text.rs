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
    let words: Vec<String> = arguments.iter().map(|(name, value)| word(table, name, value)).collect();
    let arguments: Vec<(&str, &str)> =
        arguments.iter().zip(&words).map(|((name, _), word)| (&**name, word.as_str())).collect();
    table.rules().texts.render("en", text, &arguments)
}

/// Kinds of things that refusals name.
const KINDS: [&str; 6] = ["action", "condition", "fact", "option", "pool", "tag"];

/// What a thing of the packs is called; anything else is called as it is.
fn word(table: &Table, name: &str, value: &str) -> String {
    if !KINDS.contains(&name) {
        return value.to_owned();
    }
    let called = table.rules().texts.template("en", &format!("{name}.{value}"));
    called.map_or_else(|| value.replace('_', " "), |template| template.render(&[]))
}
