//! What the shipped packs say that they cover is true, and their pages are written from it.

#![allow(clippy::panic, reason = "tests may panic")]

use houserule::coverage::{Coverage, PAGE};
use houserule::shipped;
use std::path::Path;

#[test]
fn every_page_of_coverage_is_what_its_pack_says() {
    for id in shipped::ids() {
        let pack = shipped::pack(id).expect("a shipped pack");
        let coverage = Coverage::read(&pack).unwrap_or_else(|problems| {
            panic!("{}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
        });
        let Some(coverage) = coverage else { continue };
        let page = coverage.page(id);
        if std::env::var_os("HOUSERULE_BLESS").is_some() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets").join(id).join(PAGE);
            std::fs::write(path, &page).expect("the page is written");
        } else {
            let there = pack.file(PAGE).unwrap_or_default();
            assert!(there == page, "rulesets/{id}/{PAGE} is not what coverage.toml says; run with HOUSERULE_BLESS=1");
        }
    }
}
