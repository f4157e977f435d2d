//! Each hostile hook is the only hook of the arena, and the arena's scenarios are played at the command line.

use crate::case::{Ends, codes, header, home, pairs};
use crate::common::Desk;
use crate::process::{Ran, run};
use crate::report::{Judged, head, judge};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const COMMAND: [&str; 4] = ["test", "./arena", "--format", "json"];

/// A hook, or its control, played twice: each time in a fresh process.
struct Played {
    /// The first time keeps what is told, and the second is held against that.
    runs: [Ran; 2],
    /// The hook's file as messages name it.
    file: String,
}

#[test]
fn hostile_hooks_end_in_a_named_error_and_leave_nothing_behind() {
    let mut wrong = Vec::new();
    let cases: Vec<(String, String)> = pairs(&home().join("hooks"), &mut wrong).into_iter().collect();
    let base: BTreeMap<&str, u64> = ["lua", "rhai"].map(|language| (language, memory_of_nothing(language))).into();
    judge(&crate::in_parallel(&cases, |(attack, control)| tried(attack, control, &base)), wrong);
}

/// What the command holds with an empty hook.
fn memory_of_nothing(language: &str) -> u64 {
    let played = played(&home().join(format!("arena/empty.{language}")));
    assert_eq!(played.runs[1].code, Some(0), "{}{}", played.runs[1].out, played.runs[1].err);
    played.runs.iter().map(|ran| ran.memory).max().unwrap()
}

fn tried(attack: &str, control: &str, base: &BTreeMap<&str, u64>) -> Judged {
    let (name, language) = attack.rsplit_once('.').unwrap();
    let hooks = home().join("hooks");
    let (tried, honest) = (played(&hooks.join(attack)), played(&hooks.join(control)));
    let mut judged = Judged::new(name, language, &[&tried.runs[0], &tried.runs[1]], base[language]);
    let text = std::fs::read_to_string(hooks.join(attack)).unwrap();
    match header(&text).and_then(|ends| Ends::read(ends, &codes())) {
        None => judged.wrong.push("its first line is no `ends: …` with codes that exist".to_owned()),
        Some(ends) if tried.runs[1].code == Some(0) && ends.done => passed(&tried, "it", &mut judged),
        Some(ends) if scenarios(&tried.runs[1]).is_none() => refused(&tried, &ends.load, &mut judged),
        Some(ends) => stopped(&tried, &ends.play, &mut judged),
    }
    passed(&honest, "its control", &mut judged);
    judged
}

/// Lays out the arena with one hook and plays it twice.
fn played(hook: &Path) -> Played {
    let name = hook.file_name().unwrap().to_str().unwrap();
    let desk = Desk::new(&format!("hostile-{name}"));
    let folder = desk.0.join("work");
    copy(&home().join("arena"), &folder.join("arena"));
    desk.put(&format!("work/arena/hooks/{name}"), &std::fs::read_to_string(hook).unwrap());
    let again = [&COMMAND[..], &["--accept"]].concat();
    Played { runs: [run(&folder, &again), run(&folder, &COMMAND)], file: format!("arena/hooks/{name}") }
}

/// Copies a folder, but for the empty hooks at its top.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else if !name.to_str().unwrap().starts_with("empty.") {
            std::fs::copy(path, to.join(name)).unwrap();
        }
    }
}

/// The pack loads, every scenario comes out as it says, and the second process tells what the first did.
fn passed(played: &Played, who: &str, judged: &mut Judged) {
    let told = |ran: &Ran| {
        scenarios(ran)
            .map(|all| all.into_values().map(|one| (one["told"].clone(), one["digests"].clone())).collect::<Vec<_>>())
    };
    let [first, second] = &played.runs;
    judged.must(second.code == Some(0), || format!("{who} does not pass: {} {}", head(&second.out), head(&second.err)));
    judged.must(told(first) == told(second), || format!("{who} does not do the same in two processes"));
    judged.must(remembers_nothing(second), || format!("{who} does not do the same twice in one guest"));
}

/// The pack is not loaded, for these reasons alone, which are told with their places.
fn refused(played: &Played, codes: &[String], judged: &mut Judged) {
    for ran in &played.runs {
        let found: Vec<Value> = ran.err.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let fits = |one: &Value| {
            one["file"] == *played.file
                && one["line"].as_u64() > Some(0)
                && codes.iter().any(|code| one["code"] == **code)
        };
        let shown = || format!("it is not refused with {codes:?} alone: {} {}", head(&ran.out), head(&ran.err));
        judged.must(!found.is_empty() && found.iter().all(fits) && ran.code == Some(1), shown);
    }
    judged.must(played.runs[0].err == played.runs[1].err, || "it is not refused with the same words twice".to_owned());
}

/// The hook is stopped, with file and line; the table is as if nothing had been tried, and plays on.
fn stopped(played: &Played, codes: &[String], judged: &mut Judged) {
    let [first, second] = &played.runs;
    judged.must(first.err == second.err && failures(first) == failures(second), || {
        format!("it does not end with the same words in two processes: {:?} {:?}", failures(first), failures(second))
    });
    let scenarios = scenarios(second).unwrap_or_default();
    for name in ["go", "again"] {
        let failures: Vec<&str> =
            scenarios[name]["failures"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let named = |told: &str| codes.iter().any(|code| told.contains(&format!("[{code}]")));
        let placed = |told: &str| told.contains(&format!("in {}:", played.file));
        judged.must(matches!(failures[..], [one] if named(one) && placed(one)), || {
            format!("it does not end with one of {codes:?} in its file: {}", head(&failures.join("; ")))
        });
        let (digests, told) = (&scenarios[name]["digests"], &scenarios[name]["told"]);
        let still = &scenarios["still"];
        judged
            .must(*digests == still["digests"] && *told == still["told"], || "it left a trace at the table".to_owned());
    }
}

/// Whether a second table in the same guest saw just what the first did.
fn remembers_nothing(ran: &Ran) -> bool {
    scenarios(ran)
        .is_some_and(|all| all["go"]["told"] == all["again"]["told"] && all["go"]["digests"] == all["again"]["digests"])
}

fn failures(ran: &Ran) -> Option<Vec<Value>> {
    Some(scenarios(ran)?.into_values().map(|one| one["failures"].clone()).collect())
}

/// What is told of each scenario, by name.
fn scenarios(ran: &Ran) -> Option<BTreeMap<String, Value>> {
    let told: Value = serde_json::from_str(&ran.out).ok()?;
    let named = |one: &Value| Some((one["name"].as_str()?.to_owned(), one.clone()));
    told["scenarios"].as_array()?.iter().map(named).collect()
}
