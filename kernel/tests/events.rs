//! Events: who hears them, in which order, and what they may do about it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

mod common;

use common::{Game, digest, refusal, tape, wrong};
use houserule_kernel::feed::FeedEvent;
use houserule_kernel::intent::{Intent, Operation};
use houserule_kernel::journal::Record;
use houserule_kernel::oracle::{Oracle, QuestionKind};
use houserule_kernel::table::Outcome;

const BASE: &str = r#"
[creature.one]
[tag]
undead = "u"
free = "f"
[pool.hp]
max = "50"
[count.a]
[count.b]
[count.c]
[note.order]
[damage]
pools = ["hp"]
"#;

fn game(more: &str) -> Game {
    Game::new(&format!("{BASE}{more}"), &["rook", "pawn", "king"])
}

#[test]
fn hooks_that_answer_each_other_for_ever_are_stopped_and_leave_no_trace() {
    let mut game = game("[hook.again]\non = \"damage.begin\"\ndo = [{ damage = \"1\", to = \"bearer\" }]");
    let before = digest(&game.table);
    let fault = game.fault("rook", r#"{ damage = "1", to = "bearer" }"#);
    let chain = ["damage.begin"; 9].join(" > ");
    assert_eq!(fault.lines().next(), Some(&*format!("hooks answer each other too deep: {chain} [HR0526]")));
    assert!(fault.contains("`hook.again` (home/rules.toml:"), "{fault}");
    assert_eq!(digest(&game.table), before);
}

#[test]
fn events_that_come_after_one_another_for_ever_run_out_of_budget_and_name_the_hook() {
    let mut game = game("[hook.again]\non = \"damage.taken\"\ndo = [{ damage = \"1\", to = \"bearer\" }]");
    let before = digest(&game.table);
    let fault = game.fault("rook", r#"{ damage = "1", to = "bearer" }"#);
    assert!(fault.contains("[HR0520]") && fault.contains("`hook.again`"), "{fault}");
    assert_eq!(digest(&game.table), before);
}

#[test]
fn a_different_event_may_be_raised_within() {
    let mut game = game(
        "[hook.h]\non = \"damage.begin\"\ndo = [{ apply = \"hurt\" }]\n[condition.hurt]\n[hook.i]\non = \"condition.begin\"\ndo = [{ count = \"a\", add = \"1\" }]",
    );
    game.run("rook", r#"{ damage = "1", to = "bearer" }"#);
    assert_eq!(game.read("rook", "count.a"), 1);
    assert!(game.bears("rook", "hurt"));
}

const BLEED: &str = r#"
[event.on_hit]
fields = { victim = "entity" }
[event.on_bleed]
fields = { amount = "number" }
[hook.hit]
on = "on_hit"
do = [{ event = "on_bleed", amount = "2" }]
[hook.bleed]
on = "on_bleed"
do = [{ count = "a", add = "amount" }]
"#;

#[test]
fn an_event_raised_by_a_hook_is_heard_once_and_before_the_next_step() {
    let mut game = game(BLEED);
    game.run("rook", r#"{ event = "on_hit" }, { event = "on_hit" }"#);
    assert_eq!(game.read("rook", "count.a"), 4);
    assert_eq!(game.hooked(), ["hook.hit", "hook.bleed", "hook.hit", "hook.bleed"]);
}

/// The order in which hooks of these names run, each with more fields.
fn order(hooks: &[(&str, &str)]) -> Vec<String> {
    let hook = |(name, more): &(&str, &str)| format!("[hook.{name}]\non = \"e\"\n{more}\ndo = []\n");
    let mut game = game(&format!("[event.e]\n{}", hooks.iter().map(hook).collect::<String>()));
    game.run("rook", r#"{ event = "e" }"#);
    game.hooked().iter().map(|name| name.trim_start_matches("hook.").to_owned()).collect()
}

#[test]
fn hooks_run_by_name_then_priority_then_place() {
    assert_eq!(order(&[("c", ""), ("b", ""), ("a", "")]), ["c", "b", "a"]);
    assert_eq!(order(&[("c", ""), ("b", "priority = 5"), ("a", "priority = -1"), ("d", "")]), ["b", "c", "d", "a"]);
    assert_eq!(order(&[("c", "after = [\"a\"]"), ("b", ""), ("a", "")]), ["b", "a", "c"]);
    assert_eq!(order(&[("c", ""), ("b", ""), ("a", "before = [\"c\"]\npriority = -9")]), ["b", "a", "c"]);
}

#[test]
fn err_hooks_that_wait_for_each_other_are_told_at_load() {
    let told = wrong(
        "[event.e]\n[hook.a]\non = \"e\"\nafter = [\"b\"]\ndo = []\n[hook.b]\non = \"e\"\nafter = [\"a\"]\ndo = []",
    );
    assert!(
        told.starts_with("home/rules.toml:2:7: hook `a` waits for itself by way of `before` and `after` [HR0206]"),
        "{told}"
    );
}

#[test]
fn a_prevented_condition_does_not_begin_and_a_line_says_why() {
    let mut game = game(
        "[condition.shaken]\n[condition.other]\n[hook.brave]\non = \"condition.begin\"\ncondition = \"shaken\"\ndo = [{ prevent = \"why\" }]\n[hook.later]\non = \"condition.begin\"\nafter = [\"brave\"]\ndo = [{ count = \"a\", add = \"1\" }]",
    );
    game.run("rook", r#"{ apply = "shaken" }, { count = "b", add = "1" }"#);
    assert!(!game.bears("rook", "shaken"));
    assert_eq!(
        (game.read("rook", "count.a"), game.read("rook", "count.b")),
        (0, 1),
        "later hooks do not run, the intent goes on"
    );
    assert!(game.last_records().iter().any(|record| matches!(record, Record::Stopped { .. })));
    game.run("rook", r#"{ apply = "other" }"#);
    assert!(game.bears("rook", "other"));
}

#[test]
fn an_event_of_the_pack_may_be_prevented_if_it_comes_before() {
    let hooks = "[hook.first]\non = \"e\"\nwhen = \"bearer has undead\"\ndo = [{ prevent = \"no\" }]\n[hook.second]\non = \"e\"\ndo = [{ count = \"a\", add = \"1\" }]";
    let mut game = game(&format!("[event.e]\nbefore = true\n{hooks}"));
    game.run("rook", r#"{ event = "e" }, { tag = "undead" }, { event = "e" }"#);
    assert_eq!(game.read("rook", "count.a"), 1);
}

#[test]
fn err_what_has_happened_is_not_prevented() {
    let mut game =
        game("[hook.h]\non = \"damage.taken\"\ndo = [{ steps = \"late\" }]\n[steps.late]\ndo = [{ prevent = \"no\" }]");
    let fault = game.fault("rook", r#"{ damage = "1", to = "bearer" }"#);
    assert!(fault.starts_with("`damage.taken` has happened and cannot be prevented [HR0530]"), "{fault}");
}

const ACTIONS: &str = r#"
[pool.standard]
max = "1"
resets = "turn.start"
[action.wave]
tags = ["free"]
cost = { standard = 1 }
do = [{ count = "a", add = "1" }, { count = "b", add = "1" }]
[turn]
seconds = 6
start = ["turn.start"]
[check.init]
roll = "1d20"
degrees = ["rolled"]
[initiative]
check = "init"
"#;

#[test]
fn refusing_ends_the_whole_intent_and_leaves_no_trace() {
    let mut game = game(&format!(
        "{ACTIONS}[hook.h]\non = \"action.begin\"\naction = \"wave\"\nwhen = \"bearer has undead\"\ndo = [{{ count = \"c\", add = \"1\" }}, {{ refuse = \"why\" }}]"
    ));
    game.does("rook", "wave");
    game.run("rook", r#"{ tag = "undead" }"#);
    let before = digest(&game.table);
    let refusal = refusal(game.act(Intent::new("wave").by("rook")));
    assert_eq!((&*refusal.code, &*refusal.text, refusal.rule.as_deref()), ("HR0709", "why", Some("hook.h")));
    assert_eq!(digest(&game.table), before);
}

#[test]
fn err_refusing_is_for_the_beginning_of_an_action_only() {
    let mut game =
        game("[hook.h]\non = \"damage.begin\"\ndo = [{ steps = \"late\" }]\n[steps.late]\ndo = [{ refuse = \"why\" }]");
    let fault = game.fault("rook", r#"{ damage = "1", to = "bearer" }"#);
    assert!(fault.contains("[HR0533]"), "{fault}");
}

#[test]
fn err_refusing_after_a_draw_would_let_people_peek() {
    let roll = "[check.luck]\nroll = \"1d20\"\ndegrees = [\"rolled\"]\n[hook.h]\non = \"action.begin\"\ndo = [{ check = \"luck\" }, { refuse = \"why\" }]";
    let mut game = game(&format!("{ACTIONS}{roll}"));
    let fault = game.table.act(&Intent::new("wave").by("rook")).unwrap_err();
    assert_eq!(fault.code, "HR0533");
}

#[test]
fn disrupting_drops_the_rest_of_the_action_and_keeps_what_was_paid() {
    let hook = "[hook.h]\non = \"foul\"\ndo = [{ disrupt = \"why\" }]\n[event.foul]\nbefore = true\n[action.try]\ncost = { standard = 1 }\ndo = [{ count = \"a\", add = \"1\" }, { event = \"foul\" }, { count = \"b\", add = \"1\" }]\n[hook.done]\non = \"action.done\"\ndo = [{ count = \"c\", add = \"1\" }]";
    let mut game = game(&format!("{ACTIONS}{hook}"));
    game.begin(&["rook"], &["4"]);
    game.does("rook", "try");
    assert_eq!(["a", "b", "c"].map(|count| game.read("rook", &format!("count.{count}"))), [1, 0, 1]);
    assert_eq!(game.read("rook", "standard"), 0);
}

#[test]
fn disrupting_outside_an_action_still_lets_the_table_catch_up() {
    let more = "[hook.h]\non = \"foul\"\ndo = [{ disrupt = \"why\" }]\n[event.foul]\nbefore = true\n[condition.hurt]\nwhile = \"hp < 50\"";
    let mut game = game(more);
    game.run("rook", r#"{ do = [{ pool = "hp", add = "-1" }, { event = "foul" }] }"#);
    assert!(game.bears("rook", "hurt"));
}

#[test]
fn a_failing_hook_may_be_skipped_and_leaves_nothing_but_its_draws() {
    let check = "[check.plain]\nroll = \"1d20\"\nagainst = \"given\"\ndegrees = [\"no\", \"yes\"]\n[check.plain.case.yes]\nwhen = \"total >= dc\"\n";
    let hook = "[hook.h]\non = \"check.total\"\non_error = \"skip\"\ndo = [{ become = \"yes\" }, { bonus = \"5\" }, { count = \"a\", add = \"1\" }, { damage = \"1\", to = \"bearer\" }, { count = \"a\", add = \"1 / count.b\" }]\n[hook.taken]\non = \"damage.taken\"\ndo = [{ count = \"c\", add = \"1\" }]";
    let mut game = game(&format!("{check}{hook}"));
    assert_eq!(game.check("rook", None, "plain", Some(15), &["10"]), "no");
    assert_eq!((game.read("rook", "count.a"), game.read("rook", "count.c"), game.read("rook", "hp")), (0, 0, 50));
    assert_eq!(game.verdict().total, 10);
    let deed = game.checking("rook", None, "plain", Some(15));
    game.run("rook", r#"{ count = "b", set = "1" }"#);
    game.taped(&deed, &["10"]);
    assert_eq!((game.read("rook", "count.a"), game.read("rook", "count.c")), (2, 1));
}

#[test]
fn a_hook_that_asks_about_nobody_may_be_skipped_too() {
    let mut game = game(
        "[hook.h]\non = \"damage.taken\"\non_error = \"skip\"\ndo = [{ count = \"a\", add = \"1\" }, { count = \"a\", add = \"1\", who = \"item\" }]",
    );
    game.run("rook", r#"{ damage = "1", to = "bearer" }"#);
    assert_eq!((game.read("rook", "count.a"), game.read("rook", "hp")), (0, 49));
}

#[test]
fn err_no_budget_is_ever_skipped() {
    let mut game =
        game("[hook.again]\non = \"damage.begin\"\non_error = \"skip\"\ndo = [{ damage = \"1\", to = \"bearer\" }]");
    assert!(game.fault("rook", r#"{ damage = "1", to = "bearer" }"#).contains("[HR0526]"));
}

#[test]
fn a_hook_may_be_called_by_name() {
    let mut game = game("[event.e]\n[hook.h]\non = \"e\"\ndo = [{ count = \"a\", add = \"1\" }]");
    game.run("rook", r#"{ hook = "h" }"#);
    assert_eq!(game.read("rook", "count.a"), 1);
}

#[test]
fn a_named_hook_runs_alone() {
    let mut game = game(
        "[event.e]\n[hook.h]\non = \"e\"\ndo = [{ count = \"a\", add = \"1\" }]\n[hook.i]\non = \"e\"\ndo = [{ count = \"b\", add = \"1\" }]",
    );
    game.run("rook", r#"{ hook = "h" }"#);
    assert_eq!((game.read("rook", "count.a"), game.read("rook", "count.b")), (1, 0));
}

const REACTIONS: &str = r#"
[pool.reaction]
max = "1"
resets = "turn.start"
[turn]
seconds = 6
start = ["turn.start"]
[check.init]
roll = "1d20"
degrees = ["rolled"]
[initiative]
check = "init"
[reaction.parry]
window = "damage.begin"
when = "bearer has undead"
cost = { reaction = 1 }
text = "ask"
do = [{ count = "a", add = "1" }, { prevent = "no" }]
"#;

fn asked(outcome: Outcome) -> houserule_kernel::oracle::Question {
    match outcome {
        Outcome::Asking(question) => *question,
        other => panic!("{other:?}"),
    }
}

fn duel() -> Game {
    let mut game = game(REACTIONS);
    game.begin(&["rook", "pawn", "king"], &["10", "8", "15"]);
    game.run("rook", r#"{ tag = "undead" }, { pool = "reaction", set = "1" }"#);
    game.run("pawn", r#"{ tag = "undead" }, { pool = "reaction", set = "1" }"#);
    game
}

#[test]
fn reactions_are_offered_in_the_order_of_acting_and_asked_one_by_one() {
    let mut game = duel();
    game.until("pawn", 1);
    game.run("pawn", r#"{ pool = "reaction", set = "1" }"#);
    let before = digest(&game.table);
    let blow = game.ruling("king", Some("rook"), r#"{ damage = "5" }"#);
    let first = asked(game.table.perform(&blow).unwrap());
    assert_eq!((first.who, first.binds), (game.who("pawn"), false), "the acting creature first");
    let second = asked(game.table.answer(0, &mut Oracle::Seeded).unwrap());
    assert_eq!(second.who, game.who("rook"));
    assert_eq!(digest(&game.table), before, "while somebody is asked the table is as before");
    assert!(game.table.answer(0, &mut Oracle::Seeded).unwrap().is_done());
    assert_eq!((game.read("rook", "hp"), game.read("pawn", "reaction")), (45, 1));
}

#[test]
fn whoever_reacts_pays_and_what_is_prevented_is_offered_to_nobody_else() {
    let mut game = duel();
    let blow = game.ruling("king", Some("rook"), r#"{ damage = "5" }"#);
    asked(game.table.perform(&blow).unwrap());
    assert!(game.table.answer(1, &mut Oracle::Seeded).unwrap().is_done());
    assert_eq!((game.read("rook", "hp"), game.read("rook", "reaction"), game.read("rook", "count.a")), (50, 0, 1));
    assert_eq!((game.read("pawn", "reaction"), game.read("pawn", "count.a")), (1, 0));
    let again = asked(game.table.perform(&blow).unwrap());
    assert_eq!(again.who, game.who("pawn"), "rook has nothing left to pay with");
}

#[test]
fn an_offer_after_a_draw_binds() {
    let mut game = duel();
    let blow = game.ruling("king", Some("rook"), r#"{ damage = "1d6" }"#);
    let question = asked(game.table.perform_with(&blow, &mut tape(&["4"])).unwrap());
    assert!(question.binds);
    let refused = refusal(game.table.perform(&Operation::Next).unwrap());
    assert_eq!((&*refused.code, &*refused.text), ("HR0710", "refuse.bound"));
}

#[test]
fn nobody_is_asked_whose_question_says_no() {
    let mut game = game(REACTIONS);
    game.strike("king", "rook", r#"{ damage = "5" }"#, &[]);
    assert_eq!(game.read("rook", "hp"), 45);
}

/// The texts of what was stopped in the last intent, by the rule that did.
fn stops(game: &Game) -> Vec<String> {
    let name = |record: &Record| match record {
        Record::Stopped { rule, text, .. } => {
            Some(format!("{} {}", game.table.rules().name(*rule), game.table.rules().name(*text)))
        }
        _ => None,
    };
    game.last_records().iter().filter_map(name).collect()
}

#[test]
fn a_hook_that_is_passed_over_leaves_a_line() {
    let mut game =
        game("[hook.h]\non = \"damage.taken\"\non_error = \"skip\"\ndo = [{ count = \"a\", add = \"1 / count.b\" }]");
    game.run("rook", r#"{ damage = "1", to = "bearer" }"#);
    assert_eq!(stops(&game), ["hook.h say.skipped"]);
}

#[test]
fn what_a_skipped_hook_had_settled_settles_again() {
    let more = "[condition.hurt]\nwhile = \"hp < 50\"\n[event.foul]\nbefore = true\n[hook.h]\non = \"foul\"\non_error = \"skip\"\ndo = [{ count = \"a\", add = \"1\" }, { count = \"a\", add = \"1 / count.b\" }]";
    let mut game = game(more);
    game.run("rook", r#"{ do = [{ pool = "hp", add = "-1" }, { event = "foul" }] }"#);
    assert!(game.bears("rook", "hurt") && game.read("rook", "count.a") == 0);
}

#[test]
fn err_neither_a_tape_that_does_not_fit_nor_a_diverging_record_is_passed_over() {
    let mut game = game(
        "[hook.h]\non = \"damage.taken\"\non_error = \"skip\"\ndo = [{ count = \"a\", add = \"1\" }, { note = \"order\", set = \"1d6\" }]",
    );
    let blow = game.ruling("rook", None, r#"{ damage = "1", to = "bearer" }"#);
    let fault = game.table.perform_with(&blow, &mut tape(&["damage:3"])).unwrap_err();
    assert_eq!(fault.code, "HR0702", "{fault}");
}

#[test]
fn an_offer_whose_moment_has_passed_is_dropped_with_a_line() {
    let mut game = duel();
    let blow = game.ruling("king", Some("rook"), r#"{ damage = "5" }"#);
    asked(game.table.perform(&blow).unwrap());
    assert!(game.table.answer(1, &mut Oracle::Seeded).unwrap().is_done());
    assert_eq!(stops(&game), ["reaction.parry no", "reaction.parry say.dropped"]);
}

#[test]
fn a_reaction_that_asks_for_a_fact_has_it_asked() {
    let more = "[fact.light]\n[reaction.duck]\nwindow = \"damage.begin\"\nwhen = \"fact.light > 1\"\ntext = \"ask\"\ndo = [{ prevent = \"no\" }]";
    let mut game = game(more);
    let blow = game.ruling("king", Some("rook"), r#"{ damage = "5" }"#);
    let question = asked(game.table.perform(&blow).unwrap());
    assert_eq!(question.asked, QuestionKind::Fact { fact: game.id("light") });
    assert!(game.table.answer(0, &mut Oracle::Seeded).unwrap().is_done());
    assert_eq!(game.read("rook", "hp"), 45);
}

#[test]
fn a_number_that_nobody_gave_an_event_is_zero() {
    let more = "[event.e]\nfields = { much = \"number\", who = \"entity\" }\n[hook.h]\non = \"e\"\ndo = [{ count = \"a\", add = \"much + 1\" }]";
    let mut game = game(more);
    game.run("rook", r#"{ event = "e" }, { hook = "h" }"#);
    assert_eq!(game.read("rook", "count.a"), 2);
}

#[test]
fn a_hook_called_by_another_of_its_event_sees_the_same_event() {
    let more = "[event.e]\nfields = { much = \"number\" }\n[event.f]\nfields = { much = \"number\" }\n[hook.h]\non = \"e\"\nwhen = \"count.b > 0\"\ndo = [{ count = \"a\", add = \"much\" }]\n[hook.i]\non = \"e\"\nwhen = \"much > 3\"\ndo = [{ count = \"b\", add = \"1\" }, { hook = \"h\" }]";
    let mut game = game(more);
    game.run("rook", r#"{ event = "e", much = "5" }"#);
    assert_eq!(game.read("rook", "count.a"), 5);
}

const SONG: &str = r#"
[pool.deeds]
max = "3"
[check.luck]
roll = "1d20"
degrees = ["rolled"]
[action.sing]
cost = { deeds = 1 }
do = [{ count = "a", add = "1" }]
[hook.done]
on = "action.done"
do = [{ count = "c", add = "1" }]
[hook.h]
on = "action.begin"
"#;

/// What is left of the deeds, and whether the song was sung, after an action
/// with these steps at its beginning.
fn sung(steps: &str, faces: &[&str]) -> (i32, i32) {
    let mut game = game(&format!("{SONG}do = [{steps}]"));
    let deed = game.table.prepare(&Intent::new("sing").by("rook")).unwrap();
    game.taped(&deed, faces);
    assert_eq!(game.read("rook", "count.c"), 1, "the action is over all the same");
    (game.read("rook", "deeds"), game.read("rook", "count.a"))
}

#[test]
fn an_action_disrupted_at_its_beginning_costs_what_it_costs() {
    assert_eq!(sung("", &[]), (2, 1));
    assert_eq!(sung("{ disrupt = \"why\" }", &[]), (2, 0));
}

#[test]
fn an_action_prevented_after_a_draw_takes_nothing_back() {
    assert_eq!(sung("{ check = \"luck\" }, { prevent = \"why\" }", &["7"]), (2, 0));
    let mut game = game(&format!("{SONG}do = [{{ prevent = \"why\" }}]"));
    assert_eq!(game.refused("rook", "sing"), ("HR0709".into(), "why".into()), "before any draw it is refused");
}

#[test]
fn err_an_action_whose_cost_was_taken_at_its_beginning_is_not_done() {
    let taken = "{ pool = \"deeds\", set = \"0\" }";
    let mut game = game(&format!("{SONG}do = [{taken}]"));
    assert_eq!(game.refused("rook", "sing").1, "refuse.cannot_pay");
    assert_eq!(sung(&format!("{{ check = \"luck\" }}, {taken}"), &["7"]), (0, 0));
}

#[test]
fn a_reaction_may_be_for_who_is_meant_alone() {
    let rules = "[creature.one]\n[count.dodged]\n[action.poke]\ntargets = \"one\"\n[reaction.dodge]\nwindow = \"action.begin\"\nwhen = \"bearer.is_target\"\ntext = \"ask\"\ndo = [{ count = \"dodged\", add = \"1\" }]";
    let mut game = Game::new(rules, &["ann", "ben", "cid"]);
    let asked = game.table.act(&houserule_kernel::intent::Intent::new("poke").by("ann").at("ben")).unwrap();
    let Outcome::Asking(question) = asked else { panic!("ben is asked: {asked:?}") };
    assert_eq!(question.who, game.who("ben"));
    assert!(game.table.answer(1, &mut Oracle::Seeded).unwrap().is_done(), "nobody else is asked");
    assert_eq!(["ann", "ben", "cid"].map(|who| game.read(who, "count.dodged")), [0, 1, 0]);
}

#[test]
fn a_step_seats_entities_in_the_fields_of_an_event() {
    let more = "[event.wound]\nfields = { who = \"entity\", victim = \"entity\", target = \"entity\" }\n[count.hurt]\n[hook.hurt]\non = \"wound\"\ndo = [{ count = \"hurt\", add = \"1\" }, { count = \"hurt\", add = \"10\", who = \"target\" }]";
    let mut game = game(more);
    game.strike("rook", "pawn", r#"{ event = "wound", who = "target", target = "actor", victim = "target" }"#, &[]);
    assert_eq!((game.read("pawn", "count.hurt"), game.read("rook", "count.hurt")), (1, 10));
}

#[test]
fn err_a_field_for_an_entity_takes_a_word_for_somebody() {
    let more =
        "[event.wound]\nfields = { victim = \"entity\" }\n[steps.s]\ndo = [{ event = \"wound\", victim = \"nobody\" }]";
    let told = common::wrong(more);
    assert!(told.contains("`victim` cannot be `nobody`"), "{told}");
}

#[test]
fn a_hook_called_by_name_asks_its_own_question() {
    let more = "[count.named]\n[hook.named]\non = \"moved\"\nwhen = \"count.named < 1\"\ndo = [{ count = \"named\", add = \"1\" }]";
    let mut game = game(more);
    game.run("rook", r#"{ hook = "named" }, { hook = "named" }"#);
    assert_eq!(game.read("rook", "count.named"), 1);
}

#[test]
fn err_a_step_does_one_thing() {
    let told =
        common::wrong("[count.x]\n[tag]\nt = \"t\"\n[steps.s]\ndo = [{ count = \"x\", add = \"1\", tag = \"t\" }]");
    assert!(
        told.contains("HR0210") && told.contains("both `count` and `tag`") && told.contains("write two steps"),
        "{told}"
    );
}

#[test]
fn err_damage_needs_a_pool_to_go_into() {
    let told = common::wrong("[tag]\nharm = \"h\"\n[steps.s]\ndo = [{ damage = \"1[harm]\" }]");
    assert!(told.contains("goes into no pool") && told.contains("pools = "), "{told}");
}

#[test]
fn err_a_page_gives_no_pool_that_it_does_not_have() {
    let rules = "[tag]\ngun = \"g\"\nbig = \"b\"\n[pool.shots]\nmax = \"9\"\nof = [\"gun\"]\n[pool.hp]\nmax = \"9\"\n[item.gun]\ntags = [\"gun\"]\npools = { shots = 3 }\n[item.bow]\npools = { shots = 3 }\n[item.rag]\npools = { hp = 3 }\n[creature.one]\npools = { hp = 3 }\n[creature.two]\npools = { shots = 3 }\n";
    let told = common::wrong(rules);
    for wanted in [
        "`bow` has no pool `shots`, which is for `gun`",
        "`two` has no pool `shots`",
        "`hp` is a pool of creatures, and `rag` is an item",
    ] {
        assert!(told.contains(wanted), "{told}");
    }
    assert!(!told.contains("`gun` has") && !told.contains("`one` has"), "{told}");
}

#[test]
fn a_hook_for_everybody_runs_once_for_each_of_whom_its_question_says_yes() {
    let mut game = game(
        "[event.shout]\nfields = { loud = \"number\" }\n[hook.hears]\non = \"shout\"\nbearer = \"everybody\"\nwhen = \"bearer has undead and loud > 1\"\ndo = [{ count = \"a\", add = \"loud\" }, { count = \"b\", add = \"1\", who = \"actor\" }]",
    );
    game.run("pawn", r#"{ tag = "undead" }"#);
    game.run("king", r#"{ tag = "undead" }"#);
    game.run("rook", r#"{ event = "shout", loud = "3" }"#);
    let heard = |game: &Game| ["rook", "pawn", "king"].map(|who| game.read(who, "count.a"));
    assert_eq!((heard(&game), game.read("rook", "count.b")), ([0, 3, 3], 2));
    game.run("rook", r#"{ event = "shout", loud = "1" }"#);
    assert_eq!(heard(&game), [0, 3, 3]);
}

#[test]
fn a_hook_for_everybody_may_keep_the_event_from_happening_and_then_nobody_else_hears_it() {
    let mut game = game(
        "[hook.objects]\non = \"condition.begin\"\nbearer = \"everybody\"\nwhen = \"bearer has free\"\ndo = [{ count = \"a\", add = \"1\" }, { prevent = \"why\" }]\n[condition.hurt]",
    );
    game.run("rook", r#"{ apply = "hurt" }"#);
    assert!(game.bears("rook", "hurt"));
    game.run("pawn", r#"{ tag = "free" }"#);
    game.run("king", r#"{ tag = "free" }"#);
    game.run("pawn", r#"{ apply = "hurt" }"#);
    assert!(!game.bears("pawn", "hurt"));
    assert_eq!((game.read("pawn", "count.a"), game.read("king", "count.a")), (1, 0));
}

#[test]
fn err_a_hook_is_for_everybody_or_for_whom_the_event_is_about() {
    let told = wrong("[creature.one]\n[hook.h]\non = \"moved\"\nbearer = \"all\"\ndo = []");
    assert!(told.contains("HR0204") && told.contains("everybody"), "{told}");
}

#[test]
fn err_lists_that_call_each_other_too_deep_are_told_with_their_places() {
    let lists =
        "[steps.s1]\ndo = [{ steps = \"s2\", when = \"yes\" }]\n[steps.s2]\ndo = [{ steps = \"s1\", when = \"yes\" }]";
    let fault = game(lists).fault("rook", r#"{ steps = "s1" }"#);
    assert!(fault.starts_with("lists of steps call each other too deep [HR0526]\n  in `steps."), "{fault}");
    let told = |list: &str| fault.matches(&format!("in `steps.{list}` (home/rules.toml:")).count();
    assert_eq!((told("s1"), told("s2")), (1, 1), "{fault}");
}

#[test]
fn err_a_number_out_of_range_is_told_with_the_rule_that_reckoned_it() {
    let rules = "[condition.odd]\nstart.do = [{ count = \"a\", add = \"2147483647\" }, { count = \"a\", add = \"1\" }]";
    let fault = game(rules).fault("rook", r#"{ apply = "odd" }"#);
    assert!(fault.contains("[HR0501]\n  in `condition.odd` (home/rules.toml:"), "{fault}");
}

#[test]
fn a_listener_reads_on_from_the_number_it_read_last() {
    let mut game = game("");
    let first = game.table.feed_since(0).count();
    game.run("rook", r#"{ damage = "1", to = "bearer" }"#);
    game.run("rook", r#"{ damage = "2", to = "bearer" }"#);
    assert!(game.table.undo(false) && game.table.redo());
    let entry = u32::try_from(game.table.journal().done().len() - 1).unwrap();
    let told: Vec<FeedEvent> = game.table.feed_since(first).map(|(_, event)| event).collect();
    let expected =
        [FeedEvent::Done(entry - 1), FeedEvent::Done(entry), FeedEvent::Undone(entry), FeedEvent::Redone(entry)];
    assert_eq!(told, expected);
    let last: Vec<(usize, FeedEvent)> = game.table.feed_since(first + 3).collect();
    assert_eq!(last, [(first + 3, FeedEvent::Redone(entry))]);
    assert_eq!(game.table.feed_since(first + 4).count(), 0);
}
