//! The laws of the house: rooms in one order, no game words, nothing unsafe.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
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

/// The rooms that a text names by `crate::`.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let word = |rest: &'_ str| rest.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(rest.len());
    text.split("crate::").skip(1).map(move |rest| rest.get(..word(rest)).unwrap())
}

#[test]
fn a_room_uses_only_rooms_before_it() {
    let order = list("rooms.txt");
    let place = |room: &str| order.iter().position(|one| one == room);
    for (file, text) in sources("kernel/src").iter().filter(|(file, _)| file != "lib.rs") {
        let room = file.split('/').next().unwrap().trim_end_matches(".rs");
        let here = place(room).unwrap_or_else(|| panic!("`{room}` has no place in tests/rooms.txt"));
        assert!(!text.contains("crate::{"), "{file}: name rooms one by one");
        for other in named(text) {
            let there = place(other).unwrap_or_else(|| panic!("{file} uses `{other}`, which is no room"));
            assert!(there <= here, "`{room}` uses `{other}`, which comes later ({file})");
        }
    }
}

#[test]
fn every_room_has_one_place() {
    let mut rooms = list("rooms.txt");
    rooms.sort_unstable();
    let there = |room: &&String| {
        root().join(format!("kernel/src/{room}.rs")).exists() || root().join(format!("kernel/src/{room}")).is_dir()
    };
    assert!(rooms.is_sorted_by(|one, other| one < other), "a room stands twice");
    assert_eq!(rooms.iter().filter(|room| !there(room)).collect::<Vec<_>>(), [] as [&String; 0]);
}

#[test]
fn the_kernel_and_the_scripts_know_no_game() {
    let words = list("game-words.txt");
    assert!(words.len() >= 40 && words.iter().all(|word| !word.is_empty() && *word == word.to_lowercase()));
    let mut found = Vec::new();
    for folder in ["kernel/src", "scripts/src"] {
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
fn nothing_in_the_kernel_is_unsafe_and_no_room_is_too_large() {
    for (file, text) in sources("kernel/src") {
        assert!(!stands_alone(&text.replace("unsafe_code", ""), "unsafe"), "{file}");
        assert!(text.lines().count() <= 700, "{file} has more than 700 lines");
    }
}

#[test]
fn every_room_opens_with_its_purpose() {
    for (file, _) in sources("kernel/src") {
        let text = fs::read_to_string(root().join("kernel/src").join(&file)).unwrap();
        assert!(text.starts_with("//! "), "{file}");
    }
}

#[test]
fn the_kernel_speaks_every_language_of_its_own_whole() {
    let read = |language: &str| {
        let text = std::fs::read_to_string(format!("{}/text/{language}.toml", env!("CARGO_MANIFEST_DIR"))).unwrap();
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
