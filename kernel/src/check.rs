//! Checks: what is rolled, against what, and which degree comes of it.

use crate::error::Span;
use crate::ident::*;
use crate::situation::{Formula, Who};
use serde::{Deserialize, Serialize};

/// A number that a check uses: a stat with its tally, or a plain formula.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A stat of somebody, maybe through a view.
    Stat(Who, StatId, Option<ViewId>),
    /// A formula.
    Plain(Formula),
    /// What the asker of the check says.
    Given,
}

/// A figure used if its question says yes; the first that does serves.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The question.
    pub when: Option<Formula>,
    /// The figure.
    pub figure: Operand,
}

/// A way to a degree.
#[derive(Clone, Debug)]
pub struct Case {
    /// Under which name it is cited.
    pub rule: RuleId,
    /// The degree.
    pub degree: DegreeId,
    /// Whether it holds; the worst degree needs no question.
    pub when: Option<Formula>,
}

/// A move to a better or worse degree.
#[derive(Clone, Debug)]
pub struct Shift {
    /// Under which name it is cited.
    pub rule: RuleId,
    /// Whether it is made.
    pub when: Option<Formula>,
    /// How many degrees up.
    pub by: Formula,
}

/// A check as packs write it.
#[derive(Clone, Debug)]
pub struct Check {
    /// Under which name it is cited.
    pub rule: RuleId,
    /// The dice.
    pub roll: Formula,
    /// The stream they are drawn from.
    pub stream: StreamId,
    /// What is added.
    pub bonus: Vec<Alternative>,
    /// What must be reached.
    pub against: Vec<Alternative>,
    /// The degrees, worst first.
    pub degrees: Vec<DegreeId>,
    /// The cases, best first.
    pub cases: Vec<Case>,
    /// The shifts, by name.
    pub shifts: Vec<Shift>,
    /// Only the game master sees it.
    pub secret: bool,
    /// Where it was written.
    pub span: Span,
}

impl Check {
    /// The degree so many steps better than this one, within the list.
    #[must_use]
    pub fn shifted(&self, degree: DegreeId, by: i32) -> DegreeId {
        let at = self.degrees.iter().position(|known| *known == degree).unwrap_or(0);
        let last = self.degrees.len().saturating_sub(1);
        let to = i64::try_from(at).unwrap_or(0).saturating_add(i64::from(by));
        let to = usize::try_from(to.max(0)).unwrap_or(0).min(last);
        self.degrees.get(to).copied().unwrap_or(degree)
    }
}

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckResult {
    /// Which check.
    pub check: CheckId,
    /// Who rolled.
    pub who: EntityId,
    /// Against whom.
    pub target: Option<EntityId>,
    /// The face of the one die that was kept, 0 if there is no one die.
    pub natural: i32,
    /// The dice alone.
    pub rolled: i32,
    /// What was added.
    pub bonus: i32,
    /// Dice and bonus.
    pub total: i32,
    /// What had to be reached.
    pub dc: i32,
    /// The degree.
    pub degree: DegreeId,
}
