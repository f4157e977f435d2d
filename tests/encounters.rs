//! Every encounter of every shipped pack, played to its end in five ways, in every language.

#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

mod common;

use common::{Often, WAYS, Way, rules, straight};
use houserule::encounter::{Encounter, Ending, Silent};
use houserule::kernel::ident::{NameKind, PoolId};
use houserule::kernel::situation::{Formula, Situation};
use houserule::{EntityId, Oracle, Pack, Ruleset, Table, shipped};
use std::sync::Arc;

/// The encounters of a pack, by name.
fn encounters(pack: &Pack) -> Vec<(String, String)> {
    let name = |file: &str| Some(file.strip_prefix("encounters/")?.strip_suffix(".toml")?.to_owned());
    pack.files().filter_map(|(file, text)| Some((name(file)?, text.to_owned()))).collect()
}

fn read(rules: &Ruleset, name: &str, text: &str) -> Encounter {
    Encounter::read(rules, name, text).unwrap_or_else(|problems| panic!("{name}: {problems:?}"))
}

/// Plays a fight to its end, by one way after every step or after the last.
fn play(rules: &Arc<Ruleset>, name: &str, text: &str, often: Often, way: Way) -> (Table, Ending) {
    let encounter = read(rules, name, text);
    let seed = encounter.seed.unwrap_or_else(|| panic!("{name} has no seed"));
    let mut table = encounter.lay(rules, seed).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    loop {
        let ending = encounter.step(&mut table, &mut Oracle::Seeded, &mut Silent);
        let ending = ending.unwrap_or_else(|fault| panic!("{name}: {fault}"));
        if often == Often::Always || ending.is_some() {
            way(&mut table).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        }
        if let Some(ending) = ending {
            return (table, ending);
        }
    }
}

fn line(table: &Table, standing: &Formula, who: EntityId) -> String {
    let entity = table.state().entity(who).unwrap();
    let stands = table.value(Situation::of(who), standing).unwrap() != 0;
    let conditions: Vec<&str> = entity.bears.iter().map(|borne| table.rules().lexicon.name(borne.condition)).collect();
    let state = if stands { "stands" } else { "is down" };
    let bears = if conditions.is_empty() { String::new() } else { format!("; {}", conditions.join(", ")) };
    format!("{} ({}) {state}: {}{bears}", entity.name, entity.side, pools(table, who).join(", "))
}

/// What is left in those pools of a creature that do not fill by themselves.
fn pools(table: &Table, who: EntityId) -> Vec<String> {
    let lexicon = &table.rules().lexicon;
    let mut told = Vec::new();
    for name in lexicon.names(NameKind::Pool).iter() {
        let id = lexicon.find::<PoolId>(name).unwrap();
        let pool = table.rules().pools.get(id);
        let (left, most) = (table.read(who, name).unwrap(), table.read(who, &format!("{name}.max")).unwrap());
        let has_it = table.state().entity(who).unwrap().is_one_of(&pool.of);
        if has_it && pool.resets.is_none() && (left, most) != (0, 0) && pool.start.is_none() {
            told.push(format!("{name} {left}/{most}"));
        }
    }
    told
}

/// How it came out: who won when, and what is left of everybody.
fn account(rules: &Ruleset, name: &str, text: &str, table: &Table, ending: &Ending) -> String {
    let encounter = read(rules, name, text);
    let won = match ending {
        Ending::Won(Some(side)) => format!("{side} won in round"),
        Ending::Won(None) => "nobody is left in round".to_owned(),
        Ending::TimeUp => "nobody has won before round".to_owned(),
        Ending::Waiting(question) => panic!("{name}: nobody answers {question:?}"),
    };
    let (round, entries) = (table.state().order.round, table.journal().done().len());
    let members = encounter.members.iter().filter_map(|member| table.state().find(&member.seat.name));
    let lines: Vec<String> = members.map(|who| line(table, &encounter.standing, who)).collect();
    format!("{}\n{won} {round}, after {entries} entries\n{}", encounter.title, lines.join("\n"))
}

#[test]
fn every_encounter_ends_as_it_is_kept() {
    for id in shipped::ids() {
        let pack = shipped::pack(id).expect("a shipped pack");
        let rules = rules(&pack, "lua");
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(format!("../rulesets/{id}/encounters"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        for (name, text) in encounters(&pack) {
            let (table, ending) = play(&rules, &name, &text, Often::Always, straight);
            let told = account(&rules, &name, &text, &table, &ending);
            settings.bind(|| insta::assert_snapshot!(name.clone(), told));
        }
    }
}

#[test]
fn every_encounter_comes_out_the_same_in_five_ways() {
    for id in shipped::ids() {
        let pack = shipped::pack(id).expect("a shipped pack");
        let rules = rules(&pack, "lua");
        for (name, text) in encounters(&pack) {
            let (table, _) = play(&rules, &name, &text, Often::Always, straight);
            for (way, often, how) in WAYS.into_iter().skip(1) {
                let (other, _) = play(&rules, &name, &text, often, how);
                assert_eq!(other.digest().unwrap(), table.digest().unwrap(), "{id}/{name}, {way}");
            }
        }
    }
}

#[cfg(all(feature = "rhai", any(feature = "luau", feature = "lua54")))]
#[test]
fn both_languages_write_the_same_journal_of_every_encounter() {
    for id in shipped::ids() {
        let pack = shipped::pack(id).expect("a shipped pack");
        let (lua, rhai) = (rules(&pack, "lua"), rules(&pack, "rhai"));
        for (name, text) in encounters(&pack) {
            let journal = |rules| play(rules, &name, &text, Often::Always, straight).0.journal_json().unwrap();
            assert_eq!(journal(&lua), journal(&rhai), "{id}/{name}");
        }
    }
}

#[test]
fn every_way_lets_a_fight_end_that_time_ends() {
    let pack = shipped::pack("sf1e").expect("a shipped pack");
    let rules = rules(&pack, "lua");
    let text = pack.file("encounters/duel.toml").unwrap().replace("rounds = 20", "rounds = 1");
    for (way, often, how) in WAYS {
        let (_, ending) = play(&rules, "duel", &text, often, how);
        assert_eq!(ending, Ending::TimeUp, "{way}");
    }
}
