//! Totals of this intent that hang on nobody but their bearer: added up once,
//! and again only when the bearer has changed.

use crate::ident::*;
use smallvec::SmallVec;

/// What a total is of.
type Key = (EntityId, StatId, Option<ViewId>);

/// The totals, each with the revision of its bearer at which it was added up.
/// Revisions only rise. Whether a total was here or was added up afresh shows
/// nowhere: a debug build adds every one up again and compares.
#[derive(Debug, Default)]
pub struct Memo {
    totals: SmallVec<[(Key, u32, i32); 16]>,
    revisions: Vec<u32>,
}

/// How many totals are kept; when there are more, all are forgotten.
const MOST_TOTALS: usize = 64;

impl Memo {
    fn revision(&self, who: EntityId) -> u32 {
        self.revisions.get(who.0 as usize).copied().unwrap_or(0)
    }

    /// The total, if its bearer has not changed since.
    #[must_use]
    pub fn recall(&self, key: Key) -> Option<i32> {
        let now = self.revision(key.0);
        let kept = self.totals.iter().find(|(known, ..)| *known == key);
        kept.filter(|(_, then, _)| *then == now).map(|(.., total)| *total)
    }

    /// Keeps a total.
    pub fn keep(&mut self, key: Key, total: i32) {
        let now = self.revision(key.0);
        if let Some(kept) = self.totals.iter_mut().find(|(known, ..)| *known == key) {
            *kept = (key, now, total);
            return;
        }
        if self.totals.len() >= MOST_TOTALS {
            self.totals.clear();
        }
        self.totals.push((key, now, total));
    }

    /// Somebody has changed.
    pub fn bump(&mut self, who: EntityId) {
        let at = who.0 as usize;
        if self.revisions.len() <= at {
            self.revisions.resize(at + 1, 0);
        }
        if let Some(revision) = self.revisions.get_mut(at) {
            *revision = revision.wrapping_add(1);
        }
    }

    /// Forgets every total, and keeps the room.
    pub fn forget(&mut self) {
        self.totals.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_is_good_until_its_bearer_changes() {
        let (ann, ben) = (EntityId(1), EntityId(2));
        let key = |who| (who, StatId::new(3), None);
        let mut memo = Memo::default();
        memo.keep(key(ann), 7);
        memo.keep(key(ben), 8);
        memo.bump(ann);
        assert_eq!((memo.recall(key(ann)), memo.recall(key(ben))), (None, Some(8)));
        memo.keep(key(ann), 9);
        assert_eq!(memo.recall(key(ann)), Some(9));
        memo.forget();
        assert_eq!(memo.recall(key(ben)), None);
    }
}
