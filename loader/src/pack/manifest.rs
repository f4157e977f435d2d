//! What a pack says of itself, and the order in which packs lie on each other.

use super::Pack;
use super::asked::requested_limits;
use super::fields::{FieldReader, way_out};
use super::limits::{LONGEST_NAME, MOST_BYTES, MOST_FILES_TOGETHER, MOST_PACKS};
use super::node::{NodeKind, Spanned, TomlNode, TomlTable, read_toml};
use crate::problems::Problems;
use houserule_kernel::budget::RequestedLimits;
use houserule_kernel::error::{Problem, Sources, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The contents of `pack.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The name by which other packs extend this one.
    pub id: String,
    /// Where the id stands.
    pub span: Span,
    /// The version, in whatever scheme the writer likes.
    pub version: String,
    /// The name for people.
    pub title: String,
    /// A sentence or two.
    pub about: Option<String>,
    /// The ids of the packs that this one builds on.
    pub extends: Vec<Spanned>,
    /// The script languages in which its hooks are written, with the place
    /// where they stand; none if it does not say.
    pub languages: Option<(Span, Vec<Spanned>)>,
    /// Under which licence it may be shared.
    pub licence: Option<String>,
    /// Where its rules come from.
    pub source: Option<String>,
    /// What the licence wants to be said.
    pub attribution: Option<String>,
    /// Who made it.
    pub credits: Option<String>,
    /// How much more than the default one intent should be allowed.
    pub limits: RequestedLimits,
}

impl Manifest {
    /// Reads `pack.toml` and adds it to the sources as `id/pack.toml`; None
    /// if it is missing or says no id, which joins the problems.
    pub(super) fn read(pack: &Pack, sources: &mut Sources, problems: &mut Problems) -> Option<Manifest> {
        let Some(text) = pack.file("pack.toml") else {
            let span = Span { file: sources.add("pack.toml", ""), start: 0, end: 0 };
            let problem = Problem::new("HR0110", span, "this pack has no file `pack.toml`");
            problems.push(problem.help("write one with `id`, `version` and `title`"));
            return None;
        };
        let file = sources.add(&place_of(text), text);
        let body = NodeKind::Table(read_toml(text, file, problems));
        Manifest::read_fields(&TomlNode { span: Span { file, start: 0, end: 0 }, body }, problems)
    }

    fn read_fields(node: &TomlNode, problems: &mut Problems) -> Option<Manifest> {
        let mut f = FieldReader::open(node, "`pack.toml`", problems);
        let owned = |phrase: Option<&Spanned>| phrase.map(|phrase| phrase.text.clone());
        let id = f.required_text("id").cloned();
        let version = owned(f.required_text("version")).unwrap_or_default();
        let title = owned(f.required_text("title")).unwrap_or_default();
        let (about, licence, source) = (owned(f.text("about")), owned(f.text("licence")), owned(f.text("source")));
        let (attribution, credits) = (owned(f.text("attribution")), owned(f.text("credits")));
        let extends = extended(&mut f);
        let place = f.node("languages").map(|node| node.span);
        let languages = place.map(|place| (place, f.texts("languages").into_iter().cloned().collect()));
        let limits = f.node("limits").map(|node| requested_limits(node, &mut f)).unwrap_or_default();
        f.close();
        let Spanned { text: id, span } = id?;
        if !is_name(&id, false) {
            problems.push(bad_name("HR0114", &id, span, false));
            return None;
        }
        let told = Manifest { id, span, version, title, about, extends, languages, ..Manifest::default() };
        Some(Manifest { licence, source, attribution, credits, limits, ..told })
    }
}

/// The packs that a manifest extends, each once.
fn extended(f: &mut FieldReader<'_, '_>) -> Vec<Spanned> {
    let mut extends = f.texts("extends");
    if let Some(first) = extends.get(MOST_PACKS) {
        let message = format!("a pack extends at most {MOST_PACKS} others");
        f.problems().push(Problem::new("HR0205", first.span, message).help("let some of them extend the rest"));
        extends.truncate(MOST_PACKS);
    }
    extends.into_iter().cloned().collect()
}

/// The name of a pack's `pack.toml` among the sources: a first look at the id.
fn place_of(text: &str) -> String {
    let table = read_toml(text, 0, &mut Problems::default());
    stated_id(&table).map_or_else(|| "pack.toml".to_owned(), |id| format!("{}/pack.toml", id.text))
}

/// The id in a manifest, if it could be one.
pub(super) fn stated_id(manifest: &TomlTable) -> Option<&Spanned> {
    manifest.get("id").and_then(|child| child.node.as_text()).filter(|id| is_name(id, false))
}

/// True for `[a-z][a-z0-9_]*`, with `.` and `/` after the first letter if
/// they are allowed, and no longer than a name may be.
pub(super) fn is_name(name: &str, dotted: bool) -> bool {
    let fits = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '_') || dotted && matches!(c, '.' | '/');
    name.len() <= LONGEST_NAME && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(fits)
}

pub(super) fn bad_name(code: &'static str, name: &str, span: Span, dotted: bool) -> Problem {
    if name.len() > LONGEST_NAME {
        let problem = Problem::new(code, span, format!("`{name}` is too long a name"));
        return problem.help(format!("keep it within {LONGEST_NAME} bytes"));
    }
    let more = if dotted { ", `.` and `/`" } else { "" };
    Problem::new(code, span, format!("`{name}` is no name"))
        .help(format!("a name begins with a letter `a` to `z`; digits and `_`{more} may follow"))
}

/// The code of a pack that is extended and not there.
pub(crate) const ABSENT: &str = "HR0111";
/// The code of a pack that is too large, alone or with the others.
pub(super) const TOO_LARGE: &str = "HR0131";

/// A pack with its manifest and the ids of all that it builds on, directly or
/// through others.
pub(super) struct Layer<'a> {
    pub manifest: Manifest,
    pub pack: &'a Pack,
    pub below: BTreeSet<String>,
}

/// Reads all manifests and puts the packs in order: what is extended comes
/// first, and among those free to come the id decides.
pub(super) fn in_order<'a>(packs: &'a [Pack], sources: &mut Sources, problems: &mut Problems) -> Vec<Layer<'a>> {
    let mut waiting = read_all(packs, sources, problems);
    report_absent(&waiting, problems);
    let mut done: Vec<Layer<'a>> = Vec::new();
    while let Some(first) = waiting.keys().next() {
        let free = waiting.values().find(|layer| next_below(layer, &waiting).is_none());
        let id = match free {
            Some(layer) => layer.manifest.id.clone(),
            None => {
                let circle = ExtendsCycle::from(first, &waiting);
                problems.push(circle.problem());
                circle.path.into_iter().min().unwrap_or_else(|| first.clone())
            }
        };
        done.extend(waiting.remove(&id).map(|layer| with_all_below(layer, &done)));
    }
    done
}

type Waiting<'a> = BTreeMap<String, Layer<'a>>;

fn read_all<'a>(packs: &'a [Pack], sources: &mut Sources, problems: &mut Problems) -> Waiting<'a> {
    let mut read = Waiting::new();
    if let Some(message) = too_large_together(packs) {
        let file = packs.first().map_or(0, |pack| sources.add("pack.toml", pack.file("pack.toml").unwrap_or_default()));
        let problem = Problem::new(TOO_LARGE, Span { file, start: 0, end: 0 }, message);
        problems.push(problem.help("leave some of the packs away"));
        return read;
    }
    for pack in packs {
        let Some(manifest) = Manifest::read(pack, sources, problems) else { continue };
        if let Some(message) = pack.too_large() {
            problems.push(Problem::new(TOO_LARGE, manifest.span, message).help("make two packs of it"));
        } else if let Some(message) = pack.misnamed() {
            problems.push(Problem::new("HR0137", manifest.span, message));
        } else if read.contains_key(&manifest.id) {
            let message = format!("two packs are called `{}`", manifest.id);
            problems.push(Problem::new("HR0113", manifest.span, message).help("give one of them another `id`"));
        } else {
            read.insert(manifest.id.clone(), Layer { manifest, pack, below: BTreeSet::new() });
        }
    }
    read
}

/// Says in which way packs are larger together than they may be.
fn too_large_together(packs: &[Pack]) -> Option<String> {
    let files: usize = packs.iter().map(|pack| pack.files.len()).sum();
    let bytes: usize = packs.iter().map(Pack::bytes).sum();
    let most = |most: usize, what: &str| Some(format!("packs that are read together hold at most {most} {what}"));
    match () {
        () if packs.len() > MOST_PACKS => Some(format!("at most {MOST_PACKS} packs are read together")),
        () if files > MOST_FILES_TOGETHER => most(MOST_FILES_TOGETHER, "files"),
        () if bytes > MOST_BYTES => most(MOST_BYTES, "bytes"),
        () => None,
    }
}

fn report_absent(packs: &Waiting<'_>, problems: &mut Problems) {
    for layer in packs.values() {
        for id in layer.manifest.extends.iter().filter(|id| !packs.contains_key(&id.text)) {
            let message = format!("`{}` extends `{}`, which is not among the packs", layer.manifest.id, id.text);
            let others = packs.keys().map(String::as_str).filter(|other| *other != layer.manifest.id);
            problems.push(Problem::new(ABSENT, id.span, message).help(way_out(&id.text, others)));
        }
    }
}

/// The first pack below this one that is not in its place yet.
fn next_below<'l>(layer: &'l Layer<'_>, waiting: &Waiting<'_>) -> Option<&'l Spanned> {
    layer.manifest.extends.iter().find(|id| waiting.contains_key(&id.text))
}

fn with_all_below<'a>(mut layer: Layer<'a>, done: &[Layer<'a>]) -> Layer<'a> {
    for id in &layer.manifest.extends {
        layer.below.insert(id.text.clone());
        let deeper = done.iter().filter(|other| other.manifest.id == id.text).flat_map(|other| other.below.iter());
        layer.below.extend(deeper.cloned());
    }
    layer
}

struct ExtendsCycle {
    /// The ids, of which the last is the first again.
    path: Vec<String>,
    /// Where the last one is extended.
    span: Span,
}

impl ExtendsCycle {
    /// Every pack that waits has one below it that waits too: to follow them
    /// is to come round.
    fn from(first: &str, waiting: &Waiting<'_>) -> ExtendsCycle {
        let mut circle = ExtendsCycle { path: vec![first.to_owned()], span: Span::default() };
        let below = |id: &String| waiting.get(id).and_then(|layer| next_below(layer, waiting));
        while let Some(next) = circle.path.last().and_then(below) {
            circle.span = next.span;
            let begun = circle.path.iter().position(|id| *id == next.text);
            circle.path.push(next.text.clone());
            if let Some(begun) = begun {
                circle.path.drain(..begun);
                break;
            }
        }
        circle
    }

    fn problem(&self) -> Problem {
        let round = self.path.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(" extends ");
        Problem::new("HR0112", self.span, format!("packs extend each other in a circle: {round}"))
            .help("take one of them out of its `extends`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack(id: &str, extends: &str) -> Pack {
        let text = format!("id = \"{id}\"\nversion = \"1\"\ntitle = \"T\"\nextends = [{extends}]\n");
        Pack::new().with("pack.toml", &text)
    }

    fn ordered(packs: &[Pack]) -> (Vec<String>, String) {
        let (mut sources, mut problems) = (Sources::default(), Problems::default());
        let layers = in_order(packs, &mut sources, &mut problems);
        let told: Vec<String> = problems.iter().map(|problem| sources.locate(problem).to_string()).collect();
        (layers.into_iter().map(|layer| layer.manifest.id).collect(), told.join("\n"))
    }

    #[test]
    fn what_is_extended_comes_first_and_then_the_id_decides() {
        let packs = [pack("a", "\"z\""), pack("c", ""), pack("b", ""), pack("z", "\"c\"")];
        assert_eq!(ordered(&packs), (["b", "c", "z", "a"].map(String::from).to_vec(), String::new()));
    }

    #[test]
    fn a_manifest_keeps_what_it_says() {
        let text = "id = 'core'\nversion = '0.3'\ntitle = 'Core'\nlicence = 'CC0'\nlanguages = ['lua', 'rhai']\n";
        let manifest = Pack::new().with("pack.toml", text).manifest().unwrap();
        assert_eq!((&*manifest.id, &*manifest.version, &*manifest.title), ("core", "0.3", "Core"));
        assert_eq!((manifest.licence.as_deref(), manifest.about), (Some("CC0"), None));
        assert_eq!(manifest.languages.unwrap().1.len(), 2);
    }

    #[test]
    fn packs_in_a_circle_or_without_ground_are_told_and_still_read() {
        let (order, told) = ordered(&[
            pack("a", "\"b\""),
            pack("b", "\"c\", \"corr\""),
            pack("c", "\"b\""),
            pack("self", "\"self\""),
            pack("core", ""),
            pack("core", ""),
            Pack::new(),
        ]);
        assert_eq!(order, ["core", "b", "a", "c", "self"]);
        insta::assert_snapshot!(told, @r##"
        b/pack.toml:4:18: `b` extends `corr`, which is not among the packs [HR0111]; did you mean `core`?
        c/pack.toml:4:13: packs extend each other in a circle: `b` extends `c` extends `b` [HR0112]; take one of them out of its `extends`
        self/pack.toml:4:13: packs extend each other in a circle: `self` extends `self` [HR0112]; take one of them out of its `extends`
        core/pack.toml:1:7: two packs are called `core` [HR0113]; give one of them another `id`
        pack.toml:1:1: this pack has no file `pack.toml` [HR0110]; write one with `id`, `version` and `title`
        "##);
    }

    #[test]
    fn a_faulty_manifest_is_told_whole() {
        let told = |text: &str| {
            let problems = Pack::new().with("pack.toml", text).manifest().unwrap_err();
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        insta::assert_snapshot!(told("id = \"x\"\nverison = 1\nextends = 3\n"), @r##"
        x/pack.toml:1:1: `pack.toml` lacks the field `title` [HR0202]; add `title = …`
        x/pack.toml:1:1: `pack.toml` lacks the field `version` [HR0202]; add `version = …`
        x/pack.toml:2:1: unknown field `verison` [HR0201]; did you mean `version`?
        x/pack.toml:3:11: `extends` must be a text or a list of texts, not the number `3` [HR0203]; put texts in quotes
        "##);
        insta::assert_snapshot!(told("id = \"My Pack\"\nversion = \"1\"\ntitle = \"\"\n"), @r##"
        pack.toml:1:7: `My Pack` is no name [HR0114]; a name begins with a letter `a` to `z`; digits and `_` may follow
        "##);
    }
}
