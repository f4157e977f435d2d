//! When things end: slots, turns, events, the clock, in encounters and out.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

mod common;

use common::Game;
use houserule_kernel::clock::Moment;
use houserule_kernel::intent::Operation;
use houserule_kernel::journal::Record;
use proptest::prelude::*;

const TURNS: &str = r#"
[creature.one]
[stat.init]
[condition.c]
again = { value = "highest", time = "longest" }
[condition.longer]
again = { time = "add" }
[condition.newest]
again = { time = "replace" }
[condition.first]
again = { time = "keep" }
[turn]
seconds = 6
start = ["turn.start"]
end = ["turn.end"]
[check.init]
roll = "1d20"
bonus = "init"
degrees = ["rolled"]
[initiative]
check = "init"
ties = ["modifier"]
[count.bled]
[count.turns]
resets = "turn.start"
[condition.bleeding.tick.t]
at = "turn.start"
do = [{ count = "bled", add = "3" }]
"#;

const ONE_ROUND: &str = r#"{ apply = "c", rounds = "1", to = "target" }"#;

fn fight(faces: &[&str]) -> Game {
    let mut game = Game::new(TURNS, &["a", "b", "c"]);
    game.begin(&["a", "b", "c"], faces);
    game
}

fn all(game: &Game) -> [bool; 3] {
    ["a", "b", "c"].map(|who| game.bears(who, "c"))
}

#[test]
fn one_round_ends_just_before_the_same_slot_of_the_next_round() {
    let mut game = fight(&["18", "15", "12"]);
    game.until("b", 1);
    for who in ["a", "b", "c"] {
        game.strike("b", who, ONE_ROUND, &[]);
    }
    game.until("c", 1);
    assert_eq!(all(&game), [true; 3]);
    game.until("a", 2);
    assert_eq!(all(&game), [true; 3]);
    game.until("b", 2);
    assert_eq!(all(&game), [false; 3]);
}

#[test]
fn for_the_first_of_the_round_time_passes_as_for_the_others() {
    let mut alone = Game::new(TURNS, &["a"]);
    alone.begin(&["a"], &["10"]);
    alone.strike("a", "a", ONE_ROUND, &[]);
    alone.next();
    assert_eq!((alone.turn(), alone.bears("a", "c")), (("a".to_owned(), 2), false));
    let mut game = fight(&["18", "15", "12"]);
    game.strike("a", "c", ONE_ROUND, &[]);
    game.until("c", 1);
    assert!(game.bears("c", "c"));
    game.next();
    assert_eq!((game.turn(), game.bears("c", "c")), (("a".to_owned(), 2), false));
}

#[test]
fn until_a_creatures_turn_is_until_that_creatures_turn() {
    let mut game = fight(&["18", "15", "12"]);
    game.until("c", 1);
    game.run("c", r#"{ apply = "c", until = "bearer turn.start" }"#);
    game.until("a", 2);
    assert!(game.bears("c", "c"));
    game.until("b", 2);
    assert!(game.bears("c", "c"));
    game.next();
    assert_eq!((game.turn(), game.bears("c", "c")), (("c".to_owned(), 2), false));
}

#[test]
fn of_two_on_one_count_each_gets_one_turn_under_the_effect() {
    let mut game = fight(&["15", "15", "2"]);
    game.until("b", 1);
    game.strike("b", "a", ONE_ROUND, &[]);
    game.until("a", 2);
    assert!(game.bears("a", "c"));
    game.until("b", 2);
    assert!(!game.bears("a", "c"));
}

#[test]
fn a_slot_keeps_its_time_when_its_owner_has_left() {
    let mut game = fight(&["18", "15", "12"]);
    game.until("b", 1);
    game.strike("b", "c", ONE_ROUND, &[]);
    let b = game.who("b");
    game.perform(&Operation::Leave(b));
    game.until("a", 2);
    assert!(game.bears("c", "c"));
    game.next();
    assert_eq!((game.turn(), game.bears("c", "c")), (("c".to_owned(), 2), false));
    assert!(game.table.state().timers.is_empty());
}

#[test]
fn a_slot_keeps_its_time_when_its_owner_delays() {
    let mut game = fight(&["18", "15", "12"]);
    game.strike("a", "b", ONE_ROUND, &[]);
    let c = game.who("c");
    game.perform(&Operation::Delay { behind: c });
    game.until("a", 1);
    assert!(game.bears("b", "c"));
    game.next();
    assert_eq!((game.turn(), game.bears("b", "c")), (("b".to_owned(), 2), false), "a's old slot came first");
}

#[test]
fn whoever_delays_goes_on_with_the_same_turn_and_begins_no_second() {
    let mut game = Game::new(TURNS, &["a", "b", "c"]);
    game.run("a", r#"{ apply = "bleeding" }"#);
    game.begin(&["a", "b", "c"], &["18", "15", "12"]);
    game.run("a", r#"{ count = "turns", add = "1" }"#);
    let b = game.who("b");
    game.perform(&Operation::Delay { behind: b });
    assert_eq!(game.turn(), ("b".to_owned(), 1));
    game.next();
    assert_eq!(game.turn(), ("a".to_owned(), 1));
    assert_eq!((game.read("a", "count.bled"), game.read("a", "count.turns")), (3, 1));
    game.next();
    assert_eq!(game.turn(), ("c".to_owned(), 1));
    game.until("a", 2);
    assert_eq!((game.read("a", "count.bled"), game.read("a", "count.turns")), (6, 0));
}

#[test]
fn err_nobody_delays_behind_those_who_acted_already() {
    let mut game = fight(&["18", "15", "12"]);
    game.until("b", 1);
    let a = game.who("a");
    let refusal = common::refusal(game.table.perform(&Operation::Delay { behind: a }).unwrap());
    assert_eq!((&*refusal.code, &*refusal.text), ("HR0705", "refuse.behind"));
}

#[test]
fn rounds_outside_an_encounter_are_seconds_of_the_clock() {
    let mut game = Game::new(TURNS, &["a"]);
    game.run("a", r#"{ apply = "c", rounds = "3" }, { apply = "first", minutes = "1" }, { apply = "newest", hours = "1" }, { apply = "longer", days = "1" }"#);
    let bears = |game: &Game| ["c", "first", "newest", "longer"].map(|name| game.bears("a", name));
    let mut at = |seconds| {
        game.perform(&Operation::Wait { seconds });
        bears(&game)
    };
    assert_eq!(at(17), [true; 4]);
    assert_eq!(at(1), [false, true, true, true]);
    assert_eq!(at(41), [false, true, true, true]);
    assert_eq!(at(1), [false, false, true, true]);
    assert_eq!(at(3_540), [false, false, false, true]);
    assert_eq!(at(86_400), [false; 4]);
}

#[test]
fn minutes_in_an_encounter_are_rounds_of_it() {
    let mut game = fight(&["18", "15", "12"]);
    game.until("b", 1);
    game.run("b", r#"{ apply = "c", minutes = "1" }"#);
    game.until("a", 11);
    assert!(game.bears("b", "c"));
    game.until("b", 11);
    assert!(!game.bears("b", "c"));
}

#[test]
fn what_began_before_the_encounter_ends_by_the_clock_within_it() {
    let mut game = Game::new(TURNS, &["a", "b"]);
    game.run("a", r#"{ apply = "c", rounds = "2" }"#);
    game.begin(&["a", "b"], &["18", "3"]);
    game.until("b", 2);
    assert!(game.bears("a", "c"));
    game.next();
    assert_eq!(
        (game.turn(), game.bears("a", "c")),
        (("a".to_owned(), 3), false),
        "the clock goes first, then the turn"
    );
}

#[test]
fn what_is_timed_by_slots_goes_on_by_the_clock_when_the_encounter_ends() {
    let mut game = fight(&["18", "15", "12"]);
    game.run("a", r#"{ apply = "c", rounds = "5" }"#);
    game.until("a", 3);
    game.perform(&Operation::End);
    let now = game.table.state().clock.seconds;
    assert_eq!((now, game.table.state().timers[0].due), (12, Moment::Clock { seconds: 12 + 18 }));
    game.perform(&Operation::Wait { seconds: 17 });
    assert!(game.bears("a", "c"));
    game.perform(&Operation::Wait { seconds: 1 });
    assert!(!game.bears("a", "c"));
}

#[test]
fn an_effect_may_last_until_any_event_or_the_end_of_the_encounter() {
    let mut game = fight(&["18", "15", "12"]);
    game.run("a", r#"{ apply = "c", until = "condition.applied" }, { apply = "first", until = "encounter.end" }"#);
    assert!(game.bears("a", "first"));
    game.run("b", r#"{ apply = "newest" }"#);
    assert!(!game.bears("a", "c"));
    game.perform(&Operation::End);
    assert!(!game.bears("a", "first"));
}

#[test]
fn an_effect_may_end_or_tick_as_an_event_begins() {
    let more = "[pool.hp]\nmax = \"9\"\n[damage]\npools = [\"hp\"]\n[condition.thorns.tick.t]\nat = \"damage.begin\"\ndo = [{ count = \"bled\", add = \"1\" }]";
    let mut game = Game::new(&format!("{TURNS}{more}"), &["a", "b"]);
    game.run("a", r#"{ apply = "c", until = "check.begin" }, { apply = "thorns" }, { apply = "first", until = "bearer damage.begin" }"#);
    game.check("a", None, "init", None, &["3"]);
    assert!(!game.bears("a", "c") && game.bears("a", "first"));
    game.strike("b", "a", r#"{ damage = "1" }"#, &[]);
    assert!(!game.bears("a", "first"));
    assert_eq!(game.read("a", "count.bled"), 1);
}

#[test]
fn an_event_without_a_bearer_is_everybodys() {
    let mut game = fight(&["18", "15", "12"]);
    game.run("b", r#"{ apply = "c", until = "bearer encounter.end" }"#);
    game.perform(&Operation::End);
    assert!(!game.bears("b", "c"));
}

#[test]
fn of_several_timers_the_first_ends_it_and_takes_the_others_along() {
    let mut game = fight(&["18", "15", "12"]);
    game.run("a", r#"{ apply = "c", rounds = "9", until = ["bearer turn.end"] }"#);
    assert_eq!(game.table.state().timers.len(), 2);
    game.next();
    assert!(!game.bears("a", "c") && game.table.state().timers.is_empty());
}

#[test]
fn a_second_application_does_to_the_time_what_the_pack_says() {
    let due = |condition: &str, first: &str, second: &str| {
        let mut game = Game::new(TURNS, &["a"]);
        game.run("a", &format!("{{ apply = \"{condition}\", rounds = \"{first}\" }}, {{ apply = \"{condition}\", rounds = \"{second}\" }}"));
        let dues: Vec<Moment> = game.table.state().timers.iter().map(|timer| timer.due).collect();
        assert_eq!(dues.len(), 1);
        match dues[0] {
            Moment::Clock { seconds } => seconds / 6,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(["c", "longer", "newest", "first"].map(|condition| due(condition, "2", "5")), [5, 7, 5, 2]);
    assert_eq!(["c", "longer", "newest", "first"].map(|condition| due(condition, "5", "2")), [5, 7, 2, 5]);
}

#[test]
fn what_lasts_for_good_is_longer_than_anything() {
    let mut game = Game::new(TURNS, &["a"]);
    game.run("a", r#"{ apply = "c", rounds = "2" }, { apply = "c" }"#);
    assert!(game.table.state().timers.is_empty());
    game.run("a", r#"{ apply = "c", rounds = "2" }"#);
    assert!(game.table.state().timers.is_empty());
}

#[test]
fn a_condition_may_be_extended_by_rounds() {
    let mut game = fight(&["18", "15", "12"]);
    game.run("a", r#"{ apply = "c", rounds = "1" }, { extend = "c", rounds = "2" }"#);
    game.until("a", 3);
    assert!(game.bears("a", "c"));
    game.until("a", 4);
    assert!(!game.bears("a", "c"));
}

#[test]
fn err_time_does_not_run_back_nor_beside_an_encounter() {
    let mut game = Game::new(TURNS, &["a"]);
    let refused =
        |game: &mut Game, seconds| common::refusal(game.table.perform(&Operation::Wait { seconds }).unwrap()).text;
    assert_eq!(&*refused(&mut game, -1), "refuse.time_back");
    game.begin(&["a"], &["10"]);
    assert_eq!(&*refused(&mut game, 60), "refuse.encounter");
}

#[test]
fn err_without_an_encounter_there_is_no_turn_to_end() {
    let mut game = Game::new(TURNS, &["a"]);
    for deed in
        [Operation::Next, Operation::End, Operation::Join(game.who("a")), Operation::Delay { behind: game.who("a") }]
    {
        assert_eq!(&*common::refusal(game.table.perform(&deed).unwrap()).text, "refuse.no_encounter", "{deed:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// The foolish queue counts turns: an effect of n rounds begun in turn t of
    /// m creatures is there until turn t + n × m begins.
    #[test]
    fn timers_end_as_a_foolish_queue_says(script in prop::collection::vec(prop::option::of((0..3_usize, 1..4_i32)), 1..14)) {
        let mut game = fight(&["18", "15", "12"]);
        let mut queue: [Option<usize>; 3] = [None; 3];
        for (turn, deed) in script.iter().enumerate() {
            if let Some((target, rounds)) = deed {
                let actor = ["a", "b", "c"][turn % 3];
                let until = turn + usize::try_from(*rounds).unwrap() * 3;
                game.strike(actor, ["a", "b", "c"][*target], &format!("{{ apply = \"newest\", rounds = \"{rounds}\", to = \"target\" }}"), &[]);
                queue[*target] = Some(until);
            }
            game.next();
            for (who, name) in ["a", "b", "c"].iter().enumerate() {
                if queue[who].is_some_and(|until| until <= turn + 1) {
                    queue[who] = None;
                }
                prop_assert_eq!(game.bears(name, "newest"), queue[who].is_some(), "{} after turn {}", name, turn);
            }
        }
    }
}

#[test]
fn a_condition_may_be_shortened_by_rounds_inside_and_outside_an_encounter() {
    let shorten = |game: &mut Game| {
        game.run("a", r#"{ apply = "c", rounds = "3" }, { extend = "c", rounds = "-2" }"#);
    };
    let mut game = fight(&["18", "12", "6"]);
    shorten(&mut game);
    game.until("a", 2);
    assert!(!game.bears("a", "c"));
    game.perform(&Operation::End);
    shorten(&mut game);
    game.perform(&Operation::Wait { seconds: 6 });
    assert!(!game.bears("a", "c"));
}

#[test]
fn turns_of_the_source_may_be_counted_and_the_count_set_anew_to_sustain() {
    let more = "[condition.held]\nagain = { time = \"replace\" }";
    let mut game = Game::new(&format!("{TURNS}{more}"), &["a", "b", "c"]);
    game.begin(&["a", "b", "c"], &["20", "15", "10"]);
    let hold = r#"{ apply = "held", until = "2 actor turn.end", who = "target" }"#;
    game.strike("a", "c", hold, &[]);
    game.until("b", 1);
    assert!(game.bears("c", "held"), "the end of the turn in which it began is the first");
    game.until("a", 2);
    game.strike("a", "c", hold, &[]);
    game.until("c", 2);
    assert!(game.bears("c", "held"), "sustained: the count began anew");
    game.until("b", 3);
    assert!(!game.bears("c", "held"), "not sustained in the third round");
}

#[test]
fn err_a_count_of_events_is_a_number_before_whose_it_is() {
    for until in ["source 3 turn.end", "0 source turn.end", "x source turn.end"] {
        let told = common::wrong(&format!("{TURNS}[steps.s]\ndo = [{{ apply = \"c\", until = \"{until}\" }}]"));
        assert!(told.contains("before the event stand how many times and whose it is"), "{told}");
    }
}

/// The moments at which what somebody bears ends, by the clock in rounds, and
/// how often events must still come.
fn dues(game: &Game) -> Vec<i64> {
    let due = |timer: &houserule_kernel::state::Timer| match timer.due {
        Moment::Clock { seconds } => seconds / 6,
        Moment::Event { left, .. } => i64::from(left),
        other => panic!("{other:?}"),
    };
    game.table.state().timers.iter().map(due).collect()
}

#[test]
fn every_timer_of_a_condition_is_extended_by_what_is_of_its_kind() {
    let mut game = Game::new(TURNS, &["a"]);
    game.run("a", r#"{ apply = "c", rounds = "2", minutes = "1", until = ["turn.end", "2 bearer turn.start"] }"#);
    assert_eq!(dues(&game), [2, 10, 1, 2]);
    game.run("a", r#"{ extend = "c", rounds = "1" }"#);
    assert_eq!(dues(&game), [3, 11, 1, 2]);
    game.run("a", r#"{ extend = "c", minutes = "1", until = "3 bearer turn.start" }"#);
    assert_eq!(dues(&game), [13, 21, 1, 5]);
    game.run("a", r#"{ extend = "c", hours = "1", days = "1", until = "turn.end" }"#);
    assert_eq!(dues(&game), [13 + 15_000, 21 + 15_000, 2, 5]);
}

#[test]
fn a_second_application_lengthens_each_kind_of_timer_by_itself() {
    let twice = |condition: &str, first: &str, second: &str| {
        let mut game = Game::new(TURNS, &["a"]);
        game.run("a", &format!("{{ apply = \"{condition}\", {first} }}, {{ apply = \"{condition}\", {second} }}"));
        dues(&game)
    };
    let (early, late) = (r#"rounds = "2", until = "3 turn.end""#, r#"rounds = "5", until = "2 turn.end""#);
    assert_eq!(twice("longer", early, late), [7, 5]);
    assert_eq!(twice("c", early, late), [3, 5], "of each kind the later end");
    assert_eq!(twice("c", late, early), [5, 3]);
    assert_eq!(twice("newest", early, late), [5, 2]);
    assert_eq!(twice("first", early, late), [2, 3]);
    assert_eq!(twice("c", early, r#"rounds = "9""#), [9], "what no event ends lasts longer in that");
    assert_eq!(twice("c", r#"rounds = "9""#, r#"until = "turn.end""#), [1], "what cannot be compared is the new one");
    assert_eq!(twice("longer", r#"rounds = "1", minutes = "1""#, r#"rounds = "2""#), [3, 12], "not only the first");
}

#[test]
fn a_condition_may_last_until_an_event_of_the_pack_such_as_a_rest() {
    let more = "[event.rest]\nfields = { who = \"entity\" }\n";
    let mut game = Game::new(&format!("{TURNS}{more}"), &["a", "b"]);
    game.run("a", r#"{ apply = "c", until = "bearer rest" }"#);
    game.run("b", r#"{ apply = "c", until = "2 bearer rest" }"#);
    game.run("a", r#"{ event = "rest" }"#);
    assert_eq!((game.bears("a", "c"), game.bears("b", "c")), (false, true));
    game.run("a", r#"{ event = "rest" }"#);
    assert!(game.bears("b", "c"), "another's rest is not one's own");
    game.strike("a", "b", r#"{ event = "rest", who = "target" }, { event = "rest", who = "target" }"#, &[]);
    assert!(!game.bears("b", "c"));
}

#[test]
fn what_is_sustained_lasts_to_the_end_of_the_next_turn_of_its_source() {
    let mut game = fight(&["18", "15", "12"]);
    let hold = r#"{ apply = "c", until = "2 actor turn.end", minutes = "1", to = "target" }"#;
    game.strike("a", "b", hold, &[]);
    game.strike("a", "c", hold, &[]);
    game.until("a", 2);
    game.run("a", r#"{ sustain = "c" }, { sustain = "c" }"#);
    game.until("a", 3);
    assert!(game.bears("b", "c") && game.bears("c", "c"));
    game.run("b", r#"{ sustain = "c" }"#);
    game.until("b", 3);
    assert!(!game.bears("b", "c") && !game.bears("c", "c"), "neither twice in a turn nor by another");
}

#[test]
fn a_stopped_time_is_lengthened_too_and_stays_stopped() {
    let mut game = Game::new(TURNS, &["a"]);
    game.run(
        "a",
        r#"{ apply = "c", rounds = "2" }, { suspend = "c", clock = "stopped" }, { extend = "c", rounds = "1" }"#,
    );
    game.run("a", r#"{ apply = "c", rounds = "9" }"#);
    game.perform(&Operation::Wait { seconds: 600 });
    game.run("a", r#"{ resume = "c" }"#);
    assert_eq!(dues(&game), [109]);
}

#[test]
fn err_an_extension_says_by_how_much() {
    let told = common::wrong(&format!("{TURNS}[steps.s]\ndo = [{{ extend = \"c\" }}]"));
    assert!(told.contains("HR0210") && told.contains("does not say by how much"), "{told}");
}

#[test]
fn a_long_wait_goes_from_one_thing_that_is_due_to_the_next() {
    let rules = r#"
[creature.one]
[count.hours]
[condition.vigil]
[condition.vigil.end]
do = [{ count = "hours", add = "1" }, { apply = "vigil", hours = "1", when = "count.hours < 5" }]
"#;
    let mut game = Game::new(rules, &["rook"]);
    game.run("rook", r#"{ apply = "vigil", hours = "1" }"#);
    game.perform(&Operation::Wait { seconds: 3 * 3600 + 60 });
    assert_eq!(game.read("rook", "count.hours"), 3);
    game.perform(&Operation::Wait { seconds: 3600 });
    assert_eq!(game.read("rook", "count.hours"), 4, "an hour after the third, not after the wait");
    game.table.undo(false);
    assert_eq!(game.read("rook", "count.hours"), 3);
}

#[test]
fn err_what_lasts_less_than_one_is_told_or_resisted() {
    for (key, count) in
        [("rounds", "\"0\""), ("minutes", "-5"), ("hours", "\"-5\""), ("days", "0"), ("rounds", "\"2 - 2\"")]
    {
        let told = common::wrong(&format!("[condition.c]\n[steps.s]\ndo = [{{ apply = \"c\", {key} = {count} }}]"));
        assert!(told.contains(&format!("{key} never begins [HR0205]")), "{told}");
    }
    let told = common::wrong("[condition.c]\nwhile = \"yes\"\nsticky = { rounds = \"0\" }");
    assert!(told.contains("home/rules.toml:3:22: what lasts `0` rounds never begins [HR0205]"), "{told}");
    let mut game = Game::new("[stat.s]\n[condition.c]\n[creature.one]", &["a"]);
    for count in ["s", "s - 3", "1d1 - 1"] {
        let deed = game.ruling("a", None, &format!("{{ apply = \"c\", rounds = \"{count}\" }}"));
        game.taped(&deed, if count == "1d1 - 1" { &["roll:1"] } else { &[] });
        assert!(!game.bears("a", "c"), "{count}");
        assert!(game.last_records().iter().any(|record| matches!(record, Record::Resisted { .. })), "{count}");
    }
}
