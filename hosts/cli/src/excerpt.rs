//! The line of a file that a finding is about, as it may be shown: harmless, and not too long.

use houserule::kernel::printable::printable;
use std::ops::Range;

/// The most characters that are shown of each part of a line: before what is
/// underlined, of it, and behind it.
const MOST_AROUND: usize = 100;
/// Stands where something was left out.
const LEFT_OUT: &str = "…";

/// A part of a line.
#[derive(Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// What is shown.
    pub line: String,
    /// Which bytes of it are underlined.
    pub underlined: Range<usize>,
}

impl Excerpt {
    /// The line in which a stretch of bytes begins, with the stretch underlined
    /// as far as it lies in that line.
    pub fn of(text: &str, start: u32, end: u32) -> Excerpt {
        let start = text.floor_char_boundary(start as usize);
        let end = text.floor_char_boundary(end as usize).max(start);
        let (before, rest) = text.split_at_checked(start).unwrap_or((text, ""));
        let before = before.rsplit('\n').next().unwrap_or_default();
        let rest = rest.split('\n').next().unwrap_or_default();
        let (meant, behind) = rest.split_at_checked(end - start).unwrap_or((rest, ""));
        let mut line = last(before);
        let begin = line.len();
        line.push_str(&first(meant));
        let underlined = begin..line.len();
        line.push_str(&first(behind));
        Excerpt { line, underlined }
    }

    /// The column, from one, at which the underlined part is shown.
    pub fn column(&self) -> u32 {
        let before = self.line.get(..self.underlined.start).unwrap_or_default();
        u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX)
    }
}

/// A part of a line as it may be shown. Tabs stay: whoever draws the line knows
/// how wide they are.
fn harmless(part: &str) -> String {
    part.split('\t').map(printable).collect::<Vec<_>>().join("\t")
}

/// The end of a text.
fn last(text: &str) -> String {
    match text.char_indices().rev().nth(MOST_AROUND) {
        Some((at, _)) => format!("{LEFT_OUT}{}", harmless(text.get(at..).unwrap_or_default())),
        None => harmless(text),
    }
}

/// The beginning of a text.
fn first(text: &str) -> String {
    match text.char_indices().nth(MOST_AROUND) {
        Some((at, _)) => format!("{}{LEFT_OUT}", harmless(text.get(..at).unwrap_or_default())),
        None => harmless(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str, start: u32, end: u32) -> (String, String) {
        let Excerpt { line, underlined } = Excerpt::of(text, start, end);
        (line[underlined].to_owned(), line)
    }

    #[test]
    fn what_is_underlined_stays_so_behind_what_is_spelled_out() {
        let (meant, line) = parts("a = 1\nb\t= \u{1b}[2J\u{202e} two # ä\u{7}\nc", 18, 21);
        assert_eq!((&*meant, &*line), ("two", "b\t= \\u{1b}[2J\\u{202e} two # ä\\u{7}"));
        assert_eq!(parts("x = \"\u{1b}\"", 4, 7).0, "\"\\u{1b}\"");
    }

    #[test]
    fn a_stretch_ends_with_its_line() {
        assert_eq!(parts("one\ntwo\nthree", 5, 10), ("wo".to_owned(), "two".to_owned()));
        assert_eq!(parts("one\n", 3, 3), (String::new(), "one".to_owned()));
    }

    #[test]
    fn err_of_a_long_line_only_what_is_near_is_shown() {
        let long = format!("{}HERE{}", "\u{1b}".repeat(100_000), "b".repeat(100_000));
        let (meant, line) = parts(&long, 100_000, 100_004);
        assert_eq!((meant.as_str(), line.len()), ("HERE", 3 + 101 * 6 + 4 + 100 + 3));
        assert!(line.starts_with("…\\u{1b}") && line.ends_with("b…"));
        assert_eq!(parts(&"x".repeat(5_000), 10, 4_000).0.chars().count(), MOST_AROUND + 1);
    }

    #[test]
    fn err_a_place_outside_its_text_is_brought_back() {
        for text in ["", "ä", "ä\n", "\n\n", "x = \"€\"\n", "\u{1b}[31m\tred\r\n"] {
            for start in 0..9 {
                for end in [0, start, start + 1, u32::MAX] {
                    let Excerpt { line, underlined } = Excerpt::of(text, start, end);
                    assert!(line.get(underlined).is_some() && !line.contains(['\u{1b}', '\n']));
                }
            }
        }
    }
}
