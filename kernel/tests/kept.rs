//! Numbers that are kept are the numbers that are added up afresh, whatever
//! happened in between.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

mod common;

use common::{Game, digest};
use houserule_kernel::entity::StatBlockRef;
use houserule_kernel::intent::{Intent, NewEntity, Operation};
use houserule_kernel::journal::Record;
use houserule_kernel::table::Table;
use proptest::prelude::*;

/// Everything that a number may hang on, plain and not.
const RULES: &str = r#"
[tag]
weapon = "w"
worn = "w"
brave = "b"
harm = "h"
[type.armor]
[type.morale]
[option.hardy]
kind = "yes_no"
default = false
changes = ["stat.guard.part.hardy"]
about = "o"
[note.vow]
[count.blows]
resets = "round.start"
[stat.might]
start = 1
[stat.might.part.vow]
value = "bearer.note.vow"
[stat.toughness.part.might]
value = "might * 3 + 9"
[pool.hp]
max = "toughness"
[pool.luck]
max = "5"
[stat.bonus]
[stat.bonus.part.rust]
value = "-1"
when = "bearer has rusty"
[stat.guard]
start = 10
[stat.guard.part.might]
value = "might"
[stat.guard.part.worn]
each = "worn"
value = "item.bonus + 2"
type = "armor"
[stat.guard.part.hurt]
value = "-2"
when = "hp < hp.max / 2"
[stat.guard.part.hardy]
value = "3"
when = "option.hardy == 1"
[stat.guard.part.turn]
value = "1"
when = "own_turn"
type = "morale"
[stat.guard.part.foe]
value = "actor.might - 1"
when = "not bearer.is_actor"
[stat.strike.part.might]
value = "might"
[stat.strike.part.tired]
value = "-count.blows"
[stat.strike.part.late]
value = "round - 2"
when = "round > 2"
[stat.strike.part.brave]
value = "2"
when = "bearer has brave"
type = "morale"
[stat.strike.part.limit]
effect = "cap"
limits = "might"
value = "2"
when = "target has brave"
[view.open]
of = "guard"
ignore = ["armor"]
offset = 1
[check.strike]
roll = "1d20"
bonus = "strike"
against = "target.guard"
degrees = ["miss", "hit"]
[check.strike.case.hit]
when = "total >= dc"
[check.surprise]
roll = "1d20"
bonus = "strike"
against = "target.guard.open"
degrees = ["miss", "hit"]
[check.surprise.case.hit]
when = "total >= dc"
[action.strike]
item = "weapon"
any_time = true
targets = { one = "creature" }
check = "strike"
on.hit = [{ count = "blows", add = "1" }, { pool = "hp", add = "-3", to = "target" }]
[action.surprise]
any_time = true
targets = { one = "creature" }
check = "surprise"
[action.pass]
item = "worn"
any_time = true
targets = { one = "creature" }
do = [{ give = true, to = "target" }]
[action.break]
item = "worn"
any_time = true
do = [{ end = true, who = "item" }]
[action.soak]
item = "worn"
any_time = true
do = [{ apply = "rusty", who = "item" }]
[action.dry]
item = "worn"
any_time = true
do = [{ remove = "rusty", who = "item" }]
[action.walk]
any_time = true
walk = "60"
[condition.rusty]
[condition.shaken]
value = { min = "1", max = "4" }
[condition.shaken.modifier.all]
to = ["strike", "guard"]
value = "-value"
type = "morale"
[condition.fierce.modifier.look]
to = ["strike"]
value = "-1"
on = "opponent"
[condition.fierce.modifier.turn]
to = ["might"]
value = "1"
when = "in_encounter"
[condition.calm]
overrides = ["shaken"]
[grid]
diagonals = "alternate"
feet_per_square = 5
[turn]
seconds = 6
round_start = ["round.start"]
[check.init]
roll = "1d20"
bonus = "strike"
against = "10"
degrees = ["x"]
[initiative]
check = "init"
[item.club]
tags = ["weapon"]
stats = { bonus = 1 }
[item.club.modifier.hand]
to = ["strike"]
value = "item.bonus"
used = true
[item.shirt]
tags = ["worn"]
[item.shirt.modifier.heavy]
to = ["strike"]
value = "-1"
[item.banner]
radius = "10"
[item.banner.modifier.courage]
to = ["guard"]
value = "2"
type = "morale"
on = "near"
[creature.one]
holds = ["club", "shirt"]
"#;

const NAMES: [&str; 3] = ["ann", "ben", "cyd"];

/// Steps on somebody that change what numbers hang on, or do not.
const STEPS: [&str; 16] = [
    "{ apply = \"shaken\", value = \"1\" }",
    "{ raise = \"shaken\", by = \"1\" }",
    "{ lower = \"shaken\", by = \"1\" }",
    "{ suspend = \"shaken\" }",
    "{ resume = \"shaken\" }",
    "{ apply = \"calm\", rounds = \"1\" }",
    "{ remove = \"calm\" }",
    "{ apply = \"fierce\" }",
    "{ remove = \"fierce\" }",
    "{ pool = \"hp\", add = \"-4\" }",
    "{ heal = \"6\", pool = \"hp\" }",
    "{ pool = \"luck\", add = \"-1\" }",
    "{ note = \"vow\", set = \"2\" }",
    "{ count = \"blows\", add = \"1\" }",
    "{ tag = \"brave\" }",
    "{ create = \"shirt\" }",
];

#[derive(Clone, Debug)]
enum Move {
    Steps(usize, usize),
    Act(&'static str, usize, usize),
    Walk(usize, i32),
    Begin,
    Next,
    End,
    Undo,
    Redo,
    Load,
    Tripped(usize, usize, u32),
}

fn moves() -> impl Strategy<Value = Move> {
    let who = || 0..NAMES.len();
    let act = prop::sample::select(vec!["strike", "strike", "surprise", "pass", "break", "soak", "dry"]);
    prop_oneof![
        6 => (who(), 0..STEPS.len()).prop_map(|(who, step)| Move::Steps(who, step)),
        8 => (act, who(), who()).prop_map(|(act, who, other)| Move::Act(act, who, other)),
        1 => (who(), 0..12).prop_map(|(who, x)| Move::Walk(who, x)),
        1 => Just(Move::Begin),
        2 => Just(Move::Next),
        1 => Just(Move::End),
        2 => Just(Move::Undo),
        2 => Just(Move::Redo),
        1 => Just(Move::Load),
        2 => (who(), who(), 1..12_u32).prop_map(|(who, other, after)| Move::Tripped(who, other, after)),
    ]
}

fn lay(game: &mut Game, name: &str, origin: StatBlockRef, x: i32) {
    let square = Some(houserule_kernel::space::Square::checked(x.into(), 0).unwrap());
    let seat = NewEntity {
        name: name.into(),
        origin,
        side: name.into(),
        square,
        stats: vec![],
        pools: vec![],
        tags: vec![],
        holds: None,
        owner: None,
    };
    game.perform(&Operation::Seat(Box::new(seat)));
}

fn game() -> Game {
    let mut game = Game::new(RULES, &[]);
    let (creature, banner) = (StatBlockRef::Creature(game.id("one")), StatBlockRef::Item(game.id("banner")));
    for (name, x) in NAMES.into_iter().zip([0, 4, 8]) {
        lay(&mut game, name, creature, x);
    }
    lay(&mut game, "banner", banner, 5);
    game
}

/// Makes a move, whatever comes of it.
fn make(table: &mut Table, made: &Move) {
    let who = |at: usize| table.state().find(NAMES[at]).unwrap();
    match made {
        Move::Steps(at, step) => {
            let deed =
                Operation::Rule { who: who(*at), target: None, steps: format!("do = [{}]", STEPS[*step]).into() };
            drop(table.perform(&deed).unwrap());
        }
        Move::Act(act, from, to) => {
            let mut intent = Intent::new(act).by(NAMES[*from]);
            if matches!(*act, "strike" | "surprise" | "pass") {
                intent = intent.at(NAMES[*to]);
            }
            drop(table.act(&intent).unwrap());
        }
        Move::Walk(at, x) => {
            drop(table.act(&Intent { to: Some((*x, 0)), ..Intent::new("walk").by(NAMES[*at]) }).unwrap())
        }
        Move::Begin => drop(table.begin(&NAMES, &NAMES).unwrap()),
        Move::Next => drop(table.next().unwrap()),
        Move::End => drop(table.perform(&Operation::End).unwrap()),
        Move::Undo => drop(table.undo(false)),
        Move::Redo => drop(table.redo()),
        Move::Load => *table = Table::load(table.rules(), &table.save().unwrap()).unwrap(),
        Move::Tripped(from, to, after) => {
            if let Ok(deed) = table.prepare(&Intent::new("strike").by(NAMES[*from]).at(NAMES[*to])) {
                let _ = table.perform_tripped(&deed, *after);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    /// A copy starts with nothing kept: one table is copied before each move, the
    /// other keeps what it can, and nobody can tell which is which. In a debug
    /// build each kept number is compared with one added up afresh, too.
    #[test]
    fn whether_a_number_was_kept_shows_nowhere(moves in prop::collection::vec(moves(), 1..40)) {
        let mut warm = game().table;
        let mut cold = warm.clone();
        for made in moves {
            cold = cold.clone();
            make(&mut cold, &made);
            make(&mut warm, &made);
            prop_assert_eq!(digest(&cold), digest(&warm), "after {:?}", made);
        }
    }
}

fn tallies(game: &Game) -> Vec<u32> {
    let number = |record: &Record| match record {
        Record::Tallied { tally, .. } => Some(*tally),
        _ => None,
    };
    game.last_records().iter().filter_map(number).collect()
}

fn strike(game: &mut Game, who: &str, target: &str) {
    assert!(game.act(Intent::new("surprise").by(who).at(target)).is_done());
}

#[test]
fn a_tally_is_written_once_and_cited_however_long_ago_that_was() {
    let mut game = game();
    strike(&mut game, "ann", "ben");
    let first = tallies(&game);
    for _ in 0..40 {
        strike(&mut game, "cyd", "ann");
    }
    strike(&mut game, "ann", "ben");
    assert_eq!(tallies(&game), first);
    game.run("ann", "{ tag = \"brave\" }");
    strike(&mut game, "ann", "ben");
    assert_ne!(tallies(&game)[0], first[0], "the strike is another");
    assert_eq!(tallies(&game)[1], first[1], "the guard is the same");
}

#[test]
fn a_tally_that_was_undone_is_cited_no_more() {
    let mut game = game();
    strike(&mut game, "ann", "ben");
    let written = game.table.journal().tallies.len();
    assert!(game.table.undo(false));
    strike(&mut game, "ann", "ben");
    assert_eq!(game.table.journal().tallies.len(), written);
    assert_eq!(tallies(&game), [0, 1]);
}

#[test]
fn a_forgotten_history_is_cited_no_more() {
    let mut game = game();
    strike(&mut game, "ann", "ben");
    game.table.forget_history();
    strike(&mut game, "cyd", "ben");
    assert_eq!(tallies(&game), [0, 1]);
}

#[test]
fn a_switch_is_seen_by_everybody() {
    let mut game = game();
    let hardy = Operation::Switch { option: game.id("hardy"), value: 1 };
    let before = game.read("ben", "guard");
    game.perform(&hardy);
    assert_eq!(game.read("ben", "guard"), before + 3);
}

#[test]
fn an_item_that_changes_hands_changes_both() {
    let mut game = game();
    strike(&mut game, "ann", "ben");
    strike(&mut game, "ben", "ann");
    game.run("ben", "{ remove = \"shaken\" }");
    assert!(game.act(Intent::new("pass").by("ann").at("ben")).is_done());
    strike(&mut game, "ann", "ben");
    let bonus = |game: &Game| game.verdict().bonus;
    assert_eq!(bonus(&game), 1, "the shirt weighs no more");
    strike(&mut game, "ben", "ann");
    assert_eq!(bonus(&game), 0, "two shirts of one make weigh once");
    assert!(game.act(Intent::new("pass").by("ben").at("ann")).is_done());
    assert!(game.act(Intent::new("pass").by("ben").at("ann")).is_done());
    strike(&mut game, "ben", "ann");
    assert_eq!(bonus(&game), 1, "no shirt is left");
}
