//! What holds of sf2e whatever happens: stacking, conditions had twice, overriding, and the actions of a turn.
#![allow(clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

use houserule::Explain;
use houserule::encounter::Encounter;
use houserule::{EntityId, Intent, Operation, Ruleset, Table, load};
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::{Arc, OnceLock};

const PROFILES: [&str; 2] = ["seed", "published"];
/// Conditions whose value is a status penalty to armor class.
const VALUED: [&str; 3] = ["frightened", "sickened", "clumsy"];
/// Conditions that silence others, and which.
const OVER: [(&str, &str); 2] = [("restrained", "grabbed"), ("blinded", "dazzled")];
const ACTIONS: [&str; 6] = ["strike", "step", "stand", "raise_a_shield", "take_cover", "drop_prone"];

fn rules() -> &'static Arc<Ruleset> {
    static RULES: OnceLock<Arc<Ruleset>> = OnceLock::new();
    RULES.get_or_init(|| load(&["sf2e"]).unwrap_or_else(|report| panic!("{report}")))
}

/// A table by a profile, with a soldier and a foe at it.
fn table(profile: &str) -> Table {
    let members = "[who.ann]\nlike = \"soldier_1\"\nside = \"a\"\nat = [0, 0]\n\
                   [who.ben]\nlike = \"thug\"\nside = \"b\"\nat = [1, 0]\n";
    let end = "[end]\nrounds = 1\nstanding = \"hp > 0\"\n";
    let text = format!("title = \"any\"\npack = \"sf2e\"\nprofile = \"{profile}\"\n{members}{end}");
    let encounter = Encounter::read(rules(), "any", &text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
    encounter.lay(rules(), 7).unwrap_or_else(|fault| panic!("{fault}"))
}

fn who(table: &Table, name: &str) -> EntityId {
    table.state().find(name).unwrap_or_else(|| panic!("nobody is called {name}"))
}

/// Runs steps of the game master on ann.
fn run(table: &mut Table, steps: &str) {
    let deed = Operation::Rule { who: who(table, "ann"), target: None, steps: format!("do = [{steps}]").into() };
    let outcome = table.perform(&deed).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(outcome.is_done(), "{outcome:?}");
}

fn read(table: &Table, expression: &str) -> i32 {
    table.read(who(table, "ann"), expression).unwrap_or_else(|fault| panic!("{fault}"))
}

fn apply(table: &mut Table, condition: &str, value: i32) {
    run(table, &format!("{{ apply = \"{condition}\", value = \"{value}\" }}"));
}

/// How a number of ann comes about, line by line.
fn lines(table: &Table, stat: &str) -> String {
    table.explain_stat("ann", stat, None, "en").unwrap_or_else(|fault| panic!("{fault}")).to_text()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn of_penalties_of_one_type_the_worst_counts_alone(
        applied in prop::collection::vec((select(VALUED.to_vec()), 1..=4), 0..6),
        off_guard in any::<bool>(),
        fatigued in any::<bool>(),
    ) {
        for profile in PROFILES {
            let mut table = table(profile);
            let whole = read(&table, "ac");
            applied.iter().for_each(|(condition, value)| apply(&mut table, condition, *value));
            if off_guard {
                run(&mut table, r#"{ apply = "off_guard" }, { apply = "off_guard" }"#);
            }
            if fatigued {
                run(&mut table, r#"{ apply = "fatigued" }"#);
            }
            let status = applied.iter().map(|(_, value)| *value).chain(fatigued.then_some(1)).max().unwrap_or(0);
            prop_assert_eq!(read(&table, "ac"), whole - status - if off_guard { 2 } else { 0 });
        }
    }

    #[test]
    fn a_condition_is_had_once_and_with_its_highest_value(
        applied in prop::collection::vec((select(VALUED.to_vec()), 1..=4), 1..8),
    ) {
        let mut table = table("seed");
        applied.iter().for_each(|(condition, value)| apply(&mut table, condition, *value));
        for condition in VALUED {
            let model = applied.iter().filter(|(name, _)| *name == condition).map(|(_, value)| *value).max();
            prop_assert_eq!(read(&table, &format!("condition.{condition}")), model.unwrap_or(0));
            let bears = &table.state().entity(who(&table, "ann")).map(|ann| ann.bears.clone()).unwrap_or_default();
            let had = bears.iter().filter(|borne| rules().name(borne.condition) == condition).count();
            prop_assert_eq!(had, usize::from(model.is_some()));
        }
    }

    #[test]
    fn what_was_silenced_comes_back_exactly_as_it_was(
        (over, under) in select(OVER.to_vec()),
        applied in prop::collection::vec((select(VALUED.to_vec()), 1..=4), 0..4),
    ) {
        for profile in PROFILES {
            let mut table = table(profile);
            applied.iter().for_each(|(condition, value)| apply(&mut table, condition, *value));
            run(&mut table, &format!("{{ apply = \"{under}\" }}"));
            let numbers = ["ac", "perception", "reflex", "fortitude", "will"];
            let before = numbers.map(|stat| lines(&table, stat));
            run(&mut table, &format!("{{ apply = \"{over}\" }}"));
            run(&mut table, &format!("{{ remove = \"{over}\" }}"));
            prop_assert_eq!(numbers.map(|stat| lines(&table, stat)), before);
        }
    }

    #[test]
    fn nobody_has_fewer_actions_than_none_or_more_than_four(
        weak in prop::collection::vec((select(vec!["slowed", "stunned", "quickened"]), 1..=3), 0..4),
        acts in prop::collection::vec(select(ACTIONS.to_vec()), 0..20),
        dice in any::<u64>(),
    ) {
        let mut table = table(PROFILES[usize::from(dice.is_multiple_of(2))]);
        let begun = table.begin(&["ann", "ben"], &["ann", "ben"]).unwrap_or_else(|fault| panic!("{fault}"));
        prop_assert!(begun.is_done(), "{begun:?}");
        weak.iter().for_each(|(condition, value)| apply(&mut table, condition, *value));
        for (at, action) in acts.iter().enumerate() {
            let intent = Intent::new(action).by("ann");
            let intent = if *action == "strike" { intent.with("weapon").at("ben") } else { intent };
            let _ = table.act(&intent);
            let left = read(&table, "actions");
            prop_assert!((0..=4).contains(&left), "{left} after {action}");
            prop_assert!((0..=1).contains(&read(&table, "reaction")));
            if at % 4 == 3 {
                let _ = table.next();
            }
        }
    }
}
