//! The Lua guest: all script files of a ruleset, loaded into one sandboxed machine.

mod birth;
mod border;
mod declare;
mod library;
mod lint;
mod meter;
mod trace;

use crate::blame::{ScriptError, ScriptErrorKind};
use crate::budget::{Account, Stop};
use crate::declaration::{Declaration, Deed, KnownFilters, declare as check, named_twice};
use crate::door::{Door, Passage, contained};
use crate::scalar::{Scalar, Scalars};
use crate::source::{Script, check_size, in_load_order};
use declare::{Call, Heard};
use meter::Meter;
use mlua::{Function, Lua, MultiValue};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use trace::blame;

/// The hooks of some files, ready to be called on this thread.
pub struct LuaGuest {
    lua: Lua,
    passage: Passage,
    files: Rc<[String]>,
    declared: Vec<Declaration>,
    hooks: Vec<Hook>,
    inner: Function,
    meter: Meter,
    spoilt: Cell<bool>,
}

struct Hook {
    function: Option<Function>,
    wraps: bool,
    writes: usize,
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
pub fn survey(
    files: &[Script],
    filters: KnownFilters<'_>,
    account: &Account,
) -> Result<Vec<Declaration>, Vec<ScriptError>> {
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
    LuaGuest::build(files, filters, account).map(|guest| guest.declared)
}

fn compile_errors(machine: &Lua, files: &[&Script], account: &Account) -> Vec<ScriptError> {
    let names: Vec<String> = files.iter().map(|script| script.file.clone()).collect();
    let wrong = files.iter().enumerate().filter_map(|(number, script)| {
        let compiled = check_size(script, account.limits()).and_then(|()| lint::check_shape(script)).and_then(|()| {
            birth::compile(machine, number, &script.text).map_err(|error| blame(&error, &names, account, None))
        });
        compiled.err().map(|error| too_deep(error).or_at(&script.file, 0))
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
    pub fn build(files: &[Script], filters: KnownFilters<'_>, account: &Account) -> Result<LuaGuest, Vec<ScriptError>> {
        let ordered = in_load_order(files);
        let names: Rc<[String]> = ordered.iter().map(|script| script.file.clone()).collect();
        let passage = Passage::new(account.clone());
        let aside = account.refill();
        let loaded = contained(account, || load(&ordered, &names, &passage));
        account.restore(aside);
        let loaded = loaded.map_err(|stop| vec![ScriptError::stopped(stop)])??;
        LuaGuest::of(loaded, passage, names, filters)
    }

    fn of(
        loaded: Loaded,
        passage: Passage,
        files: Rc<[String]>,
        filters: KnownFilters<'_>,
    ) -> Result<LuaGuest, Vec<ScriptError>> {
        let Loaded { lua, calls, meter } = loaded;
        let (declared, functions) = check_calls(calls, &files, filters)?;
        let writes: BTreeMap<&str, usize> = declared
            .iter()
            .filter(|one| one.deed == Deed::On)
            .map(|one| (one.name.as_str(), one.writes.len()))
            .collect();
        let hook = |(one, function): (&Declaration, Option<Function>)| Hook {
            function,
            wraps: one.deed == Deed::Wrap,
            writes: writes.get(one.name.as_str()).copied().unwrap_or(one.writes.len()),
        };
        let hooks = declared.iter().zip(functions).map(hook).collect();
        let inner = inner(&lua, &passage).map_err(|error| vec![blame(&error, &files, &passage.account, None)])?;
        Ok(LuaGuest { lua, passage, files, declared, hooks, inner, meter, spoilt: Cell::new(false) })
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

    /// Puts another host behind the guest and gives the one before.
    pub fn replace_door(&self, door: Rc<dyn Door>) -> Rc<dyn Door> {
        self.passage.replace(door)
    }

    /// Calls a hook with the scalars that its `reads` names; a wrapper gets `inner` before them. Gives one value for
    /// each name in `writes`. What a wrapped hook of another guest writes is said by `writes`.
    ///
    /// # Errors
    /// An error of the script, a value that cannot cross, or the stop of the account.
    pub fn call(&self, index: usize, arguments: &[Scalar], writes: Option<usize>) -> Result<Scalars, ScriptError> {
        let account = &self.passage.account;
        let _nested = account.enter().map_err(|stop| self.placed(index, ScriptError::stopped(stop)))?;
        if self.spoilt.get() {
            account.halt(Stop::Memory);
        }
        let result = contained(account, || self.run(index, arguments, writes));
        if let Some(stop) = account.stopped() {
            self.spoilt.set(self.spoilt.get() || stop.spoils_guest());
            let error = result.ok().and_then(Result::err).unwrap_or_else(|| ScriptError::stopped(stop));
            return Err(self.placed(index, error.because(stop)));
        }
        let result = result.unwrap_or_else(|stop| Err(ScriptError::stopped(stop)));
        result.map_err(|error| self.placed(index, error))
    }

    fn run(&self, index: usize, arguments: &[Scalar], writes: Option<usize>) -> Result<Scalars, ScriptError> {
        let account = &self.passage.account;
        let missing = || ScriptError::nowhere(ScriptErrorKind::Runtime, format!("there is no hook number {index}"));
        let hook = self.hooks.get(index).ok_or_else(missing)?;
        let function = hook.function.as_ref().ok_or_else(missing)?;
        let inner = hook.wraps.then_some(&self.inner);
        let writes = writes.unwrap_or(hook.writes);
        let called =
            self.meter.begin(&self.lua).and_then(|()| border::call(&self.lua, function, inner, arguments, writes));
        match called {
            Ok(result) => result.map_err(|wrong| ScriptError::nowhere(ScriptErrorKind::Value, wrong)),
            Err(error) => {
                if matches!(error, mlua::Error::MemoryError(_)) {
                    account.halt(Stop::Memory);
                }
                Err(blame(&error, &self.files, account, self.meter.stopped_at()))
            }
        }
    }

    /// An error without a place is blamed on the hook itself.
    fn placed(&self, index: usize, error: ScriptError) -> ScriptError {
        match self.declared.get(index) {
            Some(hook) => error.or_at(&hook.file, hook.line),
            None => error,
        }
    }
}

/// A machine that ran every file once, and what they said.
struct Loaded {
    lua: Lua,
    calls: Vec<Call>,
    meter: Meter,
}

fn load(ordered: &[&Script], names: &Rc<[String]>, passage: &Passage) -> Result<Loaded, Vec<ScriptError>> {
    let account = &passage.account;
    let failed = |error: mlua::Error| vec![blame(&error, names, account, None)];
    let lua = birth::bear(passage).map_err(failed)?;
    let heard = declare::teach(&lua, passage).map_err(failed)?;
    birth::open(&lua).map_err(failed)?;
    let weight = meter::weight(ordered.iter().map(|script| script.text.as_str()));
    Meter::install(&lua, account, weight).map_err(failed)?;
    run_files(&lua, ordered, names, account)?;
    birth::close(&lua).map_err(failed)?;
    let meter = Meter::install(&lua, account, weight).map_err(failed)?;
    let Heard { calls, .. } = std::mem::replace(&mut *heard.borrow_mut(), Heard { calls: Vec::new(), closed: true });
    Ok(Loaded { lua, calls, meter })
}

fn run_files(lua: &Lua, ordered: &[&Script], names: &[String], account: &Account) -> Result<(), Vec<ScriptError>> {
    let mut wrong = Vec::new();
    for (number, script) in ordered.iter().enumerate() {
        let ran = check_size(script, account.limits()).and_then(|()| {
            let ran = birth::compile(lua, number, &script.text).and_then(|chunk| chunk.call::<()>(()));
            ran.map_err(|error| blame(&error, names, account, None).or_at(&script.file, 0))
        });
        wrong.extend(ran.err());
        if account.stopped().is_some() {
            break;
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

type Checked = (Vec<Declaration>, Vec<Option<Function>>);

fn check_calls(calls: Vec<Call>, files: &[String], filters: KnownFilters<'_>) -> Result<Checked, Vec<ScriptError>> {
    let (mut checked, mut wrong) = (Checked::default(), Vec::new());
    for Call { deed, place: (file, line), said } in calls {
        let file = files.get(file).map_or("", String::as_str);
        let made = said.and_then(|(first, options, function)| {
            let known = filters(&first);
            Ok((check(deed, first, options, &known, (file, line))?, function))
        });
        match made {
            Ok((declaration, function)) => {
                checked.0.push(declaration);
                checked.1.push(function);
            }
            Err(message) => wrong.push(ScriptError::at(ScriptErrorKind::Syntax, file, line, None, message)),
        }
    }
    wrong.extend(named_twice(&checked.0).map(|(first, second)| {
        let message = format!("there is a hook `{}` already, in {}:{}", second.name, first.file, first.line);
        ScriptError::at(ScriptErrorKind::Syntax, &second.file, second.line, None, message)
    }));
    if wrong.is_empty() { Ok(checked) } else { Err(wrong) }
}

/// The function that wrappers get: it asks the host to run what is wrapped.
fn inner(lua: &Lua, passage: &Passage) -> mlua::Result<Function> {
    library::function(lua, passage, |lua, passage, arguments: MultiValue| {
        let arguments = border::from_values(arguments.iter())?;
        let results = passage.inner(&arguments).map_err(|stop| {
            passage.account.halt(stop);
            stop.sentence().to_owned()
        })?;
        border::to_values(lua, &results)
    })
}
