//! The packs that come with the crate, embedded.

use crate::Pack;
use include_dir::{Dir, include_dir};

static RULESETS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rulesets");

/// The ids of all shipped packs, in byte order.
#[must_use]
pub fn ids() -> Vec<&'static str> {
    let mut ids: Vec<&str> = RULESETS.dirs().filter_map(|dir| dir.path().to_str()).collect();
    ids.sort_unstable();
    ids
}

/// A shipped pack, if there is one of that id.
#[must_use]
pub fn pack(id: &str) -> Option<Pack> {
    let dir = RULESETS.get_dir(id)?;
    let mut pack = Pack::new();
    collect(dir, id, &mut pack);
    Some(pack)
}

fn collect(dir: &Dir<'static>, id: &str, pack: &mut Pack) {
    for file in dir.files() {
        let name = file.path().strip_prefix(id).ok().and_then(|path| path.to_str());
        if let (Some(name), Some(text)) = (name, file.contents_utf8()) {
            *pack = std::mem::take(pack).with(name, text);
        }
    }
    dir.dirs().for_each(|inner| collect(inner, id, pack));
}

/// Packs and all the shipped packs that they extend, each once.
#[must_use]
pub fn gather(own: Vec<Pack>, shipped: &[&str]) -> Vec<Pack> {
    let mut packs = own;
    let mut wanted: Vec<String> = shipped.iter().map(|id| (*id).to_owned()).collect();
    wanted.extend(packs.iter().flat_map(Pack::extended));
    while let Some(id) = wanted.pop() {
        let there = |pack: &Pack| pack.id().is_some_and(|own| own == id);
        if packs.iter().any(there) {
            continue;
        }
        if let Some(pack) = pack(&id) {
            wanted.extend(pack.extended());
            packs.push(pack);
        }
    }
    packs
}
