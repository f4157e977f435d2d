//! Files that are no files, are too long or lead elsewhere, and names that climb out: read with a bound, and refused.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

mod common;

use common::{Desk, program, run_in};
use std::fs::File;
use std::os::unix::fs::symlink;
use std::process::Stdio;

/// Everything that could be named instead of a file of text.
fn odd(desk: &Desk) -> Vec<(String, &'static str)> {
    File::create(desk.0.join("huge.toml")).unwrap().set_len(10 << 30).unwrap();
    symlink(desk.0.join("loop.toml"), desk.0.join("loop.toml")).unwrap();
    let pipe = desk.0.join("pipe.toml");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    std::fs::create_dir_all(desk.0.join("folder.toml")).unwrap();
    let path = |name: &str| desk.path(name);
    vec![
        (path("huge.toml"), "has 10737418240 bytes; 262144 are the most"),
        ("/dev/zero".to_owned(), "is a device or a pipe, not a file"),
        (path("pipe.toml"), "is a device or a pipe, not a file"),
        (path("folder.toml"), "it is a folder"),
        (path("loop.toml"), "cannot be read"),
        (path("absent.toml"), "there is no such file"),
    ]
}

#[test]
fn err_a_tape_that_is_no_file_is_not_read() {
    let desk = Desk::new("inputs-tape");
    for (file, why) in odd(&desk) {
        let told = desk.told_inside(&["play", "sf1e/duel", "--tape", &file]);
        assert!(told.contains("HR0901") && told.contains(why) && told.ends_with("exit 1"), "{told}");
    }
    desk.put("dice.txt", "attack:3 attack:4\n");
    assert!(!desk.told_inside(&["play", "sf1e/duel", "--tape", "dice.txt"]).contains("HR0901"));
}

#[test]
fn err_an_encounter_or_a_sheet_that_is_no_file_is_not_read() {
    let desk = Desk::new("inputs-pages");
    for (file, _) in odd(&desk) {
        for command in ["play", "sheet"] {
            let told = desk.told_inside(&[command, &file]);
            assert!(told.contains("HR090") && told.ends_with("exit 1"), "{told}");
        }
    }
    for (file, _) in odd_packs(&desk) {
        assert!(desk.told_inside(&["check", &file]).ends_with("exit 1"));
    }
}

/// Folders whose `pack.toml` is none.
fn odd_packs(desk: &Desk) -> Vec<(String, &'static str)> {
    for (name, target) in [("zero", "/dev/zero"), ("pipe", "../pipe.toml"), ("huge", "../huge.toml")] {
        std::fs::create_dir_all(desk.0.join(name)).unwrap();
        symlink(target, desk.0.join(name).join("pack.toml")).unwrap();
    }
    ["./zero", "./pipe", "./huge", "zero", "pipe", "huge"].map(|name| (name.to_owned(), "")).to_vec()
}

#[test]
fn err_who_answers_without_end_is_not_asked_without_end() {
    let desk = Desk::new("inputs-ask");
    let mut program = program(&common::fixtures());
    program
        .args(["play", "toy/spar", "--tape", "tie.tape", "--ask"])
        .stdin(Stdio::from(File::open("/dev/zero").unwrap()));
    let asked = String::from_utf8(program.output().unwrap().stderr).unwrap();
    let told = asked.matches("that is no answer").count();
    assert!(told > 0 && told <= 500, "{told}");
    drop(desk);
}

#[test]
fn err_new_makes_no_pack_of_names_that_climb_or_are_reserved() {
    let desk = Desk::new("inputs-new");
    for name in
        ["..", ".", "/", "a/..", "con", "NUL", "com1", "lpt9", "a\u{7}b", "a\nb", "a\u{202e}b", "-x/", "x.", "x*", ""]
    {
        let output = run_in(&desk.0, &["new", "--extends", "sf1e", "--", name], "");
        assert!(matches!(output.status.code(), Some(1 | 2)), "{name:?}: {}", String::from_utf8_lossy(&output.stdout));
    }
    assert_eq!(std::fs::read_dir(&desk.0).unwrap().count(), 0);
    for name in ["mine", "inner/mine", "inner/../other", "console"] {
        assert!(desk.told_inside(&["new", name, "--extends", "sf1e"]).ends_with("exit 0"), "{name}");
    }
}

#[test]
fn err_what_is_written_stays_in_its_folder() {
    let desk = Desk::new("inputs-climb");
    let farm = |name: &str| format!("farm/{name}");
    desk.put("farm/pack.toml", "id = \"farm\"\nversion = \"1\"\ntitle = \"Farm\"\n");
    desk.put("farm/rules.toml", "[creature.ox]\n");
    let story = "about = \"an ox\"\ngiven.ox = { like = \"ox\" }\n[[act]]\nwho = \"ox\"\nrun = []\n";
    desk.put("precious", "mine");
    let linked = desk.0.join("farm/scenarios/linked.snap");
    desk.put(&farm("scenarios/linked.toml"), story);
    symlink("../../precious", linked).unwrap();
    let told = desk.told_inside(&["test", "./farm", "--accept"]);
    assert!(told.contains("HR0915") && told.contains("it is a link"), "{told}");
    std::fs::remove_file(desk.0.join("farm/scenarios/linked.toml")).unwrap();
    desk.put(&farm("scenarios/..\\..\\..\\climbed.toml"), story);
    let told = desk.told_inside(&["test", "./farm", "--accept"]);
    assert!(told.ends_with("exit 1") || told.contains("0 scenarios"), "{told}");
    std::fs::remove_file(desk.0.join("farm/scenarios/..\\..\\..\\climbed.toml")).unwrap();
    desk.put(&farm("new/..\\..\\climbed.toml"), "x");
    desk.told_inside(&["new", "over", "--extends", "./farm"]);
    let climbed = ["climbed.toml", "climbed.snap", "../climbed.toml", "../climbed.snap"];
    assert!(climbed.iter().all(|name| !desk.0.join(name).exists()));
    assert_eq!(desk.read("precious"), "mine");
}
