//! Text from outside made harmless for a terminal: what acts on the screen, or cannot be seen, is spelled out.
//!
//! Packs, saves, sheets, file names and scripts are written by strangers. A terminal obeys control codes inside
//! their texts; bidirectional controls and invisible characters make one text look like another. Whatever shows
//! text to people asks here first, a line at a time, and adds its own colours afterwards.

use std::borrow::Cow;
use std::fmt::Write;

/// How many combining marks may sit on one character: more pile up over the
/// lines around it.
const MOST_MARKS: u8 = 4;

/// One line for a terminal. Control codes, bidirectional controls, invisible
/// characters and line breaks are spelled out, such as `\u{1b}` and `\n`; a tab
/// becomes four blanks. Letters of every script stay as they are, and so do
/// emoji made of several characters.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    spelled(text, |sign, into| match sign {
        '\t' => into.push_str("    "),
        '\n' => into.push_str("\\n"),
        _ => into.extend(sign.escape_unicode()),
    })
}

/// The same for a line of JSON, which means what it meant before: only in its
/// strings is there anything to spell out.
#[must_use]
pub fn printable_json(json: &str) -> Cow<'_, str> {
    spelled(json, |sign, into| {
        for unit in sign.encode_utf16(&mut [0; 2]) {
            let _ = write!(into, "\\u{unit:04x}");
        }
    })
}

/// The characters of a text that act on a screen or cannot be seen, with the
/// bytes at which they stand; tabs and line breaks are none.
pub fn hidden(text: &str) -> impl Iterator<Item = (usize, char)> {
    let acts = |sign: char| kind(sign) != CharacterKind::Mark && !matches!(sign, '\t' | '\n');
    judged(text).filter(move |(_, sign, shown)| !shown && acts(*sign)).map(|(at, sign, _)| (at, sign))
}

fn spelled(text: &str, spell: fn(char, &mut String)) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut spelled = String::with_capacity(text.len());
    for (_, sign, shown) in judged(text) {
        if shown { spelled.push(sign) } else { spell(sign, &mut spelled) }
    }
    Cow::Owned(spelled)
}

/// Each character with its place, and whether it may be shown there.
fn judged(text: &str) -> impl Iterator<Item = (usize, char, bool)> {
    let (mut signs, mut seat) = (text.char_indices().peekable(), Seat::NONE);
    std::iter::from_fn(move || {
        let (at, sign) = signs.next()?;
        let kind = kind(sign);
        let shown = seat.takes(kind, signs.peek().map(|(_, next)| *next));
        seat = if shown { seat.after(sign, kind) } else { Seat::NONE };
        Some((at, sign, shown))
    })
}

/// What a character does on a screen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CharacterKind {
    /// It fills a place of its own, be it a blank.
    Shown,
    /// It sits on the character before it.
    Mark,
    /// It chooses how the character before it looks.
    Selector,
    /// It joins or parts the characters around it.
    Joiner,
    /// It acts, or cannot be seen.
    Hidden,
}

fn kind(sign: char) -> CharacterKind {
    match sign {
        ' '..='~' => CharacterKind::Shown,
        '\u{200c}' | '\u{200d}' => CharacterKind::Joiner,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => CharacterKind::Selector,
        // letters and marks that Unicode shows as nothing: fillers, a grapheme joiner, vowels and selectors of old
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' => {
            CharacterKind::Hidden
        }
        '\u{3164}' | '\u{ffa0}' | '\u{2028}' | '\u{2029}' => CharacterKind::Hidden,
        _ if sign.is_control() => CharacterKind::Hidden,
        _ if sign.is_whitespace() => CharacterKind::Shown,
        _ if spelled_out(sign.escape_debug()) => of_no_place(sign),
        _ => CharacterKind::Shown,
    }
}

/// A mark or a hidden character: the standard library, too, leaves marks as they
/// are where they follow something.
fn of_no_place(sign: char) -> CharacterKind {
    let seated = String::from_iter(['a', sign]);
    if spelled_out(seated.escape_debug().skip(1)) { CharacterKind::Hidden } else { CharacterKind::Mark }
}

fn spelled_out(mut escaped: impl Iterator<Item = char>) -> bool {
    escaped.next() == Some('\\') && escaped.next() == Some('u')
}

/// What marks, selectors and joiners can hold on to.
#[derive(Clone, Copy)]
struct Seat {
    /// The character, if it carries anything.
    on: Option<char>,
    /// How many sit there.
    marks: u8,
    /// The last of them is a selector or a joiner.
    chosen: bool,
}

impl Seat {
    const NONE: Seat = Seat { on: None, marks: 0, chosen: false };

    /// Whether a character may be shown here, before what comes next.
    fn takes(self, kind: CharacterKind, next: Option<char>) -> bool {
        let foreign = self.on.is_some_and(|on| !on.is_ascii());
        match kind {
            CharacterKind::Shown => true,
            CharacterKind::Mark => self.on.is_some() && self.marks < MOST_MARKS,
            CharacterKind::Selector => foreign && self.marks < MOST_MARKS && !self.chosen,
            CharacterKind::Joiner => foreign && next.is_some_and(|next| !next.is_ascii() && is_seat(next)),
            CharacterKind::Hidden => false,
        }
    }

    fn after(self, sign: char, kind: CharacterKind) -> Seat {
        match kind {
            CharacterKind::Shown => Seat { on: Some(sign).filter(|sign| is_seat(*sign)), ..Seat::NONE },
            _ => Seat { marks: self.marks.saturating_add(1), chosen: kind != CharacterKind::Mark, ..self },
        }
    }
}

/// Whether a character carries marks: letters, digits, and what is not ASCII.
/// What the program itself puts around a text, such as a backtick, carries none.
fn is_seat(sign: char) -> bool {
    kind(sign) == CharacterKind::Shown && !sign.is_whitespace() && (sign.is_alphanumeric() || !sign.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn err_what_acts_on_a_terminal_is_spelled_out() {
        let cases = [
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("a\rb\u{8}c\u{7f}\u{0}", "a\\u{d}b\\u{8}c\\u{7f}\\u{0}"),
            ("\u{9b}2J\u{85}\u{90}", "\\u{9b}2J\\u{85}\\u{90}"),
            ("one\ntwo\tthree", "one\\ntwo    three"),
            (
                "\u{202e}evil\u{202c}\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}",
                "\\u{202e}evil\\u{202c}\\u{2066}\\u{2069}\\u{200e}\\u{200f}\\u{61c}",
            ),
            ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
            ("a\u{200b}\u{2060}\u{feff}\u{ad}", "a\\u{200b}\\u{2060}\\u{feff}\\u{ad}"),
            ("\u{e0041}\u{e007f}", "\\u{e0041}\\u{e007f}"),
            ("\u{3164}\u{115f}\u{34f}\u{180e}", "\\u{3164}\\u{115f}\\u{34f}\\u{180e}"),
            ("\u{e000}\u{ffff}\u{378}", "\\u{e000}\\u{ffff}\\u{378}"),
        ];
        for (text, told) in cases {
            assert_eq!(printable(text), told);
        }
    }

    #[test]
    fn what_cannot_be_seen_is_found_where_it_stands() {
        let found = |text| hidden(text).collect::<Vec<_>>();
        assert_eq!(found("a\tb\n Zo\u{eb} \u{2694}\u{fe0f} e\u{301} \u{301}x"), []);
        assert_eq!(found("\u{eb}\u{202e}x\r\u{200d}"), [(2, '\u{202e}'), (6, '\r'), (7, '\u{200d}')]);
    }

    #[test]
    fn letters_blanks_and_emoji_stay() {
        let cases = [
            "plain ASCII, \\ and \"quotes\"",
            "Zoë – “straße” … ½ 12 €",
            "e\u{301}a\u{308}\u{323}",
            "Việt Nam, हिन्दी, ไทย, עִברִית, العربية",
            "می\u{200c}خواهم",
            "क\u{94d}\u{200d}ष",
            "\u{2694}\u{fe0f} \u{1f3f4}\u{200d}\u{2620}\u{fe0f} \u{1f469}\u{1f3fd}\u{200d}\u{1f680} \u{2764}\u{fe0f}\u{200d}\u{1f525}",
            "葛\u{e0100}城　漢字\u{a0}x",
        ];
        for text in cases {
            assert_eq!(printable(text), text);
        }
    }

    #[test]
    fn err_marks_and_joiners_hold_on_to_something_and_do_not_pile_up() {
        let flood = format!("a{}", "\u{336}".repeat(6));
        let cases = [
            (flood.as_str(), "a\u{336}\u{336}\u{336}\u{336}\\u{336}\\u{336}"),
            ("\u{301}x", "\\u{301}x"),
            ("`\u{301}`", "`\\u{301}`"),
            (" \u{20dd}", " \\u{20dd}"),
            ("rook\u{200d}", "rook\\u{200d}"),
            ("ro\u{200c}ok", "ro\\u{200c}ok"),
            ("rook\u{fe0f}", "rook\\u{fe0f}"),
            ("\u{2694}\u{fe0f}\u{fe0f}", "\u{2694}\u{fe0f}\\u{fe0f}"),
            ("\u{2694}\u{200d}\u{200d}\u{2694}", "\u{2694}\\u{200d}\\u{200d}\u{2694}"),
            ("\u{1f525}\u{200d}\u{202e}", "\u{1f525}\\u{200d}\\u{202e}"),
            ("\u{1b}\u{301}", "\\u{1b}\\u{301}"),
        ];
        for (text, told) in cases {
            assert_eq!(printable(text), told);
        }
    }

    #[test]
    fn json_means_the_same_and_can_be_looked_at() {
        let text = "a\u{7f}\u{9b}31m\u{202e}\u{e0041}\u{1b}\n\u{2028} Zoë \u{1f525}";
        let json = serde_json::to_string(text).unwrap();
        let shown = printable_json(&json);
        assert_eq!(shown, "\"a\\u007f\\u009b31m\\u202e\\udb40\\udc41\\u001b\\n\\u2028 Zoë \u{1f525}\"");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
    }

    #[test]
    fn every_character_is_shown_or_spelled_out_and_none_acts() {
        for sign in '\0'..=char::MAX {
            let lone = printable(sign.encode_utf8(&mut [0; 4])).into_owned();
            let spelled = lone.starts_with('\\') && sign != '\\' || sign == '\t';
            let acts = sign.is_control()
                || matches!(sign, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e0fff}');
            assert!(spelled || !acts && lone.chars().eq([sign]), "{sign:?} is shown as {lone:?}");
        }
    }
}
