//! What the tests share: a pack from one text, and what is wrong with it.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test program uses a part, and tests may panic")]

use houserule_kernel::ruleset::Ruleset;
use houserule_loader::{Pack, load};
use std::sync::Arc;

const MANIFEST: &str = "id = \"home\"\nversion = \"1\"\ntitle = \"Home\"\n";

/// A pack with these rules and the words `no`, `why` and `ask`.
pub fn pack(rules: &str) -> Pack {
    let words = "no = \"no\"\nwhy = \"why\"\nask = \"do you?\"\n";
    Pack::new().with("pack.toml", MANIFEST).with("rules.toml", rules).with("text/en.toml", words)
}

pub fn rules(text: &str) -> Arc<Ruleset> {
    load(&[pack(text)], &[]).unwrap_or_else(|report| panic!("{report}"))
}

/// Everything that is wrong with these rules.
pub fn wrong(text: &str) -> String {
    load(&[pack(text)], &[]).unwrap_err().to_string()
}

/// Everything that is wrong with a pack of these files.
pub fn wrong_files(files: &[(&str, &str)]) -> String {
    let pack = files.iter().fold(pack(""), |pack, (name, text)| pack.with(name, text));
    load(&[pack], &[]).unwrap_err().to_string()
}
