//! Where things happen: areas, zones, walks and what may halt them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

mod common;

use common::{Game, refusal};
use houserule_kernel::entity::Origin;
use houserule_kernel::intent::{Deed, Intent, Seat};
use houserule_kernel::journal::Record;
use houserule_kernel::oracle::Oracle;
use houserule_kernel::space::Square;
use houserule_kernel::table::Outcome;

const RULES: &str = r#"
[tag]
harm = "a type of damage"
[stat.guard]
start = 10
[pool.health]
max = "20"
[damage]
pools = ["health"]
[grid]
diagonals = "alternate"
feet_per_square = 5
[action.blast]
targets = { burst = "10", within = "30" }
do = [{ damage = "5[harm]" }]
[action.beam]
targets = { line = "20" }
do = [{ damage = "3[harm]" }]
[action.walk]
walk = "30"
[creature.one]
[item.banner]
radius = "10"
[item.banner.modifier.courage]
to = ["guard"]
value = "2"
on = "near"
[count.came]
[count.went]
[hook.came]
on = "zone.entered"
do = [{ count = "came", add = "1" }]
[hook.went]
on = "zone.left"
do = [{ count = "went", add = "1" }]
"#;

fn game(places: &[(&str, i32, i32)]) -> Game {
    let mut game = Game::new(RULES, &[]);
    for (name, x, y) in places {
        let creature = Origin::Creature(game.id("one"));
        lay(&mut game, name, creature, *x, *y);
    }
    game
}

fn lay(game: &mut Game, name: &str, origin: Origin, x: i32, y: i32) {
    let square = Some(Square { x, y });
    let (stats, pools, tags) = (Vec::new(), Vec::new(), Vec::new());
    let seat =
        Seat { name: name.into(), origin, side: name.into(), square, stats, pools, tags, holds: None, owner: None };
    game.perform(&Deed::Seat(Box::new(seat)));
}

fn act(game: &mut Game, intent: &Intent) -> Outcome {
    game.table.act(intent).unwrap()
}

#[test]
fn a_burst_catches_all_within_its_feet_and_nobody_else() {
    let mut game = game(&[("ann", 0, 0), ("ben", 4, 0), ("cid", 6, 1), ("dot", 9, 0)]);
    assert!(act(&mut game, &Intent::new("blast").by("ann").to(5, 0)).is_done());
    let health = ["ann", "ben", "cid", "dot"].map(|name| game.read(name, "health"));
    assert_eq!(health, [20, 15, 15, 20], "ten feet are two squares around the fifth");
}

#[test]
fn err_a_burst_too_far_away_is_refused() {
    let mut game = game(&[("ann", 0, 0), ("ben", 8, 0)]);
    let refused = refusal(act(&mut game, &Intent::new("blast").by("ann").to(8, 0)));
    assert_eq!(&*refused.text, "refuse.out_of_range");
    assert_eq!(game.read("ben", "health"), 20);
}

#[test]
fn err_a_burst_needs_a_square() {
    let mut game = game(&[("ann", 0, 0)]);
    assert_eq!(&*refusal(act(&mut game, &Intent::new("blast").by("ann"))).text, "refuse.no_square");
}

#[test]
fn a_line_catches_those_on_it_as_far_as_it_goes() {
    let mut game = game(&[("ann", 0, 0), ("ben", 2, 0), ("cid", 4, 0), ("dot", 5, 0), ("eve", 2, 1)]);
    assert!(act(&mut game, &Intent::new("beam").by("ann").to(6, 0)).is_done());
    let health = ["ann", "ben", "cid", "dot", "eve"].map(|name| game.read(name, "health"));
    assert_eq!(health, [20, 17, 17, 20, 20], "twenty feet are four squares");
}

#[test]
fn a_zone_helps_those_near_it_and_goes_with_its_holder() {
    let mut game = game(&[("ann", 0, 0), ("ben", 2, 0), ("cid", 4, 0)]);
    game.run("ann", r#"{ create = "banner", to = "bearer" }"#);
    let guard = ["ann", "ben", "cid"].map(|name| game.read(name, "guard"));
    assert_eq!(guard, [12, 12, 10]);
    assert!(act(&mut game, &Intent::new("walk").by("ann").to(3, 0)).is_done());
    assert_eq!(game.read("cid", "guard"), 12);
}

#[test]
fn a_zone_on_a_square_stays_and_tells_who_comes_and_goes() {
    let mut game = game(&[("ann", 0, 0)]);
    let banner = Origin::Item(game.id("banner"));
    lay(&mut game, "standard", banner, 4, 0);
    assert_eq!(game.read("ann", "guard"), 10);
    assert!(act(&mut game, &Intent::new("walk").by("ann").to(3, 0)).is_done());
    assert_eq!((game.read("ann", "guard"), game.read("ann", "count.came"), game.read("ann", "count.went")), (12, 1, 0));
    assert!(act(&mut game, &Intent::new("walk").by("ann").to(0, 0)).is_done());
    assert_eq!((game.read("ann", "guard"), game.read("ann", "count.came"), game.read("ann", "count.went")), (10, 1, 1));
}

#[test]
fn err_nobody_walks_farther_than_the_action_goes_or_onto_another() {
    let mut game = game(&[("ann", 0, 0), ("ben", 2, 0)]);
    assert_eq!(&*refusal(act(&mut game, &Intent::new("walk").by("ann").to(7, 0))).text, "refuse.out_of_range");
    assert_eq!(&*refusal(act(&mut game, &Intent::new("walk").by("ann").to(2, 0))).text, "refuse.occupied");
    assert_eq!(&*refusal(act(&mut game, &Intent::new("walk").by("ann").to(9_000_000, 0))).text, "refuse.no_square");
}

#[test]
fn a_walk_of_alternate_diagonals_counts_every_second_one_twice() {
    let mut game = game(&[("ann", 0, 0)]);
    assert!(act(&mut game, &Intent::new("walk").by("ann").to(4, 4)).is_done(), "four diagonals are thirty feet");
    assert_eq!(&*refusal(act(&mut game, &Intent::new("walk").by("ann").to(9, 9))).text, "refuse.out_of_range");
}

#[test]
fn whoever_may_answer_a_step_can_halt_the_walk_there() {
    let stop = r#"
        [reaction.stop]
        window = "square.leaving"
        when = "not own_turn"
        text = "ask"
        do = [{ prevent = "why" }]
    "#;
    let mut game = Game::new(&format!("{RULES}{stop}"), &[]);
    for (name, x) in [("ann", 0), ("ben", 9)] {
        let creature = Origin::Creature(game.id("one"));
        lay(&mut game, name, creature, x, 0);
    }
    let deed = game.table.prepare(&Intent::new("walk").by("ann").to(3, 0)).unwrap();
    let asked = game.table.perform(&deed).unwrap();
    assert!(matches!(asked, Outcome::Asking(_)), "somebody is asked before the first step: {asked:?}");
    let mut answers = vec![0, 0, 1, 0, 0, 0];
    let mut outcome = asked;
    while let Outcome::Asking(_) = outcome {
        let answer = if answers.is_empty() { 0 } else { answers.remove(0) };
        outcome = game.table.answer(answer, &mut Oracle::Seeded).unwrap();
    }
    let square = game.table.state().entity(game.who("ann")).unwrap().square.unwrap();
    assert_eq!((square.x, square.y), (1, 0), "the third answer, on the second square, was yes");
}

#[test]
fn a_burst_catches_creatures_and_not_what_lies_about() {
    let mut game = game(&[("ann", 0, 0), ("ben", 4, 0)]);
    let banner = Origin::Item(game.id("banner"));
    lay(&mut game, "flag", banner, 5, 0);
    assert!(act(&mut game, &Intent::new("blast").by("ann").to(5, 0)).is_done());
    let hurt = game.last_records().iter().filter(|record| matches!(record, Record::Hurt { .. })).count();
    assert_eq!((hurt, game.read("ben", "health")), (1, 15));
}

#[test]
fn whoever_is_pushed_into_a_zone_enters_it() {
    let mut game = game(&[("ann", 0, 0), ("ben", 1, 0)]);
    let banner = Origin::Item(game.id("banner"));
    lay(&mut game, "flag", banner, 6, 0);
    game.strike("ann", "ben", r#"{ push = "20" }"#, &[]);
    assert_eq!((game.read("ben", "guard"), game.read("ben", "count.came")), (12, 1));
    game.strike("ann", "ben", r#"{ push = "-20" }"#, &[]);
    assert_eq!((game.read("ben", "guard"), game.read("ben", "count.went")), (10, 1));
}

#[test]
fn err_a_size_that_cannot_be_read_is_not_taken_for_one_square() {
    let size = "[stat.size]\n[stat.size.part.odd]\nvalue = \"5 / guard\"\n";
    let rules =
        format!("{RULES}{size}").replace("diagonals = \"alternate\"", "diagonals = \"alternate\"\nspace = \"size\"");
    let mut game = Game::new(&rules, &[]);
    let creature = Origin::Creature(game.id("one"));
    for (name, x) in [("ann", 0), ("ben", 4)] {
        lay(&mut game, name, creature, x, 0);
    }
    let mut zero = game.table.new_seat("cid", "one", "cid").unwrap();
    (zero.square, zero.stats) = (Some(Square { x: 5, y: 0 }), vec![(game.id("guard"), 0)]);
    game.perform(&Deed::Seat(Box::new(zero)));
    let fault = game.table.act(&Intent::new("blast").by("ann").to(5, 0)).unwrap_err();
    assert_eq!(fault.code, "HR0502", "{fault}");
}

#[test]
fn a_range_takes_the_distance_from_where_the_rules_do() {
    let shot = |default: &str| {
        format!(
            "{RULES}[action.shoot]\ntargets = {{ one = \"creature\", within = \"30\" }}\ndo = [{{ damage = \"1[harm]\" }}]\n[fact.far]\nfrom = \"distance\"\n{default}"
        )
    };
    let mut far = Game::new(&shot("default = \"40\""), &["ann", "ben"]);
    assert_eq!(&*refusal(far.act(Intent::new("shoot").by("ann").at("ben"))).text, "refuse.out_of_range");
    assert!(far.act(Intent::new("shoot").by("ann").at("ben").fact("far", 10)).is_done());
    let mut unknown = Game::new(&shot(""), &["ann", "ben"]);
    let asked = unknown.act(Intent::new("shoot").by("ann").at("ben"));
    assert!(matches!(asked, Outcome::Asking(_)), "nobody knows how far it is: {asked:?}");
    assert_eq!(&*refusal(unknown.table.answer(35, &mut Oracle::Seeded).unwrap()).text, "refuse.out_of_range");
}
