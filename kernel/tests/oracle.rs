//! The one door: tapes, questions, hosts, every answer in turn.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

mod common;

use common::{Game, digest, refusal, state, tape};
use houserule_kernel::intent::{Intent, Operation};
use houserule_kernel::journal::Record;
use houserule_kernel::oracle::{AllRolls, Answer, Answered, InputKey, Oracle, Question, QuestionKind, taped};
use houserule_kernel::table::{Outcome, Table};
use std::collections::BTreeMap;

const BASE: &str = r#"
[creature.one]
[tag]
brave = "b"
[stat.hit]
[pool.hp]
max = "60"
[count.a]
[damage]
pools = ["hp"]
[stream.attack]
[check.attack]
roll = "1d20"
stream = "attack"
bonus = "hit"
against = "given"
degrees = ["miss", "hit"]
[check.attack.case.hit]
when = "total >= dc"
[fact.cover]
about = "how much is in the way"
[fact.light]
default = "3"
[check.aim]
roll = "1d20"
stream = "attack"
bonus = "0 - fact.cover + fact.light"
against = "given"
degrees = ["miss", "hit"]
[check.aim.case.hit]
when = "total >= dc"
[reaction.duck]
window = "damage.begin"
when = "bearer has brave and bearer has brave"
text = "ask"
do = [{ prevent = "no" }]
[action.shoot]
targets = { one = "creature" }
do = [{ check = "aim", who = "actor", dc = "10", on = { hit = [{ count = "a", add = "1" }] } }]
"#;

fn game() -> Game {
    Game::new(BASE, &["rook", "pawn"])
}

fn asked(outcome: Outcome) -> Question {
    match outcome {
        Outcome::Asking(question) => *question,
        other => panic!("{other:?}"),
    }
}

#[test]
fn err_a_tape_that_does_not_fit_is_a_fault_and_the_table_is_as_before() {
    let mut game = game();
    let before = digest(&game.table);
    let deed = game.checking("rook", None, "attack", Some(10));
    let mut told = |faces: &[&str]| game.table.perform_with(&deed, &mut tape(faces)).unwrap_err().to_string();
    assert_eq!(told(&[]), "the tape is at its end, but `attack` needs a d20 [HR0702]");
    assert_eq!(told(&["damage:5"]), "the tape says `damage:5`, but `attack` needs a d20 [HR0702]");
    assert_eq!(told(&["attack:21"]), "the tape says 21 for `attack`, but a d20 is rolled [HR0702]");
    assert_eq!(told(&["attack:0"]), "the tape says 0 for `attack`, but a d20 is rolled [HR0702]");
    assert_eq!(digest(&game.table), before);
}

#[test]
fn err_what_is_no_face_cannot_be_taped() {
    assert_eq!(
        taped("attack:five").unwrap_err(),
        "a taped face is written `stream:face`, such as `attack:20`, not `attack:five`"
    );
    assert!(taped("").is_err() && taped("attack:-3").is_err());
    assert_eq!(taped("attack: 7").unwrap().face, 7);
}

#[test]
fn a_host_answers_what_it_likes_and_is_asked_the_rest() {
    let mut game = game();
    let deed = game.ruling("rook", None, r#"{ damage = "2d6", to = "bearer" }"#);
    let mut once = Some(5);
    let mut host = Oracle::Host(Box::new(move |_| once.take().map(Answer::One)));
    let question = asked(game.table.perform_with(&deed, &mut host).unwrap());
    let die = QuestionKind::Faces { stream: game.id("damage"), sides: 6, count: 1 };
    assert_eq!((question.asked, question.binds, question.who), (die, true, game.who("rook")));
    assert!(game.table.answer(2, &mut Oracle::Seeded).unwrap().is_done());
    assert_eq!(game.read("rook", "hp"), 53);
}

#[test]
fn a_host_that_knows_nothing_is_asked_before_anything_binds() {
    let mut game = game();
    let deed = game.checking("rook", None, "attack", Some(10));
    let mut silent = Oracle::Host(Box::new(|_| None));
    let question = asked(game.table.perform_with(&deed, &mut silent).unwrap());
    assert!(!question.binds);
    game.run("rook", r#"{ count = "a", add = "1" }"#);
    assert_eq!(
        &*refusal(game.table.answer(3, &mut Oracle::Seeded).unwrap()).text,
        "refuse.nothing_asked",
        "another intent gave it up"
    );
}

#[test]
fn a_host_cannot_show_a_face_that_the_die_has_not() {
    let mut game = game();
    let deed = game.checking("rook", None, "attack", Some(10));
    let mut liar = Oracle::Host(Box::new(|_| Some(21.into())));
    let question = asked(game.table.perform_with(&deed, &mut liar).unwrap());
    assert!(matches!(question.asked, QuestionKind::Faces { sides: 20, count: 1, .. }));
}

#[test]
fn err_an_answer_must_be_one_that_was_offered() {
    let mut game = game();
    assert_eq!(&*refusal(game.table.answer(1, &mut Oracle::Seeded).unwrap()).text, "refuse.nothing_asked");
    assert_eq!(&*refusal(game.table.withdraw().unwrap()).text, "refuse.nothing_asked");
    let deed = game.checking("rook", None, "attack", Some(10));
    asked(game.table.perform_with(&deed, &mut Oracle::Host(Box::new(|_| None))).unwrap());
    for wrong in [0, 21, -1] {
        assert_eq!(&*refusal(game.table.answer(wrong, &mut Oracle::Seeded).unwrap()).text, "legal.faces");
    }
    assert!(game.table.question().is_some(), "the question still stands");
    assert!(game.table.answer(20, &mut Oracle::Seeded).unwrap().is_done());
    assert!(game.table.question().is_none());
}

/// Rook strikes a brave pawn, who is asked after the dice: it binds.
fn bound() -> Game {
    let mut game = game();
    game.run("pawn", r#"{ tag = "brave" }"#);
    let deed = game.ruling("rook", Some("pawn"), r#"{ damage = "2d6" }"#);
    assert!(asked(game.table.perform(&deed).unwrap()).binds);
    game
}

#[test]
fn a_question_after_a_draw_binds_and_withdrawing_keeps_the_draws_spent() {
    let mut game = bound();
    let before = digest(&game.table);
    for deed in [Operation::Wait { seconds: 1 }, game.ruling("rook", None, r#"{ count = "a", add = "1" }"#)] {
        assert_eq!(&*refusal(game.table.perform(&deed).unwrap()).text, "refuse.bound");
    }
    assert_eq!(digest(&game.table), before);
    assert!(game.table.withdraw().unwrap().is_done());
    let rook = game.table.state().entity(game.who("rook")).unwrap();
    let counts: Vec<u32> = rook.draws.iter().map(|draws| draws.cell.count()).collect();
    assert_eq!(counts, [2]);
    assert_eq!(game.read("pawn", "hp"), 60);
    let changes = game.last_records().iter().filter(|record| matches!(record, Record::Change(_))).count();
    assert_eq!(changes, game.last_records().len(), "nothing but counters moved");
}

#[test]
fn undo_is_the_hosts_right_even_while_a_question_binds() {
    let mut game = bound();
    assert!(game.table.undo(false));
    assert!(game.table.question().is_none());
    assert_eq!(game.table.journal().done().len(), 2);
}

#[test]
fn an_answer_serves_the_dice_of_the_first_run_again() {
    let mut game = bound();
    let spoilt = game.table.clone();
    assert!(game.table.answer(0, &mut Oracle::Seeded).unwrap().is_done());
    let faces = |table: &Table| {
        let entry = table.journal().done().last().unwrap().clone();
        table
            .journal()
            .records(&entry)
            .iter()
            .filter_map(|record| if let Record::Drawn { face, .. } = record { Some(*face) } else { None })
            .collect::<Vec<_>>()
    };
    let mut game = Game { table: spoilt };
    let kept = faces(&{
        let mut twin = game.table.clone();
        assert!(!matches!(twin.answer(0, &mut tape(&[])).unwrap(), Outcome::Refused(_)));
        twin
    });
    assert!(game.table.answer(1, &mut Oracle::Seeded).unwrap().is_done());
    assert_eq!(faces(&game.table), kept);
    assert_eq!(game.read("pawn", "hp"), 60);
}

#[test]
fn err_a_fault_on_the_way_leaves_the_question_standing() {
    let mut game = game();
    let deed = game.ruling("rook", None, r#"{ damage = "2d6 + 1d6", to = "bearer" }"#);
    let mut once = Some(5);
    asked(game.table.perform_with(&deed, &mut Oracle::Host(Box::new(move |_| once.take().map(Answer::One)))).unwrap());
    let before = digest(&game.table);
    assert_eq!(game.table.answer(2, &mut tape(&[])).unwrap_err().code, "HR0702");
    assert!(game.table.question().is_some_and(|question| question.binds));
    assert_eq!(digest(&game.table), before);
    assert!(game.table.answer(2, &mut tape(&["6"])).unwrap().is_done());
    assert_eq!(game.read("rook", "hp"), 60 - 13);
}

#[test]
fn err_a_record_that_was_of_something_else_has_diverged() {
    let game = game();
    let demand = |sides| InputKey::Face { who: game.who("rook"), stream: game.id("attack"), sides };
    let mut door = houserule_kernel::oracle::Inputs::new(Oracle::Seeded);
    door.served.push((demand(20), Answered::face(7, 1)));
    assert_eq!(door.serve(&demand(20)).unwrap().map(|answer| answer.value), Some(7.into()));
    assert_eq!(door.serve(&demand(6)).unwrap_err().code, "HR0523");
}

#[test]
fn a_fact_is_asked_for_once_before_the_dice_and_never_taken_for_zero() {
    let mut game = game();
    let shoot = Intent::new("shoot").by("rook").at("pawn");
    let question = asked(game.act(shoot.clone()));
    let cover = QuestionKind::Fact { fact: game.id("cover") };
    assert_eq!((question.asked, question.binds, question.who.0), (cover, false, 0));
    assert_eq!(question.arguments[0].1.as_ref(), "cover");
    assert!(game.table.answer(2, &mut tape(&["attack:9"])).unwrap().is_done());
    assert_eq!(game.read("rook", "count.a"), 1, "9 - 2 + 3 reaches 10");
    let deed = game.table.prepare(&shoot.fact("cover", 4)).unwrap();
    game.taped(&deed, &["attack:10"]);
    assert_eq!(game.read("rook", "count.a"), 1, "10 - 4 + 3 does not");
}

#[test]
fn err_a_fact_that_is_no_fact_is_refused() {
    let game = game();
    let refusal = game.table.prepare(&Intent::new("shoot").by("rook").at("pawn").fact("wind", 1)).unwrap_err();
    assert_eq!((&*refusal.code, &*refusal.text), ("HR0703", "refuse.unknown_name"));
}

/// How often each degree comes, of how many, by every answer in turn.
fn every_answer(game: &Game, deed: &Operation) -> (BTreeMap<String, u64>, u64) {
    let (mut ways, mut all) = (BTreeMap::new(), 0);
    let mut oracle = Oracle::Odometer(AllRolls::default());
    loop {
        let mut copy = Game { table: game.table.clone() };
        assert!(copy.table.perform_with(deed, &mut oracle).unwrap().is_done());
        let degree = copy.table.rules().name(copy.verdict().degree).to_owned();
        *ways.entry(degree).or_insert(0) += 1;
        all += 1;
        let Oracle::Odometer(odometer) = &mut oracle else { panic!("the oracle is kept") };
        assert_eq!(odometer.one_in().map(u64::from).product::<u64>() % 20, 0);
        if !odometer.turn() {
            return (ways, all);
        }
    }
}

#[test]
fn every_answer_in_turn_gives_exact_odds() {
    let game = game();
    let (ways, all) = every_answer(&game, &game.checking("rook", None, "attack", Some(13)));
    assert_eq!((ways["hit"], ways["miss"], all), (8, 12, 20));
}

#[test]
fn every_answer_sees_through_rerolls() {
    let text = format!("{BASE}[hook.h]\non = \"check.rolled\"\nwhen = \"natural == 1\"\ndo = [{{ reroll = \"new\" }}]");
    let game = Game::new(&text, &["rook"]);
    let deed = game.checking("rook", None, "attack", Some(11));
    let mut oracle = Oracle::Odometer(AllRolls::default());
    let (mut runs, mut hits) = (0, 0.0_f64);
    loop {
        let mut copy = Game { table: game.table.clone() };
        assert!(!matches!(copy.table.perform_with(&deed, &mut oracle).unwrap(), Outcome::Refused(_)));
        let Oracle::Odometer(odometer) = &mut oracle else { panic!("the oracle is kept") };
        let weight: f64 = odometer.one_in().map(|sides| 1.0 / f64::from(sides)).product();
        hits += if copy.table.rules().name(copy.verdict().degree) == "hit" { weight } else { 0.0 };
        runs += 1;
        if !odometer.turn() {
            break;
        }
    }
    assert_eq!(runs, 19 + 20);
    assert!((hits - (10.0 / 20.0 + 10.0 / 400.0)).abs() < 1e-12);
}

#[test]
fn a_seed_gives_these_faces_on_every_machine() {
    let mut game = game();
    let deed = game.checking("rook", None, "attack", Some(10));
    let faces: Vec<i32> = (0..12)
        .map(|_| {
            game.perform(&deed);
            game.verdict().natural
        })
        .collect();
    assert_eq!(faces, [14, 9, 19, 18, 20, 16, 20, 11, 11, 20, 13, 3]);
}

#[test]
fn nobodys_roll_shifts_anybody_elses_dice() {
    let faces = |others: usize| {
        let mut game = game();
        let (rook, pawn) =
            (game.checking("rook", None, "attack", Some(10)), game.checking("pawn", None, "attack", Some(10)));
        let mut seen = Vec::new();
        for _ in 0..5 {
            (0..others).for_each(|_| game.perform(&pawn));
            game.run("rook", r#"{ damage = "1d6", to = "bearer" }"#);
            game.perform(&rook);
            seen.push(game.verdict().natural);
        }
        seen
    };
    assert_eq!(faces(0), faces(3));
}

#[test]
fn a_copy_goes_on_where_its_model_stood() {
    let mut game = game();
    let deed = game.checking("rook", None, "attack", Some(10));
    (0..3).for_each(|_| game.perform(&deed));
    let mut copy = Game { table: game.table.clone() };
    assert_eq!(digest(&copy.table), digest(&game.table));
    for _ in 0..3 {
        game.perform(&deed);
        copy.perform(&deed);
        assert_eq!(game.verdict(), copy.verdict());
    }
}

#[test]
fn a_saved_table_goes_on_where_it_stood() {
    let mut game = game();
    let deed = game.checking("rook", None, "attack", Some(10));
    (0..3).for_each(|_| game.perform(&deed));
    let saved = game.table.save().unwrap();
    let mut loaded = Game { table: Table::load(game.table.rules(), &saved).unwrap() };
    assert_eq!(digest(&loaded.table), digest(&game.table), "loading draws nothing");
    for _ in 0..3 {
        game.perform(&deed);
        loaded.perform(&deed);
        assert_eq!(game.verdict(), loaded.verdict());
    }
    assert_eq!(loaded.table.save().unwrap(), game.table.save().unwrap());
}

#[test]
fn a_binding_question_is_saved_with_its_dice() {
    let game = bound();
    let saved = game.table.save().unwrap();
    let mut loaded = Game { table: Table::load(game.table.rules(), &saved).unwrap() };
    assert_eq!(loaded.table.question(), game.table.question());
    assert_eq!(&*refusal(loaded.table.perform(&Operation::Wait { seconds: 1 }).unwrap()).text, "refuse.bound");
    let mut straight = game;
    assert!(straight.table.answer(0, &mut tape(&[])).unwrap().is_done());
    assert!(loaded.table.answer(0, &mut tape(&[])).unwrap().is_done());
    assert_eq!(digest(&loaded.table), digest(&straight.table));
}

#[test]
fn reading_never_draws() {
    let mut game = game();
    let before = state(&game.table);
    for _ in 0..3 {
        game.read("rook", "hp.max + hit + round");
        assert!(game.table.read(game.who("rook"), "1d20").is_err());
        assert!(game.table.read(game.who("rook"), "fact.cover").is_err());
        let _ = game.table.prepare(&Intent::new("shoot").by("rook").at("pawn"));
    }
    assert_eq!(state(&game.table), before);
    let deed = game.checking("rook", None, "attack", Some(10));
    game.perform(&deed);
    let mut fresh = self::game();
    fresh.perform(&deed);
    assert_eq!(game.verdict(), fresh.verdict());
}

#[test]
fn another_fight_has_other_dice_and_the_same_fight_the_same() {
    let rolls = |fight: u32| {
        let mut game = game();
        game.table.set_fight(fight);
        let deed = game.checking("rook", None, "attack", Some(10));
        (0..8)
            .map(|_| {
                game.perform(&deed);
                game.verdict().natural
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(rolls(3), rolls(3));
    assert_ne!(rolls(3), rolls(4));
}

#[test]
fn err_after_undo_nothing_is_asked_any_more() {
    let mut game = game();
    game.run("rook", r#"{ count = "a", add = "1" }"#);
    let deed = game.checking("rook", None, "attack", Some(10));
    asked(game.table.perform_with(&deed, &mut Oracle::Host(Box::new(|_| None))).unwrap());
    assert!(game.table.undo(false) && game.table.question().is_none());
    assert_eq!(&*refusal(game.table.answer(3, &mut Oracle::Seeded).unwrap()).text, "refuse.nothing_asked");
}

#[test]
fn err_a_record_with_a_face_that_no_die_has_is_not_served() {
    let mut game = game();
    let deed = game.checking("rook", None, "attack", Some(10));
    game.taped(&deed, &["12"]);
    let entry = game.table.journal().done().last().unwrap().clone();
    let mut answers = game.table.journal().answers(&entry).to_vec();
    for wrong in [0, 21, -4] {
        answers[0].1.value = wrong.into();
        let fault = game.table.perform_again(&deed, &answers).unwrap_err();
        assert_eq!(fault.code, "HR0523", "{fault}");
    }
}

#[test]
fn withdrawing_changes_nothing_but_the_counters() {
    let mut game = bound();
    let begun = game.table.state().begun;
    assert!(game.table.withdraw().unwrap().is_done());
    assert_eq!(game.table.state().begun, begun);
}
