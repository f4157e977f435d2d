//! The door through which a script asks its host for something while a hook runs.

use crate::budget::{Account, Stop};
use crate::scalar::{Scalar, Scalars};
use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// What a host offers to running hooks.
pub trait Door {
    /// Runs what the running wrapper wraps. An error stops the intent; its reason stays with the host.
    fn inner(&self, arguments: &[Scalar]) -> Result<Scalars, Stop>;
}

/// A host that offers nothing: a wrapper's `inner` gives nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClosedDoor;

impl Door for ClosedDoor {
    fn inner(&self, _arguments: &[Scalar]) -> Result<Scalars, Stop> {
        Ok(Scalars::new())
    }
}

/// The door of a guest, with the account that every passage checks.
#[derive(Clone)]
pub(crate) struct Passage {
    pub(crate) account: Account,
    door: Rc<RefCell<Rc<dyn Door>>>,
}

impl fmt::Debug for Passage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passage").field("account", &self.account).finish_non_exhaustive()
    }
}

impl Passage {
    pub(crate) fn new(account: Account) -> Passage {
        Passage { account, door: Rc::new(RefCell::new(Rc::new(ClosedDoor))) }
    }

    pub(crate) fn replace(&self, door: Rc<dyn Door>) -> Rc<dyn Door> {
        self.door.replace(door)
    }

    /// Asks the host to run what is wrapped. Nothing is borrowed while it runs.
    pub(crate) fn inner(&self, arguments: &[Scalar]) -> Result<Scalars, Stop> {
        let door = Rc::clone(&self.door.borrow());
        guarded(&self.account, || door.inner(arguments))?
    }
}

/// Runs host code for a script: not at all once the intent is stopped, and a panic becomes a stop.
pub(crate) fn guarded<R>(account: &Account, work: impl FnOnce() -> R) -> Result<R, Stop> {
    let result = contained(account, work)?;
    account.stopped().map_or(Ok(result), Err)
}

/// Runs a script: not at all once the intent is stopped. What it answers counts only if nothing stopped it meanwhile.
pub(crate) fn contained<R>(account: &Account, work: impl FnOnce() -> R) -> Result<R, Stop> {
    if let Some(stop) = account.stopped() {
        return Err(stop);
    }
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        account.halt(Stop::Panic);
        Stop::Panic
    })
}
