//! What the numbers of everybody came to: kept until their bearer changes.
//!
//! CachedStat of each stat are the lines of its plain modifiers, which hang on nobody
//! but the bearer and what it holds, and the modifiers that hang on more, to be
//! weighed anew each time. Whether a number was kept or is added up afresh
//! shows nowhere; a debug build adds every one up again and compares.

use crate::change::StateField;
use crate::ident::*;
use crate::modifier::Anchor;
use crate::modifier::LimitTarget;
use crate::ruleset::{ModifierSource, Ruleset};
use crate::state::State;
use crate::tally::{Tally, TallyLine};
use smallvec::SmallVec;

/// How deep plain stats may read each other. Those that go deeper are not plain.
pub const LAYERS: u8 = 8;

/// How many stats of all bearers are kept; when there are more, all are forgotten.
const MOST_KEPT: usize = 4096;

/// What is kept is a stat of somebody, maybe through a view.
pub type StatKey = (EntityId, StatId, Option<ViewId>);

/// A modifier that must be weighed anew each time.
#[derive(Clone, Copy, Debug)]
pub struct Contextual {
    /// Where it is written.
    pub written: ModifierSource,
    /// Its number there.
    pub number: usize,
    /// What it hangs on.
    pub peg: Anchor,
    /// The value of its condition.
    pub value: i32,
    /// How many plain lines come before it.
    pub place: usize,
}

/// The open modifiers of a stat, in the order in which they are weighed.
pub type ContextualModifiers = SmallVec<[Contextual; 2]>;

/// What is kept of one stat.
#[derive(Debug)]
pub struct CachedStat {
    of: (StatId, Option<ViewId>),
    revision: u64,
    /// Its plain lines.
    pub tally: Tally,
    /// Whether they are stacked, and the total is theirs.
    pub stacked: bool,
    /// The modifiers that must be weighed anew.
    pub open: ContextualModifiers,
    /// How much work it was to find the lines.
    pub work: usize,
}

impl CachedStat {
    fn new(of: (StatId, Option<ViewId>)) -> CachedStat {
        CachedStat {
            of,
            revision: 0,
            tally: Tally::default(),
            stacked: false,
            open: ContextualModifiers::new(),
            work: 0,
        }
    }
}

#[derive(Debug, Default)]
struct CachedEntity {
    revision: u64,
    kept: Vec<CachedStat>,
}

/// The kept numbers of a table, each with the revision of its bearer at which it
/// was added up. Revisions only rise, when changes are taken back as well. They
/// are no state: a copy of a table, and a loaded one, start with nothing kept.
#[derive(Debug, Default)]
pub struct StatCache {
    bearers: Vec<CachedEntity>,
    count: usize,
}

impl Clone for StatCache {
    fn clone(&self) -> StatCache {
        StatCache::default()
    }
}

impl StatCache {
    /// What is kept of a stat, if its bearer has not changed since.
    #[must_use]
    pub fn recall(&self, (who, stat, view): StatKey) -> Option<&CachedStat> {
        let bearer = self.bearers.get(place(who))?;
        let at = bearer.kept.binary_search_by_key(&(stat, view), |kept| kept.of).ok()?;
        bearer.kept.get(at).filter(|kept| kept.revision == bearer.revision)
    }

    /// Keeps a whole tally that hangs on nobody but its bearer just now.
    pub fn keep_whole(&mut self, key: StatKey, tally: &Tally, open: &ContextualModifiers, work: usize) {
        if let Some(kept) = self.anew(key, open, work) {
            kept.tally.copy(tally);
            kept.stacked = true;
        }
    }

    /// Keeps plain lines that are not stacked yet.
    pub fn keep_lines(
        &mut self,
        key: StatKey,
        lines: impl Iterator<Item = (TallyLine, LimitTarget)>,
        open: &ContextualModifiers,
        work: usize,
    ) {
        if let Some(kept) = self.anew(key, open, work) {
            kept.tally.clear();
            lines.for_each(|(line, aim)| kept.tally.add(line, aim));
            kept.stacked = false;
        }
    }

    /// The place where a stat is kept from now on, in the room it had.
    fn anew(&mut self, (who, stat, view): StatKey, open: &ContextualModifiers, work: usize) -> Option<&mut CachedStat> {
        if self.count >= MOST_KEPT {
            self.bearers.iter_mut().for_each(|bearer| bearer.kept.clear());
            self.count = 0;
        }
        let count = &mut self.count;
        let bearer = seat(&mut self.bearers, who)?;
        let at = match bearer.kept.binary_search_by_key(&(stat, view), |kept| kept.of) {
            Ok(at) => at,
            Err(at) => {
                *count += 1;
                bearer.kept.insert(at, CachedStat::new((stat, view)));
                at
            }
        };
        let kept = bearer.kept.get_mut(at)?;
        kept.revision = bearer.revision;
        kept.open.clone_from(open);
        kept.work = work;
        Some(kept)
    }

    /// A place is about to change: whoever has numbers that may hang on it is
    /// another from now on, and so is everybody who holds them.
    pub fn touch(&mut self, rules: &Ruleset, state: &State, place: StateField) {
        let sways = &rules.sways;
        let mut who = match place {
            StateField::Pool(who, pool) if sways.pools.has(pool) => Some(who),
            StateField::Count(who, count) if sways.counts.has(count) => Some(who),
            StateField::Note(who, note) if sways.notes.has(note) => Some(who),
            StateField::Given(who, _)
            | StateField::Tag(who, _)
            | StateField::Instance(who, _)
            | StateField::Loose(who, _) => Some(who),
            StateField::Holds(who) | StateField::Owner(who) | StateField::Gone(who) | StateField::Entity(who) => {
                Some(who)
            }
            StateField::Option(_) => return self.bearers.iter_mut().for_each(|bearer| bearer.revision += 1),
            _ => return,
        };
        // Nothing that is kept hangs on what is held through more hands than these.
        for _ in 0..LAYERS + 2 {
            let Some(changed) = who else { return };
            if let Some(bearer) = seat(&mut self.bearers, changed) {
                bearer.revision += 1;
            }
            who = state.entity(changed).and_then(|entity| entity.owner);
        }
    }
}

fn place(who: EntityId) -> usize {
    usize::try_from(who.0).unwrap_or(usize::MAX)
}

/// The bearer's seat in the list, which grows up to it.
fn seat(bearers: &mut Vec<CachedEntity>, who: EntityId) -> Option<&mut CachedEntity> {
    if bearers.len() <= place(who) {
        bearers.resize_with(place(who).saturating_add(1), CachedEntity::default);
    }
    bearers.get_mut(place(who))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(memo: &StatCache, who: EntityId) -> Option<i32> {
        memo.recall((who, StatId::new(3), None)).map(|kept| kept.tally.total)
    }

    fn keep(memo: &mut StatCache, who: EntityId, total: i32) {
        let tally = Tally { total, ..Tally::default() };
        memo.keep_whole((who, StatId::new(3), None), &tally, &ContextualModifiers::new(), 1);
    }

    fn bump(memo: &mut StatCache, who: EntityId) {
        seat(&mut memo.bearers, who).unwrap().revision += 1;
    }

    #[test]
    fn a_total_is_good_until_its_bearer_changes() {
        let (ann, ben) = (EntityId(1), EntityId(2));
        let mut memo = StatCache::default();
        keep(&mut memo, ann, 7);
        keep(&mut memo, ben, 8);
        bump(&mut memo, ann);
        assert_eq!((kept(&memo, ann), kept(&memo, ben)), (None, Some(8)));
        keep(&mut memo, ann, 9);
        assert_eq!(kept(&memo, ann), Some(9));
    }

    #[test]
    fn each_view_of_a_stat_is_kept_by_itself() {
        let ann = EntityId(1);
        let mut memo = StatCache::default();
        keep(&mut memo, ann, 7);
        assert!(memo.recall((ann, StatId::new(3), Some(ViewId::new(0)))).is_none());
        assert!(memo.recall((ann, StatId::new(2), None)).is_none());
    }

    #[test]
    fn a_copy_starts_with_nothing_kept() {
        let ann = EntityId(1);
        let mut memo = StatCache::default();
        keep(&mut memo, ann, 7);
        assert_eq!(kept(&memo.clone(), ann), None);
    }

    #[test]
    fn when_too_much_is_kept_all_is_forgotten_and_kept_anew() {
        let mut memo = StatCache::default();
        for who in 0..=u32::try_from(MOST_KEPT).unwrap() {
            keep(&mut memo, EntityId(who), 1);
        }
        assert_eq!(kept(&memo, EntityId(0)), None);
        assert_eq!(kept(&memo, EntityId(4096)), Some(1));
        assert_eq!(memo.count, 1);
    }
}
