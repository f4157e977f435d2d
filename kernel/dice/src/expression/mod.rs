//! The one language of dice, numbers and predicates, and its one parser.
//!
//! From loose to tight: `or` · `and` · `not` · comparisons (`==` `!=` `<` `<=`
//! `>` `>=` and `SUBJECT has NAME`, none of which chain) · `+` `-` · `*` `/`
//! `%` · unary `-` · dice. `/` rounds down and `%` is its remainder. A primary
//! is a whole number, `yes`, `no`, a dotted name, a call such as
//! `max(a, b)`, or anything in parentheses.
//!
//! DiceTerm are written without blanks: `2d6`, `d8`, `d%`, `4dF`,
//! `(x + 1)d8`, `2d(size)`. Suffixes follow in any order, and each kind
//! at most once: `rCOND` and `roCOND` reroll always or once, `!` and `!COND`
//! explode, `minN`, `maxN`, `dhN`, `dlN`, `khN`, `klN`, `csCOND` and
//! `cfCOND`. A condition is a number with or without a comparison before it:
//! `r1`, `!>=5`. ExprKind they do, and in which order, is told in [`crate::dice`].
//!
//! A `[label]` may follow each term of the outermost sum:
//! `2d6[one] + 1d4[other] + 3`.
//!
//! | code | what is wrong |
//! |---|---|
//! | `HR0301` | a word or sign stands where it cannot |
//! | `HR0302` | the text is too long or too deep |
//! | `HR0303` | a written number is too large |
//! | `HR0304` | a dice suffix is unknown, incomplete or written twice |
//! | `HR0305` | the number of dice or sides is out of bounds |
//! | `HR0306` | a reroll or explosion never ends |
//! | `HR0307` | a name, table, tag, symbol or label is unknown |
//! | `HR0308` | a number, a yes or no, or a name stands where another is wanted |
//! | `HR0309` | a function has too few or too many arguments |
//! | `HR0310` | dice or labels stand where nothing is rolled |
//! | `HR0311` | a constant part divides by zero or is out of range |

mod lexer;
mod parser;
mod print;
mod suffix;
mod tree;

use crate::error::{Problem, Span};
use std::ops::Range;

pub use parser::{MAX_DEPTH, MAX_TEXT, parse};
pub use tree::{
    ChainOp, ChainTerm, Comparison, DiceNumber, DiceTerm, Expr, ExprKind, ExprNode, FaceFilter, Precedence, Suffix,
    SuffixKind, TextRange,
};

/// ExprKind is wrong with an expression, in bytes of its own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Stable code, `HR03xx`.
    pub code: &'static str,
    /// One sentence, lower case, no full stop, the writer's words in backticks.
    pub message: String,
    /// Stands beside the underlined text.
    pub label: String,
    /// One way out.
    pub help: Option<String>,
}

impl ParseError {
    /// A mistake without label or help.
    pub fn new(code: &'static str, place: Range<usize>, message: impl Into<String>) -> ParseError {
        ParseError {
            start: place.start,
            end: place.end,
            code,
            message: message.into(),
            label: String::new(),
            help: None,
        }
    }

    /// Adds the word beside the underlined text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> ParseError {
        self.label = label.into();
        self
    }

    /// Adds a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> ParseError {
        self.help = Some(help.into());
        self
    }

    /// The problem this makes in a pack file where the expression's text
    /// fills `span`.
    #[must_use]
    pub fn at(self, span: Span) -> Problem {
        let problem = Problem::new(self.code, span.within(self.start, self.end), self.message).label(self.label);
        match self.help {
            Some(help) => problem.help(help),
            None => problem,
        }
    }
}

/// Boxed, so that the reader's many small frames stay small.
type ParseResult<T> = Result<T, Box<ParseError>>;

#[cold]
#[inline(never)]
fn wrong(
    code: &'static str,
    place: Range<usize>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Box<ParseError> {
    Box::new(ParseError::new(code, place, message).help(help))
}

#[cfg(test)]
mod tests;
