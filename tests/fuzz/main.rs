//! Inputs made at random from a fixed seed. `docs/TESTING.md` says how to make more of them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

mod found;
mod intents;
mod near;
mod packs;
#[cfg(all(feature = "rhai", any(feature = "luau", feature = "lua54")))]
mod program;
mod saves;
mod texts;
#[cfg(all(feature = "rhai", any(feature = "luau", feature = "lua54")))]
mod twins;

use houserule::{Pack, Ruleset, load_with};
use proptest::prelude::ProptestConfig;
use std::sync::{Arc, OnceLock};

/// So many cases, or as many as `PROPTEST_CASES` asks for. What is found becomes a named test, not a file.
fn cases(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(cases), failure_persistence: None, ..ProptestConfig::default() }
}

fn every_word() -> Pack {
    Pack::read_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/packs/every_word")).unwrap()
}

fn rules() -> &'static Arc<Ruleset> {
    static RULES: OnceLock<Arc<Ruleset>> = OnceLock::new();
    RULES.get_or_init(|| load_with(vec![every_word()], &[], &houserule_scripts::languages()).unwrap())
}
