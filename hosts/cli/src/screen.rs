//! Where results and diagnostics go: results to standard output, diagnostics to standard error.

use crate::args::Format;
use crate::report::{Finding, render};
use anstream::AutoStream;
use serde::Serialize;
use std::io::{Stderr, Stdout, Write};

/// Standard output and standard error, each with colours only where a terminal
/// wants them. Whoever stops reading stops the telling, not the program.
pub struct Screen {
    format: Format,
    out: AutoStream<Stdout>,
    err: AutoStream<Stderr>,
}

impl Screen {
    /// The screen of this process.
    pub fn new(format: Format) -> Screen {
        Screen { format, out: anstream::stdout(), err: anstream::stderr() }
    }

    /// How results are written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// A result for people; silent where programs read.
    pub fn say(&mut self, text: &str) {
        if self.format == Format::Human {
            let _ = writeln!(self.out, "{text}");
        }
    }

    /// A result for programs, on one line; silent where people read.
    pub fn give(&mut self, value: &impl Serialize) {
        if self.format == Format::Json
            && let Ok(line) = serde_json::to_string(value)
        {
            let _ = writeln!(self.out, "{line}");
        }
    }

    /// Findings that are the result itself, for people.
    pub fn show(&mut self, findings: &[Finding]) {
        findings.iter().for_each(|finding| self.say(&format!("{}\n", render(finding))));
    }

    /// Findings about the command, to standard error.
    pub fn complain(&mut self, findings: &[Finding]) {
        for (at, finding) in findings.iter().enumerate() {
            let gap = if at == 0 { "" } else { "\n" };
            let _ = match self.format {
                Format::Human => writeln!(self.err, "{gap}{}", render(finding)),
                Format::Json => writeln!(self.err, "{}", serde_json::to_string(finding).unwrap_or_default()),
            };
        }
    }

    /// A word to whoever sits at the terminal, without a line break.
    pub fn prompt(&mut self, text: &str) {
        let _ = write!(self.err, "{text}");
        let _ = self.err.flush();
    }
}
