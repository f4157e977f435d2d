//! The one door to standard output and standard error: results to the first, diagnostics to the second.
//!
//! Whatever is said comes from packs, saves and file names as well as from this program. So each line is made
//! harmless here, and colours are added after that: no text can bring its own. Only [`render`]ed findings come
//! with colours in them; their parts were made harmless one by one.

use crate::args::Format;
use crate::report::{Finding, render};
use anstream::AutoStream;
use houserule::kernel::printable::{printable, printable_json};
use serde::Serialize;
use std::borrow::Cow;
use std::io::{ErrorKind, Stderr, Stdout, Write};

/// The most characters of one line.
const LONGEST_LINE: usize = 4_000;
/// The most lines of one text, such as an entry of the journal.
const MOST_LINES: usize = 10_000;
/// The most findings that are shown to people at once.
const MOST_FINDINGS: usize = 200;

/// A colour of this program's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Something failed, or is gone.
    Red,
    /// Something passed, or is new.
    Green,
    /// Something should be looked at.
    Yellow,
}

impl Colour {
    fn code(self) -> u8 {
        match self {
            Colour::Red => 31,
            Colour::Green => 32,
            Colour::Yellow => 33,
        }
    }
}

/// Standard output and standard error, each with colours only where a terminal
/// wants them. Whoever stops reading stops the telling, not the program; where
/// there is no room for results, the program says so at its end.
pub struct Output {
    format: Format,
    out: AutoStream<Stdout>,
    err: AutoStream<Stderr>,
    /// Why results could not be written, the first time that they could not.
    unwritten: Option<ErrorKind>,
}

impl Output {
    /// The screen of this process.
    pub fn new(format: Format) -> Output {
        Output { format, out: anstream::stdout(), err: anstream::stderr(), unwritten: None }
    }

    /// How results are written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// One line of a result for people; silent where programs read.
    pub fn say(&mut self, line: &str) {
        if self.format == Format::Human {
            self.write(&shown(line));
        }
    }

    /// A result of several lines whose parts have none themselves.
    pub fn tell(&mut self, text: &str) {
        if self.format == Format::Human {
            self.write(&lines(text));
        }
    }

    /// A line that begins in a colour.
    pub fn paint(&mut self, colour: Colour, painted: &str, rest: &str) {
        if self.format == Format::Human {
            self.write(&format!("\x1b[{}m{}\x1b[0m{}", colour.code(), shown(painted), shown(rest)));
        }
    }

    /// A result for programs, on one line; silent where people read.
    pub fn give(&mut self, value: &impl Serialize) {
        if self.format == Format::Json
            && let Ok(line) = serde_json::to_string(value)
        {
            self.write(&printable_json(&line));
        }
    }

    fn write(&mut self, line: &str) {
        let written = writeln!(self.out, "{line}");
        self.notice(written);
    }

    fn notice(&mut self, written: std::io::Result<()>) {
        if let Err(error) = written {
            self.unwritten = self.unwritten.or(Some(error.kind()));
        }
    }

    /// Whether all results were written, or whoever read them had enough; if
    /// not, it is told.
    pub fn close(mut self) -> bool {
        let flushed = self.out.flush();
        self.notice(flushed);
        match self.unwritten.filter(|kind| *kind != ErrorKind::BrokenPipe) {
            Some(kind) => {
                let finding = Finding::new("HR0915", format!("the results cannot be written: {kind}"));
                self.complain(&[finding.help("look whether there is room where they go")]);
                false
            }
            None => true,
        }
    }

    /// Findings that are the result itself, for people.
    pub fn show(&mut self, findings: &[Finding]) {
        if self.format == Format::Human {
            findings.iter().take(MOST_FINDINGS).for_each(|finding| self.write(&format!("{}\n", render(finding))));
            unshown(findings).into_iter().for_each(|line| self.write(&line));
        }
    }

    /// Findings about the command, to standard error.
    pub fn complain(&mut self, findings: &[Finding]) {
        let written = match self.format {
            Format::Human => self.complain_to_people(findings),
            Format::Json => findings.iter().try_for_each(|finding| {
                let line = serde_json::to_string(finding).unwrap_or_default();
                writeln!(self.err, "{}", printable_json(&line))
            }),
        };
        // where nobody hears complaints there is nobody to tell
        let _ = written;
    }

    fn complain_to_people(&mut self, findings: &[Finding]) -> std::io::Result<()> {
        for (at, finding) in findings.iter().take(MOST_FINDINGS).enumerate() {
            let gap = if at == 0 { "" } else { "\n" };
            writeln!(self.err, "{gap}{}", render(finding))?;
        }
        unshown(findings).map_or(Ok(()), |line| writeln!(self.err, "\n{line}"))
    }

    /// A word to whoever sits at the terminal, without a line break; of several
    /// lines whose parts have none themselves.
    pub fn prompt(&mut self, text: &str) {
        let _ = write!(self.err, "{}", lines(text));
        let _ = self.err.flush();
    }
}

/// One line as it may be shown, cut where it is too long.
pub fn shown(line: &str) -> Cow<'_, str> {
    match cut(line, LONGEST_LINE) {
        Cow::Borrowed(line) => printable(line),
        Cow::Owned(line) => printable(&line).into_owned().into(),
    }
}

/// The lines of a text as they may be shown.
pub fn lines(text: &str) -> String {
    let told = text.split('\n').take(MOST_LINES).map(shown).collect::<Vec<_>>().join("\n");
    match text.split('\n').skip(MOST_LINES).count() {
        0 => told,
        more => format!("{told}\n… and {more} more lines"),
    }
}

/// A text of at most so many characters, and how many more there were.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((at, _)) => {
            let (head, rest) = text.split_at_checked(at).unwrap_or((text, ""));
            Cow::Owned(format!("{head} … ({} more characters)", rest.chars().count()))
        }
    }
}

/// How many findings are not shown to people.
fn unshown(findings: &[Finding]) -> Option<String> {
    let more = findings.len().saturating_sub(MOST_FINDINGS);
    (more > 0).then(|| format!("and {more} more, which `--format json` gives"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn err_a_line_cannot_bring_colours_or_other_lines() {
        assert_eq!(shown("\x1b[31mred\nerror: \u{202e}x"), "\\u{1b}[31mred\\nerror: \\u{202e}x");
        assert_eq!(lines("one\ntwo\r\n\u{9b}2J"), "one\ntwo\\u{d}\n\\u{9b}2J");
    }

    #[test]
    fn err_what_is_too_long_is_cut_where_everybody_sees_it() {
        let long = "ä".repeat(LONGEST_LINE + 7);
        assert!(shown(&long).ends_with("ä … (7 more characters)"));
        assert_eq!(shown(&"ä".repeat(LONGEST_LINE)).chars().count(), LONGEST_LINE);
        assert!(lines(&"a\n".repeat(MOST_LINES + 3)).ends_with("a\n… and 4 more lines"));
        let findings = vec![Finding::new("HR0203", "no"); MOST_FINDINGS + 2];
        assert_eq!(unshown(&findings).unwrap(), "and 2 more, which `--format json` gives");
        assert_eq!(unshown(&findings[..MOST_FINDINGS]), None);
    }
}
