//! A pack of one's own: tested, begun, and with people in it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

mod common;

use common::{Desk, json_lines, run, told};

const OX: &str = "about = \"an ox is strong\"\ngiven.ox = { like = \"ox\" }\n[[act]]\nwho = \"ox\"\nrun = [{ apply = \"yoked\" }]\nafter = { \"ox.might\" = 3 }\n";

/// A small pack with one scenario.
fn farm(desk: &Desk, might: &str) {
    desk.put("farm/pack.toml", "id = \"farm\"\nversion = \"1\"\ntitle = \"Farm\"\n");
    desk.put("farm/rules.toml", &format!("[stat.might]\nstart = {might}\n[creature.ox]\n[condition.yoked]\n"));
    desk.put("farm/scenarios/ox.toml", OX);
}

// test

#[test]
fn test_finds_nothing_wrong_with_what_is_built_in() {
    let told = told(&["test", "sf1e", "--filter", "refuse_"]);
    assert!(told.contains(" scenarios: ") && !told.contains("failed") && told.ends_with("exit 0"), "{told}");
}

#[test]
fn test_keeps_what_is_new_and_shows_what_has_changed() {
    let desk = Desk::new("keeps");
    farm(&desk, "3");
    let farm = desk.path("farm");
    let mut stages = vec![desk.told(&["test", &farm])];
    stages.push(desk.told(&["test", &farm, "--accept"]));
    stages.push(desk.read("farm/scenarios/ox.snap"));
    stages.push(desk.told(&["test", &farm]));
    desk.put("farm/scenarios/ox.toml", &OX.replace("[{ apply = \"yoked\" }]", "[]"));
    stages.push(desk.told(&["test", &farm]));
    stages.push(desk.told(&["test", &farm, "--accept"]));
    stages.push(desk.told(&["test", &farm]));
    insta::assert_snapshot!(stages.join("\n\n"));
}

#[test]
fn test_plays_a_pack_that_extends_others() {
    let desk = Desk::new("extends");
    desk.put("inn/pack.toml", "id = \"inn\"\nversion = \"1\"\ntitle = \"Inn\"\nextends = [\"sf1e\"]\n");
    desk.put("inn/rules.toml", "[change.stat.kac.part.base]\nvalue = \"11\"\n");
    desk.put(
        "inn/scenarios/harder.toml",
        "about = \"harder to hit\"\ngiven.rook = { like = \"recruit\" }\n[[act]]\nafter = { \"rook.kac\" = 11 }\n",
    );
    let told = desk.told(&["test", &desk.path("inn"), "--accept"]);
    assert!(told.contains("1 scenario: 1 passed, 1 accepted\n") && told.ends_with("exit 0"), "{told}");
}

#[test]
fn test_gives_programs_one_object() {
    let desk = Desk::new("object");
    farm(&desk, "4");
    let lines = json_lines(&["test", &desk.path("farm"), "--format", "json"]);
    let ox = &lines[0]["scenarios"][0];
    assert_eq!((lines.len(), lines[0]["failed"].as_u64(), ox["verdict"].as_str()), (1, Some(1), Some("failed")));
    assert_eq!(ox["failures"], serde_json::json!(["act 1: `ox.might` is 4, not 3"]));
}

#[test]
fn err_test_never_keeps_what_fails_by_its_own_words() {
    let desk = Desk::new("never");
    farm(&desk, "4");
    desk.put("farm/scenarios/cow.snap", "---\nsource: x\n---\nmoo\n");
    desk.put("farm/scenarios/sheep.toml", "about = \"no such animal\"\ngiven.sheep = { like = \"oxx\" }\n");
    let told = desk.told(&["test", &desk.path("farm"), "--accept"]);
    assert!(!desk.0.join("farm/scenarios/ox.snap").exists());
    insta::assert_snapshot!(told);
}

#[test]
fn err_test_of_what_is_not_there() {
    let desk = Desk::new("absent");
    farm(&desk, "3 +");
    let broken = desk.path("farm");
    let asked: [&[&str]; 5] = [
        &["test", "sf1ee"],
        &["test", "./nowhere"],
        &["test", "sf1e", "--accept"],
        &["test", "sf1e", "--filter", "ex04_range_penalty"],
        &["test", &broken],
    ];
    insta::assert_snapshot!(asked.map(|words| desk.told(words)).join("\n\n"));
}

#[test]
fn err_test_without_a_pack_is_a_wrong_command_line() {
    assert_eq!(run(&["test"], "").status.code(), Some(2));
}
