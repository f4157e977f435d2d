//! Plays the golden fight with Rhai hooks and says by its exit code alone whether the digest came out: on
//! `wasm32-unknown-unknown` there is nowhere to print to, and `run.mjs` reads what `main` returns.

use houserule::encounter::{Encounter, Silent};
use houserule::{Oracle, load_with, shipped};
use std::process::ExitCode;

const DIGEST: &str = include_str!("../../../tests/golden.digest");

fn main() -> ExitCode {
    match digest() {
        Some(digest) if digest == DIGEST.trim_end() => ExitCode::SUCCESS,
        Some(_) => ExitCode::from(2),
        None => ExitCode::from(1),
    }
}

/// The digest of `sf1e/dock_brawl` with seed 7; nothing if it cannot be played to its end.
fn digest() -> Option<String> {
    let rules = load_with(Vec::new(), &["sf1e"], &houserule_scripts::languages_preferring("rhai")).ok()?;
    let pack = shipped::pack("sf1e")?;
    let encounter = Encounter::read(&rules, "dock_brawl.toml", pack.file("encounters/dock_brawl.toml")?).ok()?;
    let mut table = encounter.lay(&rules, 7).ok()?;
    encounter.play(&mut table, &mut Oracle::Seeded, &mut Silent).ok()?;
    table.digest().ok()
}
