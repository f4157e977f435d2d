//! The Rhai guest: all script files of a ruleset, loaded into one bounded engine.

mod birth;
mod border;
mod declare;
mod library;
mod lint;
mod numbers;
mod trace;

use crate::blame::{ScriptError, ScriptErrorKind};
use crate::budget::{Account, Stop};
use crate::declaration::{Declaration, Deed, KnownFilters, declare as check, named_twice};
use crate::door::{Door, Passage, contained};
use crate::scalar::{Scalar, Scalars};
use crate::source::{Script, check_size, in_load_order};
use ::rhai::{AST, Dynamic, Engine, EvalAltResult, FnPtr, Module, NativeCallContext, Scope, Shared};
use border::Arguments;
use declare::{Call, Heard};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use trace::{blame, parse_message};

/// The hooks of some files, ready to be called on this thread.
pub struct RhaiGuest {
    engine: Engine,
    passage: Passage,
    declared: Vec<Declaration>,
    hooks: Vec<Hook>,
    inner: FnPtr,
    spoilt: Cell<bool>,
}

struct Hook {
    function: Option<FnPtr>,
    /// The functions of its file.
    home: Rc<AST>,
    wraps: bool,
    writes: usize,
}

impl std::fmt::Debug for RhaiGuest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RhaiGuest").field("declared", &self.declared).finish_non_exhaustive()
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
    let engine = birth::bear(&Passage::new(account.clone()));
    let (mut trees, mut wrong) = (Vec::new(), Vec::new());
    for script in in_load_order(files) {
        match compile(&engine, script, account) {
            Ok(tree) => trees.push((script.file.as_str(), tree)),
            Err(error) => wrong.push(error),
        }
    }
    wrong.extend(trees.iter().flat_map(|(file, tree)| lint::check(file, tree)));
    let libraries = trees.iter().filter(|(file, _)| file.split('/').any(|part| part == "lib"));
    wrong.extend(lint::doubles(libraries.map(|(file, tree)| (*file, tree))));
    if wrong.is_empty() { RhaiGuest::build(files, filters, account).map(|guest| guest.declared) } else { Err(wrong) }
}

fn compile(engine: &Engine, script: &Script, account: &Account) -> Result<AST, ScriptError> {
    check_size(script, account.limits())?;
    let mut tree = engine.compile(&script.text).map_err(|error| {
        let (wrong, place) = (error.err_type(), error.position());
        let count = |number: Option<usize>| number.and_then(|number| u32::try_from(number).ok());
        let (line, column) = (count(place.line()).unwrap_or(0), count(place.position()));
        ScriptError::at(ScriptErrorKind::Syntax, &script.file, line, column, parse_message(wrong))
    })?;
    tree.set_source(script.file.as_str());
    Ok(tree)
}

impl RhaiGuest {
    /// Loads the files, those under `lib/` first. The checks of [`survey`] are not made again.
    ///
    /// # Errors
    /// The files that do not compile or fail while they run once; all wrong declarations.
    pub fn build(files: &[Script], filters: KnownFilters<'_>, account: &Account) -> Result<Self, Vec<ScriptError>> {
        let passage = Passage::new(account.clone());
        let aside = account.refill();
        let loaded = contained(account, || load(&in_load_order(files), &passage));
        account.restore(aside);
        let loaded = loaded.map_err(|stop| vec![ScriptError::stopped(stop)])??;
        RhaiGuest::of(loaded, passage, filters)
    }

    fn of(loaded: Loaded, passage: Passage, filters: KnownFilters<'_>) -> Result<Self, Vec<ScriptError>> {
        let Loaded { engine, calls, homes } = loaded;
        let (declared, functions) = check_calls(calls, filters)?;
        let writes: BTreeMap<&str, usize> = declared
            .iter()
            .filter(|one| one.deed == Deed::On)
            .map(|one| (one.name.as_str(), one.writes.len()))
            .collect();
        let nowhere = Rc::new(AST::empty());
        let hook = |(one, function): (&Declaration, Option<FnPtr>)| Hook {
            function,
            home: Rc::clone(homes.get(&one.file).unwrap_or(&nowhere)),
            wraps: one.deed == Deed::Wrap,
            writes: writes.get(one.name.as_str()).copied().unwrap_or(one.writes.len()),
        };
        let hooks = declared.iter().zip(functions).map(hook).collect();
        let inner = inner(&passage).map_err(|error| vec![blame(&error, "", &passage.account)])?;
        Ok(RhaiGuest { engine, passage, declared, hooks, inner, spoilt: Cell::new(false) })
    }

    /// What the files declared; a hook's index here is its index for [`RhaiGuest::call`].
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
            account.halt(Stop::Panic);
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
        let missing = || ScriptError::nowhere(ScriptErrorKind::Runtime, format!("there is no hook number {index}"));
        let hook = self.hooks.get(index).ok_or_else(missing)?;
        let function = hook.function.as_ref().ok_or_else(missing)?;
        let arguments = Arguments { inner: hook.wraps.then_some(&self.inner), scalars: arguments };
        let file = self.declared.get(index).map_or("", |one| one.file.as_str());
        let value = function
            .call::<Dynamic>(&self.engine, &hook.home, arguments)
            .map_err(|error| blame(&error, file, &self.passage.account))?;
        let results = border::results(&value, writes.unwrap_or(hook.writes));
        results.map_err(|wrong| ScriptError::nowhere(ScriptErrorKind::Value, wrong))
    }

    /// An error without a place is blamed on the hook itself.
    fn placed(&self, index: usize, error: ScriptError) -> ScriptError {
        match self.declared.get(index) {
            Some(hook) => error.or_at(&hook.file, hook.line),
            None => error,
        }
    }
}

/// An engine that ran every file once, what they said, and the functions of each file.
struct Loaded {
    engine: Engine,
    calls: Vec<Call>,
    homes: BTreeMap<String, Rc<AST>>,
}

fn load(ordered: &[&Script], passage: &Passage) -> Result<Loaded, Vec<ScriptError>> {
    let mut engine = birth::bear(passage);
    let heard = declare::teach(&mut engine);
    let (mut homes, mut wrong) = (BTreeMap::new(), Vec::new());
    for script in ordered {
        match run_file(&engine, script, &passage.account) {
            Ok(module) => {
                homes.insert(script.file.clone(), Rc::new(AST::new_from_module(Shared::clone(&module))));
                if script.is_library() {
                    engine.register_global_module(module);
                }
            }
            Err(error) => wrong.push(error),
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let Heard { calls, .. } = std::mem::replace(&mut *heard.borrow_mut(), Heard { calls: Vec::new(), closed: true });
    Ok(Loaded { engine, calls, homes })
}

/// Runs one file. Its functions keep its constants.
fn run_file(engine: &Engine, script: &Script, account: &Account) -> Result<Shared<Module>, ScriptError> {
    let tree = compile(engine, script, account)?;
    let module = Module::eval_ast_as_new(Scope::new(), &tree, engine);
    module.map(Shared::new).map_err(|error| blame(&error, &script.file, account).or_at(&script.file, 0))
}

type Checked = (Vec<Declaration>, Vec<Option<FnPtr>>);

fn check_calls(calls: Vec<Call>, filters: KnownFilters<'_>) -> Result<Checked, Vec<ScriptError>> {
    let (mut checked, mut wrong) = (Checked::default(), Vec::new());
    for Call { deed, file, line, column, first, options, function } in calls {
        let known = filters(&first);
        match options.and_then(|options| check(deed, first, options, &known, (&file, line))) {
            Ok(declaration) => {
                checked.0.push(declaration);
                checked.1.push(function);
            }
            Err(message) => wrong.push(ScriptError::at(ScriptErrorKind::Syntax, &file, line, Some(column), message)),
        }
    }
    wrong.extend(named_twice(&checked.0).map(|(first, second)| {
        let message = format!("there is a hook `{}` already, in {}:{}", second.name, first.file, first.line);
        ScriptError::at(ScriptErrorKind::Syntax, &second.file, second.line, None, message)
    }));
    if wrong.is_empty() { Ok(checked) } else { Err(wrong) }
}

/// The function that wrappers get: it asks the host to run what is wrapped.
#[expect(deprecated, reason = "not deprecated but volatile, says the crate; its version is pinned by the lock file")]
fn inner(passage: &Passage) -> Result<FnPtr, Box<EvalAltResult>> {
    let passage = passage.clone();
    FnPtr::from_fn("inner", move |_: NativeCallContext<'_>, arguments: &mut [&mut Dynamic]| {
        let arguments: Scalars = arguments.iter().map(|value| border::from_rhai(value)).collect::<Result<_, _>>()?;
        let results = passage.inner(&arguments).map_err(|stop| {
            passage.account.halt(stop);
            stop.sentence()
        })?;
        Ok(border::to_value(&results))
    })
}
