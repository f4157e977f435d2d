//! The hooks of the shipped packs declare the same in both languages.
#![cfg(all(any(feature = "luau", feature = "lua54"), feature = "rhai"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use houserule_kernel::script::{Declaration, Script};
use houserule_scripts::languages;
use std::path::Path;

fn scripts(pack: &str, extension: &str) -> Vec<Script> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rulesets").join(pack).join("hooks");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    let script = |path: &std::path::PathBuf| {
        let name = format!("{pack}/hooks/{}", path.file_name().unwrap().to_string_lossy());
        Script { name, text: std::fs::read_to_string(path).unwrap(), file: 0 }
    };
    paths.iter().map(script).collect()
}

#[test]
fn shipped_twins_declare_the_same() {
    for pack in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../rulesets")).unwrap() {
        let pack = pack.unwrap();
        if !pack.path().join("hooks").is_dir() {
            continue;
        }
        let name = pack.file_name().to_string_lossy().into_owned();
        let mut declared = languages().into_iter().map(|language| {
            let surveyed = language.survey(&scripts(&name, language.extension()));
            let placeless = |one: Declaration| Declaration { span: Default::default(), ..one };
            surveyed.unwrap_or_else(|wrong| panic!("{wrong:#?}")).into_iter().map(placeless).collect::<Vec<_>>()
        });
        let first = declared.next().unwrap();
        assert!(!first.is_empty());
        declared.for_each(|other| assert_eq!(first, other, "{name}"));
    }
}
