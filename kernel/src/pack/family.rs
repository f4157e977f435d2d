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
//! in capitals, the first of each go together, then the second, and so on.

use super::node::{Body, Child, Node, Phrase, Table};
use crate::error::{Problem, Span};

/// The most words a family stands for.
const MOST_MEMBERS: usize = 200;

/// A word in capitals, and what it stands for in each member.
type Word = (String, Vec<String>);

/// The tables that families stand for, one for each member.
pub(super) fn members(families: Node, problems: &mut Vec<Problem>) -> Vec<Table> {
    let span = families.span;
    let Body::Table(families) = families.body else {
        problems.push(wrong(span, "`family` is a table of families, as in `[family.lasting]`"));
        return Vec::new();
    };
    families.into_children().into_iter().flat_map(|family| members_of(family, problems)).collect()
}

fn members_of(family: Child, problems: &mut Vec<Problem>) -> Vec<Table> {
    let Body::Table(mut table) = family.node.body else {
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
    let count = words.first().map_or(0, |(_, members)| members.len());
    (0..count).map(|at| member(&table, &words, at, problems)).collect()
}

/// Takes the words in capitals out of a family.
fn words(table: &mut Table, span: Span) -> Result<Vec<Word>, Problem> {
    let names: Vec<String> = table.names().filter(|name| is_word(name)).map(str::to_owned).collect();
    let mut words: Vec<Word> = Vec::new();
    for child in names.iter().filter_map(|name| table.take(name)) {
        let members = child.node.as_texts().filter(|members| (1..=MOST_MEMBERS).contains(&members.len()));
        let Some(members) = members else {
            let told = format!("`{}` is a list of 1 to {MOST_MEMBERS} words, each in quotes", child.name);
            return Err(wrong(child.node.span, &told));
        };
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

fn member(table: &Table, words: &[Word], at: usize, problems: &mut Vec<Problem>) -> Table {
    let mut member = Table::default();
    for child in table.children() {
        let (name, node) = (worded(&child.name, words, at), worded_node(&child.node, words, at, problems));
        if member.get(&name).is_some() {
            problems.push(wrong(child.span, &format!("`{name}` stands twice in one member of this family")));
        }
        member.put(Child { name, span: child.span, node });
    }
    member
}

fn worded(text: &str, words: &[Word], at: usize) -> String {
    let put = |text: String, (word, members): &Word| match members.get(at) {
        Some(member) => put_in(&text, word, member),
        None => text,
    };
    words.iter().fold(text.to_owned(), put)
}

/// Puts a member wherever a word stands by itself: no further capital touches it.
fn put_in(text: &str, word: &str, member: &str) -> String {
    let is_capital = |sign: Option<char>| sign.is_some_and(|sign| sign.is_ascii_uppercase());
    let (mut put, mut from) = (String::new(), 0);
    for (at, found) in text.match_indices(word) {
        let (before, after) = (text.get(..at).unwrap_or(""), text.get(at + found.len()..).unwrap_or(""));
        if !is_capital(before.chars().next_back()) && !is_capital(after.chars().next()) {
            put += text.get(from..at).unwrap_or("");
            put += member;
            from = at + found.len();
        }
    }
    put + text.get(from..).unwrap_or("")
}

fn worded_node(node: &Node, words: &[Word], at: usize, problems: &mut Vec<Problem>) -> Node {
    let body = match &node.body {
        Body::Text(phrase) => Body::Text(Phrase { text: worded(phrase, words, at), span: phrase.span }),
        Body::List(list) => Body::List(list.iter().map(|node| worded_node(node, words, at, problems)).collect()),
        Body::Table(table) => Body::Table(member(table, words, at, problems)),
        other => other.clone(),
    };
    Node { span: node.span, body }
}
