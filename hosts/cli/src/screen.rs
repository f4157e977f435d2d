//! Where results and diagnostics go: results to standard output, diagnostics to standard error.

use crate::args::Format;
use crate::report::{Finding, render};
use anstream::AutoStream;
use serde::Serialize;
use std::io::{ErrorKind, Stderr, Stdout, Write};

/// Standard output and standard error, each with colours only where a terminal
/// wants them. Whoever stops reading stops the telling, not the program; where
/// there is no room for results, the program says so at its end.
pub struct Screen {
    format: Format,
    out: AutoStream<Stdout>,
    err: AutoStream<Stderr>,
    /// Why results could not be written, the first time that they could not.
    unwritten: Option<ErrorKind>,
}

impl Screen {
    /// The screen of this process.
    pub fn new(format: Format) -> Screen {
        Screen { format, out: anstream::stdout(), err: anstream::stderr(), unwritten: None }
    }

    /// How results are written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// A result for people; silent where programs read.
    pub fn say(&mut self, text: &str) {
        if self.format == Format::Human {
            self.write(text);
        }
    }

    /// A result for programs, on one line; silent where people read.
    pub fn give(&mut self, value: &impl Serialize) {
        if self.format == Format::Json
            && let Ok(line) = serde_json::to_string(value)
        {
            self.write(&line);
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
