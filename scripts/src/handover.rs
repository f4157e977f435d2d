//! The way from a running hook to its scene and back: nothing is borrowed while either side works.

use crate::budget::{FuelMeter, FuelSnapshot, ScriptStop};
use crate::scalar::ConversionError;
use houserule_kernel::error::Fault;
use houserule_kernel::oracle::{self, Flow, Missing};
use houserule_kernel::scene::Scene;
use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Fuel of one word that a script says to its host.
const WORD_COST: u64 = 10;

/// The passage of a guest: the scenes of the hooks that run, innermost last, and the account that every crossing
/// checks. Clones are the same passage.
#[derive(Clone)]
pub(crate) struct Handover {
    pub(crate) account: FuelMeter,
    scenes: Rc<RefCell<Vec<Scene>>>,
}

impl fmt::Debug for Handover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handover").field("account", &self.account).finish_non_exhaustive()
    }
}

impl Handover {
    pub(crate) fn new(account: FuelMeter) -> Handover {
        Handover { account, scenes: Rc::default() }
    }

    /// Lays a scene down for a hook, and opens the account with the fuel that its intent has left.
    pub(crate) fn lay_down(&self, scene: Scene) -> FuelSnapshot {
        let outer = self.account.open_with(u64::from(scene.purse.left.fuel));
        self.scenes.borrow_mut().push(scene);
        outer
    }

    /// Takes the scene up again, with what is left of its fuel.
    pub(crate) fn take_up(&self, outer: FuelSnapshot) -> Option<Scene> {
        let mut scene = self.scenes.borrow_mut().pop().filter(Scene::is_whole);
        let left = self.account.left();
        self.account.restore(outer);
        if let Some(scene) = &mut scene {
            scene.purse.left.fuel = u32::try_from(left).unwrap_or(u32::MAX);
        }
        scene
    }

    /// Asks the scene for something in the name of a word. What stops the scene stops the script as well; the
    /// sentence given back is for the machine.
    pub(crate) fn ask<R>(&self, word: &str, work: impl FnOnce(&mut Scene) -> Flow<R>) -> Result<R, String> {
        self.account.spend(WORD_COST).map_err(|stop| stop.sentence().to_owned())?;
        let mut scene = self.scenes.borrow_mut().pop().ok_or_else(|| too_early(word))?;
        scene.purse.left.fuel = u32::try_from(self.account.left()).unwrap_or(u32::MAX);
        let (before, billed) = (scene.toil.left(), scene.billed);
        let done = catch_unwind(AssertUnwindSafe(|| work(&mut scene)));
        let answer = match done {
            Ok(Ok(answer)) => {
                self.account.put_left(u64::from(scene.purse.left.fuel));
                self.bill(&mut scene, before, billed).map(|()| answer)
            }
            Ok(Err(stop)) => Err(self.stop(&mut scene, stop)),
            Err(_) => {
                self.account.halt(ScriptStop::Panic);
                Err(ScriptStop::Panic.sentence().to_owned())
            }
        };
        self.scenes.borrow_mut().push(scene);
        answer
    }

    /// What a word had the scene look at costs fuel; hooks that ran within it have paid for theirs.
    fn bill(&self, scene: &mut Scene, before: u32, billed: u32) -> Result<(), String> {
        let work = before.saturating_sub(scene.toil.left());
        let due = work.saturating_sub(scene.billed.saturating_sub(billed));
        scene.billed = scene.billed.saturating_add(due);
        self.account.spend(u64::from(due)).map(drop).map_err(|stop| stop.sentence().to_owned())
    }

    /// Ends the hook because of what the script said.
    pub(crate) fn refuse(&self, word: &str, wrong: ConversionError) -> String {
        let done = self.ask(word, |_| Err::<(), _>(Fault::new(wrong.code(), wrong.message()).into()));
        done.err().unwrap_or_default()
    }

    fn stop(&self, scene: &mut Scene, stop: oracle::Interrupt) -> String {
        self.account.halt(ScriptStop::Host);
        let stop = placeable(stop);
        let told = match &stop {
            oracle::Interrupt::Fault(fault) => fault.message.clone(),
            _ => ScriptStop::Host.sentence().to_owned(),
        };
        if scene.is_whole() {
            scene.stop = Some(stop);
        }
        told
    }
}

/// Somebody who is not there becomes a fault, which can carry a place.
fn placeable(stop: oracle::Interrupt) -> oracle::Interrupt {
    match stop {
        oracle::Interrupt::Lacks(Missing::Who(who)) => {
            Fault::new("HR0525", format!("a rule asks about `{}`, but there is none here", who.word())).into()
        }
        stop => stop,
    }
}

/// The sentence for a word that is said before any hook runs.
pub(crate) fn too_early(word: &str) -> String {
    format!("`{word}` works only while a hook runs; at file level the rules are still being read, so say it in a hook")
}

/// Runs a script: not at all once the intent is stopped. What it answers counts only if nothing stopped it meanwhile.
pub(crate) fn contained<R>(account: &FuelMeter, work: impl FnOnce() -> R) -> Result<R, ScriptStop> {
    if let Some(stop) = account.stopped() {
        return Err(stop);
    }
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        account.halt(ScriptStop::Panic);
        ScriptStop::Panic
    })
}
