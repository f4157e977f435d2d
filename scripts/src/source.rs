//! The script files of a pack and the order in which they load.

use crate::budget::ScriptLimits;
use crate::error::{ScriptError, ScriptErrorKind};
use houserule_kernel::script::Script;

/// Whether a file holds what the others share.
pub(crate) fn is_library(script: &Script) -> bool {
    script.name.split('/').any(|part| part == "lib")
}

/// The files in load order: those under `lib/` first, each group as given.
pub(crate) fn in_load_order(files: &[Script]) -> Vec<&Script> {
    let (library, hooks): (Vec<_>, Vec<_>) = files.iter().partition(|script| is_library(script));
    library.into_iter().chain(hooks).collect()
}

/// Refuses a file that is too big to be parsed safely.
pub(crate) fn check_size(script: &Script, limits: &ScriptLimits) -> Result<(), ScriptError> {
    if script.text.len() <= limits.source {
        return Ok(());
    }
    let message = format!("the file has {} bytes; at most {} are read, split it", script.text.len(), limits.source);
    Err(ScriptError::of_file(ScriptErrorKind::Size, &script.name, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(name: &str, text: &str) -> Script {
        Script { name: name.into(), text: text.into(), file: 0 }
    }

    #[test]
    fn libraries_load_first_and_the_rest_keeps_its_order() {
        let files = ["p/hooks/b.lua", "p/lib/z.lua", "p/hooks/a.lua", "p/lib/a.lua"].map(|file| script(file, ""));
        let order: Vec<_> = in_load_order(&files).iter().map(|script| script.name.as_str()).collect();
        assert_eq!(order, ["p/lib/z.lua", "p/lib/a.lua", "p/hooks/b.lua", "p/hooks/a.lua"]);
    }

    #[test]
    fn a_huge_file_is_refused_by_name() {
        let huge = script("p/a.lua", &"-".repeat(300 << 10));
        let error = check_size(&huge, &ScriptLimits::default()).unwrap_err();
        assert_eq!((error.kind, error.file.as_str()), (ScriptErrorKind::Size, "p/a.lua"));
    }
}
