//! Families: definitions that are alike but for a word, written once.
//!
//! ```toml
//! [family.lasting]
//! KIND = ["acid", "fire"]
//! [family.lasting.condition.burns_KIND]
//! about = "burns with KIND"
//! ```
//!
//! stands for two conditions, `burns_acid` and `burns_fire`. With several words
//! in capitals, the first of each go together, then the second, and so on. What a
//! word stands for is put in once: capitals in it stay as they are.

use super::growth::Growth;
use super::limits::LONGEST_NAME;
use super::node::{NodeKind, Spanned, TomlEntry, TomlNode, TomlTable};
use crate::problems::Problems;
use houserule_kernel::error::{Problem, Span};

/// The most words a family stands for.
const MOST_MEMBERS: usize = 200;

/// A word in capitals, and what it stands for in each member.
type FamilyWord = (String, Vec<String>);

/// The tables that families stand for, one for each member, as far as there is
/// room for them.
pub(super) fn members(families: TomlNode, growth: &mut Growth, problems: &mut Problems) -> Vec<TomlTable> {
    let span = families.span;
    let NodeKind::Table(families) = families.body else {
        problems.push(wrong(span, "`family` is a table of families, as in `[family.lasting]`"));
        return Vec::new();
    };
    families.into_children().into_iter().flat_map(|family| members_of(family, growth, problems)).collect()
}

fn members_of(family: TomlEntry, growth: &mut Growth, problems: &mut Problems) -> Vec<TomlTable> {
    let NodeKind::Table(mut table) = family.node.body else {
        problems.push(wrong(family.node.span, "a family is a table with a list of words in capitals"));
        return Vec::new();
    };
    table.take("about");
    let words = match words(&mut table, family.span) {
        Ok(words) => words,
        Err(problem) => {
            problems.push(problem);
            return Vec::new();
        }
    };
    let what = format!("family.{}", family.name);
    let count = words.first().map_or(0, |(_, members)| members.len());
    let mut written = Vec::new();
    for at in 0..count {
        let member = FamilyMember { words: &words, at };
        let (values, bytes) = member.size(&table);
        if !growth.take(values, bytes, &what, family.span, problems) {
            break;
        }
        written.push(member.table(&table, problems));
    }
    written
}

/// Takes the words in capitals out of a family.
fn words(table: &mut TomlTable, span: Span) -> Result<Vec<FamilyWord>, Problem> {
    let names: Vec<String> = table.names().filter(|name| is_word(name)).map(str::to_owned).collect();
    let mut words: Vec<FamilyWord> = Vec::new();
    for child in names.iter().filter_map(|name| table.take(name)) {
        let members = child.node.as_texts().filter(|members| (1..=MOST_MEMBERS).contains(&members.len()));
        let Some(members) = members else {
            let told = format!("`{}` is a list of 1 to {MOST_MEMBERS} words, each in quotes", child.name);
            return Err(wrong(child.node.span, &told));
        };
        if let Some(long) = members.iter().find(|member| member.len() > LONGEST_NAME) {
            let told = format!("a word of {} bytes is too long for a family", long.len());
            return Err(wrong(long.span, &told).help(format!("keep it within {LONGEST_NAME} bytes")));
        }
        if words.first().is_some_and(|(_, first)| first.len() != members.len()) {
            return Err(wrong(child.node.span, "all lists of a family are of one length"));
        }
        words.push((child.name, members.into_iter().map(|phrase| phrase.text.clone()).collect()));
    }
    let lacking = wrong(span, "this family does not say which words it stands for");
    let help = "add a list under a name in capitals, such as `KIND = [\"acid\", \"fire\"]`";
    if words.is_empty() { Err(lacking.help(help)) } else { Ok(words) }
}

fn is_word(name: &str) -> bool {
    name.chars().all(|sign| sign.is_ascii_uppercase())
}

fn wrong(span: Span, told: &str) -> Problem {
    Problem::new("HR0133", span, told)
}

/// One member of a family.
struct FamilyMember<'w> {
    /// Sorted by name, as the table gave them.
    words: &'w [FamilyWord],
    at: usize,
}

impl FamilyMember<'_> {
    /// How many values and bytes the member will have.
    fn size(&self, table: &TomlTable) -> (usize, usize) {
        table.unsorted().fold((1, 0), |(values, bytes), child| {
            let (more, long) = self.size_of(&child.node);
            (values + more, bytes + long + self.length(&child.name))
        })
    }

    fn size_of(&self, node: &TomlNode) -> (usize, usize) {
        match &node.body {
            NodeKind::Table(table) => self.size(table),
            NodeKind::List(list) => list
                .iter()
                .map(|node| self.size_of(node))
                .fold((1, 0), |(values, bytes), (more, long)| (values + more, bytes + long)),
            NodeKind::Text(phrase) => (1, self.length(phrase)),
            _ => (1, 0),
        }
    }

    fn table(&self, table: &TomlTable, problems: &mut Problems) -> TomlTable {
        let mut member = TomlTable::default();
        for child in table.children() {
            let (name, node) = (self.worded(&child.name), self.node(&child.node, problems));
            if member.get(&name).is_some() {
                problems.push(wrong(child.span, &format!("`{name}` stands twice in one member of this family")));
            }
            member.put(TomlEntry { name, span: child.span, node });
        }
        member
    }

    fn node(&self, node: &TomlNode, problems: &mut Problems) -> TomlNode {
        let body = match &node.body {
            NodeKind::Text(phrase) => NodeKind::Text(Spanned { text: self.worded(phrase), span: phrase.span }),
            NodeKind::List(list) => NodeKind::List(list.iter().map(|node| self.node(node, problems)).collect()),
            NodeKind::Table(table) => NodeKind::Table(self.table(table, problems)),
            other => other.clone(),
        };
        TomlNode { span: node.span, body }
    }

    fn length(&self, text: &str) -> usize {
        pieces(text).map(|piece| self.put_in(piece).len()).sum()
    }

    fn worded(&self, text: &str) -> String {
        let mut worded = String::with_capacity(self.length(text));
        worded.extend(pieces(text).map(|piece| self.put_in(piece)));
        worded
    }

    /// What stands for a piece of text: a word stands by itself if no further
    /// capital touches it, so that it is a whole piece.
    fn put_in<'t>(&'t self, piece: &'t str) -> &'t str {
        let found = self.words.binary_search_by(|(word, _)| word.as_str().cmp(piece)).ok();
        found.and_then(|found| self.words.get(found)?.1.get(self.at)).map_or(piece, String::as_str)
    }
}

/// A text cut where capitals begin and end.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.bytes().next()?.is_ascii_uppercase();
        let end = rest.bytes().position(|byte| byte.is_ascii_uppercase() != first).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at_checked(end)?;
        rest = behind;
        Some(piece)
    })
}
