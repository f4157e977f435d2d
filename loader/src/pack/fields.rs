//! Reads the fields of a table by name and type, and tells every mistake.

use super::node::{NodeKind, Spanned, TomlEntry, TomlNode, TomlTable};
use crate::problems::Problems;
use houserule_kernel::error::{Problem, Span, nearest};
use std::ops::RangeInclusive;

/// A table that is being read. Ask for every field that it may have, then
/// [`close`](FieldReader::close) it: what nobody asked for is reported.
///
/// A field that is absent gives `None` or nothing; one of the wrong type is
/// reported and gives the same.
#[derive(Debug)]
#[must_use = "a table that is not closed does not report its unknown fields"]
pub struct FieldReader<'a, 'p> {
    /// None if the node is no table, which was reported.
    table: Option<&'a TomlTable>,
    span: Span,
    what: String,
    asked: Vec<String>,
    problems: &'p mut Problems,
}

impl<'a, 'p> FieldReader<'a, 'p> {
    /// Begins to read a table; `what` is its name in sentences, such as
    /// ``condition `slowed` ``.
    pub fn open(node: &'a TomlNode, what: impl Into<String>, problems: &'p mut Problems) -> FieldReader<'a, 'p> {
        let what = what.into();
        if !matches!(node.body, NodeKind::Table(_) | NodeKind::Broken) {
            problems.push(mismatch(node, &what, "a table", "write it as `{ … }` or under a header in brackets"));
        }
        FieldReader { table: node.as_table(), span: node.span, what, asked: Vec::new(), problems }
    }

    /// Begins to read a table inside this one.
    pub fn inside<'b>(&mut self, node: &'b TomlNode, what: impl Into<String>) -> FieldReader<'b, '_> {
        FieldReader::open(node, what, self.problems)
    }

    /// Ends the reading: each field that was not asked for is a problem.
    pub fn close(self) {
        let known = || self.asked.iter().map(String::as_str);
        let children = self.table.map(TomlTable::children).unwrap_or_default();
        for child in children.into_iter().filter(|child| !self.asked.contains(&child.name)) {
            let message = format!("unknown field `{}`", child.name);
            let mut problem =
                Problem::new("HR0201", child.span, message).label(format!("not a field of {}", self.what));
            problem.help = (!self.problems.is_full(child.span.file)).then(|| way_out(&child.name, known()));
            self.problems.push(problem);
        }
    }

    /// Where problems of deeper readers go.
    pub fn problems(&mut self) -> &mut Problems {
        self.problems
    }

    /// Where the table stands.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// A field of any type.
    pub fn node(&mut self, key: &str) -> Option<&'a TomlNode> {
        self.child(key).map(|child| &child.node)
    }

    /// A field of any type, with the place of its key.
    pub fn child(&mut self, key: &str) -> Option<&'a TomlEntry> {
        if !self.asked.iter().any(|asked| asked == key) {
            self.asked.push(key.to_owned());
        }
        self.table.and_then(|table| table.get(key))
    }

    /// A field of any type that must be there.
    pub fn required(&mut self, key: &str) -> Option<&'a TomlNode> {
        let node = self.node(key);
        if node.is_none() && self.table.is_some() {
            let message = format!("{} lacks the field `{key}`", self.what);
            self.problems.push(Problem::new("HR0202", self.span, message).help(format!("add `{key} = …`")));
        }
        node
    }

    /// A text.
    pub fn text(&mut self, key: &str) -> Option<&'a Spanned> {
        self.node(key).and_then(|node| self.as_text(node, key))
    }

    /// A text that must be there.
    pub fn required_text(&mut self, key: &str) -> Option<&'a Spanned> {
        self.required(key).and_then(|node| self.as_text(node, key))
    }

    /// A number.
    pub fn int(&mut self, key: &str) -> Option<i32> {
        self.node(key).and_then(|node| self.as_int(node, key))
    }

    /// A number that must be there.
    pub fn required_int(&mut self, key: &str) -> Option<i32> {
        self.required(key).and_then(|node| self.as_int(node, key))
    }

    /// A number within limits, both of which are allowed.
    pub fn int_in(&mut self, key: &str, limits: RangeInclusive<i32>) -> Option<i32> {
        let node = self.node(key)?;
        let number = self.as_int(node, key)?;
        if limits.contains(&number) {
            return Some(number);
        }
        let (least, most) = limits.into_inner();
        let message = format!("`{key}` cannot be `{number}`");
        self.problems.push(
            Problem::new("HR0205", node.span, message)
                .help(format!("a number lies here between `{least}` and `{most}`")),
        );
        None
    }

    /// `true` or `false`; the default stands in for an absent field.
    pub fn yes(&mut self, key: &str, default: bool) -> bool {
        match self.node(key).map(|node| (node, &node.body)) {
            Some((_, NodeKind::Yes(yes))) => *yes,
            Some((node, _)) => {
                self.wrong(node, key, "`true` or `false`", "write `true` or `false` without quotes");
                default
            }
            None => default,
        }
    }

    /// A list of anything; an absent one is empty.
    pub fn list(&mut self, key: &str) -> &'a [TomlNode] {
        match self.node(key).map(|node| (node, &node.body)) {
            Some((_, NodeKind::List(list))) => list,
            Some((node, _)) => {
                self.wrong(node, key, "a list", "put it in brackets");
                &[]
            }
            None => &[],
        }
    }

    /// A list of texts, or one text alone; an absent one is empty.
    pub fn texts(&mut self, key: &str) -> Vec<&'a Spanned> {
        match self.node(key).map(|node| (node, &node.body)) {
            Some((_, NodeKind::Text(phrase))) => vec![phrase],
            Some((_, NodeKind::List(list))) => {
                let each = format!("each of `{key}`");
                list.iter().filter_map(|node| self.text_called(node, &each)).collect()
            }
            Some((node, _)) => {
                self.wrong(node, key, "a text or a list of texts", "put texts in quotes");
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// The children of a table in the order of the file; an absent one has none.
    pub fn table(&mut self, key: &str) -> Vec<&'a TomlEntry> {
        match self.node(key).map(|node| (node, &node.body)) {
            Some((_, NodeKind::Table(table))) => table.children(),
            Some((node, _)) => {
                self.wrong(node, key, "a table", "write it as `{ … }` or under a header in brackets");
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// The place in `names` of the word that the field holds.
    pub fn one_of(&mut self, key: &str, names: &[&str]) -> Option<usize> {
        let word = self.text(key)?;
        let place = names.iter().position(|name| **name == **word);
        if place.is_none() {
            let message = format!("`{key}` cannot be `{}`", word.text);
            self.problems
                .push(Problem::new("HR0204", word.span, message).help(way_out(&word.text, names.iter().copied())));
        }
        place
    }

    /// This value as a text, or a problem.
    pub fn as_text(&mut self, node: &'a TomlNode, key: &str) -> Option<&'a Spanned> {
        self.text_called(node, &format!("`{key}`"))
    }

    fn text_called(&mut self, node: &'a TomlNode, what: &str) -> Option<&'a Spanned> {
        let phrase = node.as_text();
        if phrase.is_none() && node.body != NodeKind::Broken {
            self.problems.push(mismatch(node, what, "a text", "put it in quotes"));
        }
        phrase
    }

    /// This value as a number, or a problem.
    pub fn as_int(&mut self, node: &TomlNode, key: &str) -> Option<i32> {
        match &node.body {
            NodeKind::Int(number) => Some(*number),
            NodeKind::Text(phrase) if phrase.parse::<i32>().is_ok() => {
                self.wrong(node, key, "a whole number", &format!("write `{}` without quotes", phrase.text));
                None
            }
            _ => {
                self.wrong(node, key, "a whole number", "write digits");
                None
            }
        }
    }

    fn wrong(&mut self, node: &TomlNode, key: &str, wanted: &str, help: &str) {
        if node.body != NodeKind::Broken {
            self.problems.push(mismatch(node, &format!("`{key}`"), wanted, help));
        }
    }
}

fn mismatch(node: &TomlNode, what: &str, wanted: &str, help: &str) -> Problem {
    let message = format!("{what} must be {wanted}, not {}", node.described());
    Problem::new("HR0203", node.span, message).label(format!("not {wanted}")).help(help)
}

/// So many names are listed when none is near.
const MOST_LISTED: usize = 12;

/// The name that was meant, or those that there are.
pub(super) fn way_out<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    if let Some(name) = nearest(wrong, names.iter().copied()) {
        return format!("did you mean `{name}`?");
    }
    let listed: Vec<String> = names.iter().take(MOST_LISTED).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(MOST_LISTED) {
        _ if listed.is_empty() => "take it away".to_owned(),
        0 => format!("there is {}", listed.join(", ")),
        more => format!("there is {} and {more} more", listed.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::read_toml;
    use super::*;
    use houserule_kernel::error::Sources;

    /// Reads `text` as one condition and gives what was told.
    fn told(text: &str, read: impl FnOnce(&mut FieldReader<'_, '_>)) -> String {
        let (mut sources, mut problems) = (Sources::default(), Problems::default());
        let file = sources.add("conditions.toml", text);
        let table = read_toml(text, file, &mut problems);
        let node = &table.get("shaken").unwrap().node;
        let mut fields = FieldReader::open(node, "condition `shaken`", &mut problems);
        read(&mut fields);
        fields.close();
        problems.iter().map(|problem| sources.locate(problem).to_string()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_misspelt_field_is_told_with_the_field_that_was_meant() {
        // Field report B127.
        let told = told("[shaken]\nbonsu = 2\n", |f| assert_eq!(f.int("bonus"), None));
        assert_eq!(told, "conditions.toml:2:1: unknown field `bonsu` [HR0201]; did you mean `bonus`?");
    }

    #[test]
    fn fields_of_the_right_type_are_read_without_a_word() {
        let text = "[shaken]\nbonus = -2\nwhen = '1d6'\nsticky = true\ntags = 'fear'\nalso = ['a', 'b']\nhow = 'worst'\nsteps = [{}, 3]\npart.z = 1\npart.a = 2\n";
        let told = told(text, |f| {
            assert_eq!(f.int_in("bonus", -5..=5), Some(-2));
            let when = f.required_text("when").unwrap();
            assert_eq!((&**when, when.span.end - when.span.start), ("1d6", 3));
            assert!(f.yes("sticky", false));
            assert!(f.yes("absent", true));
            assert_eq!(f.texts("tags").len(), 1);
            assert_eq!(f.texts("also").iter().map(|text| &*text.text).collect::<Vec<_>>(), ["a", "b"]);
            assert_eq!(f.one_of("how", &["best", "worst"]), Some(1));
            assert_eq!(f.list("steps").len(), 2);
            assert_eq!(f.table("part").iter().map(|child| &*child.name).collect::<Vec<_>>(), ["z", "a"]);
            assert_eq!(f.texts("none").len() + f.list("nor").len() + f.table("either").len(), 0);
            assert_eq!(f.one_of("nothing", &["x"]), None);
        });
        assert_eq!(told, "");
    }

    #[test]
    fn every_mistake_is_told_at_once() {
        let text = "[shaken]\nbonus = '2'\nsize = true\nwhen = 3\nsticky = 'yes'\ntags = [1, 'a']\nsome = 1\nhow = 'wrost'\nwho = 'nobody'\nsteps = 'a'\npart = [1]\nfar = 9\n";
        let told = told(text, |f| {
            f.int("bonus");
            f.int("size");
            f.text("when");
            f.required_text("name");
            f.required_int("value");
            f.yes("sticky", true);
            assert_eq!(f.texts("tags").len(), 1, "the good ones stay");
            f.texts("some");
            f.one_of("how", &["best", "worst"]);
            f.one_of("who", &["actor", "target"]);
            f.list("steps");
            f.table("part");
            assert_eq!(f.int_in("far", 0..=4), None);
        });
        insta::assert_snapshot!(told, @r##"
        conditions.toml:2:9: `bonus` must be a whole number, not the text `2` [HR0203]; write `2` without quotes
        conditions.toml:3:8: `size` must be a whole number, not `true` [HR0203]; write digits
        conditions.toml:4:8: `when` must be a text, not the number `3` [HR0203]; put it in quotes
        conditions.toml:1:1: condition `shaken` lacks the field `name` [HR0202]; add `name = …`
        conditions.toml:1:1: condition `shaken` lacks the field `value` [HR0202]; add `value = …`
        conditions.toml:5:10: `sticky` must be `true` or `false`, not the text `yes` [HR0203]; write `true` or `false` without quotes
        conditions.toml:6:9: each of `tags` must be a text, not the number `1` [HR0203]; put it in quotes
        conditions.toml:7:8: `some` must be a text or a list of texts, not the number `1` [HR0203]; put texts in quotes
        conditions.toml:8:8: `how` cannot be `wrost` [HR0204]; did you mean `worst`?
        conditions.toml:9:8: `who` cannot be `nobody` [HR0204]; there is `actor`, `target`
        conditions.toml:10:9: `steps` must be a list, not the text `a` [HR0203]; put it in brackets
        conditions.toml:11:8: `part` must be a table, not a list [HR0203]; write it as `{ … }` or under a header in brackets
        conditions.toml:12:7: `far` cannot be `9` [HR0205]; a number lies here between `0` and `4`
        "##);
    }

    #[test]
    fn what_is_no_table_is_told_once() {
        let read = |f: &mut FieldReader<'_, '_>| assert!(f.required_text("name").is_none() && f.list("x").is_empty());
        let told = told("shaken = 3\n", read);
        insta::assert_snapshot!(told, @r##"
        conditions.toml:1:10: condition `shaken` must be a table, not the number `3` [HR0203]; write it as `{ … }` or under a header in brackets
        "##);
    }

    #[test]
    fn what_was_reported_as_broken_is_not_told_again() {
        let told = told("[shaken]\nbonus = 2.5\n", |f| assert_eq!(f.required_int("bonus"), None));
        insta::assert_snapshot!(told, @r##"
        conditions.toml:2:9: `2.5` is not a whole number [HR0102]; write a whole number, or a formula that rounds
        "##);
    }

    #[test]
    fn tables_inside_are_read_while_the_outer_one_is_open() {
        let told = told("[shaken]\npart.dex = { valeu = 3 }\n", |f| {
            for part in f.table("part") {
                let mut inner = f.inside(&part.node, format!("part `{}`", part.name));
                inner.int("value");
                inner.close();
            }
        });
        insta::assert_snapshot!(told, @r##"
        conditions.toml:2:14: unknown field `valeu` [HR0201]; did you mean `value`?
        "##);
    }
}
