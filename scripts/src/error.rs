//! What went wrong in a script and where in the pack: one shape for all languages.

use crate::budget::ScriptStop;
use houserule_kernel::error::{Fault, Problem, Reach, Span};
use houserule_kernel::script::Script;
use std::fmt;

/// What sort of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScriptErrorKind {
    /// The file does not compile, or says at file level what only hooks may.
    Syntax,
    /// A call of `on`, `wrap` or `mute` is wrong.
    Declaration,
    /// The script failed while it ran.
    Runtime,
    /// Stopped: the fuel is spent.
    Fuel,
    /// Stopped: a string or list grew too big.
    Size,
    /// Stopped by the machine: too much memory; the guest must be built anew.
    Memory,
    /// Stopped: calls nest too deep.
    Depth,
    /// A value crossed the border that a rule cannot use: a fraction, a string for a number, beyond 32 bits.
    Value,
    /// A host function panicked; the guest must be built anew.
    Panic,
    /// Stopped by the host: the reason stands with the running intent.
    Stopped,
}

/// One error of a script, with its place in the pack.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScriptError {
    /// Pack file, such as `home/hooks/luck.lua`; empty if the script cannot be blamed.
    pub file: String,
    /// Line from one, or 0 if unknown.
    pub line: u32,
    /// Column in characters from one, where the language knows it.
    pub column: Option<u32>,
    /// What sort of error.
    pub kind: ScriptErrorKind,
    /// A sentence for the rule-writer.
    pub message: String,
    /// Calls that were running, innermost first, as pack file and line.
    pub frames: Vec<(String, u32)>,
}

impl ScriptError {
    /// An error at a place.
    #[must_use]
    pub fn at(kind: ScriptErrorKind, file: &str, line: u32, column: Option<u32>, message: impl Into<String>) -> Self {
        ScriptError { file: file.to_owned(), line, column, kind, message: message.into(), frames: Vec::new() }
    }

    /// An error of a file as a whole.
    #[must_use]
    pub fn of_file(kind: ScriptErrorKind, file: &str, message: impl Into<String>) -> Self {
        ScriptError::at(kind, file, 0, None, message)
    }

    /// An error that no file can be blamed for.
    #[must_use]
    pub fn nowhere(kind: ScriptErrorKind, message: impl Into<String>) -> Self {
        ScriptError::of_file(kind, "", message)
    }

    /// The fault that it is while a rule runs, with its place and the calls that led there.
    #[must_use]
    pub fn fault(&self) -> Fault {
        let code = match self.kind {
            ScriptErrorKind::Value => "HR0403",
            ScriptErrorKind::Fuel => "HR0404",
            ScriptErrorKind::Memory | ScriptErrorKind::Size => "HR0405",
            ScriptErrorKind::Depth => "HR0406",
            ScriptErrorKind::Panic => "HR0407",
            _ => "HR0402",
        };
        let reach = if self.is_of_rule() { Reach::Rule } else { Reach::Intent };
        let fault = Fault { reach, ..Fault::new(code, &*self.message) };
        self.trail().into_iter().fold(fault, Fault::during)
    }

    /// Whether the script itself is wrong, and not stopped by a budget, the machine or the host.
    fn is_of_rule(&self) -> bool {
        match self.kind {
            ScriptErrorKind::Syntax
            | ScriptErrorKind::Declaration
            | ScriptErrorKind::Runtime
            | ScriptErrorKind::Value => true,
            ScriptErrorKind::Fuel
            | ScriptErrorKind::Size
            | ScriptErrorKind::Memory
            | ScriptErrorKind::Depth
            | ScriptErrorKind::Panic
            | ScriptErrorKind::Stopped => false,
        }
    }

    /// The places that were running, innermost first, each as `file:line`.
    #[must_use]
    pub fn trail(&self) -> Vec<String> {
        let own = (!self.file.is_empty()).then(|| (self.file.clone(), self.line));
        let mut places: Vec<(String, u32)> = own.into_iter().chain(self.frames.iter().cloned()).collect();
        places.dedup();
        places.iter().map(|(file, line)| format!("{file}:{line}")).collect()
    }

    fn code(&self) -> &'static str {
        match self.kind {
            ScriptErrorKind::Syntax => "HR0410",
            ScriptErrorKind::Declaration => "HR0413",
            ScriptErrorKind::Runtime | ScriptErrorKind::Value => "HR0411",
            _ => "HR0412",
        }
    }

    /// One more problem of its file, which is counted and not told.
    pub(crate) fn counted(&self, scripts: &[Script]) -> Problem {
        let file = scripts.iter().find(|script| script.name == self.file).map_or(0, |script| script.file);
        Problem::new(self.code(), Span { file, start: 0, end: 0 }, self.message.as_str())
    }

    /// The problem that it is while packs are read.
    #[must_use]
    pub fn problem(&self, scripts: &[Script]) -> Problem {
        let (message, help) = match self.message.split_once("; ") {
            Some((message, help)) => (message, Some(help.to_owned())),
            None => (self.message.as_str(), None),
        };
        Problem { help, ..Problem::new(self.code(), self.span(scripts), message) }
    }

    fn span(&self, scripts: &[Script]) -> Span {
        let Some(script) = scripts.iter().find(|script| script.name == self.file) else { return Span::default() };
        let line = script.line_span(self.line.max(1));
        if let Some(word) = self.column.is_none().then(|| self.word_in(script, line)).flatten() {
            return word;
        }
        let before = (self.column.unwrap_or(1).max(1) - 1) as usize;
        let start = (line.start as usize).min(script.text.len());
        let text = script.text.get(start..line.end as usize).unwrap_or("");
        let byte = text.char_indices().nth(before).map_or(0, |(byte, _)| byte);
        line.within(byte, text.len())
    }

    /// The last word that the message blames, if it stands in the line.
    fn word_in(&self, script: &Script, line: Span) -> Option<Span> {
        let text = script.text.get(line.start as usize..line.end as usize)?;
        let blamed = self.message.split("; ").next()?;
        let words: Vec<&str> = blamed.split('`').skip(1).step_by(2).filter(|word| !word.is_empty()).collect();
        let place = words.iter().rev().find_map(|word| text.find(word).map(|at| (at, at + word.len())));
        place.map(|(from, to)| line.within(from, to))
    }

    /// The error that a stop is.
    #[must_use]
    pub fn stopped(stop: ScriptStop) -> Self {
        ScriptError::nowhere(stop.into(), stop.sentence())
    }

    /// Makes it the error that a stop is, and keeps the place.
    #[must_use]
    pub fn because(mut self, stop: ScriptStop) -> Self {
        self.kind = stop.into();
        stop.sentence().clone_into(&mut self.message);
        self
    }

    /// Fills in a place if it has none.
    #[must_use]
    pub fn or_at(mut self, file: &str, line: u32) -> Self {
        if self.file.is_empty() {
            file.clone_into(&mut self.file);
            self.line = line;
        }
        self
    }
}

impl From<ScriptStop> for ScriptErrorKind {
    fn from(stop: ScriptStop) -> Self {
        match stop {
            ScriptStop::Fuel => ScriptErrorKind::Fuel,
            ScriptStop::Depth => ScriptErrorKind::Depth,
            ScriptStop::Size => ScriptErrorKind::Size,
            ScriptStop::Memory => ScriptErrorKind::Memory,
            ScriptStop::Panic => ScriptErrorKind::Panic,
            ScriptStop::Host => ScriptErrorKind::Stopped,
        }
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) if self.file.is_empty() => {}
            (0, _) => write!(f, "{}: ", self.file)?,
            (line, None) => write!(f, "{}:{line}: ", self.file)?,
            (line, Some(column)) => write!(f, "{}:{line}:{column}: ", self.file)?,
        }
        f.write_str(&self.message)?;
        self.frames.iter().try_for_each(|(file, line)| write!(f, "\n  in {file}:{line}"))
    }
}

impl std::error::Error for ScriptError {}

/// Cuts a message that a script made as long as it liked.
pub(crate) fn cut(message: &str) -> &str {
    message.get(..message.floor_char_boundary(1_000)).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_reads_as_place_then_sentence() {
        let error = ScriptError::at(ScriptErrorKind::Value, "a/b.lua", 3, Some(7), "no");
        assert_eq!(error.to_string(), "a/b.lua:3:7: no");
        assert_eq!(ScriptError::of_file(ScriptErrorKind::Size, "a/b.lua", "no").to_string(), "a/b.lua: no");
        assert_eq!(ScriptError::stopped(ScriptStop::Host).to_string(), "the action was stopped");
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        assert!(cut(&"é".repeat(5_000)).len() <= 1_000);
    }
}
