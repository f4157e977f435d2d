//! What one intent may spend in scripts: one account, shared by all nested calls of all guests of a thread.

use houserule_kernel::budget::Budget;
use std::cell::Cell;
use std::rc::Rc;

/// The bounds under which scripts run. All but `memory` are counts and bite at the same place
/// on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Safepoints (Lua) or operations (Rhai) of one intent, nested hooks included.
    pub fuel: u64,
    /// Script calls within script calls inside one hook.
    pub depth: u32,
    /// Hooks within hooks.
    pub nesting: u32,
    /// Bytes of one string that a script may make with a library function.
    pub text: usize,
    /// Elements of one list or map that the Rhai host lets grow.
    pub elements: usize,
    /// Bytes of one source file.
    pub source: usize,
    /// Bytes that a Lua guest may hold above what its files need (by the machine).
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            fuel: u64::from(Budget::default().fuel),
            depth: 200,
            nesting: 16,
            text: 16 << 10,
            elements: 1_000,
            source: 256 << 10,
            memory: 2 << 20,
        }
    }
}

/// Why nothing more may run for this intent. Once set it stays until the account is opened anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The fuel is spent.
    Fuel,
    /// Calls nest too deep.
    Depth,
    /// A string or list grew too big.
    Size,
    /// The guest used too much memory; by the machine, never in a digest.
    Memory,
    /// A host function panicked: a fault of the program, not of the pack.
    Panic,
    /// The host stopped the intent: a question, a refusal or a fault of its own.
    Host,
}

impl Stop {
    /// The sentence for the rule-writer.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Stop::Fuel => "the script ran too long and was stopped; look for a loop that does not end",
            Stop::Depth => "calls nest too deep; look for a function or hook that calls itself without end",
            Stop::Size => "a string or list grew too big; keep what a rule builds small",
            Stop::Memory => "the script used too much memory; keep what a rule builds small",
            Stop::Panic => "the program itself failed inside a call of this script",
            Stop::Host => "the action was stopped",
        }
    }

    /// Whether the guest that met this must be dropped and built anew.
    #[must_use]
    pub fn spoils_guest(self) -> bool {
        matches!(self, Stop::Memory | Stop::Panic)
    }
}

/// What an account holds at one time; kept aside while another table is played on the same thread.
#[derive(Clone, Copy, Debug)]
pub struct Purse {
    left: u64,
    ticks: u64,
    nested: u32,
    /// Script calls within which the last word was said, those of the hooks outside included.
    calls: u32,
    stop: Option<Stop>,
}

/// One account of fuel and depth; clones are the same account.
#[derive(Clone, Debug)]
pub struct Account(Rc<Meter>);

#[derive(Debug)]
struct Meter {
    limits: Limits,
    purse: Cell<Purse>,
}

impl Account {
    /// A full account.
    #[must_use]
    pub fn open(limits: Limits) -> Account {
        Account(Rc::new(Meter { limits, purse: Cell::new(Purse::full(&limits)) }))
    }

    /// The bounds it was opened with.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Fills it for the next intent and gives back what it held.
    pub fn refill(&self) -> Purse {
        self.0.purse.replace(Purse::full(&self.0.limits))
    }

    /// Puts back what [`Account::refill`] gave.
    pub fn restore(&self, purse: Purse) {
        self.0.purse.set(purse);
    }

    /// Opens it with so much fuel and nothing else spent, and gives back what it held.
    pub fn open_with(&self, fuel: u64) -> Purse {
        let outer = self.0.purse.get();
        let Purse { nested, calls, .. } = outer;
        self.0.purse.replace(Purse { left: fuel, nested, calls, ..Purse::full(&self.0.limits) })
    }

    /// Fuel that is left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.0.purse.get().left
    }

    /// Says how much fuel is left, after somebody else spent of it.
    pub fn put_left(&self, left: u64) {
        self.0.purse.set(Purse { left, ..self.0.purse.get() });
    }

    /// Fuel used since the last refill; the same for the same deeds in the same language and version.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.0.limits.fuel.saturating_sub(self.0.purse.get().left)
    }

    /// What stopped the intent, if anything did.
    #[must_use]
    pub fn stopped(&self) -> Option<Stop> {
        self.0.purse.get().stop
    }

    /// Stops everything; the first reason stays. A machine that fails outweighs what the host said before.
    pub fn halt(&self, stop: Stop) {
        let mut purse = self.0.purse.get();
        match purse.stop {
            Some(Stop::Host) if stop.spoils_guest() => purse.stop = Some(stop),
            _ => _ = purse.stop.get_or_insert(stop),
        }
        self.0.purse.set(purse);
    }

    /// Spends fuel. Gives the number of spendings so far, or why nothing more may run.
    pub fn spend(&self, amount: u64) -> Result<u64, Stop> {
        let mut purse = self.0.purse.get();
        purse.ticks = purse.ticks.saturating_add(1);
        match purse.left.checked_sub(amount) {
            Some(left) => purse.left = left,
            None => {
                purse.left = 0;
                purse.stop.get_or_insert(Stop::Fuel);
            }
        }
        self.0.purse.set(purse);
        purse.stop.map_or(Ok(purse.ticks), Err)
    }

    /// Script calls within which a hook begins that runs now: those of the hooks outside, which share its stack.
    #[must_use]
    pub fn calls(&self) -> u32 {
        self.0.purse.get().calls
    }

    /// Says within how many script calls a word is said, from which hooks may begin.
    pub fn put_calls(&self, calls: u32) {
        self.0.purse.set(Purse { calls, ..self.0.purse.get() });
    }

    /// Goes one hook deeper for as long as the returned guard lives.
    pub fn enter(&self) -> Result<Nested<'_>, Stop> {
        let mut purse = self.0.purse.get();
        if purse.nested >= self.0.limits.nesting {
            purse.stop.get_or_insert(Stop::Depth);
        }
        if let Some(stop) = purse.stop {
            self.0.purse.set(purse);
            return Err(stop);
        }
        purse.nested += 1;
        self.0.purse.set(purse);
        Ok(Nested { account: self, calls: purse.calls })
    }
}

impl Purse {
    fn full(limits: &Limits) -> Purse {
        Purse { left: limits.fuel, ticks: 0, nested: 0, calls: 0, stop: None }
    }
}

/// A hook that is running; leaving it goes one level up.
#[derive(Debug)]
pub struct Nested<'a> {
    account: &'a Account,
    calls: u32,
}

impl Drop for Nested<'_> {
    fn drop(&mut self) {
        let mut purse = self.account.0.purse.get();
        purse.nested = purse.nested.saturating_sub(1);
        purse.calls = self.calls;
        self.account.0.purse.set(purse);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stop_stays_until_the_account_is_refilled() {
        let account = Account::open(Limits { fuel: 3, ..Limits::default() });
        assert_eq!(account.spend(3), Ok(1));
        assert_eq!(account.spend(1), Err(Stop::Fuel));
        account.halt(Stop::Host);
        assert_eq!(account.stopped(), Some(Stop::Fuel));
        account.refill();
        assert_eq!((account.stopped(), account.used()), (None, 0));
    }

    #[test]
    fn nesting_is_bounded_and_given_back() {
        let account = Account::open(Limits { nesting: 2, ..Limits::default() });
        {
            let _one = account.enter().unwrap();
            let _two = account.enter().unwrap();
            assert_eq!(account.enter().unwrap_err(), Stop::Depth);
        }
        account.refill();
        assert!(account.enter().is_ok());
    }

    #[test]
    fn a_hook_begins_within_the_calls_of_the_hook_outside() {
        let account = Account::open(Limits::default());
        account.put_calls(5);
        {
            let _inner = account.enter().unwrap();
            let outer = account.open_with(100);
            assert_eq!(account.calls(), 5);
            account.put_calls(9);
            account.restore(outer);
            account.put_calls(7);
        }
        assert_eq!(account.calls(), 5);
    }

    #[test]
    fn a_purse_set_aside_comes_back_unchanged() {
        let account = Account::open(Limits::default());
        account.spend(7).unwrap();
        let aside = account.refill();
        account.spend(100).unwrap();
        account.restore(aside);
        assert_eq!(account.used(), 7);
    }
}
