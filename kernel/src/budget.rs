//! How much one intent may do: deeds are counted, never seconds.

use crate::error::Fault;
use std::cell::Cell;

/// The limits of one intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Dice and choices.
    pub draws: u32,
    /// Events raised.
    pub events: u32,
    /// Steps done and hooks run.
    pub deeds: u32,
    /// Lines written to the journal.
    pub records: u32,
    /// Bytes of those lines, as they are counted on every machine.
    pub bytes: u32,
    /// What is looked at: lines of numbers, entities, squares, letters.
    pub work: u32,
    /// How deep before-hooks may nest.
    pub depth: u32,
    /// Steps of a script virtual machine, for the whole intent.
    pub fuel: u32,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            draws: 10_000,
            events: 10_000,
            deeds: 50_000,
            records: 100_000,
            bytes: 16 << 20,
            work: 10_000_000,
            depth: 8,
            fuel: 2_000_000,
        }
    }
}

impl Budget {
    /// Every limit by its name.
    #[must_use]
    pub fn limits(&self) -> [(&'static str, u32); 8] {
        let Budget { draws, events, deeds, records, bytes, work, depth, fuel } = *self;
        [
            ("draws", draws),
            ("events", events),
            ("deeds", deeds),
            ("records", records),
            ("bytes", bytes),
            ("work", work),
            ("depth", depth),
            ("fuel", fuel),
        ]
    }

    /// Sets a limit by its name, and says whether there is one.
    pub fn set_limit(&mut self, name: &str, to: u32) -> bool {
        let limit = match name {
            "draws" => &mut self.draws,
            "events" => &mut self.events,
            "deeds" => &mut self.deeds,
            "records" => &mut self.records,
            "bytes" => &mut self.bytes,
            "work" => &mut self.work,
            "depth" => &mut self.depth,
            "fuel" => &mut self.fuel,
            _ => return false,
        };
        *limit = to;
        true
    }
}

/// What is left of a budget.
#[derive(Clone, Copy, Debug, Default)]
pub struct Purse {
    /// What is left.
    pub left: Budget,
}

/// What a deed is paid with.
#[derive(Clone, Copy, Debug)]
pub enum Coin {
    /// A die or a choice.
    Draw,
    /// An event.
    Event,
    /// A step or a hook.
    Deed,
    /// A line of the journal.
    Record,
}

impl Purse {
    /// A full purse.
    #[must_use]
    pub fn new(left: Budget) -> Purse {
        Purse { left }
    }

    /// Pays for one deed.
    ///
    /// # Errors
    /// `HR0520` when nothing is left, naming what ran out.
    pub fn pay(&mut self, coin: Coin) -> Result<(), Fault> {
        let (left, what) = match coin {
            Coin::Draw => (&mut self.left.draws, "draws"),
            Coin::Event => (&mut self.left.events, "events"),
            Coin::Deed => (&mut self.left.deeds, "steps"),
            Coin::Record => (&mut self.left.records, "journal lines"),
        };
        *left = left.checked_sub(1).ok_or_else(|| used_up(what))?;
        Ok(())
    }

    /// Pays for what is written to the journal.
    ///
    /// # Errors
    /// `HR0520` when nothing is left.
    pub fn write(&mut self, bytes: usize) -> Result<(), Fault> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        self.left.bytes = self.left.bytes.checked_sub(bytes).ok_or_else(|| used_up("journal bytes"))?;
        Ok(())
    }
}

/// The work that an intent may still do. Reading pays as well as doing, so that it
/// is counted where nothing else changes.
#[derive(Clone, Debug, Default)]
pub struct Toil(Cell<u32>);

impl Toil {
    /// So much may be done.
    #[must_use]
    pub fn new(left: u32) -> Toil {
        Toil(Cell::new(left))
    }

    /// As much as one intent may do by default.
    #[must_use]
    pub fn full() -> Toil {
        Toil::new(Budget::default().work)
    }

    /// What may still be done.
    #[must_use]
    pub fn left(&self) -> u32 {
        self.0.get()
    }

    /// Pays for work.
    ///
    /// # Errors
    /// `HR0520` when it is more than what is left; then nothing is.
    #[inline]
    pub fn pay(&self, units: usize) -> Result<(), Fault> {
        match u32::try_from(units).ok().and_then(|units| self.0.get().checked_sub(units)) {
            Some(left) => {
                self.0.set(left);
                Ok(())
            }
            None => {
                self.0.set(0);
                Err(used_up("work"))
            }
        }
    }
}

fn used_up(what: &str) -> Fault {
    Fault::of_intent("HR0520", format!("the budget of {what} for one intent is used up"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_is_read_and_set_by_its_name() {
        let mut budget = Budget::default();
        for (number, (name, _)) in (1..).zip(Budget::default().limits()) {
            assert!(budget.set_limit(name, number));
        }
        assert!(!budget.set_limit("gold", 1));
        assert_eq!(budget.limits().map(|(_, limit)| limit), [1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn work_beyond_what_is_left_leaves_nothing() {
        let toil = Toil::new(5);
        assert!(toil.pay(3).is_ok() && toil.pay(3).is_err());
        assert_eq!(toil.left(), 0);
    }
}
