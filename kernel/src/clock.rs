//! Time at a table: seconds that only rise, and rounds while an encounter runs.

use crate::ident::{EntityId, EventId, SlotId};
use serde::{Deserialize, Serialize};

/// The time of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// Seconds since the table was laid.
    #[serde(with = "crate::wide")]
    pub seconds: i64,
}

/// A stretch of time as rules speak of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// Rounds of an encounter.
    Rounds,
    /// 60 seconds.
    Minutes,
    /// 60 minutes.
    Hours,
    /// 24 hours.
    Days,
}

impl Unit {
    /// Every unit with its spelling in packs.
    pub const WORDS: [(&'static str, Unit); 4] =
        [("rounds", Unit::Rounds), ("minutes", Unit::Minutes), ("hours", Unit::Hours), ("days", Unit::Days)];

    /// How many seconds `count` of the unit are, if a round has `round` seconds.
    #[must_use]
    pub fn seconds(self, count: i32, round: i32) -> i64 {
        let each = match self {
            Unit::Rounds => i64::from(round),
            Unit::Minutes => 60,
            Unit::Hours => 3_600,
            Unit::Days => 86_400,
        };
        i64::from(count).saturating_mul(each)
    }
}

/// A moment at which something is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Moment {
    /// Just before a slot of the order comes up in a round, whoever stands there.
    Slot {
        /// The marker in the order.
        slot: SlotId,
        /// The round, from 1.
        round: u32,
    },
    /// When an event happens for the `left`-th time.
    Event {
        /// Which event.
        event: EventId,
        /// To whom; anybody if nobody is named.
        who: Option<EntityId>,
        /// How many times it must still happen.
        left: u32,
    },
    /// Never, until what it is of goes on: so much is left of a stopped time.
    Stopped {
        /// Seconds that are left.
        #[serde(with = "crate::wide")]
        seconds: i64,
    },
    /// When the clock has come so far.
    Clock {
        /// Seconds since the table was laid.
        #[serde(with = "crate::wide")]
        seconds: i64,
    },
}
