//! Where definitions are read: names to ids, texts to formulas, with every
//! problem told.

use crate::error::{Problem, Sources};
use crate::event::Field;
use crate::expression::Mistake;
use crate::formula::Want;
use crate::ident::*;
use crate::pack::{Body, Deed, Fields, LayerNote, Merged, Node, Phrase};
use crate::ruleset::{Ruleset, Switch};
use crate::situation::Formula;
use crate::words::Words;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The names of running numbers, in their order.
pub type Locals = Vec<(Box<str>, Field)>;

/// What every reader needs.
pub struct Desk<'a> {
    /// The packs as one tree.
    pub merged: &'a Merged,
    /// All names.
    pub lexicon: Arc<Lexicon>,
    /// The choices of each house-rule switch.
    pub choices: Vec<Vec<Box<str>>>,
    /// The fields of each event.
    pub events: Vec<crate::event::EventShape>,
    /// Whether damage reaches any pool.
    pub deals: bool,
    /// Who took what away, by kind and name.
    pub removed: Removed,
}

/// Who took a definition away, in words, by its kind and name.
pub type Removed = BTreeMap<(String, String), String>;

/// Who removed what, and where.
#[must_use]
pub fn removed(layers: &[LayerNote], sources: &Sources) -> Removed {
    let whole = layers.iter().filter(|note| note.deed == Deed::Removed && note.path.is_empty());
    let told = |note: &LayerNote| {
        let (file, line) = (sources.name(note.span.file), sources.line_column(note.span).0);
        format!("removed by `{}`, in `{file}` line {line}", note.pack)
    };
    whole.map(|note| ((note.kind.clone(), note.name.clone()), told(note))).collect()
}

/// The way out where a name stands that a pack took away.
fn anew(kind: &str, name: &str, who: &str) -> String {
    format!("it was {who}; define it anew as `[{kind}.{name}]`, or take this away as well")
}

/// Running numbers that are all plain numbers.
pub fn numbers(names: &[&str]) -> Locals {
    names.iter().map(|name| ((*name).into(), Field::Number)).collect()
}

/// The numbers of a running check.
pub fn check_locals() -> Locals {
    numbers(&["natural", "total", "dc", "bonus", "margin", "given"])
}

impl<'a> Desk<'a> {
    /// A desk by the names of a finished ruleset, for what hosts write besides
    /// packs.
    #[must_use]
    pub fn of(rules: &Ruleset, merged: &'a Merged) -> Desk<'a> {
        let choices = |switch: &Switch| switch.choices.iter().map(|choice| rules.name(*choice).into()).collect();
        Desk {
            merged,
            lexicon: Arc::clone(&rules.lexicon),
            choices: rules.options.iter().map(|(_, switch)| choices(switch)).collect(),
            events: rules.events.iter().map(|(_, shape)| shape.clone()).collect(),
            deals: !rules.dealing.pools.is_empty(),
            removed: removed(&rules.layers, &rules.sources),
        }
    }
}

impl Desk<'_> {
    /// The id of a name that a pack uses; an unknown one is a problem.
    pub fn id<I: Id>(&self, phrase: &Phrase, problems: &mut Vec<Problem>) -> Option<I> {
        let found = self.lexicon.find(phrase);
        if found.is_none() {
            problems.push(self.unknown::<I>(phrase));
        }
        found
    }

    /// That a name is not known.
    pub fn unknown<I: Id>(&self, phrase: &Phrase) -> Problem {
        let word = I::KIND.word();
        let problem = Problem::new("HR0203", phrase.span, format!("there is no {word} `{}`", phrase.text));
        if let Some(who) = self.removed.get(&(word.to_owned(), phrase.text.clone())) {
            return problem.label(format!("a {word} no more")).help(anew(word, phrase, who));
        }
        let help = match self.lexicon.nearest::<I>(phrase) {
            Some(near) => format!("did you mean `{near}`?"),
            None => match I::KIND {
                Kind::Stage => format!("define it with `[damage.stage.{}]`", phrase.text),
                Kind::Degree => "add it to the `degrees` of a check".to_owned(),
                Kind::Text => format!("write `\"{}\" = \"…\"` in `text/en.toml`", phrase.text),
                Kind::Tag => format!("write `{} = \"what it means\"` under `[tag]`", phrase.text),
                Kind::Rule => "name a rule with its kind, as in `check.attack`".to_owned(),
                _ => format!("define it with `[{word}.{}]`", phrase.text),
            },
        };
        problem.label(format!("unknown {word}")).help(help)
    }

    /// The ids of several names.
    pub fn ids<I: Id>(&self, phrases: &[&Phrase], problems: &mut Vec<Problem>) -> Vec<I> {
        phrases.iter().filter_map(|phrase| self.id(phrase, problems)).collect()
    }

    /// Whether a condition has a value: it bounds it, or says what becomes of it.
    pub fn has_value(&self, condition: &str) -> Option<bool> {
        let defined = self.merged.kind("condition").iter().find(|child| child.name == condition)?;
        let table = defined.node.as_table()?;
        Some(table.get("value").or(table.get("again")).is_some())
    }

    /// The id of a rule by its full name, which is always known.
    pub fn rule(&self, name: &str) -> RuleId {
        self.lexicon.find(name).unwrap_or(RuleId::new(0))
    }

    /// The tags of a field, with all that they imply left to the freezing.
    pub fn tags(&self, f: &mut Fields<'_, '_>, key: &str) -> Set<TagId> {
        let phrases = f.texts(key);
        self.ids(&phrases, f.problems()).into_iter().collect()
    }

    /// A formula from a text or a plain number.
    pub fn formula(&self, node: &Node, want: Want, locals: &Locals, problems: &mut Vec<Problem>) -> Option<Formula> {
        let text = match &node.body {
            Body::Text(phrase) => phrase.text.clone(),
            Body::Int(number) if want != Want::YesNo => number.to_string(),
            Body::Yes(answer) if want == Want::YesNo => if *answer { "yes" } else { "no" }.to_owned(),
            Body::Broken => return None,
            _ => {
                let wanted = if want == Want::YesNo {
                    "a question such as `\"bearer has undead\"`"
                } else {
                    "a number or an expression"
                };
                problems.push(Problem::new(
                    "HR0203",
                    node.span,
                    format!("{} stands where {wanted} is expected", node.described()),
                ));
                return None;
            }
        };
        let words = Words { lexicon: &self.lexicon, locals, choices: &self.choices };
        match Formula::compile(&text, &words, want) {
            Ok(formula) => Some(formula),
            Err(mistakes) => {
                let told = |mistake: Mistake| self.with_remover(mistake).at(node.inner_span());
                problems.extend(mistakes.into_iter().map(told));
                None
            }
        }
    }

    /// A mistake over a name that a pack removed tells which did.
    fn with_remover(&self, mut mistake: Mistake) -> Mistake {
        let name = mistake.message.split('`').nth(1).unwrap_or_default();
        let gone = self.removed.iter().find(|((_, removed), _)| mistake.code == "HR0307" && removed == name);
        if let Some(((kind, name), who)) = gone {
            mistake.help = Some(anew(kind, name, who));
        }
        mistake
    }

    /// A formula of a field, if the field is there.
    pub fn field(&self, f: &mut Fields<'_, '_>, key: &str, want: Want, locals: &Locals) -> Option<Formula> {
        let node = f.node(key)?;
        self.formula(node, want, locals, f.problems())
    }

    /// The fields of an event, as running numbers.
    pub fn event_locals(&self, event: EventId) -> Locals {
        self.events.get(usize::from(event.number())).map(|shape| shape.fields.clone()).unwrap_or_default()
    }

    /// A shelf with one thing for each name of a kind, made from its definition.
    pub fn shelf<I: Id, T>(&self, mut make: impl FnMut(&str, Option<&Node>) -> T) -> Shelf<I, T> {
        let names = self.lexicon.names(I::KIND);
        let defined = self.merged.kind(I::KIND.word());
        let find = |name: &str| {
            let at = defined.binary_search_by(|child| child.name.as_str().cmp(name)).ok()?;
            defined.get(at).map(|child| &child.node)
        };
        let things = names.iter().map(|name| make(name, find(name))).collect();
        Shelf::new(things)
    }
}
