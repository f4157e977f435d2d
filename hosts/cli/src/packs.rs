//! Where packs and encounters are found: `--packs`, the working folder, then what is built in.

use crate::args::Lang;
use crate::report::{CliError, Finding, SourcePlace};
use houserule::kernel::error::nearest;
use houserule::loader::pack::MOST_BYTES_IN_FILE;
use houserule::{Fault, Language, Pack, Ruleset, load_with, shipped};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of packs inside the working folder.
const WORKING: &str = "rulesets";

/// Every place where packs are looked for.
pub struct Library {
    folder: Option<PathBuf>,
    languages: Vec<Arc<dyn Language>>,
    /// The folders of the packs that were read, by their ids.
    homes: RefCell<BTreeMap<String, PathBuf>>,
}

/// A pack that was found.
pub struct FoundPack {
    /// The pack.
    pub pack: Pack,
    /// The folder it was read from; none for one that is built in.
    pub folder: Option<PathBuf>,
}

/// A kind of page that comes with packs or lies anywhere.
#[derive(Clone, Copy)]
pub struct PageKind {
    /// The folder of a pack that holds such pages.
    pub folder: &'static str,
    /// What such a page is called.
    word: &'static str,
    /// The same with its article.
    one: &'static str,
    /// One that exists.
    example: &'static str,
}

/// Fights.
pub const ENCOUNTERS: PageKind =
    PageKind { folder: "encounters", word: "encounter", one: "an encounter", example: "sf1e/dock_brawl" };

/// Characters.
pub const SHEETS: PageKind = PageKind { folder: "sheets", word: "sheet", one: "a sheet", example: "sf1e/soldier" };

impl PageKind {
    /// Such pages of a pack by name, with their texts.
    pub fn pages(self, pack: &Pack) -> impl Iterator<Item = (&str, &str)> {
        pack.files().filter_map(move |(name, text)| {
            let page = name.strip_prefix(self.folder)?.strip_prefix('/')?;
            Some((page.strip_suffix(".toml")?, text))
        })
    }

    fn none(self, message: String) -> Finding {
        let help = format!("name a file, or {} of a pack as `{}`", self.one, self.example);
        Finding::new("HR0903", message).help(help)
    }
}

/// A page that was found, under the name by which it is cited.
pub struct FoundPage {
    /// The name.
    pub name: String,
    /// The text.
    pub text: String,
    /// The pack it lies in, if any: it serves before others of its id.
    pub home: Option<Pack>,
}

impl Library {
    /// Opens the library. The first language serves where a pack has hooks in
    /// several.
    ///
    /// # Errors
    /// `HR0902` if the folder of `--packs` is none, `HR0907` if the program was
    /// built without the language.
    pub fn open(folder: Option<&Path>, first: Option<Lang>) -> Result<Library, CliError> {
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(no_folder(&folder.to_string_lossy()).into());
        }
        let mut languages = houserule_scripts::languages();
        if let Some(first) = first {
            if !languages.iter().any(|language| language.name() == first.name()) {
                let message = format!("this program was built without `{}`", first.name());
                return Err(Finding::new("HR0907", message)
                    .help("leave `--lang` away, or build it with that feature")
                    .into());
            }
            languages.sort_by_key(|language| language.name() != first.name());
        }
        Ok(Library { folder: folder.map(Path::to_owned), languages, homes: RefCell::default() })
    }

    /// The script languages of this program, the preferred one first.
    pub fn languages(&self) -> &[Arc<dyn Language>] {
        &self.languages
    }

    /// The pack of an id, or in a folder.
    ///
    /// # Errors
    /// `HR0902` if there is none; `HR0130` or `HR0131` if it cannot be read.
    pub fn find(&self, word: &str) -> Result<Pack, CliError> {
        Ok(self.locate(word)?.pack)
    }

    /// The same, with the folder it lies in.
    ///
    /// # Errors
    /// As [`Library::find`]; `HR0902` too if several folders hold a pack of this
    /// id, and none is called by it.
    pub fn locate(&self, word: &str) -> Result<FoundPack, CliError> {
        let read = |folder: PathBuf| Ok(FoundPack { pack: self.read(&folder)?, folder: Some(folder) });
        if is_path(word) {
            return if Path::new(word).is_dir() { read(word.into()) } else { Err(no_folder(word).into()) };
        }
        if let Some(folder) = self.folders(word).into_iter().find(|folder| folder.is_dir()) {
            return read(folder);
        }
        if let Some(pack) = shipped::pack(word) {
            return Ok(FoundPack { pack, folder: None });
        }
        match self.folders_of_id(word).as_slice() {
            [] => Err(self.no_pack(word).into()),
            [folder] => read(folder.clone()),
            several => Err(ambiguous(word, several).into()),
        }
    }

    /// Reads the pack in a folder, and remembers where it lies.
    fn read(&self, folder: &Path) -> Result<Pack, CliError> {
        let pack = Pack::read_folder(folder).map_err(|fault| unreadable(folder, fault))?;
        if let Some(id) = id_of(&pack) {
            self.homes.borrow_mut().insert(id, folder.to_owned());
        }
        Ok(pack)
    }

    /// The folders in which a pack may lie that is called as its folder, in the
    /// order of search. A folder that only happens to have its name has no
    /// `pack.toml`.
    fn folders(&self, name: &str) -> Vec<PathBuf> {
        let given = self.folder.iter().map(|folder| folder.join(name));
        let here = Some(PathBuf::from(name)).filter(|folder| folder.join("pack.toml").is_file());
        given.chain([Path::new(WORKING).join(name)]).chain(here).collect()
    }

    /// The folders of packs that call themselves so, whatever the folders are
    /// called; of the first place that has any.
    fn folders_of_id(&self, id: &str) -> Vec<PathBuf> {
        let places = self.folder.iter().map(PathBuf::as_path).chain([Path::new(WORKING), Path::new(".")]);
        let is = |folder: &PathBuf| {
            let text = read_text(&folder.join("pack.toml")).ok();
            text.is_some_and(|text| id_of(&Pack::new().with("pack.toml", &text)).is_some_and(|known| known == id))
        };
        let found = |place: &Path| {
            let inside =
                std::fs::read_dir(place).into_iter().flatten().flatten().map(|entry| place.join(entry.file_name()));
            let mut folders: Vec<PathBuf> = inside.filter(is).map(plain).collect();
            folders.sort();
            folders
        };
        places.map(found).find(|folders| !folders.is_empty()).unwrap_or_default()
    }

    /// The name of a file of a pack, such as `my_rules/rules.toml`, as a path
    /// from the working folder; as it is for a pack that is built in.
    pub fn path_of(&self, name: &str) -> String {
        let homes = self.homes.borrow();
        let home = name.split_once('/').and_then(|(id, rest)| Some((homes.get(id)?, rest)));
        match home.filter(|_| !Path::new(name).is_file()) {
            Some((folder, rest)) => plain(folder.join(rest)).display().to_string(),
            None => name.to_owned(),
        }
    }

    /// Findings with the paths by which their files can be opened.
    pub fn placed(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let place = |finding: Finding| {
            let place = finding.place.map(|place| SourcePlace { file: self.path_of(&place.file), ..place });
            let trail = finding.trail.iter().map(|rule| self.placed_in(rule)).collect();
            Finding { place, trail, ..finding }
        };
        findings.into_iter().map(place).collect()
    }

    /// A sentence with the path of the file that it is, or cites in parentheses.
    fn placed_in(&self, sentence: &str) -> String {
        if let Some(name) = sentence.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) {
            return format!("`{}`", self.path_of(name));
        }
        match sentence.rsplit_once(" (") {
            Some((what, cited)) => format!("{what} ({}", self.path_of(cited)),
            None => sentence.to_owned(),
        }
    }

    /// Packs with all that they extend, each once. What is extended and cannot
    /// be found is left for the reader of the packs to tell, with its place.
    ///
    /// # Errors
    /// As [`Library::find`].
    pub fn gather(&self, own: Vec<Pack>, words: &[String]) -> Result<Vec<Pack>, CliError> {
        let mut packs = own;
        let mut known: BTreeSet<String> = packs.iter().filter_map(id_of).collect();
        for word in words.iter().filter(|word| !known.contains(*word)) {
            packs.push(self.find(word)?);
        }
        known.extend(packs.iter().filter_map(id_of));
        let mut wanted: Vec<String> = packs.iter().flat_map(extended).collect();
        while let Some(id) = wanted.pop() {
            if !is_path(&id) && known.insert(id.clone()) && self.has(&id) {
                let pack = self.find(&id)?;
                wanted.extend(extended(&pack));
                packs.push(pack);
            }
        }
        Ok(packs)
    }

    fn has(&self, id: &str) -> bool {
        let lies = self.folders(id).iter().any(|folder| folder.is_dir());
        lies || shipped::ids().contains(&id) || !self.folders_of_id(id).is_empty()
    }

    /// A ruleset from packs and all that they extend.
    ///
    /// # Errors
    /// If a pack is not found, or everything that is wrong with them.
    pub fn load(&self, own: Vec<Pack>, words: &[String]) -> Result<Arc<Ruleset>, CliError> {
        Ok(load_with(self.gather(own, words)?, &[], &self.languages)?)
    }

    /// A ruleset for a page that names its packs; the one it lies in serves
    /// before others of its id.
    ///
    /// # Errors
    /// As [`Library::load`].
    pub fn load_for(&self, home: Option<&Pack>, words: &[String]) -> Result<Arc<Ruleset>, CliError> {
        let named = |pack: &&Pack| id_of(pack).is_some_and(|id| words.contains(&id));
        self.load(home.into_iter().filter(named).cloned().collect(), words)
    }

    /// A page of a room: a file, or one that comes with a pack as `PACK/NAME`.
    ///
    /// # Errors
    /// `HR0901` if the file cannot be read, `HR0903` if there is none.
    pub fn page(&self, room: PageKind, word: &str) -> Result<FoundPage, CliError> {
        let path = Path::new(word);
        if path.is_file() {
            return Ok(FoundPage { name: word.to_owned(), text: read_text(path)?, home: self.home_of(room, path)? });
        }
        match word.rsplit_once('/') {
            Some((pack, name)) if !word.ends_with(".toml") && !pack.is_empty() => self.page_of(room, pack, name),
            _ if path.is_dir() => Err(room.none(format!("`{word}` is a folder, not {}", room.one)).into()),
            _ => Err(room.none(format!("there is no file `{word}`")).into()),
        }
    }

    fn page_of(&self, room: PageKind, word: &str, name: &str) -> Result<FoundPage, CliError> {
        let pack = self.find(word)?;
        let file = format!("{}/{name}.toml", room.folder);
        if let Some(text) = pack.file(&file) {
            let text = text.to_owned();
            return Ok(FoundPage { name: format!("{word}/{file}"), text, home: Some(pack) });
        }
        let known: Vec<&str> = room.pages(&pack).map(|(name, _)| name).collect();
        let missing = room.none(format!("`{word}` has no {} `{name}`", room.word));
        Err(match nearest(name, known.iter().copied()) {
            Some(near) => missing.help(format!("did you mean `{word}/{near}`?")),
            None if known.is_empty() => missing,
            None => missing.help(format!("it has {}", quoted(&known))),
        }
        .into())
    }

    /// The pack in whose folder for such pages a file lies.
    fn home_of(&self, room: PageKind, path: &Path) -> Result<Option<Pack>, CliError> {
        let inside = path.parent().filter(|inside| inside.ends_with(room.folder));
        let home =
            inside.and_then(Path::parent).map(|home| if home.as_os_str().is_empty() { Path::new(".") } else { home });
        home.filter(|home| home.join("pack.toml").is_file()).map(|home| self.read(home)).transpose()
    }

    fn no_pack(&self, word: &str) -> Finding {
        let mut known: BTreeSet<String> = shipped::ids().into_iter().map(str::to_owned).collect();
        for folder in self.folder.iter().map(PathBuf::as_path).chain([Path::new(WORKING)]) {
            let inside = std::fs::read_dir(folder).into_iter().flatten().flatten();
            known.extend(
                inside
                    .filter(|entry| entry.path().is_dir())
                    .map(|entry| entry.file_name().to_string_lossy().into_owned()),
            );
        }
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let help = match nearest(word, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there is {}; a folder is named as `./{word}`", quoted(&known)),
        };
        Finding::new("HR0902", format!("there is no pack `{word}`")).help(help)
    }
}

/// The text of a file as packs keep it: without a byte order mark, lines ending
/// in LF.
///
/// # Errors
/// `HR0901` if it cannot be read, is no text, or is larger than a file of a pack
/// may be.
pub fn read_text(path: &Path) -> Result<String, CliError> {
    let name = path.display();
    let fault = |why: String| CliError::from(Finding::new("HR0901", format!("`{name}` {why}")));
    let unread = |error: std::io::Error| fault(format!("cannot be read: {}", reason(&error)));
    let about = std::fs::metadata(path).map_err(unread)?;
    if about.is_dir() {
        return Err(fault("cannot be read: it is a folder".to_owned()));
    }
    if !about.is_file() {
        return Err(fault("is a device or a pipe, not a file; save to a file what it says".to_owned()));
    }
    let too_long = |length: u64| fault(format!("has {length} bytes; {MOST_BYTES_IN_FILE} are the most"));
    let mut bytes = Vec::new();
    // what grows while it is read is not read further
    let most = MOST_BYTES_IN_FILE as u64;
    let file = std::fs::File::open(path).map_err(unread)?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(unread)?;
    if bytes.len() > MOST_BYTES_IN_FILE {
        return Err(too_long(about.len().max(most + 1)));
    }
    let text = String::from_utf8(bytes).map_err(|_| fault("is not UTF-8 text".to_owned()))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n"))
}

/// Why something cannot be read, without the numbers of the system.
fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "it may not be opened".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    }
}

/// The id that a pack gives itself.
pub fn id_of(pack: &Pack) -> Option<String> {
    pack.id()
}

fn extended(pack: &Pack) -> Vec<String> {
    pack.extended()
}

/// Whether a word can only mean a folder: ids have neither slashes nor dots.
fn is_path(word: &str) -> bool {
    word.is_empty() || word.contains(['/', '\\', '.'])
}

/// A path without the dot before it.
fn plain(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
}

fn ambiguous(id: &str, folders: &[PathBuf]) -> Finding {
    let names: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    let finding = Finding::new("HR0902", format!("several folders hold a pack `{id}`: {}", quoted(&names)));
    finding.help("name one of them by its path, as `./FOLDER`")
}

/// Why a folder cannot be read, with its name.
fn unreadable(folder: &Path, fault: Fault) -> CliError {
    let text = fault.code == *"HR0130" && fault.message.contains("UTF-8");
    let finding = Finding::from(fault.during(format!("the pack in `{}`", folder.display())));
    if text { finding.help("save it as UTF-8, or move it out of the pack").into() } else { finding.into() }
}

fn no_folder(word: &str) -> Finding {
    if Path::new(word).is_file() {
        return Finding::new("HR0902", format!("`{word}` is a file, and a pack is a folder"));
    }
    Finding::new("HR0902", format!("there is no folder `{word}`"))
}

/// Names in backticks, with commas between them.
pub fn quoted<T: AsRef<str>>(names: &[T]) -> String {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}
