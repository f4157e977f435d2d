//! The heaviest scripts within the caps are read or refused in a process of their own, within 256 MiB.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

use houserule::loader::pack::limits::{MOST_BYTES_IN_FILE, MOST_BYTES_OF_SCRIPTS};
use houserule::{Pack, load_with};
use std::collections::BTreeSet;
use std::process::Command;

/// The most memory, in KiB, that a process may have used to read packs.
const MOST_KIB: u64 = 256 * 1024;
/// Names the case that a child process reads.
const CASE: &str = "HOUSERULE_HEAVY_SCRIPT";

/// The most words of a file in Lua, less what stands around what is repeated.
const MOST_WORDS: usize = 39_990;

/// Name, ending, what a file begins with, what is repeated (`N` is a number), what it ends with, and how many words of
/// Lua are repeated: those are kept below the most that a file has; none goes as far as the bytes of a file.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str, usize);

const CASES: &[Case] = &[
    ("lua_nothing", "lua", "", "", "", 0),
    ("lua_lines", "lua", "", "\n", "", 0),
    ("lua_blanks_and_lines", "lua", "", " \n", "", 0),
    ("lua_remarks", "lua", "", "--\n", "", 0),
    ("lua_semicolons", "lua", "", ";", "", 0),
    ("lua_list", "lua", "local a={", "1,", "}", 2),
    ("lua_list_of_lists", "lua", "local a={", "{},", "}", 3),
    ("lua_calls", "lua", "f", "{}", "", 0),
    ("lua_calls_of_texts", "lua", "f", "''", "", 0),
    ("lua_many_words", "lua", "local function f(a) ", "a=1;", " end", 0),
    ("lua_statements", "lua", "local function f(a) ", "a=1;", " end", 4),
    ("lua_assignments", "lua", "local function f(a) ", "a=a ", " end", 3),
    ("lua_fields", "lua", "local function f(a) return a", ".b", " end", 0),
    ("lua_methods", "lua", "local function f(a) return a", ":b''", " end", 0),
    ("lua_functions", "lua", "", "local function f()end ", "", 6),
    ("lua_globals", "lua", "", "function fN()end ", "", 6),
    ("lua_closures", "lua", "local function f(a) a(", "function()end,", "1) end", 5),
    ("lua_sums", "lua", "local a=1", "+1", "", 0),
    ("lua_powers", "lua", "local a=1", "^1", "", 0),
    ("lua_nots", "lua", "local a=", "-", "1", 0),
    ("lua_targets", "lua", "local function f(a) a", ",a", "=1 end", 2),
    ("lua_branches", "lua", "local function f(a) if a then ", "elseif a then ", " end end", 0),
    ("lua_types", "lua", "type a=1", "|1", "", 0),
    ("lua_unknown", "lua", "local function f() ", "x() ", " end", 3),
    ("lua_wrong", "lua", "", "= ", "", 1),
    ("lua_wrong_ends", "lua", "", "end ", "", 1),
    ("lua_no_words", "lua", "", "@", "", 0),
    ("lua_hooks", "lua", "", "on('turn.delayed',{name='aN'},function()end)\n", "", 16),
    ("lua_texts", "lua", "local a={", "'N',", "}", 2),
    ("lua_interpolated", "lua", "local function f(a) return `", "{a}", "` end", 0),
    ("rhai_nothing", "rhai", "", "", "", 0),
    ("rhai_lines", "rhai", "", "\n", "", 0),
    ("rhai_semicolons", "rhai", "", ";", "", 0),
    ("rhai_numbers", "rhai", "fn f(){", "1;", "}", 0),
    ("rhai_list", "rhai", "const A=[", "1,", "];", 0),
    ("rhai_list_of_lists", "rhai", "const A=[", "[],", "];", 0),
    ("rhai_maps", "rhai", "const A=[", "#{},", "];", 0),
    ("rhai_map", "rhai", "const A=#{", "aN:1,", "};", 0),
    ("rhai_calls", "rhai", "fn f(a){", "f(a);", "}", 0),
    ("rhai_assignments", "rhai", "fn f(a){", "a=1;", "}", 0),
    ("rhai_fields", "rhai", "fn f(a){", "a.b.b;", "}", 0),
    ("rhai_functions", "rhai", "", "fn fN(){}", "", 0),
    ("rhai_blocks", "rhai", "fn f(){", "{}", "}", 0),
    ("rhai_closures", "rhai", "fn f(){", "||1;", "}", 0),
    ("rhai_sums", "rhai", "const A=1", "+1", ";", 0),
    ("rhai_or", "rhai", "fn f(a){a", "||a", "}", 0),
    ("rhai_interpolated", "rhai", "fn f(a){`", "${a}", "`}", 0),
    ("rhai_wrong", "rhai", "", "= ", "", 0),
    ("rhai_switch", "rhai", "fn f(a){switch a{", "N=>1,", "}}", 0),
    ("rhai_hooks", "rhai", "", "on(\"turn.delayed\",#{name:\"aN\"},|e|{});\n", "", 0),
    ("rhai_lets", "rhai", "fn f(){", "let aN=1;", "}", 0),
];

/// A script of a case, as long as a file may be.
fn script((_, _, head, part, tail, words): &Case, number: &mut usize) -> String {
    let (mut text, first) = ((*head).to_owned(), *number);
    let most = MOST_WORDS.checked_div(*words).unwrap_or(usize::MAX);
    while *number - first < most && !part.is_empty() && text.len() + part.len() + tail.len() + 6 < MOST_BYTES_IN_FILE {
        text += &part.replace('N', &number.to_string());
        *number += 1;
    }
    text + *tail
}

/// As many such files as the scripts of a language may have.
fn pack(case: &Case) -> Pack {
    let manifest = "id = \"home\"\nversion = \"1\"\ntitle = \"T\"\n";
    let (mut pack, mut number) = (Pack::new().with("pack.toml", manifest), 0);
    for file in 0..MOST_BYTES_OF_SCRIPTS / MOST_BYTES_IN_FILE {
        pack = pack.with(&format!("hooks/f{file}.{}", case.1), &script(case, &mut number));
    }
    pack
}

#[test]
fn a_case_in_a_process_of_its_own() {
    let Ok(name) = std::env::var(CASE) else { return };
    let pack = pack(CASES.iter().find(|(known, ..)| *known == name).unwrap());
    let read = load_with(vec![pack], &[], &houserule_scripts::languages());
    let told = read.as_ref().err().map(|report| report.problems.clone()).unwrap_or_default();
    assert!(told.len() <= 1_000 && told.iter().all(|one| one.line > 0 && one.file.starts_with("home/")));
    let codes: BTreeSet<&str> = told.iter().map(|one| one.code.as_str()).collect();
    let first = told.first().map(|one| one.to_string().chars().take(150).collect::<String>()).unwrap_or_default();
    println!("HEAVY {} {codes:?} {} {first}", peak(), told.len());
}

/// The most memory of this process, in KiB.
fn peak() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn every_heavy_script_is_read_or_refused_within_its_memory() {
    let program = std::env::current_exe().unwrap();
    let mut failed = Vec::new();
    for (name, ..) in CASES {
        let mut child = Command::new(&program);
        child.args(["--exact", "a_case_in_a_process_of_its_own", "--nocapture"]).env(CASE, name);
        let output = child.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find_map(|line| line.split("HEAVY ").nth(1));
        println!("{name}: {}", line.unwrap_or("ended by itself"));
        let peak = line.map(|line| line.split(' ').next().unwrap().parse::<u64>().unwrap());
        if peak.is_none_or(|peak| peak > MOST_KIB) {
            failed.push(*name);
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
