//! What holds of srd35 whatever the numbers are: armor class in its views, and the order of acting.
#![allow(clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

use houserule::encounter::Encounter;
use houserule::{Outcome, Ruleset, Table, load};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use std::sync::{Arc, OnceLock};

const PROFILES: [&str; 2] = ["seed", "srd"];
const NAMES: [&str; 8] = ["ann", "ben", "cid", "dot", "eve", "fay", "gil", "hal"];
const CHARMS: [&str; 5] =
    ["charm_dodge_1", "charm_dodge_2", "ring_of_deflection_1", "ring_of_deflection_2", "amulet_of_hide_2"];
const SHIELDS: [&str; 3] = ["buckler", "heavy_steel_shield", "tower_shield"];

fn rules() -> &'static Arc<Ruleset> {
    static RULES: OnceLock<Arc<Ruleset>> = OnceLock::new();
    RULES.get_or_init(|| load(&["srd35"]).unwrap_or_else(|report| panic!("{report}")))
}

/// A table by a profile, with everybody of these lines at it.
fn laid(profile: &str, members: &str, seed: u64) -> Table {
    let end = "[end]\nrounds = 1\nstanding = \"hp > 0\"\n";
    let text = format!("title = \"any\"\npack = \"srd35\"\nprofile = \"{profile}\"\n{members}{end}");
    let encounter = Encounter::read(rules(), "any", &text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
    encounter.lay(rules(), seed).unwrap_or_else(|fault| panic!("{fault}"))
}

fn done(outcome: Outcome) {
    assert!(outcome.is_done(), "{outcome:?}");
}

/// What somebody is made of, and whether any line that touch leaves out is negative.
fn body() -> impl Strategy<Value = (String, bool)> {
    let numbers = (0..=30, -4..=4, 0..=9, 0..=250, -10..=8);
    let armor = prop::option::of((select(vec!["leather", "chainmail", "full_plate"]), -3..=10));
    let gear = (armor, prop::option::of(select(SHIELDS.to_vec())), subsequence(CHARMS.to_vec(), 0..=CHARMS.len()));
    (numbers, gear).prop_map(|((dex, size, natural, load, hp), (armor, shield, charms))| {
        let worn = armor.map(|(name, bonus)| format!("{{ item = \"{name}\", stats = {{ armor_bonus = {bonus} }} }}"));
        let held = shield.into_iter().chain(charms).map(|name| format!("\"{name}\""));
        let holds = worn.into_iter().chain(held).collect::<Vec<_>>().join(", ");
        let stats = format!("{{ dex = {dex}, size = {size}, natural_armor = {natural}, load = {load} }}");
        let member = "[who.ann]\nlike = \"recruit\"\nside = \"a\"\n";
        let text = format!("{member}stats = {stats}\npools = {{ hp = {hp} }}\nholds = [{holds}]\n");
        (text, armor.is_some_and(|(_, bonus)| bonus < 0))
    })
}

/// Several who fight, with modifiers so close that they often tie.
fn crowd() -> impl Strategy<Value = (String, usize)> {
    prop::collection::vec(select(vec![8, 10, 12, 14]), 2..=NAMES.len()).prop_map(|scores| {
        let member = |(name, dex): (&&str, &i32)| {
            format!("[who.{name}]\nlike = \"recruit\"\nside = \"{name}\"\nstats = {{ dex = {dex} }}\n")
        };
        (NAMES.iter().zip(&scores).map(member).collect(), scores.len())
    })
}

/// The order of an encounter that has just begun: who, with which count, and what broke ties.
fn order(table: &Table) -> Vec<(u32, i32, [i32; 4])> {
    let places = &table.state().order.places;
    places.iter().map(|place| (place.owner.map_or(0, |owner| owner.0), place.count, place.breaks)).collect()
}

fn begun(profile: &str, members: &str, many: usize, seed: u64) -> Table {
    let mut table = laid(profile, members, seed);
    let names = &NAMES[..many];
    done(table.begin(names, names).unwrap_or_else(|fault| panic!("{fault}")));
    table
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn touch_is_never_better_unless_what_it_leaves_out_is_a_penalty((text, worse) in body()) {
        for profile in PROFILES {
            let table = laid(profile, &text, 1);
            let ann = table.find_all(&["ann"]).unwrap_or_else(|refusal| panic!("{refusal:?}"))[0];
            let ac = |view: &str| table.read(ann, view).unwrap_or_else(|fault| panic!("{fault}"));
            prop_assert!(worse || ac("ac.touch") <= ac("ac"), "{text}");
            prop_assert!(worse || ac("ac.touch_flat_footed") <= ac("ac.flat_footed"), "{text}");
        }
    }

    #[test]
    fn flat_footed_is_never_better((text, _) in body()) {
        for profile in PROFILES {
            let table = laid(profile, &text, 1);
            let ann = table.find_all(&["ann"]).unwrap_or_else(|refusal| panic!("{refusal:?}"))[0];
            let ac = |view: &str| table.read(ann, view).unwrap_or_else(|fault| panic!("{fault}"));
            prop_assert!(ac("ac.flat_footed") <= ac("ac"), "{text}");
            prop_assert!(ac("ac.touch_flat_footed") <= ac("ac.touch"), "{text}");
        }
    }

    #[test]
    fn ties_are_broken_for_good((text, many) in crowd(), seed in any::<u64>()) {
        for profile in PROFILES {
            let mut table = begun(profile, &text, many, seed);
            let first = order(&table);
            let mut who: Vec<u32> = first.iter().map(|(who, ..)| *who).collect();
            who.sort_unstable();
            who.dedup();
            prop_assert_eq!(who.len(), many, "everybody stands in the order once");
            let falls = first.windows(2).all(|pair| (pair[0].1, pair[0].2) > (pair[1].1, pair[1].2));
            prop_assert!(falls, "no two are equal: {first:?}");
            prop_assert_eq!(&order(&begun(profile, &text, many, seed)), &first, "the same dice, the same order");
            for _ in 0..many {
                done(table.next().unwrap_or_else(|fault| panic!("{fault}")));
            }
            prop_assert_eq!(&order(&table), &first, "a round later nothing has moved");
        }
    }

    #[test]
    fn by_the_published_rules_the_better_modifier_goes_first((text, many) in crowd(), seed in any::<u64>()) {
        let table = begun("srd", &text, many, seed);
        let bonus = |who: u32| table.read(houserule::kernel::ident::EntityId(who), "dex_mod").unwrap_or(i32::MIN);
        for pair in order(&table).windows(2).filter(|pair| pair[0].1 == pair[1].1) {
            prop_assert!(bonus(pair[0].0) >= bonus(pair[1].0), "{pair:?}");
        }
    }
}
