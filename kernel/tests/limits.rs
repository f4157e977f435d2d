//! Ids of nobody, work and bytes that nobody pays for, and what goes too deep: each ends in a named refusal or fault,
//! and the same in small is done.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod common;

use common::*;
use houserule_kernel::budget::{Budget, Counted};
use houserule_kernel::entity::StatBlockRef;
use houserule_kernel::ident::*;
use houserule_kernel::intent::{NewEntity, Operation};
use houserule_kernel::oracle::Oracle;
use houserule_kernel::situation::Situation;
use houserule_kernel::space::Square;
use houserule_kernel::table::{Outcome, Table};
use std::panic::{AssertUnwindSafe, catch_unwind};

const RULES: &str = r#"
[tag]
odd = "odd"
[stat.reach]
[count.c]
[pool.a]
max = "3"
[creature.one]
[item.bag]
[action.wave]
[check.luck]
roll = "1d20"
degrees = ["bad", "good"]
case.good.when = "total > 10"
[initiative]
check = "luck"
[turn]
seconds = 6
start = ["turn.start"]
end = ["turn.end"]
round_start = ["round.start"]
"#;

fn game() -> Game {
    Game::new(RULES, &["rook", "pawn"])
}

fn seat(name: &str, owner: Option<EntityId>, origin: StatBlockRef) -> Operation {
    let (stats, pools, tags) = (Vec::new(), Vec::new(), Vec::new());
    let (side, square) = ("red".into(), None);
    Operation::Seat(Box::new(NewEntity {
        name: name.into(),
        origin,
        side,
        square,
        stats,
        pools,
        tags,
        holds: None,
        owner,
    }))
}

fn act(game: &Game, who: EntityId, target: Option<EntityId>, to: Option<Square>) -> Operation {
    let action = game.id::<ActionId>("wave");
    let (targets, facts, via) = (target.into_iter().collect(), Default::default(), Default::default());
    Operation::Act { who, action, item: None, and: None, targets, to, via, facts }
}

#[test]
fn err_ids_of_nobody_are_refused_whatever_is_done() {
    let mut game = game();
    let (rook, check) = (game.who("rook"), game.id::<CheckId>("luck"));
    let before = digest(&game.table);
    for nobody in [EntityId(3), EntityId(9_999), EntityId(65_535), EntityId(i32::MAX as u32), EntityId(u32::MAX)] {
        let facts = || Default::default();
        let stream = game.table.rules().streams.roll;
        let page = StatBlockRef::Creature(game.id("one"));
        let deeds = [
            act(&game, nobody, None, None),
            act(&game, rook, Some(nobody), None),
            Operation::Check { who: nobody, target: None, check, dc: Some(1), facts: facts() },
            Operation::Check { who: rook, target: Some(nobody), check, dc: Some(1), facts: facts() },
            Operation::Rule { who: nobody, target: None, steps: "do = []".into() },
            Operation::Begin { who: vec![rook, nobody], aware: Vec::new() },
            Operation::Begin { who: vec![rook], aware: vec![nobody] },
            Operation::Join(nobody),
            Operation::Leave(nobody),
            Operation::Delay { behind: nobody },
            Operation::Mute { who: nobody, modifier: Serial(1), off: true },
            Operation::Withdraw { spent: vec![(nobody, stream, u32::MAX)] },
            seat("new", Some(nobody), page),
        ];
        for deed in deeds {
            assert_eq!(&*refusal(game.table.perform(&deed).unwrap()).code, "HR0704", "{deed:?}");
            assert_eq!(&*refusal(game.table.perform_again(&deed, &[]).unwrap()).code, "HR0704", "{deed:?}");
        }
        assert!(game.table.read(nobody, "count.c").is_err());
        assert!(game.table.state().entity(nobody).is_none());
    }
    assert_eq!(digest(&game.table), before);
    game.perform(&act(&game, rook, None, None));
}

#[test]
fn err_ids_of_another_ruleset_are_refused() {
    let mut game = game();
    let (rook, far) = (game.who("rook"), 60_000);
    let foreign = [
        Operation::Check { who: rook, target: None, check: CheckId::new(far), dc: None, facts: Default::default() },
        Operation::Check {
            who: rook,
            target: None,
            check: game.id("luck"),
            dc: Some(1),
            facts: [(FactId::new(far), 1)].into_iter().collect(),
        },
        Operation::Switch { option: OptionId::new(far), value: 1 },
        Operation::Withdraw { spent: vec![(rook, StreamId::new(far), 1)] },
        seat("new", None, StatBlockRef::Creature(CreatureId::new(far))),
        seat("new", None, StatBlockRef::Item(ItemId::new(far))),
        seat("new", None, StatBlockRef::Table),
    ];
    for deed in foreign {
        assert_eq!(&*refusal(game.table.perform(&deed).unwrap()).code, "HR0703", "{deed:?}");
    }
    let about = Situation { action: Some(ActionId::new(far)), ..Situation::of(rook) };
    assert!(game.table.read_about(about, "1").unwrap_err().code == "HR0541");
    let other = rules("[stat.a]\n[stat.b]\n[stat.c]\n[creature.one]");
    let formula = other.expression("c + 1").unwrap();
    assert!(game.table.value(Situation::of(rook), &formula).is_err());
    game.perform(&act(&game, rook, None, None));
}

#[test]
fn err_squares_off_the_map_and_long_names_are_refused() {
    let mut game = game();
    let rook = game.who("rook");
    for square in [Square { x: i32::MIN, y: i32::MAX }, Square { x: 1_000_001, y: 0 }] {
        let deed = act(&game, rook, None, Some(square));
        assert_eq!(&*refusal(game.table.perform(&deed).unwrap()).text, "refuse.no_square");
    }
    let page = StatBlockRef::Creature(game.id("one"));
    let long = refusal(game.table.perform(&seat(&"x".repeat(101), None, page)).unwrap());
    assert_eq!(&*long.text, "refuse.name_long");
    game.perform(&seat(&"x".repeat(100), None, page));
}

#[test]
fn err_who_takes_no_part_cannot_leave() {
    let mut game = game();
    let (rook, pawn) = (game.who("rook"), game.who("pawn"));
    assert_eq!(&*refusal(game.table.perform(&Operation::Leave(rook)).unwrap()).text, "refuse.no_encounter");
    game.perform(&Operation::Begin { who: vec![rook], aware: Vec::new() });
    assert_eq!(&*refusal(game.table.perform(&Operation::Leave(pawn)).unwrap()).text, "refuse.no_part");
    game.perform(&Operation::Leave(rook));
}

#[test]
fn err_nothing_is_held_through_too_many_hands() {
    let mut game = game();
    let page = StatBlockRef::Item(game.id("bag"));
    let mut holder = game.who("rook");
    for number in 0..16 {
        let name = format!("bag {number}");
        game.perform(&seat(&name, Some(holder), page));
        holder = game.who(&name);
    }
    let fault = game.table.perform(&seat("beyond", Some(holder), page)).unwrap_err();
    assert_eq!(fault.code, "HR0535", "{fault}");
}

#[test]
fn err_nothing_comes_to_hold_itself() {
    let rules =
        format!("{RULES}\n[action.put]\ntargets = {{ one = \"anything\" }}\ndo = [{{ give = true, to = \"target\" }}]");
    let mut game = Game::new(&rules, &["rook"]);
    let page = StatBlockRef::Item(game.id("bag"));
    game.perform(&seat("red", None, page));
    game.perform(&seat("blue", None, page));
    let (rook, red, blue) = (game.who("rook"), game.who("red"), game.who("blue"));
    let put = |game: &Game, item, into| {
        let (targets, action) = ([into].into_iter().collect(), game.id("put"));
        let (facts, via) = (Default::default(), Default::default());
        Operation::Act { who: rook, action, item: Some(item), and: None, targets, to: None, via, facts }
    };
    let deed = put(&game, red, blue);
    game.perform(&deed);
    for (item, into) in [(blue, red), (red, red), (blue, blue)] {
        let deed = put(&game, item, into);
        assert_eq!(game.table.perform(&deed).unwrap_err().code, "HR0535");
    }
    let deed = put(&game, red, rook);
    game.perform(&deed);
}

#[test]
fn err_rules_do_not_raise_what_the_kernel_raises() {
    for event in ["turn.start", "round.start", "check.begin", "action.begin", "pool.emptied", "moved"] {
        let told = wrong(&format!("{RULES}\n[hook.h]\non = \"moved\"\ndo = [{{ event = \"{event}\" }}]"));
        assert!(told.contains("HR0534") && told.contains(event), "{told}");
        let told = wrong(&format!("{RULES}\n[steps.s]\ndo = [{{ event = \"{event}\" }}]"));
        assert!(told.contains("HR0534"), "{told}");
        let fault = game().fault("rook", &format!("{{ event = \"{event}\" }}"));
        assert!(fault.contains("HR0534"), "{fault}");
    }
    let mut own = Game::new(&format!("{RULES}\n[event.mine]"), &["rook"]);
    own.run("rook", r#"{ event = "mine" }, { event = "turn.end" }"#);
}

#[test]
fn a_table_that_panicked_says_how_it_heals_and_does() {
    let mut game = game();
    let deed = game.checking("rook", None, "luck", None);
    let before = digest(&game.table);
    let mut broken = Oracle::Host(Box::new(|_| panic!("a host failed")));
    assert!(catch_unwind(AssertUnwindSafe(|| game.table.perform_with(&deed, &mut broken))).is_err());
    let fault = game.table.perform(&deed).unwrap_err();
    assert!(fault.code == "HR0540" && fault.message.contains("save it and load the save"), "{fault}");
    let mut healed = Table::load(game.table.rules(), &game.table.save().unwrap()).unwrap();
    assert_eq!(digest(&healed), before);
    assert!(healed.perform(&deed).unwrap().is_done());
}

#[test]
fn err_conditions_and_things_are_bounded_by_name() {
    let rules = format!("{RULES}\n[condition.many]\nagain = {{ value = \"all\" }}");
    let twenty = |step: &str, rounds: usize| {
        let mut game = Game::new(&rules, &["rook"]);
        (1..rounds).for_each(|_| game.run("rook", &step.repeat(20)));
        let deed = game.ruling("rook", None, &step.repeat(20));
        game.table.perform(&deed).map(|outcome| outcome.is_done()).map_err(|fault| fault.code)
    };
    assert_eq!(twenty(r#"{ create = "bag" },"#, 50), Ok(true));
    assert_eq!(twenty(r#"{ create = "bag" },"#, 51), Err("HR0535".into()));
    assert_eq!(twenty(r#"{ apply = "many" },"#, 12), Ok(true));
    assert_eq!(twenty(r#"{ apply = "many" },"#, 13), Err("HR0535".into()));
}

#[test]
fn things_of_one_name_are_numbered_on() {
    let mut game = game();
    game.run("rook", &r#"{ create = "bag" },"#.repeat(3));
    let names: Vec<&str> = game.table.state().present().map(|(_, entity)| &*entity.name).skip(2).collect();
    assert_eq!(names, ["rook's bag", "rook's bag 2", "rook's bag 3"]);
}

#[test]
fn err_a_small_budget_of_work_or_bytes_ends_an_intent_and_leaves_no_trace() {
    for (name, what) in [("work", "work"), ("bytes", "journal bytes")] {
        let mut game = game();
        let before = digest(&game.table);
        let mut budget = Budget::default();
        Counted::named(name).unwrap().set(&mut budget, 100);
        game.table.set_budget(budget);
        let deed = game.ruling("rook", None, &r#"{ create = "bag" },"#.repeat(30));
        let fault = game.table.perform(&deed).unwrap_err();
        assert!(fault.code == "HR0520" && fault.message.contains(what), "{fault}");
        assert_eq!(digest(&game.table), before);
        game.table.set_budget(Budget::default());
        game.perform(&deed);
    }
}

#[test]
fn work_is_the_same_whether_numbers_are_kept_or_not() {
    let rules = format!(
        "{RULES}\n[stat.sum]\npart.r = \"reach\"\npart.c = \"count.c\"\n[condition.big]\nmodifiers.a = {{ to = \"reach\", \
         value = \"2\" }}"
    );
    let rules = if houserule_loader::load(&[pack(&rules)], &[]).is_ok() { rules } else { RULES.into() };
    let mut game = Game::new(&rules, &["rook", "pawn"]);
    let steps = r#"{ count = "c", add = "reach" }, "#.repeat(40);
    let deed = game.ruling("rook", Some("pawn"), &steps);
    let least = |table: &Table| {
        (1..5_000).find(|work| {
            let mut copy = table.clone();
            copy.set_budget(Budget { work: *work, ..Budget::default() });
            copy.perform(&deed).is_ok()
        })
    };
    let cold = least(&game.table).unwrap();
    game.table.set_budget(Budget { work: cold, ..Budget::default() });
    for _ in 0..2 {
        game.perform(&deed);
    }
    game.table.set_budget(Budget { work: cold - 1, ..Budget::default() });
    assert!(game.table.perform(&deed).is_err(), "a warm table pays less");
}

#[test]
fn err_sentences_are_cut() {
    let mut game = game();
    let deed = game.ruling("rook", None, &format!("{{ {} = 1 }}", "x".repeat(10_000)));
    let fault = game.table.perform(&deed).unwrap_err();
    assert!(fault.message.chars().count() <= 1_001, "{}", fault.message.len());
    let long = game.table.seat("new", &"y".repeat(50_000), "red").unwrap();
    let Outcome::Refused(refusal) = long else { panic!("{long:?}") };
    assert!(refusal.arguments.iter().all(|(_, value)| value.chars().count() <= 1_001));
}

#[test]
fn err_stats_that_read_each_other_over_and_over_run_out_of_work() {
    let chain = |deep: usize, wide: usize| -> String {
        let stat = |at: usize| {
            format!("[stat.s{at}.part.p]\nvalue = \"{}\"\n", vec![format!("s{}", at - 1); wide].join(" + "))
        };
        (1..=deep).map(stat).collect()
    };
    let game =
        |deep, wide| Game::new(&format!("{RULES}[note.n]\n[stat.s0]\nstart = 1\n{}", chain(deep, wide)), &["rook"]);
    let mut heavy = game(12, 100);
    let before = digest(&heavy.table);
    let fault = heavy.fault("rook", r#"{ note = "n", set = "s12" }"#);
    assert!(fault.contains("[HR0520]"), "{fault}");
    assert_eq!(digest(&heavy.table), before);
    let mut light = game(4, 3);
    light.run("rook", r#"{ note = "n", set = "s4" }"#);
    assert_eq!(light.read("rook", "note.n"), 81);
}
