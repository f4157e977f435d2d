//! What stands in a pack and is hardly meant, though the pack can be read.

use super::LoadError;
use crate::pack::Pack;
use crate::problems::Problems;
use houserule_kernel::error::{Problem, Sources, Span};
use houserule_kernel::printable::hidden;
use std::sync::Arc;

impl Pack {
    /// What to look at before a pack is trusted: what lay in its folder and was
    /// passed over, and characters that make a file read other than it is.
    #[must_use]
    pub fn warnings(&self) -> LoadError {
        let (mut sources, mut problems) = (Sources::default(), Problems::default());
        let home = self.id().map(|id| format!("{id}/")).unwrap_or_default();
        if !self.passed_over().is_empty() {
            let file = sources.add(&format!("{home}pack.toml"), self.file("pack.toml").unwrap_or_default());
            problems.extend(self.passed_over().iter().map(|name| passed_over(name, file)));
        }
        for (name, text) in self.shared() {
            let mut found = hidden(text).filter(|(_, sign)| is_code(name) || turns_or_acts(*sign)).peekable();
            if found.peek().is_some() {
                let file = sources.add(&format!("{home}{name}"), Arc::clone(text));
                problems.extend(found.map(|(at, sign)| unseen(file, at, sign)));
            }
        }
        LoadError { problems: problems.told(&sources), sources }
    }
}

fn passed_over(name: &str, file: u16) -> Problem {
    let message = format!("`{}` is a link, a pipe or a device, and was passed over", name.escape_debug());
    let problem = Problem::new("HR0139", Span { file, start: 0, end: 0 }, message);
    problem.help("put a file in its place, or take it away")
}

fn unseen(file: u16, at: usize, sign: char) -> Problem {
    let span = Span { file, start: 0, end: u32::MAX }.within(at, at + sign.len_utf8());
    let message = format!("U+{:04X} cannot be seen here, and may make the line read other than it is", u32::from(sign));
    Problem::new("HR0138", span, message).help("take it out, or write it as an escape, such as `\\u…`")
}

/// Whether a file is read by machines rather than by players: there nothing
/// unseen is needed.
fn is_code(name: &str) -> bool {
    let is_script = ["hooks/", "lib/"].iter().any(|room| name.starts_with(room));
    let is_rules = name.ends_with(".toml") && !name.starts_with("text/") && name != "pack.toml";
    is_script || is_rules
}

/// Whether a character turns the direction of what follows, or acts on a screen.
/// Languages that run from right to left do with marks, which turn nothing but
/// themselves; others need joiners, soft hyphens and blanks of no width.
fn turns_or_acts(sign: char) -> bool {
    let turns = matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || sign.is_control() || matches!(sign, '\u{2028}' | '\u{2029}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_kernel::error::MOST_IN_FILE;

    fn told(name: &str, text: &str) -> Vec<String> {
        let pack = Pack::new().with("pack.toml", "id = \"home\"\n").with(name, text);
        pack.warnings().problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn err_what_cannot_be_seen_in_code_is_told_with_its_place() {
        let turned = ['\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2069}'];
        let unseen =
            ['\u{ad}', '\u{61c}', '\u{200b}', '\u{200d}', '\u{200e}', '\u{2060}', '\u{feff}', '\u{e0041}', '\u{1b}'];
        for sign in turned.into_iter().chain(unseen) {
            for name in ["hooks/a.lua", "hooks/a.rhai", "lib/b.lua", "rules/c.toml", "scenarios/d.toml"] {
                let told = told(name, &format!("one\n  tw{sign}o\n"));
                let code = format!("home/{name}:2:5: U+{:04X} cannot be seen here", u32::from(sign));
                assert!(told.len() == 1 && told[0].starts_with(&code) && told[0].contains("[HR0138]"), "{told:?}");
            }
        }
    }

    #[test]
    fn words_for_people_have_what_their_language_needs() {
        for text in
            ["\u{5d0}\u{200f}!", "a\u{200e}b", "co\u{ad}op", "\u{e01}\u{200b}\u{e02}", "می\u{200c}خواهم", "\u{61c}x"]
        {
            for name in ["text/he.toml", "pack.toml", "notes.md"] {
                assert_eq!(told(name, text), [] as [&str; 0], "{text:?}");
            }
        }
        for text in ["\u{202e}x", "\u{2067}x\u{2069}", "\u{1b}[31m", "\u{9b}", "\u{2028}", "\u{e0041}"] {
            assert!(told("text/he.toml", text)[0].contains("home/text/he.toml:1:1: U+"), "{text:?}");
        }
        assert_eq!(
            told("hooks/a.lua", "-- Zo\u{eb}, \u{2694}\u{fe0f} and \u{5d0}\u{5d1}\n\treturn \"\\u{202E}\"\n"),
            [""; 0]
        );
    }

    #[test]
    fn err_beyond_fifty_in_a_file_the_rest_is_counted() {
        let told = told("hooks/a.lua", &"\u{202e}".repeat(60_000));
        assert_eq!(told.len(), MOST_IN_FILE + 1);
        assert!(told[MOST_IN_FILE].contains("this file has 59950 more problems [HR0134]"), "{told:?}");
    }
}
