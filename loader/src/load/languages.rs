//! Holds the `languages` of a manifest against the scripts that its pack has.

use crate::pack::{Manifest, Pack};
use houserule_kernel::error::Problem;
use houserule_kernel::script::Language;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a manifest says of languages and its pack does not keep. A manifest
/// without `languages` promises nothing. One language that the host speaks is enough:
/// another host may speak the others.
pub fn unkept(manifest: &Manifest, pack: &Pack, languages: &[Arc<dyn Language>]) -> Vec<Problem> {
    let Some((place, said)) = &manifest.languages else { return Vec::new() };
    let ending = |name: &str| {
        let known = languages.iter().find(|language| language.name() == name);
        known.map_or_else(|| name.to_owned(), |language| language.extension().to_owned())
    };
    let written = written(pack);
    let known = |name: &str| {
        languages.iter().any(|language| language.name() == name) || written.contains_key(ending(name).as_str())
    };
    let strange = !languages.is_empty() && !said.iter().any(|name| known(name));
    let idle = said.iter().filter(|_| strange).map(|name| {
        let names: Vec<String> = languages.iter().map(|language| format!("`{}`", language.name())).collect();
        let message = format!("no hook can be written in `{}`", name.text);
        Problem::new("HR0115", name.span, message).help(format!("there is {}", names.join(", ")))
    });
    let named = |at: &str| said.iter().any(|name| ending(name) == at);
    let unnamed = written.iter().filter(|(at, _)| !named(at)).map(|(at, file)| {
        let message = format!("`languages` leaves out that of `{file}`");
        Problem::new("HR0115", *place, message).help(format!("add `\"{at}\"`, or take the file away"))
    });
    idle.chain(unnamed).collect()
}

/// The endings of a pack's scripts, each with the first file that has it.
fn written(pack: &Pack) -> BTreeMap<&str, &str> {
    let mut written = BTreeMap::new();
    for (name, _) in pack.files().filter(|(name, _)| name.starts_with("hooks/") || name.starts_with("lib/")) {
        if let Some((_, ending)) = name.rsplit_once('.') {
            written.entry(ending).or_insert(name);
        }
    }
    written
}
