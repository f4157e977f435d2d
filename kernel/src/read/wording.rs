//! Holds the words for people against what there is to say: who fills what
//! stands in braces, and what there is that a key names.

use crate::error::{Problem, Span, nearest};
use crate::ident::{Kind, Lexicon, RuleId};
use crate::pack::{Body, Deed, Merged, Node, Pack};
use crate::text::{FALLBACK, Template, Texts};
use std::collections::BTreeSet;

/// Who and what every line of a rule may name.
const CAST: [&str; 4] = ["who", "target", "item", "source"];

/// One text of a pack.
pub struct Worded {
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
pub struct Wording<'a> {
    /// All definitions.
    pub merged: &'a Merged,
    /// All names.
    pub lexicon: &'a Lexicon,
    /// The packs, for what their scripts say.
    pub packs: &'a [(&'a str, &'a Pack)],
    /// The kernel's own words.
    pub own: &'a Texts,
}

impl Wording<'_> {
    /// Everything that is wrong with the words of packs.
    pub fn problems(&self, words: &[Worded]) -> Vec<Problem> {
        let mut named = BTreeSet::new();
        let tables = self.merged.kinds.values().flatten().chain(self.merged.singles.values());
        tables.for_each(|child| gather(&child.node, &mut named));
        words.iter().filter(|text| !self.is_scripted(&text.key)).flat_map(|text| self.of_one(text, &named)).collect()
    }

    /// Whether a script says it, with whatever arguments it likes.
    fn is_scripted(&self, key: &str) -> bool {
        let quoted = [format!("\"{key}\""), format!("'{key}'"), format!("`{key}`")];
        let is_script = |name: &str| name.starts_with("hooks/") || name.starts_with("lib/");
        let mut scripts = self.packs.iter().flat_map(|(_, pack)| pack.files()).filter(|(name, _)| is_script(name));
        scripts.any(|(_, text)| quoted.iter().any(|quoted| text.contains(quoted)))
    }

    fn of_one(&self, text: &Worded, named: &BTreeSet<&str>) -> Vec<Problem> {
        let own = self.own.template(FALLBACK, &text.key).map(Template::arguments);
        let name = text.key.split_once('.').and_then(|(kind, name)| Some((kind_of(kind)?, name)));
        let is_named = named.contains(text.key.as_str());
        let filled: Vec<&str> = match (&own, name) {
            (Some(own), _) => CAST.iter().copied().chain(own.iter().copied()).collect(),
            (None, Some((kind, name))) if !is_named => {
                let is_rule = self.lexicon.find::<RuleId>(&text.key).is_some();
                if !is_rule
                    && !self.was_there(kind, name)
                    && !self.lexicon.names(kind).iter().any(|known| **known == *name)
                {
                    return vec![self.of_nothing(text, kind, name)];
                }
                Vec::new()
            }
            (None, _) if !is_named => return Vec::new(),
            (None, _) => CAST.iter().copied().chain(self.is_offered(&text.key).then_some("actor")).collect(),
        };
        unfilled(text, &filled)
    }

    /// Whether a later pack took the thing away, or put another in its place.
    fn was_there(&self, kind: Kind, name: &str) -> bool {
        let whole = name.split('.').next().unwrap_or(name);
        self.merged.layers.iter().any(|note| {
            let is_of = note.kind == kind.word() && (note.name == name || note.name == whole);
            is_of && matches!(note.deed, Deed::Removed | Deed::Replaced)
        })
    }

    /// A key for a thing that there is not.
    fn of_nothing(&self, text: &Worded, kind: Kind, name: &str) -> Problem {
        let word = kind.word();
        let names = self.lexicon.names(kind);
        let near = nearest(name, names.iter().map(AsRef::as_ref));
        let help = near.map_or_else(|| "take it away".to_owned(), |near| format!("did you mean `{word}.{near}`?"));
        let message = format!("these are words for {word} `{name}`, which there is not");
        Problem::new("HR0608", text.place, message).label(format!("unknown {word}")).help(help)
    }

    /// Whether a reaction asks with this text.
    fn is_offered(&self, key: &str) -> bool {
        let asks = |node: &Node| node.as_table()?.get("text")?.node.as_text().map(|text| text.text == key);
        self.merged.kind("reaction").iter().any(|child| asks(&child.node) == Some(true))
    }
}

/// What stands in braces and nobody fills.
fn unfilled(text: &Worded, filled: &[&str]) -> Vec<Problem> {
    let Ok(template) = Template::read(&text.text, text.span) else { return Vec::new() };
    let told = |argument: &str| {
        let at = ["}", "|"].iter().find_map(|end| text.text.find(&format!("{{{argument}{end}")));
        let span = at.map_or(text.span, |at| text.span.within(at, at + argument.len() + 2));
        let names: Vec<String> = filled.iter().map(|name| format!("`{{{name}}}`")).collect();
        let help = match (nearest(argument, filled.iter().copied()), names.is_empty()) {
            (Some(near), _) => format!("did you mean `{{{near}}}`?"),
            (None, true) => "write the name alone".to_owned(),
            (None, false) => format!("there is {}", names.join(", ")),
        };
        Problem::new("HR0607", span, format!("nobody fills `{{{argument}}}` in `{}`", text.key)).help(help)
    };
    template.arguments().into_iter().filter(|argument| !filled.contains(argument)).map(told).collect()
}

fn kind_of(word: &str) -> Option<Kind> {
    Kind::ALL.iter().copied().find(|kind| kind.word() == word)
}

/// Every text in a definition, for among them are the keys that rules name.
fn gather<'n>(node: &'n Node, into: &mut BTreeSet<&'n str>) {
    match &node.body {
        Body::Text(phrase) => {
            into.insert(phrase.text.as_str());
        }
        Body::Table(table) => table.children().into_iter().for_each(|child| gather(&child.node, into)),
        Body::List(list) => list.iter().for_each(|node| gather(node, into)),
        _ => {}
    }
}
