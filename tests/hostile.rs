//! Whatever is thrown at a reader, it answers with a diagnostic: never a panic, never silence.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

use houserule::encounter::{Encounter, Silent, packs};
use houserule::kernel::expression::parse;
use houserule::kernel::oracle::taped;
use houserule::kernel::script::Script;
use houserule::scenario::Scenario;
use houserule::{Diagnostic, Intent, Oracle, Outcome, Pack, Ruleset, Table, load_with};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::{Arc, OnceLock};

const FORD: &str = include_str!("packs/every_word/encounters/ford.toml");
const DEED: &str = include_str!("packs/every_word/scenarios/every_deed.toml");
const LUA: &str = include_str!("packs/deadly_hours/hooks/deadly.lua");
const RHAI: &str = include_str!("packs/deadly_hours/hooks/deadly.rhai");

/// What is put into the middle of sound text.
const SNIPPETS: [&str; 44] = [
    "",
    "\n",
    "\"",
    "'",
    "\"\"\"",
    "[",
    "]",
    "[[",
    "{",
    "}",
    "=",
    ".",
    ",",
    "#",
    "\\",
    "\0",
    "\u{feff}",
    "é",
    "🎲",
    "-1",
    "0",
    "2147483647",
    "-2147483648",
    "99999999999999999999",
    "nan",
    "1.5",
    "true",
    "yes",
    "\"\"",
    "[]",
    "{}",
    "x = 1\n",
    "[who.a]\n",
    "[remove]\n",
    "(",
    ")",
    " - ",
    " / 0",
    "1d6",
    "d0",
    " has ",
    "not ",
    "999d999!",
    "table",
];

fn every_word() -> Pack {
    Pack::read_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/packs/every_word")).unwrap()
}

fn rules() -> &'static Arc<Ruleset> {
    static RULES: OnceLock<Arc<Ruleset>> = OnceLock::new();
    RULES.get_or_init(|| load_with(vec![every_word()], &[], &houserule_scripts::languages()).unwrap())
}

/// Edits: where, how much is cut there, and what is put in.
fn edits() -> impl Strategy<Value = Vec<(Index, usize, usize)>> {
    proptest::collection::vec((any::<Index>(), 0..24usize, 0..SNIPPETS.len()), 1..5)
}

fn edited(text: &str, edits: &[(Index, usize, usize)]) -> String {
    edits.iter().fold(text.to_owned(), |mut text, (at, cut, snippet)| {
        let start = text.floor_char_boundary(at.index(text.len() + 1));
        let end = text.floor_char_boundary((start + cut).min(text.len())).max(start);
        text.replace_range(start..end, SNIPPETS[*snippet]);
        text
    })
}

/// Bytes as a reader may get them.
fn garbage() -> impl Strategy<Value = String> {
    proptest::collection::vec(any::<u8>(), 0..300).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// A text near a sound one, or one near none.
fn near(text: &'static str) -> impl Strategy<Value = String> {
    prop_oneof![4 => edits().prop_map(move |edits| edited(text, &edits)), 1 => garbage()]
}

/// Each finding says what is wrong, and where.
fn all_told(problems: &[Diagnostic]) {
    assert!(!problems.is_empty(), "refused in silence");
    for problem in problems {
        assert!(!problem.message.is_empty() && problem.code.starts_with("HR"), "{problem:?}");
        assert!(problem.line >= 1 && problem.column >= 1 && problem.file != "?", "{problem:?}");
    }
}

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

/// A save with a question that waits for its answer.
fn asking() -> &'static str {
    static SAVE: OnceLock<String> = OnceLock::new();
    SAVE.get_or_init(|| {
        let mut table = Table::new(rules(), 1);
        table.seat("rook", "knight", "a").unwrap();
        table.seat("dent", "squire", "b").unwrap();
        let strike = Intent::new("strike").by("rook").at("dent");
        assert!(matches!(table.act(&strike).unwrap(), Outcome::Asking(_)));
        table.save().unwrap()
    })
}

fn go_on(table: &mut Table) {
    for answer in [0, 1, -1, i32::MAX] {
        let _ = table.clone().answer(answer, &mut Oracle::Seeded);
    }
    let _ = table.clone().withdraw();
    while table.undo(false) {}
    while table.redo() {}
    let _ = (table.save(), table.replayed(), table.begin(&["rook", "dent"], &["rook"]), table.next());
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
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

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
    fn saves(edits in edits(), wild in garbage()) {
        for text in [edited(asking(), &edits), wild] {
            match Table::load(rules(), &text) {
                Err(fault) => prop_assert!(fault.code.starts_with("HR05"), "{fault}"),
                Ok(mut table) => go_on(&mut table),
            }
        }
    }

    #[test]
    fn questions_in_saves(edits in edits()) {
        let (head, pending) = asking().split_once("\"pending\":").unwrap();
        let text = format!("{head}\"pending\":{}", edited(pending, &edits));
        if let Ok(mut table) = Table::load(rules(), &text) {
            go_on(&mut table);
        }
    }

    #[test]
    fn numbers_in_questions_of_saves(changes in proptest::collection::vec((any::<Index>(), any::<i32>()), 1..4)) {
        let (head, pending) = asking().split_once("\"pending\":").unwrap();
        let numbers: Vec<&str> = pending.split(|sign: char| !sign.is_ascii_digit()).filter(|number| !number.is_empty()).collect();
        let pending = changes.iter().fold(pending.to_owned(), |pending, (at, number)| {
            pending.replace(&format!(":{}", numbers[at.index(numbers.len())]), &format!(":{number}"))
        });
        if let Ok(mut table) = Table::load(rules(), &format!("{head}\"pending\":{pending}")) {
            go_on(&mut table);
        }
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
        table.seat("rook", "knight", "a").unwrap();
        let _ = table.read(table.state().find("rook").unwrap(), &text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

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
