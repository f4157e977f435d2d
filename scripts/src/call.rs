//! Carries a scene into a guest and out again, and tells what became of it.

use crate::budget::{self, FuelMeter};
use crate::error::ScriptError;
use crate::handover::{Handover, contained};
use houserule_kernel::error::Fault;
use houserule_kernel::guest;
use houserule_kernel::oracle::{Flow, Interrupt};
use houserule_kernel::ruleset::HookBody;
use houserule_kernel::scene::Scene;
use houserule_kernel::script::{HookCall, HookResult, Scalar};
use std::cell::Cell;
use std::sync::Arc;

/// A guest of one language, as a crossing sees it.
pub(crate) trait ScriptEngine {
    /// The name of its language.
    const LANGUAGE: &'static str;

    /// Its way to the scene.
    fn passage(&self) -> &Handover;

    /// Whether a hook stands around another.
    fn wraps(&self, hook: usize) -> bool;

    /// Whether it must be dropped.
    fn is_spoilt(&self) -> bool;

    /// Calls a hook; `writes` says how many values a wrapper may give.
    fn enter(&self, hook: usize, call: &HookCall, writes: Option<usize>) -> Result<HookResult, ScriptError>;
}

/// Calls a hook of a guest with a scene.
pub(crate) fn cross<M: ScriptEngine>(
    machine: &M,
    mut scene: Scene,
    hook: usize,
    call: &HookCall,
) -> (Scene, Result<HookResult, Fault>) {
    let rules = Arc::clone(&scene.rules);
    let writes = match call {
        _ if !machine.wraps(hook) => None,
        HookCall::Event => Some(0),
        HookCall::Words(_) => Some(wrapped_writes(&scene).len()),
    };
    let outer = machine.passage().lay_down(scene.lend());
    let result = machine.enter(hook, call, writes);
    let stopped = machine.passage().account.stopped().filter(|stop| *stop != budget::ScriptStop::Host);
    let taken = machine.passage().take_up(outer);
    if machine.is_spoilt() {
        let number = rules.languages.iter().position(|language| language.name() == M::LANGUAGE);
        number.into_iter().for_each(|number| guest::dismiss(&rules, number));
    }
    match taken {
        Some(mut scene) => {
            let told = match stopped {
                Some(stop) => stopped_by(stop, &mut scene, result),
                None => told(&mut scene, result),
            };
            (scene, told)
        }
        None => (scene, Err(Fault::of_intent("HR0407", "the running action was lost inside a script"))),
    }
}

/// Runs a hook under the account of its guest, which is believed before what the
/// machine says. A spoilt guest runs nothing more: it stops as it is told.
pub(crate) fn supervised(
    account: &FuelMeter,
    spoilt: &Cell<bool>,
    if_spoilt: budget::ScriptStop,
    placed: impl Fn(ScriptError) -> ScriptError,
    run: impl FnOnce() -> Result<HookResult, ScriptError>,
) -> Result<HookResult, ScriptError> {
    let _nested = account.enter().map_err(|stop| placed(ScriptError::stopped(stop)))?;
    if spoilt.get() {
        account.halt(if_spoilt);
    }
    let result = contained(account, run);
    if let Some(stop) = account.stopped() {
        spoilt.set(spoilt.get() || stop.spoils_guest());
        let error = result.ok().and_then(Result::err).unwrap_or_else(|| ScriptError::stopped(stop));
        return Err(placed(error.because(stop)));
    }
    result.unwrap_or_else(|stop| Err(ScriptError::stopped(stop))).map_err(placed)
}

/// A stop of the account is believed before a lesser one of the scene, and before whatever the machine says.
fn stopped_by(
    stop: budget::ScriptStop,
    scene: &mut Scene,
    result: Result<HookResult, ScriptError>,
) -> Result<HookResult, Fault> {
    scene.stop = None;
    let error = result.err().map_or_else(|| ScriptError::stopped(stop), |error| error.because(stop));
    Err(error.fault())
}

/// What a hook gave; a stop of the scene learns where the script was.
fn told(scene: &mut Scene, result: Result<HookResult, ScriptError>) -> Result<HookResult, Fault> {
    match (&mut scene.stop, result) {
        (Some(Interrupt::Fault(fault)), Err(error)) => {
            error.trail().into_iter().for_each(|place| fault.pass(place));
            Err((**fault).clone())
        }
        (_, result) => result.map_err(|error| error.fault()),
    }
}

/// The fields that the wrapped hook writes.
fn wrapped_writes(scene: &Scene) -> Vec<u8> {
    let wrapped = scene.wrapped.last();
    let hook = wrapped.and_then(|wrapped| scene.rules.hooks.get(wrapped.event).get(wrapped.hook));
    match hook.map(|hook| &hook.body) {
        Some(HookBody::Script { writes, .. }) => writes.clone(),
        _ => Vec::new(),
    }
}

/// Runs what the running wrapper stands around, and gives the fields that it writes.
pub(crate) fn run_inner(scene: &mut Scene) -> Flow<Vec<Scalar>> {
    let writes = wrapped_writes(scene);
    scene.run_wrapped()?;
    Ok(scene.fields_at(&writes))
}

/// The refusal of arguments for `inner`.
pub(crate) const INNER_TAKES_NOTHING: &str =
    "`inner` takes nothing: the hook that is wrapped reads the event itself; change the event before";
