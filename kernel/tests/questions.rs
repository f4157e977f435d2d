//! Questions of the rules' own: each kind asked, answered, refused, saved, replayed, undone, and policies.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

mod common;

use common::{Game, digest, refusal, state};
use houserule::Explain;
use houserule_kernel::intent::{Intent, Operation};
use houserule_kernel::oracle::{Answer, InputKey, Oracle, Question, QuestionKind};
use houserule_kernel::policy::Policies;
use houserule_kernel::table::{Outcome, Table};
use proptest::prelude::*;

const BASE: &str = r#"
[creature.one]
[stat.hit]
[pool.hp]
max = "60"
[count.a]
[damage]
pools = ["hp"]
[fact.cover]
[fact.wind]
[check.first]
roll = "1d20"
against = "given"
degrees = ["last", "done"]
[check.first.case.done]
when = "total >= dc"
[initiative]
check = "first"
ties = ["choice"]
[turn]
seconds = 6
[reaction.duck]
window = "damage.begin"
when = "is_target"
text = "ask"
do = [{ prevent = "no" }]
[action.shoot]
targets = { one = "creature" }
do = [{ damage = "2d6 + fact.cover" }, { count = "a", add = "fact.wind" }]
"#;

fn game() -> Game {
    Game::new(BASE, &["rook", "pawn", "bishop"])
}

fn silent() -> Oracle {
    Oracle::Host(Box::new(|_| None))
}

fn asked(outcome: Outcome) -> Question {
    match outcome {
        Outcome::Asking(question) => *question,
        other => panic!("{other:?}"),
    }
}

fn shoot(game: &Game) -> Operation {
    game.table.prepare(&Intent::new("shoot").by("rook").at("pawn")).unwrap()
}

fn begin(game: &Game) -> Operation {
    let who = game.table.find_all(&["rook", "pawn", "bishop"]).unwrap();
    Operation::Begin { aware: Vec::new(), who }
}

/// Does a deed, answers what is asked in words, saving and loading before each
/// answer, and compares with replay, undo and redo. Says what was asked.
fn goes_through(game: &mut Game, deed: &Operation, answers: &[&str]) -> Vec<QuestionKind> {
    let before = (digest(&game.table), state(&game.table));
    let mut outcome = game.table.perform_with(deed, &mut silent()).unwrap();
    let mut kinds = Vec::new();
    for answer in answers {
        kinds.push(asked(outcome).asked);
        assert_eq!(digest(&game.table), before.0, "a question leaves no trace");
        assert_eq!(&*refusal(game.table.answer_in_words("", &mut silent()).unwrap()).code, "HR0710");
        game.table = Table::load(game.table.rules(), &game.table.save().unwrap()).unwrap();
        outcome = game.table.answer_in_words(answer, &mut silent()).unwrap();
    }
    assert!(outcome.is_done(), "{outcome:?}");
    let after = digest(&game.table);
    assert_eq!(digest(&game.table.replayed().unwrap()), after);
    assert!(game.table.undo(false));
    assert_eq!(state(&game.table), before.1);
    assert!(game.table.redo());
    assert_eq!(digest(&game.table), after);
    kinds
}

#[test]
fn facts_dice_and_reactions_are_asked_answered_saved_replayed_and_undone() {
    let mut game = game();
    let deed = shoot(&game);
    let kinds = goes_through(&mut game, &deed, &["6, 5", "3", "no", "2"]);
    let dice = QuestionKind::Faces { stream: game.id("damage"), sides: 6, count: 2 };
    let fact = |name: &str| QuestionKind::Fact { fact: game.id(name) };
    assert_eq!(kinds, [dice, fact("cover"), QuestionKind::YesNo, fact("wind")]);
    assert_eq!((game.read("pawn", "hp"), game.read("rook", "count.a")), (60 - 14, 2));
}

#[test]
fn a_ruling_on_a_fact_is_written_down_first_and_by_its_name() {
    let mut game = game();
    let deed = shoot(&game);
    goes_through(&mut game, &deed, &["6, 5", "3", "no", "2"]);
    let entry = game.table.journal().done().last().unwrap();
    let rulings: Vec<(usize, i32)> = game
        .table
        .journal()
        .answers(entry)
        .iter()
        .enumerate()
        .filter(|(_, (demand, _))| matches!(demand, InputKey::Ruling { .. }))
        .map(|(at, (_, answered))| (at, answered.value.number()))
        .collect();
    assert_eq!(rulings, [(0, 3), (1, 2)]);
    let told = game.table.explain(game.table.journal().done().len() - 1, "en").unwrap().to_text();
    assert!(told.contains("what is the cover? 3") && told.contains("what is the wind? 2"), "{told}");
}

#[test]
fn err_a_ruling_that_nobody_asks_for_has_diverged() {
    let mut game = game();
    let deed = shoot(&game);
    goes_through(&mut game, &deed, &["6, 5", "3", "no", "2"]);
    let entry = game.table.journal().done().last().unwrap().clone();
    let answers = game.table.journal().answers(&entry).to_vec();
    let other = game.ruling("rook", None, r#"{ count = "a", add = "1" }"#);
    let fault = game.table.perform_again(&other, &answers[..1]).unwrap_err();
    assert_eq!(fault.to_string(), "the run diverged: it no longer asks for the fact `cover` [HR0523]");
    let mut swapped = answers.clone();
    swapped[2].1.value = Answer::from(7);
    assert_eq!(game.table.perform_again(&deed, &swapped).unwrap_err().code, "HR0523");
}

#[test]
fn an_order_is_agreed_in_one_question() {
    let mut game = game();
    let deed = begin(&game);
    let kinds = goes_through(&mut game, &deed, &["10", "10", "10", "bishop, rook"]);
    assert_eq!(kinds[3], QuestionKind::Order { of: 3 });
    assert_eq!(game.order(), ["bishop", "rook", "pawn"]);
}

#[test]
fn err_what_is_illegal_is_refused_with_what_is_legal() {
    let mut game = game();
    let deed = begin(&game);
    let mut oracle = common::tape(&["10", "10", "10"]);
    asked(game.table.perform_with(&deed, &mut oracle).unwrap());
    for wrong in [vec![0, 1], vec![0, 1, 1], vec![0, 1, 3], vec![-1, 0, 1], vec![0, 1, 2, 2]] {
        let refused = refusal(game.table.answer(wrong, &mut oracle).unwrap());
        assert_eq!((&*refused.code, &*refused.text), ("HR0710", "legal.order"));
        assert_eq!(&*refused.arguments[0].1, "rook, pawn, bishop");
    }
    assert_eq!(&*refusal(game.table.answer(0, &mut oracle).unwrap()).text, "legal.order");
    assert!(game.table.answer(vec![2, 1, 0], &mut oracle).unwrap().is_done());
}

fn policies(game: &mut Game, set: &[(&str, &str)]) {
    let mut policies = Policies::default();
    let rules = game.table.rules().clone();
    set.iter().for_each(|(question, policy)| policies.set(&rules, question, policy).unwrap());
    game.table.set_policies(policies);
}

#[test]
fn a_policy_answers_instead_and_its_answers_are_written_down() {
    let mut game = game();
    policies(&mut game, &[("ask", "never"), ("fact.cover", "4"), ("fact.wind", "1 + 1"), ("all", "default")]);
    let (deed, before) = (shoot(&game), game.table.clone());
    game.taped(&deed, &["1", "1"]);
    assert_eq!((game.read("pawn", "hp"), game.read("rook", "count.a")), (60 - 6, 2));
    assert_eq!(digest(&game.table.replayed().unwrap()), digest(&game.table), "without any policy");
    let mut asked = Game { table: before };
    policies(&mut asked, &[]);
    let mut outcome = asked.table.perform_with(&deed, &mut common::tape(&["1", "1"])).unwrap();
    let mut oracle = common::tape(&["1", "1"]);
    while let Outcome::Asking(question) = &outcome {
        let answer = match question.asked {
            QuestionKind::Fact { fact } if fact == game.id("cover") => "4",
            QuestionKind::Fact { .. } => "2",
            _ => "no",
        };
        outcome = asked.table.answer_in_words(answer, &mut oracle).unwrap();
    }
    assert_eq!(digest(&asked.table), digest(&game.table), "as if people had answered so");
}

#[test]
fn a_policy_may_read_who_is_asked() {
    let mut game = game();
    policies(&mut game, &[("ask", "hp < 5"), ("fact.cover", "0"), ("fact.wind", "0")]);
    let deed = shoot(&game);
    game.taped(&deed, &["1", "1"]);
    assert_eq!(game.read("pawn", "hp"), 58);
    game.run("pawn", r#"{ pool = "hp", set = "4" }"#);
    game.taped(&deed, &["1", "1"]);
    assert_eq!(game.read("pawn", "hp"), 4, "it ducks");
}

#[test]
fn err_a_policy_that_fits_nothing_leaves_the_question_asked() {
    let mut game = game();
    policies(&mut game, &[("all", "always")]);
    let deed = begin(&game);
    let question = asked(game.table.perform_with(&deed, &mut common::tape(&["10", "10", "10"])).unwrap());
    assert_eq!(question.asked, QuestionKind::Order { of: 3 });
    assert!(game.table.withdraw().unwrap().is_done());
    policies(&mut game, &[("all", "default")]);
    assert!(game.table.perform_with(&deed, &mut common::tape(&["10", "10", "10"])).unwrap().is_done());
    let shoot = shoot(&game);
    let question = asked(game.table.perform(&shoot).unwrap());
    assert!(matches!(question.asked, QuestionKind::Fact { .. }), "a fact has no default");
}

#[test]
fn err_a_policy_is_for_a_question_that_there_is() {
    let game = game();
    let mut policies = Policies::default();
    let mut told = |question: &str, policy: &str| {
        let fault = policies.set(game.table.rules(), question, policy).unwrap_err();
        (fault.code.clone(), fault.message)
    };
    let (code, message) = told("fact.covr", "1");
    assert_eq!((code.as_str(), message.contains("did you mean `fact.cover`?")), ("HR0713", true), "{message}");
    let (_, message) = told("zzzzzzz", "1");
    assert!(message.ends_with("name its text, `fact.NAME` or `all`"), "{message}");
    let (code, message) = told("ask", "hpp < 5");
    assert!(code != "HR0713" && message.contains("did you mean `hp`?"), "{code} {message}");
    assert!(told("ask", "1d6").1.contains("1d6"));
}

#[test]
fn the_host_rules_on_facts_at_once() {
    let mut game = game();
    let deed = shoot(&game);
    let mut host = Oracle::Host(Box::new(|demand| {
        Some(match demand {
            InputKey::Face { .. } => 3.into(),
            InputKey::Choice { .. } => false.into(),
            InputKey::Ruling { .. } => 2.into(),
        })
    }));
    assert!(game.table.perform_with(&deed, &mut host).unwrap().is_done());
    assert_eq!((game.read("pawn", "hp"), game.read("rook", "count.a")), (60 - 8, 2));
    assert_eq!(digest(&game.table.replayed().unwrap()), digest(&game.table));
}

#[test]
fn odds_answer_by_policies_and_defaults() {
    let mut game = game();
    let deed = game.table.prepare(&Intent::new("shoot").by("rook").at("pawn").fact("wind", 0)).unwrap();
    let hp = |table: &Table| table.read(table.state().find("pawn").unwrap(), "hp").unwrap().to_string();
    assert_eq!(game.table.odds(&deed, 1_000, hp).unwrap_err().code, "HR0542", "a fact has no default");
    policies(&mut game, &[("fact.cover", "1")]);
    let odds = game.table.odds(&deed, 1_000, hp).unwrap();
    assert_eq!((odds.len(), odds["57"].to_string(), odds["47"].to_string()), (11, "1/36".into(), "1/36".into()));
    policies(&mut game, &[("fact.cover", "1"), ("ask", "always")]);
    assert_eq!(game.table.odds(&deed, 1_000, hp).unwrap().len(), 1, "nobody is hurt who ducks");
}

#[test]
fn a_question_in_json_has_names_and_kind() {
    let mut game = game();
    assert_eq!(game.table.question_json().unwrap(), None);
    let deed = shoot(&game);
    let stated = game.table.prepare(&Intent::new("shoot").by("rook").at("pawn").fact("cover", 1)).unwrap();
    asked(game.table.perform_with(&stated, &mut silent()).unwrap());
    let json = |game: &Game| game.table.question_json().unwrap().unwrap();
    let dice = json(&game);
    assert!(dice.contains(r#""asked":{"faces":{"stream":"damage","sides":6,"count":2}}"#), "{dice}");
    asked(game.table.answer(vec![1, 1], &mut silent()).unwrap());
    let yes = json(&game);
    assert!(yes.contains(r#""text":"ask","#) && yes.contains(r#""asked":"yes_no","#), "{yes}");
    assert!(game.table.withdraw().unwrap().is_done());
    asked(game.table.perform(&deed).unwrap());
    let fact = json(&game);
    assert!(fact.contains(r#""asked":{"fact":{"fact":"cover"}}"#), "{fact}");
}

fn answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        any::<i32>().prop_map(Answer::One),
        (-2..25).prop_map(Answer::One),
        proptest::collection::vec(-1..4, 0..5).prop_map(Answer::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(5), ..ProptestConfig::with_cases(64) })]

    #[test]
    fn no_illegal_answer_ever_moves_the_table(answers in proptest::collection::vec(answer(), 1..8), turn in 0..2) {
        let mut game = game();
        let deed = if turn == 0 { begin(&game) } else { shoot(&game) };
        let mut oracle = if turn == 0 { common::tape(&["10", "10", "10"]) } else { silent() };
        let question = asked(game.table.perform_with(&deed, &mut oracle).unwrap());
        let before = (digest(&game.table), game.table.save().unwrap());
        for answer in answers.into_iter().filter(|answer| question.asked.settled(answer).is_none()) {
            prop_assert_eq!(&*refusal(game.table.answer(answer, &mut silent()).unwrap()).code, "HR0710");
            prop_assert_eq!(&digest(&game.table), &before.0);
            prop_assert_eq!(&game.table.save().unwrap(), &before.1);
            prop_assert_eq!(game.table.question(), Some(&question));
        }
    }
}

#[test]
fn what_happened_up_to_the_question_can_be_told_before_it_is_answered() {
    let mut game = game();
    let before = digest(&game.table);
    let deed = shoot(&game);
    let mut oracle = common::tape(&["damage:6", "damage:5"]);
    let question = asked(game.table.perform_with(&deed, &mut oracle).unwrap());
    assert!(matches!(question.asked, QuestionKind::Fact { .. }), "{question:?}");
    let question = asked(game.table.answer(3, &mut oracle).unwrap());
    let told = game.table.explain_so_far("en").unwrap().to_text();
    assert!(told.starts_with("rook: shoot pawn\n") && told.contains("2d6 [6, 5]") && !told.contains("hp"), "{told}");
    assert_eq!((digest(&game.table), game.table.question()), (before, Some(&question)), "nothing has happened yet");
}

#[test]
fn err_where_nothing_is_asked_there_is_nothing_to_tell_so_far() {
    let mut game = game();
    assert_eq!(game.table.explain_so_far("en"), None);
    let deed = shoot(&game);
    asked(game.table.perform_with(&deed, &mut silent()).unwrap());
    assert!(game.table.explain_so_far("en").is_some(), "its title at least, before the first die");
    assert!(game.table.withdraw().unwrap().is_done());
    assert_eq!(game.table.explain_so_far("en"), None);
}
