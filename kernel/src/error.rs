//! What went wrong, where in the pack, and one way out.

use crate::printable::printable;
use serde::{Deserialize, Serialize};
use std::fmt;

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
    files: Vec<(String, String)>,
}

impl Sources {
    /// Remembers a file and gives the number under which spans name it.
    pub fn add(&mut self, name: &str, text: &str) -> u16 {
        let number = u16::try_from(self.files.len()).unwrap_or(u16::MAX);
        self.files.push((name.to_owned(), text.to_owned()));
        number
    }

    /// The name of a file, such as `sf1e/checks.toml`.
    #[must_use]
    pub fn name(&self, file: u16) -> &str {
        self.files.get(usize::from(file)).map_or("?", |(name, _)| name)
    }

    /// The text of a file.
    #[must_use]
    pub fn text(&self, file: u16) -> &str {
        self.files.get(usize::from(file)).map_or("", |(_, text)| text)
    }

    /// Line and column of a span's first byte, both counted from one.
    #[must_use]
    pub fn line_column(&self, span: Span) -> (u32, u32) {
        let text = self.text(span.file);
        let end = text.floor_char_boundary((span.start as usize).min(text.len()));
        let before = text.get(..end).unwrap_or("");
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or("").chars().count();
        let count = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
        (count(line), count(column))
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
        Problem { code, span, message: message.into(), label: String::new(), help: None }
    }

    /// Adds the word beside the underlined text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Problem {
        self.label = label.into();
        self
    }

    /// Adds a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
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
}

impl Fault {
    /// A fault that knows no trail yet.
    pub fn new(code: &str, message: impl Into<String>) -> Fault {
        Fault { code: code.to_owned(), message: message.into(), trail: Vec::new() }
    }

    /// Adds the rule that was running when the fault passed through it.
    #[must_use]
    pub fn during(mut self, what: impl Into<String>) -> Fault {
        self.trail.push(what.into());
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

/// The name nearest to a misspelt one, if any is near.
#[must_use]
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let begun = |name: &str| wrong.len() > 2 && name != wrong && name.starts_with(wrong);
    let distance = |name: &str| if begun(name) { 1 } else { strsim::damerau_levenshtein(wrong, name) };
    names
        .into_iter()
        .map(|name| (distance(name), name))
        .filter(|(far, name)| *far <= 2.max(name.len() / 3) && *far < name.chars().count().max(2))
        .min()
        .map(|(_, name)| name)
}
