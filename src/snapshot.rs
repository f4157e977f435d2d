//! Snapshots: what a scenario told when somebody last looked at it, written as the crate `insta` writes them.

use houserule_kernel::printable::printable;

/// Whom the header names as the writer: always the same, so that a file does
/// not depend on which program wrote it.
const WRITER: &str = "tests/scenarios.rs";

/// Begins and ends the header.
const RULE: &str = "---\n";

/// The file of a snapshot. It is read in terminals and in reviews: like all that
/// was told, what it is about is written without control codes.
#[must_use]
pub fn written(about: &str, told: &str) -> String {
    let about = scalar(&printable(about));
    format!("{RULE}source: {WRITER}\ndescription: {about}\n{RULE}{}\n", told.trim_end())
}

/// What the file of a snapshot says was told, without its header and the line
/// breaks at its end.
#[must_use]
pub fn kept(file: &str) -> &str {
    let body = file.strip_prefix(RULE).and_then(|rest| rest.split_once("\n---\n"));
    body.map_or(file, |(_, body)| body).trim_end()
}

/// Whether something is told as a snapshot keeps it.
#[must_use]
pub fn keeps(file: &str, told: &str) -> bool {
    kept(file) == told.trim_end()
}

/// A text as a value of YAML, quoted where it could be read as something else.
fn scalar(text: &str) -> String {
    if !needs_quotes(text) {
        return text.to_owned();
    }
    let escaped: String = text.chars().map(escaped).collect();
    format!("\"{escaped}\"")
}

fn escaped(sign: char) -> String {
    match sign {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        '\0'..='\u{1f}' | '\u{7f}' => format!("\\u{:04x}", u32::from(sign)),
        _ => sign.to_string(),
    }
}

/// Words that YAML reads as yes, no or nothing.
const WORDS: [&str; 22] = [
    "yes", "Yes", "YES", "no", "No", "NO", "True", "TRUE", "true", "False", "FALSE", "false", "on", "On", "ON", "off",
    "Off", "OFF", "null", "Null", "NULL", "~",
];

fn needs_quotes(text: &str) -> bool {
    let outside = |sign: char| matches!(sign, ' ');
    text.is_empty()
        || text.starts_with(outside)
        || text.ends_with(outside)
        || text.starts_with(['&', '*', '?', '|', '-', '<', '>', '=', '!', '%', '@', '.'])
        || text.contains([':', '{', '}', '[', ']', ',', '#', '`', '"', '\'', '\\'])
        || text.contains(
            |sign: char| matches!(sign, '\0'..='\x06' | '\t' | '\n' | '\r' | '\x0e'..='\x1a' | '\x1c'..='\x1f'),
        )
        || WORDS.contains(&text)
        || text.starts_with("0x")
        || is_number(text)
}

/// Whether a text would be read as a number, whole or broken.
fn is_number(text: &str) -> bool {
    text.parse::<i64>().is_ok() || text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_kept() {
        let file = written("a hit, and what comes of it", "a: attack b\n  roll 3\n\n");
        assert_eq!(
            file,
            "---\nsource: tests/scenarios.rs\ndescription: \"a hit, and what comes of it\"\n---\na: attack b\n  roll 3\n"
        );
        assert!(keeps(&file, "a: attack b\n  roll 3") && !keeps(&file, "a: attack b\n  roll 4"));
    }

    #[test]
    fn a_text_is_quoted_where_it_could_be_something_else() {
        let plain = ["a hit", "it's", "12 dice", "nobody", "über"].map(|text| scalar(text).starts_with('"'));
        assert_eq!(plain, [false, true, false, false, false]);
        let quoted = ["", " a", "-a", "no", "~", "1e3", "12", "0x1", ".5", "a: b", "a\nb"].map(needs_quotes);
        assert_eq!(quoted, [true; 11]);
        assert_eq!(scalar("a\n\"b\"\u{1}"), "\"a\\n\\\"b\\\"\\u0001\"");
    }

    #[test]
    fn err_a_file_without_a_header_is_all_text() {
        assert_eq!(kept("a: attack b\n"), "a: attack b");
        assert_eq!(kept("---\nsource: x\n"), "---\nsource: x");
        assert_eq!(kept(""), "");
        assert!(keeps("---\nsource: x\n---\n\n", ""));
    }
}
