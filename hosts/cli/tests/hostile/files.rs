//! Folders of hostile files, each with the command that reads them.

use crate::case::{Ends, codes, home, names_in, pairs};
use crate::common::Desk;
use crate::hooks::copy;
use crate::process::{Ran, run};
use crate::report::{Judged, head, judge};

#[test]
fn hostile_packs_end_in_a_named_error() {
    try_all("packs", Some("check\n./pack\n"));
}

#[test]
fn hostile_files_end_in_a_named_error() {
    try_all("files", None);
}

#[test]
fn every_file_belongs_to_a_case() {
    let known = ["README.md", "arena", "files", "hooks", "packs"];
    assert_eq!(names_in(&home()), known.map(str::to_owned).into());
}

/// Every case of a folder, with the command that it names, or with one for all.
fn try_all(folder: &str, command: Option<&str>) {
    let mut wrong = Vec::new();
    let cases: Vec<(String, String)> = pairs(&home().join(folder), &mut wrong).into_iter().collect();
    judge(&crate::in_parallel(&cases, |(attack, control)| tried(folder, attack, control, command)), wrong);
}

fn tried(folder: &str, attack: &str, control: &str, command: Option<&str>) -> Judged {
    let hostile = ran(folder, attack, command);
    let honest = ran(folder, control, command);
    let mut judged = Judged::new(attack, folder, &[&hostile], honest.memory);
    judged.must(honest.code == Some(0), || {
        format!("its control does not pass: {} {}", head(&honest.out), head(&honest.err))
    });
    judged.must(hostile.out.chars().chain(hostile.err.chars()).all(is_harmless), || {
        format!("what it says reaches the terminal raw: {:?}", head(&format!("{}{}", hostile.out, hostile.err)))
    });
    let ends = std::fs::read_to_string(home().join(folder).join(attack).join("ends")).unwrap_or_default();
    match Ends::read(&ends, &codes()) {
        None => judged.wrong.push("its file `ends` is no `done` and no code that exists".to_owned()),
        Some(ends) if ends.done && hostile.code == Some(0) => {}
        Some(ends) => {
            let told = format!("{}{}", hostile.err, hostile.out);
            let named = ends.load.iter().chain(&ends.play).any(|code| told.contains(code.as_str()));
            judged.must(hostile.code == Some(1) && named, || format!("it does not end as {ends:?}: {}", head(&told)));
        }
    }
    judged
}

/// Whether a terminal shows a character and does nothing else with it.
fn is_harmless(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c == '\n' || !(c.is_control() || turns)
}

/// Copies the folder and runs the command there; `ends` and `command` are no files of the case.
fn ran(folder: &str, name: &str, command: Option<&str>) -> Ran {
    let home = home().join(folder).join(name);
    let desk = Desk::new(&format!("hostile-{folder}-{name}"));
    let work = desk.0.join("work");
    let into = if command.is_some() { work.join("pack") } else { work.clone() };
    copy(&home, &into);
    let own = std::fs::read_to_string(home.join("command")).ok();
    let command = own.as_deref().or(command).unwrap_or_else(|| panic!("{name}: a file `command` says what is run"));
    for kept in names_in(&into).iter().filter(|name| ["ends", "command"].contains(&name.as_str())) {
        std::fs::remove_file(into.join(kept)).unwrap();
    }
    run(&work, &command.lines().collect::<Vec<_>>())
}
