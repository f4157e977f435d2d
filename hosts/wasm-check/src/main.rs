//! Plays the golden fight in each language of the build and says by its exit code whether the digest came out: on
//! `wasm32-unknown-unknown` nothing that is printed is seen, and `run.mjs` reads what `main` returns.

use houserule::encounter::{Encounter, Silent};
use houserule::{Oracle, load_with, shipped};
use std::process::ExitCode;

const DIGEST: &str = include_str!("../../../tests/golden.digest");

fn main() -> ExitCode {
    let mut worst = 0;
    for language in houserule_scripts::languages() {
        let digest = digest(language.name());
        println!("{}: {}", language.name(), digest.as_deref().unwrap_or("the fight could not be played"));
        worst = worst.max(judge(digest.as_deref()));
    }
    ExitCode::from(worst)
}

fn judge(digest: Option<&str>) -> u8 {
    match digest {
        Some(digest) if digest == DIGEST.trim_end() => 0,
        Some(_) => 2,
        None => 1,
    }
}

/// The digest of `sf1e/dock_brawl` with seed 7 and the hooks of one language; nothing if it cannot be played to its end.
fn digest(language: &str) -> Option<String> {
    let rules = load_with(Vec::new(), &["sf1e"], &houserule_scripts::languages_preferring(language)).ok()?;
    let pack = shipped::pack("sf1e")?;
    let encounter = Encounter::read(&rules, "dock_brawl.toml", pack.file("encounters/dock_brawl.toml")?).ok()?;
    let mut table = encounter.lay(&rules, 7).ok()?;
    encounter.play(&mut table, &mut Oracle::Seeded, &mut Silent).ok()?;
    table.digest().ok()
}
