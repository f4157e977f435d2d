//! Damage: rolled, multiplied, through the stages, into the pools.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

mod common;

use common::Game;
use houserule_kernel::journal::Record;
use proptest::prelude::*;

const BASE: &str = r#"
[creature.one]
[tag]
fire = "f"
cold = "c"
energy = "e"
slashing = "s"
nonlethal = "n"
undead = "u"
[stat.power]
[stat.resist]
[pool.hp]
max = "100"
min = "-20"
[count.a]
[count.b]
[note.n]
"#;

/// Rules with this `[damage]`; the victim starts with 100 points.
fn game(damage: &str) -> Game {
    Game::new(&format!("{BASE}[damage]\npools = [\"hp\"]\n{damage}"), &["rook", "pawn"])
}

/// How much the pawn loses.
fn lost(game: &mut Game, step: &str, faces: &[&str]) -> i32 {
    let before = game.read("pawn", "hp");
    game.strike("rook", "pawn", step, faces);
    before - game.read("pawn", "hp")
}

#[test]
fn doubled_twice_is_rolled_three_times() {
    let mut game = game("multiply = \"reroll\"");
    assert_eq!(lost(&mut game, r#"{ damage = "1d6 + 3", times = "1 + 1 + 1" }"#, &["2", "5", "6"]), 22);
}

#[test]
fn a_flat_bonus_is_rolled_along() {
    let mut game = Game::new(
        &format!("{BASE}[creature.strong]\nstats = {{ power = 6 }}\n[damage]\npools = [\"hp\"]\nmultiply = \"reroll\""),
        &["pawn"],
    );
    game.seat("rook", "strong");
    assert_eq!(lost(&mut game, r#"{ damage = "1d8", bonus = "power", times = 2 }"#, &["3", "5"]), 20);
}

#[test]
fn how_damage_is_multiplied_is_data() {
    let of = |multiply: &str, faces: &[&str]| {
        let text = format!(
            "{BASE}[creature.strong]\nstats = {{ power = 6 }}\n[damage]\npools = [\"hp\"]\nmultiply = \"{multiply}\""
        );
        let mut game = Game::new(&text, &["pawn"]);
        game.seat("rook", "strong");
        lost(&mut game, r#"{ damage = "1d8", bonus = "power", times = 2 }"#, faces)
    };
    assert_eq!(of("reroll", &["3", "5"]), 20);
    assert_eq!(of("result", &["3"]), 3 * 2 + 6);
    assert_eq!(of("total", &["3"]), (3 + 6) * 2);
}

#[test]
fn what_is_not_multiplied_is_a_step_of_its_own() {
    let mut game = game("multiply = \"total\"");
    assert_eq!(lost(&mut game, r#"{ damage = "3", times = 2 }, { damage = "1" }"#, &[]), 7);
}

#[test]
fn weakness_and_resistance_come_after_doubling() {
    let damage = r#"
    multiply = "total"
    order = ["weakness", "resistance"]
    [damage.stage.weakness]
    per = "type"
    when = "damage has fire and bearer has undead"
    amount = "amount + 5"
    [damage.stage.resistance]
    per = "type"
    when = "damage has fire and resist > 0"
    amount = "max(0, amount - resist)"
    [creature.weak]
    tags = ["undead"]
    [creature.hard]
    stats = { resist = 5 }
    "#;
    let mut game = game(damage);
    game.seat("weak", "weak");
    game.seat("hard", "hard");
    for victim in ["weak", "hard"] {
        game.strike("rook", victim, r#"{ damage = "7", type = "fire", times = 2 }"#, &[]);
    }
    assert_eq!((100 - game.read("weak", "hp"), 100 - game.read("hard", "hp")), (19, 9));
    game.strike("rook", "hard", r#"{ damage = "7", type = "cold" }"#, &[]);
    assert_eq!(game.read("hard", "hp"), 91 - 7);
}

#[test]
fn resistance_to_all_may_be_per_type_or_per_hit() {
    let per = |per: &str| {
        let mut game =
            game(&format!("order = [\"r\"]\n[damage.stage.r]\nper = \"{per}\"\namount = \"max(0, amount - 5)\""));
        lost(&mut game, r#"{ damage = "7[slashing] + 4[fire]" }"#, &[])
    };
    assert_eq!((per("type"), per("hit"), per("part")), (2, 6, 2));
}

#[test]
fn parts_of_one_type_are_met_one_by_one_or_together() {
    let per = |per: &str| {
        let mut game = game(&format!(
            "multiply = \"reroll\"\norder = [\"r\"]\n[damage.stage.r]\nper = \"{per}\"\namount = \"max(0, amount - 5)\""
        ));
        lost(&mut game, r#"{ damage = "3[fire] + 7[cold] + 4[fire]", times = 2 }"#, &[])
    };
    assert_eq!(per("part"), 1 + 9 + 3);
    assert_eq!(per("type"), 9 + 9);
    assert_eq!(per("hit"), 23);
}

#[test]
fn the_least_damage_is_one_and_not_lethal() {
    let damage = "order = [\"minimum\"]\n[damage.stage.minimum]\nper = \"hit\"\nwhen = \"amount < 1\"\namount = \"1\"\ntag = \"nonlethal\"\n[hook.h]\non = \"damage.taken\"\nwhen = \"damage has nonlethal\"\ndo = [{ count = \"a\", add = \"amount\" }]";
    let mut game = game(damage);
    assert_eq!(lost(&mut game, r#"{ damage = "1d4 - 5", type = "slashing" }"#, &["2"]), 1);
    assert_eq!(game.read("pawn", "count.a"), 1);
    assert_eq!(lost(&mut game, r#"{ damage = "1d4", type = "slashing" }"#, &["2"]), 2);
    assert_eq!(game.read("pawn", "count.a"), 1);
}

const POOLS: &str = "[pool.temporary]\nmax = \"20\"\nstart = \"0\"\n[pool.stamina]\nmax = \"10\"\n[pool.health]\nmax = \"20\"\n[damage]\npools = [\"temporary\", \"stamina\", \"health\"]";

fn pools(game: &Game) -> [i32; 3] {
    ["temporary", "stamina", "health"].map(|pool| game.read("pawn", pool))
}

#[test]
fn pools_lose_in_their_order() {
    let mut game = Game::new(&format!("{BASE}{POOLS}"), &["rook", "pawn"]);
    game.run("pawn", r#"{ pool = "stamina", set = "6" }"#);
    game.strike("rook", "pawn", r#"{ damage = "9" }"#, &[]);
    assert_eq!(pools(&game), [0, 0, 17]);
}

#[test]
fn what_one_pool_cannot_take_the_next_does() {
    let mut game = Game::new(&format!("{BASE}{POOLS}"), &["rook", "pawn"]);
    game.run("pawn", r#"{ pool = "temporary", set = "7" }"#);
    game.strike("rook", "pawn", r#"{ damage = "4" }"#, &[]);
    assert_eq!(pools(&game), [3, 10, 20]);
    game.strike("rook", "pawn", r#"{ damage = "9" }"#, &[]);
    assert_eq!(pools(&game), [0, 4, 20]);
}

#[test]
fn what_no_pool_can_take_is_left_over_and_told() {
    let more = "[hook.h]\non = \"pool.emptied\"\npool = \"hp\"\ndo = [{ count = \"a\", add = \"left_over\" }, { count = \"b\", add = \"amount\" }]";
    let mut game = Game::new(&format!("{BASE}{more}\n[damage]\npools = [\"hp\"]"), &["rook", "pawn"]);
    assert_eq!(lost(&mut game, r#"{ damage = "150" }"#, &[]), 120);
    assert_eq!((game.read("pawn", "count.a"), game.read("pawn", "count.b")), (30, 120));
    assert!(game.last_records().iter().any(|record| matches!(record, Record::Hurt { amount: 150, left_over: 30, .. })));
}

#[test]
fn a_blow_may_be_halved_by_a_stage() {
    let halve = "order = [\"halve\"]\n[damage.stage.halve]\nper = \"type\"\nwhen = \"halved\"\namount = \"amount / 2\"";
    let mut game = game(halve);
    assert_eq!(lost(&mut game, r#"{ damage = "7[fire] + 3[cold]", halved = "yes" }"#, &[]), 3 + 1);
    assert_eq!(lost(&mut game, r#"{ damage = "7[fire] + 3[cold]", halved = "1 > 2" }"#, &[]), 10);
}

#[test]
fn stages_run_in_their_order_and_only_those_that_are_named() {
    let stages = "[damage.stage.double]\namount = \"amount * 2\"\n[damage.stage.less]\namount = \"amount - 3\"\n[damage.stage.never]\namount = \"0\"";
    let of = |order: &str| lost(&mut game(&format!("order = [{order}]\n{stages}")), r#"{ damage = "5" }"#, &[]);
    assert_eq!(of("\"double\", \"less\""), 7);
    assert_eq!(of("\"less\", \"double\""), 4);
    assert_eq!(of(""), 5);
}

#[test]
fn a_hook_before_a_stage_or_before_all_may_prevent_it() {
    let stage = "order = [\"less\"]\n[damage.stage.less]\namount = \"amount - 3\"\n";
    let hook = |event: &str| {
        format!(
            "{stage}[hook.h]\non = \"{event}\"\nwhen = \"bearer has undead\"\ndo = [{{ prevent = \"no\" }}]\n[creature.lich]\ntags = [\"undead\"]"
        )
    };
    for (event, lost) in [("damage/less", 5), ("damage.begin", 0)] {
        let mut game = game(&hook(event));
        game.seat("lich", "lich");
        game.strike("rook", "lich", r#"{ damage = "5" }"#, &[]);
        assert_eq!(100 - game.read("lich", "hp"), lost, "{event}");
        game.strike("rook", "pawn", r#"{ damage = "5" }"#, &[]);
        assert_eq!(game.read("pawn", "hp"), 98);
    }
}

#[test]
fn implied_tags_are_asked_about_like_the_types_themselves() {
    let damage = "order = [\"ward\"]\n[damage.stage.ward]\nper = \"type\"\nwhen = \"damage has any_energy\"\namount = \"0\"\n[tag.any_energy]\nabout = \"x\"\n[tag.acid]\nimplies = [\"any_energy\"]";
    let mut game = game(damage);
    assert_eq!(lost(&mut game, r#"{ damage = "5[acid] + 2[fire]" }"#, &[]), 2);
}

#[test]
fn healing_never_rises_above_the_most_nor_takes_away() {
    let mut game = game("");
    game.strike("pawn", "pawn", r#"{ pool = "hp", set = "90" }, { heal = "1d8 + 2", pool = "hp" }"#, &["4"]);
    assert_eq!(game.read("pawn", "hp"), 96);
    game.run("pawn", r#"{ heal = "50", pool = "hp" }, { heal = "0 - 30", pool = "hp" }"#);
    assert_eq!(game.read("pawn", "hp"), 100);
}

#[test]
fn negative_damage_heals_nobody() {
    let mut game = game("");
    game.run("pawn", r#"{ pool = "hp", set = "50" }"#);
    assert_eq!(lost(&mut game, r#"{ damage = "1d4 - 9" }"#, &["1"]), 0);
}

#[test]
fn a_bonus_counts_even_where_nothing_was_rolled() {
    let mut game =
        Game::new(&format!("{BASE}[creature.strong]\nstats = {{ power = 6 }}\n[damage]\npools = [\"hp\"]"), &["pawn"]);
    game.seat("rook", "strong");
    assert_eq!(lost(&mut game, r#"{ damage = "0", bonus = "power", type = "fire" }"#, &[]), 6);
}

#[test]
fn err_an_item_without_such_a_roll_is_a_fault() {
    let mut game = game("");
    let fault = game.fault("rook", r#"{ damage = "item.bite", to = "bearer" }"#);
    assert_eq!(fault, "`nothing` has no roll named `bite` [HR0531]");
}

#[test]
fn err_damage_beyond_the_range_of_numbers_is_no_wrap() {
    let mut game = game("multiply = \"total\"");
    let deed = game.ruling("rook", Some("pawn"), r#"{ damage = "2000000000", times = "2000000000" }"#);
    let _ = game.table.perform(&deed);
    assert!(game.read("pawn", "hp") <= 100);
}

proptest! {
    #[test]
    fn pools_never_leave_their_ranges(steps in prop::collection::vec((0..4_u8, 0..3_usize, -40..90_i32), 1..20)) {
        let mut game = Game::new(&format!("{BASE}{POOLS}"), &["rook", "pawn"]);
        let ranges = [("temporary", 0, 20), ("stamina", 0, 10), ("health", 0, 20)];
        for (kind, pool, amount) in steps {
            let (pool, ..) = ranges[pool];
            let step = match kind {
                0 => format!("{{ damage = \"{amount}\" }}"),
                1 => format!("{{ heal = \"{amount}\", pool = \"{pool}\", who = \"target\" }}"),
                2 => format!("{{ pool = \"{pool}\", add = \"{amount}\", who = \"target\" }}"),
                _ => format!("{{ pool = \"{pool}\", set = \"{amount}\", who = \"target\" }}"),
            };
            game.strike("rook", "pawn", &step, &[]);
            for (pool, least, most) in ranges {
                prop_assert!((least..=most).contains(&game.read("pawn", pool)), "{pool} after {step}");
            }
        }
    }
}

#[test]
fn err_damage_beyond_the_numbers_is_a_fault_and_no_silent_most() {
    let mut game = game("");
    let fault = game.fault("rook", r#"{ damage = "2000000000", times = "2", to = "bearer" }"#);
    assert_eq!(fault, "an amount of damage leaves the range of numbers [HR0501]");
    assert_eq!(game.read("rook", "hp"), 100);
}

#[test]
fn err_a_pool_that_somebody_has_not_is_neither_hurt_nor_set() {
    let more = "[pool.shield]\nmax = \"5\"\nmin = \"-5\"\nof = [\"energy\"]";
    let pools = "[damage]\npools = [\"shield\", \"hp\"]\n";
    let mut game = Game::new(&format!("{BASE}{pools}{more}"), &["rook"]);
    game.run("rook", r#"{ damage = "3", to = "bearer" }"#);
    assert_eq!((game.read("rook", "hp"), game.read("rook", "shield")), (97, 0));
    let fault = game.fault("rook", r#"{ pool = "shield", add = "2" }"#);
    assert_eq!(fault, "`rook` has no pool `shield`; see its `of` [HR0525]");
    game.run("rook", r#"{ tag = "energy" }, { pool = "shield", add = "2" }"#);
    assert_eq!(game.read("rook", "shield"), 2);
}

#[test]
fn extra_dice_are_added_once_however_often_the_rest_is_multiplied() {
    for (multiply, faces, expected) in
        [("reroll", &["5", "2", "4"][..], 5 + 3 + 2 + 3 + 4), ("total", &["5", "4"], (5 + 3) * 2 + 4)]
    {
        let mut game = game(&format!("multiply = \"{multiply}\""));
        let steps = r#"{ damage = "1d8[slashing] + 3[slashing]", times = 2, extra = ["1d6[fire]"] }"#;
        assert_eq!(lost(&mut game, steps, faces), expected, "{multiply}");
    }
}

#[test]
fn how_damage_is_multiplied_may_hang_on_an_option() {
    let ways = r#"multiply = [{ when = "option.once == 1", use = "total" }, { use = "reroll" }]
[option.once]
about = "o"
kind = "yes_no"
default = false"#;
    let mut game = game(ways);
    assert_eq!(lost(&mut game, r#"{ damage = "1d8", times = 2 }"#, &["5", "2"]), 7);
    let mut game = self::game(&ways.replace("false", "true"));
    assert_eq!(lost(&mut game, r#"{ damage = "1d8", times = 2 }"#, &["5"]), 10);
}

#[test]
fn err_ways_to_multiply_are_spelled_so() {
    let told = common::wrong("[damage]\nmultiply = [{ use = \"twice\" }]");
    assert!(told.contains("`use` cannot be `twice`"), "{told}");
}

#[test]
fn targets_of_one_action_share_its_roll_and_a_critical_adds_a_second() {
    let rules = format!(
        r#"{BASE}[damage]
pools = ["hp"]
multiply = "reroll"
[action.blast]
targets = {{ some = "creature" }}
do = [
  {{ damage = "1d6", shared = true, when = "not (target has undead)" }},
  {{ damage = "1d6", shared = true, times = "2", when = "target has undead" }},
]
[creature.ghost]
tags = ["undead"]"#
    );
    let mut game = Game::new(&rules, &["rook", "pawn"]);
    game.seat("ghost", "ghost");
    let deed = game.table.prepare(&houserule_kernel::intent::Intent::new("blast").by("rook").at("pawn").at("ghost"));
    game.taped(&deed.unwrap(), &["5", "2"]);
    assert_eq!((game.read("pawn", "hp"), game.read("ghost", "hp")), (95, 93));
    let deed = game.table.prepare(&houserule_kernel::intent::Intent::new("blast").by("rook").at("pawn"));
    game.taped(&deed.unwrap(), &["6"]);
    assert_eq!(game.read("pawn", "hp"), 89, "another action rolls anew");
}

#[test]
fn a_hook_lowers_what_is_dealt_and_never_below_nothing() {
    let stage = r#"order = ["last"]
[damage.stage.last]
per = "hit"
amount = "amount"
[hook.shield]
on = "damage/last"
do = [{ reduce = "6" }]"#;
    let mut game = game(stage);
    assert_eq!(lost(&mut game, r#"{ damage = "10[fire] + 2[cold]" }"#, &[]), 6);
    assert_eq!(lost(&mut game, r#"{ damage = "4" }"#, &[]), 0);
}

#[test]
fn err_nothing_is_lowered_where_nothing_is_dealt() {
    let mut game = game("");
    let told = game.fault("rook", r#"{ reduce = "1" }"#);
    assert!(told.contains("HR0528") && told.contains("damage.begin"), "{told}");
}

#[test]
fn two_multipliers_of_one_blow_count_together() {
    let mut game = game("multiply = \"total\"");
    assert_eq!(lost(&mut game, r#"{ damage = "10", times = ["2", "2"] }"#, &[]), 30);
    assert_eq!(lost(&mut game, r#"{ damage = "10", times = ["2", "3"] }"#, &[]), 40);
    assert_eq!(lost(&mut game, r#"{ damage = "10", times = ["1", "0"] }"#, &[]), 0);
}

#[test]
fn a_sum_with_a_number_of_the_item_is_no_named_roll() {
    let rules = format!(
        r#"{BASE}[stat.edge]
[item.knife]
tags = ["slashing"]
stats = {{ edge = 7 }}
[damage]
pools = ["hp"]
[action.cut]
item = "slashing"
targets = {{ one = "creature" }}
do = [{{ damage = "item.edge - 2" }}]"#
    );
    let mut game = Game::new(&rules, &["rook", "pawn"]);
    game.run("rook", r#"{ create = "knife" }"#);
    assert!(game.act(houserule_kernel::intent::Intent::new("cut").by("rook").at("pawn")).is_done());
    assert_eq!(game.read("pawn", "hp"), 95);
}

#[test]
fn targets_share_the_dice_and_each_has_what_is_added_for_it() {
    let rules = format!(
        r#"{BASE}[stat.power.part.holy]
value = "4"
when = "target has undead"
[damage]
pools = ["hp"]
[action.blast]
targets = {{ some = "creature" }}
do = [{{ damage = "1d6", bonus = "power", shared = true }}]
[creature.ghost]
tags = ["undead"]"#
    );
    let mut game = Game::new(&rules, &["rook", "pawn"]);
    game.seat("ghost", "ghost");
    let deed = game.table.prepare(&houserule_kernel::intent::Intent::new("blast").by("rook").at("pawn").at("ghost"));
    game.taped(&deed.unwrap(), &["5"]);
    assert_eq!((game.read("pawn", "hp"), game.read("ghost", "hp")), (95, 91));
}

#[test]
fn a_stage_knows_what_the_blow_came_to_before_it_was_multiplied() {
    for way in ["total", "result", "reroll"] {
        let stage =
            "order = [\"spared\"]\n[damage.stage.spared]\nper = \"hit\"\nwhen = \"times > 1\"\namount = \"once\"\n";
        let mut game = game(&format!("multiply = \"{way}\"\n{stage}"));
        let faces: &[&str] = if way == "reroll" { &["4", "5", "6"] } else { &["4", "6"] };
        assert_eq!(lost(&mut game, r#"{ damage = "1d6 + 1", times = 2, extra = "1d6" }"#, faces), 5, "{way}");
    }
}
