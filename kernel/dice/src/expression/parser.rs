//! Reads the text of an expression into its tree, or says where it cannot.

use super::lexer::{Token, TokenKind, byte, is_word_byte, run, token};
use super::suffix::suffixes;
use super::tree::{ChainOp, ChainTerm, DiceNumber, DiceTerm, Expr, ExprKind, ExprNode, Precedence, TextRange};
use super::{ParseError, ParseResult, wrong};
use smallvec::SmallVec;

/// Longest text of an expression, in bytes.
pub const MAX_TEXT: usize = 4_096;
/// Deepest nesting of parentheses, calls, `not` and unary minus.
pub const MAX_DEPTH: u32 = 64;

const LARGEST: i64 = 1 << 31;

/// Reads an expression.
///
/// # Errors
/// The first place at which the text is not an expression of this language.
pub fn parse(text: &str) -> Result<Expr, ParseError> {
    if text.len() > MAX_TEXT {
        let message = format!("an expression of {} bytes is too long", text.len());
        let end = text.ceil_char_boundary(MAX_TEXT);
        return Err(*wrong(
            "HR0302",
            0..end,
            message,
            format!("keep it within {MAX_TEXT} bytes; name its parts as stats of their own"),
        ));
    }
    match Parser::whole(text) {
        Ok(root) => Ok(Expr { text: text.into(), root }),
        Err(mistake) => Err(*mistake),
    }
}

struct Parser<'a> {
    text: &'a str,
    /// ParseResult, but not used yet; what stands behind it is not read yet.
    next: Token,
    depth: u32,
    /// Left sides and signs whose right side is being read.
    waiting: SmallVec<[(ExprNode, TokenKind); 4]>,
}

impl Parser<'_> {
    fn whole(text: &str) -> ParseResult<ExprNode> {
        let mut parser = Parser { text, next: token(text, 0)?, depth: 0, waiting: SmallVec::new() };
        let root = match parser.next.sort {
            TokenKind::Not => parser.binary(Precedence::Or)?,
            _ => {
                let sum = parser.outer_sum()?;
                parser.climb(sum, Precedence::Or)?
            }
        };
        match parser.next.sort {
            TokenKind::End => Ok(root),
            _ => Err(parser.surplus(&root)),
        }
    }

    /// The outermost sum, the only one whose terms may be labelled.
    fn outer_sum(&mut self) -> ParseResult<ExprNode> {
        let mut sum = self.binary(Precedence::Product)?;
        let mut labelled = self.label()?;
        if labelled.is_some() {
            let place = sum.place;
            sum = ExprNode {
                place,
                what: ExprKind::Chain(vec![ChainTerm { join: ChainOp::Plus, node: sum, label: labelled }]),
            };
        }
        while let TokenKind::Join(join @ (ChainOp::Plus | ChainOp::Minus)) = self.next.sort {
            self.advance()?;
            let term = self.binary(Precedence::Product)?;
            let label = self.label()?;
            labelled = labelled.or(label);
            sum = sum.joined(join, term, label);
        }
        match labelled {
            Some(label) if self.next.sort != TokenKind::End => Err(misplaced_label(label.range())),
            _ => Ok(sum),
        }
    }

    fn label(&mut self) -> ParseResult<Option<TextRange>> {
        if self.next.sort != TokenKind::LabelOpen {
            return Ok(None);
        }
        let word = self.advance()?;
        let close = self.advance()?;
        if word.sort != TokenKind::Word || close.sort != TokenKind::LabelClose {
            let odd = if word.sort == TokenKind::Word { close } else { word };
            return Err(wrong(
                "HR0301",
                odd.start..odd.end,
                "between `[` and `]` stands one name",
                "label a term as in `2d6[label]`",
            ));
        }
        self.advance()?;
        Ok(Some(TextRange::new(word.start, word.end)))
    }

    /// An operand and all that is joined to it at `least` or tighter.
    fn binary(&mut self, least: Precedence) -> ParseResult<ExprNode> {
        let left = self.operand(least)?;
        self.climb(left, least)
    }

    /// Joins to `left` all that follows at `least` or tighter. ExprKind waits for
    /// its right side lies in `waiting`, so that levels cost no recursion.
    fn climb(&mut self, mut left: ExprNode, least: Precedence) -> ParseResult<ExprNode> {
        let floor = self.waiting.len();
        loop {
            let sign = self.next.sort;
            let level = sign.level();
            while self.waiting.len() > floor && self.waiting.last().is_some_and(|(_, waiting)| waiting.level() >= level)
            {
                left = self.close(left)?;
            }
            match level {
                Some(level) if level >= least && sign == TokenKind::Has => {
                    self.advance()?;
                    left = self.has(&left)?;
                }
                Some(level) if level >= least => {
                    self.advance()?;
                    self.waiting.push((left, sign));
                    left = self.operand(level.tighter())?;
                }
                _ => return Ok(left),
            }
        }
    }

    /// Gives the last sign that waits its right side.
    fn close(&mut self, right: ExprNode) -> ParseResult<ExprNode> {
        match self.waiting.pop() {
            Some((left, TokenKind::Join(join))) => Ok(left.joined(join, right, None)),
            Some((left, TokenKind::Compare(compare))) => {
                let place = TextRange { start: left.place.start, end: right.place.end };
                self.unchained(ExprNode { place, what: ExprKind::Comparison(compare, Box::new((left, right))) })
            }
            _ => Ok(right),
        }
    }

    /// A comparison, if no other follows it.
    fn unchained(&self, node: ExprNode) -> ParseResult<ExprNode> {
        match self.next.sort {
            TokenKind::Compare(_) | TokenKind::Has => {
                let help = "join two of them with `and`, as in `a < b and b < c`";
                Err(wrong("HR0301", self.next.start..self.next.end, "comparisons do not chain", help))
            }
            _ => Ok(node),
        }
    }

    fn has(&mut self, subject: &ExprNode) -> ParseResult<ExprNode> {
        let name = self.next;
        if subject.what != ExprKind::Name {
            return Err(wrong(
                "HR0301",
                subject.place.range(),
                "only a name can stand before `has`",
                "say who is meant, as in `target has TAG`",
            ));
        }
        if name.sort != TokenKind::Word {
            return Err(wrong(
                "HR0301",
                name.start..name.end,
                "behind `has` stands the name of what is had",
                "name it, as in `target has TAG`",
            ));
        }
        self.advance()?;
        let toward = self.toward()?;
        let end = toward.map_or(name.end, |toward| usize::from(toward.end));
        let what = ExprKind::Has(subject.place, TextRange::new(name.start, name.end), toward);
        self.unchained(ExprNode::new(usize::from(subject.place.start), end, what))
    }

    /// Toward whom something is had, if that is said.
    fn toward(&mut self) -> ParseResult<Option<TextRange>> {
        let said = self.next;
        if said.sort != TokenKind::Word || self.text.get(said.start..said.end) != Some("toward") {
            return Ok(None);
        }
        let whom = self.advance()?;
        if whom.sort != TokenKind::Word {
            return Err(wrong(
                "HR0301",
                said.start..said.end,
                "behind `toward` stands whom it is toward",
                "name somebody, as in `bearer has TAG toward target`",
            ));
        }
        self.advance()?;
        Ok(Some(TextRange::new(whom.start, whom.end)))
    }

    fn operand(&mut self, least: Precedence) -> ParseResult<ExprNode> {
        let sign = self.next;
        match sign.sort {
            TokenKind::Not if least > Precedence::Not => Err(wrong(
                "HR0301",
                sign.start..sign.end,
                "`not` stands behind a sign that binds tighter",
                "put it in parentheses: `(not …)`",
            )),
            TokenKind::Not => self.prefixed(Precedence::Not, ExprKind::Not),
            TokenKind::Join(ChainOp::Minus) => self.prefixed(Precedence::Unary, ExprKind::Negate),
            _ => self.primary(),
        }
    }

    fn prefixed(&mut self, level: Precedence, what: fn(Box<ExprNode>) -> ExprKind) -> ParseResult<ExprNode> {
        let start = self.next.start;
        self.advance()?;
        let inner = self.nested(level)?;
        Ok(ExprNode::new(start, usize::from(inner.place.end), what(Box::new(inner))))
    }

    fn primary(&mut self) -> ParseResult<ExprNode> {
        let Token { sort, start, end } = self.next;
        match sort {
            TokenKind::Number => self.number(),
            TokenKind::Word => self.word(),
            TokenKind::Open => self.parentheses(),
            TokenKind::YesNo(answer) => {
                self.advance()?;
                Ok(ExprNode::new(start, end, ExprKind::YesNo(answer)))
            }
            _ => Err(self.missing()),
        }
    }

    fn number(&mut self) -> ParseResult<ExprNode> {
        let Token { start, end, .. } = self.next;
        let value = written(self.text, start, end)?;
        if self.dice_at(end) {
            return self.dice(start, DiceNumber::Fixed(value), end);
        }
        if is_word_byte(byte(self.text, end)) || byte(self.text, end) == b'.' {
            return Err(self.neither(start, end));
        }
        self.advance()?;
        Ok(ExprNode::new(start, end, ExprKind::Number(value)))
    }

    fn neither(&self, start: usize, digits: usize) -> Box<ParseError> {
        let end = run(self.text, digits, |byte| is_word_byte(byte) || byte == b'.');
        let spelling = self.text.get(start..end).unwrap_or("");
        let help = match byte(self.text, digits) {
            b'.' => "numbers are whole; a fraction is written as a division, such as `x * 3 / 2`",
            b'd' | b'D' => "dice are written `2d6`, `2d(size)`, `d%` or `4dF`",
            _ => "put a sign between a number and a name, as in `2 * x`",
        };
        wrong("HR0301", start..end, format!("`{spelling}` is neither a number nor dice"), help)
    }

    fn word(&mut self) -> ParseResult<ExprNode> {
        let Token { start, end, .. } = self.next;
        if self.dice_at(start) {
            return self.dice(start, DiceNumber::Fixed(1), start);
        }
        let spelling = self.text.get(start..end).unwrap_or("");
        if spelling == "d" {
            return Err(wrong(
                "HR0301",
                start..end,
                "`d` lacks its number of sides",
                "dice are written `2d6`, `2d(size)`, `d%` or `4dF`, without blanks",
            ));
        }
        if spelling.split('.').any(|piece| piece.bytes().next().is_none_or(|first| first.is_ascii_digit())) {
            return Err(wrong(
                "HR0301",
                start..end,
                format!("`{spelling}` is not a name"),
                "dots join names that begin with a letter, as in `target.size`",
            ));
        }
        self.advance()?;
        match self.next.sort {
            TokenKind::Open => self.call(TextRange::new(start, end)),
            _ => Ok(ExprNode::new(start, end, ExprKind::Name)),
        }
    }

    fn call(&mut self, name: TextRange) -> ParseResult<ExprNode> {
        let open = self.next;
        let mut arguments = Vec::new();
        self.advance()?;
        while self.next.sort != TokenKind::Close {
            arguments.push(self.nested(Precedence::Or)?);
            match self.next.sort {
                TokenKind::Comma => self.advance()?,
                TokenKind::Close => break,
                _ => return Err(self.unclosed(open)),
            };
            if self.next.sort == TokenKind::Close {
                return Err(self.missing());
            }
        }
        let end = self.next.end;
        self.advance()?;
        Ok(ExprNode::new(usize::from(name.start), end, ExprKind::Call(name, arguments)))
    }

    fn parentheses(&mut self) -> ParseResult<ExprNode> {
        let open = self.next;
        let (inner, end) = self.inside(open)?;
        if self.dice_at(end) {
            return self.dice(open.start, DiceNumber::Computed(Box::new(inner)), end);
        }
        self.advance()?;
        Ok(inner)
    }

    /// ExprKind stands between an opening parenthesis and its fellow, and the byte
    /// behind that; the fellow stays the next token.
    fn inside(&mut self, open: Token) -> ParseResult<(ExprNode, usize)> {
        self.next = token(self.text, open.end)?;
        let inner = self.nested(Precedence::Or)?;
        match self.next.sort {
            TokenKind::Close => Ok((inner, self.next.end)),
            _ => Err(self.unclosed(open)),
        }
    }

    fn dice_at(&self, at: usize) -> bool {
        byte(self.text, at) == b'd' && matches!(byte(self.text, at + 1), b'0'..=b'9' | b'%' | b'F' | b'(')
    }

    /// A dice term whose `d` stands at byte `d`.
    fn dice(&mut self, start: usize, count: DiceNumber, d: usize) -> ParseResult<ExprNode> {
        let (sides, behind) = self.sides(d + 1)?;
        let (suffixes, end) = suffixes(self.text, behind)?;
        self.next = token(self.text, end)?;
        let fudge = byte(self.text, d + 1) == b'F';
        Ok(ExprNode::new(start, end, ExprKind::Dice(Box::new(DiceTerm { count, sides, fudge, suffixes }))))
    }

    fn sides(&mut self, at: usize) -> ParseResult<(DiceNumber, usize)> {
        match byte(self.text, at) {
            b'%' => Ok((DiceNumber::Fixed(100), at + 1)),
            b'F' => Ok((DiceNumber::Fixed(3), at + 1)),
            b'(' => {
                let (inner, end) = self.inside(Token { sort: TokenKind::Open, start: at, end: at + 1 })?;
                Ok((DiceNumber::Computed(Box::new(inner)), end))
            }
            _ => {
                let end = run(self.text, at, |byte| byte.is_ascii_digit());
                Ok((DiceNumber::Fixed(written(self.text, at, end)?), end))
            }
        }
    }

    fn advance(&mut self) -> ParseResult<Token> {
        self.next = token(self.text, self.next.end)?;
        Ok(self.next)
    }

    /// An expression one step deeper.
    fn nested(&mut self, least: Precedence) -> ParseResult<ExprNode> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.too_deep());
        }
        let node = self.binary(least)?;
        self.depth -= 1;
        Ok(node)
    }

    #[cold]
    fn too_deep(&self) -> Box<ParseError> {
        let help = format!("nest at most {MAX_DEPTH} deep; name its parts as stats of their own");
        wrong("HR0302", self.next.start..self.next.end, "the expression is nested too deep", help)
    }

    /// Where the next token stands, in words.
    fn before(&self) -> String {
        match self.text.get(self.next.start..self.next.end) {
            None | Some("") => "at the end".to_owned(),
            Some(spelling) => format!("before `{spelling}`"),
        }
    }

    #[cold]
    fn missing(&self) -> Box<ParseError> {
        let message = format!("something is missing {}", self.before());
        let help = "a number, a name, dice or something in parentheses can stand there";
        wrong("HR0301", self.next.start..self.next.end, message, help)
    }

    #[cold]
    fn unclosed(&self, open: Token) -> Box<ParseError> {
        if self.next.sort == TokenKind::LabelOpen {
            return misplaced_label(self.next.start..self.next.end);
        }
        wrong("HR0301", open.start..open.end, format!("`(` is not closed {}", self.before()), "add `)`")
    }

    /// The mistake of a token behind a complete expression.
    #[cold]
    fn surplus(&self, left: &ExprNode) -> Box<ParseError> {
        let Token { sort, start, end } = self.next;
        let spelling = self.text.get(start..end).unwrap_or("");
        let help = match sort {
            TokenKind::LabelOpen => return misplaced_label(start..end),
            TokenKind::Close => return wrong("HR0301", start..end, "`)` closes nothing", "take it away"),
            TokenKind::Word if self.dice_at(start) => {
                "write the number of dice right before the `d`, in parentheses unless it is plain: `(count)d6`"
            }
            TokenKind::Word if matches!(left.what, ExprKind::Dice(_)) => {
                "suffixes stand right behind their dice, without blanks, as in `4d6kh3`"
            }
            _ => "join the two with a sign such as `+`, `and` or `==`",
        };
        wrong("HR0301", start..end, format!("`{spelling}` follows without a sign between"), help)
    }
}

fn misplaced_label(place: std::ops::Range<usize>) -> Box<ParseError> {
    wrong(
        "HR0301",
        place,
        "a label may only follow a term of the outermost sum",
        "label terms as in `2d6[one] + 1d4[other] + 3`",
    )
}

fn written(text: &str, start: usize, end: usize) -> ParseResult<i64> {
    let digits = text.get(start..end).unwrap_or("");
    match digits.parse::<i64>() {
        Ok(value) if value <= LARGEST => Ok(value),
        _ => Err(wrong(
            "HR0303",
            start..end,
            format!("`{digits}` is too large a number"),
            format!("numbers go up to {}", LARGEST - 1),
        )),
    }
}
