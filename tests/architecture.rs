//! The architecture of the crates: modules in one order, no game words, nothing unsafe.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const CRATES: [&str; 3] = ["kernel/dice/src", "kernel/src", "loader/src"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The modules of a crate in their order, by `tests/modules.txt`: the folder of a
/// crate stands at the margin, its modules below it.
fn modules(krate: &str) -> Vec<String> {
    let lines = list("modules.txt");
    let own = lines.iter().skip_while(|line| *line != krate).skip(1).take_while(|line| line.starts_with(' '));
    own.map(|line| line.trim().to_owned()).collect()
}

fn list(name: &str) -> Vec<String> {
    fs::read_to_string(root().join("tests").join(name)).unwrap().lines().map(str::to_owned).collect()
}

/// Every source file below a folder, with its path inside it, its text freed of
/// comments and tests.
fn sources(folder: &str) -> Vec<(String, String)> {
    let top = root().join(folder);
    let (mut folders, mut found) = (vec![top.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(&top).unwrap().to_string_lossy().replace('\\', "/");
            match path.is_dir() {
                true => folders.push(path),
                false if name.ends_with(".rs") && !name.ends_with("tests.rs") => found.push((name, code(&path))),
                false => {}
            }
        }
    }
    found.sort();
    found
}

/// The code of a file: tests stand last, and a comment goes on to the end of
/// its line.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let bare = |line: &str| {
        if line.trim_start().starts_with("//") { String::new() } else { line.split(" // ").next().unwrap().to_owned() }
    };
    code.lines().map(bare).collect::<Vec<_>>().join("\n")
}

/// The modules that a text names by `crate::`.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let word = |rest: &'_ str| rest.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(rest.len());
    text.split("crate::").skip(1).map(move |rest| rest.get(..word(rest)).unwrap())
}

#[test]
fn a_module_uses_only_modules_before_it() {
    for krate in CRATES {
        let order = modules(krate);
        let below = CRATES.iter().take_while(|one| **one != krate).flat_map(|one| modules(one)).collect::<Vec<_>>();
        let place = |module: &str| order.iter().position(|one| one == module);
        for (file, text) in sources(krate).iter().filter(|(file, _)| file != "lib.rs") {
            let module = file.split('/').next().unwrap().trim_end_matches(".rs");
            let here = place(module).unwrap_or_else(|| panic!("`{module}` has no place in tests/modules.txt"));
            assert!(!text.contains("crate::{"), "{file}: name modules one by one");
            for other in named(text).filter(|other| !below.iter().any(|one| one == other)) {
                let there = place(other).unwrap_or_else(|| panic!("{file} uses `{other}`, which is no module"));
                assert!(there <= here, "`{module}` uses `{other}`, which comes later ({file})");
            }
        }
    }
}

#[test]
fn every_module_has_one_place() {
    for krate in CRATES {
        let mut modules = modules(krate);
        modules.sort_unstable();
        let there = |module: &&String| {
            root().join(format!("{krate}/{module}.rs")).exists() || root().join(format!("{krate}/{module}")).is_dir()
        };
        assert!(modules.len() >= 3 && modules.is_sorted_by(|one, other| one < other), "a module stands twice");
        assert_eq!(modules.iter().filter(|module| !there(module)).collect::<Vec<_>>(), [] as [&String; 0]);
    }
}

/// Every name of a struct, enum, trait or alias means one thing in the workspace.
#[test]
fn no_type_name_stands_for_two_things() {
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for folder in ["kernel/dice/src", "kernel/src", "loader/src", "scripts/src", "src", "hosts/cli/src"] {
        for (file, text) in sources(folder) {
            for name in text.lines().filter_map(defined) {
                // one file may define a type in two ways, by platform
                places.entry(name.to_owned()).or_default().insert(format!("{folder}/{file}"));
            }
        }
    }
    assert!(places.len() > 400, "only {} types were found", places.len());
    let twice: Vec<_> = places.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:#?}");
    for free in ["Command", "Event", "View", "Session"] {
        assert!(!places.contains_key(free), "`{free}` is kept for the protocol");
    }
}

/// The type that a line defines. An associated type, which is indented, is none.
fn defined(line: &str) -> Option<&str> {
    let bare = line.trim_start();
    let public = bare.strip_prefix("pub").map(|rest| match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(')').map_or("", |(_, rest)| rest),
        None => rest,
    });
    let (kind, rest) = public.unwrap_or(bare).trim_start().split_once(' ')?;
    let kinds =
        if bare.len() == line.len() { &["struct", "enum", "trait", "union", "type"][..] } else { &["struct", "enum"] };
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let name = rest.get(..end)?;
    (kinds.contains(&kind) && name.starts_with(char::is_uppercase)).then_some(name)
}

#[test]
fn the_kernel_and_the_scripts_know_no_game() {
    let words = list("game-words.txt");
    assert!(words.len() >= 40 && words.iter().all(|word| !word.is_empty() && *word == word.to_lowercase()));
    let mut found = Vec::new();
    for folder in ["kernel/dice/src", "kernel/src", "loader/src", "scripts/src"] {
        for (file, text) in sources(folder) {
            let text = text.to_lowercase();
            found.extend(
                words.iter().filter(|word| stands_alone(&text, word)).map(|word| format!("{folder}/{file}: {word}")),
            );
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

fn stands_alone(text: &str, word: &str) -> bool {
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (text.get(..at).unwrap(), text.get(at + word.len()..).unwrap());
        !letter(before.chars().next_back()) && !letter(after.chars().next())
    })
}

#[test]
fn nothing_is_unsafe_and_no_module_is_too_large() {
    for (file, text) in CRATES.iter().flat_map(|krate| sources(krate)) {
        assert!(!stands_alone(&text.replace("unsafe_code", ""), "unsafe"), "{file}");
        assert!(text.lines().count() <= 700, "{file} has more than 700 lines");
    }
}

#[test]
fn every_module_opens_with_its_purpose() {
    for krate in CRATES {
        for (file, _) in sources(krate) {
            let text = fs::read_to_string(root().join(krate).join(&file)).unwrap();
            assert!(text.starts_with("//! "), "{file}");
        }
    }
}

#[test]
fn the_kernel_speaks_every_language_of_its_own_whole() {
    let read = |language: &str| {
        let text = fs::read_to_string(root().join(format!("loader/text/{language}.toml"))).unwrap();
        let table: toml::Table = text.parse().unwrap();
        let arguments = |text: &toml::Value| {
            let text = text.as_str().unwrap().to_owned();
            let names = text.split('{').skip(1).map(|rest| rest.split(['}', '|']).next().unwrap().to_owned());
            names.collect::<std::collections::BTreeSet<_>>()
        };
        table.iter().map(|(key, text)| (key.clone(), arguments(text))).collect::<std::collections::BTreeMap<_, _>>()
    };
    assert_eq!(read("en"), read("id"));
}
