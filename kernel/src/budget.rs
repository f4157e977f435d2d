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

/// One of the things that a [`Budget`] counts.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// The name by which packs ask for more of it.
    pub name: &'static str,
    /// What is counted, in words.
    pub what: &'static str,
    /// The most that a pack may ask for.
    pub ceiling: u32,
    of: fn(&mut Budget) -> &mut u32,
}

/// All that a budget counts. A pack may ask for ten times the default, since an
/// intent holds on to what it did until it ends; bytes, which cost memory, are
/// fourfold, and nesting, which costs stack, only doubles.
pub const COUNTED: [Counted; 8] = [
    Counted { name: "draws", what: "dice and choices", ceiling: 100_000, of: |budget| &mut budget.draws },
    Counted { name: "events", what: "events raised", ceiling: 100_000, of: |budget| &mut budget.events },
    Counted { name: "deeds", what: "steps done and hooks run", ceiling: 500_000, of: |budget| &mut budget.deeds },
    Counted { name: "records", what: "journal lines", ceiling: 1_000_000, of: |budget| &mut budget.records },
    Counted { name: "bytes", what: "bytes of journal lines", ceiling: 64 << 20, of: |budget| &mut budget.bytes },
    Counted { name: "work", what: "things looked at", ceiling: 100_000_000, of: |budget| &mut budget.work },
    Counted { name: "depth", what: "events in events", ceiling: 16, of: |budget| &mut budget.depth },
    Counted { name: "fuel", what: "steps of scripts", ceiling: 20_000_000, of: |budget| &mut budget.fuel },
];

impl Counted {
    /// The one with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Counted> {
        COUNTED.iter().find(|counted| counted.name == name)
    }

    /// How much of it a budget gives.
    #[must_use]
    pub fn amount(&self, mut budget: Budget) -> u32 {
        *(self.of)(&mut budget)
    }

    /// Gives exactly so much of it.
    pub fn set(&self, budget: &mut Budget, to: u32) {
        *(self.of)(budget) = to;
    }

    /// Gives at least so much of it.
    pub fn raise(&self, budget: &mut Budget, to: u32) {
        let amount = (self.of)(budget);
        *amount = to.max(*amount);
    }
}

/// What a pack asks for in its manifest. It changes nothing by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestedLimits {
    /// The amounts, by the names of [`COUNTED`], in their order.
    pub amounts: Vec<(&'static str, u32)>,
    /// Why, in one line for people.
    pub because: String,
}

impl RequestedLimits {
    /// The amount asked for of what is counted by this name.
    #[must_use]
    pub fn amount(&self, name: &str) -> Option<u32> {
        self.amounts.iter().find(|(known, _)| *known == name).map(|(_, amount)| *amount)
    }

    /// A budget that gives as much as the pack asks for, and no less than before.
    #[must_use]
    pub fn granted(&self, mut budget: Budget) -> Budget {
        for counted in &COUNTED {
            self.amount(counted.name).into_iter().for_each(|amount| counted.raise(&mut budget, amount));
        }
        budget
    }
}

/// What is left of a budget.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meter {
    /// What is left.
    pub left: Budget,
}

/// What a deed is paid with.
#[derive(Clone, Copy, Debug)]
pub enum Cost {
    /// A die or a choice.
    Draw,
    /// An event.
    Event,
    /// A step or a hook.
    Deed,
    /// A line of the journal.
    Record,
}

impl Meter {
    /// A full purse.
    #[must_use]
    pub fn new(left: Budget) -> Meter {
        Meter { left }
    }

    /// Pays for one deed.
    ///
    /// # Errors
    /// `HR0520` when nothing is left, naming what ran out.
    pub fn pay(&mut self, coin: Cost) -> Result<(), Fault> {
        let (left, what) = match coin {
            Cost::Draw => (&mut self.left.draws, "draws"),
            Cost::Event => (&mut self.left.events, "events"),
            Cost::Deed => (&mut self.left.deeds, "steps"),
            Cost::Record => (&mut self.left.records, "journal lines"),
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
    fn everything_counted_is_read_and_set_by_its_name() {
        let mut budget = Budget::default();
        for (number, counted) in (1..).zip(&COUNTED) {
            Counted::named(counted.name).unwrap().set(&mut budget, number);
        }
        assert!(Counted::named("gold").is_none());
        assert_eq!(COUNTED.map(|counted| counted.amount(budget)), [1, 2, 3, 4, 5, 6, 7, 8]);
        Counted::named("fuel").unwrap().raise(&mut budget, 3);
        assert_eq!(budget.fuel, 8);
        let Budget { draws, events, deeds, records, bytes, work, depth, fuel } = budget;
        assert_eq!([draws, events, deeds, records, bytes, work, depth, fuel], [1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn work_beyond_what_is_left_leaves_nothing() {
        let toil = Toil::new(5);
        assert!(toil.pay(3).is_ok() && toil.pay(3).is_err());
        assert_eq!(toil.left(), 0);
    }
}
