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
    assert_eq!(
        ox["failures"],
        serde_json::json!([format!("{}:6: act 1: `ox.might` is 4, not 3", desk.path("farm/scenarios/ox.toml"))])
    );
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

// new

#[test]
fn new_begins_a_pack_that_passes_at_once_over_every_shipped_pack_in_every_language() {
    for pack in houserule::shipped::ids() {
        for lang in ["lua", "rhai"] {
            let desk = Desk::new(&format!("begin-{pack}-{lang}"));
            let mine = desk.path("my-rules");
            let begun = desk.told(&["new", &mine, "--extends", pack, "--lang", lang]);
            assert!(begun.ends_with("exit 0") && begun.contains(&format!("my-rules/hooks/house.{lang}")), "{begun}");
            assert_eq!(desk.told(&["test", &mine]), "$ houserule test DESK/my-rules\n1 scenario: 1 passed\n--- exit 0");
            let checked = desk.told(&["check", &mine]);
            assert!(checked.contains("my_rules: 0 problems, 0 warnings"), "{checked}");
        }
    }
}

#[test]
fn new_tells_what_it_wrote() {
    let desk = Desk::new("wrote");
    let mine = desk.path("my-rules");
    let told = desk.told(&["new", &mine, "--extends", "sf1e"]);
    let files = ["pack.toml", "rules.toml", "README.md"].map(|name| desk.read(&format!("my-rules/{name}")));
    insta::assert_snapshot!(format!("{told}\n\n{}", files.join("\n\n")).replace(desk.0.to_str().unwrap(), "DESK"));
}

#[test]
fn new_serves_packs_that_do_not_say_how_to_begin() {
    let desk = Desk::new("bare");
    let (first, second) = (desk.path("first"), desk.path("second"));
    let shelf = desk.path("");
    assert!(desk.told(&["new", &first, "--extends", "toy"]).ends_with("exit 0"));
    let over = desk.told(&["new", &second, "--extends", "first", "--packs", &shelf, "--lang", "rhai"]);
    assert!(over.ends_with("exit 0"), "{over}");
    let tested = [first.as_str(), &second].map(|pack| desk.told(&["test", pack, "--packs", &shelf]));
    assert!(tested.iter().all(|told| told.contains("1 scenario: 1 passed\n")), "{tested:?}");
}

#[test]
fn thirty_lines_change_the_dying_rule_and_a_number() {
    const PACK: &str =
        "id = \"lucky\"\nversion = \"1\"\ntitle = \"Lucky\"\nextends = [\"sf1e\"]\nlanguages = [\"lua\"]\n";
    const RULES: &str = "[change.stat.kac.part.base]\nvalue = \"11\"\n";
    const HOOK: &str = r#"-- the dying lose resolve only if they roll below 10
wrap("dying.slips_away", function(ev, inner)
  if roll("1d20", { who = ev.who }).total < 10 then inner() end
end)
"#;
    const STORY: &str = r#"about = "a 10 holds on to life, a 9 does not, and armor begins at 11"
given.rook = { like = "recruit", pools = { hp = 1, stamina = 0, resolve = 1 } }
given.dent = { like = "recruit" }
[[act]]
begin = true
tape = ["initiative:1", "initiative:20"]
after = { "rook.kac" = 11 }
[[act]]
who = "rook"
run = [{ damage = "1", type = "fire", to = "bearer" }]
[[act]]
next = true
[[act]]
next = true
tape = ["roll:10"]
after = { "rook.resolve" = 1 }
[[each]]
name = "a 9"
act = 4
tape = ["roll:9"]
after = { "rook.resolve" = 0 }
"#;
    let files = [("pack.toml", PACK), ("rules.toml", RULES), ("hooks/lucky.lua", HOOK)];
    assert!(files.iter().map(|(_, text)| text.lines().count()).sum::<usize>() <= 30);
    let desk = Desk::new("thirty");
    files.iter().for_each(|(name, text)| desk.put(&format!("lucky/{name}"), text));
    desk.put("lucky/scenarios/held.toml", STORY);
    let told = desk.told(&["test", &desk.path("lucky"), "--accept"]);
    assert!(told.contains("1 scenario: 1 passed, 1 accepted\n"), "{told}");
}

#[test]
fn err_new_overwrites_nothing() {
    let desk = Desk::new("overwrites");
    desk.put("full/rules.toml", "mine");
    desk.put("file", "mine");
    let (full, file) = (desk.path("full"), desk.path("file"));
    let told = [full, file].map(|folder| desk.told(&["new", &folder, "--extends", "sf1e"]));
    assert_eq!((desk.read("full/rules.toml").as_str(), desk.read("file").as_str()), ("mine", "mine"));
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn err_new_of_what_cannot_be() {
    let desk = Desk::new("cannot");
    let asked = [("9lives", "sf1e"), ("sf1e", "sf1e"), ("mine", "sf1ee"), ("ünder", "sf1e"), ("..", "sf1e")];
    let told = asked.map(|(folder, pack)| desk.told(&["new", &desk.path(folder), "--extends", pack]));
    assert_eq!(std::fs::read_dir(&desk.0).unwrap().count(), 0);
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn err_new_without_a_pack_below_is_a_wrong_command_line() {
    let asked: [&[&str]; 3] = [&["new"], &["new", "./mine"], &["new", "./mine", "--extends", "sf1e", "--lang", "c"]];
    assert!(asked.iter().all(|words| run(words, "").status.code() == Some(2)));
}

#[test]
fn a_pack_is_found_by_its_id_and_by_its_folder() {
    let desk = Desk::new("by-id");
    assert!(desk.told_inside(&["new", "my-rules", "--extends", "toy_none"]).contains("HR0902"));
    assert!(desk.told_inside(&["new", "my-rules", "--extends", "sf1e"]).ends_with("exit 0"));
    for below in ["my-rules", "my_rules", "./my-rules"] {
        let over = format!("over {}", below.replace(['.', '/', '-'], "a"));
        let begun = desk.told_inside(&["new", &over, "--extends", below]);
        assert!(begun.ends_with("exit 0") && begun.contains(&format!("houserule test '{over}'")), "{begun}");
        let told = desk.told_inside(&["test", &over]);
        assert!(told.contains("1 scenario: 1 passed"), "{told}");
    }
    let shelf = ["test", "my_rules", "--packs", "."].map(str::to_owned);
    assert!(desk.told_inside(&shelf.each_ref().map(String::as_str)).contains("1 passed"));
}

#[test]
fn what_is_wrong_is_shown_with_the_path_that_opens_it() {
    let desk = Desk::new("paths");
    desk.told_inside(&["new", "my-rules", "--extends", "sf1e"]);
    desk.put("my-rules/more.toml", "[stat.x.part.y]\nvalue = \"nope\"\n");
    for word in ["my_rules", "my-rules", "./my-rules"] {
        let told = desk.told_inside(&["check", word]);
        assert!(told.contains("--> my-rules/more.toml:2:10") && told.ends_with("exit 1"), "{told}");
    }
    desk.put("my-rules/more.toml", "");
    desk.put("my-rules/sheets/rook.toml", "pack = \"my_rules\"\nname = \"Rook\"\nlike = \"recriut\"\n");
    let told = desk.told_inside(&["sheet", "my_rules/rook"]);
    assert!(told.contains("--> my-rules/sheets/rook.toml:3:9"), "{told}");
}

#[test]
fn err_two_folders_with_one_id_and_none_called_by_it() {
    let desk = Desk::new("twins");
    for folder in ["a-farm", "b-farm"] {
        desk.put(&format!("{folder}/pack.toml"), "id = \"farm\"\nversion = \"1\"\ntitle = \"Farm\"\n");
    }
    let told = desk.told_inside(&["check", "farm"]);
    assert!(
        told.contains("several folders hold a pack `farm`: `a-farm`, `b-farm`") && told.ends_with("exit 1"),
        "{told}"
    );
    assert!(desk.told_inside(&["check", "./a-farm"]).ends_with("exit 0"));
}

#[test]
fn err_a_pack_with_a_picture_is_told_with_its_folder() {
    let desk = Desk::new("picture");
    farm(&desk, "3");
    std::fs::write(desk.0.join("farm/map.png"), [0x89, 0xff]).unwrap();
    let told = desk.told_inside(&["check", "farm", "nowhere"]);
    assert!(told.contains("`map.png` is not UTF-8") && told.contains("in the pack in `farm`"), "{told}");
    assert!(told.contains("save it as UTF-8") && told.contains("there is no pack `nowhere`"), "both are told: {told}");
}

// sheet

const BESS: &str = "pack = \"farm\"\nname = \"Bess\"\ntitle = \"an old ox\"\nnotes = [\"likes clover\"]\nlike = \"ox\"\nstats = { might = 5 }\n";

/// The small pack with somebody in it.
fn stable(desk: &Desk) -> String {
    farm(desk, "3");
    desk.put(
        "farm/rules.toml",
        "[tag]\ndraught = \"pulls\"\n[stat.might]\ntags = [\"draught\"]\nstart = 3\n[stat.load]\n[stat.load.part.might]\nvalue = \"might * 100\"\n[stat.idle]\n[view.lame]\nof = \"load\"\noffset = -50\n[pool.breath]\nmax = \"might\"\n[pool.nothing]\nmax = \"0\"\n[creature.ox]\ntags = [\"draught\"]\n[condition.yoked]\n",
    );
    desk.put("farm/sheets/bess.toml", BESS);
    desk.path("farm/sheets/bess.toml")
}

#[test]
fn sheet_shows_a_character_and_explains_every_number() {
    let desk = Desk::new("shows");
    let bess = stable(&desk);
    let asked: [&[&str]; 4] = [
        &["sheet", &bess],
        &["sheet", &bess, "--explain"],
        &["sheet", &bess, "--stat", "load"],
        &["sheet", &bess, "--stat", "load.lame"],
    ];
    insta::assert_snapshot!(asked.map(|words| desk.told(words)).join("\n\n"));
}

#[test]
fn sheet_shows_those_that_come_with_the_packs() {
    for (who, number) in [("sf1e/soldier", "  hp         11 of 11\n"), ("sf1e/envoy", "  stamina    35 of 35\n")] {
        let told = told(&["sheet", who]);
        assert!(told.contains(number) && told.ends_with("exit 0"), "{told}");
    }
}

#[test]
fn sheet_gives_programs_pools_and_tallies() {
    let lines = json_lines(&["sheet", "sf1e/envoy", "--format", "json"]);
    let sheet = &lines[0];
    assert_eq!((sheet["name"].as_str(), sheet["pools"]["resolve"]["max"].as_i64()), (Some("Vesper"), Some(6)));
    let terms = sheet["stats"]["ref_base"]["tally"]["terms"].as_array().unwrap();
    let values: Vec<i64> = terms.iter().map(|term| term["value"].as_i64().unwrap()).collect();
    assert_eq!((sheet["stats"]["ref_base"]["total"].as_i64(), values), (Some(6), vec![4, 2]));
}

#[test]
fn err_sheets_that_are_wrong_are_told_with_their_places() {
    let desk = Desk::new("wrong");
    let bess = stable(&desk);
    desk.put("farm/sheets/bad.toml", &BESS.replace("\"ox\"", "\"oxx\"").replace("might", "migth"));
    desk.put("nobody.toml", "name = \"Bess\"\n");
    let (bad, nobody, farm) = (desk.path("farm/sheets/bad.toml"), desk.path("nobody.toml"), desk.path("farm"));
    let (absent, folder) = (format!("{farm}/bes"), desk.path(""));
    let asked: [&[&str]; 7] = [
        &["sheet", &bad],
        &["sheet", &nobody],
        &["sheet", &absent],
        &["sheet", &folder],
        &["sheet", &bess, "--stat", "laod"],
        &["sheet", &bess, "--stat", "might.lame"],
        &["check", &farm],
    ];
    insta::assert_snapshot!(asked.map(|words| desk.told(words)).join("\n\n"));
}

#[test]
fn err_check_tells_of_coverage_that_is_not_true() {
    let desk = Desk::new("untrue");
    farm(&desk, "3");
    desk.put(
        "farm/coverage.toml",
        "[[rule]]\nid = \"might\"\nsection = \"1\"\nrule = \"oxen are strong\"\nscenario = \"oxx\"\n",
    );
    let told = desk.told(&["check", &desk.path("farm")]);
    assert!(told.contains("there is no scenario `oxx`") && told.contains("farm/coverage.toml:5:13"), "{told}");
    assert!(told.ends_with("farm: 1 problem, 0 warnings\n--- exit 1"), "{told}");
}
