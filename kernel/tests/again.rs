//! Conditions applied to somebody who bears them already.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod common;

use common::Game;
use houserule::Explain;

const PLAIN: &str = "[creature.one]\n";

fn game(more: &str) -> Game {
    Game::new(&format!("{PLAIN}{more}"), &["rook", "pawn"])
}

/// The value after `first` and then `second` with this policy.
fn again(policy: &str, first: &str, second: &str) -> i32 {
    let mut game =
        game(&format!("[condition.c]\nvalue = {{ min = \"1\", max = \"9\" }}\nagain = {{ value = \"{policy}\" }}"));
    game.run("rook", &format!("{{ apply = \"c\"{first} }}, {{ apply = \"c\"{second} }}"));
    game.read("rook", "condition.c")
}

#[test]
fn a_second_application_does_to_the_value_what_the_pack_says() {
    let values = |first, second| ["highest", "add", "replace", "keep"].map(|policy| again(policy, first, second));
    assert_eq!(values(", value = \"2\"", ", value = \"3\""), [3, 5, 3, 2]);
    assert_eq!(values(", value = \"3\"", ", value = \"2\""), [3, 5, 2, 3]);
    assert_eq!(values(", value = \"8\"", ", value = \"8\""), [8, 9, 8, 8]);
}

#[test]
fn per_source_each_cause_has_an_instance_of_its_own() {
    let mut game = game("[condition.c]\nvalue = { min = \"1\" }\nagain = { value = \"per-source\" }");
    game.run("rook", r#"{ apply = "c", value = "2" }, { apply = "c", value = "1" }"#);
    game.strike("pawn", "rook", r#"{ apply = "c", value = "5", to = "target" }"#, &[]);
    let rook = game.table.state().entity(game.who("rook")).unwrap();
    assert_eq!(rook.bears.iter().map(|borne| borne.value).collect::<Vec<_>>(), [2, 5]);
}

#[test]
fn a_value_that_changes_is_told_and_a_stronger_instance_brings_its_notes() {
    let rules = r#"
[creature.one]
[note.depth]
[count.told]
[condition.wound]
value = { min = "1", max = "9" }
[hook.told]
on = "condition.changed"
condition = "wound"
do = [{ count = "told", add = "value" }]
[condition.wound.end]
do = [{ count = "told", set = "note.depth" }]
"#;
    let mut game = Game::new(rules, &["rook"]);
    game.run("rook", r#"{ apply = "wound", value = "2", notes = { depth = "20" } }"#);
    assert_eq!(game.read("rook", "count.told"), 0, "it began");
    game.run("rook", r#"{ apply = "wound", value = "1", notes = { depth = "10" } }"#);
    assert_eq!(game.read("rook", "count.told"), 0, "a weaker one changes nothing");
    game.run("rook", r#"{ apply = "wound", value = "5", notes = { depth = "50" } }, { raise = "wound", by = "1" }"#);
    assert_eq!(game.read("rook", "count.told"), 5 + 6);
    game.run("rook", r#"{ remove = "wound" }"#);
    assert_eq!(game.read("rook", "count.told"), 50);
}

#[test]
fn a_weaker_instance_that_lasts_longer_stays_when_the_stronger_one_ends() {
    let rules = r#"
[creature.one]
[stat.guard]
start = 10
[count.ticks]
[turn]
seconds = 6
[condition.weak]
value = { min = "1", max = "9" }
again = { value = "all" }
[condition.weak.modifier.guard]
to = ["guard"]
value = "-value"
"#;
    let mut game = Game::new(rules, &["rook"]);
    game.run("rook", r#"{ apply = "weak", value = "3", minutes = "1" }, { apply = "weak", value = "1", hours = "1" }"#);
    assert_eq!((game.read("rook", "condition.weak"), game.read("rook", "guard")), (3, 7), "the strongest alone");
    game.perform(&houserule_kernel::intent::Operation::Wait { seconds: 60 });
    assert_eq!((game.read("rook", "condition.weak"), game.read("rook", "guard")), (1, 9));
    game.perform(&houserule_kernel::intent::Operation::Wait { seconds: 3600 });
    assert!(!game.bears("rook", "weak"));
    game.run("rook", r#"{ apply = "weak", value = "2" }, { apply = "weak", value = "4" }, { remove = "weak" }"#);
    assert!(!game.bears("rook", "weak"), "all of them end");
}

const PAIRS: &str = r#"
[stat.guard]
start = 10
[turn]
seconds = 6
[option.pairs]
about = "how many are kept"
choices = ["one", "each"]
default = "one"
[condition.weak]
value = { min = "1", max = "9" }
again = [{ when = "option.pairs == each", value = "all" }, { value = "highest", time = "keep" }]
[condition.weak.modifier.guard]
to = ["guard"]
value = "-value"
"#;

#[test]
fn the_first_way_whose_question_says_yes_is_taken() {
    for (choice, after) in [("one", 0), ("each", 1)] {
        let mut game = Game::new(
            &format!("{PLAIN}{}", PAIRS.replace("default = \"one\"", &format!("default = \"{choice}\""))),
            &["rook"],
        );
        game.run(
            "rook",
            r#"{ apply = "weak", value = "3", minutes = "1" }, { apply = "weak", value = "1", hours = "1" }"#,
        );
        assert_eq!((game.read("rook", "condition.weak"), game.read("rook", "guard")), (3, 7), "{choice}");
        game.perform(&houserule_kernel::intent::Operation::Wait { seconds: 60 });
        assert_eq!(game.read("rook", "condition.weak"), after, "{choice}");
    }
}

#[test]
fn err_what_is_kept_counts_one_by_one_or_by_the_strongest() {
    let told = common::wrong(
        "[creature.one]\n[condition.c]\nvalue = { min = \"1\" }\nagain = [{ when = \"round > 1\", value = \"all\" }, { value = \"per-source\" }]\n",
    );
    assert!(told.contains("HR0207") && told.contains("not both"), "{told}");
}

#[test]
fn what_would_be_below_its_least_never_begins() {
    let rules = "[creature.one]\n[count.begun]\n[condition.weak]\nvalue = { min = \"1\" }\n[condition.weak.start]\ndo = [{ count = \"begun\", add = \"1\" }]\n";
    let mut game = Game::new(rules, &["rook"]);
    for value in ["0", "-3"] {
        game.run("rook", &format!("{{ apply = \"weak\", value = \"{value}\" }}"));
        assert_eq!((game.bears("rook", "weak"), game.read("rook", "count.begun")), (false, 0), "{value}");
    }
    game.run("rook", r#"{ apply = "weak", value = "1" }, { apply = "weak", value = "0" }"#);
    assert_eq!((game.bears("rook", "weak"), game.read("rook", "count.begun")), (true, 1), "the higher stays");
}

/// What is told when a timed condition is applied a second time.
fn told_again(again: &str, first: &str, second: &str) -> String {
    let mut game = game(&format!("[turn]\nseconds = 6\n[condition.c]\nagain = {{ time = \"{again}\" }}\n"));
    game.run("rook", &format!("{{ apply = \"c\", rounds = \"{first}\" }}"));
    game.run("rook", &format!("{{ apply = \"c\", rounds = \"{second}\" }}"));
    game.table.explain(game.table.journal().done().len() - 1, "en").unwrap().to_text()
}

#[test]
fn that_a_time_grew_is_told() {
    for (again, first, second) in [("longest", "1", "3"), ("add", "2", "2"), ("replace", "3", "1")] {
        let told = told_again(again, first, second);
        assert!(told.contains("is c already; its time is set anew"), "{again}: {told}");
    }
}

#[test]
fn err_a_time_that_stays_is_not_told_to_have_changed() {
    for (again, first, second) in [("longest", "3", "1"), ("keep", "2", "5")] {
        let told = told_again(again, first, second);
        assert!(told.contains("is c already\n"), "{again}: {told}");
    }
}
