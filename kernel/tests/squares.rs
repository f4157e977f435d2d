//! Squares: who may stand on them and pass, and who is pushed over them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

mod common;

use common::{Game, refusal};
use houserule_kernel::entity::StatBlockRef;
use houserule_kernel::intent::{Intent, Operation};
use houserule_kernel::space::Square;
use houserule_kernel::table::Outcome;

const RULES: &str = r#"
[tag]
small = "small"
[creature.one]
[item.banner]
[grid]
diagonals = "alternate"
feet_per_square = 5
[action.walk]
walk = "30"
[count.left]
[count.forced]
[count.moved]
[event.fresh]
[count.aslant]
resets = "fresh"
[hook.leaves]
on = "square.leaving"
do = [{ count = "left", add = "1" }, { count = "forced", add = "1", when = "forced" }]
[hook.has_moved]
on = "moved"
do = [{ count = "moved", add = "feet" }]
"#;

fn act(game: &mut Game, intent: &Intent) -> Outcome {
    game.table.act(intent).unwrap()
}

fn square(game: &Game, who: &str) -> Square {
    game.table.state().entity(game.who(who)).unwrap().square.unwrap()
}

/// Rules with more about the grid.
fn shared(more: &str, places: &[(&str, i32, i32)]) -> Game {
    let grid = format!("feet_per_square = 5\n{more}");
    let mut game = Game::new(&RULES.replace("feet_per_square = 5", &grid), &[]);
    for (name, x, y) in places {
        let creature = StatBlockRef::Creature(game.id("one"));
        game.lay(name, creature, *x, *y);
    }
    game
}

fn says(game: &Game) -> Vec<String> {
    let said = |record: &houserule_kernel::journal::Record| match record {
        houserule_kernel::journal::Record::Said { text, .. } => Some(game.table.rules().name(*text).to_owned()),
        _ => None,
    };
    game.last_records().iter().filter_map(said).collect()
}

#[test]
fn err_nobody_is_seated_on_anothers_square() {
    let mut game = shared("", &[("ann", 0, 0)]);
    let mut seat = game.table.new_seat("ben", "one", "ben").unwrap();
    seat.square = Some(Square { x: 0, y: 0 });
    let refused = refusal(game.table.perform(&Operation::Seat(Box::new(seat))).unwrap());
    assert_eq!((&*refused.code, &*refused.text), ("HR0708", "refuse.occupied"));
    assert!(game.table.state().find("ben").is_none());
    let banner = StatBlockRef::Item(game.id("banner"));
    game.lay("flag", banner, 0, 0);
}

#[test]
fn a_push_stops_before_an_occupied_square_with_a_line() {
    let mut game = shared("", &[("ann", 0, 0), ("ben", 1, 0), ("cid", 4, 0)]);
    game.strike("ann", "ben", r#"{ push = "25" }"#, &[]);
    assert_eq!((square(&game, "ben").x, says(&game)), (3, vec!["say.occupied".to_owned()]));
    game.strike("ann", "ben", r#"{ push = "-25" }"#, &[]);
    assert_eq!(square(&game, "ben").x, 1, "a pull stops before who pulls");
    game.strike("ann", "ben", r#"{ push = "10" }"#, &[]);
    assert_eq!((square(&game, "ben").x, says(&game)), (3, vec![]));
}

#[test]
fn packs_say_who_may_share_a_square() {
    let share = "share = \"bearer has small or target has small\"";
    let mut game = shared(share, &[("ann", 0, 0), ("ben", 1, 0)]);
    let to_ben = Intent::new("walk").by("ann").to(1, 0);
    assert_eq!(&*refusal(act(&mut game, &to_ben)).text, "refuse.occupied");
    game.run("ben", r#"{ tag = "small" }"#);
    assert!(act(&mut game, &to_ben).is_done());
    assert_eq!(square(&game, "ann"), square(&game, "ben"));
}

#[test]
fn err_whom_a_pack_does_not_let_pass_is_refused_the_way() {
    let mut game = shared("pass = \"bearer has small\"", &[("ann", 0, 0), ("ben", 1, 0)]);
    let past = Intent::new("walk").by("ann").to(2, 0);
    assert_eq!(&*refusal(act(&mut game, &past)).text, "refuse.in_the_way");
    game.run("ann", r#"{ tag = "small" }"#);
    assert!(act(&mut game, &past).is_done());
    let mut open = shared("", &[("ann", 0, 0), ("ben", 1, 0)]);
    assert!(act(&mut open, &past).is_done(), "without a word everybody passes");
}

#[test]
fn whoever_is_halted_on_anothers_square_goes_back_to_the_last_free_one() {
    let halt = "[hook.halt]\non = \"square.leaving\"\nwhen = \"x == 2\"\ndo = [{ prevent = \"why\" }]";
    let mut game = Game::new(&format!("{RULES}{halt}"), &[]);
    for (name, x) in [("ann", 0), ("ben", 2)] {
        let creature = StatBlockRef::Creature(game.id("one"));
        game.lay(name, creature, x, 0);
    }
    assert!(act(&mut game, &Intent::new("walk").by("ann").to(4, 0)).is_done());
    assert_eq!((square(&game, "ann").x, says(&game)), (1, vec!["say.occupied".to_owned()]));
}

#[test]
fn a_push_goes_the_way_it_is_told_and_a_thing_may_be_pushed_too() {
    for (way, to) in
        [(1, (2, 4)), (2, (4, 4)), (3, (4, 2)), (4, (4, 0)), (5, (2, 0)), (6, (0, 0)), (7, (0, 2)), (8, (0, 4))]
    {
        let mut game = shared("", &[("ann", 9, 9), ("ben", 2, 2)]);
        game.strike("ann", "ben", &format!("{{ push = \"10\", way = \"{way}\" }}"), &[]);
        let at = square(&game, "ben");
        assert_eq!((at.x, at.y), to, "{way}");
        assert_eq!(game.read("ben", "heading"), way);
    }
    let mut game = shared("", &[("ann", 9, 9)]);
    let banner = StatBlockRef::Item(game.id("banner"));
    game.lay("flag", banner, 2, 2);
    game.strike("ann", "flag", r#"{ push = "5", way = "7" }"#, &[]);
    assert_eq!((square(&game, "flag").x, game.read("flag", "count.left")), (1, 0), "nobody keeps a thing");
}

#[test]
fn who_drifts_goes_on_as_it_went_last() {
    let mut game = shared("", &[("ann", 0, 0), ("ben", 5, 0)]);
    game.strike("ben", "ann", r#"{ push = "5", way = "target.heading" }"#, &[]);
    assert_eq!((square(&game, "ann").x, game.read("ann", "heading")), (0, 0), "it never went anywhere");
    assert!(act(&mut game, &Intent::new("walk").by("ann").to(1, 1)).is_done());
    game.strike("ben", "ann", r#"{ push = "10", way = "target.heading" }"#, &[]);
    assert_eq!(square(&game, "ann"), Square { x: 3, y: 3 });
    game.strike("ann", "ben", r#"{ push = "5" }"#, &[]);
    assert_eq!(game.read("ben", "heading"), 4, "away from ann is down and to the right");
}

#[test]
fn each_square_of_a_push_is_left_against_ones_will() {
    let mut game = shared("", &[("ann", 0, 0), ("ben", 1, 0)]);
    let told = |game: &Game| ["left", "forced", "moved"].map(|count| game.read("ben", &format!("count.{count}")));
    game.strike("ann", "ben", r#"{ push = "15" }"#, &[]);
    assert_eq!(told(&game), [3, 3, 15]);
    assert!(act(&mut game, &Intent::new("walk").by("ben").to(5, 0)).is_done());
    assert_eq!(told(&game), [4, 3, 20], "a walk is no push");
    game.strike("ann", "ben", r#"{ push = "0" }"#, &[]);
    assert_eq!(told(&game), [4, 3, 20]);
}

#[test]
fn whoever_is_kept_on_a_square_is_pushed_no_farther() {
    let halt = "[hook.keep]\non = \"square.leaving\"\nwhen = \"forced and x == 2 and bearer.is_actor and not (source.is_actor)\"\ndo = [{ prevent = \"why\" }]";
    let mut game = Game::new(&format!("{RULES}{halt}"), &[]);
    for (name, x) in [("ann", 0), ("ben", 1)] {
        let one = StatBlockRef::Creature(game.id("one"));
        game.lay(name, one, x, 0);
    }
    game.strike("ann", "ben", r#"{ push = "25" }"#, &[]);
    assert_eq!(square(&game, "ben").x, 2);
}

#[test]
fn err_there_are_eight_ways_and_a_map_that_ends() {
    let mut game = shared("", &[("ann", 0, 0)]);
    for way in ["9", "-1"] {
        let fault = game.fault("ann", &format!("{{ push = \"5\", to = \"bearer\", way = \"{way}\" }}"));
        assert!(fault.contains("HR0562") && fault.contains("from 1 to 8"), "{fault}");
    }
    let mut edge = shared("", &[("ann", 1_000_000, 0)]);
    let fault = edge.fault("ann", r#"{ push = "5", to = "bearer", way = "3" }"#);
    assert!(fault.contains("HR0560"), "{fault}");
    assert_eq!(square(&edge, "ann").x, 1_000_000);
}

#[test]
fn diagonal_steps_of_one_turn_count_together_where_a_pack_keeps_count() {
    let to_and_fro = |count: &str| {
        let mut game = shared(count, &[("ann", 0, 0)]);
        assert!(act(&mut game, &Intent::new("walk").by("ann").to(1, 1)).is_done());
        act(&mut game, &Intent::new("walk").by("ann").to(6, 4)).is_done()
    };
    assert!(to_and_fro(""), "5, 10 and 5 aslant, and 10 straight on");
    assert!(!to_and_fro("count = \"aslant\""), "10, 5 and 10 after the first, and 10");
}

#[test]
fn the_count_of_diagonal_steps_begins_anew_when_the_pack_says_so() {
    let mut game = shared("count = \"aslant\"", &[("ann", 0, 0)]);
    assert!(act(&mut game, &Intent::new("walk").by("ann").to(3, 3)).is_done());
    assert_eq!(game.read("ann", "count.aslant"), 3);
    game.run("ann", r#"{ event = "fresh" }"#);
    assert_eq!(game.read("ann", "count.aslant"), 0);
}

const POND: &str = r#"
[stat.depth]
[item.pond]
radius = "5"
[item.pond.modifier.deep]
to = ["depth"]
value = "1"
on = "near"
[condition.wet]
while = "depth > 0"
"#;

#[test]
fn who_comes_into_a_zone_or_out_of_it_bears_at_once_what_stands_there() {
    let mut game = Game::new(&format!("{RULES}{POND}"), &[]);
    let (one, pond) = (StatBlockRef::Creature(game.id("one")), StatBlockRef::Item(game.id("pond")));
    game.lay("ann", one, 0, 0);
    game.lay("ben", one, 0, 6);
    game.lay("mere", pond, 4, 0);
    assert!(act(&mut game, &Intent::new("walk").by("ann").to(3, 0)).is_done());
    assert!(game.bears("ann", "wet"), "walked in");
    game.strike("ben", "ann", r#"{ push = "10", way = "7" }"#, &[]);
    assert!(!game.bears("ann", "wet"), "pushed out");
    game.strike("ben", "mere", r#"{ push = "20", way = "7" }"#, &[]);
    assert!(game.bears("ann", "wet"), "the water came");
    game.run("mere", r#"{ end = true }"#);
    assert!(!game.bears("ann", "wet"), "and dried up");
    game.lay("pool", pond, 0, 5);
    assert!(game.bears("ben", "wet"), "a new one");
}
