//! The cases as they lie in `tests/hostile/`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What must come of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    /// It does no harm, and nothing is said against it.
    Done,
    /// It is refused when the pack is read, with one of these codes.
    Load(Vec<String>),
    /// It is stopped while it is played, with one of these codes.
    Play(Vec<String>),
}

/// Where the cases are.
pub fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hostile")
}

impl Ends {
    /// Reads `done`, `HR0404 | HR0405` or `load HR0410`; nothing if it is none of these, or names a code that is
    /// in no list.
    pub fn read(text: &str, known: &BTreeSet<String>) -> Option<Ends> {
        let text = text.trim();
        if text == "done" {
            return Some(Ends::Done);
        }
        let (load, codes) = text.strip_prefix("load ").map_or((false, text), |codes| (true, codes));
        let codes: Vec<String> = codes.split('|').map(|code| code.trim().to_owned()).collect();
        let all_known = codes.iter().all(|code| known.contains(code));
        all_known.then_some(if load { Ends::Load(codes) } else { Ends::Play(codes) })
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
