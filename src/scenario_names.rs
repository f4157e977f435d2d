//! The names that a scenario may say: of its people, and of what the packs define.

use crate::{Problem, Problems, Ruleset, Span};
use houserule_kernel::error::nearest;
use houserule_kernel::formula::ExpectedType;
use houserule_kernel::ident::{CheckId, Id, NameKind, StreamId};
use houserule_kernel::oracle::{FixedRoll, taped};
use houserule_loader::load::context::{LoadContext, Locals};
use houserule_loader::load::steps;
use houserule_loader::load::tactics::item_or_tag;
use houserule_loader::pack::{FieldReader, Merged, NodeKind, Spanned, TomlEntry, TomlNode, TomlTable};
use std::collections::BTreeSet;

/// Refusals that say a name is not known: who expects one writes it on purpose.
const UNKNOWN: [&str; 3] = ["refuse.unknown", "HR0703", "HR0704"];

/// Who takes part, and what the packs know.
pub(crate) struct ScenarioNames<'a> {
    rules: &'a Ruleset,
    desk: LoadContext<'a>,
    cast: BTreeSet<String>,
    /// The text of the scenario.
    pub text: &'a str,
}

impl<'a> ScenarioNames<'a> {
    /// The names of a scenario: of everybody it seats, in the story or in a row.
    pub fn of(rules: &'a Ruleset, merged: &'a Merged, scenario: &TomlNode, text: &'a str) -> ScenarioNames<'a> {
        let given = |node: &TomlNode| node.as_table().and_then(|table| table.get("given")?.node.as_table().map(names));
        let rows = match scenario.as_table().and_then(|table| table.get("each")).map(|each| &each.node.body) {
            Some(NodeKind::List(rows)) => rows.as_slice(),
            _ => &[],
        };
        let cast = rows.iter().chain([scenario]).filter_map(given).flatten().collect();
        ScenarioNames { rules, desk: LoadContext::of(rules, merged), cast, text }
    }

    /// Somebody who is seated, or what belongs to somebody, such as `rook's torch`.
    pub fn person(&self, phrase: &Spanned, problems: &mut Problems) {
        if !self.seats(phrase) {
            let near = nearest(phrase, self.cast.iter().map(String::as_str));
            let help = near.map_or_else(
                || format!("seat them: `given.{} = {{ like = \"…\" }}`", phrase.text),
                |near| format!("did you mean `{near}`?"),
            );
            let problem = Problem::new("HR0203", phrase.span, format!("nobody is called `{}`", phrase.text));
            problems.push(problem.label("unknown name").help(help));
        }
    }

    fn seats(&self, name: &str) -> bool {
        self.cast.contains(name) || name.contains("'s ")
    }

    /// Something that the packs define.
    pub fn thing<I: Id>(&self, phrase: &Spanned, problems: &mut Problems) {
        self.desk.id::<I>(phrase, problems);
    }

    /// What an item is meant by: its own name, its page, or one of its tags.
    pub fn item(&self, phrase: &Spanned, problems: &mut Problems) {
        if !self.seats(phrase) {
            item_or_tag(&self.rules.lexicon, phrase, problems);
        }
    }

    /// A check by its name.
    pub fn check(&self, phrase: &Spanned, problems: &mut Problems) {
        self.thing::<CheckId>(phrase, problems);
    }

    /// The key of a text, or a code such as `HR0701`.
    pub fn refusal(&self, phrase: &Spanned, problems: &mut Problems) {
        let digits = phrase.strip_prefix("HR").unwrap_or_default();
        let code = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
        if code || self.rules.texts.template("en", phrase).is_some() {
            return;
        }
        let texts = self.rules.lexicon.names(NameKind::Text);
        let near = nearest(phrase, texts.iter().map(AsRef::as_ref));
        let help = near.map_or_else(
            || "name the text that says why, or a code; a failing test names the one that came".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        let message = format!("nothing is refused with `{}`", phrase.text);
        problems.push(Problem::new("HR0203", phrase.span, message).label("unknown text").help(help));
    }

    /// Whether it is a name that should not be known.
    pub fn expects_unknown(refused: Option<&str>) -> bool {
        refused.is_some_and(|refused| UNKNOWN.iter().any(|begin| refused.starts_with(begin)))
    }

    /// `NAME.EXPRESSION`: somebody, and what is read of them.
    pub fn reading(&self, child: &TomlEntry, problems: &mut Problems) {
        let quote = usize::from(self.quoted(child.span));
        let part = |from: usize, to: usize| {
            let text = child.name.get(from..to).unwrap_or_default().to_owned();
            Spanned { text, span: child.span.within(quote + from, quote + to) }
        };
        match child.name.find('.') {
            Some(dot) => {
                self.person(&part(0, dot), problems);
                self.expression(part(dot + 1, child.name.len()), problems);
            }
            None => problems.push(self.nobodys(child)),
        }
    }

    fn nobodys(&self, child: &TomlEntry) -> Problem {
        let what = &child.name;
        let message = format!("`{what}` does not say whose number it is");
        let help = match what.split_once(' ') {
            Some((who, rest)) if self.seats(who) => format!("write `{who}.bearer {rest}`"),
            _ => format!("write `NAME.{what}`"),
        };
        Problem::new("HR0203", child.span, message).help(help)
    }

    fn quoted(&self, span: Span) -> bool {
        self.text.get(span.start as usize..).is_some_and(|text| text.starts_with(['"', '\'']))
    }

    /// A number, or a question.
    fn expression(&self, phrase: Spanned, problems: &mut Problems) {
        let node = TomlNode { span: phrase.span, body: NodeKind::Text(phrase) };
        let (mut as_number, mut as_question) = (Problems::default(), Problems::default());
        let read = |want, into: &mut Problems| self.desk.formula(&node, want, &Locals::new(), into).is_some();
        if !read(ExpectedType::Number, &mut as_number) && !read(ExpectedType::YesNo, &mut as_question) {
            problems.extend(as_question);
        }
    }

    /// A face that is written down beforehand.
    pub fn face(&self, phrase: &Spanned, problems: &mut Problems) -> Option<FixedRoll> {
        match taped(phrase) {
            Ok(face) => {
                if let Some((stream, _)) = phrase.rsplit_once(':') {
                    let span = phrase.span.within(0, stream.len());
                    self.thing::<StreamId>(&Spanned { text: stream.trim().to_owned(), span }, problems);
                }
                Some(face)
            }
            Err(message) => {
                problems.push(Problem::new("HR0702", phrase.span, message));
                None
            }
        }
    }

    /// Steps of the game master.
    pub fn steps(&self, node: &TomlNode, problems: &mut Problems) {
        match &node.body {
            NodeKind::List(list) => drop(steps::nodes(&self.desk, list, &Locals::new(), problems)),
            NodeKind::Broken => {}
            _ => problems.push(
                Problem::new("HR0203", node.span, format!("`run` is a list of steps, not {}", node.described()))
                    .help("put it in brackets"),
            ),
        }
    }
}

fn names(table: &TomlTable) -> Vec<String> {
    table.names().map(str::to_owned).collect()
}

/// Reads a list of names, and each of them by what it may be.
pub(crate) fn each(
    f: &mut FieldReader<'_, '_>,
    key: &str,
    mut read: impl FnMut(&Spanned, &mut Problems),
) -> Option<Vec<String>> {
    f.child(key)?;
    let phrases = f.texts(key);
    phrases.iter().for_each(|phrase| read(phrase, f.problems()));
    Some(phrases.iter().map(|phrase| phrase.text.clone()).collect())
}

/// Reads a name by what it may be.
pub(crate) fn one(
    f: &mut FieldReader<'_, '_>,
    key: &str,
    read: impl FnOnce(&Spanned, &mut Problems),
) -> Option<String> {
    let phrase = f.text(key)?;
    read(phrase, f.problems());
    Some(phrase.text.clone())
}
