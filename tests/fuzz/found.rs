//! What was found, each with a test of its own.

use crate::near::all_told;
use crate::texts::FORD;
use crate::{every_word, rules};
use houserule::encounter::{Encounter, Silent};
use houserule::scenario::Scenario;
use houserule::{Oracle, Pack, load_with};

fn encounter_told(change: (&str, &str)) -> String {
    assert!(FORD.contains(change.0), "{change:?}");
    let problems = Encounter::read(rules(), "ford.toml", &FORD.replacen(change.0, change.1, 1)).unwrap_err();
    all_told(&problems);
    problems.iter().map(|problem| format!("{problem}\n")).collect()
}

#[test]
fn err_a_negative_seed_is_told() {
    let told = encounter_told(("seed = 4", "seed = -4"));
    assert!(told.starts_with("ford.toml:3:8: `seed` cannot be `-4` [HR0205]"), "{told}");
}

#[test]
fn err_rounds_lie_between_one_and_a_thousand() {
    for rounds in ["0", "-1", "1001"] {
        let told = encounter_told(("rounds = 30", &format!("rounds = {rounds}")));
        assert!(told.contains("[HR0205]; a number lies here between `1` and `1000`"), "{told}");
    }
}

#[test]
fn err_a_tactic_of_unknown_words_is_told() {
    let told = encounter_told(("do = \"strike\"", "do = \"strik\""));
    assert!(told.contains("there is no action `strik` [HR0203]; did you mean `strike`?"), "{told}");
    let told = encounter_told(("target = \"weakest_foe\"", "target = \"weakest_foe\", with = \"swort\""));
    assert!(told.contains("there is no item and no tag `swort` [HR0203]; did you mean `sword`?"), "{told}");
    let told = encounter_told(("blood > 1", "blod > 1"));
    assert!(told.contains("`blod` is no stat, pool or word") && told.contains("did you mean `blood`?"), "{told}");
    let told = encounter_told(("blood > 1", "blood"));
    assert!(told.contains("`blood` is a number, and a yes or no is wanted here"), "{told}");
}

#[test]
fn err_a_tactic_of_a_pack_is_told_with_the_pack() {
    let pack = every_word().with("more.toml", "[tactic.odd]\nprefer = [{ do = \"strik\" }]\n");
    let report = load_with(vec![pack], &[], &houserule_scripts::languages()).unwrap_err();
    all_told(&report.problems);
    assert_eq!(
        report.to_string().trim(),
        "every_word/more.toml:2:19: there is no action `strik` [HR0203]; did you mean `strike`?"
    );
}

#[test]
fn err_answers_beforehand_fit_a_question_and_can_be_read() {
    for wrong in ["blod > 2", "1d6", "blood >", ""] {
        encounter_told(("\"blood > 2\"", &format!("{wrong:?}")));
    }
    for (right, wrong) in [("ask.parry", "ask.pary"), ("fact.foes_in_sight", "fact.foes"), ("\"default\"", "[]")] {
        encounter_told((right, wrong));
    }
}

#[test]
fn err_who_still_stands_is_a_question_that_can_be_read() {
    for standing in ["blod > 0", "blood", "blood >", "1d6 > 2", "fact.nope > 0"] {
        encounter_told(("blood > 0", standing));
    }
}

#[test]
fn err_who_still_stands_may_fault_only_aloud() {
    for standing in ["1 / (blood - blood) > 0", "target.blood > 0"] {
        let encounter = Encounter::read(rules(), "f", &FORD.replace("blood > 0", standing)).unwrap();
        let mut table = encounter.lay(rules(), 1).unwrap();
        let fault = encounter.play(&mut table, &mut Oracle::Seeded, &mut Silent).unwrap_err();
        assert!(fault.to_string().ends_with("in the question `standing` of the encounter"), "{fault}");
    }
}

#[test]
fn err_two_of_one_name_and_nobody_at_all_are_told() {
    assert!(encounter_told(("[who.dent]", "[who.rook]")).contains("`rook` stands twice in one table [HR0101]"));
    for name in ["\"\"", "table"] {
        assert!(encounter_told(("[who.dent]", &format!("[who.{name}]"))).contains("nobody can be called"), "{name}");
    }
    let empty = Encounter::read(rules(), "e", "title = \"t\"\npack = \"every_word\"\n").unwrap_err();
    assert!(empty[0].message.contains("nobody takes part"), "{empty:?}");
}

#[test]
fn err_rules_without_an_order_of_acting_do_not_fight_for_ever() {
    let pack = Pack::new()
        .with("pack.toml", "id = \"bare\"\nversion = \"0\"\ntitle = \"Bare\"\n")
        .with("rules.toml", "[creature.one]\ntags = []\n");
    let rules = load_with(vec![pack], &[], &[]).unwrap();
    let text = "title = \"t\"\n[who.a]\nlike = \"one\"\nside = \"a\"\n[who.b]\nlike = \"one\"\nside = \"b\"\n";
    let encounter = Encounter::read(&rules, "e", text).unwrap();
    let mut table = encounter.lay(&rules, 1).unwrap();
    let fault = encounter.play(&mut table, &mut Oracle::Seeded, &mut Silent).unwrap_err();
    assert!(fault.message.contains("no order of acting"), "{fault}");
}

#[test]
fn err_more_than_a_table_seats_is_a_fault() {
    let swords = "\"sword\", ".repeat(60);
    let members: String = (0..200).map(|at| format!("c{at} = {{ like = \"squire\", holds = [{swords}] }}\n")).collect();
    let encounter = Encounter::read(rules(), "e", &format!("title = \"t\"\n[who]\n{members}")).unwrap();
    let fault = encounter.lay(rules(), 1).map(|_| ()).unwrap_err();
    assert!(fault.code == "HR0520" && fault.to_string().contains("the seat of `c"), "{fault}");
}

#[test]
fn err_an_answer_to_no_question_fails_a_scenario() {
    let text = "about = \"a\"\ngiven.a = { like = \"squire\" }\n[[act]]\nwho = \"a\"\ncheck = \"grit\"\ndc = 1\nanswers = [\"yes\"]\n";
    let played = Scenario::read(rules(), "s", text).unwrap().play(rules(), &mut |_| Ok(()));
    assert_eq!(played.failures, ["s:7: act 1: nothing was asked to which `yes` is the answer"]);
}

#[test]
fn err_an_entity_in_a_field_is_a_word_for_somebody() {
    let pack = every_word().with("more.toml", "[steps.odd]\ndo = [{ event = \"on_wound\", victim = \"dent\" }]\n");
    let report = load_with(vec![pack], &[], &[]).unwrap_err();
    assert!(report.to_string().contains("`victim` cannot be `dent`"), "{report}");
}
