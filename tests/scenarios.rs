//! Every scenario of every shipped pack, in five ways, again, in a fresh guest, and in every language.

#![allow(clippy::panic, reason = "tests may panic")]

mod common;

use common::{WAYS, Way, rules, straight};
use houserule::scenario::{Scenario, of_pack};
use houserule::scenario_test::{left_behind, snapshot_file};
use houserule::snapshot::written;
use houserule::{Ruleset, shipped};
use std::sync::Arc;

/// The digest of the table after every act, in one way.
fn digests(rules: &Arc<Ruleset>, name: &str, text: &str, way: Way) -> (String, Vec<String>) {
    let scenario = Scenario::read(rules, name, text).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    let mut digests = Vec::new();
    let played = scenario.play(rules, &mut |table| {
        way(table)?;
        digests.push(table.digest().map_err(|fault| fault.to_string())?);
        Ok(())
    });
    assert!(played.failures.is_empty(), "{name}: {}\n{}", played.failures.join("\n"), played.told);
    (played.told, digests)
}

#[test]
fn every_scenario_comes_out_as_it_says() {
    for id in shipped::ids() {
        let pack = shipped::pack(id).expect("a shipped pack");
        let rules = rules(&pack, "lua");
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(format!("../rulesets/{id}/scenarios"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        for (name, text) in of_pack(&pack) {
            let scenario =
                Scenario::read(&rules, &name, &text).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
            let played = scenario.play(&rules, &mut |_| Ok(()));
            assert!(played.failures.is_empty(), "{name}: {}\n{}", played.failures.join("\n"), played.told);
            settings.set_description(scenario.about.clone());
            settings.bind(|| insta::assert_snapshot!(name.clone(), played.told));
        }
    }
}

#[test]
fn every_snapshot_is_to_the_byte_what_the_command_line_would_keep() {
    for id in shipped::ids() {
        let pack = shipped::pack(id).expect("a shipped pack");
        let rules = rules(&pack, "lua");
        assert!(left_behind(&pack).is_empty(), "{id}: {:?} lie beside no scenario", left_behind(&pack));
        for (name, text) in of_pack(&pack) {
            let scenario = Scenario::read(&rules, &name, &text).expect("it was read before");
            let played = scenario.play(&rules, &mut |_| Ok(()));
            let kept = pack.file(&snapshot_file(&name)).unwrap_or_default();
            assert_eq!(kept, written(&scenario.about, &played.told), "{name}");
        }
    }
}

#[test]
fn every_scenario_comes_out_the_same_in_five_ways() {
    for id in shipped::ids() {
        let pack = shipped::pack(id).expect("a shipped pack");
        let rules = rules(&pack, "lua");
        for (name, text) in of_pack(&pack) {
            let (_, expected) = digests(&rules, &name, &text, straight);
            for (way, _, how) in WAYS {
                assert_eq!(digests(&rules, &name, &text, how).1, expected, "{name}, {way}");
            }
        }
    }
}

/// A hook that remembered something, or read an address or the order of a hash, would tell another story here.
#[test]
fn every_scenario_comes_out_the_same_again_and_in_a_fresh_guest() {
    for id in shipped::ids() {
        let pack = shipped::pack(id).expect("a shipped pack");
        for language in houserule_scripts::languages() {
            let rules = rules(&pack, language.name());
            for (name, text) in of_pack(&pack) {
                let play = || digests(&rules, &name, &text, straight);
                let (first, again) = (play(), play());
                // guests belong to threads: a fresh thread has a fresh one
                let elsewhere = std::thread::scope(|scope| scope.spawn(play).join().expect("the thread ends"));
                assert_eq!(again, first, "{name}, {}, again in the same guest", language.name());
                assert_eq!(elsewhere, first, "{name}, {}, in a fresh guest", language.name());
            }
        }
    }
}

#[cfg(all(feature = "rhai", any(feature = "luau", feature = "lua54")))]
#[test]
fn both_languages_write_the_same_journal() {
    for id in shipped::ids() {
        let pack = shipped::pack(id).expect("a shipped pack");
        let (lua, rhai) = (rules(&pack, "lua"), rules(&pack, "rhai"));
        for (name, text) in of_pack(&pack) {
            let journals = |rules: &Arc<Ruleset>| {
                let scenario = Scenario::read(rules, &name, &text).expect("it was read before");
                let mut journals = Vec::new();
                scenario.play(rules, &mut |table| {
                    journals.push(table.journal_json().map_err(|fault| fault.to_string())?);
                    Ok(())
                });
                journals
            };
            assert_eq!(journals(&lua), journals(&rhai), "{name}");
        }
    }
}

#[test]
fn a_third_of_the_scenarios_are_refusals() {
    for id in shipped::ids() {
        let pack = shipped::pack(id).expect("a shipped pack");
        let scenarios = of_pack(&pack);
        let refusals = scenarios.values().filter(|text| text.contains("refused =")).count();
        assert!(refusals * 3 >= scenarios.len(), "{id}: {refusals} of {}", scenarios.len());
    }
}
