//! Questions put to whoever sits at the terminal.

use crate::output::Output;
use houserule::Explain;
use houserule::explain::Explanation;
use houserule::kernel::printable::printable;
use houserule::outcome_text::legal;
use houserule::{Answer, Question, QuestionKind, Table};
use std::io::{BufRead, Read};

/// The most bytes of a line that could be an answer.
const LONGEST_ANSWER: u64 = 4_096;
/// How often somebody may answer what is no answer: else something that answers
/// without end would keep the program asking without end.
const MOST_TRIES: usize = 100;

/// What whoever answers was told of the running intent already.
#[derive(Default)]
pub struct AlreadyTold(Option<Explanation>);

impl AlreadyTold {
    /// What has happened since, up to the question: with its title when nothing
    /// of the intent was told yet, else only the lines that are new.
    fn news(&mut self, so_far: Explanation) -> String {
        let before = self.0.take().filter(|before| before.title == so_far.title);
        let lines = before.as_ref().map_or(&[][..], |before| before.lines.as_slice());
        let same = lines.iter().zip(&so_far.lines).take_while(|(one, other)| one == other).count();
        let rest = Explanation { lines: so_far.lines.iter().skip(same).cloned().collect(), ..so_far.clone() };
        self.0 = Some(so_far);
        let text = rest.to_text();
        match (before, text.split_once('\n')) {
            (Some(_), Some((_, lines))) => lines.to_owned(),
            _ => text,
        }
    }
}

/// Asks until there is a legal answer; `None`, which leaves it to the default,
/// for an empty line or when nobody is there. Before that it tells what the
/// intent has done so far: who does not know the blow cannot say whether to duck.
pub fn ask(
    screen: &mut Output,
    table: &Table,
    question: &Question,
    language: &str,
    known: &mut AlreadyTold,
) -> Option<Answer> {
    if let Some(so_far) = table.explain_so_far(language) {
        screen.prompt(&known.news(so_far));
    }
    screen.prompt(&format!("{}\n{}", words(table, question, language), choices(table, question)));
    for _ in 0..MOST_TRIES {
        screen.prompt("> ");
        let mut line = String::new();
        let read = std::io::stdin().lock().take(LONGEST_ANSWER).read_line(&mut line).unwrap_or(0);
        if read == 0 || line.trim().is_empty() {
            return None;
        }
        match question.read(&line) {
            Some(answer) => return Some(answer),
            None => screen.prompt(&format!("that is no answer\n{}", choices(table, question))),
        }
    }
    None
}

/// The question in words of a language, with whom it is for; on one line.
pub fn words(table: &Table, question: &Question, language: &str) -> String {
    let arguments: Vec<(&str, &str)> = question.arguments.iter().map(|(name, value)| (&**name, &**value)).collect();
    let text = table.rules().texts.render(language, table.rules().name(question.text), &arguments);
    let whole = match table.state().entity(question.who) {
        Some(entity) if question.who != houserule::EntityId::TABLE => format!("{}: {text}", entity.name),
        _ => text,
    };
    printable(&whole).into_owned()
}

/// The legal answers: options with their numbers, or a sentence.
fn choices(table: &Table, question: &Question) -> String {
    let option = |(at, option): (usize, &str)| format!("  {}) {}\n", at + 1, printable(option));
    let options: String = question.options.iter().map(AsRef::as_ref).enumerate().map(option).collect();
    let default =
        question.default.as_ref().map(|default| format!(" ({} if you press enter)", spelled(question, default)));
    let legal = format!("{}{}", legal(table, question), default.unwrap_or_default());
    format!("{options}  {}\n", printable(&legal))
}

fn spelled(question: &Question, answer: &Answer) -> String {
    match (question.asked, answer) {
        (QuestionKind::YesNo, Answer::One(0)) => "no".to_owned(),
        (QuestionKind::YesNo, _) => "yes".to_owned(),
        _ => question.spelled(answer).join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule::kernel::ident::{EntityId, Id, TextId};

    fn table() -> Table {
        Table::new(&houserule::load(&["sf1e"]).expect("a shipped pack"), 1)
    }

    #[test]
    fn what_may_be_answered_is_said_with_the_default() {
        let yes = Question::new(EntityId(1), TextId::new(0), QuestionKind::YesNo).or(false);
        assert_eq!(choices(&table(), &yes), "  the answer is yes or no (no if you press enter)\n");
        let names = vec!["left".into(), "right".into()];
        let order = Question::about(EntityId(1), TextId::new(0), names, |of| QuestionKind::Order { of });
        let told = "  1) left\n  2) right\n  the answer is an order of: left, right; what is left out follows as it stands here (right, left if you press enter)\n";
        assert_eq!(choices(&table(), &order.or(vec![1, 0])), told);
    }

    #[test]
    fn err_without_a_default_none_is_told() {
        let number = Question::new(EntityId(1), TextId::new(0), QuestionKind::Number { least: 1, most: 6 });
        assert_eq!(choices(&table(), &number), "  the answer is a number from 1 to 6\n");
    }
}
