//! Reads the folder of a pack.

use super::limits::{DEEPEST_FOLDER, MOST_BYTES, MOST_BYTES_IN_FILE, MOST_ENTRIES, MOST_FILES};
use super::opened::{Folder, Kind};
use super::{Pack, file_too_large};
use houserule_kernel::error::Fault;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::Path;

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
        let unread = |error| unreadable(&root.display().to_string(), &error);
        let mut reading = FolderReader { root, pack: Pack::new(), bytes: 0, entries: 0 };
        reading.folder("", &Folder::at(root).map_err(unread)?)?;
        reading.pack.passed_over.sort();
        Ok(reading.pack)
    }
}

struct FolderReader<'r> {
    root: &'r Path,
    pack: Pack,
    bytes: usize,
    /// How many entries were looked at, those passed over included.
    entries: usize,
}

impl FolderReader<'_> {
    /// Reads the files of a folder, then the folders in it.
    fn folder(&mut self, prefix: &str, folder: &Folder) -> Result<(), Fault> {
        if prefix.matches('/').count() > DEEPEST_FOLDER {
            return Err(too_large(&format!("folders lie at most {DEEPEST_FOLDER} deep in each other")));
        }
        let mut folders = Vec::new();
        for entry in self.list(prefix, folder)? {
            let name = format!("{prefix}{}", utf8(prefix, &entry)?);
            match folder.kind(&entry).map_err(|error| self.unreadable(&name, &error))? {
                Kind::Folder => folders.push((format!("{name}/"), entry)),
                Kind::File => self.file(&name, &entry, folder)?,
                Kind::Other => self.pack.passed_over.push(name),
            }
        }
        for (name, entry) in folders {
            let inner = folder.folder(&entry).map_err(|error| self.unreadable(&name, &error))?;
            self.folder(&name, &inner)?;
        }
        Ok(())
    }

    /// What lies in a folder, sorted by name, but for what begins with a dot.
    fn list(&mut self, prefix: &str, folder: &Folder) -> Result<Vec<OsString>, Fault> {
        let mut found = Vec::new();
        for entry in folder.names().map_err(|error| self.unreadable(prefix, &error))? {
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                return Err(too_large(&format!("the folders of a pack hold at most {MOST_ENTRIES} entries")));
            }
            let entry = entry.map_err(|error| self.unreadable(prefix, &error))?;
            if !entry.as_encoded_bytes().starts_with(b".") {
                found.push(entry);
            }
        }
        found.sort();
        Ok(found)
    }

    fn file(&mut self, name: &str, entry: &OsStr, folder: &Folder) -> Result<(), Fault> {
        let (bytes, length) = read(folder, entry).map_err(|error| self.unreadable(name, &error))?;
        if bytes.len() > MOST_BYTES_IN_FILE {
            return Err(too_large(&file_too_large(name, length.max(bytes.len()))));
        }
        let text = String::from_utf8(bytes)
            .map_err(|_| Fault::new("HR0130", format!("`{name}` is not UTF-8; a pack holds nothing but text")))?;
        self.bytes += text.len();
        self.pack.put(name, &text)?;
        match () {
            () if self.pack.files.len() > MOST_FILES => {
                Err(too_large(&format!("a pack holds at most {MOST_FILES} files")))
            }
            () if self.bytes > MOST_BYTES => Err(too_large(&format!("a pack holds at most {MOST_BYTES} bytes"))),
            () => Ok(()),
        }
    }

    fn unreadable(&self, name: &str, error: &io::Error) -> Fault {
        unreadable(&self.root.join(name).display().to_string(), error)
    }
}

/// The bytes of a file, but no more than one too many, however it grows; and how
/// many it says it has.
fn read(folder: &Folder, entry: &OsStr) -> io::Result<(Vec<u8>, usize)> {
    let file = folder.file(entry)?;
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    file.take(MOST_BYTES_IN_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok((bytes, length))
}

/// A name as text; two that are none could look alike.
fn utf8<'n>(folder: &str, name: &'n OsStr) -> Result<&'n str, Fault> {
    name.to_str().ok_or_else(|| {
        let shown = name.to_string_lossy();
        Fault::new("HR0137", format!("the name `{folder}{shown}` is not UTF-8; give the file another name"))
    })
}

fn too_large(told: &str) -> Fault {
    Fault::new("HR0131", told)
}

fn unreadable(path: &str, error: &io::Error) -> Fault {
    Fault::new("HR0130", format!("`{path}` cannot be read: {error}"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn err_what_was_swapped_in_is_neither_followed_nor_waited_for() {
        let root = std::env::temp_dir().join(format!("houserule-swapped-{}", std::process::id()));
        std::fs::create_dir_all(root.join("inner")).unwrap();
        std::fs::write(root.join("file"), "text").unwrap();
        symlink("file", root.join("link")).unwrap();
        symlink("inner", root.join("link_to_folder")).unwrap();
        symlink("/dev/zero", root.join("device")).unwrap();
        let piped =
            std::process::Command::new("mkfifo").arg(root.join("pipe")).status().is_ok_and(|made| made.success());
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
        let folder = Folder::at(&root).unwrap();
        for entry in ["link", "link_to_folder", "device", "socket", "inner"].into_iter().chain(piped.then_some("pipe"))
        {
            assert!(read(&folder, OsStr::new(entry)).is_err(), "{entry}");
        }
        for entry in ["link", "link_to_folder", "device", "socket", "file"].into_iter().chain(piped.then_some("pipe")) {
            assert!(folder.folder(OsStr::new(entry)).is_err(), "{entry}");
        }
        assert_eq!(read(&folder, OsStr::new("file")).unwrap(), (b"text".to_vec(), 4));
        assert!(read(&folder.folder(OsStr::new("inner")).unwrap(), OsStr::new("file")).is_err());
        // a device beside the root is opened for nobody, however it is named
        assert!(read(&Folder::at(Path::new("/dev")).unwrap(), OsStr::new("zero")).is_err());
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn an_open_folder_stays_the_same_when_its_name_leads_elsewhere() {
        let root = std::env::temp_dir().join(format!("houserule-moved-{}", std::process::id()));
        std::fs::create_dir_all(root.join("one")).unwrap();
        std::fs::create_dir_all(root.join("other")).unwrap();
        std::fs::write(root.join("one/file"), "one").unwrap();
        std::fs::write(root.join("other/file"), "other").unwrap();
        let folder = Folder::at(&root.join("one")).unwrap();
        std::fs::rename(root.join("one"), root.join("away")).unwrap();
        symlink("other", root.join("one")).unwrap();
        assert_eq!(read(&folder, OsStr::new("file")).unwrap().0, b"one");
        std::fs::remove_dir_all(&root).unwrap();
    }
}
