//! Conditions: what they are, and the instances that somebody bears.

use crate::error::Span;
use crate::ident::*;
use crate::modifier::Modifier;
use crate::situation::Formula;
use crate::step::{DurationSpec, Step};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// What a second application does to a value or to a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reapply {
    /// The higher value, the longer time.
    #[default]
    Most,
    /// Both together.
    Add,
    /// The new one.
    Replace,
    /// The old one.
    Keep,
    /// Each source for itself.
    PerSource,
    /// Each application for itself; the strongest of them counts.
    All,
}

impl Reapply {
    /// The policies that values have, as packs spell them.
    pub const WORDS: [(&'static str, Reapply); 6] = [
        ("highest", Reapply::Most),
        ("add", Reapply::Add),
        ("replace", Reapply::Replace),
        ("keep", Reapply::Keep),
        ("per-source", Reapply::PerSource),
        ("all", Reapply::All),
    ];

    /// The policies that times have, as packs spell them.
    pub const TIMES: [(&'static str, Reapply); 4] =
        [("longest", Reapply::Most), ("add", Reapply::Add), ("replace", Reapply::Replace), ("keep", Reapply::Keep)];
}

/// What a second application of a condition does: by default the higher value
/// and the longer time stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReapplyRules {
    /// To the value.
    pub value: Reapply,
    /// To the time.
    pub time: Reapply,
}

/// What a condition does at a phase.
#[derive(Clone, Debug)]
pub struct Tick {
    /// Under which name it is cited.
    pub rule: RuleId,
    /// The phase.
    pub at: EventId,
    /// Whether it is the phase of who caused the condition.
    pub source: bool,
    /// Done only if this says yes.
    pub when: Option<Formula>,
    /// What is done.
    pub steps: Vec<Step>,
}

/// A check that the bearer must pass before it acts.
#[derive(Clone, Debug)]
pub struct Gate {
    /// Under which name it is cited.
    pub rule: RuleId,
    /// Which check.
    pub check: CheckId,
    /// What it must reach.
    pub dc: Option<Formula>,
    /// Which actions it stands before; all if none are named.
    pub before: IdSet<TagId>,
    /// The degrees that pass.
    pub pass: Vec<DegreeId>,
}

/// A condition as packs write it.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Under which name it is cited.
    pub rule: RuleId,
    /// Its tags.
    pub tags: IdSet<TagId>,
    /// The lowest value; none if it has no value. Below it, the condition ends.
    pub least: Option<Formula>,
    /// The highest value.
    pub most: Option<Formula>,
    /// What a second application does: the first whose question says yes.
    pub again: Vec<(Option<Formula>, ReapplyRules)>,
    /// Conditions that come with it and end with it.
    pub implies: Vec<ConditionId>,
    /// Conditions that do nothing while it is there.
    pub overrides: Vec<ConditionId>,
    /// Not borne by those for whom this says yes.
    pub unless: Option<Formula>,
    /// Borne as long as this says yes, and only then.
    pub standing: Option<Formula>,
    /// It does not end when `standing` says no any more, only when it is removed
    /// or its time, if it has one here, is over.
    pub sticky: Option<Vec<DurationSpec>>,
    /// Of the conditions of a group somebody bears one toward each other
    /// creature, and one toward nobody.
    pub group: Option<TagId>,
    /// If it stands by itself: those with one of these tags bear it; every
    /// creature if there is none.
    pub of: IdSet<TagId>,
    /// Tags of actions that the bearer may not take.
    pub forbids: IdSet<TagId>,
    /// If any, only actions with one of these tags.
    pub only: IdSet<TagId>,
    /// What it does to numbers.
    pub modifiers: Vec<Modifier>,
    /// What it does at phases.
    pub ticks: Vec<Tick>,
    /// What must be passed before acting.
    pub gates: Vec<Gate>,
    /// Done when it begins.
    pub start: Vec<Step>,
    /// Done when it ends.
    pub end: Vec<Step>,
    /// Where it was written.
    pub span: Span,
}

impl Condition {
    /// Whether all that somebody bears of it count, and not only the strongest.
    #[must_use]
    pub fn each_counts(&self) -> bool {
        self.again.iter().any(|(_, repeat)| repeat.value == Reapply::PerSource)
    }
}

/// A condition that somebody bears.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instance {
    /// Its number at the table.
    pub serial: Serial,
    /// Which condition.
    pub condition: ConditionId,
    /// Its value; 1 if it has none.
    pub value: i32,
    /// Who caused it.
    pub source: Option<EntityId>,
    /// Whom it is borne toward.
    pub toward: Option<EntityId>,
    /// The instance on the same bearer that it came with and ends with.
    pub parent: Option<Serial>,
    /// How many things keep it from doing anything.
    pub suspended: u16,
    /// What it remembers.
    pub notes: SmallVec<[(NoteId, i32); 2]>,
}

impl Instance {
    /// Whether it does anything just now.
    #[must_use]
    pub fn active(&self) -> bool {
        self.suspended == 0
    }
}
