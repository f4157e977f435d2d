//! The Lua guest: all script files of a ruleset, loaded into one sandboxed machine.

mod api;
mod convert;
mod declare;
mod guard;
mod library;
mod lint;
mod meter;
mod sandbox;
mod trace;

use crate::budget::{FuelMeter, ScriptStop};
use crate::call::{INNER_TAKES_NOTHING, ScriptEngine, cross, run_inner, supervised};
use crate::declaration::{declare as check, named_twice};
use crate::error::{ScriptError, ScriptErrorKind};
use crate::handover::{Handover, contained};
use crate::source::{check_size, in_load_order};
use convert::Entrance;
use declare::{LuaDeclaration as Said, LuaDeclarations};
use houserule_kernel::error::Fault;
use houserule_kernel::scene::Scene;
use houserule_kernel::script::{Declaration, Declared, Guest, HookCall, HookResult, RunHandle, Script};
use lint::shape::{self, Shape};
use meter::Safepoints;
use mlua::{AnyUserData, Function, Lua, MultiValue};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use trace::{blame, is_out_of_memory};

/// The hooks of some files, ready to be called on this thread.
pub struct LuaGuest {
    lua: Lua,
    passage: Handover,
    files: Rc<[String]>,
    declared: Vec<Declaration>,
    hooks: Vec<LuaHook>,
    inner: Function,
    event: AnyUserData,
    meter: Safepoints,
    spoilt: Cell<bool>,
}

struct LuaHook {
    function: Option<Function>,
    wraps: bool,
    writes: usize,
    /// Where it was declared.
    file: usize,
    line: u32,
}

impl std::fmt::Debug for LuaGuest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LuaGuest").field("files", &self.files).field("spoilt", &self.spoilt).finish_non_exhaustive()
    }
}

/// Runs every file once in a throw-away guest and gives what they declare, or every error.
///
/// # Errors
/// All errors of all files: what does not compile, what files may not say, wrong options.
pub fn survey(files: &[Script], account: &FuelMeter) -> Result<Vec<Declaration>, Vec<ScriptError>> {
    let ordered = in_load_order(files);
    let machine =
        sandbox::bear(&Handover::new(account.clone())).map_err(|error| vec![blame(&error, &[], account, None)])?;
    let wrong = compile_errors(&machine, &ordered, account);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let wrong = lint::check(&ordered);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    LuaGuest::build(files, account).map(|guest| guest.declared)
}

fn compile_errors(machine: &Lua, files: &[&Script], account: &FuelMeter) -> Vec<ScriptError> {
    let names: Vec<String> = files.iter().map(|script| script.name.clone()).collect();
    let wrong = files.iter().enumerate().filter_map(|(number, script)| {
        let shaped = check_size(script, account.limits()).and_then(|()| shape::measure(script));
        let compiled = shaped.and_then(|_| {
            sandbox::compile(machine, number, &script.text).map_err(|error| blame(&error, &names, account, None))
        });
        compiled.err().map(|error| too_deep(error).or_at(&script.name, 0))
    });
    wrong.collect()
}

/// A parser that ran out of its stack speaks of depth; to the writer it is a matter of how the file is written.
fn too_deep(error: ScriptError) -> ScriptError {
    match error.kind {
        ScriptErrorKind::Depth => {
            let message = "the file nests too deep; give its parts names";
            ScriptError { kind: ScriptErrorKind::Syntax, message: message.to_owned(), ..error }
        }
        _ => error,
    }
}

impl LuaGuest {
    /// Loads the files, those under `lib/` first. The checks of [`survey`] are not made again.
    ///
    /// # Errors
    /// The files that do not compile or fail while they run once; all wrong declarations.
    pub fn build(files: &[Script], account: &FuelMeter) -> Result<LuaGuest, Vec<ScriptError>> {
        let ordered = in_load_order(files);
        let names: Rc<[String]> = ordered.iter().map(|script| script.name.clone()).collect();
        let passage = Handover::new(account.clone());
        let aside = account.refill();
        let loaded = contained(account, || load(&ordered, &names, &passage));
        account.restore(aside);
        let loaded = loaded.map_err(|stop| vec![ScriptError::stopped(stop)])??;
        LuaGuest::of(loaded, passage, names, &ordered)
    }

    fn of(
        loaded: LoadedLua,
        passage: Handover,
        files: Rc<[String]>,
        ordered: &[&Script],
    ) -> Result<LuaGuest, Vec<ScriptError>> {
        let LoadedLua { lua, calls, meter, inner, event } = loaded;
        let places: Vec<(usize, u32)> = calls.iter().map(|call| call.place).collect();
        let (declared, functions) = check_calls(calls, ordered)?;
        let writes: BTreeMap<&str, usize> = declared
            .iter()
            .filter(|one| one.deed == Declared::On)
            .map(|one| (one.name.as_str(), one.writes.len()))
            .collect();
        let hook = |((one, function), (file, line)): ((&Declaration, Option<Function>), (usize, u32))| LuaHook {
            function,
            wraps: one.deed == Declared::Wrap,
            writes: writes.get(one.name.as_str()).copied().unwrap_or(one.writes.len()),
            file,
            line,
        };
        let hooks = declared.iter().zip(functions).zip(places).map(hook).collect();
        Ok(LuaGuest { lua, passage, files, declared, hooks, inner, event, meter, spoilt: Cell::new(false) })
    }

    /// What the files declared; a hook's index here is its index for [`LuaGuest::call`].
    #[must_use]
    pub fn declarations(&self) -> &[Declaration] {
        &self.declared
    }

    /// Whether the guest met a stop after which it must be dropped and built anew.
    #[must_use]
    pub fn is_spoilt(&self) -> bool {
        self.spoilt.get()
    }

    /// Calls a hook, without a table unless a scene was laid down before. With words it gets the scalars that its
    /// `reads` names, a wrapper `inner` before them; else the event, and `inner` after it. Gives one value for each
    /// name in `writes`. What a wrapped hook writes is said by `writes`.
    ///
    /// # Errors
    /// An error of the script, a value that cannot cross, or the stop of the account.
    pub fn run_hook(&self, index: usize, call: &HookCall, writes: Option<usize>) -> Result<HookResult, ScriptError> {
        let placed = |error| self.placed(index, error);
        supervised(&self.passage.account, &self.spoilt, ScriptStop::Memory, placed, || self.run(index, call, writes))
    }

    fn run(&self, index: usize, call: &HookCall, writes: Option<usize>) -> Result<HookResult, ScriptError> {
        let account = &self.passage.account;
        let missing = || ScriptError::nowhere(ScriptErrorKind::Runtime, format!("there is no hook number {index}"));
        let hook = self.hooks.get(index).ok_or_else(missing)?;
        let function = hook.function.as_ref().ok_or_else(missing)?;
        let inner = hook.wraps.then_some(&self.inner);
        let writes = writes.unwrap_or(hook.writes);
        let entrance = match call {
            HookCall::Words(words) => Entrance::Words(words),
            HookCall::Event => Entrance::Event(&self.event),
        };
        let called = self.meter.begin(&self.lua).and_then(|outer| {
            let called = convert::call(&self.lua, function, inner, entrance, writes);
            self.meter.end(outer);
            called
        });
        match called {
            Ok(result) => result.map_err(|wrong| ScriptError::nowhere(ScriptErrorKind::Value, wrong.message())),
            Err(error) => {
                if is_out_of_memory(&error) {
                    account.halt(ScriptStop::Memory);
                }
                let blamed = blame(&error, &self.files, account, self.meter.stopped_at());
                if blamed.kind == ScriptErrorKind::Depth {
                    account.halt(ScriptStop::Depth);
                }
                Err(blamed)
            }
        }
    }

    /// An error without a place is blamed on the hook itself.
    fn placed(&self, index: usize, error: ScriptError) -> ScriptError {
        let place = self.hooks.get(index).and_then(|hook| Some((self.files.get(hook.file)?, hook.line)));
        place.map_or(error.clone(), |(file, line)| error.or_at(file, line))
    }
}

impl ScriptEngine for LuaGuest {
    const LANGUAGE: &'static str = "lua";

    fn passage(&self) -> &Handover {
        &self.passage
    }

    fn wraps(&self, hook: usize) -> bool {
        self.hooks.get(hook).is_some_and(|hook| hook.wraps)
    }

    fn is_spoilt(&self) -> bool {
        self.spoilt.get()
    }

    fn enter(&self, hook: usize, call: &HookCall, writes: Option<usize>) -> Result<HookResult, ScriptError> {
        self.run_hook(hook, call, writes)
    }
}

impl Guest for LuaGuest {
    fn call(&self, intent: RunHandle, hook: usize, call: HookCall) -> (RunHandle, Result<HookResult, Fault>) {
        let (mut scene, returned) = cross(self, Scene::returned(intent), hook, &call);
        (scene.lent(), returned)
    }
}

/// A machine that ran every file once, and what they said.
struct LoadedLua {
    lua: Lua,
    calls: Vec<Said>,
    meter: Safepoints,
    inner: Function,
    event: AnyUserData,
}

fn load(ordered: &[&Script], names: &Rc<[String]>, passage: &Handover) -> Result<LoadedLua, Vec<ScriptError>> {
    let account = &passage.account;
    let failed = |error: mlua::Error| vec![blame(&error, names, account, None)];
    let lua = sandbox::bear(passage).map_err(failed)?;
    let heard = declare::teach(&lua, passage).map_err(failed)?;
    api::teach(&lua, passage).map_err(failed)?;
    let inner = inner(&lua, passage).map_err(failed)?;
    let event = api::event(&lua).map_err(failed)?;
    sandbox::open(&lua).map_err(failed)?;
    let shapes = ordered.iter().filter_map(|script| shape::measure(script).ok());
    let shape = shapes.fold(Shape::default(), Shape::larger);
    Safepoints::install(&lua, account, shape).map_err(failed)?;
    run_files(&lua, ordered, names, account)?;
    sandbox::close(&lua).map_err(failed)?;
    let meter = Safepoints::install(&lua, account, shape).map_err(failed)?;
    let LuaDeclarations { calls, .. } =
        std::mem::replace(&mut *heard.borrow_mut(), LuaDeclarations { calls: Vec::new(), closed: true });
    Ok(LoadedLua { lua, calls, meter, inner, event })
}

fn run_files(lua: &Lua, ordered: &[&Script], names: &[String], account: &FuelMeter) -> Result<(), Vec<ScriptError>> {
    let mut wrong = Vec::new();
    for (number, script) in ordered.iter().enumerate() {
        let ran = check_size(script, account.limits()).and_then(|()| {
            let guarded = guard::guarded(&script.text).map_err(mlua::Error::runtime);
            let ran = guarded.and_then(|text| sandbox::compile(lua, number, &text)?.call::<()>(()));
            ran.map_err(|error| blame(&error, names, account, None).or_at(&script.name, 0))
        });
        wrong.extend(ran.err());
        if account.stopped().is_some() {
            break;
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

type CheckedLua = (Vec<Declaration>, Vec<Option<Function>>);

fn check_calls(calls: Vec<Said>, files: &[&Script]) -> Result<CheckedLua, Vec<ScriptError>> {
    let (mut checked, mut wrong) = (CheckedLua::default(), Vec::new());
    let mut places = Vec::new();
    for Said { deed, place: (file, line), said } in calls {
        let Some(script) = files.get(file) else { continue };
        let made = said.and_then(|(first, options, function)| {
            Ok((check(deed, first, options, script.line_span(line))?, function))
        });
        match made {
            Ok((declaration, function)) => {
                places.push((script.name.clone(), line));
                checked.0.push(declaration);
                checked.1.push(function);
            }
            Err(message) => {
                wrong.push(ScriptError::at(ScriptErrorKind::Declaration, &script.name, line, None, message))
            }
        }
    }
    wrong.extend(named_twice(&checked.0, &places));
    if wrong.is_empty() { Ok(checked) } else { Err(wrong) }
}

/// The function that wrappers get: it asks the scene to run what is wrapped.
fn inner(lua: &Lua, passage: &Handover) -> mlua::Result<Function> {
    let passage = passage.clone();
    lua.create_function(move |lua, arguments: MultiValue| {
        if !arguments.is_empty() {
            let wrong = crate::scalar::ConversionError::Kind(INNER_TAKES_NOTHING.to_owned());
            return Err(mlua::Error::runtime(passage.refuse("inner", wrong)));
        }
        let written = passage.ask("inner", run_inner).map_err(mlua::Error::runtime)?;
        convert::to_values(lua, &written)
    })
}
