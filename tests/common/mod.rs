//! The five ways in which a story must come out the same, and the rules it is played by.

use houserule::loader::pack::Pack;
use houserule::{Ruleset, Table, load_with};
use std::sync::Arc;

/// What is done to a table between two things that happen at it.
pub type Way = fn(&mut Table) -> Result<(), String>;

/// How often a way is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Often {
    /// After every entry, for it looks at the last one or at the table as it is.
    Always,
    /// At the end at the latest, for it goes through all that was done.
    Lately,
}

/// The five ways.
pub const WAYS: [(&str, Often, Way); 5] = [
    ("straight", Often::Always, straight),
    ("saved and loaded", Often::Always, saved_and_loaded),
    ("replayed", Often::Lately, replayed),
    ("undone and redone", Often::Lately, undone_and_redone),
    ("rolled back and run again", Often::Always, run_again),
];

pub fn straight(_: &mut Table) -> Result<(), String> {
    Ok(())
}

fn saved_and_loaded(table: &mut Table) -> Result<(), String> {
    let text = table.save().map_err(|fault| fault.to_string())?;
    let policies = table.policies().clone();
    *table = Table::load(&Arc::clone(table.rules()), &text).map_err(|fault| fault.to_string())?;
    table.set_policies(policies);
    Ok(())
}

fn replayed(table: &mut Table) -> Result<(), String> {
    *table = table.replayed().map_err(|fault| fault.to_string())?;
    Ok(())
}

fn undone_and_redone(table: &mut Table) -> Result<(), String> {
    let mut undone = 0;
    while table.undo(false) {
        undone += 1;
    }
    let redone = std::iter::from_fn(|| table.redo().then_some(())).count();
    if undone == redone { Ok(()) } else { Err(format!("{undone} undone, {redone} redone")) }
}

fn run_again(table: &mut Table) -> Result<(), String> {
    let Some(entry) = table.journal().done().last().cloned() else { return Ok(()) };
    let answers = table.journal().answers(&entry).to_vec();
    table.undo(false);
    let outcome = table.perform_again(&entry.deed, &answers).map_err(|fault| fault.to_string())?;
    if outcome.is_done() { Ok(()) } else { Err(format!("run again it came to {outcome:?}")) }
}

/// A pack, with the hooks of one language before those of others.
pub fn rules(pack: &Pack, language: &str) -> Arc<Ruleset> {
    let languages = houserule_scripts::languages_preferring(language);
    load_with(vec![pack.clone()], &[], &languages).unwrap_or_else(|report| panic!("{report}"))
}
