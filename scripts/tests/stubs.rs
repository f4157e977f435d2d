//! The stubs and the reference page are those of the list of words; `HOUSERULE_BLESS=1` writes them anew.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use houserule_scripts::api::words;
use houserule_scripts::stubs;
use std::path::Path;

#[test]
fn what_is_committed_is_what_the_list_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = [
        (root.join("stubs/houserule.d.lua"), stubs::lua()),
        (root.join("stubs/houserule.d.rhai"), stubs::rhai()),
        (root.join("../docs/SCRIPT-API.md"), stubs::reference()),
    ];
    for (path, text) in files {
        if std::env::var_os("HOUSERULE_BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == text, "{} has drifted; run the test with HOUSERULE_BLESS=1", path.display());
    }
}

#[test]
fn no_two_words_of_one_kind_have_one_name_and_each_says_what_it_does() {
    let mut known = std::collections::BTreeSet::new();
    for word in words() {
        assert!(known.insert((word.of, word.name)), "{} is there twice", word.name);
        assert!(word.doc.ends_with('.') && word.doc.starts_with(char::is_uppercase), "{}", word.doc);
        let mut needed = word.takes.iter().map(|arg| arg.needed);
        assert!(!needed.by_ref().skip_while(|needed| *needed).any(|needed| needed), "{} has a gap", word.name);
    }
}
