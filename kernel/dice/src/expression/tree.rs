//! ExprKind an expression is once it is read: a shallow tree whose names point back into its text.

/// How tightly something binds: the higher, the tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precedence {
    /// `or`
    Or,
    /// `and`
    And,
    /// `not`
    Not,
    /// `==` and its kin, `has`
    Compare,
    /// `+` `-`
    Sum,
    /// `*` `/` `%`
    Product,
    /// unary `-`
    Unary,
    /// dice, numbers, names, calls, parentheses
    Primary,
}

impl Precedence {
    /// The next tighter level.
    #[must_use]
    pub fn tighter(self) -> Precedence {
        match self {
            Precedence::Or => Precedence::And,
            Precedence::And => Precedence::Not,
            Precedence::Not => Precedence::Compare,
            Precedence::Compare => Precedence::Sum,
            Precedence::Sum => Precedence::Product,
            Precedence::Product => Precedence::Unary,
            Precedence::Unary | Precedence::Primary => Precedence::Primary,
        }
    }
}

/// ExprKind joins an operand of a chain to all that stands left of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainOp {
    /// `or`
    Or,
    /// `and`
    And,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`, rounding down
    Over,
    /// `%`, the remainder of `/`
    Modulo,
}

impl ChainOp {
    /// How tightly it binds.
    #[must_use]
    pub fn level(self) -> Precedence {
        match self {
            ChainOp::Or => Precedence::Or,
            ChainOp::And => Precedence::And,
            ChainOp::Plus | ChainOp::Minus => Precedence::Sum,
            ChainOp::Times | ChainOp::Over | ChainOp::Modulo => Precedence::Product,
        }
    }

    /// ExprKind stands before the first operand of a chain with this join: a
    /// minus never does, so that a chain may be read from an empty start.
    pub(super) fn opening(self) -> ChainOp {
        match self {
            ChainOp::Minus => ChainOp::Plus,
            ChainOp::Over | ChainOp::Modulo => ChainOp::Times,
            same => same,
        }
    }

    /// Its spelling.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            ChainOp::Or => "or",
            ChainOp::And => "and",
            ChainOp::Plus => "+",
            ChainOp::Minus => "-",
            ChainOp::Times => "*",
            ChainOp::Over => "/",
            ChainOp::Modulo => "%",
        }
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Whether `left` stands so to `right`.
    #[must_use]
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::More => left > right,
            Comparison::AtLeast => left >= right,
        }
    }

    /// Its spelling.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::More => ">",
            Comparison::AtLeast => ">=",
        }
    }
}

/// A stretch of bytes of the expression's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextRange {
    /// First byte.
    pub start: u16,
    /// One past the last byte.
    pub end: u16,
}

impl TextRange {
    pub(super) fn new(start: usize, end: usize) -> TextRange {
        let short = |offset: usize| u16::try_from(offset).unwrap_or(u16::MAX);
        TextRange { start: short(start), end: short(end) }
    }

    /// The same as a range of bytes.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        usize::from(self.start)..usize::from(self.end)
    }
}

/// A part of an expression and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExprNode {
    /// Its place; of a name also its spelling. Parentheses around it are not
    /// part of it.
    pub place: TextRange,
    /// ExprKind it is.
    pub what: ExprKind,
}

/// ExprKind a part of an expression can be. Trees are never deeper than the
/// nesting of their text allows: a long sum is one wide chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A written number, 0 to 2^31.
    Number(i64),
    /// `yes` or `no`.
    YesNo(bool),
    /// A dotted name, spelled at its place.
    Name,
    /// `-x`
    Negate(Box<ExprNode>),
    /// `not x`
    Not(Box<ExprNode>),
    /// Two or more operands of one level, left to right (one, if it is labelled).
    Chain(Vec<ChainTerm>),
    /// `a < b`
    Comparison(Comparison, Box<(ExprNode, ExprNode)>),
    /// `subject has name`, or `subject has name toward somebody`
    Has(TextRange, TextRange, Option<TextRange>),
    /// A function or a table with its arguments.
    Call(TextRange, Vec<ExprNode>),
    /// One dice term.
    Dice(Box<DiceTerm>),
}

/// One operand of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainTerm {
    /// ExprKind joins it to the operands before it; before the first it says nothing
    /// (`+`, `*`, `and`, `or`).
    pub join: ChainOp,
    /// The operand.
    pub node: ExprNode,
    /// The label after it, in the outermost sum only.
    pub label: Option<TextRange>,
}

/// A number of dice or sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiceNumber {
    /// A written number.
    Fixed(i64),
    /// An expression in parentheses.
    Computed(Box<ExprNode>),
}

/// One dice term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiceTerm {
    /// How many are thrown; 1 if none is written.
    pub count: DiceNumber,
    /// How many sides each has; 100 for `d%`, 3 for `dF`.
    pub sides: DiceNumber,
    /// `dF`: the three sides show -1, 0 and 1.
    pub fudge: bool,
    /// In the order in which they apply, whatever order they were written in.
    pub suffixes: Vec<Suffix>,
}

/// One suffix of a dice term and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suffix {
    /// Its place.
    pub place: TextRange,
    /// ExprKind it asks.
    pub kind: SuffixKind,
}

/// ExprKind a suffix of a dice term asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuffixKind {
    /// `r1`, `ro<3`: dice that meet the condition are thrown again.
    Reroll {
        /// Once per die, whatever it then shows.
        once: bool,
        /// Which faces.
        when: FaceFilter,
    },
    /// `!`, `!>=5`: dice that meet the condition, or show their highest face, bring another die.
    Explode(Option<FaceFilter>),
    /// `min2`: a lower face counts as this.
    Min(i32),
    /// `max5`: a higher face counts as this.
    Max(i32),
    /// `dh1`
    DropHighest(u32),
    /// `dl1`
    DropLowest(u32),
    /// `kh3`
    KeepHighest(u32),
    /// `kl1`
    KeepLowest(u32),
    /// `cs>=5`: the term is the number of dice that meet the condition.
    Successes(FaceFilter),
    /// `cf<=1`: each die that meets the condition takes one off.
    Failures(FaceFilter),
}

impl SuffixKind {
    /// Rank in the fixed order of application; of one rank a term has at most one suffix.
    pub(super) fn rank(self) -> u8 {
        match self {
            SuffixKind::Reroll { .. } => 0,
            SuffixKind::Explode(_) => 1,
            SuffixKind::Min(_) => 2,
            SuffixKind::Max(_) => 3,
            SuffixKind::DropHighest(_) => 4,
            SuffixKind::DropLowest(_) => 5,
            SuffixKind::KeepHighest(_) => 6,
            SuffixKind::KeepLowest(_) => 7,
            SuffixKind::Successes(_) => 8,
            SuffixKind::Failures(_) => 9,
        }
    }
}

/// Which faces a suffix means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceFilter {
    /// How the face must stand …
    pub compare: Comparison,
    /// … to this number.
    pub number: i32,
}

impl FaceFilter {
    /// Whether a face meets it.
    #[must_use]
    #[inline]
    pub fn holds(self, face: i32) -> bool {
        self.compare.holds(i64::from(face), i64::from(self.number))
    }
}

/// A whole expression, as [`parse`](super::parse) gives it. It prints in one
/// canonical spelling, which reads back as an expression of the same value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub(super) text: Box<str>,
    pub(super) root: ExprNode,
}

impl Expr {
    /// The outermost part.
    #[must_use]
    pub fn root(&self) -> &ExprNode {
        &self.root
    }

    /// The text at a place, as it was written.
    #[must_use]
    pub fn spelling(&self, place: TextRange) -> &str {
        self.text.get(place.range()).unwrap_or("")
    }
}

impl ExprNode {
    pub(super) fn new(start: usize, end: usize, what: ExprKind) -> ExprNode {
        ExprNode { place: TextRange::new(start, end), what }
    }

    /// How tightly its outermost sign binds.
    #[must_use]
    pub fn level(&self) -> Precedence {
        match &self.what {
            ExprKind::Chain(links) => links.first().map_or(Precedence::Primary, |link| link.join.level()),
            ExprKind::Not(_) => Precedence::Not,
            ExprKind::Comparison(..) | ExprKind::Has(..) => Precedence::Compare,
            ExprKind::Negate(_) => Precedence::Unary,
            ExprKind::Number(_) | ExprKind::YesNo(_) | ExprKind::Name | ExprKind::Call(..) | ExprKind::Dice(_) => {
                Precedence::Primary
            }
        }
    }

    /// This part with another joined to its right. Chains of one level grow
    /// wider, not deeper.
    pub(super) fn joined(self, join: ChainOp, node: ExprNode, label: Option<TextRange>) -> ExprNode {
        let place = TextRange { start: self.place.start, end: node.place.end };
        let link = ChainTerm { join, node, label };
        match self.what {
            ExprKind::Chain(mut links) if links.first().is_some_and(|first| first.join.level() == join.level()) => {
                links.push(link);
                ExprNode { place, what: ExprKind::Chain(links) }
            }
            what => {
                let first = ExprNode { place: self.place, what };
                let first = ChainTerm { join: join.opening(), node: first, label: None };
                ExprNode { place, what: ExprKind::Chain(vec![first, link]) }
            }
        }
    }
}
