//! How much one intent may do: deeds are counted, never seconds.

use crate::error::Fault;

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
    /// How deep before-hooks may nest.
    pub depth: u32,
    /// Steps of a script virtual machine, for the whole intent.
    pub fuel: u32,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { draws: 10_000, events: 10_000, deeds: 50_000, records: 100_000, depth: 8, fuel: 2_000_000 }
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
/// intent holds on to what it did until it ends; nesting, which costs stack, only
/// doubles.
pub const COUNTED: [Counted; 6] = [
    Counted { name: "draws", what: "dice and choices", ceiling: 100_000, of: |budget| &mut budget.draws },
    Counted { name: "events", what: "events raised", ceiling: 100_000, of: |budget| &mut budget.events },
    Counted { name: "deeds", what: "steps done and hooks run", ceiling: 500_000, of: |budget| &mut budget.deeds },
    Counted { name: "records", what: "journal lines", ceiling: 1_000_000, of: |budget| &mut budget.records },
    Counted { name: "depth", what: "events in events", ceiling: 16, of: |budget| &mut budget.depth },
    Counted { name: "fuel", what: "steps of scripts", ceiling: 20_000_000, of: |budget| &mut budget.fuel },
];

impl Counted {
    /// How much of it a budget gives.
    #[must_use]
    pub fn amount(&self, mut budget: Budget) -> u32 {
        *(self.of)(&mut budget)
    }

    /// Gives at least so much of it.
    pub fn raise(&self, budget: &mut Budget, to: u32) {
        let amount = (self.of)(budget);
        *amount = to.max(*amount);
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
        match left.checked_sub(1) {
            Some(rest) => {
                *left = rest;
                Ok(())
            }
            None => Err(Fault::new("HR0520", format!("the budget of {what} for one intent is used up"))),
        }
    }
}
