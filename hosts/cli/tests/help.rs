//! The help is true: every example that it gives is run.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use common::{Desk, run, run_in};

const COMMANDS: [&str; 8] = ["", "play", "roll", "check", "test", "new", "sheet", "explain"];

/// The examples in the help of a command, as they are typed.
fn examples(command: &str) -> Vec<String> {
    let words: Vec<&str> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
    let help = String::from_utf8(run(&words, "").stdout).unwrap();
    let lines = help.lines().filter_map(|line| line.strip_prefix("  houserule "));
    lines.map(|line| line.split("  ").next().unwrap_or(line).trim().to_owned()).collect()
}

/// Words as a shell parts them: what stands in quotes is one.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let split = |(at, part): (usize, &str)| match at % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    };
    parts.flat_map(split).collect()
}

/// All that the examples speak of.
fn laid_out(name: &str) -> Desk {
    let desk = Desk::new(name);
    for pack in ["mine", "yours"] {
        desk.told(&["new", &desk.path(pack), "--extends", "sf1e"]);
    }
    let story = desk.read("mine/scenarios/nineteen.toml");
    desk.put("mine/scenarios/grapple.toml", &story);
    desk.told(&["test", &desk.path("mine"), "--accept"]);
    let shipped = houserule::shipped::pack("sf1e").unwrap();
    desk.put("fights/mine.toml", shipped.file("encounters/duel.toml").unwrap());
    desk.put("theirs/pack.toml", "id = \"theirs\"\nversion = \"1\"\ntitle = \"Theirs\"\nextends = [\"sf1e\"]\n");
    desk.put("people/rook.toml", shipped.file("sheets/soldier.toml").unwrap());
    let faces: String = (1..400).map(|number| format!("{} ", number % 4 + 1)).collect();
    desk.put("dice.txt", &faces);
    desk
}

#[test]
fn every_example_of_the_help_does_what_it_says() {
    let desk = laid_out("examples");
    let mut count = 0;
    for command in COMMANDS {
        for example in examples(command) {
            let typed = words(&example);
            let empty = example.starts_with("new ").then(|| Desk::new(&format!("examples-{count}")));
            let folder = empty.as_ref().map_or(&desk.0, |empty| &empty.0);
            let output = run_in(folder, &typed.iter().map(String::as_str).collect::<Vec<_>>(), "");
            let told = String::from_utf8_lossy(&output.stdout).into_owned() + &*String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "houserule {example}\n{told}");
            assert!(!told.trim().is_empty(), "houserule {example} says nothing");
            count += 1;
        }
    }
    assert!(count > 30, "only {count} examples were found");
}

#[test]
fn err_an_example_that_is_false_would_be_found() {
    let desk = Desk::new("false");
    for wrong in ["play srd35/ambush", "sheet sf1e/soldier --stat kac.flat_footed", "roll '2d6 + D20'"] {
        let typed = words(wrong);
        let output = run_in(&desk.0, &typed.iter().map(String::as_str).collect::<Vec<_>>(), "");
        assert_eq!(output.status.code(), Some(1), "{wrong}");
    }
}
