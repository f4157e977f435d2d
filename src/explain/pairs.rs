//! Which records of an entry belong together: draws to rolls, rolls to checks and blows.

use houserule_kernel::change::{Change, StateField};
use houserule_kernel::check::CheckResult;
use houserule_kernel::ident::*;
use houserule_kernel::journal::Record;
use houserule_kernel::ruleset::Ruleset;

/// The records of an entry, and what tells of each.
pub struct Pairs {
    /// The record that tells of this one.
    told_by: Vec<Option<usize>>,
    /// Who may read each.
    audience: Vec<Audience>,
}

impl Pairs {
    /// Finds what belongs together.
    pub fn find(rules: &Ruleset, records: &[Record]) -> Pairs {
        let mut pairs = Pairs { told_by: vec![None; records.len()], audience: vec![Audience::Everyone; records.len()] };
        for (at, record) in records.iter().enumerate() {
            match record {
                Record::Rolled { who, stream, dice, .. } => {
                    let count = dice.1.saturating_sub(dice.0) as usize;
                    let drawn = |record: &Record| matches!(record, Record::Drawn { who: w, stream: s, .. } if (w, s) == (who, stream));
                    pairs.claim(records, at, count, drawn);
                }
                Record::Struck { who, rolled, .. } => {
                    pairs.claim(
                        records,
                        at,
                        1,
                        |record| matches!(record, Record::Rolled { who: w, total, .. } if (w, total) == (who, rolled)),
                    );
                }
                Record::Decided { verdict, .. } => pairs.claim_check(rules, records, at, verdict),
                _ => {}
            }
        }
        pairs
    }

    /// The record that tells of this one, if it does not tell of itself.
    pub fn told_by(&self, at: usize) -> Option<usize> {
        self.told_by.get(at).copied().flatten()
    }

    /// Who may read a record.
    pub fn audience(&self, at: usize) -> Audience {
        self.audience.get(at).copied().unwrap_or_default()
    }

    /// The roll that a record tells of.
    pub fn roll_of(&self, at: usize) -> Option<usize> {
        self.told_by.iter().rposition(|by| *by == Some(at))
    }

    /// The last records before `at` that fit and are not claimed yet.
    fn claim(&mut self, records: &[Record], at: usize, count: usize, fits: impl Fn(&Record) -> bool) {
        let before = records.iter().zip(&mut self.told_by).take(at).rev();
        let free = before.filter(|(record, told_by)| told_by.is_none() && fits(record));
        free.take(count).for_each(|(_, told_by)| *told_by = Some(at));
    }

    fn claim_check(&mut self, rules: &Ruleset, records: &[Record], at: usize, verdict: &CheckResult) {
        let check = rules.checks.get(verdict.check);
        let fits = |record: &Record| match record {
            Record::Rolled { who, stream, total, .. } => {
                (*who, *stream, *total) == (verdict.who, check.stream, verdict.rolled)
            }
            _ => false,
        };
        self.claim(records, at, 1, fits);
        if check.secret {
            self.hide(records, at);
        }
    }

    /// A secret check is for the game master, with the numbers that lead to it
    /// and the rules that change it.
    fn hide(&mut self, records: &[Record], at: usize) {
        let roll = self.roll_of(at).unwrap_or(at);
        let first =
            records.iter().take(roll).rposition(|record| !leads_to_check(record)).map_or(0, |before| before + 1);
        let alters = |record: &Record| {
            matches!(record, Record::Altered { .. } | Record::Hooked { .. } | Record::Concluded { .. })
        };
        let after = records.iter().skip(at + 1).take_while(|record| alters(record)).count();
        let hidden = self.audience.iter_mut().take(at + after + 1).skip(first);
        hidden.for_each(|audience| *audience = Audience::GameMaster);
    }
}

fn leads_to_check(record: &Record) -> bool {
    match record {
        Record::Change(Change { place, .. }) => matches!(place, StateField::Draws(..) | StateField::Cited(..)),
        Record::Drawn { .. } | Record::Rolled { .. } | Record::Tallied { .. } => true,
        Record::Altered { .. } | Record::Hooked { .. } => true,
        _ => false,
    }
}

/// The check whose degree a rule altered: that of the rule itself, else the
/// one decided just before, else the next.
pub fn check_of(rules: &Ruleset, records: &[Record], at: usize, rule: RuleId) -> Option<CheckId> {
    let shift = rules.checks.iter().find(|(_, check)| check.shifts.iter().any(|shift| shift.rule == rule));
    let decided = |record: &Record| match record {
        Record::Decided { verdict, .. } => Some(verdict.check),
        _ => None,
    };
    let mut earlier = records.iter().take(at).rev();
    let just_before = || earlier.find(|record| !leads_to_check(record)).and_then(decided);
    let next = || records.iter().skip(at).find_map(decided);
    shift.map(|(check, _)| check).or_else(just_before).or_else(next)
}
