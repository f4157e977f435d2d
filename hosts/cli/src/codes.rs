//! `houserule explain HR0203`: what every code means, with an example.

use crate::ExitStatus;
use crate::output::Output;
use crate::report::{CliError, Finding};
use houserule::kernel::error::nearest;
use houserule::loader::pack::{TomlTable, read_toml};
use houserule::loader::problems::Problems;
use serde_json::json;

/// The codes: for each a title, two sentences and an example.
const TEXT: &str = include_str!("../text/codes.toml");

/// What a code means.
struct CodeText {
    title: String,
    says: String,
    example: String,
}

/// Explains a code.
///
/// # Errors
/// `HR0910` if there is no such code.
pub fn explain(word: &str, screen: &mut Output) -> Result<ExitStatus, CliError> {
    let table = read_toml(TEXT, 0, &mut Problems::default());
    let name = word.to_ascii_uppercase();
    let Some(CodeText { title, says, example }) = find(&table, &name) else {
        return Err(unknown(&table, word, &name).into());
    };
    screen.tell(&format!("{name}: {title}\n\n{}\n\nExample:\n{}", says.trim(), indented(&example)));
    screen.give(&json!({ "code": name, "title": title, "says": says.trim(), "example": example.trim_end() }));
    Ok(ExitStatus::Fine)
}

fn find(table: &TomlTable, name: &str) -> Option<CodeText> {
    let code = table.get(name)?.node.as_table()?;
    let text = |key: &str| Some(code.get(key)?.node.as_text()?.text.clone());
    Some(CodeText { title: text("title")?, says: text("says")?, example: text("example")? })
}

fn unknown(table: &TomlTable, word: &str, name: &str) -> Finding {
    let finding = Finding::new("HR0910", format!("there is no code `{word}`"));
    match nearest(name, table.names()).filter(|_| name.starts_with("HR")) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding.help("codes look like `HR0203`; `stat`, `hooks`, `option` and `rule` are explained as well, see `houserule explain --help`"),
    }
}

fn indented(text: &str) -> String {
    text.trim_end().lines().map(|line| format!("  {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// Every code that the sources of this folder name as a text of its own,
    /// tests aside.
    fn named_in(folder: &Path, into: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                named_in(&path, into);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let text = text.split("#[cfg(test)]").next().unwrap();
                let quoted =
                    text.match_indices("\"HR").filter_map(|(at, _)| text.get(at + 1..at + 8)?.strip_suffix('"'));
                into.extend(
                    quoted.filter(|code| code[2..].bytes().all(|digit| digit.is_ascii_digit())).map(str::to_owned),
                );
            }
        }
    }

    fn in_sources() -> BTreeSet<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut codes = BTreeSet::new();
        ["kernel/dice/src", "kernel/src", "loader/src", "scripts/src", "src", "hosts/cli/src"]
            .iter()
            .for_each(|room| named_in(&root.join(room), &mut codes));
        codes
    }

    #[test]
    fn every_code_of_the_sources_is_explained_and_no_other() {
        let table = read_toml(TEXT, 0, &mut Problems::default());
        let explained: BTreeSet<String> = table.names().map(str::to_owned).collect();
        let sources = in_sources();
        let missing: Vec<_> = sources.difference(&explained).collect();
        let gone: Vec<_> = explained.difference(&sources).collect();
        assert!(
            missing.is_empty() && gone.is_empty(),
            "not explained: {missing:?}; explained but used nowhere: {gone:?}"
        );
    }

    #[test]
    fn every_code_has_a_title_two_sentences_and_an_example() {
        let mut problems = Problems::default();
        let table = read_toml(TEXT, 0, &mut problems);
        assert!(problems.is_empty(), "{problems:?}");
        for name in table.names() {
            let Some(code) = find(&table, name) else { panic!("`{name}` lacks something") };
            let sentences = code.says.trim().matches(". ").count() + usize::from(code.says.trim().ends_with('.'));
            assert!(!code.title.is_empty() && !code.example.is_empty() && !code.title.ends_with('.'), "{name}");
            assert_eq!(sentences, 2, "{name}: {}", code.says);
        }
    }
}
