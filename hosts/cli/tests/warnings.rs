//! What `check` warns of before a pack is trusted: what was passed over, and what cannot be seen.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

mod common;

use common::Desk;
use std::os::unix::fs::symlink;

const MANIFEST: &str = "id = \"odd\"\nversion = \"1\"\ntitle = \"T\"\n";

/// What a check of a pack of these files says, with links beside them.
fn checked(name: &str, files: &[(&str, &str)], links: &[&str]) -> String {
    let desk = Desk::new(name);
    desk.put("odd/pack.toml", MANIFEST);
    files.iter().for_each(|(file, text)| desk.put(&format!("odd/{file}"), text));
    links.iter().for_each(|link| symlink("/dev/zero", desk.0.join("odd").join(link)).unwrap());
    desk.told_inside(&["check", "./odd", "--format", "json"])
}

#[test]
fn what_is_passed_over_and_what_cannot_be_seen_are_warned_of_with_their_place() {
    let hook = "on(\"turn.delayed\", { name = \"a\" }, function(ev)\n\tlocal a = \"x\u{202e}\"\nend)\n";
    let told =
        checked("warnings", &[("hooks/a.lua", hook), ("text/en.toml", "\"a.b\" = \"x\u{2066}y\"\n")], &["z.toml"]);
    for part in [
        "HR0139",
        "`z.toml` is a link",
        "HR0138",
        "U+202E",
        "\"file\":\"odd/hooks/a.lua\"",
        "\"line\":2",
        "U+2066",
        "\"warnings\":3",
        "exit 0",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn a_pack_of_plain_files_is_warned_of_nothing() {
    let hook =
        "on(\"turn.delayed\", { name = \"a\" }, function(ev)\n\tlocal a = \"x\" -- Zo\u{eb} \u{2694}\u{fe0f}\nend)\n";
    let text = "\"a.b\" = \"\u{5e9}\u{5dc}\u{5d5}\u{5dd}\u{200f}!\"\n";
    let told = checked("warnings-none", &[("hooks/a.lua", hook), ("text/en.toml", text)], &[]);
    assert!(told.contains("\"warnings\":0") && told.ends_with("exit 0"), "{told}");
}

#[test]
fn err_a_file_of_many_findings_tells_fifty_and_counts_the_rest() {
    let many = format!("[stat.a]\nabout = \"{}\"\n", "\u{200b}".repeat(300));
    let told = checked("warnings-many", &[("a.toml", &many)], &[]);
    assert_eq!(told.matches("HR0138").count(), 50);
    assert!(told.contains("this file has 250 more problems") && told.contains("\"warnings\":51"), "{told}");
    let links: Vec<String> = (0..60).map(|at| format!("l{at}")).collect();
    let told = checked("warnings-links", &[], &links.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(told.matches("HR0139").count(), 50);
    assert!(told.contains("this file has 10 more problems"), "{told}");
}
