//! Questions put to whoever sits at the terminal.

use crate::screen::Screen;
use houserule::{Question, Table};
use std::io::BufRead;

/// Asks until there is a legal answer; `None`, which leaves it to the default,
/// for an empty line or when nobody is there.
pub fn ask(screen: &mut Screen, table: &Table, question: &Question) -> Option<i32> {
    screen.prompt(&format!("{}\n{}", words(table, question), choices(question)));
    loop {
        screen.prompt("> ");
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line).unwrap_or(0);
        if read == 0 || line.trim().is_empty() {
            return None;
        }
        match answer(question, line.trim()) {
            Some(answer) => return Some(answer),
            None => screen.prompt(&format!("that is no answer\n{}", choices(question))),
        }
    }
}

/// The question in words, with whom it is for.
pub fn words(table: &Table, question: &Question) -> String {
    let arguments: Vec<(&str, &str)> = question.arguments.iter().map(|(name, value)| (&**name, &**value)).collect();
    let text = table.rules().texts.render("en", table.rules().name(question.text), &arguments);
    match table.state().entity(question.who) {
        Some(entity) if question.who != houserule::EntityId::TABLE => format!("{}: {text}", entity.name),
        _ => text,
    }
}

fn choices(question: &Question) -> String {
    let default = |at: usize| question.default.and_then(|default| usize::try_from(default).ok()) == Some(at);
    let option = |(at, option): (usize, &str)| {
        let mark = if default(at) { " (if you press enter)" } else { "" };
        format!("  {}) {option}{mark}\n", at + 1)
    };
    match question.die {
        Some((sides, _)) => format!("  a face from 1 to {sides}\n"),
        None if question.fact.is_some() => "  a number\n".to_owned(),
        None => question.options.iter().map(AsRef::as_ref).enumerate().map(option).collect(),
    }
}

/// What a line means: a face, a number, or an option by its number or name.
fn answer(question: &Question, line: &str) -> Option<i32> {
    let number: Option<i32> = line.parse().ok();
    if question.fact.is_some() {
        return number;
    }
    if let Some((sides, _)) = question.die {
        return number.filter(|face| u32::try_from(*face).is_ok_and(|face| (1..=sides).contains(&face)));
    }
    let named = question.options.iter().position(|option| **option == *line);
    let counted = number
        .and_then(|number| usize::try_from(number).ok()?.checked_sub(1))
        .filter(|at| *at < question.options.len());
    named.or(counted).and_then(|at| i32::try_from(at).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule::kernel::ident::{Audience, EntityId, FactId, Id, StreamId, TextId};

    fn question() -> Question {
        Question {
            who: EntityId(1),
            text: TextId::new(0),
            arguments: Vec::new(),
            options: vec!["no".into(), "yes".into()],
            die: None,
            default: Some(0),
            fact: None,
            binds: false,
            audience: Audience::Everyone,
        }
    }

    #[test]
    fn an_option_is_meant_by_number_or_name() {
        assert_eq!(["1", "2", "yes"].map(|line| answer(&question(), line)), [Some(0), Some(1), Some(1)]);
        assert_eq!(choices(&question()), "  1) no (if you press enter)\n  2) yes\n");
    }

    #[test]
    fn err_what_is_not_offered_is_no_answer() {
        assert!(["0", "3", "-1", "perhaps", "99999999999"].iter().all(|line| answer(&question(), line).is_none()));
        let die = Question { die: Some((6, StreamId::new(0))), ..question() };
        assert_eq!(["0", "6", "7", "yes"].map(|line| answer(&die, line)), [None, Some(6), None, None]);
        let fact = Question { fact: Some(FactId::new(0)), ..question() };
        assert_eq!(["-5", "yes"].map(|line| answer(&fact, line)), [Some(-5), None]);
    }
}
