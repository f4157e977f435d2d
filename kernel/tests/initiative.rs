//! Who acts when: rolls, ties, awareness, those who come late or wait.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

mod common;

use common::{Game, refusal, tape};
use houserule_kernel::intent::{Intent, Operation};
use houserule_kernel::oracle::Oracle;
use houserule_kernel::table::Outcome;
use proptest::prelude::*;

/// Rules with these ways to break ties.
fn with_ties(ties: &str) -> String {
    format!(
        r#"
        [tag]
        hero = "h"
        [stat.dex]
        [stat.feat]
        [stat.init]
        [stat.init.part.dex]
        value = "dex"
        [stat.init.part.feat]
        value = "feat"
        [creature.one]
        [creature.x]
        stats = {{ dex = 2, feat = 4 }}
        [creature.y]
        stats = {{ dex = 4 }}
        [creature.hero]
        tags = ["hero"]
        stats = {{ dex = 4 }}
        [turn]
        seconds = 6
        start = ["turn.start"]
        [count.turns]
        [hook.turn]
        on = "turn.start"
        do = [{{ count = "turns", add = "1" }}]
        [check.init]
        roll = "1d20"
        stream = "initiative"
        bonus = "init"
        degrees = ["rolled"]
        [condition.limited]
        [condition.surprised]
        [initiative]
        check = "init"
        ties = [{ties}]
        aware_round = "some"
        aware_limit = "limited"
        unaware = "surprised"
        "#
    )
}

#[test]
fn ties_are_broken_by_the_whole_modifier() {
    let mut game = Game::new(&with_ties("\"modifier\""), &[]);
    game.seat("y", "y");
    game.seat("x", "x");
    game.begin(&["y", "x"], &["initiative:14", "initiative:12"]);
    assert_eq!(game.order(), ["x", "y"]);
}

#[test]
fn who_wins_a_tie_is_data() {
    for (ties, order) in [("\"modifier\", \"tag:hero\"", ["hero", "y", "x"]), ("\"tag:hero\"", ["hero", "x", "y"])] {
        let mut game = Game::new(&with_ties(ties), &[]);
        game.seat("x", "one");
        game.seat("y", "y");
        game.seat("hero", "hero");
        game.begin(&["x", "y", "hero"], &["15", "11", "11"]);
        assert_eq!(game.order(), order, "{ties}");
    }
}

#[test]
fn ties_that_nothing_breaks_stay_in_the_order_of_rolling() {
    let mut game = Game::new(&with_ties(""), &["a", "b", "c"]);
    game.begin(&["b", "c", "a"], &["9", "9", "9"]);
    assert_eq!(game.order(), ["b", "c", "a"]);
}

fn four(ties: &str) -> Game {
    Game::new(&with_ties(ties), &["a", "b", "c", "d"])
}

#[test]
fn a_round_for_the_aware_if_some_are_and_some_are_not() {
    let mut game = four("");
    game.begin_aware(&["a", "b", "c", "d"], &["d", "a"], &["12", "18"]);
    assert_eq!(game.turn(), ("d".to_owned(), 0));
    assert!(game.bears("b", "surprised") && game.bears("d", "limited"));
    game.next();
    assert_eq!(game.turn(), ("a".to_owned(), 0));
    game.taped(&Operation::Next, &["15", "3"]);
    assert_eq!((game.turn(), game.order()), (("d".to_owned(), 1), ["d", "b", "a", "c"].map(String::from).to_vec()));
    assert!(!game.bears("d", "limited"));
}

#[test]
fn no_such_round_if_all_are_aware_or_none() {
    for aware in [&["a", "b", "c", "d"][..], &[]] {
        let mut game = four("");
        game.begin_aware(&["a", "b", "c", "d"], aware, &["12", "18", "2", "3"]);
        assert_eq!(game.turn(), ("b".to_owned(), 1));
        assert!(["a", "b", "c", "d"].iter().all(|who| !game.bears(who, "surprised") && !game.bears(who, "limited")));
    }
}

#[test]
fn ties_may_be_rolled_off() {
    let mut game = four("\"modifier\", \"roll_off\"");
    game.begin(&["a", "b", "c", "d"], &["10", "15", "10", "3", "tie:4", "tie:17"]);
    assert_eq!(game.order(), ["b", "c", "a", "d"]);
}

#[test]
fn a_second_roll_off_decides_only_between_those_who_were_still_equal() {
    let mut game = four("\"roll_off\"");
    let faces = ["10", "10", "10", "3", "tie:15", "tie:15", "tie:8", "tie:1", "tie:2"];
    game.begin(&["a", "b", "c", "d"], &faces);
    assert_eq!(game.order(), ["b", "a", "c", "d"]);
}

#[test]
fn the_table_may_agree_on_ties() {
    let mut game = four("\"choice\"");
    let who = game.table.find_all(&["a", "b", "c", "d"]).unwrap();
    let deed = Operation::Begin { aware: who.clone(), who };
    let mut oracle = tape(&["10", "10", "20", "10"]);
    let asked = |outcome: Outcome| match outcome {
        Outcome::Asking(question) => question.options.iter().map(ToString::to_string).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let outcome = game.table.perform_with(&deed, &mut oracle).unwrap();
    assert_eq!(asked(outcome), ["a", "b", "d"]);
    assert!(game.table.answer_in_words("d, b, a", &mut Oracle::Seeded).unwrap().is_done());
    assert_eq!(game.order(), ["c", "d", "b", "a"]);
}

#[test]
fn whoever_joins_late_acts_at_their_count() {
    let mut game = four("");
    game.begin(&["a", "b"], &["18", "10"]);
    let (c, d) = (game.who("c"), game.who("d"));
    game.taped(&Operation::Join(c), &["14"]);
    game.taped(&Operation::Join(d), &["20"]);
    assert_eq!(game.order(), ["d", "a", "c", "b"]);
    assert_eq!(game.turn(), ("a".to_owned(), 1));
    game.next();
    assert_eq!(game.turn(), ("c".to_owned(), 1), "the place was still to come");
    game.until("d", 2);
    assert_eq!(&*refusal(game.table.perform(&Operation::Join(c)).unwrap()).text, "refuse.takes_part");
}

#[test]
fn whoever_leaves_in_their_own_turn_ends_it() {
    let mut game = four("");
    game.begin(&["a", "b"], &["18", "10"]);
    let a = game.who("a");
    game.perform(&Operation::Leave(a));
    game.next();
    assert_eq!((game.turn(), game.order()), (("b".to_owned(), 1), vec!["b".to_owned()]));
    game.next();
    assert_eq!(game.turn(), ("b".to_owned(), 2));
}

#[test]
fn whoever_is_moved_in_the_order_gets_no_second_turn() {
    let mut game = four("");
    game.begin(&["a", "b", "c"], &["18", "10", "5"]);
    game.until("b", 1);
    game.run("a", r#"{ initiative = "behind" }"#);
    game.next();
    assert_eq!(game.turn(), ("c".to_owned(), 1), "a has acted already");
    game.next();
    assert_eq!(game.turn(), ("b".to_owned(), 2), "and acts behind b from now on");
    game.next();
    assert_eq!(game.turn(), ("a".to_owned(), 2));
}

#[test]
fn whoever_is_moved_forward_acts_once() {
    let mut game = four("");
    game.begin(&["a", "b", "c"], &["18", "10", "5"]);
    game.run("c", r#"{ initiative = "behind" }"#);
    game.next();
    assert_eq!(game.turn(), ("c".to_owned(), 1));
    game.next();
    assert_eq!(game.turn(), ("b".to_owned(), 1));
    game.next();
    assert_eq!(game.turn(), ("a".to_owned(), 2));
}

#[test]
fn whoever_is_moved_to_just_before_acts_next_round_before_that_turn() {
    let mut game = four("");
    game.begin(&["a", "b", "c"], &["18", "10", "5"]);
    game.until("b", 1);
    game.run("c", r#"{ initiative = "before" }"#);
    game.next();
    assert_eq!(game.turn(), ("a".to_owned(), 2), "its turn of this round is gone");
    game.next();
    assert_eq!(game.turn(), ("c".to_owned(), 2));
    game.next();
    assert_eq!(game.turn(), ("b".to_owned(), 2));
}

#[test]
fn whoever_acts_cannot_be_moved_out_of_their_own_turn() {
    let mut game = four("");
    game.begin(&["a", "b"], &["18", "10"]);
    game.run("a", r#"{ initiative = "behind" }"#);
    assert_eq!(game.turn(), ("a".to_owned(), 1));
}

#[test]
fn err_an_encounter_needs_somebody_and_rules_for_it() {
    let mut game = four("");
    let begin = |who: &[_]| Operation::Begin { who: who.to_vec(), aware: Vec::new() };
    assert_eq!(&*refusal(game.table.perform(&begin(&[])).unwrap()).text, "refuse.nobody");
    game.begin(&["a"], &["1"]);
    let a = game.who("a");
    assert_eq!(&*refusal(game.table.perform(&begin(&[a])).unwrap()).text, "refuse.encounter");
    let mut bare = Game::new("[creature.one]", &["a"]);
    let a = bare.who("a");
    assert_eq!(&*refusal(bare.table.perform(&begin(&[a])).unwrap()).text, "refuse.no_initiative");
}

#[test]
fn err_when_everybody_has_left_nobody_acts() {
    let mut game = four("");
    game.begin(&["a"], &["1"]);
    let a = game.who("a");
    game.perform(&Operation::Leave(a));
    assert_eq!(&*refusal(game.table.perform(&Operation::Next).unwrap()).text, "refuse.nobody");
    game.perform(&Operation::End);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn nobody_begins_two_turns_in_a_round(moves in prop::collection::vec((0..5_u8, 0..4_usize), 1..30)) {
        let mut game = four("");
        game.begin(&["a", "b", "c", "d"], &["18", "14", "10", "5"]);
        let mut seen = vec![(String::new(), 0)];
        for (kind, other) in moves {
            let name = ["a", "b", "c", "d"][other];
            let who = game.who(name);
            let order = &game.table.state().order;
            let takes_part = order.members().any(|member| member == who);
            let deed = match kind {
                0 => Operation::Delay { behind: who },
                1 if order.acting() != Some(who) && order.members().count() > 1 => Operation::Leave(who),
                2 if !takes_part => Operation::Join(who),
                3 => game.ruling(name, None, r#"{ initiative = "behind" }"#),
                _ => Operation::Next,
            };
            let turns_before: i32 = ["a", "b", "c", "d"].iter().map(|who| game.read(who, "count.turns")).sum();
            let done = game.table.perform(&deed).unwrap();
            if !done.is_done() { continue; }
            let turns: i32 = ["a", "b", "c", "d"].iter().map(|who| game.read(who, "count.turns")).sum();
            if turns > turns_before {
                prop_assert!(!seen.contains(&game.turn()), "{:?} begins again", game.turn());
                seen.push(game.turn());
            }
        }
    }
}

#[test]
fn a_latecomer_who_is_equal_stands_behind_and_moves_nobody() {
    let mut game = four("\"roll_off\"");
    game.begin(&["a", "b"], &["10", "10", "tie:3", "tie:9"]);
    let join = Operation::Join(game.who("c"));
    game.taped(&join, &["10", "tie:2", "tie:5", "tie:2", "tie:8"]);
    assert_eq!(game.order(), ["b", "a", "c"]);
}

#[test]
fn a_latecomer_breaks_ties_with_those_who_stand_there_as_the_pack_says() {
    let mut game = four("\"modifier\", \"roll_off\"");
    game.begin(&["a", "b"], &["10", "10", "tie:3", "tie:9"]);
    let (c, d) = (game.who("c"), game.who("d"));
    game.taped(&Operation::Join(c), &["10", "tie:2", "tie:5", "tie:7", "tie:7", "tie:7", "tie:1"]);
    assert_eq!(game.order(), ["b", "c", "a"]);
    game.taped(&Operation::Join(d), &["10", "tie:20", "tie:5"]);
    assert_eq!(game.order(), ["d", "b", "c", "a"]);
}

#[test]
fn a_latecomer_agrees_on_ties_with_those_who_stand_there() {
    let mut game = four("\"choice\"");
    game.begin(&["a"], &["10"]);
    let join = Operation::Join(game.who("c"));
    let outcome = game.table.perform_with(&join, &mut tape(&["10"])).unwrap();
    assert!(
        matches!(&outcome, Outcome::Asking(question) if question.options.iter().map(|name| &**name).eq(["c", "a"]))
    );
    assert!(game.table.answer(vec![0, 1], &mut Oracle::Seeded).unwrap().is_done());
    assert_eq!(game.order(), ["c", "a"]);
}

#[test]
fn err_nobody_takes_part_twice() {
    let mut game = four("");
    let who = game.table.find_all(&["a", "b", "a"]).unwrap();
    let refused = refusal(game.table.perform(&Operation::Begin { who, aware: Vec::new() }).unwrap());
    assert_eq!(&*refused.text, "refuse.takes_part");
}

const READY: &str = r#"
[creature.one]
[check.init]
roll = "1d20"
degrees = ["rolled"]
[initiative]
check = "init"
[turn]
seconds = 6
start = ["turn.start"]
[condition.readied]
[count.sprung]
[action.ready]
do = [{ apply = "readied", until = "bearer turn.start" }]
[action.poke]
targets = "one"
[reaction.spring]
window = "action.begin"
when = "bearer has readied and not own_turn"
text = "ask"
do = [{ remove = "readied" }, { count = "sprung", add = "1" }, { initiative = "behind" }]
"#;

#[test]
fn to_ready_is_data_and_whoever_springs_acts_there_from_then_on() {
    let mut game = Game::new(READY, &["a", "b"]);
    game.begin(&["a", "b"], &["20", "10"]);
    assert!(game.table.act(&Intent::new("ready").by("a")).unwrap().is_done());
    game.next();
    let asked = game.table.act(&Intent::new("poke").by("b").at("a")).unwrap();
    assert!(matches!(asked, Outcome::Asking(_)), "{asked:?}");
    assert!(game.table.answer(1, &mut Oracle::Seeded).unwrap().is_done());
    assert_eq!(game.read("a", "count.sprung"), 1);
    let owners: Vec<_> = game.table.state().order.places.iter().filter_map(|place| place.owner).collect();
    assert_eq!(owners, [game.who("b"), game.who("a")], "behind whom it sprang on");
    game.next();
    assert_eq!(game.table.state().order.acting(), Some(game.who("b")), "nobody gets two turns in a round by moving");
}

#[test]
fn what_was_readied_is_lost_at_the_next_turn() {
    let mut game = Game::new(READY, &["a", "b"]);
    game.begin(&["a", "b"], &["20", "10"]);
    assert!(game.table.act(&Intent::new("ready").by("a")).unwrap().is_done());
    game.next();
    game.next();
    assert!(!game.bears("a", "readied"));
    game.next();
    assert!(game.table.act(&Intent::new("poke").by("b").at("a")).unwrap().is_done(), "nobody is asked");
}

#[test]
fn err_who_has_acted_waits_no_more_if_the_packs_say_so() {
    let rules = r#"
[count.acts]
[creature.one]
[turn]
seconds = 6
[check.init]
roll = "1d20"
degrees = ["rolled"]
[initiative]
check = "init"
delay = "count.acts == 0"
"#;
    let mut game = Game::new(rules, &["a", "b"]);
    game.begin(&["a", "b"], &["18", "5"]);
    game.run("a", r#"{ count = "acts", add = "1" }"#);
    let behind = game.who("b");
    let refused = common::refusal(game.table.perform(&Operation::Delay { behind }).unwrap());
    assert_eq!(&*refused.text, "refuse.too_late_to_delay");
    game.run("a", r#"{ count = "acts", set = "0" }"#);
    game.perform(&Operation::Delay { behind });
    assert_eq!(game.turn(), ("b".to_owned(), 1));
}

#[test]
fn who_joins_late_waits_for_the_first_own_turn_as_all_did() {
    let rules = r#"
[creature.one]
[condition.unready]
[turn]
seconds = 6
[check.init]
roll = "1d20"
degrees = ["rolled"]
[initiative]
check = "init"
waiting = "unready"
"#;
    let mut game = Game::new(rules, &["a", "b"]);
    game.begin(&["a"], &["18"]);
    game.taped(&Operation::Join(game.who("b")), &["5"]);
    assert!(game.bears("b", "unready") && !game.bears("a", "unready"));
    game.next();
    assert!(!game.bears("b", "unready"));
}

const WAITING: &str = r#"
[creature.one]
[tag]
quick = "q"
[count.delayed]
[count.resumed]
[turn]
seconds = 6
out_of_turn = "bearer has ready and action has quick"
[check.init]
roll = "1d20"
degrees = ["rolled"]
[initiative]
check = "init"
[condition.ready]
[action.jab]
tags = ["quick"]
[action.walk]
[hook.delays]
on = "turn.delayed"
do = [{ count = "delayed", add = "round" }]
[hook.resumes]
on = "turn.resumed"
do = [{ count = "resumed", add = "round" }]
"#;

#[test]
fn who_delays_and_goes_on_is_heard() {
    let mut game = Game::new(WAITING, &["a", "b"]);
    game.begin(&["a", "b"], &["18", "5"]);
    let heard = |game: &Game| (game.read("a", "count.delayed"), game.read("a", "count.resumed"));
    let behind = game.who("b");
    game.perform(&Operation::Delay { behind });
    assert_eq!((heard(&game), game.turn()), ((1, 0), ("b".to_owned(), 1)));
    game.next();
    assert_eq!((heard(&game), game.turn()), ((1, 1), ("a".to_owned(), 1)));
}

#[test]
fn packs_say_who_may_act_out_of_turn_and_how() {
    let mut game = Game::new(WAITING, &["a", "b"]);
    game.begin(&["a", "b"], &["18", "5"]);
    let mut tries = |action: &str| game.table.act(&Intent::new(action).by("b")).unwrap();
    assert_eq!(&*refusal(tries("jab")).text, "refuse.not_your_turn");
    game.run("b", r#"{ apply = "ready" }"#);
    let mut tries = |action: &str| game.table.act(&Intent::new(action).by("b")).unwrap();
    assert_eq!(&*refusal(tries("walk")).text, "refuse.not_your_turn");
    assert!(tries("jab").is_done());
    assert_eq!(game.turn(), ("a".to_owned(), 1), "it is still the turn of a");
}
