//! Packs written from docs/WRITING-RULES.md alone: one that says every word of it, one that changes the dying rule.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use houserule::encounter::{Encounter, Ending, Silent};
use houserule::scenario::{Scenario, of_pack};
use houserule::{Oracle, Pack, Ruleset, load_with};
use std::collections::BTreeSet;
use std::sync::Arc;

const WRITING_RULES: &str = include_str!("../docs/WRITING-RULES.md");

fn pack(name: &str) -> Pack {
    Pack::read_folder(format!("{}/tests/packs/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn rules(name: &str, language: &str) -> Arc<Ruleset> {
    let languages = houserule_scripts::languages_preferring(language);
    load_with(vec![pack(name)], &[], &languages).unwrap_or_else(|report| panic!("{report}"))
}

/// The journal after every act of every scenario of a pack; all of them come
/// out as they say.
fn journals(name: &str, language: &str) -> Vec<String> {
    let rules = rules(name, language);
    let mut journals = Vec::new();
    for (scenario, text) in of_pack(&pack(name)) {
        let read = Scenario::read(&rules, &scenario, &text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let played = read.play(&rules, &mut |table| {
            journals.push(table.journal_json().map_err(|fault| fault.to_string())?);
            Ok(())
        });
        assert!(played.failures.is_empty(), "{scenario}: {}\n{}", played.failures.join("\n"), played.told);
    }
    journals
}

/// The text of all rules of a pack.
fn written(name: &str) -> String {
    pack(name).rules().map(|(_, text)| format!("{text}\n")).collect()
}

/// The words right behind each place where a mark stands.
fn words_behind<'t>(text: &'t str, mark: &str) -> BTreeSet<&'t str> {
    let rests = text.split(mark).skip(1);
    let word = |rest: &'t str| rest.split(|sign: char| !sign.is_ascii_lowercase() && sign != '_').next().unwrap_or("");
    rests.map(word).filter(|word| !word.is_empty()).collect()
}

/// The first column of the table of steps.
fn table_of_steps() -> String {
    let rest = WRITING_RULES.split("| step | does |").nth(1).expect("the table of steps");
    let rows = rest.lines().skip(1).take_while(|line| line.is_empty() || line.starts_with('|'));
    rows.map(|line| line.split(" | ").next().unwrap_or("").to_owned() + "\n").collect()
}

#[test]
fn every_step_of_the_reference_is_said() {
    let (wanted, text) = (table_of_steps(), written("every_word"));
    let steps = words_behind(&wanted, "`{ ");
    let said = words_behind(&text, "{ ");
    assert!(steps.len() >= 30, "{steps:?}");
    let missing: Vec<&&str> = steps.difference(&said).collect();
    assert!(missing.is_empty(), "no step says {missing:?}");
}

#[test]
fn every_kind_of_the_reference_is_defined() {
    let own = written("every_word");
    let (named, defined) = (words_behind(WRITING_RULES, "\n["), words_behind(&own, "\n["));
    let inline = words_behind(WRITING_RULES, "`[");
    let elsewhere = BTreeSet::from([
        "change", "replace", "remove", "kind", "options", "who", "end", "act", "given", "each", "answers",
    ]);
    let missing: Vec<&&str> = named.union(&inline).filter(|kind| !defined.contains(**kind)).collect();
    let missing: Vec<&&str> = missing.into_iter().filter(|kind| !elsewhere.contains(**kind)).collect();
    assert!(defined.len() >= 30, "{defined:?}");
    assert!(missing.is_empty(), "nothing defines {missing:?}");
}

#[test]
fn every_field_of_the_reference_is_used() {
    let own = written("every_word");
    let reference = WRITING_RULES.split("## Words for people").next().unwrap_or("");
    let blocks = reference.split("```toml").skip(2).map(|block| block.split("```").next().unwrap_or(""));
    let blocks: String = blocks.collect();
    let keys = |text: &str| -> BTreeSet<String> {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with(['#', '[']));
        let keys = lines.filter_map(|line| Some(line.split_once(" = ")?.0.trim_start_matches(['{', ' '])));
        keys.filter_map(|key| key.split('.').next()).map(str::to_owned).collect()
    };
    let missing: Vec<String> = keys(&blocks).difference(&keys(&own)).cloned().collect();
    assert!(missing.is_empty(), "no rule says {missing:?}");
}

/// The example under a heading of the reference.
fn example(heading: &str) -> &'static str {
    let section = WRITING_RULES.split(heading).nth(1).expect("the heading");
    section.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example")
}

#[test]
fn the_examples_of_the_reference_are_sound() {
    let rules = houserule::load(&["sf1e"]).unwrap();
    let encounter = Encounter::read(&rules, "example", example("## Encounters and tactics"));
    encounter.unwrap_or_else(|wrong| panic!("{wrong:?}")).lay(&rules, 1).unwrap();
    let scenario =
        Scenario::read(&rules, "example", example("## Scenarios")).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let played = scenario.play(&rules, &mut |_| Ok(()));
    assert!(played.failures.is_empty(), "{}\n{}", played.failures.join("\n"), played.told);
}

#[test]
fn the_house_rule_of_the_readme_is_sound() {
    let readme = include_str!("../README.md");
    let block = readme.split("```toml\n# pack.toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let (manifest, rule) = block.split_once("# rules.toml\n").unwrap();
    let pack = Pack::new().with("pack.toml", manifest).with("rules.toml", rule);
    let rules = load_with(vec![pack], &[], &houserule_scripts::languages()).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(rules.layers.iter().any(|note| note.pack == "deadly" && note.path == "case.critical.when"));
}

#[test]
fn every_word_is_played_in_both_languages() {
    let journals_of = |language| journals("every_word", language);
    assert_eq!(journals_of("lua"), journals_of("rhai"));
}

#[test]
fn tactics_bring_the_encounter_to_an_end() {
    let rules = rules("every_word", "lua");
    let pack = pack("every_word");
    let text = pack.file("encounters/ford.toml").unwrap();
    let encounter = Encounter::read(&rules, "ford", text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let mut table = encounter.lay(&rules, 5).unwrap();
    let ending = encounter.play(&mut table, &mut Oracle::Seeded, &mut Silent).unwrap();
    assert!(matches!(ending, Ending::Won(Some(_))), "{ending:?}");
}

#[test]
fn a_changed_dying_rule_is_the_same_in_both_languages() {
    assert_eq!(journals("deadly_hours", "lua"), journals("deadly_hours", "rhai"));
}

#[test]
fn the_dying_rule_differs_from_the_pack_it_extends() {
    let own = pack("deadly_hours");
    let plain = houserule::load(&["sf1e"]).unwrap();
    for (name, text) in of_pack(&own) {
        let scenario = Scenario::read(&plain, &name, &text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let played = scenario.play(&plain, &mut |_| Ok(()));
        assert!(!played.failures.is_empty(), "{name} comes out the same without the house rule");
    }
}
