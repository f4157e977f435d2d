//! What a table tells its listeners: numbered, after the fact, to be read only.

use crate::ident::{Audience, EntityId};
use serde::{Deserialize, Serialize};

/// One thing that a table tells. Listeners read on from the number they read
/// last; replays, previews and abandoned runs tell nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FeedEvent {
    /// An entry was done.
    Done(u32),
    /// The entry was taken back.
    Undone(u32),
    /// The entry was done again.
    Redone(u32),
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
