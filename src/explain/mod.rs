//! Reads a journal entry aloud, and says where numbers, hooks and rules come from.

mod checks;
mod dice;
mod lines;
mod pairs;
mod rules;
mod tally;
mod things;
mod title;
mod voice;

use houserule_kernel::error::Fault;
use houserule_kernel::feed::Viewer;
use houserule_kernel::ident::Audience;
use houserule_kernel::printable::printable;
use houserule_kernel::table::Table;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;
use voice::Wording;

/// How far a column of labels is widened for the sake of one long label.
const WIDEST: usize = 60;

/// What is told: a title, and lines below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// What it is about.
    pub title: ExplanationLine,
    /// What there is to say, in the order in which it happened.
    pub lines: Vec<ExplanationLine>,
}

/// One line of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplanationLine {
    /// How far it stands in: 0 for what happened, 1 for what became of the line
    /// above.
    pub depth: u8,
    /// What kind of line it is, by a word that never changes, such as `tally`,
    /// `check` or `pool`; the same in every language.
    pub topic: &'static str,
    /// What it is about, in words: stands in a column of its own.
    pub label: String,
    /// What it says, in words; empty for bookkeeping, which is told in facts
    /// alone.
    pub text: String,
    /// Who may read it.
    pub audience: Audience,
    /// The same for programs: numbers, and names as the packs give them.
    pub facts: Value,
}

impl ExplanationLine {
    fn new(topic: &'static str, label: String, text: String, facts: Value) -> ExplanationLine {
        ExplanationLine { depth: 0, topic, label, text, audience: Audience::Everyone, facts }
    }

    /// A line that stands in below another.
    fn below(self) -> ExplanationLine {
        ExplanationLine { depth: 1, ..self }
    }

    /// What stands before the column of texts.
    fn margin(&self) -> usize {
        2 * usize::from(self.depth) + 2 + printable(&self.label).chars().count()
    }
}

impl Explanation {
    /// The account for people: the title, then a column of labels and a column
    /// of texts. Bookkeeping is left out. Each is one line that a terminal may
    /// show: see [`printable`].
    #[must_use]
    pub fn to_text(&self) -> String {
        let told = || self.lines.iter().filter(|line| !line.text.is_empty());
        let margins = told().map(ExplanationLine::margin).filter(|margin| *margin <= WIDEST);
        let column = margins.max().unwrap_or(0) + 3;
        let mut text = format!("{}\n", printable(&self.title.text));
        for line in told() {
            let stands_in = " ".repeat(2 * usize::from(line.depth) + 2);
            let gap = " ".repeat(column.saturating_sub(line.margin()).max(3));
            let _ = writeln!(text, "{stands_in}{}{gap}{}", printable(&line.label), printable(&line.text));
        }
        text
    }

    /// The account as somebody who looks on may read it; nothing if not even
    /// the title is for them.
    #[must_use]
    pub fn seen_by(&self, viewer: Viewer) -> Option<Explanation> {
        let lines = self.lines.iter().filter(|line| viewer.sees(line.audience)).cloned().collect();
        viewer.sees(self.title.audience).then(|| Explanation { title: self.title.clone(), lines })
    }
}

/// Reads a table aloud.
pub trait Explain {
    /// Reads an entry of the journal aloud, the first being 0. Words that the
    /// language lacks are given in English.
    ///
    /// # Errors
    /// `HR0541` if the journal has no such entry, or it was undone.
    fn explain(&self, entry: usize, language: &str) -> Result<Explanation, Fault>;

    /// Reads aloud what the intent that waits for an answer has done up to its
    /// question; nothing if none waits. None of it has happened at the table yet.
    #[must_use]
    fn explain_so_far(&self, language: &str) -> Option<Explanation>;

    /// A stat of somebody as it is just now, maybe through a view, with every
    /// term, what became of it, and the file and line of its rule.
    ///
    /// # Errors
    /// `HR0541` if there is nobody and nothing of that name; else as reading
    /// the stat does.
    fn explain_stat(&self, who: &str, stat: &str, view: Option<&str>, language: &str) -> Result<Explanation, Fault>;
}

impl Explain for Table {
    fn explain(&self, entry: usize, language: &str) -> Result<Explanation, Fault> {
        let journal = self.journal();
        let count = journal.done().len();
        let found = journal.done().get(entry).ok_or_else(|| {
            let range = if count == 0 { "it is empty".to_owned() } else { format!("it has 0 to {}", count - 1) };
            Fault::new("HR0541", format!("the journal has no entry {entry}; {range}"))
        })?;
        let voice = Wording { rules: self.rules(), state: Some(self.state()), language };
        Ok(Explanation { title: title::title(voice, &found.deed), lines: lines::lines(voice, journal, found) })
    }

    fn explain_so_far(&self, language: &str) -> Option<Explanation> {
        self.halfway(|state, journal, entry| {
            let voice = Wording { rules: self.rules(), state: Some(state), language };
            Explanation { title: title::title(voice, &entry.deed), lines: lines::lines(voice, journal, entry) }
        })
    }

    fn explain_stat(&self, who: &str, stat: &str, view: Option<&str>, language: &str) -> Result<Explanation, Fault> {
        tally::stat(self, who, stat, view, language)
    }
}

pub use rules::{explain_hooks, explain_option, explain_rule};

/// The fault of a name that the packs do not know, with the nearest they know.
fn unknown<'a>(kind: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Fault {
    let near = houserule_kernel::error::nearest(name, known)
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    Fault::new("HR0541", format!("there is no {kind} `{name}`{near}"))
}
