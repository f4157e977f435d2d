//! Reads the folder of a pack.

use super::limits::{DEEPEST_FOLDER, MOST_BYTES, MOST_BYTES_IN_FILE, MOST_ENTRIES, MOST_FILES};
use super::{Pack, file_names, file_too_large};
use crate::error::Fault;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

impl Pack {
    /// Reads every file of a folder and the folders in it. Names that begin with
    /// a dot are passed over; so are links, which could lead out of the folder,
    /// and whatever else is no file, such as pipes and devices.
    ///
    /// # Errors
    /// `HR0130` when something cannot be read or is not text, `HR0131` when the
    /// pack is larger than [`super::limits`] allow, `HR0137` when a name would
    /// not do on every system.
    pub fn read_folder(path: impl AsRef<Path>) -> Result<Pack, Fault> {
        let root = path.as_ref();
        let mut reading = Reading { pack: Pack::new(), bytes: 0, entries: 0 };
        let mut folders = vec![(String::new(), root.to_owned())];
        while let Some((name, folder)) = folders.pop() {
            folders.extend(reading.folder(&name, &folder)?);
        }
        Ok(reading.pack)
    }
}

/// A folder, by its name in the pack, which ends in `/`.
type Folder = (String, PathBuf);

struct Reading {
    pack: Pack,
    bytes: usize,
    /// How many entries were looked at, those passed over included.
    entries: usize,
}

impl Reading {
    /// Reads the files of a folder, and gives the folders in it.
    fn folder(&mut self, prefix: &str, folder: &Path) -> Result<Vec<Folder>, Fault> {
        if prefix.matches('/').count() > DEEPEST_FOLDER {
            return Err(too_large(&format!("folders lie at most {DEEPEST_FOLDER} deep in each other")));
        }
        let mut folders = Vec::new();
        for (name, kind) in self.list(folder)? {
            let name = format!("{prefix}{}", utf8(prefix, &name)?);
            let path = folder.join(name.rsplit('/').next().unwrap_or(&name));
            match (kind.is_dir(), kind.is_file()) {
                (true, _) => folders.push((format!("{name}/"), path)),
                (_, true) => self.file(&name, &path)?,
                _ => self.pack.passed_over.push(name),
            }
        }
        Ok(folders)
    }

    /// What lies in a folder, sorted by name, but for what begins with a dot.
    fn list(&mut self, folder: &Path) -> Result<Vec<(OsString, fs::FileType)>, Fault> {
        let fault = |error| unreadable(folder, &error);
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).map_err(fault)? {
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                return Err(too_large(&format!("the folders of a pack hold at most {MOST_ENTRIES} entries")));
            }
            let entry = entry.map_err(fault)?;
            if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                found.push((entry.file_name(), entry.file_type().map_err(fault)?));
            }
        }
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(found)
    }

    fn file(&mut self, name: &str, path: &Path) -> Result<(), Fault> {
        if let Some(wrong) = file_names::wrong(name) {
            return Err(Fault::new("HR0137", wrong));
        }
        let bytes = read(path).map_err(|error| unreadable(path, &error))?;
        if bytes.len() > MOST_BYTES_IN_FILE {
            let length =
                fs::metadata(path).map_or(bytes.len(), |data| usize::try_from(data.len()).unwrap_or(usize::MAX));
            return Err(Fault::new("HR0131", file_too_large(name, length.max(bytes.len()))));
        }
        let text = String::from_utf8(bytes)
            .map_err(|_| Fault::new("HR0130", format!("`{name}` is not UTF-8; a pack holds nothing but text")))?;
        self.bytes += text.len();
        self.pack.put(name, &text);
        match () {
            () if self.pack.files.len() > MOST_FILES => {
                Err(too_large(&format!("a pack holds at most {MOST_FILES} files")))
            }
            () if self.bytes > MOST_BYTES => Err(too_large(&format!("a pack holds at most {MOST_BYTES} bytes"))),
            () => Ok(()),
        }
    }
}

/// The bytes of a file, but no more than one too many, however it grows.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MOST_BYTES_IN_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A name as text; two that are none could look alike.
fn utf8<'n>(folder: &str, name: &'n OsString) -> Result<&'n str, Fault> {
    name.to_str().ok_or_else(|| {
        let shown = name.to_string_lossy();
        Fault::new("HR0137", format!("the name `{folder}{shown}` is not UTF-8; give the file another name"))
    })
}

fn too_large(told: &str) -> Fault {
    Fault::new("HR0131", told)
}

fn unreadable(path: &Path, error: &std::io::Error) -> Fault {
    Fault::new("HR0130", format!("`{}` cannot be read: {error}", path.display()))
}
