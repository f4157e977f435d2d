//! One TOML file as a tree whose every value knows where it stands.

use super::limits::LONGEST_KEY;
use super::strict;
use crate::problems::Problems;
use houserule_kernel::error::{Problem, Span};
use std::collections::BTreeMap;
use std::ops::{Deref, Range};
use toml::de::{DeTable, DeValue};

/// So many errors of syntax make the values that they touch uncertain. Behind them
/// nothing more is told of the file, but how much more there is.
const MOST_SYNTAX_ERRORS: usize = houserule_kernel::error::MOST_IN_FILE;

/// A value in a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlNode {
    /// The value as written, quotes and brackets included; of a table with a
    /// header, the header.
    pub span: Span,
    /// What it is.
    pub body: NodeKind,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A text.
    Text(Spanned),
    /// A whole number.
    Int(i32),
    /// `true` or `false`.
    Yes(bool),
    /// Values in brackets, or the tables of one `[[name]]`.
    List(Vec<TomlNode>),
    /// Named values.
    Table(TomlTable),
    /// A value that was found faulty and reported; readers pass over it.
    Broken,
}

/// A text and the place of what stands between its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned {
    /// The text, with escapes resolved.
    pub text: String,
    /// The place without the quotes, so that byte `n` of a text without
    /// escapes is byte `n` of the span.
    pub span: Span,
}

impl Deref for Spanned {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// A named value of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlEntry {
    /// The key, without quotes.
    pub name: String,
    /// Where the key stands.
    pub span: Span,
    /// The value.
    pub node: TomlNode,
}

/// Named values; each name stands once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TomlTable {
    /// Boxed, since a map keeps room for eleven where there is one.
    children: BTreeMap<String, Box<TomlEntry>>,
}

impl TomlNode {
    /// The place without quotes for a text, the whole place for all else.
    #[must_use]
    pub fn inner_span(&self) -> Span {
        self.as_text().map_or(self.span, |phrase| phrase.span)
    }

    /// The text, if this is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&Spanned> {
        if let NodeKind::Text(phrase) = &self.body { Some(phrase) } else { None }
    }

    /// The table, if this is one.
    #[must_use]
    pub fn as_table(&self) -> Option<&TomlTable> {
        if let NodeKind::Table(table) = &self.body { Some(table) } else { None }
    }

    /// The texts of a list that holds nothing else.
    pub(super) fn as_texts(&self) -> Option<Vec<&Spanned>> {
        if let NodeKind::List(list) = &self.body { list.iter().map(TomlNode::as_text).collect() } else { None }
    }

    fn size(&self) -> (usize, usize) {
        match &self.body {
            NodeKind::Table(table) => table.size(),
            NodeKind::List(list) => list
                .iter()
                .map(TomlNode::size)
                .fold((1, 0), |(values, bytes), (more, long)| (values + more, bytes + long)),
            NodeKind::Text(phrase) => (1, phrase.text.len()),
            _ => (1, 0),
        }
    }

    /// The value as one names it in a sentence, such as ``the text `3` ``.
    #[must_use]
    pub fn described(&self) -> String {
        match &self.body {
            NodeKind::Text(phrase) => format!("the text `{}`", shortened(phrase)),
            NodeKind::Int(number) => format!("the number `{number}`"),
            NodeKind::Yes(yes) => format!("`{yes}`"),
            NodeKind::List(_) => "a list".to_owned(),
            NodeKind::Table(_) => "a table".to_owned(),
            NodeKind::Broken => "something broken".to_owned(),
        }
    }
}

impl TomlTable {
    /// The child of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&TomlEntry> {
        self.children.get(name).map(Box::as_ref)
    }

    /// All children in the order in which they were written; what a later
    /// pack added comes last.
    #[must_use]
    pub fn children(&self) -> Vec<&TomlEntry> {
        let mut children: Vec<&TomlEntry> = self.unsorted().collect();
        children.sort_by_key(|child| child.span);
        children
    }

    /// All children in the order of their names.
    pub(super) fn unsorted(&self) -> impl Iterator<Item = &TomlEntry> {
        self.children.values().map(Box::as_ref)
    }

    /// All names, in byte order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.children.keys().map(String::as_str)
    }

    /// True if it has no child.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    /// How many values it holds, itself included, and how many bytes their names
    /// and texts have.
    pub(super) fn size(&self) -> (usize, usize) {
        self.unsorted().fold((1, 0), |(values, bytes), child| {
            let (more, long) = child.node.size();
            (values + more, bytes + long + child.name.len())
        })
    }

    pub(super) fn into_children(self) -> Vec<TomlEntry> {
        let mut children: Vec<TomlEntry> = self.children.into_values().map(|child| *child).collect();
        children.sort_by_key(|child| child.span);
        children
    }

    pub(super) fn put(&mut self, child: TomlEntry) {
        self.children.insert(child.name.clone(), Box::new(child));
    }

    pub(super) fn take(&mut self, name: &str) -> Option<TomlEntry> {
        self.children.remove(name).map(|child| *child)
    }
}

/// Reads one file; `file` is its number in the sources. Whatever is wrong
/// joins `problems`, and the rest of the file is read all the same.
#[must_use]
pub fn read_toml(text: &str, file: u16, problems: &mut Problems) -> TomlTable {
    if !strict::may_be_read(text, file, problems) {
        return TomlTable::default();
    }
    let (root, errors) = DeTable::parse_recoverable(text);
    let mut reader = TomlReader { text, file, faulty: Vec::new(), problems };
    reader.report_syntax(&errors);
    reader.table(root.get_ref())
}

struct TomlReader<'a> {
    text: &'a str,
    file: u16,
    /// Where syntax is wrong: a value that touches it says nothing certain.
    faulty: Vec<Range<usize>>,
    problems: &'a mut Problems,
}

impl TomlReader<'_> {
    fn report_syntax(&mut self, errors: &[toml::de::Error]) {
        for (at, error) in errors.iter().enumerate() {
            let range = error.span().unwrap_or_default();
            self.problems.push(self.syntax_problem(error.message(), &range));
            self.faulty.extend((at < MOST_SYNTAX_ERRORS).then_some(range));
        }
    }

    fn syntax_problem(&self, message: &str, range: &Range<usize>) -> Problem {
        let span = self.span(range);
        if message == "duplicate key" {
            let message = format!("`{}` stands twice in one table", self.written(range));
            return Problem::new("HR0101", span, message).label("the second").help("keep one of the two");
        }
        // The parser's words for `x =` with nothing behind it would mislead.
        if message.starts_with("string values must be quoted") {
            let problem = Problem::new("HR0101", span, "a value is missing here, or a text lacks its quotes");
            return problem.help("write a number, `true`, `false`, or a text in quotes");
        }
        Problem::new("HR0101", span, format!("this is not TOML: {message}"))
    }

    fn span(&self, range: &Range<usize>) -> Span {
        let number = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { file: self.file, start: number(range.start), end: number(range.end) }
    }

    fn written(&self, range: &Range<usize>) -> String {
        shortened(self.text.get(range.clone()).unwrap_or(""))
    }

    fn table(&mut self, table: &DeTable<'_>) -> TomlTable {
        let mut read = TomlTable::default();
        for (key, value) in table.iter() {
            if key.get_ref().len() > LONGEST_KEY {
                self.too_long(key.get_ref().len(), &key.span());
                continue;
            }
            let node = self.node(value.get_ref(), &value.span());
            read.put(TomlEntry { name: key.get_ref().to_string(), span: self.span(&key.span()), node });
        }
        read
    }

    fn too_long(&mut self, length: usize, range: &Range<usize>) {
        let message = format!("a key of {length} bytes is too long");
        let problem = Problem::new("HR0107", self.span(range), message);
        self.problems.push(problem.help(format!("keep it within {LONGEST_KEY} bytes")));
    }

    fn node(&mut self, value: &DeValue<'_>, range: &Range<usize>) -> TomlNode {
        let body = match value {
            DeValue::Table(table) => NodeKind::Table(self.table(table)),
            DeValue::Array(list) => {
                NodeKind::List(list.iter().map(|value| self.node(value.get_ref(), &value.span())).collect())
            }
            _ if self.is_faulty(range) => NodeKind::Broken,
            DeValue::String(text) => NodeKind::Text(self.phrase(text, range)),
            DeValue::Boolean(yes) => NodeKind::Yes(*yes),
            DeValue::Integer(number) => self.int(number.as_str(), number.radix(), range),
            DeValue::Float(_) => self.float(range),
            DeValue::Datetime(_) => {
                let message = format!("`{}` is a date or a time, which no rule reads", self.written(range));
                self.broken("HR0104", range, message, "put it in quotes to make it a text")
            }
        };
        TomlNode { span: self.span(range), body }
    }

    fn is_faulty(&self, range: &Range<usize>) -> bool {
        self.faulty.iter().any(|fault| fault.start <= range.end && range.start <= fault.end)
    }

    fn phrase(&self, text: &str, range: &Range<usize>) -> Spanned {
        let raw = self.text.get(range.clone()).unwrap_or("");
        let long = raw.starts_with("\"\"\"") || raw.starts_with("'''");
        let quotes = if long { 3 } else { 1 };
        // A line break straight after three quotes is not part of the text.
        let open = quotes + usize::from(long && raw.get(3..4) == Some("\n"));
        Spanned { text: text.to_owned(), span: self.span(range).within(open, raw.len().saturating_sub(quotes)) }
    }

    fn int(&mut self, digits: &str, radix: u32, range: &Range<usize>) -> NodeKind {
        i32::from_str_radix(digits, radix).map(NodeKind::Int).unwrap_or_else(|_| {
            let message = format!("`{}` is too large a number", self.written(range));
            let help = format!("a number lies between `{}` and `{}`", i32::MIN, i32::MAX);
            self.broken("HR0103", range, message, &help)
        })
    }

    fn float(&mut self, range: &Range<usize>) -> NodeKind {
        let written = self.written(range);
        let help = match written.split_once('.') {
            Some((whole, rest)) if rest.bytes().all(|digit| digit == b'0') => format!("write `{whole}`"),
            _ => "write a whole number, or a formula that rounds".to_owned(),
        };
        self.broken("HR0102", range, format!("`{written}` is not a whole number"), &help)
    }

    fn broken(&mut self, code: &'static str, range: &Range<usize>, message: String, help: &str) -> NodeKind {
        self.problems.push(Problem::new(code, self.span(range), message).help(help));
        NodeKind::Broken
    }
}

/// At most forty characters of a text, on one line.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    let short: String = line.chars().take(40).collect();
    if short.len() < text.len() { short + "…" } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_kernel::error::Sources;

    fn read(text: &str) -> (TomlTable, Vec<String>) {
        let (mut sources, mut problems) = (Sources::default(), Problems::default());
        let file = sources.add("a.toml", text);
        let table = read_toml(text, file, &mut problems);
        (table, problems.told(&sources).iter().map(ToString::to_string).collect())
    }

    fn inner(text: &str) -> &str {
        let (table, problems) = read(text);
        assert_eq!(problems, [""; 0]);
        let span = table.get("x").unwrap().node.inner_span();
        &text[span.start as usize..span.end as usize]
    }

    #[test]
    fn children_stand_in_the_order_of_the_file() {
        let (table, _) = read("[z]\n[b]\nq = 1\np.y = true\na = ['c']\n[a.k]\n");
        let names = |table: &TomlTable| table.children().iter().map(|child| child.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&table), ["z", "b", "a"]);
        assert_eq!(names(table.get("b").unwrap().node.as_table().unwrap()), ["q", "p", "a"]);
    }

    #[test]
    fn expressions_can_point_into_their_quotes() {
        assert_eq!(inner("x = \"1d20\""), "1d20");
        assert_eq!(inner("x = '1d20'"), "1d20");
        assert_eq!(inner("x = ''"), "");
        assert_eq!(inner("x = \"\"\"\n1d20 \\n+ 2\"\"\""), "1d20 \\n+ 2");
        assert_eq!(inner("x = '''1d20'''"), "1d20");
        assert_eq!(inner("x = 12"), "12");
    }

    #[test]
    fn numbers_that_are_no_rules_values_are_refused_all_at_once() {
        // Field report B135: the four inputs, and their kin.
        let (table, told) = read(concat!(
            "bonus = 99999999999999999999\n",
            "[b]\nbonus = 2.0\nhalf = 0.5\nbig = 1e9\n",
            "[c]\nmult = nan\nmost = -inf\nedge = 2147483648\nhex = 0x1_0000_0000\n",
            "[d]\nbonus = 1\nbonus = 2\n",
            "[e]\nday = 1979-05-27\nlow = -2147483648\n",
        ));
        insta::assert_snapshot!(told.join("\n"), @r##"
        a.toml:1:9: `99999999999999999999` is too large a number [HR0103]; a number lies between `-2147483648` and `2147483647`
        a.toml:3:9: `2.0` is not a whole number [HR0102]; write `2`
        a.toml:4:8: `0.5` is not a whole number [HR0102]; write a whole number, or a formula that rounds
        a.toml:5:7: `1e9` is not a whole number [HR0102]; write a whole number, or a formula that rounds
        a.toml:7:8: `nan` is not a whole number [HR0102]; write a whole number, or a formula that rounds
        a.toml:8:8: `-inf` is not a whole number [HR0102]; write a whole number, or a formula that rounds
        a.toml:9:8: `2147483648` is too large a number [HR0103]; a number lies between `-2147483648` and `2147483647`
        a.toml:10:7: `0x1_0000_0000` is too large a number [HR0103]; a number lies between `-2147483648` and `2147483647`
        a.toml:13:1: `bonus` stands twice in one table [HR0101]; keep one of the two
        a.toml:15:7: `1979-05-27` is a date or a time, which no rule reads [HR0104]; put it in quotes to make it a text
        "##);
        let low = &table.get("e").unwrap().node.as_table().unwrap().get("low").unwrap().node;
        assert_eq!(low.body, NodeKind::Int(i32::MIN));
        assert_eq!(table.get("bonus").unwrap().node.body, NodeKind::Broken);
    }

    #[test]
    fn faults_of_syntax_are_told_with_their_place() {
        let (table, told) = read("a =\nb = 'x\nc = 3\n[t]\n[t]\nd = { e = 1, e = 2 }\nf 4\n[g\nh = [1,\n");
        insta::assert_snapshot!(told.join("\n"), @r##"
        a.toml:1:4: a value is missing here, or a text lacks its quotes [HR0101]; write a number, `true`, `false`, or a text in quotes
        a.toml:2:7: this is not TOML: invalid literal string, expected `'` [HR0101]
        a.toml:5:2: `t` stands twice in one table [HR0101]; keep one of the two
        a.toml:6:14: `e` stands twice in one table [HR0101]; keep one of the two
        a.toml:7:3: this is not TOML: key with no value, expected `=` [HR0101]
        a.toml:8:3: this is not TOML: unclosed table, expected `]` [HR0101]
        a.toml:9:8: this is not TOML: unclosed array, expected `]` [HR0101]
        "##);
        assert_eq!(table.get("a").unwrap().node.body, NodeKind::Broken);
        assert_eq!(table.get("b").unwrap().node.body, NodeKind::Broken);
        assert_eq!(table.get("c").unwrap().node.body, NodeKind::Int(3));
    }

    #[test]
    fn the_deepest_nesting_fits_on_a_small_stack() {
        let inner = format!("{}{}", "[".repeat(31), "]".repeat(31));
        let tables = format!("[{}a]\n{}a = 1\nb = {inner}\n", "a.".repeat(30), "a.".repeat(30));
        let deeper = "{ a.a.a.a.a = ".repeat(2000);
        let small = std::thread::Builder::new().stack_size(256 * 1024);
        let told = small.spawn(move || (read(&tables).1, read(&format!("x = {deeper}")).1)).unwrap().join().unwrap();
        assert_eq!(told.0, [""; 0]);
        assert_eq!(told.1, ["a.toml:1:94: this nests more than 32 deep [HR0106]; give the inner part a name"]);
    }

    #[test]
    fn a_flood_of_faults_is_counted() {
        let (_, told) = read(&"a = 1\n".repeat(100));
        assert_eq!(told.len(), 51);
        assert!(told[50].contains("this file has 49 more problems"), "{}", told[50]);
    }
}
