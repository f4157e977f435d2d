//! Where things happen: areas, zones, walks and what may halt them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

mod common;

use common::{Game, refusal};
use houserule_kernel::entity::StatBlockRef;
use houserule_kernel::intent::{Intent, NewEntity, Operation};
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
[action.spray]
targets = { cone = "15", when = "not target.ally_of_bearer" }
do = [{ damage = "2[harm]" }]
[action.volley]
targets = { cone = "15", most = "2" }
do = [{ damage = "4[harm]" }]
[action.shout]
targets = { emanation = "10" }
do = [{ damage = "1[harm]" }]
[action.lob]
targets = { burst = "5", at = "crossing", within = "30" }
do = [{ damage = "6[harm]" }]
[action.walk]
walk = "30"
[action.rush]
walk = "30"
targets = { one = "creature", within = "35" }
do = [{ damage = "7[harm]", when = "bearer.feet_to_target <= 5" }]
[action.smash]
targets = { one = "item", within = "5" }
do = [{ damage = "8[harm]", to = "owner" }, { drop = true, who = "target" }]
[action.pick_up]
targets = { one = "item", within = "5" }
[fact.behind]
from = "opposite"
by = "bearer.ally_of_actor and bearer.feet_to_target <= 5"
[fact.way]
from = "between"
[fact.crowd]
from = "near"
of = "target"
feet = "5"
by = "not bearer.ally_of_target"
default = "-1"
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
        let creature = StatBlockRef::Creature(game.id("one"));
        game.lay(name, creature, *x, *y);
    }
    game
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
    let banner = StatBlockRef::Item(game.id("banner"));
    game.lay("standard", banner, 4, 0);
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
        let creature = StatBlockRef::Creature(game.id("one"));
        game.lay(name, creature, x, 0);
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
    let banner = StatBlockRef::Item(game.id("banner"));
    game.lay("flag", banner, 5, 0);
    assert!(act(&mut game, &Intent::new("blast").by("ann").to(5, 0)).is_done());
    let hurt = game.last_records().iter().filter(|record| matches!(record, Record::Hurt { .. })).count();
    assert_eq!((hurt, game.read("ben", "health")), (1, 15));
}

#[test]
fn whoever_is_pushed_into_a_zone_enters_it() {
    let mut game = game(&[("ann", 0, 0), ("ben", 1, 0)]);
    let banner = StatBlockRef::Item(game.id("banner"));
    game.lay("flag", banner, 6, 0);
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
    let creature = StatBlockRef::Creature(game.id("one"));
    for (name, x) in [("ann", 0), ("ben", 4)] {
        game.lay(name, creature, x, 0);
    }
    let mut zero = game.table.new_seat("cid", "one", "cid").unwrap();
    (zero.square, zero.stats) = (Some(Square { x: 5, y: 0 }), vec![(game.id("guard"), 0)]);
    let fault = game.table.perform(&Operation::Seat(Box::new(zero))).unwrap_err();
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

/// Who lost health, by name.
fn hurt(game: &Game, names: &[&str]) -> Vec<String> {
    names.iter().filter(|name| game.read(name, "health") < 20).map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_cone_is_a_quarter_circle_that_begins_at_the_square_in_front() {
    let spots = [
        ("rook", 0, 0),
        ("first", 1, 0),
        ("side", 1, 1),
        ("second", 2, 1),
        ("third", 3, -1),
        ("far", 3, 2),
        ("back", -1, 0),
    ];
    let mut game = game(&spots);
    assert!(act(&mut game, &Intent::new("spray").by("rook").to(9, 0)).is_done());
    assert_eq!(hurt(&game, &["first", "side", "second", "third", "far", "back"]), ["first", "second", "third"]);
}

#[test]
fn a_cone_on_the_diagonal_leaves_out_both_straight_rows() {
    let mut game =
        game(&[("rook", 0, 0), ("row", 1, 0), ("near", 1, 1), ("flank", 2, 1), ("far", 2, 2), ("out", 3, 2)]);
    assert!(act(&mut game, &Intent::new("spray").by("rook").to(4, 4)).is_done());
    assert_eq!(hurt(&game, &["row", "near", "flank", "far", "out"]), ["near", "flank", "far"]);
}

#[test]
fn an_area_catches_so_many_at_most_and_the_nearest_first() {
    let mut game = game(&[("rook", 0, 0), ("far", 3, 0), ("near", 1, 0), ("middle", 2, 0)]);
    assert!(act(&mut game, &Intent::new("volley").by("rook").to(3, 0)).is_done());
    assert_eq!(hurt(&game, &["far", "near", "middle"]), ["near", "middle"]);
}

#[test]
fn an_emanation_spares_who_sends_it() {
    let mut game = game(&[("rook", 0, 0), ("near", 2, 0), ("far", 3, 0)]);
    assert!(act(&mut game, &Intent::new("shout").by("rook")).is_done());
    assert_eq!(hurt(&game, &["rook", "near", "far"]), ["near"]);
}

#[test]
fn err_an_emanation_needs_somebody_on_the_map() {
    let mut game = Game::new(RULES, &["rook"]);
    assert_eq!(&*refusal(act(&mut game, &Intent::new("shout").by("rook"))).text, "refuse.no_square");
}

#[test]
fn a_burst_at_a_crossing_fills_the_four_squares_round_it() {
    let mut game = game(&[("rook", 4, 4), ("a", 0, 0), ("b", -1, -1), ("c", 0, -1), ("d", 1, 0)]);
    assert!(act(&mut game, &Intent::new("lob").by("rook").to(0, 0)).is_done());
    assert_eq!(hurt(&game, &["a", "b", "c", "d"]), ["a", "b", "c"]);
}

#[test]
fn who_walks_up_to_somebody_strikes_from_where_it_stands_then() {
    let mut game = game(&[("rook", 0, 0), ("pawn", 5, 0)]);
    assert!(act(&mut game, &Intent::new("rush").by("rook").at("pawn").to(4, 0)).is_done());
    assert_eq!(game.read("pawn", "health"), 13);
    assert!(act(&mut game, &Intent::new("rush").by("rook").at("pawn").to(2, 0)).is_done());
    assert_eq!(game.read("pawn", "health"), 13, "three squares away");
}

#[test]
fn without_a_map_nobody_needs_a_square_to_walk() {
    let mut game = Game::new(RULES, &["rook", "pawn"]);
    assert!(act(&mut game, &Intent::new("walk").by("rook")).is_done());
}

#[test]
fn a_walk_by_way_of_other_squares_counts_all_of_them() {
    let mut game = game(&[("rook", 0, 0)]);
    let around = Intent::new("walk").by("rook").via(0, 4).to(4, 4);
    assert_eq!(&*refusal(act(&mut game, &around)).text, "refuse.out_of_range", "8 squares, 6 are left");
    assert!(act(&mut game, &Intent::new("walk").by("rook").via(0, 2).to(2, 4)).is_done(), "2, and 2 diagonals for 3");
    assert_eq!(game.table.state().entity(game.who("rook")).unwrap().square, Some(Square { x: 2, y: 4 }));
}

fn fact(game: &Game, name: &str) -> i32 {
    let about = houserule_kernel::situation::Situation {
        target: Some(game.who("pawn")),
        ..houserule_kernel::situation::Situation::of(game.who("rook"))
    };
    game.table.read_about(about, &format!("fact.{name}")).unwrap()
}

#[test]
fn facts_count_who_stands_opposite_between_and_near() {
    let mut game = Game::new(RULES, &[]);
    for (name, side, x, y) in [("rook", "a", 0, 0), ("pawn", "b", 2, 0), ("ally", "a", 3, 0), ("other", "b", 3, 1)] {
        let square = Some(Square { x, y });
        let (stats, pools, tags) = (Vec::new(), Vec::new(), Vec::new());
        let origin = StatBlockRef::Creature(game.id("one"));
        let seat = NewEntity {
            name: name.into(),
            origin,
            side: side.into(),
            square,
            stats,
            pools,
            tags,
            holds: None,
            owner: None,
        };
        game.perform(&Operation::Seat(Box::new(seat)));
    }
    assert_eq!((fact(&game, "behind"), fact(&game, "way"), fact(&game, "crowd")), (1, 0, 1));
    let stone = StatBlockRef::Item(game.id("banner"));
    game.lay("stone", stone, 2, 1);
    assert_eq!(fact(&game, "crowd"), 1, "a thing that lies there is nobody");
    let wall = StatBlockRef::Creature(game.id("one"));
    game.lay("wall", wall, 1, 0);
    assert_eq!((fact(&game, "way"), fact(&game, "crowd")), (2, 2), "half of the lines from the best corner");
}

#[test]
fn facts_of_a_map_that_nobody_stands_on_are_by_default_or_asked() {
    let game = Game::new(RULES, &["rook", "pawn"]);
    assert_eq!(fact(&game, "crowd"), -1);
    let about = houserule_kernel::situation::Situation {
        target: Some(game.who("pawn")),
        ..houserule_kernel::situation::Situation::of(game.who("rook"))
    };
    let asked = game.table.read_about(about, "fact.behind").unwrap_err();
    assert!(asked.to_string().contains("behind"), "{asked}");
}

#[test]
fn a_thing_is_where_its_holder_is_and_lies_there_when_it_is_dropped() {
    let mut game = game(&[("rook", 0, 0), ("pawn", 1, 0)]);
    game.run("pawn", r#"{ create = "banner" }"#);
    assert!(act(&mut game, &Intent::new("smash").by("rook").at("pawn's banner")).is_done());
    assert_eq!(game.read("pawn", "health"), 12, "the owner");
    let banner = game.table.state().entity(game.who("pawn's banner")).unwrap();
    assert_eq!((banner.owner, banner.square), (None, Some(Square { x: 1, y: 0 })));
}

#[test]
fn err_a_creature_is_no_item() {
    let mut game = game(&[("rook", 0, 0), ("pawn", 1, 0)]);
    let refused = refusal(act(&mut game, &Intent::new("smash").by("rook").at("pawn")));
    assert_eq!(&*refused.text, "refuse.wrong_target");
}

const GUARDS: &str = r#"
[tag]
sharp = "s"
loud = "l"
[stat.reach]
start = 0
[pool.health]
max = "20"
[pool.chance]
max = "1"
[damage]
pools = ["health"]
[grid]
diagonals = "one"
feet_per_square = 5
[check.hit]
roll = "1d6"
bonus = "bold"
degrees = ["done"]
[stat.bold]
[stat.bold.part.loud]
value = "3"
when = "action has loud"
[action.run]
tags = ["loud"]
walk = "30"
[action.poke]
tags = ["loud"]
[reaction.catch]
window = "square.leaving"
item = "sharp"
when = "not bearer.ally_of_actor and bearer.feet_to_actor <= item.reach and not (other has sharp)"
cost = { chance = 1 }
text = "ask"
do = [{ check = "hit", who = "actor", on = { done = [{ damage = "total" }, { say = "why", when = "item.reach > 5" }] } }]
[item.spoon]
[item.knife]
tags = ["sharp"]
stats = { reach = 5 }
[item.pike]
tags = ["sharp"]
stats = { reach = 10 }
[creature.one]
holds = ["spoon", "knife", "pike"]
"#;

/// Rook runs past pawn, who may catch it from so many squares away.
fn run_past(far: i32, rules: &str) -> (Game, usize) {
    let mut game = Game::new(rules, &[]);
    for (name, x, y) in [("rook", 0, 0), ("pawn", 0, far)] {
        let one = StatBlockRef::Creature(game.id("one"));
        game.lay(name, one, x, y);
    }
    let mut outcome = act(&mut game, &Intent::new("run").by("rook").to(5, 0));
    let mut asked = 0;
    while let Outcome::Asking(question) = outcome {
        assert_eq!(question.who, game.who("pawn"));
        asked += 1;
        outcome = game.table.answer(1, &mut common::tape(&["4"])).unwrap();
    }
    assert!(outcome.is_done(), "{outcome:?}");
    (game, asked)
}

#[test]
fn who_is_passed_by_reacts_with_the_first_thing_that_reaches_so_far() {
    let (game, asked) = run_past(1, GUARDS);
    assert_eq!((asked, game.read("rook", "health"), said(&game)), (1, 16, 0), "the knife comes first");
    let (game, asked) = run_past(2, GUARDS);
    assert_eq!((asked, game.read("rook", "health"), said(&game)), (1, 16, 1), "only the pike reaches two squares");
    let (game, asked) = run_past(3, GUARDS);
    assert_eq!((asked, game.read("rook", "health")), (0, 20));
}

#[test]
fn the_action_of_the_other_lends_a_reaction_no_tags_but_one_of_its_own_does() {
    let (game, _) = run_past(1, GUARDS);
    assert_eq!(game.read("rook", "health"), 16, "running is loud, the blow is not");
    let (game, _) = run_past(1, &GUARDS.replace("item = \"sharp\"", "item = \"sharp\"\nas = \"poke\""));
    assert_eq!(game.read("rook", "health"), 13, "3 for being loud");
}

fn said(game: &Game) -> usize {
    let said = |entry| {
        game.table.journal().records(entry).iter().filter(|record| matches!(record, Record::Said { .. })).count()
    };
    game.table.journal().done().iter().map(said).sum()
}

#[test]
fn err_a_reaction_is_done_with_a_tag_and_as_an_action() {
    let told = common::wrong(&GUARDS.replace("item = \"sharp\"", "item = \"shrap\"\nas = \"pok\""));
    assert!(told.contains("did you mean `sharp`?") && told.contains("did you mean `poke`?"), "{told}");
}

#[test]
fn a_zone_that_moves_tells_whom_it_covers_now_and_whom_no_more() {
    let mut game = game(&[("ann", 0, 0), ("ben", 3, 0), ("cid", 0, 2)]);
    game.run("ann", r#"{ create = "banner" }"#);
    let tides = |game: &Game, who: &str| (game.read(who, "count.came"), game.read(who, "count.went"));
    assert!(act(&mut game, &Intent::new("walk").by("ann").to(2, 0)).is_done());
    assert_eq!((tides(&game, "ben"), tides(&game, "cid"), tides(&game, "ann")), ((1, 0), (0, 1), (0, 0)));
    assert!(act(&mut game, &Intent::new("walk").by("ann").to(5, 0)).is_done());
    assert_eq!((tides(&game, "ben"), tides(&game, "cid")), ((1, 0), (0, 1)));
    assert_eq!((game.read("ben", "guard"), game.read("cid", "guard")), (12, 10));
}

#[test]
fn a_step_costs_what_the_packs_say_of_the_square_it_goes_onto() {
    let swamp = r#"
[stat.depth]
[item.swamp]
radius = "0"
[item.swamp.modifier.deep]
to = ["depth"]
value = "1"
on = "near"
"#;
    let text = RULES.replace(
        "diagonals = \"alternate\"",
        "diagonals = \"alternate\"\ncost = \"if(depth > 0, if(diagonal, 3, 2), step)\"",
    );
    let mut game = Game::new(&format!("{text}{swamp}"), &[]);
    let (one, swamp) = (StatBlockRef::Creature(game.id("one")), StatBlockRef::Item(game.id("swamp")));
    game.lay("rook", one, 0, 0);
    for (name, x, y) in [("pool", 1, 0), ("mere", 2, 1), ("bog", 3, 1)] {
        game.lay(name, swamp, x, y);
    }
    let refused = refusal(act(&mut game, &Intent::new("walk").by("rook").via(1, 0).via(2, 1).via(3, 1).to(4, 1)));
    let far = refused.arguments.iter().find(|(name, _)| &**name == "distance").unwrap();
    assert_eq!(&*far.1, "40", "2, 3 aslant, 2 and 1 squares");
    assert!(act(&mut game, &Intent::new("walk").by("rook").to(0, 6)).is_done(), "dry all the way");
}

#[test]
fn a_reach_of_two_squares_takes_in_the_corners_if_the_packs_say_so() {
    let long = "[action.poke]\ntargets = { one = \"creature\", within = \"10\" }\n";
    for (corners, allowed) in [(true, true), (false, false)] {
        let grid = format!("diagonals = \"alternate\"\ntwo_takes_corners = {corners}");
        let mut game = Game::new(&format!("{}{long}", RULES.replace("diagonals = \"alternate\"", &grid)), &[]);
        let one = StatBlockRef::Creature(game.id("one"));
        game.lay("rook", one, 0, 0);
        game.lay("pawn", one, 2, 2);
        assert_eq!(act(&mut game, &Intent::new("poke").by("rook").at("pawn")).is_done(), allowed);
    }
}

#[test]
fn all_of_a_kind_is_dropped_and_the_rest_is_kept() {
    let mut game = game(&[("rook", 3, 3)]);
    game.run("rook", r#"{ create = "banner" }, { create = "banner" }, { tag = "harm", who = "bearer" }"#);
    let marked = game.ruling("rook's banner", None, r#"{ tag = "harm" }"#);
    game.perform(&marked);
    game.run("rook", r#"{ drop = "harm" }"#);
    let square = |name: &str| game.table.state().entity(game.who(name)).unwrap().square;
    assert_eq!((square("rook's banner"), square("rook's banner 2")), (Some(Square { x: 3, y: 3 }), None));
}

#[test]
fn err_what_an_area_needs_is_asked_before_it_is_measured() {
    let text = format!("{RULES}[action.cone]\nitem = \"harm\"\ntargets = {{ cone = \"item.guard\" }}\n");
    let mut game = Game::new(&text, &["rook"]);
    assert_eq!(&*refusal(act(&mut game, &Intent::new("cone").by("rook").to(1, 0))).text, "refuse.no_item");
}

#[test]
fn a_size_that_hangs_on_another_number_is_measured_where_zones_lie() {
    let text = RULES.replace("feet_per_square = 5", "feet_per_square = 5\nspace = \"space\"");
    let big = "[stat.bulk]\nstart = 1\n[stat.space]\n[stat.space.part.bulk]\nvalue = \"5 * bulk\"\n";
    let mut game = Game::new(&format!("{text}{big}"), &[]);
    let (one, banner) = (StatBlockRef::Creature(game.id("one")), StatBlockRef::Item(game.id("banner")));
    game.lay("rook", one, 0, 0);
    game.lay("flag", banner, 1, 0);
    assert_eq!((game.read("rook", "guard"), game.read("rook", "space")), (12, 5));
}

#[test]
fn the_question_to_who_may_react_names_everybody() {
    let mut game = Game::new(GUARDS, &[]);
    for (name, x, y) in [("rook", 0, 0), ("pawn", 0, 1)] {
        let one = StatBlockRef::Creature(game.id("one"));
        game.lay(name, one, x, y);
    }
    let Outcome::Asking(question) = act(&mut game, &Intent::new("run").by("rook").to(5, 0)) else {
        panic!("not asked")
    };
    let named =
        |word: &str| question.arguments.iter().find(|(name, _)| &**name == word).map(|(_, value)| value.to_string());
    assert_eq!(
        (named("who"), named("actor"), named("item")),
        (Some("pawn".into()), Some("rook".into()), Some("pawn's knife".into()))
    );
}

#[test]
fn a_walk_aslant_takes_as_few_steps_as_there_are() {
    let mut game = game(&[("rook", 0, 0)]);
    let refused = refusal(act(&mut game, &Intent::new("walk").by("rook").to(8, 0)));
    assert_eq!(&*refused.text, "refuse.out_of_range");
    assert!(act(&mut game, &Intent::new("walk").by("rook").to(4, 3)).is_done(), "3 aslant and 1: 25 feet of 30");
    let around = Intent::new("walk").by("rook").to(0, 0);
    assert!(act(&mut game, &around).is_done(), "and back");
}

#[test]
fn who_reacts_rolls_for_itself_and_takes_no_part_in_what_targets_share() {
    let rules = r#"
[tag]
harm = "h"
[pool.health]
max = "20"
[damage]
pools = ["health"]
[action.blast]
targets = { some = "creature" }
do = [{ damage = "1d6", shared = true }]
[reaction.return]
window = "damage.taken"
when = "bearer has harm"
text = "ask"
do = [{ untag = "harm" }, { damage = "1d6", shared = true }]
"#;
    let mut game = Game::new(&format!("{rules}[creature.one]\n"), &["rook", "pawn"]);
    let deed = game.table.prepare(&Intent::new("blast").by("rook").at("pawn")).unwrap();
    game.run("pawn", r#"{ tag = "harm" }"#);
    let asked = game.table.perform_with(&deed, &mut common::tape(&["5"])).unwrap();
    assert!(matches!(asked, Outcome::Asking(_)), "{asked:?}");
    let done = game.table.answer(true, &mut common::tape(&["2"])).unwrap();
    assert!(done.is_done(), "{done:?}");
    assert_eq!((game.read("pawn", "health"), game.read("rook", "health")), (15, 18));
}
