//! The cases as they lie in `tests/hostile/`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What may come of a case: any of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// Whether it may do no harm, with nothing said against it.
    pub done: bool,
    /// The codes by which it may be refused when the pack is read.
    pub load: Vec<String>,
    /// The codes by which it may be stopped while it is played.
    pub play: Vec<String>,
}

/// Where the cases are.
pub fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hostile")
}

impl Ends {
    /// Reads `done`, `HR0404 | HR0405`, `load HR0410 | HR0402`; nothing if a code is in no list.
    pub fn read(text: &str, known: &BTreeSet<String>) -> Option<Ends> {
        let mut ends = Ends::default();
        for end in text.split('|').map(str::trim) {
            let (codes, code) = match end.strip_prefix("load ") {
                Some(code) => (&mut ends.load, code),
                None => (&mut ends.play, end),
            };
            match code {
                "done" => ends.done = true,
                code if known.contains(code) => codes.push(code.to_owned()),
                _ => return None,
            }
        }
        Some(ends)
    }
}

/// The codes that `houserule explain` knows.
pub fn codes() -> BTreeSet<String> {
    let list = include_str!("../../text/codes.toml").parse::<toml::Table>().unwrap();
    list.keys().cloned().collect()
}

/// What lies in a folder, by name.
pub fn names_in(folder: &Path) -> BTreeSet<String> {
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

/// Attacks and their controls, by name: of `x.lua` the control is `x.control.lua`, of `x` it is `x.control`.
/// Complains of what lies there without its other half.
pub fn pairs(folder: &Path, wrong: &mut Vec<String>) -> BTreeMap<String, String> {
    let names = names_in(folder);
    let mut pairs = BTreeMap::new();
    for name in &names {
        let control = control_of(name);
        if names.contains(&control) {
            pairs.insert(name.clone(), control);
        } else if !name.contains(".control") || !names.contains(&name.replace(".control", "")) {
            wrong.push(format!("{name}: a case and its control lie side by side, and one of them is not there"));
        }
    }
    pairs
}

fn control_of(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, language)) => format!("{stem}.control.{language}"),
        None => format!("{name}.control"),
    }
}

/// What the first line of a hook says about its end.
pub fn header(text: &str) -> Option<&str> {
    let line = text.lines().next()?;
    let line = line.strip_prefix("--").or_else(|| line.strip_prefix("//"))?;
    line.trim().strip_prefix("ends:")
}
