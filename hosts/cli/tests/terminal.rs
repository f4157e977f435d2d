//! Nothing that packs, sheets, scenarios, file names or the command line bring along acts on a terminal: every
//! command is run over texts that try, in a terminal and through pipes, for people and for programs.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests may panic")]

mod common;
#[path = "common/terminal.rs"]
mod terminal;

use common::{Desk, program};
use houserule::encounter::{self, Encounter};
use houserule::scenario::of_pack;
use houserule::scenario_test::{TestStatus, rehearse};
use houserule::sheet::{self, Sheet};
use houserule::{Pack, load_with};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use terminal::{POISON, harm, in_pipes, in_terminal};
use toml::{Table, Value};

/// Runs a command in every way, and gives what people were told through pipes.
fn told(desk: &Desk, arguments: &[&str]) -> String {
    let started = |format: &str| {
        let mut program = program(&desk.0);
        program.args(arguments).args(["--format", format]);
        program
    };
    for format in ["human", "json"] {
        let [pipe, terminal] = [(in_pipes(started(format)), false), (in_terminal(started(format)), true)];
        for (sent, coloured) in [&pipe, &terminal] {
            if let Some(harm) = harm(sent, *coloured) {
                panic!("{arguments:?} as {format}, in a terminal: {coloured}: {harm}");
            }
        }
        assert!(!pipe.0.contains("panicked") && !pipe.0.contains("program is at fault"), "{arguments:?}: {}", pipe.0);
        assert!(pipe.0.lines().all(|line| format == "json" || line.chars().count() < 40_000), "{arguments:?}");
    }
    in_pipes(started("human"))
}

fn told_all(desk: &Desk, commands: &[&[&str]]) -> String {
    commands.iter().map(|arguments| told(desk, arguments)).collect()
}

/// What can be asked of a pack in a folder `bad`.
const OF_A_PACK: [&[&str]; 14] = [
    &["check", "./bad", "--stats", "--limits"],
    &["test", "./bad"],
    &["test", "./bad", "--filter", "nothing"],
    &["play", "./bad/encounters/ford.toml", "--credits"],
    &["play", "./bad/encounters/ford.toml", "--answer", "all=ask", "--ask"],
    &["play", "./bad/encounters/ford.toml", "--answer", "all=ask"],
    &["sheet", "./bad/sheets/ann.toml"],
    &["sheet", "./bad/sheets/ann.toml", "--explain"],
    &["explain", "stat", "rook.might", "--in", "./bad/encounters/ford.toml"],
    &["explain", "hooks", "turn.start", "--in", "./bad"],
    &["explain", "hooks", "nothing", "--in", "./bad"],
    &["explain", "option", "night", "--in", "./bad"],
    &["explain", "rule", "check.strike", "--in", "./bad"],
    &["new", "./mine", "--extends", "./bad"],
];

fn every_word() -> Pack {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/packs/every_word");
    let sheet = "pack = \"every_word\"\nname = \"Ann\"\ntitle = \"somebody\"\nnotes = [\"a note\"]\nlike = \"knight\"\nside = \"crown\"\n";
    Pack::read_folder(folder).unwrap().with("sheets/ann.toml", sheet)
}

fn laid(desk: &Desk, pack: &Pack) {
    let _ = std::fs::remove_dir_all(desk.0.join("bad"));
    let _ = std::fs::remove_dir_all(desk.0.join("mine"));
    pack.files().for_each(|(name, text)| desk.put(&format!("bad/{name}"), text));
}

/// Changes every text of a value whose key is wanted; lists have the key of their field.
fn poisoned(value: &mut Value, key: &str, wanted: &dyn Fn(&str) -> bool, keys: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            keys.insert(key.to_owned());
            if wanted(key) {
                text.push_str(POISON);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|item| poisoned(item, key, wanted, keys)),
        Value::Table(table) => table.iter_mut().for_each(|(key, value)| poisoned(value, key, wanted, keys)),
        _ => {}
    }
}

/// A file with every text poisoned whose key is wanted, and all keys of texts.
fn file_with(text: &str, wanted: &dyn Fn(&str) -> bool) -> (String, BTreeSet<String>) {
    let mut value = Value::Table(text.parse::<Table>().unwrap());
    let mut keys = BTreeSet::new();
    poisoned(&mut value, "", wanted, &mut keys);
    (toml::to_string(&value).unwrap(), keys)
}

fn loads(pack: &Pack) -> bool {
    let languages = houserule_scripts::languages();
    load_with(vec![pack.clone()], &[], &languages).is_ok_and(|rules| {
        let (fight, ann) = (pack.file("encounters/ford.toml").unwrap(), pack.file("sheets/ann.toml").unwrap());
        let names = ["encounter", "sheet"].map(|_| vec!["every_word".to_owned()]);
        let packs = [encounter::packs("x", fight), sheet::packs("x", ann)].map(Result::unwrap_or_default);
        let passes =
            |(name, text): (&String, &String)| rehearse(&rules, pack, name, text).verdict != TestStatus::Failed;
        let stories = of_pack(pack).iter().all(passes);
        let others = Encounter::read(&rules, "x", fight).is_ok() && Sheet::read(&rules, "x", ann).is_ok();
        packs == names && stories && others
    })
}

/// The pack with every text poisoned that may be: file by file and key by key, as
/// long as it loads. Gives how many keys of each file took it.
fn poisoned_where_it_loads(pack: Pack) -> (Pack, BTreeMap<String, Vec<String>>) {
    let (mut whole, mut taken) = (pack.clone(), BTreeMap::new());
    for (name, text) in pack.files().filter(|(name, _)| name.ends_with(".toml")) {
        let mut took: Vec<String> = Vec::new();
        for key in file_with(text, &|_| false).1 {
            let with = |known: &str| known == key || took.iter().any(|one| one == known);
            let tried = whole.clone().with(name, &file_with(text, &with).0);
            if loads(&tried) {
                whole = tried;
                took.push(key);
            }
        }
        taken.insert(name.to_owned(), took);
    }
    (whole, taken)
}

#[test]
fn err_texts_of_a_pack_that_loads_do_not_act() {
    let desk = Desk::new("terminal-loads");
    let (pack, taken) = poisoned_where_it_loads(every_word());
    let takes = |file: &str, keys: &[&str]| keys.iter().all(|key| taken[file].iter().any(|known| known == key));
    assert!(takes("pack.toml", &["title", "version", "licence", "source", "attribution", "credits"]), "{taken:?}");
    assert!(takes("sheets/ann.toml", &["name", "title", "notes", "side"]), "{taken:?}");
    assert!(takes("encounters/ford.toml", &["title", "side"]) && taken["text/en.toml"].len() > 7, "{taken:?}");
    laid(&desk, &pack);
    let told = told_all(&desk, &OF_A_PACK);
    assert!(told.matches("\\u{1b}[2J").count() > 50, "the texts were told: {told}");
    told_all(&desk, &[&["test", "./bad", "--accept"]]);
    let kept = desk.read("bad/scenarios/every_deed.snap");
    assert_eq!(harm(&kept, false), None, "a snapshot is read in a terminal too");
}

#[test]
fn texts_that_try_nothing_are_told_as_they_are() {
    let desk = Desk::new("terminal-control");
    laid(
        &desk,
        &every_word().with(
            "sheets/ann.toml",
            "pack = \"every_word\"\nname = \"Zoë 漢字 e\u{301} \u{1f525}\"\nlike = \"knight\"\n",
        ),
    );
    let told = told_all(&desk, &OF_A_PACK);
    assert!(!told.contains("\\u{") && told.contains("Zoë 漢字 e\u{301} \u{1f525}"), "{told}");
}

#[test]
fn err_texts_of_a_pack_that_does_not_load_do_not_act() {
    let desk = Desk::new("terminal-breaks");
    let pack = every_word();
    let few: Vec<&[&str]> = OF_A_PACK.iter().copied().filter(|words| !words.contains(&"--filter")).step_by(2).collect();
    for (name, text) in pack.files() {
        let all = if name.ends_with(".toml") { file_with(text, &|_| true).0 } else { format!("{text}\n{POISON}\n") };
        let line = format!("{text}\n{}= \"{POISON}\n", POISON.replace(['\n', '\r'], ""));
        for broken in [all, line] {
            laid(&desk, &pack.clone().with(name, &broken));
            told_all(&desk, &few);
        }
    }
}

#[test]
fn err_scripts_that_fail_with_such_texts_do_not_act() {
    let desk = Desk::new("terminal-scripts");
    let raw = POISON.replace(['\n', '\r'], "");
    let start = "on(\"turn.start\", { name = \"x\" }, function(ev)";
    let start_rhai = "on(\"turn.start\", #{ name: \"x\" }, |ev| {";
    let hooks = [
        ("lua", format!("{start} error(\"{raw}\") end)")),
        ("lua", format!("{start} say(\"{raw}\", {{ who = ev.bearer }}) end)")),
        ("lua", format!("{start} ev.bearer:pool(\"{raw}\") end)")),
        ("lua", format!("{start} local x = ev[\"{raw}\"] end)")),
        ("lua", format!("on(\"turn.start\", {{ name = \"{raw}\" }}, function(ev) end)")),
        ("lua", format!("on(\"{raw}\", {{ name = \"x\" }}, function(ev) end)")),
        ("lua", format!("-- {raw}\n{start} {raw} end)")),
        ("rhai", format!("{start_rhai} say(\"{raw}\"); }});")),
        ("rhai", format!("{start_rhai} ev.bearer.pool(\"{raw}\"); }});")),
        ("rhai", format!("{start_rhai} let x = \"{raw}\" - 1; }});")),
        ("rhai", format!("on(\"{raw}\", #{{ name: \"x\" }}, |ev| {{ }});")),
        ("rhai", format!("// {raw}\n{start_rhai} {raw} }});")),
    ];
    for (language, hook) in hooks {
        let pack = every_word().with(&format!("hooks/zz.{language}"), &hook);
        laid(&desk, &pack);
        for command in ["check", "test"] {
            told(&desk, &[command, "./bad"]);
        }
        told(&desk, &["play", "./bad/encounters/ford.toml", "--hooks", language]);
    }
}

#[test]
fn err_names_of_people_do_not_act() {
    let desk = Desk::new("terminal-names");
    let name = serde_json::to_string(POISON).unwrap().replace('\u{7f}', "\\u007f");
    let begun = name.trim_end_matches('"');
    let rename = |text: &str| {
        let quoted = text.replace("\"dent\"", &name).replace("\"dent.", &format!("{begun}."));
        quoted.replace("[who.dent]", &format!("[who.{name}]")).replace("given.dent", &format!("given.{name}"))
    };
    let pack = every_word();
    let changed = ["encounters/ford.toml", "scenarios/every_deed.toml"];
    let pack = changed.iter().fold(pack.clone(), |whole, file| whole.with(file, &rename(pack.file(file).unwrap())));
    laid(&desk, &pack);
    let told = told_all(&desk, &OF_A_PACK);
    assert!(told.contains("\\nforged: line"), "the name was told: {told}");
}

#[test]
fn err_what_is_typed_does_not_act() {
    let desk = Desk::new("terminal-typed");
    laid(&desk, &every_word());
    let dotted = format!("./{POISON}");
    let (answer, code) = (format!("{POISON}={POISON}"), format!("HR{POISON}"));
    let words: [&[&str]; 24] = [
        &[POISON],
        &["play", POISON],
        &["play", "sf1e/duel", "--seed", POISON],
        &["play", "sf1e/duel", "--tape", POISON],
        &["play", "sf1e/duel", "--lang", POISON],
        &["play", "sf1e/duel", "--hooks", POISON],
        &["play", "sf1e/duel", "--answer", POISON],
        &["play", "sf1e/duel", "--answer", &answer],
        &["play", &dotted],
        &["roll", POISON],
        &["roll", &format!("1d6[{}] + x", POISON)],
        &["roll", "1d6", "--times", POISON],
        &["check", POISON, &dotted],
        &["check", "sf1e", &format!("--{POISON}")],
        &["test", POISON],
        &["test", "./bad", "--filter", POISON],
        &["new", POISON, "--extends", "sf1e"],
        &["new", &format!("{POISON}/mine"), "--extends", "sf1e"],
        &["new", "mine2", "--extends", POISON],
        &["sheet", POISON],
        &["sheet", "sf1e/soldier", "--stat", POISON],
        &["explain", &code],
        &["explain", "stat", POISON, "--in", "sf1e/duel"],
        &["explain", "rule", POISON, "--in", "sf1e"],
    ];
    told_all(&desk, &words);
    told(&desk, &["check", "sf1e", "--packs", POISON]);
}

#[test]
fn err_names_of_files_and_of_the_program_do_not_act() {
    use std::os::unix::process::CommandExt as _;
    let desk = Desk::new("terminal-files");
    let folder = POISON.replace('/', "");
    every_word().files().for_each(|(name, text)| desk.put(&format!("{folder}/{name}"), text));
    for (name, text) in [
        (format!("{folder}.toml"), "[stat.wrong.part.x]\nvalue = \"nope\"\n"),
        (format!("hooks/{folder}.LUA"), ""),
        (format!("scenarios/{folder}.toml"), "about = \"x\"\n[[act]]\nafter = { \"x.y\" = 1 }\n"),
        (format!("scenarios/{folder}2.snap"), "x"),
    ] {
        desk.put(&format!("{folder}/{name}"), text);
    }
    laid(&desk, &every_word());
    let there = format!("./{folder}");
    told_all(&desk, &[&["check", &there], &["test", &there], &["play", &format!("{there}/encounters/ford.toml")]]);
    std::fs::remove_file(desk.0.join(&folder).join(format!("{folder}.toml"))).unwrap();
    told_all(&desk, &[&["check", &there, "--limits"], &["test", &there], &["test", &there, "--accept"]]);
    for arguments in [&["--help"][..], &["play"], &["--version"], &["play", "x", "--nothing"]] {
        let mut program = program(&desk.0);
        program.arg0(POISON).args(arguments).env("HOUSERULE", POISON).env("COLUMNS", POISON);
        assert_eq!(harm(&in_terminal(program), true), None, "{arguments:?}");
    }
}

#[test]
fn err_long_lines_and_many_problems_are_bounded() {
    let desk = Desk::new("terminal-long");
    let long = "x".repeat(200_000);
    let pack = every_word().with(
        "text/en.toml",
        &every_word().file("text/en.toml").unwrap().replace(" = \"", &format!(" = \"{}", &long[..3_000])),
    );
    laid(&desk, &pack);
    told_all(&desk, &[&["test", "./bad"], &["play", "./bad/encounters/ford.toml"]]);
    let one_line = format!("a = [{}]", "\"\\q\", ".repeat(36_000));
    laid(&desk, &every_word().with("more.toml", &one_line).with("long.toml", &format!("[stat.{long}]\n{long} = 1\n")));
    let sent = told(&desk, &["check", "./bad"]);
    assert!(sent.lines().all(|line| line.chars().count() <= 4_200) && sent.len() < 1_000_000, "{}", sent.len());
}

#[test]
fn the_eye_sees_what_it_must_and_own_colours_pass() {
    for sign in POISON.chars().filter(|sign| !sign.is_ascii_graphic() && !matches!(sign, '\n' | ' ' | '\u{301}')) {
        assert!(harm(&format!("a{sign}b"), true).is_some(), "{sign:?}");
    }
    assert!(harm("a\u{1b}[35;5;7mb", true).is_some() && harm("\u{1b}[31ma\u{1b}[0m\n", false).is_some());
    assert!(harm("x\nforged: line", true).is_some());
    assert_eq!(harm("\u{1b}[31mfailed\u{1b}[0m a \\u{1b}\\nforged\n", true), None);
}

#[test]
fn colours_of_our_own_reach_a_terminal() {
    let desk = Desk::new("terminal-colours");
    laid(&desk, &every_word());
    let mut program = program(&desk.0);
    program.args(["test", "./bad"]);
    assert!(in_terminal(program).contains("\u{1b}[33mnew\u{1b}[0m every_deed"));
}
