//! The languages, as the kernel knows them.

use crate::budget::{FuelMeter, ScriptLimits};
use crate::error::ScriptError;
use houserule_kernel::error::MOST_IN_FILE;
use houserule_kernel::error::{Fault, Problem};
use houserule_kernel::script::{Declaration, Guest, Language, Script};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lua, by the interpreter that the features choose.
#[cfg(any(feature = "luau", feature = "lua54"))]
#[derive(Clone, Copy, Debug, Default)]
pub struct Lua;

/// Rhai.
#[cfg(feature = "rhai")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Rhai;

fn account() -> FuelMeter {
    FuelMeter::open(ScriptLimits::default())
}

/// The place is looked for of as many in a file as are told; the rest is counted.
fn problems(wrong: &[ScriptError], scripts: &[Script]) -> Vec<Problem> {
    let (mut told, mut problems) = (BTreeMap::new(), Vec::new());
    for error in wrong {
        let count = told.entry(error.file.as_str()).or_insert(0);
        *count += 1;
        problems.push(if *count <= MOST_IN_FILE { error.problem(scripts) } else { error.counted(scripts) });
    }
    problems
}

fn fault(wrong: &[ScriptError]) -> Fault {
    let told = wrong.first().map(ToString::to_string).unwrap_or_default();
    Fault::new("HR0414", format!("the script files no longer load as they did: {told}"))
}

#[cfg(any(feature = "luau", feature = "lua54"))]
impl Language for Lua {
    fn name(&self) -> &'static str {
        "lua"
    }

    fn extension(&self) -> &'static str {
        "lua"
    }

    fn survey(&self, scripts: &[Script]) -> Result<Vec<Declaration>, Vec<Problem>> {
        crate::lua::survey(scripts, &account()).map_err(|wrong| problems(&wrong, scripts))
    }

    fn guest(&self, scripts: &[Script]) -> Result<Box<dyn Guest>, Fault> {
        let guest = crate::lua::LuaGuest::build(scripts, &account()).map_err(|wrong| fault(&wrong))?;
        Ok(Box::new(guest))
    }
}

#[cfg(feature = "rhai")]
impl Language for Rhai {
    fn name(&self) -> &'static str {
        "rhai"
    }

    fn extension(&self) -> &'static str {
        "rhai"
    }

    fn survey(&self, scripts: &[Script]) -> Result<Vec<Declaration>, Vec<Problem>> {
        crate::rhai::survey(scripts, &account()).map_err(|wrong| problems(&wrong, scripts))
    }

    fn guest(&self, scripts: &[Script]) -> Result<Box<dyn Guest>, Fault> {
        let guest = crate::rhai::RhaiGuest::build(scripts, &account()).map_err(|wrong| fault(&wrong))?;
        Ok(Box::new(guest))
    }
}

/// The languages of this build, Lua first.
#[must_use]
pub fn languages() -> Vec<Arc<dyn Language>> {
    vec![
        #[cfg(any(feature = "luau", feature = "lua54"))]
        Arc::new(Lua),
        #[cfg(feature = "rhai")]
        Arc::new(Rhai),
    ]
}

/// The languages of this build, the one of this name first; a pack that offers several is played in the first.
#[must_use]
pub fn languages_preferring(name: &str) -> Vec<Arc<dyn Language>> {
    let mut languages = languages();
    languages.sort_by_key(|language| language.name() != name);
    languages
}
