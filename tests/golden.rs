//! One fight, one digest: the same on every machine, in every build, in every
//! language, on every thread.
//!
//! The digest covers the whole journal of `sf1e/dock_brawl` with seed 7: every
//! die, every number with its reasons, every change. It may be re-minted only
//! with a change of rules, of the record's form, or of the draw, said so in the
//! changelog. Minted for 0.1.0, with the whole of the pack.
#![allow(clippy::expect_used, clippy::panic, reason = "tests may panic")]

use houserule::encounter::{Encounter, Silent};
use houserule::{Oracle, Ruleset, load_with, shipped};
use std::sync::Arc;

const DIGEST: &str = include_str!("golden.digest");

fn digest(rules: &Arc<Ruleset>) -> String {
    let pack = shipped::pack("sf1e").expect("a shipped pack");
    let text = pack.file("encounters/dock_brawl.toml").expect("a shipped encounter");
    let encounter = Encounter::read(rules, "dock_brawl.toml", text).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut table = encounter.lay(rules, 7).unwrap_or_else(|fault| panic!("{fault}"));
    encounter.play(&mut table, &mut Oracle::Seeded, &mut Silent).unwrap_or_else(|fault| panic!("{fault}"));
    table.digest().unwrap_or_else(|fault| panic!("{fault}"))
}

fn rules(language: &str) -> Arc<Ruleset> {
    let languages = houserule_scripts::languages_preferring(language);
    load_with(Vec::new(), &["sf1e"], &languages).unwrap_or_else(|report| panic!("{report}"))
}

#[test]
fn every_language_gives_the_digest() {
    for language in ["lua", "rhai"] {
        assert_eq!(digest(&rules(language)), DIGEST.trim_end(), "{language}");
    }
}

#[test]
fn many_threads_give_the_digest() {
    let rules = rules("lua");
    std::thread::scope(|scope| {
        let fights: Vec<_> = (0..4).map(|_| scope.spawn(|| digest(&rules))).collect();
        for fight in fights {
            assert_eq!(fight.join().expect("the thread ends"), DIGEST.trim_end());
        }
    });
}
