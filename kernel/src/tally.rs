//! Many lines in, one number out, and the losers kept with who beat them.

use crate::ident::*;
use crate::modifier::*;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TermStatus {
    /// It counts.
    Counts,
    /// Another line of its kind was better.
    Beaten {
        /// The better line.
        by: u16,
    },
    /// A cap or floor left only so much of it.
    Held {
        /// What is left.
        to: i32,
        /// The line that held it.
        by: u16,
    },
    /// A mute or a set silenced it.
    Muted {
        /// The line that silenced it.
        by: u16,
    },
    /// The view leaves it out.
    Left,
}

/// One reason for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TallyLine {
    /// The rule it comes from.
    pub rule: RuleId,
    /// Its type.
    pub kind: TypeId,
    /// What it does.
    pub effect: Effect,
    /// How much.
    pub value: i32,
    /// The item, condition bearer or creature it hangs on.
    pub from: Option<EntityId>,
    /// Which source it counts as.
    pub source: u64,
    /// What became of it.
    pub fate: TermStatus,
}

/// A number with all its reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The lines, in the order in which they were found.
    pub lines: SmallVec<[TallyLine; 12]>,
    /// For caps, floors and mutes: which lines they look at.
    pub limits: SmallVec<[LimitTarget; 12]>,
    /// What it comes to.
    pub total: i32,
}

/// The rules by which a tally is stacked.
pub struct StackingRules<'a> {
    /// The policy of each type.
    pub types: &'a IdVec<TypeId, TypePolicy>,
    /// What is common to all types.
    pub stacking: Stacking,
}

impl Tally {
    /// Adds a line that counts until it is beaten.
    pub fn add(&mut self, line: TallyLine, aim: LimitTarget) {
        self.lines.push(line);
        self.limits.push(aim);
    }

    /// How much work it is to decide between its lines.
    #[must_use]
    pub fn work(&self) -> usize {
        let lines = self.lines.len();
        lines + lines * lines / 64
    }

    /// How many bytes it counts as in the journal.
    #[must_use]
    pub fn bytes(&self) -> usize {
        64 + 56 * self.lines.len()
    }

    /// Puts a line between others.
    pub fn insert(&mut self, at: usize, line: TallyLine, aim: LimitTarget) {
        if at >= self.lines.len() {
            return self.add(line, aim);
        }
        self.lines.insert(at, line);
        self.limits.insert(at, aim);
    }

    /// Becomes like another, in the room it has.
    pub fn copy(&mut self, other: &Tally) {
        self.clear();
        self.lines.extend_from_slice(&other.lines);
        self.limits.extend_from_slice(&other.limits);
        self.total = other.total;
    }

    /// Lets every line count again until it is beaten.
    pub fn reopen(&mut self) {
        self.lines.iter_mut().for_each(|line| line.fate = TermStatus::Counts);
    }

    /// Forgets the lines and keeps the room they took.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.limits.clear();
        self.total = 0;
    }

    /// Lets a view leave lines out: all of some types, and others if positive.
    pub fn look_through(&mut self, ignored: &IdSet<TypeId>, dropped: impl Fn(&TallyLine) -> bool) {
        let adds = self.lines.iter_mut().filter(|line| line.effect == Effect::Add);
        for line in adds.filter(|line| ignored.has(line.kind) || (line.value > 0 && dropped(line))) {
            line.fate = TermStatus::Left;
        }
    }

    /// Decides what becomes of each line and adds up what counts. `offset` is
    /// what a view adds. `None` if the sum leaves the range of an `i32`.
    pub fn settle(&mut self, customs: &StackingRules<'_>, offset: i32) -> Option<i32> {
        let limited = self.lines.iter().any(|line| line.effect != Effect::Add);
        if limited {
            self.mute_lines();
            self.hold_lines();
        }
        self.stack(customs);
        let added = self.lines.iter().filter(|line| line.takes_part()).map(|line| i64::from(line.worth())).sum();
        let total = if limited { self.limited(added)? } else { added };
        self.total = i32::try_from(total + i64::from(offset)).ok()?;
        Some(self.total)
    }

    fn aim(&self, at: usize) -> LimitTarget {
        self.limits.get(at).copied().unwrap_or(LimitTarget::Total)
    }

    fn found(&self, at: usize) -> Option<TallyLine> {
        self.lines.get(at).copied()
    }

    fn meant(aim: LimitTarget, line: &TallyLine) -> bool {
        match aim {
            LimitTarget::Total => false,
            LimitTarget::Type(kind) => line.kind == kind,
            LimitTarget::Rule(rule) => line.rule == rule,
        }
    }

    fn each(&self, effect: Effect) -> SmallVec<[u16; 8]> {
        let numbered = self.lines.iter().zip(0_u16..);
        numbered
            .filter(|(line, _)| line.effect == effect && line.fate == TermStatus::Counts)
            .map(|(_, at)| at)
            .collect()
    }

    fn mute_lines(&mut self) {
        for by in self.each(Effect::Mute) {
            let aim = self.aim(usize::from(by));
            let meant = |line: &&mut TallyLine| {
                line.effect != Effect::Mute && (aim == LimitTarget::Total || Self::meant(aim, line))
            };
            self.lines.iter_mut().filter(meant).for_each(|line| line.fate = TermStatus::Muted { by });
        }
    }

    fn hold_lines(&mut self) {
        for effect in [Effect::Floor, Effect::Cap] {
            for by in self.each(effect) {
                let (aim, limit) =
                    (self.aim(usize::from(by)), self.found(usize::from(by)).map_or(0, |line| line.value));
                for line in self.lines.iter_mut().filter(|line| line.effect == Effect::Add && Self::meant(aim, line)) {
                    line.hold(effect, limit, by);
                }
            }
        }
    }

    /// Lets the farthest of each place beat the others that stand there; among
    /// equals the first stands.
    fn stack(&mut self, customs: &StackingRules<'_>) {
        let mut leaders: SmallVec<[BestLine; 16]> = SmallVec::new();
        let mut ousted = false;
        for at in 0..u16::try_from(self.lines.len()).unwrap_or(u16::MAX) {
            let line = self.lines.get(usize::from(at)).filter(|line| line.takes_part());
            let Some((line, stand)) = line.and_then(|line| Some((line, customs.stand(line)?))) else { continue };
            let new = BestLine { stand, at, far: line.worth().unsigned_abs() };
            match leaders.iter_mut().find(|leader| leader.stand == stand) {
                None => leaders.push(new),
                Some(leader) if new.far > leader.far => {
                    let loser = std::mem::replace(leader, new);
                    self.beat(loser.at, at);
                    ousted = true;
                }
                Some(leader) => self.beat(at, leader.at),
            }
        }
        if ousted {
            self.name_last_winners();
        }
    }

    fn beat(&mut self, loser: u16, by: u16) {
        if let Some(line) = self.lines.get_mut(usize::from(loser)) {
            line.fate = TermStatus::Beaten { by };
        }
    }

    /// Who was beaten by one that was beaten later names the last winner.
    fn name_last_winners(&mut self) {
        for at in (0..self.lines.len()).rev() {
            let Some(TermStatus::Beaten { by }) = self.found(at).map(|line| line.fate) else { continue };
            let mut winner = by;
            while let Some(TermStatus::Beaten { by }) = self.found(usize::from(winner)).map(|line| line.fate) {
                winner = by;
            }
            self.beat(u16::try_from(at).unwrap_or(u16::MAX), winner);
        }
    }

    /// What is left of a total when it was set, multiplied and held.
    fn limited(&mut self, mut total: i64) -> Option<i64> {
        self.set_total(&mut total);
        for by in self.each(Effect::Multiply) {
            total = total.checked_mul(i64::from(self.found(usize::from(by))?.value))?;
        }
        self.hold_total(&mut total);
        Some(total)
    }

    fn set_total(&mut self, total: &mut i64) {
        let Some(by) = self.each(Effect::Set).last().copied() else { return };
        *total = self.found(usize::from(by)).map_or(*total, |line| i64::from(line.value));
        let added = self.lines.iter_mut().filter(|line| line.effect == Effect::Add && line.takes_part());
        added.for_each(|line| line.fate = TermStatus::Muted { by });
    }

    fn hold_total(&self, total: &mut i64) {
        (0..self.lines.len()).for_each(|at| self.hold_total_by(at, total));
    }

    fn hold_total_by(&self, at: usize, total: &mut i64) {
        let counts = |line: &TallyLine| self.aim(at) == LimitTarget::Total && line.fate == TermStatus::Counts;
        let Some(line) = self.found(at).filter(counts) else { return };
        match line.effect {
            Effect::Floor => *total = (*total).max(i64::from(line.value)),
            Effect::Cap => *total = (*total).min(i64::from(line.value)),
            _ => {}
        }
    }

    /// Whether a cap or floor of the total changes it.
    #[must_use]
    pub fn bites(&self, at: usize) -> bool {
        let added = self.lines.iter().filter(|line| line.takes_part()).map(|line| i64::from(line.worth())).sum();
        let set = self.each(Effect::Set).last().and_then(|by| self.found(usize::from(*by)));
        let mut total = set.map_or(added, |line| i64::from(line.value));
        for by in self.each(Effect::Multiply) {
            total = total.saturating_mul(self.found(usize::from(by)).map_or(1, |line| i64::from(line.value)));
        }
        (0..at).for_each(|before| self.hold_total_by(before, &mut total));
        let before = total;
        self.hold_total_by(at, &mut total);
        total != before
    }
}

/// A place for which lines stand against each other: bonuses or penalties, of
/// one type or of any, of one source or of any.
#[derive(Clone, Copy, PartialEq, Eq)]
struct StackingSlot {
    penalty: bool,
    kind: Option<TypeId>,
    source: Option<u64>,
}

/// The best line of a place so far.
#[derive(Clone, Copy)]
struct BestLine {
    stand: StackingSlot,
    at: u16,
    far: u32,
}

impl StackingRules<'_> {
    /// The place for which a line stands; none if it always counts.
    fn stand(&self, line: &TallyLine) -> Option<StackingSlot> {
        let (penalty, policy) = (line.value < 0, self.types.get(line.kind));
        let (policy, kind) = match self.stacking.one_pool {
            Some(pool) if penalty => (pool, None),
            _ if penalty => (policy.penalties, Some(line.kind)),
            _ => (policy.bonuses, Some(line.kind)),
        };
        match policy {
            StackPolicy::Farthest => Some(StackingSlot { penalty, kind, source: None }),
            StackPolicy::Sum => None,
            StackPolicy::SumPerSource => Some(StackingSlot { penalty, kind, source: Some(line.source) }),
        }
    }
}

impl TallyLine {
    /// What the line adds after caps and floors.
    #[must_use]
    pub fn worth(&self) -> i32 {
        match self.fate {
            TermStatus::Held { to, .. } => to,
            _ => self.value,
        }
    }

    /// Whether it adds to the total.
    #[must_use]
    pub fn takes_part(&self) -> bool {
        self.effect == Effect::Add && matches!(self.fate, TermStatus::Counts | TermStatus::Held { .. })
    }

    fn hold(&mut self, effect: Effect, limit: i32, by: u16) {
        let over = match effect {
            Effect::Cap => self.worth() > limit,
            _ => self.worth() < limit,
        };
        if over && self.takes_part() {
            self.fate = TermStatus::Held { to: limit, by };
        }
    }
}
