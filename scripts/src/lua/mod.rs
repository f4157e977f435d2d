//! The Lua guest: all script files of a ruleset, loaded into one sandboxed machine.

mod api;
mod birth;
mod border;
mod declare;
mod guard;
mod library;
mod lint;
mod meter;
mod trace;

use crate::blame::{ScriptError, ScriptErrorKind};
use crate::budget::{Account, Stop};
use crate::crossing::{INNER_TAKES_NOTHING, Machine, cross, run_inner, supervised};
use crate::declaration::{declare as check, named_twice};
use crate::passage::{Passage, contained};
use crate::source::{check_size, in_load_order};
use border::Entrance;
use declare::{Call as Said, Heard};
use houserule_kernel::error::Fault;
use houserule_kernel::scene::Scene;
use houserule_kernel::script::{Call, Declaration, Declared, Guest, Lent, Returned, Script};
use lint::shape;
use meter::Meter;
use mlua::{AnyUserData, Function, Lua, MultiValue};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use trace::{blame, is_out_of_memory};

/// The hooks of some files, ready to be called on this thread.
pub struct LuaGuest {
    lua: Lua,
    passage: Passage,
    files: Rc<[String]>,
    declared: Vec<Declaration>,
    hooks: Vec<Hook>,
    inner: Function,
    event: AnyUserData,
    meter: Meter,
    spoilt: Cell<bool>,
}

struct Hook {
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
pub fn survey(files: &[Script], account: &Account) -> Result<Vec<Declaration>, Vec<ScriptError>> {
    let ordered = in_load_order(files);
    let machine =
        birth::bear(&Passage::new(account.clone())).map_err(|error| vec![blame(&error, &[], account, None)])?;
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

fn compile_errors(machine: &Lua, files: &[&Script], account: &Account) -> Vec<ScriptError> {
    let names: Vec<String> = files.iter().map(|script| script.name.clone()).collect();
    let wrong = files.iter().enumerate().filter_map(|(number, script)| {
        let shaped = check_size(script, account.limits()).and_then(|()| shape::measure(script));
        let compiled = shaped.and_then(|_| {
            birth::compile(machine, number, &script.text).map_err(|error| blame(&error, &names, account, None))
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
    pub fn build(files: &[Script], account: &Account) -> Result<LuaGuest, Vec<ScriptError>> {
        let ordered = in_load_order(files);
        let names: Rc<[String]> = ordered.iter().map(|script| script.name.clone()).collect();
        let passage = Passage::new(account.clone());
        let aside = account.refill();
        let loaded = contained(account, || load(&ordered, &names, &passage));
        account.restore(aside);
        let loaded = loaded.map_err(|stop| vec![ScriptError::stopped(stop)])??;
        LuaGuest::of(loaded, passage, names, &ordered)
    }

    fn of(
        loaded: Loaded,
        passage: Passage,
        files: Rc<[String]>,
        ordered: &[&Script],
    ) -> Result<LuaGuest, Vec<ScriptError>> {
        let Loaded { lua, calls, meter, inner, event } = loaded;
        let places: Vec<(usize, u32)> = calls.iter().map(|call| call.place).collect();
        let (declared, functions) = check_calls(calls, ordered)?;
        let writes: BTreeMap<&str, usize> = declared
            .iter()
            .filter(|one| one.deed == Declared::On)
            .map(|one| (one.name.as_str(), one.writes.len()))
            .collect();
        let hook = |((one, function), (file, line)): ((&Declaration, Option<Function>), (usize, u32))| Hook {
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
    pub fn run_hook(&self, index: usize, call: &Call, writes: Option<usize>) -> Result<Returned, ScriptError> {
        let placed = |error| self.placed(index, error);
        supervised(&self.passage.account, &self.spoilt, Stop::Memory, placed, || self.run(index, call, writes))
    }

    fn run(&self, index: usize, call: &Call, writes: Option<usize>) -> Result<Returned, ScriptError> {
        let account = &self.passage.account;
        let missing = || ScriptError::nowhere(ScriptErrorKind::Runtime, format!("there is no hook number {index}"));
        let hook = self.hooks.get(index).ok_or_else(missing)?;
        let function = hook.function.as_ref().ok_or_else(missing)?;
        let inner = hook.wraps.then_some(&self.inner);
        let writes = writes.unwrap_or(hook.writes);
        let entrance = match call {
            Call::Words(words) => Entrance::Words(words),
            Call::Event => Entrance::Event(&self.event),
        };
        let called = self.meter.begin(&self.lua).and_then(|outer| {
            let called = border::call(&self.lua, function, inner, entrance, writes);
            self.meter.end(outer);
            called
        });
        match called {
            Ok(result) => result.map_err(|wrong| ScriptError::nowhere(ScriptErrorKind::Value, wrong.message())),
            Err(error) => {
                if is_out_of_memory(&error) {
                    account.halt(Stop::Memory);
                }
                let blamed = blame(&error, &self.files, account, self.meter.stopped_at());
                if blamed.kind == ScriptErrorKind::Depth {
                    account.halt(Stop::Depth);
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

impl Machine for LuaGuest {
    const LANGUAGE: &'static str = "lua";

    fn passage(&self) -> &Passage {
        &self.passage
    }

    fn wraps(&self, hook: usize) -> bool {
        self.hooks.get(hook).is_some_and(|hook| hook.wraps)
    }

    fn is_spoilt(&self) -> bool {
        self.spoilt.get()
    }

    fn enter(&self, hook: usize, call: &Call, writes: Option<usize>) -> Result<Returned, ScriptError> {
        self.run_hook(hook, call, writes)
    }
}

impl Guest for LuaGuest {
    fn call(&self, intent: Lent, hook: usize, call: Call) -> (Lent, Result<Returned, Fault>) {
        let (mut scene, returned) = cross(self, Scene::returned(intent), hook, &call);
        (scene.lent(), returned)
    }
}

/// A machine that ran every file once, and what they said.
struct Loaded {
    lua: Lua,
    calls: Vec<Said>,
    meter: Meter,
    inner: Function,
    event: AnyUserData,
}

fn load(ordered: &[&Script], names: &Rc<[String]>, passage: &Passage) -> Result<Loaded, Vec<ScriptError>> {
    let account = &passage.account;
    let failed = |error: mlua::Error| vec![blame(&error, names, account, None)];
    let lua = birth::bear(passage).map_err(failed)?;
    let heard = declare::teach(&lua, passage).map_err(failed)?;
    api::teach(&lua, passage).map_err(failed)?;
    let inner = inner(&lua, passage).map_err(failed)?;
    let event = api::event(&lua).map_err(failed)?;
    birth::open(&lua).map_err(failed)?;
    let shapes = ordered.iter().filter_map(|script| shape::measure(script).ok());
    let longest = shapes.map(|shape| shape.longest).max().unwrap_or(0);
    Meter::install(&lua, account, longest).map_err(failed)?;
    run_files(&lua, ordered, names, account)?;
    birth::close(&lua).map_err(failed)?;
    let meter = Meter::install(&lua, account, longest).map_err(failed)?;
    let Heard { calls, .. } = std::mem::replace(&mut *heard.borrow_mut(), Heard { calls: Vec::new(), closed: true });
    Ok(Loaded { lua, calls, meter, inner, event })
}

fn run_files(lua: &Lua, ordered: &[&Script], names: &[String], account: &Account) -> Result<(), Vec<ScriptError>> {
    let mut wrong = Vec::new();
    for (number, script) in ordered.iter().enumerate() {
        let ran = check_size(script, account.limits()).and_then(|()| {
            let guarded = guard::guarded(&script.text).map_err(mlua::Error::runtime);
            let ran = guarded.and_then(|text| birth::compile(lua, number, &text)?.call::<()>(()));
            ran.map_err(|error| blame(&error, names, account, None).or_at(&script.name, 0))
        });
        wrong.extend(ran.err());
        if account.stopped().is_some() {
            break;
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

type Checked = (Vec<Declaration>, Vec<Option<Function>>);

fn check_calls(calls: Vec<Said>, files: &[&Script]) -> Result<Checked, Vec<ScriptError>> {
    let (mut checked, mut wrong) = (Checked::default(), Vec::new());
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
fn inner(lua: &Lua, passage: &Passage) -> mlua::Result<Function> {
    let passage = passage.clone();
    lua.create_function(move |lua, arguments: MultiValue| {
        if !arguments.is_empty() {
            let wrong = crate::scalar::Wrong::Kind(INNER_TAKES_NOTHING.to_owned());
            return Err(mlua::Error::runtime(passage.refuse("inner", wrong)));
        }
        let written = passage.ask("inner", run_inner).map_err(mlua::Error::runtime)?;
        border::to_values(lua, &written)
    })
}
