//! An intent applies whole or leaves no trace; what was done can be undone.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

mod common;

use common::{Game, digest, refusal, state};
use houserule_kernel::intent::{Intent, Operation};
use proptest::prelude::*;

/// A little of everything.
const BASE: &str = r#"
[creature.one]
holds = ["club"]
[item.club]
tags = ["weapon"]
rolls = { hit = "1d6[blunt]" }
pools = { swings = 3 }
[tag]
weapon = "w"
blunt = "b"
hurt = "h"
[stat.hit]
[stat.hit.part.fear]
value = "0 - condition.afraid"
[pool.hp]
max = "20"
[pool.swings]
max = "3"
of = ["weapon"]
[pool.standard]
max = "1"
resets = "turn.start"
[count.bled]
[note.n]
[damage]
pools = ["hp"]
order = ["least"]
[damage.stage.least]
when = "amount < 1"
amount = "1"
[check.attack]
roll = "1d20"
stream = "attack"
bonus = "hit"
against = "11"
degrees = ["miss", "hit"]
[check.attack.case.hit]
when = "total >= dc"
[condition.afraid]
value = { min = "1", max = "4" }
[condition.afraid.tick.fades]
at = "turn.end"
do = [{ lower = "afraid" }]
[condition.bleeding]
implies = ["weak"]
[condition.bleeding.tick.t]
at = "turn.start"
do = [{ pool = "hp", add = "-3" }, { count = "bled", add = "1" }]
[condition.weak]
[condition.down]
while = "hp <= 0"
overrides = ["afraid"]
[hook.scare]
on = "damage.taken"
do = [{ apply = "afraid", value = "amount", rounds = "2" }]
[turn]
seconds = 6
start = ["turn.start"]
end = ["turn.end"]
[check.init]
roll = "1d20"
stream = "initiative"
degrees = ["rolled"]
[initiative]
check = "init"
ties = ["roll_off"]
[action.strike]
item = "weapon"
cost = { standard = 1 }
targets = { one = "creature" }
once = [{ pool = "swings", who = "item", add = "-1" }]
check = "attack"
on.hit = [{ damage = "item.hit" }, { apply = "bleeding", to = "target" }]
on.miss = [{ note = "n", set = "1d4" }, { pick = ["x", "y"] }]
[steps.x]
do = [{ tag = "hurt" }]
[steps.y]
do = [{ untag = "hurt" }]
"#;

fn game() -> Game {
    Game::new(BASE, &["rook", "pawn"])
}

fn story(game: &Game) -> Vec<Operation> {
    let pair = game.table.find_all(&["rook", "pawn"]).unwrap();
    let strike = |who: &str, target: &str| game.table.prepare(&Intent::new("strike").by(who).at(target)).unwrap();
    vec![
        Operation::Begin { who: pair.clone(), aware: pair },
        strike("rook", "pawn"),
        strike("pawn", "rook"),
        Operation::Next,
        strike("rook", "pawn"),
        strike("pawn", "rook"),
        Operation::Next,
        Operation::Next,
        game.ruling(
            "rook",
            Some("pawn"),
            r#"{ damage = "5d6" }, { apply = "bleeding", to = "target", minutes = "1" }"#,
        ),
        Operation::Next,
        Operation::Leave(game.who("pawn")),
        Operation::Join(game.who("pawn")),
        Operation::Next,
        Operation::End,
        Operation::Wait { seconds: 3_600 },
        game.ruling("pawn", None, "{ end = true }"),
    ]
}

#[test]
fn an_intent_stopped_at_any_point_leaves_no_trace() {
    let mut game = game();
    let mut seat = Box::new(game.table.new_seat("third", "one", "third").unwrap());
    seat.square = None;
    let mut deeds = story(&game);
    deeds.insert(0, Operation::Seat(seat));
    for deed in deeds {
        let before = digest(&game.table);
        let mut stops = 0;
        while let Err(fault) = game.table.perform_tripped(&deed, stops) {
            assert_eq!(fault.code, "HR0527", "{deed:?}");
            assert_eq!(digest(&game.table), before, "{deed:?} stopped after {stops}");
            stops += 1;
        }
    }
    assert!(game.table.journal().done().len() > 10);
}

#[test]
fn a_whole_story_is_undone_to_its_beginning_and_done_again() {
    let mut game = game();
    let mut states = vec![state(&game.table)];
    for deed in story(&game) {
        if game.table.perform(&deed).unwrap().is_done() {
            states.push(state(&game.table));
        }
    }
    let end = digest(&game.table);
    for expected in states.iter().rev().skip(1) {
        assert!(game.table.undo(false));
        assert_eq!(&state(&game.table), expected);
    }
    for expected in states.iter().skip(1) {
        assert!(game.table.redo());
        assert_eq!(&state(&game.table), expected);
    }
    assert_eq!(digest(&game.table), end);
    assert!(!game.table.redo());
}

#[test]
fn undo_reaches_the_empty_table_and_stops_there() {
    let mut game = game();
    assert!(game.table.undo(false) && game.table.undo(false));
    assert!(!game.table.undo(false));
    assert_eq!(game.table.state().entities.len(), 1);
    assert!(game.table.redo() && game.table.redo() && !game.table.redo());
    assert_eq!(game.read("pawn's club", "swings"), 3);
}

#[test]
fn a_turn_that_is_undone_and_done_again_ticks_once() {
    let mut game = game();
    game.run("rook", r#"{ apply = "bleeding" }"#);
    game.begin(&["rook", "pawn"], &["20", "1"]);
    assert_eq!(game.read("rook", "hp"), 17);
    game.until("pawn", 1);
    game.next();
    assert_eq!((game.read("rook", "hp"), game.read("rook", "count.bled")), (14, 2));
    assert!(game.table.undo(false));
    assert_eq!(game.read("rook", "hp"), 17);
    game.next();
    assert_eq!((game.read("rook", "hp"), game.read("rook", "count.bled")), (14, 2));
}

#[test]
fn a_refusal_leaves_no_trace_and_no_room_taken() {
    let mut game = game();
    game.begin(&["rook", "pawn"], &["20", "1"]);
    let before = digest(&game.table);
    for intent in [
        Intent::new("strike").by("pawn").at("rook"),
        Intent::new("strike").by("rook"),
        Intent::new("strike").by("rook").at("nobody"),
        Intent::new("dance").by("rook"),
    ] {
        refusal(game.act(intent));
    }
    assert_eq!(digest(&game.table), before);
}

#[test]
fn what_was_undone_outlives_a_refused_intent_and_not_a_done_one() {
    let mut game = game();
    game.run("rook", r#"{ pool = "hp", add = "-1" }"#);
    game.run("rook", r#"{ pool = "hp", add = "-2" }"#);
    assert!(game.table.undo(false) && game.table.undo(false));
    let before = digest(&game.table);
    refusal(game.act(Intent::new("dance").by("rook")));
    refusal(game.table.perform(&Operation::Next).unwrap());
    assert!(game.fault("rook", r#"{ count = "bled", add = "1 / count.bled" }"#).contains("HR0502"));
    assert_eq!(digest(&game.table), before);
    assert!(game.table.redo());
    assert_eq!(game.read("rook", "hp"), 19);
    game.run("rook", r#"{ heal = "1", pool = "hp" }"#);
    assert!(!game.table.redo());
    assert_eq!(game.table.journal().undone().len(), 0);
}

#[test]
fn a_host_that_fears_peeking_keeps_the_draws_when_it_undoes() {
    let mut game = game();
    let deed = game.ruling("rook", None, r#"{ note = "n", set = "1d1000" }"#);
    let mut roll = |undo: Option<bool>| {
        game.perform(&deed);
        let seen = game.read("rook", "note.n");
        undo.map(|keep| game.table.undo(keep));
        seen
    };
    let first = roll(Some(false));
    assert_eq!(roll(Some(true)), first);
    assert_ne!(roll(None), first);
}

#[test]
fn budgets_stop_an_intent_whole() {
    let mut game = game();
    let before = digest(&game.table);
    let full = game.table.budget();
    for budget in [
        houserule_kernel::budget::Budget { draws: 2, ..full },
        houserule_kernel::budget::Budget { deeds: 1, ..full },
        houserule_kernel::budget::Budget { records: 5, ..full },
    ] {
        game.table.set_budget(budget);
        let fault = game.fault("rook", r#"{ note = "n", set = "3d6" }, { note = "n", set = "1" }"#);
        assert!(fault.contains("[HR0520]"), "{fault}");
        assert_eq!(digest(&game.table), before);
    }
}

#[test]
fn an_open_switch_is_turned_during_play_and_back_by_undo() {
    let text = r#"
[creature.one]
[option.mode]
about = "what is played"
choices = ["travel", "rest"]
default = "travel"
open = true
[stat.ease]
[stat.ease.part.rest]
value = "3"
when = "option.mode == rest"
[condition.calm]
while = "option.mode == rest"
"#;
    let mut game = Game::new(text, &["rook"]);
    game.run("rook", "");
    let option = game.id("mode");
    game.perform(&Operation::Switch { option, value: 1 });
    assert_eq!((game.read("rook", "ease"), game.read("rook", "condition.calm")), (3, 1));
    game.table.undo(false);
    assert_eq!((game.read("rook", "ease"), game.read("rook", "condition.calm")), (0, 0));
}

#[test]
fn err_house_rules_are_fixed_once_play_has_begun() {
    let text = format!("{BASE}[option.grim]\nabout = \"x\"\nkind = \"yes_no\"\ndefault = false\n");
    let mut game = Game::new(&text, &["rook"]);
    let option = game.id("grim");
    game.perform(&Operation::Switch { option, value: 1 });
    game.run("rook", r#"{ count = "bled", add = "if(option.grim == 1, 5, 6)" }"#);
    assert_eq!(game.read("rook", "count.bled"), 5);
    assert_eq!(&*refusal(game.table.perform(&Operation::Switch { option, value: 0 }).unwrap()).text, "refuse.fixed");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn undoing_to_any_place_is_playing_to_that_place(back in 0..17_usize, again in 0..17_usize) {
        let mut straight = game();
        let mut states = vec![state(&straight.table)];
        for deed in story(&straight) {
            if straight.table.perform(&deed).unwrap().is_done() {
                states.push(state(&straight.table));
            }
        }
        let back = back.min(states.len() - 1);
        (0..back).for_each(|_| assert!(straight.table.undo(false)));
        prop_assert_eq!(&state(&straight.table), &states[states.len() - 1 - back]);
        let again = again.min(back);
        (0..again).for_each(|_| assert!(straight.table.redo()));
        prop_assert_eq!(&state(&straight.table), &states[states.len() - 1 - back + again]);
    }
}
