//! Cuts the text of an expression into words and signs, one at a time.

use super::tree::{ChainOp, Comparison, Precedence};
use super::{ParseError, ParseResult, wrong};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Number,
    /// A name; dots join its pieces.
    Word,
    YesNo(bool),
    Not,
    Has,
    Join(ChainOp),
    Compare(Comparison),
    Open,
    Close,
    LabelOpen,
    LabelClose,
    Comma,
    End,
}

impl TokenKind {
    /// How tightly it binds, if it stands between operands.
    pub(super) fn level(self) -> Option<Precedence> {
        match self {
            TokenKind::Join(join) => Some(join.level()),
            TokenKind::Compare(_) | TokenKind::Has => Some(Precedence::Compare),
            _ => None,
        }
    }
}

/// A word or sign and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub sort: TokenKind,
    pub start: usize,
    pub end: usize,
}

pub(super) fn byte(text: &str, at: usize) -> u8 {
    text.as_bytes().get(at).copied().unwrap_or(0)
}

pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The end of the run of bytes, from `at` on, for which `belongs` holds.
pub(super) fn run(text: &str, at: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or(&[]);
    at + rest.iter().position(|byte| !belongs(*byte)).unwrap_or(rest.len())
}

/// The first token at or after `at`.
pub(super) fn token(text: &str, at: usize) -> ParseResult<Token> {
    let start = run(text, at, |byte| byte.is_ascii_whitespace());
    match byte(text, start) {
        b'0'..=b'9' => {
            let end = run(text, start, |byte| byte.is_ascii_digit());
            Ok(Token { sort: TokenKind::Number, start, end })
        }
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => word(text, start),
        _ if start >= text.len() => Ok(Token { sort: TokenKind::End, start, end: start }),
        _ => sign(text, start),
    }
}

fn word(text: &str, start: usize) -> ParseResult<Token> {
    let end = run(text, start, |byte| is_word_byte(byte) || byte == b'.');
    let spelling = text.get(start..end).unwrap_or("");
    let sort = match spelling {
        "and" => TokenKind::Join(ChainOp::And),
        "or" => TokenKind::Join(ChainOp::Or),
        "not" => TokenKind::Not,
        "has" => TokenKind::Has,
        "yes" => TokenKind::YesNo(true),
        "no" => TokenKind::YesNo(false),
        _ => TokenKind::Word,
    };
    Ok(Token { sort, start, end })
}

fn sign(text: &str, start: usize) -> ParseResult<Token> {
    let (sort, length) = match (byte(text, start), byte(text, start + 1)) {
        (b'+', _) => (TokenKind::Join(ChainOp::Plus), 1),
        (b'-', _) => (TokenKind::Join(ChainOp::Minus), 1),
        (b'*', _) => (TokenKind::Join(ChainOp::Times), 1),
        (b'/', _) => (TokenKind::Join(ChainOp::Over), 1),
        (b'%', _) => (TokenKind::Join(ChainOp::Modulo), 1),
        (b'(', _) => (TokenKind::Open, 1),
        (b')', _) => (TokenKind::Close, 1),
        (b'[', _) => (TokenKind::LabelOpen, 1),
        (b']', _) => (TokenKind::LabelClose, 1),
        (b',', _) => (TokenKind::Comma, 1),
        (b'=', b'=') => (TokenKind::Compare(Comparison::Equal), 2),
        (b'!', b'=') => (TokenKind::Compare(Comparison::NotEqual), 2),
        (b'<', b'=') => (TokenKind::Compare(Comparison::AtMost), 2),
        (b'>', b'=') => (TokenKind::Compare(Comparison::AtLeast), 2),
        (b'<', _) => (TokenKind::Compare(Comparison::Less), 1),
        (b'>', _) => (TokenKind::Compare(Comparison::More), 1),
        _ => return Err(stray(text, start)),
    };
    Ok(Token { sort, start, end: start + length })
}

fn stray(text: &str, start: usize) -> Box<ParseError> {
    let found = text.get(start..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
    let help = match found {
        '=' => "two things are compared with `==`",
        '&' => "write `and`",
        '|' => "write `or`",
        '!' => "write `not` before a predicate; `!` explodes only right behind dice, as in `3d6!`",
        '.' => "numbers are whole; a fraction is written as a division, such as `x * 3 / 2`",
        '−' | '–' => "write the plain minus `-`",
        '×' => "write `*`",
        _ => "take it away",
    };
    let message = format!("`{}` has no meaning here", found.escape_debug());
    wrong("HR0301", start..start + found.len_utf8(), message, help)
}
