//! The Rhai guest: all script files of a ruleset, loaded into one bounded engine.

mod api;
mod bounds;
mod captures;
mod convert;
mod declare;
mod library;
mod lint;
mod lists;
mod maps;
mod numbers;
mod price;
mod reading;
mod sandbox;
mod texts;
mod trace;

use crate::budget::{FuelMeter, ScriptStop};
use crate::call::{INNER_TAKES_NOTHING, ScriptEngine, cross, run_inner, supervised};
use crate::declaration::{declare as check, named_twice};
use crate::error::{ScriptError, ScriptErrorKind};
use crate::handover::{Handover, contained};
use crate::source::{check_size, in_load_order, is_library};
use ::rhai::{AST, Dynamic, Engine, EvalAltResult, FnPtr, Module, NativeCallContext, Position, Scope, Shared};
use convert::HookArguments;
use declare::{RhaiDeclaration as Said, RhaiDeclarations};
use houserule_kernel::error::Fault;
use houserule_kernel::scene::Scene;
use houserule_kernel::script::{Declaration, Declared, Guest, HookCall, HookResult, RunHandle, Script};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use trace::{blame, parse_message};

/// What a function of ours gives to the engine.
type RhaiResult<T> = Result<T, Box<EvalAltResult>>;

/// The hooks of some files, ready to be called on this thread.
pub struct RhaiGuest {
    engine: Engine,
    passage: Handover,
    declared: Vec<Declaration>,
    hooks: Vec<RhaiHook>,
    inner: FnPtr,
    spoilt: Cell<bool>,
}

struct RhaiHook {
    function: Option<FnPtr>,
    /// The functions of its file.
    home: Rc<AST>,
    wraps: bool,
    writes: usize,
    /// What the constants that it keeps cost each time it runs.
    price: u64,
    /// Where it was declared.
    file: String,
    line: u32,
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
pub fn survey(files: &[Script], account: &FuelMeter) -> Result<Vec<Declaration>, Vec<ScriptError>> {
    let engine = sandbox::bear(&Handover::new(account.clone()));
    let (mut trees, mut wrong) = (Vec::new(), Vec::new());
    for script in in_load_order(files) {
        match compile(&engine, script, account) {
            Ok(tree) => trees.push((script.name.as_str(), tree)),
            Err(error) => wrong.push(error),
        }
    }
    wrong.extend(trees.iter().flat_map(|(file, tree)| lint::check(file, tree)));
    wrong.extend(trees.iter().flat_map(|(file, tree)| bounds::check(file, tree)));
    wrong.extend(trees.iter().flat_map(|(file, tree)| captures::check(file, tree)));
    let libraries = trees.iter().filter(|(file, _)| file.split('/').any(|part| part == "lib"));
    wrong.extend(lint::doubles(libraries.map(|(file, tree)| (*file, tree))));
    drop(trees);
    if wrong.is_empty() { RhaiGuest::build(files, account).map(|guest| guest.declared) } else { Err(wrong) }
}

fn compile(engine: &Engine, script: &Script, account: &FuelMeter) -> Result<AST, ScriptError> {
    check_size(script, account.limits())?;
    let mut tree = engine.compile(&script.text).map_err(|error| {
        let (wrong, place) = (error.err_type(), error.position());
        let count = |number: Option<usize>| number.and_then(|number| u32::try_from(number).ok());
        let (line, column) = (count(place.line()).unwrap_or(0), count(place.position()));
        ScriptError::at(ScriptErrorKind::Syntax, &script.name, line, column, parse_message(wrong))
    })?;
    tree.set_source(script.name.as_str());
    Ok(tree)
}

impl RhaiGuest {
    /// Loads the files, those under `lib/` first. The checks of [`survey`] are not made again.
    ///
    /// # Errors
    /// The files that do not compile or fail while they run once; all wrong declarations.
    pub fn build(files: &[Script], account: &FuelMeter) -> Result<Self, Vec<ScriptError>> {
        let passage = Handover::new(account.clone());
        let aside = account.refill();
        let ordered = in_load_order(files);
        let loaded = contained(account, || load(&ordered, &passage));
        account.restore(aside);
        let loaded = loaded.map_err(|stop| vec![ScriptError::stopped(stop)])??;
        RhaiGuest::of(loaded, passage, &ordered)
    }

    fn of(loaded: LoadedRhai, passage: Handover, ordered: &[&Script]) -> Result<Self, Vec<ScriptError>> {
        let LoadedRhai { engine, calls, homes } = loaded;
        let places: Vec<(String, u32)> = calls.iter().map(|call| (call.file.clone(), call.line)).collect();
        let (declared, functions) = check_calls(calls, ordered)?;
        let writes: BTreeMap<&str, usize> = declared
            .iter()
            .filter(|one| one.deed == Declared::On)
            .map(|one| (one.name.as_str(), one.writes.len()))
            .collect();
        let nowhere = Rc::new(AST::empty());
        let hook = |((one, function), (file, line)): ((&Declaration, Option<FnPtr>), (String, u32))| RhaiHook {
            price: function.as_ref().map_or(0, |function| function.iter_curry().map(price::units).sum()),
            function,
            home: Rc::clone(homes.get(&file).unwrap_or(&nowhere)),
            wraps: one.deed == Declared::Wrap,
            writes: writes.get(one.name.as_str()).copied().unwrap_or(one.writes.len()),
            file,
            line,
        };
        let hooks = declared.iter().zip(functions).zip(places).map(hook).collect();
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

    /// Calls a hook, without a table unless a scene was laid down before. With words it gets the scalars that its
    /// `reads` names, a wrapper `inner` before them; else the event, and `inner` after it. Gives one value for each
    /// name in `writes`. What a wrapped hook writes is said by `writes`.
    ///
    /// # Errors
    /// An error of the script, a value that cannot cross, or the stop of the account.
    pub fn run_hook(&self, index: usize, call: &HookCall, writes: Option<usize>) -> Result<HookResult, ScriptError> {
        let placed = |error| self.placed(index, error);
        supervised(&self.passage.account, &self.spoilt, ScriptStop::Panic, placed, || self.run(index, call, writes))
    }

    fn run(&self, index: usize, call: &HookCall, writes: Option<usize>) -> Result<HookResult, ScriptError> {
        let missing = || ScriptError::nowhere(ScriptErrorKind::Runtime, format!("there is no hook number {index}"));
        let hook = self.hooks.get(index).ok_or_else(missing)?;
        let function = hook.function.as_ref().ok_or_else(missing)?;
        price::pay(&self.passage.account, hook.price)
            .map_err(|error| blame(&error, &hook.file, &self.passage.account))?;
        let arguments = HookArguments { inner: hook.wraps.then_some(&self.inner), call };
        let value = self
            .value_of(function, &hook.home, arguments)
            .map_err(|error| blame(&error, &hook.file, &self.passage.account))?;
        if matches!(call, HookCall::Event) {
            // The last expression of a closure is a value whether it is meant as one or not.
            return Ok(HookResult::new());
        }
        let results = convert::results(&value, writes.unwrap_or(hook.writes));
        results.map_err(|wrong| ScriptError::nowhere(ScriptErrorKind::Value, wrong.message()))
    }

    /// Calls a function within as many calls as the hooks outside have open, so that one bound holds for all of them.
    fn value_of(
        &self,
        function: &FnPtr,
        home: &AST,
        arguments: HookArguments<'_>,
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        let mut state = self.engine.new_global_runtime_state();
        state.lib.push(home.shared_lib().clone());
        state.level = self.passage.account.calls() as usize;
        let within = (&self.engine, function.fn_name(), None, &state, Position::NONE).into();
        function.call_within_context(&within, arguments)
    }

    /// An error without a place is blamed on the hook itself.
    fn placed(&self, index: usize, error: ScriptError) -> ScriptError {
        match self.hooks.get(index) {
            Some(hook) => error.or_at(&hook.file, hook.line),
            None => error,
        }
    }
}

impl ScriptEngine for RhaiGuest {
    const LANGUAGE: &'static str = "rhai";

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

impl Guest for RhaiGuest {
    fn call(&self, intent: RunHandle, hook: usize, call: HookCall) -> (RunHandle, Result<HookResult, Fault>) {
        let (mut scene, returned) = cross(self, Scene::returned(intent), hook, &call);
        (scene.lent(), returned)
    }
}

/// An engine that ran every file once, what they said, and the functions of each file.
struct LoadedRhai {
    engine: Engine,
    calls: Vec<Said>,
    homes: BTreeMap<String, Rc<AST>>,
}

fn load(ordered: &[&Script], passage: &Handover) -> Result<LoadedRhai, Vec<ScriptError>> {
    let mut engine = sandbox::bear(passage);
    let heard = declare::teach(&mut engine);
    let (mut homes, mut wrong) = (BTreeMap::new(), Vec::new());
    for script in ordered {
        match run_file(&engine, script, &passage.account) {
            Ok(module) => {
                homes.insert(script.name.clone(), Rc::new(AST::new_from_module(Shared::clone(&module))));
                if is_library(script) {
                    engine.register_global_module(module);
                }
            }
            Err(error) => wrong.push(error),
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let RhaiDeclarations { calls, .. } =
        std::mem::replace(&mut *heard.borrow_mut(), RhaiDeclarations { calls: Vec::new(), closed: true });
    Ok(LoadedRhai { engine, calls, homes })
}

/// Runs one file. Its functions keep its constants.
fn run_file(engine: &Engine, script: &Script, account: &FuelMeter) -> Result<Shared<Module>, ScriptError> {
    let tree = compile(engine, script, account)?;
    let module = Module::eval_ast_as_new(Scope::new(), &tree, engine);
    module.map(Shared::new).map_err(|error| blame(&error, &script.name, account).or_at(&script.name, 0))
}

type CheckedRhai = (Vec<Declaration>, Vec<Option<FnPtr>>);

fn check_calls(calls: Vec<Said>, files: &[&Script]) -> Result<CheckedRhai, Vec<ScriptError>> {
    let (mut checked, mut wrong, mut places) = (CheckedRhai::default(), Vec::new(), Vec::new());
    for Said { deed, file, line, column, first, options, function } in calls {
        let script = files.iter().find(|script| script.name == file);
        let span = script.map(|script| script.line_span(line)).unwrap_or_default();
        match options.and_then(|options| check(deed, first, options, span)) {
            Ok(declaration) => {
                places.push((file, line));
                checked.0.push(declaration);
                checked.1.push(function);
            }
            Err(message) => {
                wrong.push(ScriptError::at(ScriptErrorKind::Declaration, &file, line, Some(column), message));
            }
        }
    }
    wrong.extend(named_twice(&checked.0, &places));
    if wrong.is_empty() { Ok(checked) } else { Err(wrong) }
}

/// The function that wrappers get: it asks the scene to run what is wrapped.
#[expect(deprecated, reason = "not deprecated but volatile, says the crate; its version is pinned")]
fn inner(passage: &Handover) -> Result<FnPtr, Box<EvalAltResult>> {
    let passage = passage.clone();
    FnPtr::from_fn("inner", move |at: NativeCallContext<'_>, arguments: &mut [&mut Dynamic]| {
        api::reach(&passage, &at);
        if !arguments.is_empty() {
            let wrong = crate::scalar::ConversionError::Kind(INNER_TAKES_NOTHING.to_owned());
            return Err(passage.refuse("inner", wrong).into());
        }
        Ok(convert::to_value(&passage.ask("inner", run_inner)?))
    })
}
