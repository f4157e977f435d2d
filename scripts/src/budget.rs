//! What one intent may spend in scripts: one account, shared by all nested calls of all guests of a thread.

use houserule_kernel::budget::Budget;
use std::cell::Cell;
use std::rc::Rc;

/// The bounds under which scripts run. All but `memory` are counts and bite at the same place
/// on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptLimits {
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

impl Default for ScriptLimits {
    fn default() -> ScriptLimits {
        ScriptLimits {
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
pub enum ScriptStop {
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

impl ScriptStop {
    /// The sentence for the rule-writer.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            ScriptStop::Fuel => "the script ran too long and was stopped; look for a loop that does not end",
            ScriptStop::Depth => "calls nest too deep; look for a function or hook that calls itself without end",
            ScriptStop::Size => "a string or list grew too big; keep what a rule builds small",
            ScriptStop::Memory => "the script used too much memory; keep what a rule builds small",
            ScriptStop::Panic => "the program itself failed inside a call of this script",
            ScriptStop::Host => "the action was stopped",
        }
    }

    /// Whether the guest that met this must be dropped and built anew.
    #[must_use]
    pub fn spoils_guest(self) -> bool {
        matches!(self, ScriptStop::Memory | ScriptStop::Panic)
    }
}

/// What an account holds at one time; kept aside while another table is played on the same thread.
#[derive(Clone, Copy, Debug)]
pub struct FuelSnapshot {
    left: u64,
    ticks: u64,
    nested: u32,
    /// Script calls within which the last word was said, those of the hooks outside included.
    calls: u32,
    stop: Option<ScriptStop>,
}

/// One account of fuel and depth; clones are the same account.
#[derive(Clone, Debug)]
pub struct FuelMeter(Rc<FuelState>);

#[derive(Debug)]
struct FuelState {
    limits: ScriptLimits,
    purse: Cell<FuelSnapshot>,
}

impl FuelMeter {
    /// A full account.
    #[must_use]
    pub fn open(limits: ScriptLimits) -> FuelMeter {
        FuelMeter(Rc::new(FuelState { limits, purse: Cell::new(FuelSnapshot::full(&limits)) }))
    }

    /// The bounds it was opened with.
    #[must_use]
    pub fn limits(&self) -> &ScriptLimits {
        &self.0.limits
    }

    /// Fills it for the next intent and gives back what it held.
    pub fn refill(&self) -> FuelSnapshot {
        self.0.purse.replace(FuelSnapshot::full(&self.0.limits))
    }

    /// Puts back what [`FuelMeter::refill`] gave.
    pub fn restore(&self, purse: FuelSnapshot) {
        self.0.purse.set(purse);
    }

    /// Opens it with so much fuel and nothing else spent, and gives back what it held.
    pub fn open_with(&self, fuel: u64) -> FuelSnapshot {
        let outer = self.0.purse.get();
        let FuelSnapshot { nested, calls, .. } = outer;
        self.0.purse.replace(FuelSnapshot { left: fuel, nested, calls, ..FuelSnapshot::full(&self.0.limits) })
    }

    /// Fuel that is left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.0.purse.get().left
    }

    /// Says how much fuel is left, after somebody else spent of it.
    pub fn put_left(&self, left: u64) {
        self.0.purse.set(FuelSnapshot { left, ..self.0.purse.get() });
    }

    /// Fuel used since the last refill; the same for the same deeds in the same language and version.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.0.limits.fuel.saturating_sub(self.0.purse.get().left)
    }

    /// What stopped the intent, if anything did.
    #[must_use]
    pub fn stopped(&self) -> Option<ScriptStop> {
        self.0.purse.get().stop
    }

    /// Stops everything; the first reason stays. A machine that fails outweighs what the host said before.
    pub fn halt(&self, stop: ScriptStop) {
        let mut purse = self.0.purse.get();
        match purse.stop {
            Some(ScriptStop::Host) if stop.spoils_guest() => purse.stop = Some(stop),
            _ => _ = purse.stop.get_or_insert(stop),
        }
        self.0.purse.set(purse);
    }

    /// Spends fuel. Gives the number of spendings so far, or why nothing more may run.
    pub fn spend(&self, amount: u64) -> Result<u64, ScriptStop> {
        let mut purse = self.0.purse.get();
        purse.ticks = purse.ticks.saturating_add(1);
        match purse.left.checked_sub(amount) {
            Some(left) => purse.left = left,
            None => {
                purse.left = 0;
                purse.stop.get_or_insert(ScriptStop::Fuel);
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
        self.0.purse.set(FuelSnapshot { calls, ..self.0.purse.get() });
    }

    /// Goes one hook deeper for as long as the returned guard lives.
    pub fn enter(&self) -> Result<Nested<'_>, ScriptStop> {
        let mut purse = self.0.purse.get();
        if purse.nested >= self.0.limits.nesting {
            purse.stop.get_or_insert(ScriptStop::Depth);
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

impl FuelSnapshot {
    fn full(limits: &ScriptLimits) -> FuelSnapshot {
        FuelSnapshot { left: limits.fuel, ticks: 0, nested: 0, calls: 0, stop: None }
    }
}

/// A hook that is running; leaving it goes one level up.
#[derive(Debug)]
pub struct Nested<'a> {
    account: &'a FuelMeter,
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
        let account = FuelMeter::open(ScriptLimits { fuel: 3, ..ScriptLimits::default() });
        assert_eq!(account.spend(3), Ok(1));
        assert_eq!(account.spend(1), Err(ScriptStop::Fuel));
        account.halt(ScriptStop::Host);
        assert_eq!(account.stopped(), Some(ScriptStop::Fuel));
        account.refill();
        assert_eq!((account.stopped(), account.used()), (None, 0));
    }

    #[test]
    fn nesting_is_bounded_and_given_back() {
        let account = FuelMeter::open(ScriptLimits { nesting: 2, ..ScriptLimits::default() });
        {
            let _one = account.enter().unwrap();
            let _two = account.enter().unwrap();
            assert_eq!(account.enter().unwrap_err(), ScriptStop::Depth);
        }
        account.refill();
        assert!(account.enter().is_ok());
    }

    #[test]
    fn a_hook_begins_within_the_calls_of_the_hook_outside() {
        let account = FuelMeter::open(ScriptLimits::default());
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
        let account = FuelMeter::open(ScriptLimits::default());
        account.spend(7).unwrap();
        let aside = account.refill();
        account.spend(100).unwrap();
        account.restore(aside);
        assert_eq!(account.used(), 7);
    }
}
