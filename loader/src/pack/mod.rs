//! Rule packs: their files as text, read into one merged tree that knows
//! where every value stands.

mod asked;
mod family;
mod fields;
mod file_names;
#[cfg(feature = "fs")]
mod folder;
mod growth;
mod layers;
pub mod limits;
mod manifest;
mod node;
#[cfg(feature = "fs")]
mod opened;
mod strict;

pub use fields::FieldReader;
pub(crate) use growth::Growth;
pub use layers::{Kinds, Merged, merge};
pub use limits::{MOST_BYTES, MOST_BYTES_IN_FILE, MOST_FILES};
pub(crate) use manifest::ABSENT;
pub use manifest::Manifest;
pub use node::{NodeKind, Spanned, TomlEntry, TomlNode, TomlTable, read_toml};

use crate::problems::Problems;
use houserule_kernel::error::{Diagnostic, Fault, Sources};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// What lies beside the rules of a pack and changes none of them.
const BESIDE: [&str; 6] = ["scenarios/", "encounters/", "sheets/", "new/", "coverage.toml", "COVERAGE.md"];

/// A rule pack as it was written: files by name, as text. Names use `/`,
/// lines end in LF, and no text begins with a byte order mark. Copies share their
/// texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pack {
    files: BTreeMap<String, Arc<str>>,
    passed_over: Vec<String>,
    /// What is wrong with the name of a file that was left out.
    misnamed: Option<String>,
}

impl Pack {
    /// A pack without files.
    #[must_use]
    pub fn new() -> Pack {
        Pack::default()
    }

    /// Adds a file, or puts it in the place of an earlier one of that name; `\`
    /// parts folders as `/` does. A file whose name is refused by [`Pack::put`] is
    /// left out, and reading the pack tells so.
    #[must_use]
    pub fn with(mut self, name: &str, text: &str) -> Pack {
        if let Err(fault) = self.put(&name.replace('\\', "/"), text) {
            self.misnamed.get_or_insert(fault.message);
        }
        self
    }

    /// Adds a file, or puts it in the place of an earlier one of that name.
    ///
    /// # Errors
    /// `HR0137` if the name leads out of the pack or would not do on every system.
    pub fn put(&mut self, name: &str, text: &str) -> Result<(), Fault> {
        if let Some(wrong) = file_names::wrong(name) {
            return Err(Fault::new("HR0137", wrong));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
        self.files.insert(name.to_owned(), text.into());
        Ok(())
    }

    /// What lay in the folder of the pack and was not read, for it is neither file
    /// nor folder: links, which could lead out of it, pipes and devices.
    #[must_use]
    pub fn passed_over(&self) -> &[String] {
        &self.passed_over
    }

    /// All files, sorted by name in byte order.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.shared().map(|(name, text)| (name, &**text))
    }

    /// All files, with their texts to be shared.
    pub(crate) fn shared(&self) -> impl Iterator<Item = (&str, &Arc<str>)> {
        self.files.iter().map(|(name, text)| (name.as_str(), text))
    }

    /// The text of one file.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&str> {
        self.files.get(name).map(AsRef::as_ref)
    }

    /// The files that the pack is made of, without what lies beside the rules:
    /// stories, people, what new packs begin with, and the page of what is
    /// covered.
    pub fn core(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(|(name, _)| is_core(name))
    }

    /// The files that hold rules: every `.toml` of the core but `pack.toml` and
    /// what lies in `text/`.
    pub fn rules(&self) -> impl Iterator<Item = (&str, &str)> {
        self.shared_rules().map(|(name, text)| (name, &**text))
    }

    /// The same, with their texts to be shared.
    pub(crate) fn shared_rules(&self) -> impl Iterator<Item = (&str, &Arc<str>)> {
        let are_rules = |name: &str| name.ends_with(".toml") && name != "pack.toml" && !name.starts_with("text/");
        self.shared().filter(move |(name, _)| is_core(name) && are_rules(name))
    }

    /// The id that `pack.toml` says, whatever else is wrong there; none if it
    /// says none that could be one.
    #[must_use]
    pub fn id(&self) -> Option<String> {
        manifest::stated_id(&self.stated()).map(|id| id.text.clone())
    }

    /// The ids of the packs that `pack.toml` extends, whatever else is wrong
    /// there.
    #[must_use]
    pub fn extended(&self) -> Vec<String> {
        let stated = self.stated();
        let Some(extends) = stated.get("extends").map(|child| &child.node) else { return Vec::new() };
        let list =
            if let NodeKind::List(list) = &extends.body { list.as_slice() } else { std::slice::from_ref(extends) };
        list.iter().filter_map(TomlNode::as_text).map(|id| id.text.clone()).collect()
    }

    fn stated(&self) -> TomlTable {
        read_toml(self.file("pack.toml").unwrap_or_default(), 0, &mut Problems::default())
    }

    /// What `pack.toml` says.
    ///
    /// # Errors
    /// Every problem of `pack.toml`, or that it is missing.
    pub fn manifest(&self) -> Result<Manifest, Vec<Diagnostic>> {
        let (mut sources, mut problems) = (Sources::default(), Problems::default());
        match Manifest::read(self, &mut sources, &mut problems) {
            Some(manifest) if problems.is_empty() => Ok(manifest),
            _ => Err(problems.told(&sources)),
        }
    }

    /// The whole pack as one text, for hashing: two packs give the same text
    /// exactly when all their files are the same.
    #[must_use]
    pub fn normalised(&self) -> String {
        self.files.iter().fold(String::new(), |mut whole, (name, text)| {
            let _ = writeln!(whole, "{} {} {name}", name.len(), text.len());
            whole.push_str(text);
            whole
        })
    }

    fn bytes(&self) -> usize {
        self.files.values().map(|text| text.len()).sum()
    }

    /// Says in which way the pack is larger than a pack may be.
    fn too_large(&self) -> Option<String> {
        let bytes: usize = self.bytes();
        let big = self.files.iter().find(|(_, text)| text.len() > MOST_BYTES_IN_FILE);
        match big {
            Some((name, text)) => Some(file_too_large(name, text.len())),
            None if self.files.len() > MOST_FILES => Some(format!("a pack holds at most {MOST_FILES} files")),
            None if bytes > MOST_BYTES => Some(format!("a pack holds at most {MOST_BYTES} bytes")),
            None => None,
        }
    }

    /// What is wrong with the names of files.
    fn misnamed(&self) -> Option<String> {
        self.misnamed.clone().or_else(|| file_names::clash(self.files.keys().map(String::as_str)))
    }
}

fn file_too_large(name: &str, bytes: usize) -> String {
    format!("`{name}` has {bytes} bytes; a file of a pack has at most {MOST_BYTES_IN_FILE}")
}

/// Whether a file belongs to what the pack is made of.
fn is_core(name: &str) -> bool {
    !BESIDE.iter().any(|beside| name.starts_with(beside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_the_same_whatever_system_it_was_written_on() {
        let there = Pack::new().with("rules\\a.toml", "\u{feff}x = 1\r\ny = 2\r\n");
        let here = Pack::new().with("rules/a.toml", "x = 1\ny = 2\n");
        assert_eq!(there, here);
        assert_eq!(here.normalised(), "12 12 rules/a.toml\nx = 1\ny = 2\n");
    }

    #[test]
    fn text_that_moves_from_one_file_to_the_next_is_another_pack() {
        let one = Pack::new().with("a", "x").with("b", "");
        let other = Pack::new().with("a", "").with("b", "x");
        assert_ne!(one.normalised(), other.normalised());
    }

    #[test]
    fn rules_are_the_toml_files_outside_of_the_other_rooms() {
        let names = ["pack.toml", "a.toml", "spell/b.toml", "text/en.toml", "scenarios/c.toml", "hooks/d.lua"];
        let beside = ["encounters/e.toml", "sheets/f.toml", "new/rules.toml", "coverage.toml"];
        let pack = names.iter().chain(&beside).fold(Pack::new(), |pack, name| pack.with(name, ""));
        assert!(pack.core().all(|(name, _)| !beside.contains(&name)) && pack.core().count() == 5);
        assert_eq!(pack.rules().map(|(name, _)| name).collect::<Vec<_>>(), ["a.toml", "spell/b.toml"]);
    }

    #[test]
    fn a_pack_beyond_its_limits_says_so() {
        let long = "#".repeat(MOST_BYTES_IN_FILE + 1);
        let told = Pack::new().with("a.toml", &long).too_large();
        assert_eq!(told.unwrap(), "`a.toml` has 262145 bytes; a file of a pack has at most 262144");
        let many = (0..=MOST_FILES).fold(Pack::new(), |pack, n| pack.with(&n.to_string(), ""));
        assert_eq!(many.too_large().unwrap(), "a pack holds at most 2000 files");
    }

    #[cfg(feature = "fs")]
    #[test]
    fn a_folder_is_read_without_its_hidden_files() {
        let root = std::env::temp_dir().join(format!("houserule-pack-{}", std::process::id()));
        std::fs::create_dir_all(root.join("hooks")).unwrap();
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::write(root.join("pack.toml"), "id = \"a\"\r\n").unwrap();
        std::fs::write(root.join("hooks/x.lua"), "return").unwrap();
        std::fs::write(root.join(".git/config"), "no").unwrap();
        let pack = Pack::read_folder(&root).unwrap();
        assert_eq!(pack, Pack::new().with("pack.toml", "id = \"a\"\n").with("hooks/x.lua", "return"));
        std::fs::write(root.join("map.png"), [0xff, 0xfe]).unwrap();
        let fault = Pack::read_folder(&root).unwrap_err();
        assert_eq!(fault.to_string(), "`map.png` is not UTF-8; a pack holds nothing but text [HR0130]");
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!(Pack::read_folder(&root).unwrap_err().code, "HR0130");
    }
}
