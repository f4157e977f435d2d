//! Texts near sound ones, and what is asserted of whoever reads them.

use houserule::Diagnostic;
use proptest::prelude::*;
use proptest::sample::Index;

/// What is put into the middle of sound text.
const SNIPPETS: [&str; 44] = [
    "",
    "\n",
    "\"",
    "'",
    "\"\"\"",
    "[",
    "]",
    "[[",
    "{",
    "}",
    "=",
    ".",
    ",",
    "#",
    "\\",
    "\0",
    "\u{feff}",
    "é",
    "🎲",
    "-1",
    "0",
    "2147483647",
    "-2147483648",
    "99999999999999999999",
    "nan",
    "1.5",
    "true",
    "yes",
    "\"\"",
    "[]",
    "{}",
    "x = 1\n",
    "[who.a]\n",
    "[remove]\n",
    "(",
    ")",
    " - ",
    " / 0",
    "1d6",
    "d0",
    " has ",
    "not ",
    "999d999!",
    "table",
];

/// Edits: where, how much is cut there, and what is put in.
pub fn edits() -> impl Strategy<Value = Vec<(Index, usize, usize)>> {
    proptest::collection::vec((any::<Index>(), 0..24usize, 0..SNIPPETS.len()), 1..5)
}

pub fn edited(text: &str, edits: &[(Index, usize, usize)]) -> String {
    edits.iter().fold(text.to_owned(), |mut text, (at, cut, snippet)| {
        let start = text.floor_char_boundary(at.index(text.len() + 1));
        let end = text.floor_char_boundary((start + cut).min(text.len())).max(start);
        text.replace_range(start..end, SNIPPETS[*snippet]);
        text
    })
}

/// Bytes as a reader may get them.
pub fn garbage() -> impl Strategy<Value = String> {
    proptest::collection::vec(any::<u8>(), 0..300).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// A text near a sound one, or one near none.
pub fn near(text: &'static str) -> impl Strategy<Value = String> {
    prop_oneof![4 => edits().prop_map(move |edits| edited(text, &edits)), 1 => garbage()]
}

/// Each finding says what is wrong, and where.
pub fn all_told(problems: &[Diagnostic]) {
    assert!(!problems.is_empty(), "refused in silence");
    for problem in problems {
        assert!(!problem.message.is_empty() && problem.code.starts_with("HR"), "{problem:?}");
        assert!(problem.line >= 1 && problem.column >= 1 && problem.file != "?", "{problem:?}");
    }
}
