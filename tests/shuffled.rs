//! Play in no sensible order: random intents by names, undone, done again, saved, loaded and replayed between each
//! other. Nothing panics, and a table that went there and back is the table that it was.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

use houserule::kernel::intent::Operation;
use houserule::{Intent, Oracle, Outcome, Pack, Ruleset, Table, shipped};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;

#[path = "common/mod.rs"]
#[expect(dead_code, reason = "only the rules are wanted")]
mod common;

const PEOPLE: [&str; 5] = ["ann", "ben", "cat", "dan", "nobody"];

fn packs() -> impl Iterator<Item = Pack> {
    let words = Pack::read_folder(format!("{}/tests/packs/every_word", env!("CARGO_MANIFEST_DIR"))).unwrap();
    shipped::ids().into_iter().filter_map(shipped::pack).chain([words])
}

fn names(rules: &Ruleset) -> (Vec<String>, Vec<String>) {
    let actions = rules.actions.iter().map(|(action, _)| rules.name(action).to_owned()).collect();
    let creatures = rules.creatures.iter().map(|(creature, _)| rules.name(creature).to_owned()).collect();
    (actions, creatures)
}

fn intent(random: &mut SmallRng, actions: &[String]) -> Intent {
    let somebody = |random: &mut SmallRng| PEOPLE[random.random_range(0..PEOPLE.len())];
    let who = somebody(random);
    let mut intent = Intent::new(&actions[random.random_range(0..actions.len())]).by(who);
    for _ in 0..random.random_range(0..3) {
        intent = intent.at(somebody(random));
    }
    match random.random_range(0..6) {
        0 => intent.to(random.random_range(-3..9), random.random_range(-3..9)),
        1 => intent.to(i32::MAX, i32::MIN),
        2 => intent.with(somebody(random)),
        3 => intent.fact("distance", random.random_range(-9..99)),
        _ => intent,
    }
}

/// Answers, at random, whatever is asked, a few times; then gives it up.
fn answered(table: &mut Table, random: &mut SmallRng, mut outcome: Outcome) {
    for _ in 0..20 {
        let Outcome::Asking(question) = outcome else { return };
        let answer = question.default.unwrap_or_else(|| random.random_range(0..3).into());
        let Ok(next) = table.answer(answer, &mut Oracle::Seeded) else { break };
        outcome = next;
    }
    let _ = table.withdraw();
}

fn there_and_back(table: &mut Table, random: &mut SmallRng) {
    let digest = table.digest().unwrap();
    match random.random_range(0..4) {
        0 => *table = Table::load(&Arc::clone(table.rules()), &table.save().unwrap()).unwrap(),
        1 => {
            let undone = (0..random.random_range(1..9)).filter(|_| table.undo(false)).count();
            (0..undone).for_each(|_| assert!(table.redo()));
        }
        2 if table.journal().undone().is_empty() => *table = table.replayed().unwrap(),
        _ => {
            let mut copy = table.clone();
            while copy.undo(false) {}
            while copy.redo() {}
        }
    }
    if table.journal().undone().is_empty() {
        assert_eq!(table.digest().unwrap(), digest);
    }
}

fn shuffled(rules: &Arc<Ruleset>, seed: u64, turns: usize) -> String {
    let mut random = SmallRng::seed_from_u64(seed);
    let (actions, creatures) = names(rules);
    let mut table = Table::new(rules, seed);
    for (at, name) in PEOPLE.iter().take(4).enumerate() {
        let mut seat = table.new_seat(name, &creatures[random.random_range(0..creatures.len())], name).unwrap();
        seat.square = houserule::kernel::space::Square::checked(at as i64, 0).ok();
        let _ = table.perform(&Operation::Seat(Box::new(seat)));
    }
    for _ in 0..turns {
        let outcome = match random.random_range(0..10) {
            0 => table.begin(&["ann", "ben", "cat"], &[]),
            1 | 2 => table.next(),
            3 => table.perform(&Operation::Wait { seconds: random.random_range(-5..100_000) }),
            4 => {
                table.undo(false);
                table.next()
            }
            5 => table.begin(&["ann", "nobody"], &["ben"]),
            _ => table.act(&intent(&mut random, &actions)),
        };
        if let Ok(outcome) = outcome {
            answered(&mut table, &mut random, outcome);
        }
        if random.random_range(0..4) == 0 {
            there_and_back(&mut table, &mut random);
        }
    }
    table.digest().unwrap()
}

fn all(seeds: std::ops::Range<u64>, turns: usize) {
    for pack in packs() {
        let rules = common::rules(&pack, "lua");
        for seed in seeds.clone() {
            assert_eq!(shuffled(&rules, seed, turns), shuffled(&rules, seed, turns), "seed {seed}");
        }
    }
}

#[test]
fn play_in_any_order_comes_out_the_same() {
    all(0..6, 60);
}

#[test]
#[ignore = "takes minutes: many more seeds"]
fn play_in_any_order_comes_out_the_same_with_many_seeds() {
    all(6..200, 150);
}
