//! Exact odds of an intent: it is run once for every way the dice can fall.

use crate::chance::Chance;
use crate::error::Fault;
use crate::intent::Operation;
use crate::oracle::{AllRolls, Oracle};
use crate::table::{Outcome, Table};
use std::collections::BTreeMap;

impl Table {
    /// The exact chance of everything that may come of an intent, named by
    /// `name` from a copy of the table on which it was done, at most `runs`
    /// times. The table itself is neither changed nor drawn from.
    ///
    /// # Errors
    /// `HR0543` if there are more ways than `runs`, or if the chances leave the
    /// range of numbers; `HR0542` if somebody must choose and neither a policy nor
    /// a default says how.
    pub fn odds(
        &self,
        deed: &Operation,
        runs: u32,
        name: impl Fn(&Table) -> String,
    ) -> Result<BTreeMap<String, Chance>, Fault> {
        let mut odds: BTreeMap<String, Chance> = BTreeMap::new();
        let mut oracle = Oracle::Odometer(AllRolls::default());
        for _ in 0..runs {
            let mut copy = self.clone();
            let key = match copy.perform_by_defaults(deed, &mut oracle)? {
                Outcome::Refused(refusal) => refusal.text.to_string(),
                _ => name(&copy),
            };
            let Oracle::Odometer(odometer) = &mut oracle else { break };
            let chance = odometer.one_in().try_fold(Chance::ALWAYS, Chance::and_one_in).ok_or_else(too_many)?;
            let so_far = odds.get(&key).copied().unwrap_or(Chance::NEVER);
            odds.insert(key, so_far.or(chance).ok_or_else(too_many)?);
            if !odometer.turn() {
                return Ok(odds);
            }
        }
        Err(too_many())
    }

    /// Does an intent and answers what is asked by its default.
    fn perform_by_defaults(&mut self, deed: &Operation, oracle: &mut Oracle) -> Result<Outcome, Fault> {
        let mut outcome = self.perform_with(deed, oracle)?;
        while let Outcome::Asking(question) = outcome {
            let default = question.default.ok_or_else(must_choose)?;
            outcome = self.answer(default, oracle)?;
        }
        Ok(outcome)
    }
}

fn must_choose() -> Fault {
    Fault::new("HR0542", "somebody must choose, and a choice has no odds; give it a default or a policy")
}

fn too_many() -> Fault {
    Fault::new("HR0543", "there are too many ways the dice can fall to count them all")
}
