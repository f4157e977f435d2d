//! Refuses what the TOML parser would let pass: syntax younger than TOML 1.0,
//! nesting so deep that reading it could exhaust a small stack, and so many
//! values that they would fill the memory.

use super::limits::MOST_VALUES_IN_FILE;
use crate::problems::Problems;
use houserule_kernel::error::{Problem, Span};

/// How deep a key or a value may nest.
const DEEPEST: usize = 32;

/// A bracket that is still open, and the dots of the key written in it.
struct OpenTable {
    bracket: u8,
    dots: usize,
}

/// Stands for the bracket of a table's header, which ends with its line.
const HEADER: u8 = b'h';

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    file: u16,
    open: Vec<OpenTable>,
    dots: usize,
    /// Signs that begin a value or a table: no fewer than there are values.
    values: usize,
    /// The last byte that was neither space nor comment, and where it stands.
    last: (u8, usize),
    problems: &'a mut Problems,
}

/// Looks through a file before it is parsed; true if it may be parsed.
pub(super) fn may_be_read(text: &str, file: u16, problems: &mut Problems) -> bool {
    let mut scan =
        Scan { bytes: text.as_bytes(), at: 0, file, open: Vec::new(), dots: 0, values: 0, last: (b'\n', 0), problems };
    while let Some(byte) = scan.peek(0) {
        scan.step(byte);
        if scan.depth() > DEEPEST {
            let message = format!("this nests more than {DEEPEST} deep");
            scan.report("HR0106", scan.last.1, message, "give the inner part a name");
            return false;
        }
        if scan.values > MOST_VALUES_IN_FILE {
            let message = format!("this file holds more than {MOST_VALUES_IN_FILE} values");
            scan.report("HR0135", scan.last.1, message, "make several files of it");
            return false;
        }
    }
    true
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn depth(&self) -> usize {
        self.dots + self.open.iter().map(|open| 1 + open.dots).sum::<usize>()
    }

    fn bracket(&self) -> u8 {
        self.open.last().map_or(b'\n', |open| open.bracket)
    }

    fn key_dots(&mut self) -> &mut usize {
        self.open.last_mut().map_or(&mut self.dots, |open| &mut open.dots)
    }

    fn step(&mut self, byte: u8) {
        let start = self.at;
        self.values += usize::from(matches!(byte, b'=' | b',' | b'[' | b'{' | b'.'));
        match byte {
            b' ' | b'\t' => return self.at += 1,
            b'#' => return self.skip_until(b"\r\n"),
            b'"' | b'\'' => self.string(byte),
            b'[' | b'{' => self.enter(byte),
            b']' | b'}' => self.leave(byte),
            b'.' => *self.key_dots() += 1,
            b',' => *self.key_dots() = 0,
            b'\r' | b'\n' => self.end_line(),
            b'=' => {}
            _ => self.skip_until(b".=,[]{} \t#\r\n"),
        }
        self.at = self.at.max(start + 1);
        self.last = (byte, start);
    }

    fn skip_until(&mut self, stops: &[u8]) {
        while self.peek(0).is_some_and(|byte| !stops.contains(&byte)) {
            self.at += 1;
        }
    }

    fn enter(&mut self, byte: u8) {
        let header = byte == b'[' && (self.bracket() == HEADER || self.open.is_empty() && self.last.0 == b'\n');
        self.open.push(OpenTable { bracket: if header { HEADER } else { byte }, dots: 0 });
    }

    fn leave(&mut self, byte: u8) {
        if byte == b'}' && self.bracket() == b'{' && self.last.0 == b',' {
            self.younger(self.last.1, "a comma before `}`", "take the comma away");
        }
        if matches!((self.bracket(), byte), (b'{', b'}') | (b'[' | HEADER, b']')) {
            self.open.pop();
        }
    }

    fn end_line(&mut self) {
        while self.bracket() == HEADER {
            self.open.pop();
        }
        if self.bracket() == b'{' {
            self.younger(self.at, "a line that ends inside `{ }`", "write it on one line, or as a table of its own");
        }
        if self.last.0 != b'=' {
            *self.key_dots() = 0;
        }
    }

    /// Goes past a string as the parser does, which ends a forgotten quote
    /// with its line.
    fn string(&mut self, quote: u8) {
        let long = self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        self.at += if long { 3 } else { 1 };
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' if quote == b'"' => self.escape(),
                b'\n' if !long => return,
                _ if byte == quote && !long => return self.at += 1,
                _ if byte == quote && self.peek(1) == Some(quote) && self.peek(2) == Some(quote) => {
                    return self.end_long(quote);
                }
                _ => self.at += 1,
            }
        }
    }

    fn escape(&mut self) {
        match self.peek(1) {
            Some(b'e' | b'x') => self.younger(self.at, "the escape `\\e` or `\\x`", "write `\\u` and four digits"),
            Some(b'\\' | b'"') => self.at += 1,
            _ => {}
        }
        self.at += 1;
    }

    /// A long string may end in two more quotes of its own.
    fn end_long(&mut self, quote: u8) {
        self.at += 3;
        for _ in 0..2 {
            self.at += usize::from(self.peek(0) == Some(quote));
        }
    }

    fn younger(&mut self, at: usize, what: &str, help: &str) {
        self.report("HR0105", at, format!("{what} is younger than TOML 1.0, which packs are written in"), help);
    }

    fn report(&mut self, code: &'static str, at: usize, message: String, help: &str) {
        let start = u32::try_from(at).unwrap_or(u32::MAX);
        let span = Span { file: self.file, start, end: start.saturating_add(1) };
        self.problems.push(Problem::new(code, span, message).help(help));
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::{NodeKind, TomlNode, read_toml};
    use super::*;
    use proptest::prelude::*;

    fn told(text: &str) -> Vec<(u32, &'static str)> {
        let mut problems = Problems::default();
        may_be_read(text, 0, &mut problems);
        problems.iter().map(|problem| (problem.span.start, problem.code)).collect()
    }

    #[test]
    fn toml_of_the_first_edition_passes() {
        let text =
            "[a.b] # {\nx = [1,\n 2,\n]\ny = { z = \"\\n } ,}\", w = [\n1] }\nl = '\\e'\nm = '''{\n,}'''''\n[[c]]\n";
        assert_eq!(told(text), []);
    }

    #[test]
    fn younger_toml_is_refused_where_it_stands() {
        assert_eq!(told("x = { a = 1, }"), [(11, "HR0105")]);
        assert_eq!(told("x = { a = 1\n}"), [(11, "HR0105")]);
        assert_eq!(told(r#"x = "\e""#), [(5, "HR0105")]);
        assert_eq!(told("x = \"\"\"\n\\x41\"\"\""), [(8, "HR0105")]);
    }

    #[test]
    fn what_nests_too_deep_is_not_parsed() {
        assert_eq!(told(&format!("x = {}", "[".repeat(40))), [(36, "HR0106")]);
        assert_eq!(told(&format!("{}x = 1", "a.".repeat(40))), [(65, "HR0106")]);
        let many_keys = "a.b.c = 1.5\n".repeat(40);
        assert_eq!(told(&many_keys), []);
        assert_eq!(told(&"[a.b\n".repeat(40)), [], "a forgotten bracket does not count on");
    }

    fn depth(node: &TomlNode) -> usize {
        match &node.body {
            NodeKind::List(list) => 1 + list.iter().map(depth).max().unwrap_or(0),
            NodeKind::Table(table) => 1 + table.children().iter().map(|child| depth(&child.node)).max().unwrap_or(0),
            _ => 1,
        }
    }

    proptest! {
        #[test]
        fn the_scan_sees_all_the_nesting_the_parser_sees(text in "[.'\"\\\\{}\\[\\]=,\na #\\r]{0,200}", deep in "(\\{|a\\.|\\[|a\\.a=|\\{a=|\"\"|''|\n|\\]|\\}|=|,|\\[a\\.|\"|'| ){0,120}") {
            for text in [text, deep] {
                let table = read_toml(&text, 0, &mut Problems::default());
                let node = TomlNode { span: Span::default(), body: NodeKind::Table(table) };
                prop_assert!(depth(&node) <= 2 * DEEPEST + 4);
            }
        }
    }
}
