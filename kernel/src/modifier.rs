//! What changes a number: bonuses, penalties, caps, and how they stack.

use crate::error::Span;
use crate::ident::*;
use crate::situation::Formula;
use serde::{Deserialize, Serialize};

/// What a modifier does to the number it meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Adds its value, by the policy of its type.
    Add,
    /// Replaces everything that was added.
    Set,
    /// Keeps a line, or the total, from rising above its value.
    Cap,
    /// Keeps a line, or the total, from falling below its value.
    Floor,
    /// Multiplies the total.
    Multiply,
    /// Silences the lines it names.
    Mute,
}

impl Effect {
    /// Every effect with its spelling in packs.
    pub const WORDS: [(&'static str, Effect); 6] = [
        ("add", Effect::Add),
        ("set", Effect::Set),
        ("cap", Effect::Cap),
        ("floor", Effect::Floor),
        ("multiply", Effect::Multiply),
        ("mute", Effect::Mute),
    ];
}

/// Which lines a cap, floor or mute looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LimitTarget {
    /// The total.
    Total,
    /// Lines of a type.
    Type(TypeId),
    /// The line of one rule.
    Rule(RuleId),
}

/// Whose number a modifier goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The number of who bears it.
    Bearer,
    /// The number of who stands against the bearer.
    Opponent,
    /// The numbers of all who are within the radius of the zone it belongs to.
    Near,
}

/// A modifier as packs write it.
#[derive(Clone, Debug)]
pub struct Modifier {
    /// Under which name the line is cited.
    pub rule: RuleId,
    /// The definition it belongs to, which is its source: a condition, an item, a
    /// creature; a part or a common modifier is its own.
    pub source: RuleId,
    /// The stats it goes to.
    pub to: IdSet<StatId>,
    /// Its type.
    pub kind: TypeId,
    /// What it does.
    pub effect: Effect,
    /// How much.
    pub value: Formula,
    /// When it is active at all.
    pub when: Option<Formula>,
    /// One line for each held item with this tag.
    pub each: Option<TagId>,
    /// If it is of an item: only while that item is the one a thing is done with.
    pub used: bool,
    /// Which lines it caps, floors or mutes.
    pub limits: LimitTarget,
    /// Whose number it goes to.
    pub side: Side,
    /// Whether it hangs on nobody but its bearer and what the bearer holds; found
    /// once all packs are read.
    pub plain: bool,
    /// The group it counts as one source with.
    pub group: Option<TagId>,
    /// Where it was written.
    pub span: Span,
}

/// What a modifier hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The entity that is shown.
    pub on: Option<EntityId>,
    /// Whom `source` means: who caused the condition, or the thing whose page it
    /// stands on.
    pub source: Option<EntityId>,
    /// The item that the modifier's own formula means.
    pub item: Option<EntityId>,
    /// The instance it comes from.
    pub instance: Option<Serial>,
}

/// A modifier that a rule gave while the table was in use: a plain number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdHocModifier {
    /// Its number at the table.
    pub serial: Serial,
    /// The rule that gave it.
    pub rule: RuleId,
    /// The stat it goes to.
    pub to: StatId,
    /// Its type.
    pub kind: TypeId,
    /// How much it adds.
    pub value: i32,
    /// Who caused it.
    pub source: Option<EntityId>,
    /// Switched off by hand.
    pub off: bool,
}

/// How amounts of one sign and one type add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StackPolicy {
    /// Only the one farthest from zero counts.
    Farthest,
    /// All count.
    Sum,
    /// The farthest of each source counts.
    SumPerSource,
}

/// How one type of bonus stacks with itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypePolicy {
    /// How bonuses of the type add up.
    pub bonuses: StackPolicy,
    /// How penalties of the type add up.
    pub penalties: StackPolicy,
}

/// What counts as one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// Each instance for itself.
    Instance,
    /// All instances of one definition.
    Definition,
    /// All modifiers of one named group.
    Group,
}

/// How a ruleset stacks what has no better rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stacking {
    /// If penalties have no types, how they all add up.
    pub one_pool: Option<StackPolicy>,
    /// What one source is.
    pub same: Same,
}
