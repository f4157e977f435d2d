//! Tactics: how somebody acts whom nobody plays, as a list of preferences. The
//! kernel keeps them; hosts play by them.

use crate::situation::Formula;

/// Whom a preference is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetChoice {
    /// Nobody.
    Nobody,
    /// Who acts.
    Oneself,
    /// The foe nearest on the grid.
    NearestFoe,
    /// The foe with the least left in the pools that damage falls on.
    WeakestFoe,
    /// The friend nearest on the grid.
    NearestAlly,
    /// The friend with the least left.
    WeakestAlly,
}

/// One thing that somebody would do.
#[derive(Clone, Debug)]
pub struct Preference {
    /// The action.
    pub action: String,
    /// With which item, by name or tag.
    pub item: Option<String>,
    /// With which second item.
    pub and: Option<String>,
    /// Against whom.
    pub aim: TargetChoice,
    /// Only if this says yes; of several targets, only those for whom it does.
    pub when: Option<Formula>,
}

/// Preferences in order: the first that is legal is done, again and again, until
/// none is.
#[derive(Clone, Debug, Default)]
pub struct Tactic {
    /// The preferences.
    pub prefer: Vec<Preference>,
}
