//! What went wrong, where in the pack, and one way out.

use crate::printable::printable;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The most problems of one file that are told; the rest are counted.
pub const MOST_IN_FILE: usize = 50;

/// A stretch of bytes in one file of a pack; `file` indexes [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// Which file, as numbered by [`Sources`].
    pub file: u16,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The stretch `start..end` inside this one, as when an expression that
    /// stands in a TOML string points into itself.
    #[must_use]
    pub fn within(self, start: usize, end: usize) -> Span {
        let shift = |offset: usize| self.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX)).min(self.end);
        Span { file: self.file, start: shift(start), end: shift(end).max(shift(start)) }
    }
}

/// The files that spans point into, in the order in which they were read.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

/// A file and where its lines are.
#[derive(Clone, Debug)]
struct Source {
    name: Arc<str>,
    text: Arc<str>,
    /// How many lines end before each block of the text.
    ended: Arc<[u32]>,
}

/// The bytes of a text whose lines are counted together.
const BLOCK: usize = 4096;

impl Source {
    /// The line of a byte, from one.
    fn line(&self, at: usize) -> u32 {
        let block = at / BLOCK;
        let rest = self.text.as_bytes().get(block * BLOCK..at).unwrap_or_default();
        self.ended.get(block).copied().unwrap_or(0).saturating_add(count(line_ends(rest))).saturating_add(1)
    }
}

/// How many lines end before each block of a text.
fn ended(text: &str) -> Arc<[u32]> {
    let ends = text.as_bytes().chunks(BLOCK).scan(0, |ended, block| {
        let before = *ended;
        *ended += line_ends(block);
        Some(count(before))
    });
    ends.chain([0]).collect()
}

fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl Sources {
    /// Remembers a file and gives the number under which spans name it.
    pub fn add(&mut self, name: &str, text: impl Into<Arc<str>>) -> u16 {
        let number = u16::try_from(self.files.len()).unwrap_or(u16::MAX);
        let text = text.into();
        self.files.push(Source { name: name.into(), ended: ended(&text), text });
        number
    }

    /// The name of a file, such as `sf1e/checks.toml`.
    #[must_use]
    pub fn name(&self, file: u16) -> &str {
        self.files.get(usize::from(file)).map_or("?", |source| &source.name)
    }

    /// The text of a file.
    #[must_use]
    pub fn text(&self, file: u16) -> &str {
        self.files.get(usize::from(file)).map_or("", |source| &source.text)
    }

    /// The files, each with its name and its text, which is shared.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Arc<str>)> {
        self.files.iter().map(|source| (&*source.name, &source.text))
    }

    /// The line of a span's first byte, from one.
    #[must_use]
    pub fn line(&self, span: Span) -> u32 {
        self.files.get(usize::from(span.file)).map_or(1, |source| source.line(start_in(&source.text, span)))
    }

    /// Line and column of a span's first byte, both counted from one.
    #[must_use]
    pub fn line_column(&self, span: Span) -> (u32, u32) {
        let text = self.text(span.file);
        let before = text.get(..start_in(text, span)).unwrap_or("");
        let begin = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before.get(begin..).unwrap_or("").chars().count();
        (self.line(span), count(column + 1))
    }

    /// Fills in file, line and column of a problem.
    #[must_use]
    pub fn locate(&self, problem: &Problem) -> Diagnostic {
        let (line, column) = self.line_column(problem.span);
        Diagnostic {
            code: problem.code.to_owned(),
            message: problem.message.clone(),
            file: self.name(problem.span.file).to_owned(),
            line,
            column,
            start: problem.span.start,
            end: problem.span.end,
            label: problem.label.clone(),
            help: problem.help.clone(),
        }
    }
}

/// The first byte of a span, brought back between the characters of its text.
fn start_in(text: &str, span: Span) -> usize {
    text.floor_char_boundary((span.start as usize).min(text.len()))
}

/// A fault found while a pack is read: a stable code, a place, a sentence, a
/// word for the underlined text, and a way out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where; orders the report.
    pub span: Span,
    /// Stable code such as `HR0203`.
    pub code: &'static str,
    /// One sentence, lower case, no full stop, the writer's words in backticks.
    pub message: String,
    /// Stands beside the underlined text.
    pub label: String,
    /// One way out.
    pub help: Option<String>,
}

impl Problem {
    /// A problem without label or help.
    pub fn new(code: &'static str, span: Span, message: impl Into<String>) -> Problem {
        Problem { code, span, message: brief(message.into()), label: String::new(), help: None }
    }

    /// Adds the word beside the underlined text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Problem {
        self.label = brief(label.into());
        self
    }

    /// Adds a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(brief(help.into()));
        self
    }
}

/// A problem with its place spelled out, ready to be shown or stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Stable code such as `HR0203`.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Pack file.
    pub file: String,
    /// Line, from one.
    pub line: u32,
    /// Column in characters, from one.
    pub column: u32,
    /// First byte in the file.
    pub start: u32,
    /// One past the last byte in the file.
    pub end: u32,
    /// Stands beside the underlined text.
    pub label: String,
    /// One way out.
    pub help: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, message) = (printable(&self.file), printable(&self.message));
        write!(f, "{file}:{}:{}: {message} [{}]", self.line, self.column, self.code)?;
        match &self.help {
            Some(help) => write!(f, "; {}", printable(help)),
            None => Ok(()),
        }
    }
}

/// The most letters of one sentence that somebody is told.
pub const LONGEST_SENTENCE: usize = 1_000;

/// The most rules that a fault names.
const LONGEST_TRAIL: usize = 32;

/// A sentence that is cut where it goes on for too long.
#[must_use]
pub fn cut(mut sentence: String) -> String {
    if let Some((end, _)) = sentence.char_indices().nth(LONGEST_SENTENCE) {
        sentence.truncate(end);
        sentence.push('…');
    }
    sentence
}

/// Whom a fault stops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// The rule that ran: a hook that may fail is passed over.
    #[default]
    Rule,
    /// The whole intent, whatever its rules say: a budget is used up, a machine
    /// failed, or what was answered does not fit.
    Intent,
}

/// Something that went wrong while a rule ran: the intent that met it leaves
/// no trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Stable code such as `HR0501`.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// The rules that were running, innermost first, each as `what (file:line)`.
    pub trail: Vec<String>,
    /// Whom it stops.
    #[serde(skip)]
    pub reach: Reach,
}

impl Fault {
    /// A fault of the rule that runs; it knows no trail yet.
    pub fn new(code: &str, message: impl Into<String>) -> Fault {
        Fault { code: code.to_owned(), message: cut(message.into()), trail: Vec::new(), reach: Reach::Rule }
    }

    /// A fault for which no hook is passed over.
    pub fn of_intent(code: &str, message: impl Into<String>) -> Fault {
        Fault { reach: Reach::Intent, ..Fault::new(code, message) }
    }

    /// Adds the rule that was running when the fault passed through it; the
    /// outermost of very many are left out.
    pub fn pass(&mut self, what: impl Into<String>) {
        if self.trail.len() < LONGEST_TRAIL {
            self.trail.push(cut(what.into()));
        }
    }

    /// As [`Fault::pass`].
    #[must_use]
    pub fn during(mut self, what: impl Into<String>) -> Fault {
        self.pass(what);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", printable(&self.message), self.code)?;
        self.trail.iter().try_for_each(|rule| write!(f, "\n  in {}", printable(rule)))
    }
}

impl std::error::Error for Fault {}

/// A number as a rules value. `what` names it in the fault: ``the count `x` ``.
///
/// # Errors
/// `HR0501` beyond the range of an `i32`.
pub fn in_range(number: i64, what: impl FnOnce() -> String) -> Result<i32, Fault> {
    i32::try_from(number).map_err(|_| Fault::new("HR0501", format!("{} leaves the range of numbers", what())))
}

/// Words in backticks longer than this are cut short.
const LONGEST_QUOTED: usize = 200;
/// A sentence longer than this is cut short.
const LONGEST_TOLD: usize = 1_000;

/// A sentence that quotes no more of a pack than people read.
fn brief(told: String) -> String {
    if told.len() <= LONGEST_QUOTED {
        return told;
    }
    let is_quoted = |at: usize| at % 2 == 1;
    let most = |at| if is_quoted(at) { LONGEST_QUOTED } else { LONGEST_TOLD };
    let quotes: Vec<_> = told.split('`').enumerate().map(|(at, part)| shortened(part, most(at))).collect();
    shortened(&quotes.join("`"), LONGEST_TOLD).into_owned()
}

/// The beginning of a text, marked if it is not the whole.
fn shortened(text: &str, most: usize) -> std::borrow::Cow<'_, str> {
    if text.len() <= most {
        return text.into();
    }
    let begin = text.get(..text.floor_char_boundary(most)).unwrap_or("");
    format!("{begin}…").into()
}

/// Names longer than this are not compared: none is meant by so long a slip.
const LONGEST_COMPARED: usize = 64;
/// So many pairs of letters are compared.
const MOST_COMPARED: usize = 500_000;

/// The name nearest to a misspelt one, if any is near. Names that can only be far
/// are passed over by their letters alone, so that one slip among thousands of
/// names is cheap.
#[must_use]
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = Letters::of(wrong);
    let begun = |name: &str| wrong.len() > 2 && name != wrong && name.starts_with(wrong);
    let may_be = |name: &&str| begun(name) || letters.differ_from(&Letters::of(name)) <= farthest(name);
    let distance = |name: &str| if begun(name) { 1 } else { strsim::damerau_levenshtein(wrong, name) };
    if wrong.len() > LONGEST_COMPARED {
        return None;
    }
    let mut compared = 0;
    let is_cheap = |name: &&str| {
        compared += wrong.len() * name.len();
        compared <= MOST_COMPARED
    };
    names
        .into_iter()
        .filter(|name| name.len() <= LONGEST_COMPARED)
        .filter(may_be)
        .take_while(is_cheap)
        .map(|name| (distance(name), name))
        .filter(|(far, name)| *far <= farthest(name) && *far < name.chars().count().max(2))
        .min()
        .map(|(_, name)| name)
}

/// How far a slip may lead from a name.
fn farthest(name: &str) -> usize {
    2.max(name.len() / 3)
}

/// How often each letter stands in a word, all but the last five bits left away.
struct Letters([u8; 32]);

impl Letters {
    fn of(word: &str) -> Letters {
        let mut letters = [0_u8; 32];
        for sign in word.chars() {
            if let Some(count) = letters.get_mut(sign as usize % 32) {
                *count = count.saturating_add(1);
            }
        }
        Letters(letters)
    }

    /// The least number of slips that lead from one word to the other: each adds,
    /// takes away or changes one letter, or moves some.
    fn differ_from(&self, other: &Letters) -> usize {
        let pairs = || self.0.iter().zip(other.0);
        let lacks: usize = pairs().map(|(one, other)| usize::from(other.saturating_sub(*one))).sum();
        let exceeds: usize = pairs().map(|(one, other)| usize::from(one.saturating_sub(other))).sum();
        lacks.max(exceeds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As [`nearest`], by comparing every name.
    fn nearest_of_all<'a>(wrong: &str, names: &[&'a str]) -> Option<&'a str> {
        let begun = |name: &str| wrong.len() > 2 && name != wrong && name.starts_with(wrong);
        let distance = |name: &str| if begun(name) { 1 } else { strsim::damerau_levenshtein(wrong, name) };
        let near = names.iter().map(|name| (distance(name), *name));
        near.filter(|(far, name)| *far <= farthest(name) && *far < name.chars().count().max(2)).min().map(|(_, it)| it)
    }

    #[test]
    fn err_no_sentence_quotes_more_than_people_read() {
        let long = "n".repeat(200_000);
        let problem = Problem::new("HR0203", Span::default(), format!("there is no `{long}`, and no `b`"))
            .label(format!("not `{long}`"))
            .help(format!("there is {}", "`ä`, ".repeat(50_000)));
        assert!(problem.message.ends_with("n…`, and no `b`"), "{}", problem.message);
        let parts = [Some(&problem.message), Some(&problem.label), problem.help.as_ref()];
        assert!(parts.into_iter().flatten().all(|part| part.len() <= LONGEST_TOLD + 3));
    }

    #[test]
    fn lines_and_columns_are_found_wherever_blocks_end() {
        let text = format!("{}\nä\n{}x\ny", "a".repeat(BLOCK - 1), "b\n".repeat(BLOCK));
        let mut sources = Sources::default();
        sources.add("a", text.as_str());
        for at in (0..text.len()).step_by(7).chain([text.len(), text.len() + 9]) {
            let before = &text[..text.floor_char_boundary(at)];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
            let span = Span { file: 0, start: u32::try_from(at).unwrap(), end: 0 };
            assert_eq!(sources.line_column(span), (u32::try_from(line).unwrap(), u32::try_from(column).unwrap()));
        }
        assert_eq!(Sources::default().line_column(Span::default()), (1, 1));
    }

    proptest! {
        #[test]
        fn a_name_is_near_whether_or_not_far_ones_are_passed_over(
            wrong in "[a-dä]{0,8}",
            names in prop::collection::vec("[a-dä]{0,8}", 0..12),
        ) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            prop_assert_eq!(nearest(&wrong, names.iter().copied()), nearest_of_all(&wrong, &names));
        }
    }
}
