//! Reads the suffixes of a dice term, which stand right behind it without blanks.

use super::lexer::{byte, is_word_byte, run};
use super::tree::{Comparison, FaceFilter, Suffix, SuffixKind, TextRange};
use super::{ParseError, ParseResult, wrong};
use crate::error::nearest;

const NAMES: [&str; 10] = ["min", "max", "kh", "kl", "dh", "dl", "ro", "r", "cs", "cf"];

/// The suffixes that start at byte `at`, in order of application, and the byte
/// behind the last.
pub(super) fn suffixes(text: &str, at: usize) -> ParseResult<(Vec<Suffix>, usize)> {
    let mut reader = SuffixParser { text, start: at, at };
    let mut found: Vec<Suffix> = Vec::new();
    while let Some(kind) = reader.suffix()? {
        if let Some(earlier) = found.iter().find(|suffix| suffix.kind.rank() == kind.rank()) {
            return Err(reader.twice(earlier.place));
        }
        found.push(Suffix { place: TextRange::new(reader.start, reader.at), kind });
    }
    found.sort_by_key(|suffix| suffix.kind.rank());
    bounds(&found)?;
    Ok((found, reader.at))
}

fn bounds(found: &[Suffix]) -> ParseResult<()> {
    let min = found.iter().find_map(|suffix| if let SuffixKind::Min(min) = suffix.kind { Some(min) } else { None });
    let max = found.iter().find_map(|suffix| match suffix.kind {
        SuffixKind::Max(max) => Some((max, suffix.place)),
        _ => None,
    });
    match (min, max) {
        (Some(min), Some((max, place))) if min > max => Err(wrong(
            "HR0304",
            place.range(),
            format!("`min{min}` is above `max{max}`"),
            "let `min` be no higher than `max`",
        )),
        _ => Ok(()),
    }
}

struct SuffixParser<'a> {
    text: &'a str,
    /// Where the suffix being read begins.
    start: usize,
    at: usize,
}

impl SuffixParser<'_> {
    /// The next suffix, if one stands here.
    fn suffix(&mut self) -> ParseResult<Option<SuffixKind>> {
        self.start = self.at;
        match byte(self.text, self.at) {
            b'!' => self.explosion().map(Some),
            byte if is_word_byte(byte) || byte == b'.' => self.named().map(Some),
            _ => Ok(None),
        }
    }

    fn named(&mut self) -> ParseResult<SuffixKind> {
        let rest = self.text.get(self.at..).unwrap_or("");
        let Some(name) = NAMES.into_iter().find(|name| rest.starts_with(name)) else { return Err(self.unknown()) };
        self.at += name.len();
        match name {
            "kh" => self.how_many().map(SuffixKind::KeepHighest),
            "kl" => self.how_many().map(SuffixKind::KeepLowest),
            "dh" => self.how_many().map(SuffixKind::DropHighest),
            "dl" => self.how_many().map(SuffixKind::DropLowest),
            "min" => self.bound().map(SuffixKind::Min),
            "max" => self.bound().map(SuffixKind::Max),
            "cs" => self.condition().map(SuffixKind::Successes),
            "cf" => self.condition().map(SuffixKind::Failures),
            _ => self.condition().map(|when| SuffixKind::Reroll { once: name == "ro", when }),
        }
    }

    fn explosion(&mut self) -> ParseResult<SuffixKind> {
        self.at += 1;
        match byte(self.text, self.at) {
            b'=' => Err(wrong(
                "HR0304",
                self.start..self.at + 1,
                "`!=` right behind dice could compare them or explode them",
                "write ` != ` with blanks to compare, or `!6` to explode on a 6",
            )),
            b'!' => {
                Err(wrong("HR0304", self.start..self.at + 1, "dice have no suffix `!!`", "`!` explodes into new dice"))
            }
            b'<' | b'>' | b'0'..=b'9' => Ok(SuffixKind::Explode(Some(self.condition()?))),
            _ => Ok(SuffixKind::Explode(None)),
        }
    }

    fn condition(&mut self) -> ParseResult<FaceFilter> {
        let compare = self.compare();
        let minus = compare.is_some() && byte(self.text, self.at) == b'-';
        self.at += usize::from(minus);
        let Some(number) = self.number()? else { return Err(self.incomplete("a condition such as `<3`")) };
        Ok(FaceFilter { compare: compare.unwrap_or(Comparison::Equal), number: if minus { -number } else { number } })
    }

    fn compare(&mut self) -> Option<Comparison> {
        let (compare, length) = match (byte(self.text, self.at), byte(self.text, self.at + 1)) {
            (b'<', b'=') => (Comparison::AtMost, 2),
            (b'>', b'=') => (Comparison::AtLeast, 2),
            (b'=', b'=') => (Comparison::Equal, 2),
            (b'!', b'=') => (Comparison::NotEqual, 2),
            (b'<', _) => (Comparison::Less, 1),
            (b'>', _) => (Comparison::More, 1),
            (b'=', _) => (Comparison::Equal, 1),
            _ => return None,
        };
        self.at += length;
        Some(compare)
    }

    fn how_many(&mut self) -> ParseResult<u32> {
        Ok(self.number()?.map_or(1, i32::unsigned_abs))
    }

    fn bound(&mut self) -> ParseResult<i32> {
        self.number()?.ok_or_else(|| self.incomplete("a number such as `2`"))
    }

    fn number(&mut self) -> ParseResult<Option<i32>> {
        let start = self.at;
        self.at = run(self.text, start, |byte| byte.is_ascii_digit());
        match self.text.get(start..self.at) {
            None | Some("") => Ok(None),
            Some(digits) => digits.parse().map(Some).map_err(|_| {
                wrong("HR0303", start..self.at, format!("`{digits}` is too large a number"), "write a smaller one")
            }),
        }
    }

    fn spelling(&self) -> &str {
        self.text.get(self.start..self.at).unwrap_or("")
    }

    fn incomplete(&self, what: &str) -> Box<ParseError> {
        let spelling = self.spelling();
        wrong(
            "HR0304",
            self.start..self.at,
            format!("`{spelling}` lacks its number"),
            format!("give `{spelling}` {what}, without blanks"),
        )
    }

    fn twice(&self, earlier: TextRange) -> Box<ParseError> {
        let first = self.text.get(earlier.range()).unwrap_or("");
        wrong(
            "HR0304",
            self.start..self.at,
            format!("`{}` follows `{first}`", self.spelling()),
            "each kind of suffix stands once; take one away",
        )
    }

    fn unknown(&self) -> Box<ParseError> {
        let end = run(self.text, self.at, |byte| is_word_byte(byte) || byte == b'.');
        let letters = run(self.text, self.at, |byte| byte.is_ascii_alphabetic());
        let near = nearest(self.text.get(self.at..letters).unwrap_or(""), NAMES);
        let spelling = self.text.get(self.at..end).unwrap_or("");
        wrong(
            "HR0304",
            self.at..end,
            format!("dice have no suffix `{spelling}`"),
            match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "there are `kh kl dh dl r ro ! min max cs cf`; other words stand behind a blank".to_owned(),
            },
        )
    }
}
