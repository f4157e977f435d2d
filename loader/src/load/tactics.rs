//! Reads tactics: how somebody acts whom nobody plays.

use super::context::{LoadContext, Locals};
use crate::pack::{FieldReader, Merged, Spanned, TomlEntry};
use crate::problems::Problems;
use houserule_kernel::error::Problem;
use houserule_kernel::formula::ExpectedType;
use houserule_kernel::ident::{ActionId, ItemId, Lexicon, NameKind, TagId};
use houserule_kernel::ruleset::Ruleset;
use houserule_kernel::tactic::{Preference, Tactic, TargetChoice};

const AIMS: [(&str, TargetChoice); 6] = [
    ("none", TargetChoice::Nobody),
    ("self", TargetChoice::Oneself),
    ("nearest_foe", TargetChoice::NearestFoe),
    ("weakest_foe", TargetChoice::WeakestFoe),
    ("nearest_ally", TargetChoice::NearestAlly),
    ("weakest_ally", TargetChoice::WeakestAlly),
];

/// Reads `[tactic.NAME]` by the names of a ruleset.
pub fn read_tactic(rules: &Ruleset, child: &TomlEntry, problems: &mut Problems) -> Tactic {
    let merged = Merged::default();
    let desk = LoadContext::of(rules, &merged);
    let mut f = FieldReader::open(&child.node, format!("tactic `{}`", child.name), problems);
    f.text("about");
    let list = f.list("prefer");
    let prefer = list.iter().filter_map(|node| preference(&desk, f.inside(node, "a preference"))).collect();
    f.close();
    Tactic { prefer }
}

fn preference(desk: &LoadContext<'_>, mut f: FieldReader<'_, '_>) -> Option<Preference> {
    let action = f.required_text("do").filter(|phrase| desk.id::<ActionId>(phrase, f.problems()).is_some());
    let action = action.map(|phrase| phrase.text.clone());
    let item = f.text("with").and_then(|phrase| held(desk, phrase, f.problems()));
    let and = f.text("and").and_then(|phrase| held(desk, phrase, f.problems()));
    let when = desk.field(&mut f, "when", ExpectedType::YesNo, &Locals::new());
    let aim = f
        .one_of("target", &AIMS.map(|(word, _)| word))
        .and_then(|at| AIMS.get(at))
        .map_or(TargetChoice::Nobody, |(_, aim)| *aim);
    f.close();
    Some(Preference { action: action?, item, and, aim, when })
}

/// What an item is meant by: its name or one of its tags.
fn held(desk: &LoadContext<'_>, phrase: &Spanned, problems: &mut Problems) -> Option<String> {
    item_or_tag(&desk.lexicon, phrase, problems).then(|| phrase.text.clone())
}

/// Whether this is the name of an item or a tag; if not, it is told.
pub fn item_or_tag(lexicon: &Lexicon, phrase: &Spanned, problems: &mut Problems) -> bool {
    let known = lexicon.find::<ItemId>(phrase).is_some() || lexicon.find::<TagId>(phrase).is_some();
    if !known {
        let near = lexicon.nearest::<ItemId>(phrase).or_else(|| lexicon.nearest::<TagId>(phrase)).map(str::to_owned);
        let help = match near.or_else(|| longer(lexicon, phrase)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name an item, or a tag of items".to_owned(),
        };
        let message = format!("there is no item and no tag `{}`", phrase.text);
        problems.push(Problem::new("HR0203", phrase.span, message).label("unknown item").help(help));
    }
    known
}

/// The shortest name of an item that this word ends, as `standard_longsword`.
fn longer(lexicon: &Lexicon, word: &str) -> Option<String> {
    let items = lexicon.names(NameKind::Item);
    let ends = items.iter().filter(|item| item.strip_suffix(word).is_some_and(|before| before.ends_with('_')));
    ends.min_by_key(|item| item.len()).map(|item| item.to_string())
}
