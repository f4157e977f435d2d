//! Opens what lies in a folder. What was looked at may be swapped for a link, a
//! pipe or a device before it is opened: nothing is followed or waited for, and
//! the handle itself is asked what it is.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};

pub(super) use system::Folder;

/// What kind of thing lies in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File,
    /// A link, a pipe, a device or anything else.
    Other,
}

/// What somebody put where a file or folder was seen.
fn swapped() -> Error {
    Error::new(ErrorKind::InvalidInput, "it is no longer what it was")
}

#[cfg(all(unix, not(target_os = "emscripten")))]
mod system {
    use super::{File, Kind, Result, swapped};
    use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, fstat, open, openat, statat};
    use std::ffi::{OsStr, OsString};
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStringExt;
    use std::path::Path;

    /// A pipe without a writer does not stop whoever opens it so, and no link is
    /// followed.
    const CAREFUL: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

    /// An open folder: whatever its name leads to later, it stays the same.
    pub struct Folder(OwnedFd);

    impl Folder {
        /// Opens the folder of a path, be it a link.
        pub fn at(path: &Path) -> Result<Folder> {
            Ok(Folder(open(path, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?))
        }

        /// The names of what lies in it.
        pub fn names(&self) -> Result<impl Iterator<Item = Result<OsString>>> {
            let entries = Dir::read_from(&self.0)?.map(|entry| Ok(entry?.file_name().to_bytes().to_owned()));
            let own = |name: &Result<Vec<u8>>| !name.as_ref().is_ok_and(|name| name == b"." || name == b"..");
            Ok(entries.filter(own).map(|name| name.map(OsString::from_vec)))
        }

        /// What a name stands for just now.
        pub fn kind(&self, name: &OsStr) -> Result<Kind> {
            let about = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
            Ok(kind_of(FileType::from_raw_mode(about.st_mode)))
        }

        /// Opens a folder in it.
        pub fn folder(&self, name: &OsStr) -> Result<Folder> {
            Ok(Folder(openat(&self.0, name, CAREFUL | OFlags::DIRECTORY, Mode::empty())?))
        }

        /// Opens a file in it.
        pub fn file(&self, name: &OsStr) -> Result<File> {
            let opened = openat(&self.0, name, CAREFUL, Mode::empty())?;
            let is_file = kind_of(FileType::from_raw_mode(fstat(&opened)?.st_mode)) == Kind::File;
            if is_file { Ok(opened.into()) } else { Err(swapped()) }
        }
    }

    fn kind_of(kind: FileType) -> Kind {
        match kind {
            FileType::Directory => Kind::Folder,
            FileType::RegularFile => Kind::File,
            _ => Kind::Other,
        }
    }
}

#[cfg(not(all(unix, not(target_os = "emscripten"))))]
mod system {
    use super::{File, Kind, Result, swapped};
    use std::ffi::{OsStr, OsString};
    use std::fs;
    use std::path::{Path, PathBuf};

    /// A folder by its path: here the system has no handles of folders for us.
    pub struct Folder(PathBuf);

    impl Folder {
        /// The folder of a path, be it a link.
        pub fn at(path: &Path) -> Result<Folder> {
            Ok(Folder(path.to_owned()))
        }

        /// The names of what lies in it.
        pub fn names(&self) -> Result<impl Iterator<Item = Result<OsString>>> {
            Ok(fs::read_dir(&self.0)?.map(|entry| Ok(entry?.file_name())))
        }

        /// What a name stands for just now.
        pub fn kind(&self, name: &OsStr) -> Result<Kind> {
            let about = fs::symlink_metadata(self.0.join(name))?;
            Ok(match (about.is_dir(), about.is_file()) {
                (true, _) => Kind::Folder,
                (_, true) => Kind::File,
                _ => Kind::Other,
            })
        }

        /// A folder in it.
        pub fn folder(&self, name: &OsStr) -> Result<Folder> {
            if self.kind(name)? == Kind::Folder { Ok(Folder(self.0.join(name))) } else { Err(swapped()) }
        }

        /// Opens a file in it.
        pub fn file(&self, name: &OsStr) -> Result<File> {
            let opened = File::open(self.0.join(name))?;
            if opened.metadata()?.is_file() { Ok(opened) } else { Err(swapped()) }
        }
    }
}
