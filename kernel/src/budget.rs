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
