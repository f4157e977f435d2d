//! Holds the words for people against what there is to say: who fills what
//! stands in braces, and what there is that a key names.

use crate::pack::{Merged, NodeKind, Pack, TomlEntry, TomlNode};
use crate::problems::Problems;
use houserule_kernel::error::{Problem, Span};
use houserule_kernel::ident::{Lexicon, NameKind, RuleId};
use houserule_kernel::layer::PatchOp;
use houserule_kernel::text::{FALLBACK, Template, Texts};
use std::collections::BTreeSet;

/// Who and what every line of a rule may name.
const CAST: [&str; 4] = ["who", "target", "item", "source"];

/// One text of a pack.
pub struct PackText {
    /// Under which key.
    pub key: String,
    /// Where the key stands.
    pub place: Span,
    /// What it says.
    pub text: String,
    /// Where that stands.
    pub span: Span,
}

/// What the words of packs are held against.
pub struct TextContext<'a> {
    /// All definitions.
    pub merged: &'a Merged,
    /// All names.
    pub lexicon: &'a Lexicon,
    /// The packs, for what their scripts say.
    pub packs: &'a [(&'a str, &'a Pack)],
    /// The kernel's own words.
    pub own: &'a Texts,
}

impl<'a> TextContext<'a> {
    /// Tells everything that is wrong with the words of packs.
    pub fn check(&self, words: &[PackText], problems: &mut Problems) {
        let mut named = BTreeSet::new();
        let tables = self.merged.kinds.values().flatten().chain(self.merged.singles.values());
        tables.for_each(|child| gather(&child.node, &mut named));
        let about = About { named, scripted: self.scripted(words), offered: self.offered(), gone: self.gone() };
        for text in words.iter().filter(|text| !about.scripted.contains(text.key.as_str())) {
            self.check_one(text, &about, problems);
        }
    }

    /// The keys that scripts say, with whatever arguments they like: they stand
    /// between quotes of one kind.
    fn scripted<'w>(&self, words: &'w [PackText]) -> BTreeSet<&'w str> {
        let keys: BTreeSet<&str> = words.iter().map(|text| text.key.as_str()).collect();
        let is_script = |name: &str| name.starts_with("hooks/") || name.starts_with("lib/");
        let scripts = self.packs.iter().flat_map(|(_, pack)| pack.files()).filter(|(name, _)| is_script(name));
        let quoted = scripts.flat_map(|(_, text)| ['"', '\'', '`'].into_iter().flat_map(|quote| text.split(quote)));
        quoted.filter_map(|quoted| keys.get(quoted).copied()).collect()
    }

    /// The texts with which reactions ask.
    fn offered(&self) -> BTreeSet<&'a str> {
        let text = |child: &'a TomlEntry| Some(child.node.as_table()?.get("text")?.node.as_text()?.text.as_str());
        self.merged.kind("reaction").iter().filter_map(text).collect()
    }

    /// What a later pack took away, or put another in its place, by kind and name.
    fn gone(&self) -> BTreeSet<(&str, &str)> {
        let is_gone = |deed: PatchOp| matches!(deed, PatchOp::Removed | PatchOp::Replaced);
        let gone = self.merged.layers.iter().filter(|note| is_gone(note.deed));
        gone.map(|note| (note.kind.as_str(), note.name.as_str())).collect()
    }

    fn check_one(&self, text: &PackText, about: &About<'_>, problems: &mut Problems) {
        let own = self.own.template(FALLBACK, &text.key).map(Template::arguments);
        let name = text.key.split_once('.').and_then(|(kind, name)| Some((kind_of(kind)?, name)));
        let is_named = about.named.contains(text.key.as_str());
        let filled: Vec<&str> = match (&own, name) {
            (Some(own), _) => CAST.iter().copied().chain(own.iter().copied()).collect(),
            (None, Some((kind, name))) if !is_named => {
                let is_rule = self.lexicon.find::<RuleId>(&text.key).is_some();
                if !is_rule && !about.was_there(kind, name) && !self.lexicon.has(kind, name) {
                    let problem = self.of_nothing(text, kind, name, problems);
                    return problems.push(problem);
                }
                Vec::new()
            }
            (None, _) if !is_named => return,
            (None, _) => {
                let actor = about.offered.contains(text.key.as_str()).then_some("actor");
                CAST.iter().copied().chain(actor).collect()
            }
        };
        unfilled(text, &filled, problems);
    }

    /// A key for a thing that there is not.
    fn of_nothing(&self, text: &PackText, kind: NameKind, name: &str, problems: &Problems) -> Problem {
        let word = kind.word();
        let names = self.lexicon.names(kind);
        let near = problems.nearest(text.place, name, names.iter().map(AsRef::as_ref));
        let help = near.map_or_else(|| "take it away".to_owned(), |near| format!("did you mean `{word}.{near}`?"));
        let message = format!("these are words for {word} `{name}`, which there is not");
        Problem::new("HR0608", text.place, message).label(format!("unknown {word}")).help(help)
    }
}

/// What is known of the keys of texts.
struct About<'a> {
    /// Texts in definitions.
    named: BTreeSet<&'a str>,
    scripted: BTreeSet<&'a str>,
    offered: BTreeSet<&'a str>,
    gone: BTreeSet<(&'a str, &'a str)>,
}

impl About<'_> {
    /// Whether a later pack took the thing away, or put another in its place.
    fn was_there(&self, kind: NameKind, name: &str) -> bool {
        let whole = name.split('.').next().unwrap_or(name);
        [name, whole].iter().any(|name| self.gone.contains(&(kind.word(), name)))
    }
}

/// So many arguments that nobody fills are told of one text.
const MOST_UNFILLED: usize = 10;

/// What stands in braces and nobody fills.
fn unfilled(text: &PackText, filled: &[&str], problems: &mut Problems) {
    let Ok(template) = Template::read(&text.text, text.span) else { return };
    let arguments = template.arguments();
    for argument in arguments.into_iter().filter(|argument| !filled.contains(argument)).take(MOST_UNFILLED) {
        let at = ["}", "|"].iter().find_map(|end| text.text.find(&format!("{{{argument}{end}")));
        let span = at.map_or(text.span, |at| text.span.within(at, at + argument.len() + 2));
        let names: Vec<String> = filled.iter().map(|name| format!("`{{{name}}}`")).collect();
        let help = match (problems.nearest(span, argument, filled.iter().copied()), names.is_empty()) {
            (Some(near), _) => format!("did you mean `{{{near}}}`?"),
            (None, true) => "write the name alone".to_owned(),
            (None, false) => format!("there is {}", names.join(", ")),
        };
        let message = format!("nobody fills `{{{argument}}}` in `{}`", text.key);
        problems.push(Problem::new("HR0607", span, message).help(help));
    }
}

fn kind_of(word: &str) -> Option<NameKind> {
    NameKind::ALL.iter().copied().find(|kind| kind.word() == word)
}

/// Every text in a definition, for among them are the keys that rules name.
fn gather<'n>(node: &'n TomlNode, into: &mut BTreeSet<&'n str>) {
    match &node.body {
        NodeKind::Text(phrase) => {
            into.insert(phrase.text.as_str());
        }
        NodeKind::Table(table) => table.children().into_iter().for_each(|child| gather(&child.node, into)),
        NodeKind::List(list) => list.iter().for_each(|node| gather(node, into)),
        _ => {}
    }
}
