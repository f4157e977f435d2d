//! Writing files of a pack, and nothing beside it, with sentences where that fails.

use crate::report::{CliError, Finding};
use std::path::{Component, Path};

/// Writes a file of a pack into its folder, and the folders it lies in. Names of
/// files come from packs of others: none leads out of the folder.
///
/// # Errors
/// `HR0915` if the name leads elsewhere, or the system does not let it.
pub fn write(folder: &Path, name: &str, text: &str) -> Result<(), CliError> {
    let path = folder.join(name);
    let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let linked = path.symlink_metadata().is_ok_and(|about| about.is_symlink());
    if !inside || linked {
        let why = if linked { "it is a link" } else { "its name leads out of the pack" };
        let message = format!("`{}` cannot be written: {why}", path.display());
        return Err(Finding::new("HR0915", message).help("take it away, or give it another name").into());
    }
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(&path, text)).map_err(|error| {
        let message = format!("`{}` cannot be written: {}", path.display(), error.kind());
        Finding::new("HR0915", message).help("look whether the folder may be written to").into()
    })
}
