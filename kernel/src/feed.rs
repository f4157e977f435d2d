//! What a table tells its listeners: numbered, after the fact, to be read only.

use crate::ident::{Audience, EntityId};
use crate::journal::{Entry, Record};
use crate::table::Table;
use serde::{Deserialize, Serialize};

/// One thing that a table tells. Listeners read on from the number they read
/// last; replays, previews and abandoned runs tell nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Told {
    /// An entry was done.
    Done(u32),
    /// The entry was taken back.
    Undone(u32),
    /// The entry was done again.
    Redone(u32),
}

impl Table {
    /// What was told since a number, each with its own number.
    pub fn told_since(&self, number: usize) -> impl Iterator<Item = (usize, Told)> + '_ {
        self.feed().iter().copied().enumerate().skip(number)
    }

    /// The records of an entry that somebody may see.
    pub fn seen_by<'t>(&'t self, entry: &'t Entry, viewer: Viewer) -> impl Iterator<Item = &'t Record> + 't {
        self.journal().records(entry).iter().filter(move |record| viewer.sees(self.audience(record)))
    }

    /// Who may see a record: what a secret check shows is for the game master.
    #[must_use]
    pub fn audience(&self, record: &Record) -> Audience {
        match record {
            Record::Said { audience, .. } => *audience,
            Record::Decided { verdict, .. } if self.rules().checks.get(verdict.check).secret => Audience::GameMaster,
            Record::Concluded { check, .. } if self.rules().checks.get(*check).secret => Audience::GameMaster,
            _ => Audience::Everyone,
        }
    }
}

/// Somebody who looks on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Whoever plays this entity.
    Player(EntityId),
    /// The game master.
    GameMaster,
}

impl Viewer {
    /// Whether what is for an audience is for this viewer.
    #[must_use]
    pub fn sees(self, audience: Audience) -> bool {
        match (audience, self) {
            (Audience::Everyone, _) | (_, Viewer::GameMaster) => true,
            (Audience::Player(who), Viewer::Player(viewer)) => who == viewer,
            (Audience::GameMaster, Viewer::Player(_)) => false,
        }
    }
}
