//! How bonuses, penalties, caps and views come to one number.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

mod common;

use common::{Game, rules};
use houserule_kernel::entity::StatBlockRef;
use houserule_kernel::ident::{Id as _, IdVec, RuleId, TypeId};
use houserule_kernel::intent::{NewEntity, Operation};
use houserule_kernel::modifier::{Effect, LimitTarget, Same, StackPolicy, Stacking, TypePolicy};
use houserule_kernel::space::Square;
use houserule_kernel::tally::{StackingRules, Tally, TallyLine, TermStatus};
use proptest::prelude::*;

/// A creature on which conditions put lines: `("morale", 4, "")` is a bonus of
/// 4 of that type; the third word is more of the modifier.
fn number(types: &str, lines: &[(&str, i32, &str)]) -> i32 {
    let mut text = format!("[creature.one]\n[stat.s]\n{types}\n");
    for (at, (kind, value, more)) in lines.iter().enumerate() {
        text +=
            &format!("[condition.c{at}.modifier.m]\nto = [\"s\"]\ntype = \"{kind}\"\nvalue = \"{value}\"\n{more}\n");
    }
    let mut game = Game::new(&text, &["rook"]);
    for at in 0..lines.len() {
        game.run("rook", &format!("{{ apply = \"c{at}\" }}"));
    }
    game.read("rook", "s")
}

const STATUS: &str = "[type.status]\n[type.circumstance]\n[type.morale]";

#[test]
fn of_one_type_the_best_bonus_counts_for_every_number() {
    assert_eq!(6 + number(STATUS, &[("status", 2, ""), ("status", 2, ""), ("status", 1, "")]), 8);
}

#[test]
fn what_is_inactive_beats_nobody() {
    assert_eq!(number(STATUS, &[("status", 4, "when = \"round > 5\""), ("status", 2, "")]), 2);
}

#[test]
fn penalties_of_different_types_both_subtract() {
    assert_eq!(10 + number(STATUS, &[("status", -3, "")]), 7);
    assert_eq!(10 + number(STATUS, &[("status", -3, ""), ("circumstance", -2, "")]), 5);
}

#[test]
fn an_item_is_improved_first_and_competes_then() {
    let text = r#"
    [type.armor]
    [type.enhancement]
    [tag]
    worn = "is worn"
    [stat.ac]
    [stat.ac.part.base]
    value = "10"
    [stat.ac.part.worn]
    each = "worn"
    value = "item.protects"
    type = "armor"
    [stat.protects]
    [stat.better]
    [stat.protects.part.better]
    value = "better"
    type = "enhancement"
    [item.shirt]
    tags = ["worn"]
    stats = { protects = 4, better = 3 }
    [item.bracers]
    tags = ["worn"]
    stats = { protects = 6 }
    [creature.one]
    holds = ["shirt", "bracers"]
    "#;
    assert_eq!(Game::new(text, &["rook"]).read("rook", "ac"), 17);
}

#[test]
fn worn_armor_is_a_line_of_its_type_like_any_other() {
    assert_eq!(10 + number("[type.armor]\n[type.dex]", &[("armor", 5, ""), ("armor", 4, ""), ("dex", 2, "")]), 17);
}

#[test]
fn types_that_add_up_do_so_per_source() {
    let per_source = "[type.insight]\n[type.circumstance]\nbonuses = \"sum-per-source\"\n[tag]\nx = \"x\"";
    assert_eq!(15 + number(per_source, &[("insight", 1, ""), ("insight", 2, "")]), 17);
    assert_eq!(15 + number(per_source, &[("circumstance", 1, ""), ("circumstance", 2, "")]), 18);
    let grouped = format!("{per_source}\n[stacking]\nsame = \"group\"");
    let group = "group = \"x\"";
    assert_eq!(15 + number(&grouped, &[("circumstance", 1, group), ("circumstance", 2, group)]), 17);
    assert_eq!(15 + number(STATUS, &[("circumstance", 1, ""), ("circumstance", 2, "")]), 17);
}

#[test]
fn dodge_adds_to_dodge_and_deflection_does_not() {
    let types = "[type.dodge]\nbonuses = \"sum\"\n[type.deflection]";
    let lines = [("dodge", 1, ""), ("dodge", 1, ""), ("dodge", 2, ""), ("deflection", 1, ""), ("deflection", 2, "")];
    assert_eq!(number(types, &lines), 6);
}

const ARMORED: &str = r#"
[type.armor]
[stat.dex]
[stat.most_dex]
start = 9
[stat.ac]
[stat.ac.part.base]
value = "10"
[stat.ac.part.armor]
value = "4"
type = "armor"
[stat.ac.part.dexterity]
value = "dex"
[stat.ac.part.most]
effect = "cap"
limits = "dexterity"
value = "most_dex"
[view.flat]
of = "ac"
drop_positive = ["dexterity"]
[view.touch]
of = "ac"
ignore = ["armor"]
[view.dc]
of = "ac"
offset = 10
[creature.clumsy]
stats = { dex = -2 }
[creature.quick]
stats = { dex = 3, most_dex = 1 }
"#;

#[test]
fn only_a_bonus_is_lost_or_capped() {
    let mut game = Game::new(ARMORED, &[]);
    game.seat("ox", "clumsy");
    game.seat("cat", "quick");
    assert_eq!((game.read("ox", "ac"), game.read("ox", "ac.flat")), (12, 12));
    assert_eq!((game.read("cat", "ac"), game.read("cat", "ac.flat")), (15, 14));
}

#[test]
fn a_view_leaves_types_out_and_adds_its_offset() {
    let mut game = Game::new(ARMORED, &[]);
    game.seat("cat", "quick");
    assert_eq!((game.read("cat", "ac.touch"), game.read("cat", "ac.dc")), (11, 25));
}

#[test]
fn the_offset_of_a_view_comes_after_everything_the_number_itself_does() {
    for (more, plain) in [("effect = \"set\"", 5), ("effect = \"cap\"", 5), ("effect = \"multiply\"", 40)] {
        let text = format!(
            "[creature.one]\n[stat.s]\nstart = 8\n[stat.s.part.p]\nvalue = \"5\"\n{more}\n[view.dc]\nof = \"s\"\noffset = 10"
        );
        let game = Game::new(&text, &["rook"]);
        assert_eq!((game.read("rook", "s"), game.read("rook", "s.dc")), (plain, plain + 10), "{more}");
    }
}

#[test]
fn of_a_type_the_best_bonus_and_the_worst_penalty_count() {
    assert_eq!(number(STATUS, &[("morale", 4, ""), ("morale", 2, ""), ("morale", -1, ""), ("morale", -10, "")]), -6);
}

#[test]
fn a_condition_from_three_sources_is_had_once() {
    let text = r#"
    [creature.one]
    [stat.ac]
    start = 18
    [condition.flat.modifier.ac]
    to = ["ac"]
    value = "-2"
    [condition.a]
    implies = ["flat"]
    [condition.b]
    implies = ["flat"]
    "#;
    let mut game = Game::new(text, &["rook"]);
    game.run("rook", r#"{ apply = "a" }, { apply = "b" }, { apply = "flat" }"#);
    assert_eq!(game.read("rook", "ac"), 16);
    game.run("rook", r#"{ remove = "flat" }, { remove = "a" }"#);
    assert_eq!(game.read("rook", "ac"), 16);
    game.run("rook", r#"{ remove = "b" }"#);
    assert_eq!(game.read("rook", "ac"), 18);
}

#[test]
fn a_feature_had_for_three_weapons_helps_each_of_them() {
    let mut text = String::from(
        "[creature.one]\nholds = [\"a\", \"b\", \"c\", \"d\"]\n[stat.hit]\n[tag]\nwa = \"a\"\nwb = \"b\"\nwc = \"c\"\nw = \"w\"\n[item.d]\ntags = [\"w\"]\n",
    );
    for weapon in ["a", "b", "c"] {
        text += &format!(
            "[item.{weapon}]\ntags = [\"w{weapon}\"]\n[creature.one.modifier.focus_{weapon}]\nto = [\"hit\"]\nvalue = \"1\"\nwhen = \"item has w{weapon}\"\n"
        );
    }
    let game = Game::new(&text, &["rook"]);
    let hit = |item: &str| {
        let about = houserule_kernel::situation::Situation {
            item: Some(game.who(item)),
            ..houserule_kernel::situation::Situation::of(game.who("rook"))
        };
        game.table.read_about(about, "hit").unwrap()
    };
    assert_eq!([hit("rook's a"), hit("rook's b"), hit("rook's c"), hit("rook's d")], [1, 1, 1, 0]);
}

#[test]
fn sources_are_told_apart_by_what_they_are() {
    let text = r#"
    [creature.one]
    [stat.s]
    [condition.focus_a]
    again = { value = "per-source" }
    [condition.focus_a.modifier.focus]
    to = ["s"]
    value = "1"
    [condition.focus_b.modifier.focus]
    to = ["s"]
    value = "1"
    "#;
    let mut game = Game::new(text, &["rook", "pawn"]);
    game.run("rook", r#"{ apply = "focus_a" }, { apply = "focus_b" }, { apply = "focus_a" }"#);
    game.strike("pawn", "rook", r#"{ apply = "focus_a", to = "target" }"#, &[]);
    assert_eq!(game.read("rook", "s"), 2);
    let mut game = Game::new(&format!("{text}[stacking]\nsame = \"instance\""), &["rook", "pawn"]);
    game.run("rook", r#"{ apply = "focus_a" }, { apply = "focus_b" }"#);
    game.strike("pawn", "rook", r#"{ apply = "focus_a", to = "target" }"#, &[]);
    assert_eq!(game.read("rook", "s"), 3);
}

#[test]
fn penalties_in_one_pool_have_no_types() {
    let types = |how: &str| format!("{STATUS}\n[stacking]\npenalties = \"one-pool\"\npool = \"{how}\"");
    let lines = [("status", -3, ""), ("status", -1, ""), ("morale", -2, ""), ("status", 5, ""), ("status", 4, "")];
    assert_eq!(number(&types("sum-per-source"), &lines), 5 - 6);
    assert_eq!(number(&types("sum"), &lines), 5 - 6);
    assert_eq!(number(&types("lowest"), &lines), 5 - 3);
}

#[test]
fn typed_penalties_may_be_summed_too() {
    let types = "[type.status]\npenalties = \"sum\"\nbonuses = \"sum\"";
    assert_eq!(number(types, &[("status", -3, ""), ("status", -1, ""), ("status", 2, ""), ("status", 1, "")]), -1);
}

#[test]
fn caps_and_floors_hold_a_type_or_the_total() {
    let lines = |more: &'static str, value| [("status", 7, ""), ("morale", 2, ""), ("untyped", value, more)];
    assert_eq!(number(STATUS, &lines("effect = \"cap\"\nlimits = \"status\"", 3)), 5);
    assert_eq!(number(STATUS, &lines("effect = \"cap\"", 3)), 3);
    assert_eq!(number(STATUS, &lines("effect = \"floor\"", 30)), 30);
    assert_eq!(number(STATUS, &lines("effect = \"floor\"\nlimits = \"morale\"", 4)), 11);
    assert_eq!(number(STATUS, &lines("effect = \"cap\"\nlimits = \"status\"", 9)), 9);
}

#[test]
fn a_set_number_replaces_what_was_added() {
    assert_eq!(number(STATUS, &[("status", 7, ""), ("untyped", 3, "effect = \"set\"")]), 3);
}

#[test]
fn multipliers_of_a_number_multiply_its_total() {
    assert_eq!(number(STATUS, &[("status", 7, ""), ("morale", 1, ""), ("untyped", 2, "effect = \"multiply\"")]), 16);
}

#[test]
fn a_mute_silences_the_lines_it_names_and_the_next_best_counts_no_more_than_they() {
    assert_eq!(
        number(
            STATUS,
            &[("status", 7, ""), ("morale", 2, ""), ("untyped", 0, "effect = \"mute\"\nlimits = \"status\"")]
        ),
        2
    );
}

#[test]
fn a_mute_that_names_nothing_silences_everything() {
    assert_eq!(number(STATUS, &[("status", 7, ""), ("morale", 2, ""), ("untyped", 0, "effect = \"mute\"")]), 0);
}

#[test]
fn a_muted_cap_caps_nothing() {
    let lines = [
        ("status", 7, ""),
        ("morale", 3, "effect = \"cap\""),
        ("untyped", 0, "effect = \"mute\"\nlimits = \"morale\""),
    ];
    assert_eq!(number(STATUS, &lines), 7);
}

#[test]
fn what_a_cap_leaves_of_a_bonus_competes_with_what_is_left() {
    let lines = [("status", 7, ""), ("status", 4, ""), ("untyped", 5, "effect = \"cap\"\nlimits = \"status\"")];
    assert_eq!(number(STATUS, &lines), 5);
}

#[test]
fn err_a_number_beyond_its_range_is_a_fault_and_never_wraps() {
    let text = "[creature.one]\n[stat.s]\nstart = 2147483647\n[stat.s.part.more]\nvalue = \"1\"";
    let game = Game::new(text, &["rook"]);
    assert_eq!(
        game.table.read(game.who("rook"), "s").unwrap_err().to_string(),
        "`s` leaves the range of numbers [HR0501]"
    );
}

#[test]
fn every_loser_stays_in_the_tally_with_who_beat_it() {
    let mut tally = Tally::default();
    let rules = rules("[type.status]\n[stat.s]");
    let kind: TypeId = rules.lexicon.find("status").unwrap();
    for value in [2, 5, 5] {
        tally.add(line(0, kind, Effect::Add, value, 0), LimitTarget::Total);
    }
    assert_eq!(tally.settle(&StackingRules { types: &rules.types, stacking: rules.stacking }, 0), Some(5));
    assert_eq!(
        tally.lines.iter().map(|line| line.fate).collect::<Vec<_>>(),
        [TermStatus::Beaten { by: 1 }, TermStatus::Counts, TermStatus::Beaten { by: 1 }]
    );
}

fn line(rule: u16, kind: TypeId, effect: Effect, value: i32, source: u64) -> TallyLine {
    TallyLine { rule: RuleId::new(rule), kind, effect, value, from: None, source, fate: TermStatus::Counts }
}

/// Twenty foolish lines that stack by the book.
fn foolish(lines: &[(u8, i32, u8)], policies: [(u8, u8); 3], pool: Option<u8>) -> i64 {
    let sum = |lines: Vec<(i32, u8)>, policy: u8| -> i64 {
        let far = |lines: &[(i32, u8)]| {
            lines.iter().map(|line| i64::from(line.0)).max_by_key(|value| value.abs()).unwrap_or(0)
        };
        match policy {
            0 => far(&lines),
            1 => lines.iter().map(|line| i64::from(line.0)).sum(),
            _ => (0..=u8::MAX)
                .map(|source| far(&lines.iter().filter(|line| line.1 == source).copied().collect::<Vec<_>>()))
                .sum(),
        }
    };
    let mut total = 0;
    for kind in 0..3_u8 {
        let of = |bad: bool| {
            lines.iter().filter(|line| line.0 == kind && (line.1 < 0) == bad).map(|line| (line.1, line.2)).collect()
        };
        total += sum(of(false), policies[usize::from(kind)].0);
        total += if pool.is_none() { sum(of(true), policies[usize::from(kind)].1) } else { 0 };
    }
    let bad = lines.iter().filter(|line| line.1 < 0).map(|line| (line.1, line.2)).collect();
    total + pool.map_or(0, |pool| sum(bad, pool))
}

fn policy(number: u8) -> StackPolicy {
    [StackPolicy::Farthest, StackPolicy::Sum, StackPolicy::SumPerSource][usize::from(number)]
}

proptest! {
    #[test]
    fn the_tally_stacks_as_the_foolish_model_does(
        lines in prop::collection::vec((0..3_u8, -9..9_i32, 0..4_u8), 0..12),
        policies in prop::array::uniform3((0..3_u8, 0..3_u8)),
        pool in prop::option::of(0..3_u8),
    ) {
        let types = policies.map(|(bonuses, penalties)| TypePolicy { bonuses: policy(bonuses), penalties: policy(penalties) });
        let types: IdVec<TypeId, TypePolicy> = IdVec::new(types.to_vec());
        let mut tally = Tally::default();
        for (kind, value, source) in &lines {
            tally.add(line(0, TypeId::new(u16::from(*kind)), Effect::Add, *value, u64::from(*source)), LimitTarget::Total);
        }
        let stacking = Stacking { one_pool: pool.map(policy), same: Same::Definition };
        let total = tally.settle(&StackingRules { types: &types, stacking }, 0);
        prop_assert_eq!(total.map(i64::from), Some(foolish(&lines, policies, pool)));
        let again = tally.lines.iter().filter(|line| line.fate == TermStatus::Counts).map(|line| i64::from(line.value)).sum::<i64>();
        prop_assert_eq!(Some(again), total.map(i64::from), "what counts is what the total is");
    }
}

#[test]
fn a_kept_total_is_never_older_than_its_bearer() {
    let rules = "[tag]\nmail = \"m\"\n[creature.one]\nholds = [\"coat\"]\n[item.coat]\ntags = [\"mail\"]\nstats = { weight = 2 }\n\
        [stat.weight]\n[stat.load.part.coats]\neach = \"mail\"\nvalue = \"item.weight\"\n[stat.speed.part.base]\nvalue = \"10 - load\"\n\
        [condition.laden.modifier.load]\nto = [\"load\"]\nvalue = \"3\"\n[count.seen]\n";
    let mut game = Game::new(rules, &["ann"]);
    game.run(
        "ann",
        "{ count = \"seen\", set = \"speed\" }, { apply = \"laden\" }, { count = \"seen\", add = \"10 * speed\" }",
    );
    assert_eq!(game.read("ann", "count.seen"), 8 + 10 * 5, "before and after it was laden, in one intent");
    game.run(
        "ann",
        "{ remove = \"laden\" }, { create = \"coat\", to = \"bearer\" }, { count = \"seen\", set = \"speed\" }",
    );
    assert_eq!(game.read("ann", "count.seen"), 6, "two coats weigh four");
}

#[test]
fn a_modifier_of_a_thing_reads_that_thing_as_source() {
    let rules = r#"
[creature.one]
[tag]
hat = "h"
[stat.depth]
[stat.guard]
[item.pool]
radius = "5 * depth"
stats = { depth = 1 }
[item.pool.modifier.wet]
to = ["guard"]
on = "near"
value = "source.depth"
when = "source.depth > 0"
[item.cap]
tags = ["hat"]
stats = { depth = 7 }
[item.cap.modifier.warm]
to = ["guard"]
value = "source.depth"
[condition.cursed]
[condition.cursed.modifier.hats]
to = ["guard"]
each = "hat"
value = "-source.depth"
[grid]
diagonals = "one"
feet_per_square = 5
"#;
    let mut game = Game::new(rules, &[]);
    for (name, depth, x) in [("rook", 0, 0), ("pawn", 2, 9)] {
        let origin = StatBlockRef::Creature(game.id("one"));
        lay(&mut game, name, origin, x, depth);
    }
    let pool = StatBlockRef::Item(game.id("pool"));
    lay(&mut game, "mere", pool, 2, 3);
    assert_eq!(game.read("rook", "guard"), 3, "three deep, and so fifteen feet wide");
    assert_eq!(game.read("pawn", "guard"), 0);
    game.run("rook", r#"{ create = "cap" }"#);
    assert_eq!(game.read("rook", "guard"), 3 + 7);
    game.strike("pawn", "rook", r#"{ apply = "cursed", to = "target" }"#, &[]);
    assert_eq!(game.read("rook", "guard"), 3 + 7 - 2, "who cursed, and not the hat");
}

/// Puts somebody or something on the map, with a depth.
fn lay(game: &mut Game, name: &str, origin: StatBlockRef, x: i32, depth: i32) {
    let stats = vec![(game.id("depth"), depth)];
    let (pools, tags, square) = (Vec::new(), Vec::new(), Some(Square { x, y: 0 }));
    let seat = NewEntity {
        name: name.into(),
        origin,
        side: name.into(),
        square,
        stats,
        pools,
        tags,
        holds: None,
        owner: None,
    };
    game.perform(&Operation::Seat(Box::new(seat)));
}
