//! The script files of a pack and the order in which they load.

use crate::blame::{ScriptError, ScriptErrorKind};
use crate::budget::Limits;

/// One script file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Its path in the pack, such as `sf1e/hooks/dying.lua`.
    pub file: String,
    /// Its text.
    pub text: String,
}

impl Script {
    /// A file with its text.
    #[must_use]
    pub fn new(file: &str, text: &str) -> Script {
        Script { file: file.to_owned(), text: text.to_owned() }
    }

    pub(crate) fn is_library(&self) -> bool {
        self.file.split('/').any(|part| part == "lib")
    }
}

/// The files in load order: those under `lib/` first, each group as given.
pub(crate) fn in_load_order(files: &[Script]) -> Vec<&Script> {
    let (library, hooks): (Vec<_>, Vec<_>) = files.iter().partition(|file| file.is_library());
    library.into_iter().chain(hooks).collect()
}

/// Refuses a file that is too big to be parsed safely.
pub(crate) fn check_size(script: &Script, limits: &Limits) -> Result<(), ScriptError> {
    if script.text.len() <= limits.source {
        return Ok(());
    }
    let message = format!("the file has {} bytes; at most {} are read, split it", script.text.len(), limits.source);
    Err(ScriptError::of_file(ScriptErrorKind::Size, &script.file, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_load_first_and_the_rest_keeps_its_order() {
        let files = ["p/hooks/b.lua", "p/lib/z.lua", "p/hooks/a.lua", "p/lib/a.lua"].map(|file| Script::new(file, ""));
        let order: Vec<_> = in_load_order(&files).iter().map(|script| script.file.as_str()).collect();
        assert_eq!(order, ["p/lib/z.lua", "p/lib/a.lua", "p/hooks/b.lua", "p/hooks/a.lua"]);
    }

    #[test]
    fn a_huge_file_is_refused_by_name() {
        let huge = Script::new("p/a.lua", &"-".repeat(300 << 10));
        let error = check_size(&huge, &Limits::default()).unwrap_err();
        assert_eq!((error.kind, error.file.as_str()), (ScriptErrorKind::Size, "p/a.lua"));
    }
}
