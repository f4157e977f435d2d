//! Rule packs: their files as text, read into one merged tree that knows
//! where every value stands.

mod family;
mod fields;
mod layers;
mod limits;
mod manifest;
mod node;
mod strict;

pub use fields::Fields;
pub use layers::{Deed, Kinds, LayerNote, Merged, merge};
pub use limits::Limits;
pub(crate) use manifest::ABSENT;
pub use manifest::Manifest;
pub use node::{Body, Child, Node, Phrase, Table, read_toml};

use crate::error::{Diagnostic, Sources};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The most bytes in one file of a pack.
pub const MOST_BYTES_IN_FILE: usize = 256 * 1024;
/// The most files in a pack.
pub const MOST_FILES: usize = 2000;
/// The most bytes in all files of a pack together.
pub const MOST_BYTES: usize = 16 * 1024 * 1024;

/// What lies beside the rules of a pack and changes none of them.
const BESIDE: [&str; 6] = ["scenarios/", "encounters/", "sheets/", "new/", "coverage.toml", "COVERAGE.md"];

/// A rule pack as it was written: files by name, as text. Names use `/`,
/// lines end in LF, and no text begins with a byte order mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pack {
    files: BTreeMap<String, String>,
}

impl Pack {
    /// A pack without files.
    #[must_use]
    pub fn new() -> Pack {
        Pack::default()
    }

    /// Adds a file, or puts it in the place of an earlier one of that name.
    #[must_use]
    pub fn with(mut self, name: &str, text: &str) -> Pack {
        self.put(name, text);
        self
    }

    fn put(&mut self, name: &str, text: &str) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
        self.files.insert(name.replace('\\', "/"), text);
    }

    /// All files, sorted by name in byte order.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// The text of one file.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&str> {
        self.files.get(name).map(String::as_str)
    }

    /// The files that the pack is made of, without what lies beside the rules:
    /// stories, people, what new packs begin with, and the page of what is
    /// covered.
    pub fn core(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(|(name, _)| !BESIDE.iter().any(|beside| name.starts_with(beside)))
    }

    /// The files that hold rules: every `.toml` of the core but `pack.toml` and
    /// what lies in `text/`.
    pub fn rules(&self) -> impl Iterator<Item = (&str, &str)> {
        self.core().filter(|(name, _)| name.ends_with(".toml") && *name != "pack.toml" && !name.starts_with("text/"))
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
        let list = if let Body::List(list) = &extends.body { list.as_slice() } else { std::slice::from_ref(extends) };
        list.iter().filter_map(Node::as_text).map(|id| id.text.clone()).collect()
    }

    fn stated(&self) -> Table {
        read_toml(self.file("pack.toml").unwrap_or_default(), 0, &mut Vec::new())
    }

    /// What `pack.toml` says.
    ///
    /// # Errors
    /// Every problem of `pack.toml`, or that it is missing.
    pub fn manifest(&self) -> Result<Manifest, Vec<Diagnostic>> {
        let (mut sources, mut problems) = (Sources::default(), Vec::new());
        match Manifest::read(self, &mut sources, &mut problems) {
            Some(manifest) if problems.is_empty() => Ok(manifest),
            _ => Err(problems.iter().map(|problem| sources.locate(problem)).collect()),
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

    /// Says in which way the pack is larger than a pack may be.
    fn too_large(&self) -> Option<String> {
        let bytes: usize = self.files.values().map(String::len).sum();
        let big = self.files.iter().find(|(_, text)| text.len() > MOST_BYTES_IN_FILE);
        match big {
            Some((name, text)) => Some(file_too_large(name, text.len())),
            None if self.files.len() > MOST_FILES => Some(format!("a pack holds at most {MOST_FILES} files")),
            None if bytes > MOST_BYTES => Some(format!("a pack holds at most {MOST_BYTES} bytes")),
            None => None,
        }
    }
}

fn file_too_large(name: &str, bytes: usize) -> String {
    format!("`{name}` has {bytes} bytes; a file of a pack has at most {MOST_BYTES_IN_FILE}")
}

#[cfg(feature = "fs")]
mod folder {
    use super::{MOST_BYTES, MOST_BYTES_IN_FILE, MOST_FILES, Pack, file_too_large};
    use crate::error::Fault;
    use std::fs;
    use std::path::{Path, PathBuf};

    impl Pack {
        /// Reads every file of a folder and the folders in it. Names that
        /// begin with a dot are passed over; so are links, which could lead
        /// out of the folder.
        ///
        /// # Errors
        /// `HR0130` when something cannot be read or is not text, `HR0131`
        /// when the pack is larger than [`MOST_FILES`],
        /// [`MOST_BYTES_IN_FILE`] or [`MOST_BYTES`] allow.
        pub fn read_folder(path: impl AsRef<Path>) -> Result<Pack, Fault> {
            let root = path.as_ref();
            let (mut pack, mut bytes) = (Pack::new(), 0);
            let mut folders = vec![root.to_owned()];
            while let Some(folder) = folders.pop() {
                for found in list(&folder)? {
                    match found {
                        Found::Folder(inner) => folders.push(inner),
                        Found::File(file) => bytes += add(&mut pack, root, &file)?,
                    }
                    within_limits(&pack, bytes, folders.len())?;
                }
            }
            Ok(pack)
        }
    }

    enum Found {
        Folder(PathBuf),
        File(PathBuf),
    }

    fn list(folder: &Path) -> Result<Vec<Found>, Fault> {
        let fault = |error| unreadable(folder, &error);
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).map_err(fault)? {
            let entry = entry.map_err(fault)?;
            let kind = entry.file_type().map_err(fault)?;
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            match (hidden, kind.is_dir(), kind.is_file()) {
                (false, true, _) => found.push(Found::Folder(entry.path())),
                (false, _, true) => found.push(Found::File(entry.path())),
                _ => {}
            }
        }
        Ok(found)
    }

    /// Adds a file and gives its length in bytes.
    fn add(pack: &mut Pack, root: &Path, file: &Path) -> Result<usize, Fault> {
        let name = file.strip_prefix(root).unwrap_or(file).to_string_lossy().into_owned();
        let length = fs::metadata(file).map_err(|error| unreadable(file, &error))?.len();
        if length > MOST_BYTES_IN_FILE as u64 {
            return Err(Fault::new("HR0131", file_too_large(&name, usize::try_from(length).unwrap_or(usize::MAX))));
        }
        let bytes = fs::read(file).map_err(|error| unreadable(file, &error))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Fault::new("HR0130", format!("`{name}` is not UTF-8; a pack holds nothing but text")))?;
        pack.put(&name, &text);
        Ok(text.len())
    }

    fn within_limits(pack: &Pack, bytes: usize, folders: usize) -> Result<(), Fault> {
        let too_many = |what: &str| Err(Fault::new("HR0131", format!("a pack holds at most {what}")));
        match () {
            () if pack.files.len().max(folders) > MOST_FILES => too_many(&format!("{MOST_FILES} files")),
            () if bytes > MOST_BYTES => too_many(&format!("{MOST_BYTES} bytes")),
            () => Ok(()),
        }
    }

    fn unreadable(path: &Path, error: &std::io::Error) -> Fault {
        Fault::new("HR0130", format!("`{}` cannot be read: {error}", path.display()))
    }
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
