//! Runs the program over good and bad input, as a newcomer would.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use common::{json_lines, run, told, told_with};
use std::process::Output;

// play

#[test]
fn play_tells_a_fight_and_what_the_tape_has_left() {
    insta::assert_snapshot!(told(&["play", "toy/spar", "--tape", "spar.tape", "--credits"]));
}

#[test]
fn play_with_one_seed_tells_the_same_fight_again() {
    let twice = [(); 2].map(|()| run(&["play", "toy/spar", "--seed", "12"], "").stdout);
    assert_eq!(twice[0], twice[1]);
    assert!(String::from_utf8_lossy(&twice[0]).contains("\nseed 12\n"));
}

#[test]
fn play_without_any_seed_takes_one_and_says_which() {
    let first = String::from_utf8(run(&["play", "unseeded.toml"], "").stdout).unwrap();
    let seed = first.lines().find_map(|line| line.strip_prefix("seed ")).unwrap();
    let again = String::from_utf8(run(&["play", "unseeded.toml", "--seed", seed], "").stdout).unwrap();
    assert_eq!(first, again);
}

#[test]
fn play_gives_programs_one_object_a_line() {
    let lines = json_lines(&["play", "toy/spar", "--tape", "spar.tape", "--format", "json"]);
    let kinds: Vec<&str> = lines.iter().map(|line| line["line"].as_str().unwrap()).collect();
    assert_eq!((kinds[0], kinds[1], kinds[kinds.len() - 1]), ("opening", "entry", "ending"));
    let (opening, ending) = (&lines[0], &lines[lines.len() - 1]);
    assert_eq!((opening["tape"].as_str(), ending["won"].as_str()), (Some("spar.tape"), Some("red")));
    assert!(opening["seed"].is_null(), "no seed rolls where a tape does: {opening}");
}

#[test]
fn play_asks_at_the_terminal_until_it_is_answered() {
    insta::assert_snapshot!(told_with(&["play", "toy/spar", "--tape", "tie.tape", "--ask"], "perhaps\n9\n2\n"));
}

#[test]
fn play_tells_the_blow_before_it_asks_whether_to_duck() {
    let output = run(&["play", "elsewhere/fence/spar", "--tape", "spar.tape", "--ask"], "yes\nno\n");
    let asked = String::from_utf8(output.stderr).unwrap();
    let blow = "ann: swing bob\n  swing +2   arm 2\n";
    let question = "bob: Does bob duck below the blow of ann?";
    assert!(asked.find(blow).unwrap() < asked.find(question).unwrap(), "{asked}");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains(blow), "the story is whole for whoever reads it alone: {told}");
}

#[test]
fn play_needs_nothing_but_the_program() {
    let output = run(&["play", "sf1e/dock_brawl"], "");
    let told = String::from_utf8(output.stdout).unwrap();
    let head: Vec<&str> = told.lines().take(4).collect();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(head[0], "Dock brawl: a crew of four against the dockers who want their cargo");
    assert_eq!(head[1..], ["seed 7", "crew: hale, nix, oriel, vesper", "dockers: crane, dent, lug, watch"]);
}

#[test]
fn play_tells_the_same_in_either_script_language() {
    let [lua, rhai] = ["LUA", "rhai"].map(|lang| run(&["play", "sf1e/duel", "--seed", "3", "--hooks", lang], ""));
    assert_eq!((lua.status.code(), rhai.status.code()), (Some(0), Some(0)));
    let lines = |output: Output| String::from_utf8(output.stdout).unwrap().replace(".rhai", ".lua");
    assert_eq!(lines(lua), lines(rhai));
}

#[test]
fn play_tells_a_fight_in_another_language_and_in_none_that_nobody_speaks() {
    let told = told(&["play", "sf1e/duel", "--seed", "3", "--lang", "id"]);
    assert!(told.contains("benih 3") && told.contains("menang pada ronde") && told.ends_with("exit 0"), "{told}");
    let wrong = self::told(&["play", "sf1e/duel", "--lang", "xx"]);
    assert!(wrong.contains("HR0917") && wrong.contains("`en`") && wrong.ends_with("exit 1"), "{wrong}");
}

#[test]
fn play_answers_by_default_when_nobody_is_asked() {
    let told = told(&["play", "toy/spar", "--tape", "tie.tape"]);
    assert!(told.contains("red won in round 2") && told.ends_with("exit 0"), "{told}");
}

#[test]
fn play_finds_the_pack_that_an_encounter_lies_in() {
    for encounter in ["elsewhere/windy/calm", "elsewhere/windy/encounters/calm.toml"] {
        let told = told(&["play", encounter]);
        assert!(told.ends_with("exit 0") && told.contains("Calm"), "{told}");
    }
}

#[test]
fn err_play_stops_when_nobody_answers() {
    let silent = told(&["play", "elsewhere/windy/storm", "--tape", "wind.tape"]);
    let gone = told_with(&["play", "elsewhere/windy/storm", "--tape", "wind.tape", "--ask"], "-3\n");
    insta::assert_snapshot!([silent, gone].join("\n\n"));
}

#[test]
fn err_play_without_such_an_encounter() {
    let asked = ["toy/sparr", "toy/zzzzzz", "tyo/spar", "nowhere.toml", "toy", "../toy/spar", "rulesets", "/", ""];
    insta::assert_snapshot!(asked.map(|encounter| told(&["play", encounter])).join("\n\n"));
}

#[test]
fn err_play_with_an_encounter_that_is_wrong() {
    let files = [
        "not_toml.toml",
        "not_text.toml",
        "no_pack.toml",
        "missing_pack.toml",
        "empty.toml",
        "house/encounters/wrong.toml",
    ];
    insta::assert_snapshot!(files.map(|file| told(&["play", file])).join("\n\n"));
}

#[test]
fn err_play_with_a_tape_that_is_wrong() {
    let tapes = ["nowhere.tape", "no_faces.tape", "wrong_face.tape", "short.tape"];
    insta::assert_snapshot!(tapes.map(|tape| told(&["play", "toy/spar", "--tape", tape])).join("\n\n"));
}

#[test]
fn err_play_gives_programs_their_errors_as_json() {
    let output = run(&["play", "toy/spar", "--tape", "no_faces.tape", "--format", "json"], "");
    let errors = String::from_utf8(output.stderr).unwrap();
    let first: serde_json::Value = serde_json::from_str(errors.lines().next().unwrap()).unwrap();
    assert_eq!(
        (first["code"].as_str(), first["line"].as_u64(), first["column"].as_u64()),
        (Some("HR0904"), Some(1), Some(14))
    );
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
}

#[test]
fn err_seeds_that_are_none_are_told_in_words() {
    for (words, least) in [(["play", "toy/spar", "--seed", "-1"], 2), (["roll", "d6", "--seed", "x"], 2)] {
        let told = told(&words);
        assert!(told.contains("a seed is a whole number from 0 to 18446744073709551615"), "{told}");
        assert!(told.ends_with(&format!("exit {least}")), "{told}");
    }
    assert!(told(&["play", "toy/spar", "--seed", "3", "--tape", "spar.tape"]).ends_with("exit 2"));
}

#[cfg(target_os = "linux")]
#[test]
fn err_results_that_find_no_room_are_told() {
    for words in [&["play", "toy/spar"][..], &["check", "toy"], &["roll", "3d6"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = common::program(&common::fixtures()).args(words).stdout(full).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("HR0915") && output.status.code() == Some(1), "{words:?}: {told}");
    }
}

#[test]
fn err_explain_a_rule_without_its_kind() {
    let told = told(&["explain", "rule", "swing", "--in", "toy"]);
    assert!(told.contains("did you mean `action.swing` or `check.swing`"), "{told}");
}

// roll

#[test]
fn err_roll_of_dice_that_are_written_large() {
    let told = told(&["roll", "D20"]);
    assert!(told.contains("`D20` is no dice") && told.contains("write `d20`") && told.ends_with("exit 1"), "{told}");
}

#[test]
fn roll_shows_every_face_and_what_became_of_it() {
    let rolls = ["4d6kh3[fire] + 2d10r<=3!>=9[cold] + 3", "-1d4 + 2", "4dF", "6d6min3cs>=4cf<=3", "(1d2)d6 * 2"];
    insta::assert_snapshot!(rolls.map(|expression| told(&["roll", expression, "--seed", "4"])).join("\n\n"));
}

#[test]
fn roll_again_and_again() {
    insta::assert_snapshot!(told(&["roll", "3d6", "--seed", "1", "--times", "3"]));
}

#[test]
fn roll_gives_programs_faces_and_parts() {
    let lines = json_lines(&["roll", "2d6kl1[one] + 3[two]", "--seed", "9", "--times", "2", "--format", "json"]);
    let rolls = lines[0]["rolls"].as_array().unwrap();
    assert_eq!((lines.len(), rolls.len(), rolls[0]["faces"].as_array().unwrap().len()), (1, 2, 2));
    assert_eq!(rolls[0]["parts"][1], serde_json::json!({ "label": "two", "amount": 3 }));
}

#[test]
fn err_roll_underlines_what_it_cannot_read() {
    let wrong = [
        "2d6 + + 3",
        "",
        "strength + 2d6",
        "2000d6",
        "1d6!>=1",
        "4d6k3",
        "1 / 0",
        "1d6 >= 4",
        "mean(1d6)",
        "héro + “2d6”",
    ];
    insta::assert_snapshot!(wrong.map(|expression| told(&["roll", expression, "--seed", "1"])).join("\n\n"));
}

#[test]
fn err_roll_that_fails_while_dice_fall() {
    insta::assert_snapshot!(told(&["roll", "1d6 / (1d1 - 1)", "--seed", "1"]));
}

#[test]
fn err_roll_never_panics_on_noise() {
    let signs: Vec<char> = "d6!rk<>=()[]+-*/%., 9Fäh\"\n".chars().collect();
    let mut seed = 7_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for _ in 0..60 {
        let noise: String = (0..next(24)).map(|_| signs[next(signs.len())]).collect();
        let code = run(&["roll", &noise, "--seed", "1"], "").status.code();
        assert!(matches!(code, Some(0..=2)), "{noise:?} ended with {code:?}");
    }
}

// check

#[test]
fn check_finds_nothing_wrong_with_what_is_built_in() {
    let output = run(&["check", "sf1e"], "");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "sf1e: 0 problems, 0 warnings\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn check_counts_rules_and_warns_of_missing_words() {
    insta::assert_snapshot!(told(&["check", "toy", "--stats"]));
}

#[test]
fn check_gives_programs_the_findings_of_each_pack() {
    let lines = json_lines(&["check", "toy", "./broken", "--format", "json"]);
    let packs = lines[0]["packs"].as_array().unwrap();
    assert_eq!((packs[0]["pack"].as_str(), packs[1]["pack"].as_str()), (Some("toy"), Some("broken")));
    assert_eq!(lines[0]["errors"].as_u64().unwrap() as usize, packs[1]["findings"].as_array().unwrap().len());
    assert!(packs[1]["findings"][0]["file"].as_str().unwrap().starts_with("broken/"));
}

#[test]
fn the_folder_of_packs_is_searched_first() {
    let output = run(&["check", "toy", "--packs", "shelf", "--stats"], "");
    assert!(String::from_utf8(output.stdout).unwrap().contains("0  rules in all"));
}

#[test]
fn err_check_tells_everything_at_once() {
    insta::assert_snapshot!(told(&["check", "./broken"]));
}

#[test]
fn err_check_reads_the_hooks_of_every_language() {
    insta::assert_snapshot!(told(&["check", "two_tongues"]));
}

#[test]
fn err_check_reads_encounters_and_scenarios() {
    insta::assert_snapshot!(told(&["check", "house"]));
}

#[test]
fn check_says_which_language_lacks_words_of_the_pack() {
    let output = run(&["check", "toy"], "");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.starts_with("warning[HR0909]: `de` has no words for `toy.truce`,"), "{told}");
}

#[test]
fn err_check_without_such_a_pack() {
    let asked: [&[&str]; 4] = [&["tyo"], &["./nowhere"], &["rulesets"], &["toy", "--packs", "nowhere"]];
    insta::assert_snapshot!(asked.map(|words| told(&[&["check"], words].concat())).join("\n\n"));
}

// explain

#[test]
fn explain_says_where_a_number_comes_from() {
    let asked = ["ann.guard", "ann.guard.asleep"];
    insta::assert_snapshot!(asked.map(|number| told(&["explain", "stat", number, "--in", "toy/spar"])).join("\n\n"));
}

#[test]
fn explain_says_where_rules_come_from() {
    let asked =
        [["hooks", "damage.taken", "toy"], ["option", "hard", "toy"], ["rule", "stat.guard.part.base", "./house"]];
    insta::assert_snapshot!(asked.map(|[what, name, pack]| told(&["explain", what, name, "--in", pack])).join("\n\n"));
}

#[test]
fn explain_says_what_a_code_means() {
    insta::assert_snapshot!(["HR0203", "hr0702"].map(|code| told(&["explain", code])).join("\n\n"));
}

#[test]
fn explain_gives_programs_the_same_account() {
    let lines = json_lines(&["explain", "stat", "ann.guard", "--in", "toy/spar", "--format", "json"]);
    assert_eq!(lines[0]["title"]["facts"]["total"], serde_json::json!(10));
}

#[test]
fn err_explain_what_is_not_there() {
    let asked: [&[&str]; 9] = [
        &["HR0204x"],
        &["kac"],
        &["stat", "guard", "--in", "toy/spar"],
        &["stat", "anne.guard", "--in", "toy/spar"],
        &["stat", "ann.gard", "--in", "toy/spar"],
        &["stat", "ann.guard.sleepy", "--in", "toy/spar"],
        &["hooks", "damage.takne", "--in", "toy"],
        &["option", "soft", "--in", "toy"],
        &["rule", "check.swim", "--in", "toy"],
    ];
    insta::assert_snapshot!(asked.map(|words| told(&[&["explain"], words].concat())).join("\n\n"));
}

// the command line itself

#[test]
fn help_teaches_with_examples() {
    let asked: [&[&str]; 8] = [
        &["--help"],
        &["help", "sheet"],
        &["help", "play"],
        &["help", "roll"],
        &["help", "check"],
        &["help", "test"],
        &["help", "new"],
        &["help", "explain"],
    ];
    for words in asked {
        let output = run(words, "");
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.code() == Some(0) && told.contains("houserule play sf1e") | told.contains("Examples:"),
            "{told}"
        );
    }
}

#[test]
fn colours_are_for_terminals_only() {
    let output = run(&["roll", "1d"], "");
    assert!(!output.stderr.contains(&0x1b) && !output.stderr.is_empty());
}

#[test]
fn err_a_command_line_that_cannot_be_read_ends_with_two() {
    let asked: [&[&str]; 13] = [
        &[],
        &["sheet"],
        &["sheet", "sf1e/soldier", "--stat"],
        &["test"],
        &["test", "sf1e", "--filter"],
        &["paly"],
        &["play"],
        &["play", "toy/spar", "--seed", "-1"],
        &["play", "toy/spar", "--hooks", "basic"],
        &["roll", "1d6", "--times", "0"],
        &["check"],
        &["explain"],
        &["explain", "stat", "ann.guard"],
    ];
    for words in asked {
        assert_eq!(run(words, "").status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn err_files_that_nobody_reads_are_warned_of() {
    let folder = std::env::temp_dir().join(format!("houserule-stray-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("pack.toml"), "id = \"stray\"\nversion = \"1\"\ntitle = \"t\"\n").unwrap();
    std::fs::write(folder.join("dying.lua"), "").unwrap();
    std::fs::write(folder.join("RULES.TOML"), "").unwrap();
    let told = told(&["check", folder.to_str().unwrap()]);
    std::fs::remove_dir_all(&folder).unwrap();
    let named = |file: &str| told.contains(&format!("`{}` is read by nobody", folder.join(file).display()));
    assert!(named("dying.lua") && named("RULES.TOML"), "{told}");
    assert!(told.contains("stray: 0 problems, 2 warnings") && told.ends_with("--- exit 0"), "{told}");
}

#[test]
fn play_takes_answers_beforehand() {
    let windy = ["play", "elsewhere/windy/storm", "--tape", "wind.tape", "--answer", "fact.wind=0 - 3"];
    let wrong = |answer: &str| told(&["play", "elsewhere/windy/storm", "--answer", answer]);
    let said = [told(&windy), wrong("fact.wnd=3"), wrong("fact.wind=hpp"), wrong("fact.wind")];
    insta::assert_snapshot!(said.join("\n\n"));
}
