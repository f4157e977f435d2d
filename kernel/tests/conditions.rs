//! Conditions: begun, begun again, ended, overridden, standing by themselves.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

mod common;

use common::Game;
use houserule_kernel::ident::ConditionId;
use houserule_kernel::intent::Intent;
use houserule_kernel::journal::{EndReason, Record};

const PLAIN: &str = "[creature.one]\n[stat.s]\nstart = 10\n[turn]\nseconds = 6\nstart = [\"turn.start\"]\nend = [\"turn.end\"]\nround_end = [\"round.end\"]\n[check.init]\nroll = \"1d20\"\ndegrees = [\"rolled\"]\n[initiative]\ncheck = \"init\"\n[count.a]\n[count.b]\n";

fn game(more: &str) -> Game {
    Game::new(&format!("{PLAIN}{more}"), &["rook", "pawn"])
}

#[test]
fn the_highest_value_is_heeded_and_without_one_there_is_none() {
    let mut capped =
        game("[condition.c]\nvalue = { min = \"1\", max = \"3\" }\n[condition.d]\nvalue = { min = \"1\" }");
    capped.run("rook", r#"{ apply = "c", value = "5" }, { apply = "d", value = "5" }"#);
    assert_eq!((capped.read("rook", "condition.c"), capped.read("rook", "condition.d")), (3, 5));
}

const FRIGHTENED: &str = r#"
[condition.frightened]
value = { min = "1", max = "4" }
[condition.frightened.modifier.s]
to = ["s"]
value = "-value"
[condition.frightened.tick.fades]
at = "turn.end"
do = [{ lower = "frightened" }]
"#;

#[test]
fn a_value_falls_at_the_end_of_its_bearers_turns() {
    let mut game = Game::new(&format!("{PLAIN}{FRIGHTENED}"), &["a", "b", "c"]);
    game.begin(&["a", "b", "c"], &["18", "15", "12"]);
    game.strike("a", "c", r#"{ apply = "frightened", value = "2", to = "target" }"#, &[]);
    game.until("c", 1);
    assert_eq!((game.read("c", "condition.frightened"), game.read("c", "s")), (2, 8));
    game.until("a", 2);
    assert_eq!((game.read("c", "condition.frightened"), game.read("c", "s")), (1, 9));
    game.until("a", 3);
    assert!(!game.bears("c", "frightened"));
    assert_eq!(game.read("c", "s"), 10);
}

#[test]
fn values_set_directly_keep_their_range() {
    let mut game = game(FRIGHTENED);
    game.run("rook", r#"{ apply = "frightened", value = "2" }, { raise = "frightened", by = "7" }"#);
    assert_eq!((game.read("rook", "condition.frightened"), game.read("rook", "s")), (4, 6));
    game.run("rook", r#"{ lower = "frightened", by = "4" }"#);
    assert!(!game.bears("rook", "frightened"));
    assert_eq!(game.read("rook", "s"), 10);
    game.run("rook", r#"{ raise = "frightened" }"#);
    assert_eq!(game.read("rook", "condition.frightened"), 1, "raising what is not borne begins it");
}

#[test]
fn persistent_harm_ticks_at_the_end_of_the_turn_and_may_end_then() {
    let more = r#"
    [tag]
    fire = "fire"
    [pool.hp]
    max = "30"
    [damage]
    pools = ["hp"]
    [check.flat]
    roll = "1d20"
    stream = "flat"
    against = "given"
    degrees = ["failure", "success"]
    [check.flat.case.success]
    when = "total >= dc"
    [condition.burning.tick.burns]
    at = "turn.end"
    do = [{ damage = "1d6[fire]", to = "bearer" }, { check = "flat", dc = "15", on = { success = [{ remove = "burning" }] } }]
    "#;
    let mut game = Game::new(&format!("{PLAIN}{more}"), &["rook", "pawn"]);
    game.begin(&["rook", "pawn"], &["18", "5"]);
    game.strike("rook", "pawn", r#"{ damage = "5" }, { apply = "burning", to = "target" }"#, &[]);
    assert_eq!(game.read("pawn", "hp"), 25);
    game.until("pawn", 1);
    game.taped(&houserule_kernel::intent::Operation::Next, &["damage:4", "flat:14"]);
    assert_eq!((game.read("pawn", "hp"), game.bears("pawn", "burning")), (21, true));
    game.until("pawn", 2);
    game.taped(&houserule_kernel::intent::Operation::Next, &["damage:2", "flat:15"]);
    assert_eq!((game.read("pawn", "hp"), game.bears("pawn", "burning")), (19, false));
}

#[test]
fn what_came_with_a_condition_ends_with_it_and_has_a_reason() {
    let mut game =
        game("[condition.grabbed]\nimplies = [\"held\"]\n[condition.held]\nimplies = [\"slow\"]\n[condition.slow]");
    game.run("rook", r#"{ apply = "grabbed" }"#);
    assert!(game.bears("rook", "held") && game.bears("rook", "slow"));
    game.run("rook", r#"{ remove = "held" }"#);
    assert!(game.bears("rook", "held"), "what came with another stays as long as that");
    game.run("rook", r#"{ remove = "grabbed" }"#);
    assert!(!game.bears("rook", "held") && !game.bears("rook", "slow"));
    let reasons: Vec<EndReason> = game
        .last_records()
        .iter()
        .filter_map(|record| match record {
            Record::Ended { reason, .. } => Some(*reason),
            _ => None,
        })
        .collect();
    assert!(matches!(reasons.as_slice(), [EndReason::Rule(_), EndReason::Parent, EndReason::Parent]), "{reasons:?}");
}

const OVERRIDES: &str = r#"
[condition.blind]
overrides = ["dazzled"]
[condition.dark]
overrides = ["dazzled"]
[condition.dazzled]
value = { min = "1" }
[condition.dazzled.modifier.s]
to = ["s"]
value = "-value"
[condition.dazzled.tick.t]
at = "turn.start"
do = [{ count = "a", add = "1" }]
[note.n]
"#;

#[test]
fn what_is_overridden_does_nothing_and_goes_on_exactly_as_it_was() {
    let mut game = game(OVERRIDES);
    game.run("rook", r#"{ apply = "dazzled", value = "3", minutes = "1", notes = { n = "7" } }"#);
    let before = game.table.state().entity(game.who("rook")).unwrap().bears.clone();
    let timers = game.table.state().timers.clone();
    game.run("rook", r#"{ apply = "blind" }"#);
    assert_eq!((game.read("rook", "s"), game.bears("rook", "dazzled")), (10, false));
    game.run("rook", r#"{ apply = "dark" }, { remove = "blind" }"#);
    assert_eq!(game.read("rook", "s"), 10, "one override is left");
    game.run("rook", r#"{ remove = "dark" }"#);
    assert_eq!(game.table.state().entity(game.who("rook")).unwrap().bears, before);
    assert_eq!(game.table.state().timers, timers);
    assert_eq!(game.read("rook", "s"), 7);
}

#[test]
fn what_comes_under_an_override_begins_suspended() {
    let mut game = game(OVERRIDES);
    game.run("rook", r#"{ apply = "blind" }, { apply = "dazzled", value = "2" }"#);
    assert_eq!(game.read("rook", "s"), 10);
    game.begin(&["rook"], &["10"]);
    assert_eq!(game.read("rook", "count.a"), 0, "it does not tick");
    game.run("rook", r#"{ remove = "blind" }"#);
    assert_eq!(game.read("rook", "s"), 8);
    game.next();
    assert_eq!(game.read("rook", "count.a"), 1);
}

#[test]
fn steps_may_suspend_and_resume_a_condition() {
    let mut game = game(OVERRIDES);
    game.run("rook", r#"{ apply = "dazzled", value = "2" }, { suspend = "dazzled" }"#);
    assert_eq!(game.read("rook", "s"), 10);
    game.run("rook", r#"{ resume = "dazzled" }, { resume = "dazzled" }"#);
    assert_eq!(game.read("rook", "s"), 8);
}

#[test]
fn the_immune_do_not_bear_a_condition_and_a_line_says_so() {
    let mut game = game(
        "[tag]\nmindless = \"m\"\n[creature.ooze]\ntags = [\"mindless\"]\n[condition.shaken]\nunless = \"bearer has mindless\"",
    );
    game.seat("jelly", "ooze");
    game.run("jelly", r#"{ apply = "shaken" }"#);
    assert!(!game.bears("jelly", "shaken"));
    assert!(game.last_records().iter().any(|record| matches!(record, Record::Resisted { .. })));
    game.run("rook", r#"{ apply = "shaken" }"#);
    assert!(game.bears("rook", "shaken"));
}

const STANDING: &str = r#"
[tag]
construct = "c"
[pool.hp]
max = "10"
[condition.down]
while = "hp <= 0"
unless = "bearer has construct"
[condition.down.start]
do = [{ count = "a", add = "1" }]
[condition.down.end]
do = [{ count = "b", add = "1" }]
[condition.broken]
while = "hp <= 5"
[creature.golem]
tags = ["construct"]
[creature.squire]
holds = ["sword"]
[item.sword]
"#;

#[test]
fn a_standing_condition_comes_and_goes_by_its_question() {
    let mut game = game(STANDING);
    game.run("rook", r#"{ pool = "hp", set = "0" }"#);
    assert!(game.bears("rook", "down"));
    game.run("rook", r#"{ pool = "hp", set = "1" }"#);
    assert!(!game.bears("rook", "down") && game.bears("rook", "broken"));
    assert_eq!((game.read("rook", "count.a"), game.read("rook", "count.b")), (1, 1));
    let down: ConditionId = game.id("down");
    assert!(game.last_records().iter().any(
        |record| matches!(record, Record::Ended { condition, reason: EndReason::Standing, .. } if *condition == down)
    ));
}

#[test]
fn whoever_is_immune_to_a_standing_condition_may_bear_others() {
    let mut game = game(STANDING);
    game.seat("clay", "golem");
    game.run("clay", r#"{ pool = "hp", set = "0" }"#);
    assert_eq!((game.bears("clay", "down"), game.bears("clay", "broken")), (false, true));
}

#[test]
fn nobody_is_down_while_they_are_only_being_seated() {
    let mut game = game(STANDING);
    game.seat("tom", "squire");
    assert_eq!((game.read("tom", "count.a"), game.read("tom", "hp")), (0, 10));
}

#[test]
fn a_standing_condition_follows_what_the_bearer_holds() {
    let more = r#"
    [tag]
    worn = "w"
    [pool.wear]
    max = "5"
    of = ["worn"]
    [stat.whole]
    [stat.whole.part.p]
    value = "wear"
    [stat.guard]
    [stat.guard.part.p]
    each = "worn"
    value = "item.whole"
    [condition.bare]
    while = "guard == 0"
    [creature.knight]
    holds = ["plate"]
    [item.plate]
    tags = ["worn"]
    "#;
    let mut game = game(more);
    game.seat("sir", "knight");
    assert!(!game.bears("sir", "bare"));
    game.run("sir's plate", r#"{ pool = "wear", set = "0" }"#);
    assert!(game.bears("sir", "bare"));
}

#[test]
fn err_a_standing_condition_that_depends_on_itself_is_named() {
    let mut game = game(
        "[condition.odd]\nwhile = \"s >= 10 and count.a > 0\"\n[condition.odd.modifier.s]\nto = [\"s\"]\nvalue = \"-1\"",
    );
    let fault = game.fault("rook", r#"{ count = "a", add = "1" }"#);
    assert_eq!(fault, "`odd` of `rook` comes and goes for ever: its question depends on itself [HR0532]");
    assert!(!game.bears("rook", "odd"));
}

#[test]
fn a_tick_may_be_of_whoever_caused_the_condition() {
    let mut game =
        game("[condition.hex.tick.t]\nat = \"turn.start\"\nwhose = \"source\"\ndo = [{ count = \"a\", add = \"1\" }]");
    game.strike("rook", "pawn", r#"{ apply = "hex", to = "target" }"#, &[]);
    game.begin(&["pawn", "rook"], &["20", "10"]);
    assert_eq!(game.read("pawn", "count.a"), 0, "the bearer's turn");
    game.next();
    assert_eq!(game.read("pawn", "count.a"), 1, "the turn of who caused it");
}

#[test]
fn a_tick_of_a_round_is_everybodys_and_a_count_may_begin_anew_with_it() {
    let more = "[condition.c.tick.t]\nat = \"round.end\"\ndo = [{ count = \"a\", add = \"1\" }]\n[count.each_round]\nresets = \"round.end\"";
    let mut game = game(more);
    game.run("pawn", r#"{ apply = "c" }, { count = "each_round", set = "4" }"#);
    game.begin(&["rook", "pawn"], &["20", "10"]);
    game.until("rook", 3);
    assert_eq!((game.read("pawn", "count.a"), game.read("pawn", "count.each_round")), (2, 0));
}

const LIMITS: &str = r#"
[tag]
move = "m"
attack = "a"
free = "f"
[action.walk]
tags = ["move"]
[action.hit]
tags = ["attack"]
[action.drop]
tags = ["free", "attack"]
[condition.calm]
forbids = ["attack"]
[condition.slow]
only = ["move", "free"]
[condition.wake]
overrides = ["slow"]
"#;

#[test]
fn conditions_forbid_actions_or_leave_only_some() {
    let mut game = game(LIMITS);
    game.run("rook", r#"{ apply = "calm" }"#);
    let cannot = ("HR0706".to_owned(), "refuse.cannot_act".to_owned());
    assert_eq!(game.refused("rook", "hit"), cannot);
    game.does("rook", "walk");
    game.run("rook", r#"{ remove = "calm" }, { apply = "slow" }"#);
    assert_eq!(game.refused("rook", "hit"), cannot);
    game.does("rook", "drop");
    game.run("rook", r#"{ apply = "wake" }"#);
    game.does("rook", "hit");
}

#[test]
fn a_gate_must_be_passed_before_acting_and_the_cost_is_paid_all_the_same() {
    let more = r#"
    [tag]
    magic = "m"
    [pool.mana]
    max = "9"
    [check.flat]
    roll = "1d20"
    stream = "flat"
    against = "given"
    degrees = ["failure", "success"]
    [check.flat.case.success]
    when = "total >= dc"
    [condition.dizzy.gate.g]
    check = "flat"
    dc = "5"
    before = ["magic"]
    pass = ["success"]
    [action.cast]
    tags = ["magic"]
    cost = { mana = 2 }
    do = [{ count = "a", add = "1" }]
    [action.wave]
    do = [{ count = "b", add = "1" }]
    "#;
    let mut game = game(more);
    game.run("rook", r#"{ apply = "dizzy" }"#);
    game.does("rook", "wave");
    let cast = game.table.prepare(&Intent::new("cast").by("rook")).unwrap();
    game.taped(&cast, &["flat:4"]);
    assert_eq!((game.read("rook", "count.a"), game.read("rook", "mana")), (0, 7));
    game.taped(&cast, &["flat:5"]);
    assert_eq!((game.read("rook", "count.a"), game.read("rook", "mana")), (1, 5));
}

#[test]
fn a_note_is_kept_with_the_instance_and_read_by_its_ticks() {
    let more = "[note.dose]\n[condition.venom.tick.t]\nat = \"turn.start\"\ndo = [{ count = \"a\", add = \"note.dose\" }, { note = \"dose\", set = \"note.dose * 2\" }]";
    let mut game = game(more);
    game.strike("rook", "pawn", r#"{ apply = "venom", to = "target", notes = { dose = "1d6" } }"#, &["4"]);
    game.begin(&["pawn"], &["9"]);
    game.next();
    assert_eq!(game.read("pawn", "count.a"), 12);
    assert_eq!(game.read("pawn", "note.dose"), 0, "the bearer itself keeps none");
}

#[test]
fn a_condition_toward_two_others_is_borne_twice() {
    let mut game = Game::new(&format!("{PLAIN}[condition.hidden]"), &["rook", "pawn", "king"]);
    for other in ["pawn", "king", "pawn"] {
        game.strike("rook", other, r#"{ apply = "hidden", toward = "target" }"#, &[]);
    }
    let rook = game.table.state().entity(game.who("rook")).unwrap();
    let toward: Vec<_> = rook.bears.iter().map(|borne| borne.toward).collect();
    assert_eq!(toward, [Some(game.who("pawn")), Some(game.who("king"))]);
}

#[test]
fn the_last_steps_of_a_condition_know_its_value() {
    let mut game =
        game("[condition.c]\nvalue = { min = \"1\" }\n[condition.c.end]\ndo = [{ count = \"a\", add = \"value\" }]");
    game.run("rook", r#"{ apply = "c", value = "4" }, { remove = "c" }"#);
    assert_eq!(game.read("rook", "count.a"), 4);
}

#[test]
fn what_hangs_on_an_entity_ends_with_it() {
    let mut game = game("[condition.c.end]\ndo = [{ count = \"a\", add = \"1\" }]");
    game.run("rook", r#"{ apply = "c", minutes = "1" }"#);
    let rook = game.who("rook");
    game.run("rook", "{ end = true }");
    let entity = game.table.state().entity(rook).unwrap();
    assert!(entity.gone && entity.bears.is_empty() && game.table.state().timers.is_empty());
    assert_eq!(game.table.state().find("rook"), None);
}

const STOPPABLE: &str = "[condition.spell]\n[condition.spell.modifier.s]\nto = [\"s\"]\nvalue = \"1\"";

#[test]
fn a_suspended_condition_does_nothing_and_its_time_runs_on() {
    let mut game = game(STOPPABLE);
    game.run("rook", r#"{ apply = "spell", minutes = "2" }, { suspend = "spell" }"#);
    game.perform(&houserule_kernel::intent::Operation::Wait { seconds: 90 });
    game.run("rook", r#"{ resume = "spell" }"#);
    assert!(game.bears("rook", "spell"));
    game.perform(&houserule_kernel::intent::Operation::Wait { seconds: 30 });
    assert!(!game.bears("rook", "spell"), "two minutes after it began");
}

#[test]
fn a_stopped_condition_keeps_the_time_it_had_left() {
    let mut game = game(STOPPABLE);
    let before = game.read("rook", "s");
    game.run("rook", r#"{ apply = "spell", minutes = "2" }, { suspend = "spell", clock = "stopped" }"#);
    assert_eq!(game.read("rook", "s"), before, "suspended it does nothing");
    game.perform(&houserule_kernel::intent::Operation::Wait { seconds: 900 });
    game.run("rook", r#"{ resume = "spell" }"#);
    assert_eq!(game.read("rook", "s"), before + 1);
    game.perform(&houserule_kernel::intent::Operation::Wait { seconds: 119 });
    assert!(game.bears("rook", "spell"));
    game.perform(&houserule_kernel::intent::Operation::Wait { seconds: 1 });
    assert!(!game.bears("rook", "spell"));
}

#[test]
fn what_is_overridden_is_not_resumed_by_a_step() {
    let mut game = game(
        "[condition.dazed]\n[condition.dazed.modifier.m]\nto = [\"s\"]\nvalue = \"-2\"\n[condition.blind]\noverrides = [\"dazed\"]",
    );
    game.run("rook", r#"{ apply = "dazed" }, { apply = "blind" }, { resume = "dazed" }"#);
    assert_eq!(game.read("rook", "s"), 10, "the override still keeps it down");
    game.run("rook", r#"{ suspend = "dazed" }, { remove = "blind" }"#);
    assert_eq!(game.read("rook", "s"), 10, "the step still keeps it down");
    game.run("rook", r#"{ resume = "dazed" }, { resume = "dazed" }"#);
    assert_eq!(game.read("rook", "s"), 8);
}

#[test]
fn err_values_and_counts_beyond_the_numbers_are_faults() {
    let mut game = game("[condition.c]\nvalue = { min = \"1\" }\nagain = { value = \"add\" }");
    let most = "2147483647";
    game.run("rook", &format!("{{ apply = \"c\", value = \"{most}\" }}, {{ count = \"a\", set = \"{most}\" }}"));
    let told = |name: &str| format!("{name} leaves the range of numbers [HR0501]");
    assert_eq!(game.fault("rook", r#"{ raise = "c" }"#), told("the value of `c`"));
    assert_eq!(game.fault("rook", r#"{ apply = "c", value = "1" }"#), told("the value of `c`"));
    assert_eq!(game.fault("rook", r#"{ count = "a", add = "1" }"#), told("the count `a`"));
}

#[test]
fn a_gate_is_passed_once_however_often_its_condition_is_borne() {
    let more = r#"
    [check.flat]
    roll = "1d20"
    against = "given"
    degrees = ["no", "yes"]
    [check.flat.case.yes]
    when = "total >= dc"
    [condition.dizzy]
    [condition.dizzy.gate.g]
    check = "flat"
    dc = "5"
    pass = ["yes"]
    [condition.ill]
    implies = ["dizzy"]
    [action.hop]
    do = [{ count = "a", add = "1" }]
    "#;
    let mut game = game(more);
    game.run("rook", r#"{ apply = "dizzy" }, { apply = "ill" }"#);
    let hop = game.table.prepare(&Intent::new("hop").by("rook")).unwrap();
    game.taped(&hop, &["9"]);
    assert_eq!(game.read("rook", "count.a"), 1);
}

#[test]
fn the_last_steps_of_a_condition_read_what_it_remembered() {
    let more = "[note.owed]\n[condition.debt]\n[condition.debt.end]\ndo = [{ count = \"a\", set = \"note.owed\" }]";
    let mut game = game(more);
    game.run("rook", r#"{ apply = "debt", notes = { owed = "7" } }, { remove = "debt" }"#);
    assert_eq!(game.read("rook", "count.a"), 7);
    assert_eq!(game.read("rook", "note.owed"), 0, "what it remembered went with it");
}

const OWED: &str = "[condition.c]\nvalue = { min = \"1\" }\nagain = { value = \"per-source\" }\n";

/// `rook` bears `c` from `rook` and from `pawn`.
fn owed() -> Game {
    let mut game = game(OWED);
    game.run("rook", r#"{ apply = "c", value = "2", rounds = "9" }"#);
    game.strike("pawn", "rook", r#"{ apply = "c", value = "5", rounds = "9", to = "target" }"#, &[]);
    game
}

fn values(game: &Game) -> Vec<i32> {
    let rook = game.table.state().entity(game.who("rook")).unwrap();
    rook.bears.iter().filter(|borne| borne.active()).map(|borne| borne.value).collect()
}

#[test]
fn steps_touch_every_instance_of_a_condition() {
    let mut game = owed();
    game.run("rook", r#"{ raise = "c" }"#);
    assert_eq!(values(&game), [3, 6]);
    game.run("rook", r#"{ lower = "c", by = "3" }"#);
    assert_eq!(values(&game), [3], "what falls below its least ends");
    let mut game = owed();
    game.run("rook", r#"{ suspend = "c" }"#);
    assert!(values(&game).is_empty());
    game.run("rook", r#"{ resume = "c" }, { remove = "c" }"#);
    assert!(values(&game).is_empty());
}

#[test]
fn steps_touch_only_what_one_caused_or_is_borne_toward_one() {
    let mut game = owed();
    game.strike("pawn", "rook", r#"{ raise = "c", by = "2", to = "target", from = "actor" }"#, &[]);
    assert_eq!(values(&game), [2, 7]);
    game.strike("pawn", "rook", r#"{ suspend = "c", to = "target", from = "target" }"#, &[]);
    assert_eq!(values(&game), [7]);
    game.strike(
        "pawn",
        "rook",
        r#"{ remove = "c", to = "target", from = "actor" }, { resume = "c", to = "target" }"#,
        &[],
    );
    assert_eq!(values(&game), [2]);
    game.strike("pawn", "rook", r#"{ remove = "c", to = "target", toward = "actor" }"#, &[]);
    assert_eq!(values(&game), [2]);
    game.strike("rook", "pawn", r#"{ apply = "c", toward = "target" }, { remove = "c", toward = "target" }"#, &[]);
    assert_eq!(values(&game), [2], "what is borne toward nobody stays");
}

const SEEN: &str = r#"
[tag]
seen = "how well somebody is seen by another"
[condition.hidden]
group = "seen"
[condition.hidden.modifier.s]
to = ["s"]
value = "5"
when = "toward.is_actor"
[condition.observed]
group = "seen"
[modifier.common]
to = ["s"]
value = "100"
when = "bearer has observed toward actor"
[check.look]
roll = "1d20"
against = "target.s"
degrees = ["no"]
"#;

#[test]
fn of_a_group_one_is_borne_toward_each_other_creature() {
    let mut game = Game::new(&format!("{PLAIN}{SEEN}"), &["rook", "pawn", "king"]);
    game.strike("rook", "pawn", r#"{ apply = "hidden", toward = "target" }"#, &[]);
    game.strike("rook", "king", r#"{ apply = "hidden", toward = "target" }"#, &[]);
    game.strike("rook", "king", r#"{ apply = "observed", toward = "target" }, { apply = "hidden" }"#, &[]);
    let toward = |game: &Game, condition: &str, whom: &str| {
        let (rook, whom) = (game.table.state().entity(game.who("rook")).unwrap(), game.who(whom));
        let condition: ConditionId = game.id(condition);
        rook.bears.iter().any(|borne| borne.condition == condition && borne.toward == Some(whom))
    };
    assert!(toward(&game, "hidden", "pawn") && !toward(&game, "observed", "pawn"));
    assert!(!toward(&game, "hidden", "king") && toward(&game, "observed", "king"));
    game.strike("rook", "king", r#"{ apply = "observed" }"#, &[]);
    let rook = game.table.state().entity(game.who("rook")).unwrap();
    assert_eq!(rook.bears.iter().filter(|borne| borne.toward.is_none()).count(), 1, "toward nobody too there is one");
}

#[test]
fn a_question_may_ask_toward_whom_a_condition_is_borne() {
    let mut game = Game::new(&format!("{PLAIN}{SEEN}"), &["rook", "pawn", "king"]);
    game.strike("rook", "pawn", r#"{ apply = "hidden", toward = "target" }"#, &[]);
    game.strike("rook", "king", r#"{ apply = "observed", toward = "target" }"#, &[]);
    let mut dc = |who: &str| {
        game.check(who, Some("rook"), "look", None, &["9"]);
        game.verdict().dc
    };
    assert_eq!((dc("pawn"), dc("king")), (15, 110));
}

#[test]
fn err_a_condition_is_asked_toward_somebody_that_is_known() {
    let asked = |question: &str| {
        common::wrong(&format!("{PLAIN}{SEEN}[hook.h]\non = \"moved\"\nwhen = \"{question}\"\ndo = []"))
    };
    for (question, told) in [
        ("bearer has hidden toward nobody", "`nobody` is nobody whom"),
        ("bearer has hidden toward", "behind `toward` stands whom"),
        ("bearer has seen toward actor", "there is no condition `seen`"),
        ("damage has hidden toward actor", "`damage` is nobody whom"),
    ] {
        let wrong = asked(question);
        assert!(wrong.contains(told), "{question}: {wrong}");
    }
}

#[test]
fn a_sticky_condition_begins_by_itself_and_ends_only_by_hand_or_time() {
    let more = "[condition.hurt]\nwhile = \"count.a > 2\"\nsticky = true\n[condition.dazed]\nwhile = \"count.a > 2\"\nsticky = { rounds = \"2\" }\n";
    let mut game = game(more);
    game.run("rook", r#"{ count = "a", set = "3" }"#);
    assert!(game.bears("rook", "hurt") && game.bears("rook", "dazed"));
    game.run("rook", r#"{ count = "a", set = "0" }"#);
    assert!(game.bears("rook", "hurt") && game.bears("rook", "dazed"));
    game.perform(&houserule_kernel::intent::Operation::Wait { seconds: 12 });
    assert!(game.bears("rook", "hurt") && !game.bears("rook", "dazed"));
    game.run("rook", r#"{ remove = "hurt" }"#);
    assert!(!game.bears("rook", "hurt"));
}

#[test]
fn err_only_a_standing_condition_can_be_sticky() {
    let told = common::wrong(&format!("{PLAIN}[condition.c]\nsticky = true\n"));
    assert!(told.contains("HR0207") && told.contains("only a condition with `while`"), "{told}");
}

#[test]
fn what_is_immune_to_a_standing_condition_resists_it_once_until_something_changes() {
    let more = r#"
    [tag]
    stone = "s"
    calm = "c"
    [condition.hurt]
    while = "count.a > 2"
    unless = "bearer has stone"
    [hook.calm]
    on = "condition.begin"
    condition = "hurt"
    when = "bearer has calm"
    do = [{ prevent = "why" }]
    "#;
    for immune in ["stone", "calm"] {
        let mut game = game(more);
        let resisted =
            |game: &Game| game.last_records().iter().filter(|record| matches!(record, Record::Resisted { .. })).count();
        game.run("rook", &format!("{{ tag = \"{immune}\" }}, {{ count = \"a\", set = \"3\" }}"));
        assert_eq!(resisted(&game), 1, "{immune}");
        game.run("rook", r#"{ count = "b", set = "1" }, { count = "a", set = "4" }"#);
        assert_eq!(resisted(&game), 0, "{immune}");
        game.run("rook", r#"{ count = "a", set = "0" }, { count = "a", set = "3" }"#);
        assert_eq!(resisted(&game), 1, "its question changed: {immune}");
        game.run("rook", &format!("{{ untag = \"{immune}\" }}"));
        assert!(game.bears("rook", "hurt"), "the immunity is gone: {immune}");
    }
}

#[test]
fn what_begins_by_itself_cites_its_own_rule_and_not_the_action_that_ran() {
    let mut game = Game::new(
        "[creature.one]\n[pool.hp]\nmax = \"5\"\n[damage]\npools = [\"hp\"]\n[condition.hurt]\nwhile = \"hp <= 3\"\n\
         [condition.sore]\n[action.poke]\ndo = [{ damage = \"2\", to = \"actor\" }, { apply = \"sore\", to = \"actor\" }]",
        &["rook"],
    );
    assert!(game.table.act(&Intent::new("poke").by("rook")).unwrap().is_done());
    let rules = game.table.rules();
    let journal = game.table.journal();
    let cited: Vec<(&str, &str)> = (journal.records(journal.done().last().unwrap()).iter())
        .filter_map(|record| match record {
            Record::Began { condition, rule, .. } => Some((rules.name(*condition), rules.name(*rule))),
            _ => None,
        })
        .collect();
    assert_eq!(cited, [("hurt", "condition.hurt"), ("sore", "action.poke")]);
}
