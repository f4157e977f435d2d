//! What somebody means to do: in words from a host, in ids for the rules.

use crate::ident::*;
use crate::space::Square;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// An action as a host says it, by names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Intent {
    /// The action.
    pub action: String,
    /// Who acts.
    pub who: String,
    /// With which item: by the name of the entity, of its page, or by a tag.
    pub item: Option<String>,
    /// With which second item.
    pub and: Option<String>,
    /// Against whom.
    pub targets: Vec<String>,
    /// To which square.
    pub to: Option<(i32, i32)>,
    /// By way of these squares.
    pub via: Vec<(i32, i32)>,
    /// What the host says of the situation.
    pub facts: Vec<(String, i32)>,
}

impl Intent {
    /// Means to take an action.
    #[must_use]
    pub fn new(action: &str) -> Intent {
        Intent { action: action.to_owned(), ..Intent::default() }
    }

    /// Says who acts.
    #[must_use]
    pub fn by(mut self, who: &str) -> Intent {
        who.clone_into(&mut self.who);
        self
    }

    /// Says with which item.
    #[must_use]
    pub fn with(mut self, item: &str) -> Intent {
        self.item = Some(item.to_owned());
        self
    }

    /// Says with which second item.
    #[must_use]
    pub fn and(mut self, item: &str) -> Intent {
        self.and = Some(item.to_owned());
        self
    }

    /// Says against whom; may be said more than once.
    #[must_use]
    pub fn at(mut self, target: &str) -> Intent {
        self.targets.push(target.to_owned());
        self
    }

    /// Says to which square.
    #[must_use]
    pub fn to(mut self, x: i32, y: i32) -> Intent {
        self.to = Some((x, y));
        self
    }

    /// Says by way of which square; may be said more than once.
    #[must_use]
    pub fn via(mut self, x: i32, y: i32) -> Intent {
        self.via.push((x, y));
        self
    }

    /// States a fact, such as a distance in feet.
    #[must_use]
    pub fn fact(mut self, fact: &str, number: i32) -> Intent {
        self.facts.push((fact.to_owned(), number));
        self
    }
}

/// An intent in ids, as the rules do it and the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operation {
    /// Seats a creature or lays down an item.
    Seat(Box<NewEntity>),
    /// Takes an action.
    Act {
        /// Who acts.
        who: EntityId,
        /// The action.
        action: ActionId,
        /// With which item.
        item: Option<EntityId>,
        /// With which second item.
        and: Option<EntityId>,
        /// Against whom.
        targets: SmallVec<[EntityId; 2]>,
        /// To which square.
        to: Option<Square>,
        /// By way of these squares.
        via: SmallVec<[Square; 2]>,
        /// What the host says of the situation.
        facts: SmallVec<[(FactId, i32); 2]>,
    },
    /// A check outside any action.
    Check {
        /// Who rolls.
        who: EntityId,
        /// Against whom.
        target: Option<EntityId>,
        /// Which check.
        check: CheckId,
        /// What it must reach, if the check does not say.
        dc: Option<i32>,
        /// What the host says of the situation.
        facts: SmallVec<[(FactId, i32); 2]>,
    },
    /// Runs a hook written as data, as a ruling of the game master.
    Rule {
        /// Who it is done to.
        who: EntityId,
        /// Against whom.
        target: Option<EntityId>,
        /// A list of steps in TOML, as a pack writes it.
        steps: Box<str>,
    },
    /// Begins an encounter.
    Begin {
        /// Who takes part.
        who: Vec<EntityId>,
        /// Who of them is aware.
        aware: Vec<EntityId>,
    },
    /// Somebody joins a running encounter.
    Join(EntityId),
    /// Somebody leaves a running encounter.
    Leave(EntityId),
    /// Ends the turn and begins the next.
    Next,
    /// The acting creature waits and acts behind another.
    Delay {
        /// Behind whom.
        behind: EntityId,
    },
    /// Ends the encounter.
    End,
    /// Lets time pass outside encounters.
    Wait {
        /// How many seconds.
        #[serde(with = "crate::wide")]
        seconds: i64,
    },
    /// Sets a house-rule switch, before anything is done.
    Switch {
        /// Which.
        option: OptionId,
        /// To what.
        value: i32,
    },
    /// Switches a loose modifier off or on by hand.
    Mute {
        /// Whose.
        who: EntityId,
        /// Which.
        modifier: Serial,
        /// Whether it is off.
        off: bool,
    },
    /// Gives up an intent that waits for an answer after a draw; its draws stay
    /// spent.
    Withdraw {
        /// Whose streams, and how many numbers each has given.
        spent: Vec<(EntityId, StreamId, u32)>,
    },
}

/// An item that somebody brings along.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldItem {
    /// Which.
    pub item: ItemId,
    /// Given values that differ from its page.
    pub stats: Vec<(StatId, i32)>,
    /// Pools that do not start where its page says.
    pub pools: Vec<(PoolId, i32)>,
    /// Further tags.
    pub tags: Vec<TagId>,
}

impl From<ItemId> for HeldItem {
    fn from(item: ItemId) -> HeldItem {
        HeldItem { item, stats: Vec::new(), pools: Vec::new(), tags: Vec::new() }
    }
}

/// Somebody or something that comes to the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewEntity {
    /// The name, unlike any other.
    pub name: Box<str>,
    /// What it is.
    pub origin: crate::entity::StatBlockRef,
    /// Its side in encounters.
    pub side: Box<str>,
    /// Where it stands.
    pub square: Option<Square>,
    /// Given values that differ from its page.
    pub stats: Vec<(StatId, i32)>,
    /// Pools that do not start where its page says.
    pub pools: Vec<(PoolId, i32)>,
    /// Further tags.
    pub tags: Vec<TagId>,
    /// What it holds instead of what its page says.
    pub holds: Option<Vec<HeldItem>>,
    /// Who holds it.
    pub owner: Option<EntityId>,
}
