//! Whatever is tried at a small table of `sf1e`, in whatever order, some things always hold.

#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

use houserule::encounter::Encounter;
use houserule::kernel::change::{StateField, StateValue};
use houserule::kernel::clock::Moment;
use houserule::kernel::ident::PoolId;
use houserule::kernel::journal::Record;
use houserule::{EntityId, Intent, Operation, Oracle, Outcome, Ruleset, Table};
use proptest::prelude::*;
use std::sync::{Arc, OnceLock};

const SMALL: &str = r#"
title = "a small table"
pack = "sf1e"
[who.rook]
like = "soldier_4"
side = "crew"
at = [3, 3]
[who.oriel]
like = "mystic_1"
side = "crew"
at = [2, 4]
stats = { slots_given = 3 }
holds = ["battle_staff", "azimuth_laser_pistol", "flame_lance", "leaden_gaze", "serum_of_healing_1"]
[who.maul]
like = "enforcer"
side = "raiders"
at = [5, 3]
[who.chant]
like = "cultist"
side = "raiders"
at = [6, 5]
stats = { slots_given = 3 }
holds = ["azimuth_laser_pistol", "survival_knife", "daunting_whisper", "hail_of_shards"]
[answers]
"ask.strike_who_leaves" = "always"
"ask.readied_attack" = "always"
all = "default"
"#;

const WHO: [&str; 5] = ["rook", "oriel", "maul", "chant", "nobody"];
const ITEMS: [&str; 8] = ["melee", "ranged", "grenade", "spell", "serum", "automatic", "weapon", "no_such_thing"];
const ACTIONS: [&str; 36] = [
    "attack",
    "full_attack",
    "fight_defensively",
    "total_defense",
    "charge",
    "move",
    "guarded_step",
    "withdraw",
    "run",
    "trip",
    "grapple",
    "escape",
    "bull_rush",
    "stand_up",
    "drop_prone",
    "cast",
    "cast_over_area",
    "concentrate",
    "dismiss",
    "throw_at_spot",
    "go_off",
    "automatic_fire",
    "reload",
    "first_aid",
    "pour",
    "drink",
    "stabilize",
    "stay_in_the_fight",
    "demoralize",
    "feint",
    "ready_for_attack",
    "coup_de_grace",
    "strike_to_spare",
    "harrying_fire",
    "drop",
    "no_such_action",
];
const RULINGS: [&str; 7] = [
    "do = [{ damage = \"2d8[fire]\", to = \"bearer\" }]",
    "do = [{ damage = \"30[slashing]\", to = \"bearer\" }]",
    "do = [{ heal = \"1d8\", pool = \"hp\" }]",
    "do = [{ pool = \"resolve\", add = \"-1\" }]",
    "do = [{ apply = \"bleeding\", value = \"3\" }]",
    "do = [{ apply = \"bolstered\", value = \"7\", rounds = \"2\" }]",
    "do = [{ apply = \"con_damage\", value = \"2\" }]",
];

/// What somebody tries.
#[derive(Clone, Debug)]
enum Try {
    Act(usize, usize, usize, usize, (i32, i32)),
    Ruling(usize, usize),
    Next,
}

fn tries() -> impl Strategy<Value = Vec<Try>> {
    let act = (0..WHO.len(), 0..ACTIONS.len(), 0..ITEMS.len(), 0..WHO.len(), (0..8, 0..8));
    let one = prop_oneof![
        6 => act.prop_map(|(who, action, item, target, to)| Try::Act(who, action, item, target, to)),
        1 => (0..4_usize, 0..RULINGS.len()).prop_map(|(who, ruling)| Try::Ruling(who, ruling)),
        2 => Just(Try::Next),
    ];
    proptest::collection::vec(one, 1..40)
}

fn rules() -> &'static Arc<Ruleset> {
    static RULES: OnceLock<Arc<Ruleset>> = OnceLock::new();
    RULES.get_or_init(|| houserule::load(&["sf1e"]).unwrap_or_else(|report| panic!("{report}")))
}

/// The table with its fight begun.
fn begun(seed: u64) -> Table {
    let encounter = Encounter::read(rules(), "small", SMALL).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut table = encounter.lay(rules(), seed).unwrap();
    assert!(table.begin(&WHO[..4], &WHO[..4]).unwrap().is_done());
    table
}

/// Answers whatever is still asked with what comes first, or gives it up.
fn settle(table: &mut Table, mut outcome: Outcome) {
    while let Outcome::Asking(question) = outcome {
        outcome = match question.default.clone() {
            Some(answer) => table.answer(answer, &mut Oracle::Seeded).unwrap(),
            None => table.withdraw().unwrap(),
        };
    }
}

/// Who acts tries it, or now and then somebody whose turn it is not.
fn attempt(table: &mut Table, what: &Try) {
    let outcome = match what {
        Try::Next => table.next(),
        Try::Ruling(who, ruling) => {
            let steps = RULINGS[*ruling].into();
            table.perform(&Operation::Rule { who: id(table, WHO[*who]), target: None, steps })
        }
        Try::Act(who, action, item, target, to) => {
            let acting = table.state().order.acting().and_then(|who| table.state().entity(who));
            let name = acting.map_or(WHO[*who], |entity| &entity.name).to_owned();
            let who = if *who == 0 { WHO[*target] } else { &name };
            let bare = Intent::new(ACTIONS[*action]).by(who).to(to.0, to.1);
            let armed = if *item < 6 { bare.with(ITEMS[*item]) } else { bare };
            table.act(&if *target < 4 { armed.at(WHO[*target]) } else { armed })
        }
    };
    let outcome = outcome.unwrap_or_else(|fault| panic!("{what:?}: {fault}"));
    settle(table, outcome);
}

fn id(table: &Table, name: &str) -> EntityId {
    table.state().find(name).unwrap()
}

fn assert_in_range(table: &Table) {
    for name in &WHO[..4] {
        for pool in ["hp", "stamina", "resolve", "temporary", "slots"] {
            let left = table.read(id(table, name), pool).unwrap();
            let most = table.read(id(table, name), &format!("{pool}.max")).unwrap();
            assert!((0..=most.max(0)).contains(&left), "{name} has {left} of {most} {pool}");
        }
    }
}

/// No timer is due that has not been heard.
fn assert_nothing_outlives_its_moment(table: &Table) {
    let (order, now) = (&table.state().order, table.state().clock.seconds);
    let place = |slot| order.places.iter().position(|place| place.slot == slot);
    for timer in &table.state().timers {
        let past = match timer.due {
            Moment::Slot { slot, round } => {
                round < order.round || (round == order.round && order.at.and_then(place) >= place(slot))
            }
            Moment::Clock { seconds } => seconds <= now,
            Moment::Event { left, .. } => left == 0,
            Moment::Stopped { .. } => false,
        };
        let bearer = table.state().entity(timer.bearer).unwrap();
        let borne = bearer.instance(timer.instance).map(|borne| rules().lexicon.name(borne.condition));
        assert!(!past, "{}: {borne:?} was due at {:?}", bearer.name, timer.due);
    }
}

/// What each blow took from the pools is what came through less what none could take.
fn assert_damage_adds_up(table: &Table) {
    for entry in table.journal().done() {
        let records = table.journal().records(entry);
        for (at, record) in records.iter().enumerate() {
            if let Record::Hurt { who, amount, left_over } = record {
                let mut missing = amount - left_over;
                let mut falls = records[at + 1..].iter().filter_map(|record| fall(record, *who));
                while missing > 0 {
                    missing -= falls.next().unwrap_or_else(|| panic!("{missing} of {amount} were taken from nothing"));
                }
                assert_eq!(missing, 0, "more was taken than the {amount} that came through");
            }
        }
    }
}

/// By how much a pool that damage falls on went down.
fn fall(record: &Record, who: EntityId) -> Option<i32> {
    let Record::Change(change) = record else { return None };
    let StateField::Pool(whose, pool) = change.place else { return None };
    let (StateValue::Number(before), StateValue::Number(after)) = (&change.before, &change.after) else { return None };
    let pools: &[PoolId] = &rules().dealing.pools;
    (whose == who && pools.contains(&pool) && after < before).then_some(before - after)
}

/// The first entries of a table, done again at a fresh one.
fn prefix(table: &Table, entries: usize, seed: u64) -> Table {
    let mut fresh = Table::new(rules(), seed);
    for entry in &table.journal().done()[..entries] {
        let outcome = fresh.perform_again(&entry.deed, table.journal().answers(entry)).unwrap();
        assert!(outcome.is_done(), "{:?} came to {outcome:?}", entry.deed);
    }
    fresh
}

/// The state alone, whatever lies behind it in the journal.
fn seen(table: &Table) -> String {
    let mut table = table.clone();
    table.forget_history();
    table.digest().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn pools_stay_in_their_ranges(seed in 0..1_000_u64, tries in tries()) {
        let mut table = begun(seed);
        for what in &tries {
            attempt(&mut table, what);
            assert_in_range(&table);
        }
    }

    #[test]
    fn no_effect_outlives_its_moment(seed in 0..1_000_u64, tries in tries()) {
        let mut table = begun(seed);
        for what in &tries {
            attempt(&mut table, what);
            assert_nothing_outlives_its_moment(&table);
        }
    }

    #[test]
    fn so_many_rounds_end_just_before_the_place_where_they_began(
        seed in 0..1_000_u64,
        turns in 0..6_usize,
        rounds in 1..4_usize,
        whom in 0..4_usize,
        others in proptest::collection::vec(0..RULINGS.len(), 16..17),
    ) {
        let mut table = begun(seed);
        (0..turns).for_each(|_| attempt(&mut table, &Try::Next));
        let bearer = id(&table, WHO[whom]);
        let steps = format!("do = [{{ apply = \"off_target\", rounds = \"{rounds}\" }}]").into();
        assert!(table.perform(&Operation::Rule { who: bearer, target: None, steps }).unwrap().is_done());
        for turn in 0..4 * rounds {
            prop_assert_eq!(table.read(bearer, "condition.off_target").unwrap(), 1, "turn {}", turn);
            attempt(&mut table, &Try::Ruling(turn % 4, others[turn % others.len()]));
            attempt(&mut table, &Try::Next);
        }
        prop_assert_eq!(table.read(bearer, "condition.off_target").unwrap(), 0);
    }

    #[test]
    fn what_is_explained_of_damage_is_what_was_taken(seed in 0..1_000_u64, tries in tries()) {
        let mut table = begun(seed);
        tries.iter().for_each(|what| attempt(&mut table, what));
        assert_damage_adds_up(&table);
    }

    #[test]
    fn to_undo_down_to_any_entry_is_to_have_done_no_more(
        seed in 0..1_000_u64,
        tries in tries(),
        at in any::<proptest::sample::Index>(),
    ) {
        let mut table = begun(seed);
        tries.iter().for_each(|what| attempt(&mut table, what));
        let whole = seen(&table);
        let done = table.journal().done().len();
        let entries = at.index(done + 1);
        let fresh = prefix(&table, entries, seed);
        (entries..done).for_each(|_| assert!(table.undo(false)));
        prop_assert_eq!(seen(&table), seen(&fresh));
        prop_assert_eq!(seen(&table.replayed().unwrap()), seen(&fresh));
        while table.redo() {}
        prop_assert_eq!(seen(&table), whole);
    }
}
