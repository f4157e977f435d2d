//! Actions: what somebody may do, what it costs, and what comes of it.

use crate::error::Span;
use crate::ident::*;
use crate::situation::Formula;
use crate::step::Step;

/// How many an action is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetCount {
    /// Nobody.
    Nobody,
    /// Who acts.
    Oneself,
    /// One other.
    One,
    /// One or more others.
    Some,
    /// Everybody in an area around or up to the square of the intent.
    Area,
}

impl TargetCount {
    /// Every aim with its spelling in packs.
    pub const WORDS: [(&'static str, TargetCount); 4] = [
        ("none", TargetCount::Nobody),
        ("self", TargetCount::Oneself),
        ("one", TargetCount::One),
        ("some", TargetCount::Some),
    ];
}

/// What an action is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// Creatures.
    Creature,
    /// Items, those that somebody holds too.
    Item,
    /// Creatures and items.
    Anything,
}

impl TargetKind {
    /// Every sort with its spelling in packs.
    pub const WORDS: [(&'static str, TargetKind); 3] =
        [("creature", TargetKind::Creature), ("item", TargetKind::Item), ("anything", TargetKind::Anything)];

    /// The spelling of the sort.
    #[must_use]
    pub fn word(self) -> &'static str {
        TargetKind::WORDS.iter().find(|(_, sort)| *sort == self).map_or("?", |(word, _)| word)
    }
}

/// The shape of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaShape {
    /// Everybody around the square of the intent.
    Burst,
    /// Everybody around the lower left crossing of the square of the intent.
    BurstAtCrossing,
    /// Everybody on the straight way to the square of the intent.
    Line,
    /// Everybody in a quarter of a circle toward the square of the intent.
    Cone,
    /// Everybody around who acts.
    Emanation,
}

/// An area that an action fills.
#[derive(Clone, Debug)]
pub struct Area {
    /// Its shape.
    pub shape: AreaShape,
    /// How many feet it reaches from where it begins.
    pub feet: Formula,
    /// Who of those in it is caught, read with each as target.
    pub when: Option<Formula>,
    /// How many are caught at most, nearest first.
    pub most: Option<Formula>,
}

/// What must hold before an action is taken.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// Under which name it is cited.
    pub rule: RuleId,
    /// What must say yes.
    pub when: Formula,
    /// What is said if it says no.
    pub text: TextId,
}

/// An action as packs write it.
#[derive(Clone, Debug)]
pub struct Action {
    /// Under which name it is cited.
    pub rule: RuleId,
    /// Its tags.
    pub tags: IdSet<TagId>,
    /// What it costs, by pool of the actor.
    pub cost: Vec<(PoolId, i32)>,
    /// A tag the item must have; no item is needed without it.
    pub item: Option<TagId>,
    /// How many it is aimed at.
    pub aim: TargetCount,
    /// What those are.
    pub sort: TargetKind,
    /// The area it fills, if it fills one.
    pub area: Option<Area>,
    /// How far the target or the square may be, in feet.
    pub within: Option<Formula>,
    /// May be done outside the own turn.
    pub any_time: bool,
    /// What must hold.
    pub requires: Vec<Requirement>,
    /// Steps before anything is rolled, once.
    pub once: Vec<Step>,
    /// The check that is rolled against each target.
    pub check: Option<CheckId>,
    /// What follows from each degree.
    pub on: Vec<(DegreeId, Vec<Step>)>,
    /// Steps for each target, after the check if there is one.
    pub each: Vec<Step>,
    /// Walks to the square of the intent, so far at most, in feet.
    pub walk: Option<Formula>,
    /// Where it was written.
    pub span: Span,
}

/// What others may do in a window.
#[derive(Clone, Debug)]
pub struct Reaction {
    /// Under which name it is cited.
    pub rule: RuleId,
    /// Its tags, by which conditions forbid it.
    pub tags: IdSet<TagId>,
    /// The event that opens its window.
    pub window: EventId,
    /// Who may, asked with the reactor as bearer.
    pub when: Option<Formula>,
    /// A tag of the item it is done with: the first held for which `when` says
    /// yes.
    pub item: Option<TagId>,
    /// The action whose tags count while its steps run.
    pub action: Option<ActionId>,
    /// What it costs, by pool of the reactor.
    pub cost: Vec<(PoolId, i32)>,
    /// The question that is put.
    pub text: TextId,
    /// What is done.
    pub steps: Vec<Step>,
}

/// A pool of actions that may be had for another.
#[derive(Clone, Debug)]
pub struct Trade {
    /// What is given.
    pub from: PoolId,
    /// What is got.
    pub to: PoolId,
    /// For what it may be: asked of who pays, about the action that is paid for.
    pub when: Option<Formula>,
    /// Taken before what is there of the other.
    pub first: bool,
}
