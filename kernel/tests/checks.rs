//! Checks: degrees, cases, shifts, and what hooks do between roll and verdict.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

mod common;

use common::{Game, wrong};
use houserule_kernel::journal::Record;
use proptest::prelude::*;

const BASE: &str = r#"
[creature.one]
[stat.hit]
[stat.ac]
[tag]
lucky = "l"
cursed = "c"
[note.n]
[count.a]
[check.attack]
roll = "1d20"
stream = "attack"
bonus = "hit"
against = "target.ac"
degrees = ["miss", "hit"]
[check.attack.case.hit]
when = "natural == 20 or (natural != 1 and total >= dc)"
[check.four]
roll = "1d20"
bonus = "hit"
against = "given"
degrees = ["critical_failure", "failure", "success", "critical_success"]
[check.four.case.critical_success]
when = "total >= dc + 10"
[check.four.case.success]
when = "total >= dc"
[check.four.case.failure]
when = "total > dc - 10"
[check.four.shift.twenty]
when = "natural == 20"
by = 1
[check.four.shift.one]
when = "natural == 1"
by = "-1"
[check.plain]
roll = "1d20"
stream = "plain"
bonus = "hit"
against = "given"
degrees = ["failure", "success"]
[check.plain.case.success]
when = "total >= dc"
[check.kept]
roll = "2d20kh1 + 1"
stream = "plain"
against = "12"
degrees = ["failure", "success"]
[check.kept.case.success]
when = "total >= dc"
"#;

/// A roller with this bonus, a target with this armor class, and more rules.
fn game(hit: i32, ac: i32, more: &str) -> Game {
    let text = format!(
        "{BASE}\n[creature.roller]\nstats = {{ hit = {hit} }}\n[creature.target]\nstats = {{ ac = {ac} }}\n{more}"
    );
    let mut game = Game::new(&text, &[]);
    game.seat("rook", "roller");
    game.seat("pawn", "target");
    game
}

#[test]
fn the_face_of_the_die_is_not_the_total() {
    let degree = |hit, ac, face: &str| game(hit, ac, "").check("rook", Some("pawn"), "attack", None, &[face]);
    assert_eq!(degree(20, 10, "attack:1"), "miss");
    assert_eq!(degree(-20, 30, "attack:20"), "hit");
    assert_eq!(degree(1, 21, "attack:19"), "miss");
    assert_eq!(degree(-1, 1, "attack:2"), "hit");
}

fn four(hit: i32, dc: i32, face: &str) -> String {
    game(hit, 0, "").check("rook", None, "four", Some(dc), &[face])
}

#[test]
fn a_natural_twenty_or_one_is_one_degree_and_no_more() {
    assert_eq!(four(5, 40, "20"), "failure");
    assert_eq!(four(5, 30, "20"), "success");
    assert_eq!(four(30, 20, "1"), "success");
    assert_eq!(four(20, 20, "1"), "failure");
    assert_eq!(four(40, 20, "20"), "critical_success", "there is nothing better");
    assert_eq!(four(-40, 20, "1"), "critical_failure");
}

#[test]
fn a_natural_twenty_that_fails_becomes_a_success() {
    assert_eq!(four(4, 30, "20"), "success");
}

#[test]
fn a_second_check_may_have_bonuses_of_its_own() {
    let more = r#"
    [stat.confirm]
    [stat.confirm.part.hit]
    value = "hit"
    [stat.confirm.part.more]
    value = "4"
    [check.confirm]
    roll = "1d20"
    stream = "attack"
    bonus = "confirm"
    against = "target.ac"
    degrees = ["unconfirmed", "confirmed"]
    [check.confirm.case.confirmed]
    when = "total >= dc"
    [steps.threat]
    do = [{ check = "confirm", on = { confirmed = [{ count = "a", add = "total" }] } }]
    "#;
    let mut game = game(5, 18, more);
    let step = r#"{ check = "attack", on = { hit = [{ when = "natural == 20", steps = "threat" }] } }"#;
    game.strike("rook", "pawn", step, &["attack:20", "attack:9"]);
    assert_eq!(game.read("rook", "count.a"), 18);
    game.strike("rook", "pawn", step, &["attack:20", "attack:8"]);
    assert_eq!(game.read("rook", "count.a"), 18);
    game.strike("rook", "pawn", step, &["attack:19"]);
}

#[test]
fn the_order_of_cases_in_the_file_never_matters() {
    let cases = [
        "[check.t.case.best]\nwhen = \"total >= 15\"",
        "[check.t.case.good]\nwhen = \"total >= 10\"",
        "[check.t.case.bad]\nwhen = \"total >= 5\"",
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let cases = order.map(|at: usize| cases[at]).join("\n");
        let mut game = game(
            0,
            0,
            &format!("{cases}\n[check.t]\nroll = \"1d20\"\ndegrees = [\"worst\", \"bad\", \"good\", \"best\"]"),
        );
        let degrees = ["16", "12", "7", "2"].map(|face| game.check("rook", None, "t", None, &[face]));
        assert_eq!(degrees, ["best", "good", "bad", "worst"], "{order:?}");
    }
}

#[test]
fn the_case_that_held_is_cited() {
    let mut game = game(0, 12, "");
    game.check("rook", Some("pawn"), "attack", None, &["15"]);
    let case = game.last_records().iter().find_map(|record| match record {
        Record::Decided { case, .. } => Some(game.table.rules().name(*case)),
        _ => None,
    });
    assert_eq!(case, Some("check.attack.case.hit"));
}

#[test]
fn shifts_of_the_target_move_the_degree() {
    let more = "[check.plain.shift.curse]\nwhen = \"target has cursed\"\nby = 1\n[creature.doll]\ntags = [\"cursed\"]";
    let mut game = game(0, 0, more);
    game.seat("doll", "doll");
    assert_eq!(game.check("rook", Some("doll"), "plain", Some(19), &["5"]), "success");
    assert_eq!(game.check("rook", Some("pawn"), "plain", Some(19), &["5"]), "failure");
}

#[test]
fn the_natural_face_is_the_one_that_was_kept() {
    let mut game = game(0, 0, "");
    assert_eq!(game.check("rook", None, "kept", None, &["4", "11"]), "success");
    assert_eq!((game.verdict().natural, game.verdict().total), (11, 12));
}

#[test]
fn the_first_figure_whose_question_says_yes_is_used() {
    let more = r#"
    [stat.touch]
    start = 3
    [item.ray]
    tags = ["lucky"]
    [item.sword]
    [check.t]
    roll = "1d20"
    bonus = [{ when = "fact.aimed > 0", use = "fact.aimed" }, { use = "hit" }]
    against = [{ when = "target has cursed", use = "target.touch" }, { use = "target.ac" }]
    degrees = ["no", "yes"]
    [check.t.case.yes]
    when = "total >= dc"
    [fact.aimed]
    default = "0"
    "#;
    let mut game = game(1, 12, more);
    assert_eq!(game.check("rook", Some("pawn"), "t", None, &["10"]), "no");
    game.run("pawn", r#"{ tag = "cursed" }"#);
    assert_eq!(game.check("rook", Some("pawn"), "t", None, &["2"]), "yes");
}

fn hook(event: &str, steps: &str) -> String {
    format!("[hook.h]\non = \"{event}\"\nwhen = \"bearer has lucky\"\ndo = [{steps}]")
}

/// The degree of a plain check against 15 with a hook, for a lucky roller.
fn hooked(event: &str, steps: &str, faces: &[&str]) -> (String, i32) {
    let mut game = game(0, 0, &hook(event, steps));
    game.run("rook", r#"{ tag = "lucky" }"#);
    let degree = game.check("rook", None, "plain", Some(15), faces);
    (degree, game.verdict().total)
}

#[test]
fn a_hook_adds_to_the_check_in_any_window_before_the_degree() {
    for event in ["check.begin", "check.rolled", "check.total"] {
        let added = hooked(event, "{ bonus = \"3\" }, { bonus = \"2\" }", &["10"]);
        assert_eq!(added, ("success".to_owned(), 15), "{event}");
    }
    assert_eq!(hooked("check.rolled", "{ bonus = \"-6\" }", &["20"]).0, "failure");
}

#[test]
fn a_hook_has_the_check_rolled_again_in_any_window() {
    for event in ["check.begin", "check.rolled", "check.total", "check.degree"] {
        assert_eq!(hooked(event, "{ reroll = \"new\" }", &["18", "3"]).0, "failure", "{event}");
        assert_eq!(hooked(event, "{ reroll = \"better\" }", &["18", "3"]).0, "success", "{event}");
        assert_eq!(hooked(event, "{ reroll = \"better\" }", &["3", "18"]).0, "success", "{event}");
        assert_eq!(hooked(event, "{ reroll = \"worse\" }", &["18", "3"]).0, "failure", "{event}");
        assert_eq!(hooked(event, "{ reroll = \"worse\" }", &["3", "18"]).0, "failure", "{event}");
    }
}

#[test]
fn a_bonus_stays_when_the_check_is_rolled_again() {
    for event in ["check.rolled", "check.total"] {
        assert_eq!(
            hooked(event, "{ bonus = \"5\" }, { reroll = \"new\" }", &["18", "10"]),
            ("success".to_owned(), 15),
            "{event}"
        );
    }
}

#[test]
fn a_hook_rerolls_only_failures_once_the_degree_is_known() {
    let steps = "{ when = \"degree == failure\", reroll = \"new\" }";
    assert_eq!(hooked("check.degree", steps, &["3", "16"]).0, "success");
    assert_eq!(hooked("check.degree", steps, &["16"]).0, "success");
}

#[test]
fn a_hook_makes_the_check_end_with_a_degree() {
    for event in ["check.begin", "check.rolled", "check.total", "check.degree"] {
        assert_eq!(hooked(event, "{ become = \"success\" }", &["2"]).0, "success", "{event}");
    }
}

#[test]
fn hooks_see_natural_total_and_degree_when_they_are_known() {
    let see = |event: &str, word: &str| {
        let mut game = game(2, 0, &hook(event, &format!("{{ note = \"n\", set = \"{word}\" }}")));
        game.run("rook", r#"{ tag = "lucky" }"#);
        game.check("rook", None, "plain", Some(15), &["11"]);
        game.read("rook", "note.n")
    };
    assert_eq!(see("check.rolled", "natural"), 11);
    assert_eq!(see("check.total", "total - dc"), 13 - 15);
    assert_eq!(see("check.done", "bonus"), 2);
    assert_eq!(see("check.degree", "if(degree == failure, 7, 8)"), 7);
}

#[test]
fn a_hook_may_choose_the_checks_it_hears() {
    let mut game =
        game(0, 0, "[hook.h]\non = \"check.done\"\ncheck = \"plain\"\ndo = [{ count = \"a\", add = \"1\" }]");
    game.check("rook", None, "four", Some(1), &["5"]);
    assert_eq!(game.read("rook", "count.a"), 0);
    game.check("rook", None, "plain", Some(1), &["5"]);
    assert_eq!(game.read("rook", "count.a"), 1);
}

#[test]
fn err_a_case_needs_a_degree_of_its_check() {
    let told = wrong(
        "[check.t]\nroll = \"1d20\"\ndegrees = [\"miss\", \"hit\", \"critical\"]\n[check.t.case.crit]\nwhen = \"total > 3\"",
    );
    assert_eq!(
        told,
        "home/rules.toml:4:15: `t` has no degree `crit`; it has `miss`, `hit`, `critical` [HR0204]; did you mean `critical`?\n"
    );
}

#[test]
fn err_a_check_does_not_end_with_a_degree_of_another() {
    let mut game = game(0, 0, &hook("check.degree", "{ become = \"critical_success\" }"));
    game.run("rook", r#"{ tag = "lucky" }"#);
    let deed = game.checking("rook", None, "plain", Some(15));
    let fault = game.table.perform(&deed).unwrap_err();
    assert_eq!((fault.code.as_str(), fault.message.as_str()), ("HR0529", "`plain` has no degree `critical_success`"));
}

proptest! {
    #[test]
    fn four_degrees_as_a_foolish_referee_counts_them(hit in -30..30_i32, dc in -10..50_i32, face in 1..=20_i32) {
        let total = face + hit;
        let step = if total >= dc + 10 { 3 } else if total >= dc { 2 } else if total > dc - 10 { 1 } else { 0 };
        let step = (step + i32::from(face == 20) - i32::from(face == 1)).clamp(0, 3);
        let names = ["critical_failure", "failure", "success", "critical_success"];
        prop_assert_eq!(four(hit, dc, &face.to_string()), names[usize::try_from(step).unwrap()]);
    }
}

#[test]
fn err_a_check_that_leaves_its_number_to_the_asker_is_never_against_a_silent_zero() {
    let plus = "[check.plus]\nroll = \"1d20\"\nagainst = \"given + 2\"\ndegrees = [\"no\", \"yes\"]\n[check.open]\nroll = \"1d20\"\ndegrees = [\"no\", \"yes\"]\n[check.open.case.yes]\nwhen = \"total >= given\"";
    let mut game = game(0, 0, plus);
    for check in ["plain", "plus"] {
        let fault = game.table.perform(&game.checking("rook", None, check, None)).unwrap_err();
        let told = format!("nobody says what `check.{check}` must reach; ask for it with a `dc` [HR0525]");
        assert_eq!(fault.to_string(), told);
    }
    let deed = game.checking("rook", None, "open", None);
    assert_eq!(game.table.perform(&deed).unwrap_err().code, "HR0525", "a case asks for what was not given");
    assert!(game.fault("rook", r#"{ check = "plain" }"#).contains("[HR0525]"));
    assert_eq!(game.check("rook", None, "plus", Some(3), &["5"]), "no");
    assert_eq!(game.verdict().dc, 5);
}

#[test]
fn err_a_check_none_of_whose_choices_says_yes_has_no_number() {
    let more =
        "[check.t]\nroll = \"1d20\"\nbonus = [{ when = \"bearer has lucky\", use = \"hit\" }]\ndegrees = [\"no\"]";
    let mut game = game(3, 12, more);
    let fault = game.table.perform(&game.checking("rook", None, "t", None)).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "none of the choices of `check.t` says yes; let the last stand without `when` [HR0525]"
    );
    game.run("rook", r#"{ tag = "lucky" }"#);
    assert_eq!(game.check("rook", None, "t", None, &["5"]), "no");
}

#[test]
fn err_a_bonus_does_not_read_what_is_not_rolled_yet() {
    let told = wrong("[check.t]\nroll = \"1d20\"\nbonus = \"total - 3\"\ndegrees = [\"no\"]");
    assert!(told.contains("`total`"), "{told}");
}

#[test]
fn err_outside_a_check_there_is_none_to_change() {
    let mut game = game(0, 0, "");
    for (step, word) in
        [("{ bonus = \"1\" }", "bonus"), ("{ reroll = \"new\" }", "reroll"), ("{ become = \"hit\" }", "become")]
    {
        let fault = game.fault("rook", step);
        assert!(fault.starts_with(&format!("no check runs here that `{word}` could change")), "{fault}");
        assert!(fault.contains("[HR0528]"), "{fault}");
    }
}

#[test]
fn err_once_the_degree_is_known_nothing_is_added_and_a_check_cannot_be_prevented() {
    for (event, step) in [("check.degree", "{ bonus = \"3\" }"), ("check.begin", "{ prevent = \"why\" }")] {
        let list = format!("[steps.late]\ndo = [{step}]\n");
        let mut game = game(0, 0, &(list + &hook(event, "{ steps = \"late\" }")));
        game.run("rook", r#"{ tag = "lucky" }"#);
        let fault = game.table.perform(&game.checking("rook", None, "plain", Some(15))).unwrap_err();
        assert_eq!(fault.code, "HR0528", "{fault}");
    }
}

#[test]
fn err_no_bonus_takes_a_total_beyond_the_numbers() {
    let mut game = game(0, 0, &hook("check.rolled", "{ bonus = \"2147483647\" }, { bonus = \"1\" }"));
    game.run("rook", r#"{ tag = "lucky" }"#);
    let fault = game.table.perform(&game.checking("rook", None, "plain", Some(15))).unwrap_err();
    assert_eq!(fault.code, "HR0501");
}

#[test]
fn a_degree_goes_with_the_roll_it_was_said_of() {
    for event in ["check.rolled", "check.total", "check.degree"] {
        let become_first = "{ become = \"success\" }, { reroll = \"new\" }";
        assert_eq!(hooked(event, become_first, &["2", "3"]).0, "failure", "a new roll drops it: {event}");
        let become_last = "{ reroll = \"new\" }, { become = \"success\" }";
        assert_eq!(hooked(event, become_last, &["2", "3"]).0, "success", "said after the reroll it stays: {event}");
        let better = "{ become = \"success\" }, { reroll = \"better\" }";
        assert_eq!(hooked(event, better, &["9", "3"]).0, "success", "it stays with the roll that is kept: {event}");
        assert_eq!(hooked(event, better, &["2", "3"]).0, "failure", "{event}");
    }
}
