//! What an expression is once it is read: a shallow tree whose names point back into its text.

/// How tightly something binds: the higher, the tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
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

impl Level {
    /// The next tighter level.
    #[must_use]
    pub fn tighter(self) -> Level {
        match self {
            Level::Or => Level::And,
            Level::And => Level::Not,
            Level::Not => Level::Compare,
            Level::Compare => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product => Level::Unary,
            Level::Unary | Level::Primary => Level::Primary,
        }
    }
}

/// What joins an operand of a chain to all that stands left of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
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

impl Join {
    /// How tightly it binds.
    #[must_use]
    pub fn level(self) -> Level {
        match self {
            Join::Or => Level::Or,
            Join::And => Level::And,
            Join::Plus | Join::Minus => Level::Sum,
            Join::Times | Join::Over | Join::Modulo => Level::Product,
        }
    }

    /// What stands before the first operand of a chain with this join: a
    /// minus never does, so that a chain may be read from an empty start.
    pub(super) fn opening(self) -> Join {
        match self {
            Join::Minus => Join::Plus,
            Join::Over | Join::Modulo => Join::Times,
            same => same,
        }
    }

    /// Its spelling.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Join::Or => "or",
            Join::And => "and",
            Join::Plus => "+",
            Join::Minus => "-",
            Join::Times => "*",
            Join::Over => "/",
            Join::Modulo => "%",
        }
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
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

impl Compare {
    /// Whether `left` stands so to `right`.
    #[must_use]
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Compare::Equal => left == right,
            Compare::NotEqual => left != right,
            Compare::Less => left < right,
            Compare::AtMost => left <= right,
            Compare::More => left > right,
            Compare::AtLeast => left >= right,
        }
    }

    /// Its spelling.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Compare::Equal => "==",
            Compare::NotEqual => "!=",
            Compare::Less => "<",
            Compare::AtMost => "<=",
            Compare::More => ">",
            Compare::AtLeast => ">=",
        }
    }
}

/// A stretch of bytes of the expression's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// First byte.
    pub start: u16,
    /// One past the last byte.
    pub end: u16,
}

impl Stretch {
    pub(super) fn new(start: usize, end: usize) -> Stretch {
        let short = |offset: usize| u16::try_from(offset).unwrap_or(u16::MAX);
        Stretch { start: short(start), end: short(end) }
    }

    /// The same as a range of bytes.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        usize::from(self.start)..usize::from(self.end)
    }
}

/// A part of an expression and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its place; of a name also its spelling. Parentheses around it are not
    /// part of it.
    pub place: Stretch,
    /// What it is.
    pub what: What,
}

/// What a part of an expression can be. Trees are never deeper than the
/// nesting of their text allows: a long sum is one wide chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A written number, 0 to 2^31.
    Number(i64),
    /// `yes` or `no`.
    YesNo(bool),
    /// A dotted name, spelled at its place.
    Name,
    /// `-x`
    Negate(Box<Node>),
    /// `not x`
    Not(Box<Node>),
    /// Two or more operands of one level, left to right (one, if it is labelled).
    Chain(Vec<Link>),
    /// `a < b`
    Comparison(Compare, Box<(Node, Node)>),
    /// `subject has name`, or `subject has name toward somebody`
    Has(Stretch, Stretch, Option<Stretch>),
    /// A function or a table with its arguments.
    Call(Stretch, Vec<Node>),
    /// One dice term.
    Dice(Box<Dice>),
}

/// One operand of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What joins it to the operands before it; before the first it says nothing
    /// (`+`, `*`, `and`, `or`).
    pub join: Join,
    /// The operand.
    pub node: Node,
    /// The label after it, in the outermost sum only.
    pub label: Option<Stretch>,
}

/// A number of dice or sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    /// A written number.
    Fixed(i64),
    /// An expression in parentheses.
    Computed(Box<Node>),
}

/// One dice term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dice {
    /// How many are thrown; 1 if none is written.
    pub count: Amount,
    /// How many sides each has; 100 for `d%`, 3 for `dF`.
    pub sides: Amount,
    /// `dF`: the three sides show -1, 0 and 1.
    pub fudge: bool,
    /// In the order in which they apply, whatever order they were written in.
    pub suffixes: Vec<Suffix>,
}

/// One suffix of a dice term and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suffix {
    /// Its place.
    pub place: Stretch,
    /// What it asks.
    pub kind: SuffixKind,
}

/// What a suffix of a dice term asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuffixKind {
    /// `r1`, `ro<3`: dice that meet the condition are thrown again.
    Reroll {
        /// Once per die, whatever it then shows.
        once: bool,
        /// Which faces.
        when: Condition,
    },
    /// `!`, `!>=5`: dice that meet the condition, or show their highest face, bring another die.
    Explode(Option<Condition>),
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
    Successes(Condition),
    /// `cf<=1`: each die that meets the condition takes one off.
    Failures(Condition),
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
pub struct Condition {
    /// How the face must stand …
    pub compare: Compare,
    /// … to this number.
    pub number: i32,
}

impl Condition {
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
    pub(super) root: Node,
}

impl Expr {
    /// The outermost part.
    #[must_use]
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The text at a place, as it was written.
    #[must_use]
    pub fn spelling(&self, place: Stretch) -> &str {
        self.text.get(place.range()).unwrap_or("")
    }
}

impl Node {
    pub(super) fn new(start: usize, end: usize, what: What) -> Node {
        Node { place: Stretch::new(start, end), what }
    }

    /// How tightly its outermost sign binds.
    #[must_use]
    pub fn level(&self) -> Level {
        match &self.what {
            What::Chain(links) => links.first().map_or(Level::Primary, |link| link.join.level()),
            What::Not(_) => Level::Not,
            What::Comparison(..) | What::Has(..) => Level::Compare,
            What::Negate(_) => Level::Unary,
            What::Number(_) | What::YesNo(_) | What::Name | What::Call(..) | What::Dice(_) => Level::Primary,
        }
    }

    /// This part with another joined to its right. Chains of one level grow
    /// wider, not deeper.
    pub(super) fn joined(self, join: Join, node: Node, label: Option<Stretch>) -> Node {
        let place = Stretch { start: self.place.start, end: node.place.end };
        let link = Link { join, node, label };
        match self.what {
            What::Chain(mut links) if links.first().is_some_and(|first| first.join.level() == join.level()) => {
                links.push(link);
                Node { place, what: What::Chain(links) }
            }
            what => {
                let first = Node { place: self.place, what };
                let first = Link { join: join.opening(), node: first, label: None };
                Node { place, what: What::Chain(vec![first, link]) }
            }
        }
    }
}
