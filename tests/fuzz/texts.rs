//! Whatever is thrown at a reader, it answers with a diagnostic: never a panic, never silence.

use crate::near::{all_told, edited, edits, garbage, near};
use crate::{cases, every_word, rules};
use houserule::encounter::{Encounter, Silent, packs};
use houserule::kernel::expression::parse;
use houserule::kernel::oracle::taped;
use houserule::kernel::script::Script;
use houserule::scenario::Scenario;
use houserule::{Diagnostic, Oracle, Pack, Ruleset, Table, load_with};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::Arc;

pub const FORD: &str = include_str!("../packs/every_word/encounters/ford.toml");
const DEED: &str = include_str!("../packs/every_word/scenarios/every_deed.toml");
const LUA: &str = include_str!("../packs/deadly_hours/hooks/deadly.lua");
const RHAI: &str = include_str!("../packs/deadly_hours/hooks/deadly.rhai");

fn play(encounter: Result<Encounter, Vec<Diagnostic>>) {
    match encounter {
        Err(problems) => all_told(&problems),
        Ok(encounter) => {
            let encounter = Encounter { rounds: encounter.rounds.min(3), ..encounter };
            let Ok(mut table) = encounter.lay(rules(), 1) else { return };
            let _ = encounter.play(&mut table, &mut Oracle::Seeded, &mut Silent);
        }
    }
}

fn play_story(rules: &Arc<Ruleset>, text: &str) {
    match Scenario::read(rules, "s", text) {
        Err(problems) => all_told(&problems),
        Ok(scenario) => {
            scenario.play(rules, &mut |table| table.digest().map(|_| ()).map_err(|fault| fault.to_string()));
        }
    }
}

/// A pack of every word with one file changed by hand.
fn changed_pack(file: &Index, edits: &[(Index, usize, usize)]) -> Pack {
    let pack = every_word();
    let names: Vec<String> = pack.files().map(|(name, _)| name.to_owned()).collect();
    let name = &names[file.index(names.len())];
    let text = edited(pack.file(name).unwrap(), edits);
    pack.with(name, &text)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn encounters(text in near(FORD)) {
        if let Err(problems) = packs("e", &text) {
            all_told(&problems);
        }
        play(Encounter::read(rules(), "e", &text));
    }

    #[test]
    fn scenarios(text in near(DEED)) {
        play_story(rules(), &text);
    }

    #[test]
    fn faces_of_tapes(text in prop_oneof![garbage(), near("attack:20")]) {
        if let Err(message) = taped(&text) {
            prop_assert!(message.contains("attack:20"));
        }
    }

    #[test]
    fn expressions(text in near("if(target has undead and not (hp.max - 3 >= 4d6kh3!r1), max(2, pay(rank)), -1d20[fire] / 2)")) {
        match parse(&text) {
            Ok(_) => {}
            Err(mistake) => prop_assert!(!mistake.message.is_empty() && mistake.start <= mistake.end && mistake.end <= text.len()),
        }
        let mut table = Table::new(rules(), 1);
        assert!(table.seat("rook", "knight", "a").unwrap().is_done());
        let _ = table.read(table.state().find("rook").unwrap(), &text);
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn texts_with_arguments(text in near("\"say.steady\" = \"{who} is {{steady}}\"\n")) {
        let pack = every_word().with("text/en.toml", &text).with("text/xx.toml", &text);
        match load_with(vec![pack], &[], &[]) {
            Ok(_) => {}
            Err(report) => all_told(&report.problems),
        }
    }

    #[test]
    fn rules_and_what_they_play(file in any::<Index>(), edits in edits()) {
        match load_with(vec![changed_pack(&file, &edits)], &[], &houserule_scripts::languages()) {
            Err(report) => all_told(&report.problems),
            Ok(rules) => play_story(&rules, DEED),
        }
    }

    #[test]
    fn scripts_in_lua(text in near(LUA)) {
        survey("lua", &text);
    }

    #[test]
    fn scripts_in_rhai(text in near(RHAI)) {
        survey("rhai", &text);
    }
}

fn survey(name: &str, text: &str) {
    for language in houserule_scripts::languages().iter().filter(|language| language.name() == name) {
        let script = Script { name: format!("p/hooks/a.{name}"), text: text.to_owned(), file: 0 };
        if let Err(problems) = language.survey(&[script]) {
            assert!(!problems.is_empty() && problems.iter().all(|problem| !problem.message.is_empty()));
        }
    }
}
