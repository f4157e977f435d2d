//! `houserule new`: a pack of house rules, begun so that it passes at once.

use crate::ExitStatus as Exit;
use crate::args::NewArgs;
use crate::fs::write;
use crate::output::Output;
use crate::packs::{Library, id_of};
use crate::report::{CliError, Finding};
use houserule::Pack;
use houserule::kernel::printable::printable;
use houserule::scenario::of_pack;
use houserule::scenario_test::{TestStatus, rehearse, snapshot_file};
use serde_json::json;
use std::path::Path;

/// What other systems keep for their devices: a folder of that name cannot be
/// made, copied or unpacked there.
const RESERVED: [&str; 6] = ["aux", "con", "nul", "prn", "com", "lpt"];

/// The room of a pack that holds what packs over it begin with.
const ROOM: &str = "new/";

/// What every new pack has.
const COMMON: [(&str, &str); 2] =
    [("pack.toml", include_str!("../text/new/pack.toml")), ("README.md", include_str!("../text/new/README.md"))];

/// What serves where no pack below says how to begin: it needs no rule of anybody.
const BARE: [(&str, &str); 5] = [
    ("rules.toml", include_str!("../text/new/rules.toml")),
    ("hooks/house.lua", include_str!("../text/new/hooks/house.lua")),
    ("hooks/house.rhai", include_str!("../text/new/hooks/house.rhai")),
    ("text/en.toml", include_str!("../text/new/text/en.toml")),
    ("scenarios/blessing.toml", include_str!("../text/new/scenarios/blessing.toml")),
];

/// Begins a pack.
///
/// # Errors
/// `HR0916` if the folder's name makes no id, `HR0915` if something is there
/// already or cannot be written; if the pack below is not found or wrong.
pub fn new(args: &NewArgs, library: &Library, screen: &mut Output) -> Result<Exit, CliError> {
    let below = library.gather(Vec::new(), std::slice::from_ref(&args.extends))?;
    let id = id(&args.folder, &below)?;
    free(&args.folder)?;
    let pack = begun(args, &id, &below, library)?;
    for (name, text) in pack.files() {
        write(&args.folder, name, text)?;
    }
    let folder = args.folder.display().to_string();
    screen.say(&format!("`{id}` is begun, over `{}`:", args.extends));
    pack.files().for_each(|(name, _)| screen.say(&format!("  {}", args.folder.join(name).display())));
    let typed = printable(&in_quotes(&folder)).into_owned();
    screen.tell(&format!("\nNow try:\n  houserule test {typed}\n  houserule check {typed}"));
    let files: Vec<&str> = pack.files().map(|(name, _)| name).collect();
    screen.give(&json!({ "pack": id, "folder": folder, "files": files }));
    Ok(Exit::Fine)
}

/// The id that a folder's name makes.
fn id(folder: &Path, below: &[Pack]) -> Result<String, CliError> {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let id = name.to_lowercase().replace(['-', ' '], "_");
    let fits = |sign: char| matches!(sign, 'a'..='z' | '0'..='9' | '_');
    if !id.starts_with(|first: char| first.is_ascii_lowercase()) || !id.chars().all(fits) {
        let finding = Finding::new("HR0916", format!("`{}` makes no id for a pack", folder.display()));
        return Err(finding
            .help("name the folder with letters `a` to `z`, digits, `-` and `_`, a letter first, as `my-rules`")
            .into());
    }
    if RESERVED.contains(&id.trim_end_matches(|sign: char| sign.is_ascii_digit())) {
        let finding = Finding::new("HR0916", format!("`{id}` is the name of a device on other systems"));
        return Err(finding.help(format!("name the folder `my-{id}`, for example")).into());
    }
    if below.iter().filter_map(id_of).any(|known| known == id) {
        let finding = Finding::new("HR0916", format!("a pack over `{id}` cannot be called `{id}` too"));
        return Err(finding
            .help(format!("give the folder another name, such as `my-{}`", id.replace('_', "-")))
            .into());
    }
    Ok(id)
}

/// A path as a shell takes it.
fn in_quotes(path: &str) -> String {
    let plain = |sign: char| sign.is_alphanumeric() || "-_./~:\\".contains(sign);
    if path.chars().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

/// A folder that is there must be empty.
fn free(folder: &Path) -> Result<(), CliError> {
    let empty = std::fs::read_dir(folder).is_ok_and(|mut inside| inside.next().is_none());
    if folder.exists() && !empty {
        let finding = Finding::new("HR0915", format!("`{}` is there already", folder.display()));
        return Err(finding.help("nothing is overwritten; name a folder that is not there yet").into());
    }
    Ok(())
}

/// The first beginning whose scenarios pass: that of the pack below, of those
/// below it, and the bare one, which needs nobody.
fn begun(args: &NewArgs, id: &str, below: &[Pack], library: &Library) -> Result<Pack, CliError> {
    let over = below.first().and_then(id_of).unwrap_or_else(|| args.extends.clone());
    let rooms = below.iter().map(|pack| {
        let inside = pack.files().filter_map(|(name, text)| Some((name.strip_prefix(ROOM)?, text)));
        inside.collect::<Vec<_>>()
    });
    for room in rooms.filter(|room| !room.is_empty()) {
        if let Ok(Some(pack)) = passing(filled(args, id, &over, &room), library) {
            return Ok(pack);
        }
    }
    let bare = filled(args, id, &over, &BARE);
    let unfit = || {
        let finding = Finding::new("HR0916", format!("the rules of `{}` leave no room for `{id}`", args.extends));
        finding.help("give the folder another name").into()
    };
    passing(bare, library)?.ok_or_else(unfit)
}

/// A pack from the pages of a room, with its own words filled in and the hooks
/// of one language.
fn filled(args: &NewArgs, id: &str, over: &str, room: &[(&str, &str)]) -> Pack {
    let title = title(id);
    let folder = args.folder.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let words =
        [("{id}", id), ("{title}", &title), ("{extends}", over), ("{lang}", args.lang.name()), ("{folder}", &folder)];
    let fill = |text: &str| words.iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, value));
    let wanted = |name: &str| !name.starts_with("hooks/") || name.ends_with(&format!(".{}", args.lang.name()));
    let pages = COMMON.iter().chain(room).filter(|(name, _)| wanted(name));
    pages.fold(Pack::new(), |pack, (name, text)| pack.with(name, &fill(text)))
}

/// The id as people would write it.
fn title(id: &str) -> String {
    let words = id.replace('_', " ");
    let mut signs = words.chars();
    signs.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(signs).collect()
}

/// The pack with what its scenarios tell, if they come out as they say.
fn passing(pack: Pack, library: &Library) -> Result<Option<Pack>, CliError> {
    let rules = library.load(vec![pack.clone()], &[])?;
    let mut whole = pack.clone();
    for (name, text) in of_pack(&pack) {
        let came_out = rehearse(&rules, &pack, &name, &text);
        match came_out.snapshot() {
            Some(snapshot) if came_out.verdict == TestStatus::New => {
                whole = whole.with(&snapshot_file(&name), &snapshot);
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(whole))
}
