//! Writing files, with sentences where that fails.

use crate::report::{Finding, Trouble};
use std::path::Path;

/// Writes a file, and the folders it lies in.
///
/// # Errors
/// `HR0915` if the system does not let it.
pub fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = folder.and_then(|()| std::fs::write(path, text));
    written.map_err(|error| {
        let message = format!("`{}` cannot be written: {}", path.display(), error.kind());
        Finding::new("HR0915", message).help("look whether the folder may be written to").into()
    })
}
