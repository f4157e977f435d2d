//! Where definitions are read: names to ids, texts to formulas, with every
//! problem told.

use crate::pack::limits::{MOST_BYTES_OF_FORMULAS, MOST_TAKEN_OVER};
use crate::pack::{FieldReader, Merged, NodeKind, Spanned, TomlNode};
use crate::problems::Problems;
use houserule_kernel::error::{Problem, Sources, Span};
use houserule_kernel::event::FieldType;
use houserule_kernel::expression::ParseError;
use houserule_kernel::formula::ExpectedType;
use houserule_kernel::ident::*;
use houserule_kernel::layer::{LayerNote, PatchOp};
use houserule_kernel::ruleset::{Ruleset, Switch};
use houserule_kernel::situation::Formula;
use houserule_kernel::variables::Variables;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The names of running numbers, in their order.
pub type Locals = Vec<(Box<str>, FieldType)>;

/// What every reader needs.
pub struct LoadContext<'a> {
    /// The packs as one tree.
    pub merged: &'a Merged,
    /// All names.
    pub lexicon: Arc<Lexicon>,
    /// The choices of each house-rule switch.
    pub choices: Vec<Vec<Box<str>>>,
    /// The fields of each event.
    pub events: Vec<houserule_kernel::event::EventShape>,
    /// Whether damage reaches any pool.
    pub deals: bool,
    /// Who took what away, by name and kind.
    pub removed: Removed,
    /// The stats that bear each tag.
    pub tagged: Tagged,
    /// Some scripts could not be heard: nobody knows which hooks there are.
    pub deaf: bool,
    /// The same names, for problems that are only counted.
    pub terse: Lexicon,
    /// How much room is used.
    pub spent: Spent,
}

/// The names of stats, by a tag that they bear.
pub type Tagged = BTreeMap<String, Vec<String>>;

/// What definitions have grown to while they are read.
#[derive(Debug, Default)]
pub struct Spent {
    formulas: Cell<usize>,
    taken_over: Cell<usize>,
}

/// Who took a definition away, in words, by its name and kind.
pub type Removed = BTreeMap<(String, String), String>;

/// Who removed what, and where.
#[must_use]
pub fn removed(layers: &[LayerNote], sources: &Sources) -> Removed {
    let whole = layers.iter().filter(|note| note.deed == PatchOp::Removed && note.path.is_empty());
    let told = |note: &LayerNote| {
        let (file, line) = (sources.name(note.span.file), sources.line(note.span));
        format!("removed by `{}`, in `{file}` line {line}", note.pack)
    };
    whole.map(|note| ((note.name.clone(), note.kind.clone()), told(note))).collect()
}

/// The stats that bear each tag by their definitions.
#[must_use]
pub fn tagged(merged: &Merged) -> Tagged {
    let mut tagged = Tagged::new();
    for stat in merged.kind("stat") {
        for tag in
            stat.node.as_table().and_then(|table| table.get("tags")).into_iter().flat_map(|tags| texts(&tags.node))
        {
            tagged.entry(tag.text.clone()).or_default().push(stat.name.clone());
        }
    }
    tagged.values_mut().for_each(Vec::dedup);
    tagged
}

/// The texts of a list, or the one text.
#[must_use]
pub fn texts(node: &TomlNode) -> Vec<&Spanned> {
    match &node.body {
        NodeKind::List(list) => list.iter().filter_map(TomlNode::as_text).collect(),
        _ => node.as_text().into_iter().collect(),
    }
}

/// The way out where a name stands that a pack took away.
fn anew(kind: &str, name: &str, who: &str) -> String {
    format!("it was {who}; define it anew as `[{kind}.{name}]`, or take this away as well")
}

/// Running numbers that are all plain numbers.
pub fn numbers(names: &[&str]) -> Locals {
    names.iter().map(|name| ((*name).into(), FieldType::Number)).collect()
}

/// The numbers of a running check.
pub fn check_locals() -> Locals {
    numbers(&["natural", "total", "dc", "bonus", "margin", "given"])
}

impl<'a> LoadContext<'a> {
    /// A desk by the names of a finished ruleset, for what hosts write besides
    /// packs.
    #[must_use]
    pub fn of(rules: &Ruleset, merged: &'a Merged) -> LoadContext<'a> {
        let choices = |switch: &Switch| switch.choices.iter().map(|choice| rules.name(*choice).into()).collect();
        LoadContext {
            merged,
            lexicon: Arc::clone(&rules.lexicon),
            choices: rules.options.iter().map(|(_, switch)| choices(switch)).collect(),
            events: rules.events.iter().map(|(_, shape)| shape.clone()).collect(),
            deals: !rules.dealing.pools.is_empty(),
            removed: removed(&rules.layers, &rules.sources),
            tagged: Tagged::new(),
            deaf: false,
            terse: rules.lexicon.terse(),
            spent: Spent::default(),
        }
    }
}

impl LoadContext<'_> {
    /// The id of a name that a pack uses; an unknown one is a problem.
    pub fn id<I: Id>(&self, phrase: &Spanned, problems: &mut Problems) -> Option<I> {
        let found = self.lexicon.find(phrase);
        if found.is_none() {
            self.tell_unknown::<I>(phrase, problems);
        }
        found
    }

    /// Tells that a name is not known, unless it is that of a hook, and nobody
    /// knows those.
    pub fn tell_unknown<I: Id>(&self, phrase: &Spanned, problems: &mut Problems) {
        let is_of_hook = I::KIND == NameKind::Hook || I::KIND == NameKind::Rule && phrase.text.starts_with("hook.");
        if !self.deaf || !is_of_hook {
            problems.push(self.unknown::<I>(phrase, problems.is_full(phrase.span.file)));
        }
    }

    /// Takes room for lines that something takes over from elsewhere; tells it
    /// once if there is none.
    pub fn take_over(&self, lines: usize, what: &str, span: Span, problems: &mut Problems) -> bool {
        let told =
            || format!("with `{what}` definitions take over more than {MOST_TAKEN_OVER} lines from what they are like");
        room(&self.spent.taken_over, lines, MOST_TAKEN_OVER, told, span, problems)
    }

    fn write_formula(&self, bytes: usize, span: Span, problems: &mut Problems) -> bool {
        let told = || format!("the packs have more than {MOST_BYTES_OF_FORMULAS} bytes of expressions");
        room(&self.spent.formulas, bytes, MOST_BYTES_OF_FORMULAS, told, span, problems)
    }

    /// That a name is not known; in few words, where it will only be counted.
    fn unknown<I: Id>(&self, phrase: &Spanned, terse: bool) -> Problem {
        let word = I::KIND.word();
        let problem = Problem::new("HR0203", phrase.span, format!("there is no {word} `{}`", phrase.text));
        if terse {
            return problem;
        }
        if let Some(who) = self.removed.get(&(phrase.text.clone(), word.to_owned())) {
            return problem.label(format!("a {word} no more")).help(anew(word, phrase, who));
        }
        let help = match self.lexicon.nearest::<I>(phrase) {
            Some(near) => format!("did you mean `{near}`?"),
            None => match I::KIND {
                NameKind::Stage => format!("define it with `[damage.stage.{}]`", phrase.text),
                NameKind::Degree => "add it to the `degrees` of a check".to_owned(),
                NameKind::Text => format!("write `\"{}\" = \"…\"` in `text/en.toml`", phrase.text),
                NameKind::Tag => format!("write `{} = \"what it means\"` under `[tag]`", phrase.text),
                NameKind::Rule => "name a rule with its kind, as in `check.attack`".to_owned(),
                _ => format!("define it with `[{word}.{}]`", phrase.text),
            },
        };
        problem.label(format!("unknown {word}")).help(help)
    }

    /// The ids of several names.
    pub fn ids<I: Id>(&self, phrases: &[&Spanned], problems: &mut Problems) -> Vec<I> {
        phrases.iter().filter_map(|phrase| self.id(phrase, problems)).collect()
    }

    /// Whether a condition has a value: it bounds it, or says what becomes of it.
    pub fn has_value(&self, condition: &str) -> Option<bool> {
        let table = self.merged.find("condition", condition)?.node.as_table()?;
        Some(table.get("value").or(table.get("again")).is_some())
    }

    /// The id of a rule by its full name, which is always known.
    pub fn rule(&self, name: &str) -> RuleId {
        self.lexicon.find(name).unwrap_or(RuleId::new(0))
    }

    /// The tags of a field, with all that they imply left to the freezing.
    pub fn tags(&self, f: &mut FieldReader<'_, '_>, key: &str) -> IdSet<TagId> {
        let phrases = f.texts(key);
        self.ids(&phrases, f.problems()).into_iter().collect()
    }

    /// A formula from a text or a plain number.
    pub fn formula(
        &self,
        node: &TomlNode,
        want: ExpectedType,
        locals: &Locals,
        problems: &mut Problems,
    ) -> Option<Formula> {
        let text = match &node.body {
            NodeKind::Text(phrase) => phrase.text.clone(),
            NodeKind::Int(number) if want != ExpectedType::YesNo => number.to_string(),
            NodeKind::Yes(answer) if want == ExpectedType::YesNo => if *answer { "yes" } else { "no" }.to_owned(),
            NodeKind::Broken => return None,
            _ => {
                let wanted = if want == ExpectedType::YesNo {
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
        if !self.write_formula(text.len(), node.span, problems) {
            return None;
        }
        let terse = problems.is_full(node.span.file);
        let lexicon = if terse { &self.terse } else { &self.lexicon };
        let words = Variables { lexicon, locals, choices: &self.choices };
        match Formula::compile(&text, &words, want) {
            Ok(formula) => Some(formula),
            Err(mistakes) => {
                let told = |mistake: ParseError| self.with_remover(mistake, terse).at(node.inner_span());
                problems.extend(mistakes.into_iter().map(told));
                None
            }
        }
    }

    /// A mistake over a name that a pack removed tells which did.
    fn with_remover(&self, mut mistake: ParseError, terse: bool) -> ParseError {
        if terse || mistake.code != "HR0307" {
            return mistake;
        }
        let name = mistake.message.split('`').nth(1).unwrap_or_default().to_owned();
        let gone = self.removed.range((name.clone(), String::new())..).next();
        if let Some(((_, kind), who)) = gone.filter(|((removed, _), _)| *removed == name) {
            mistake.help = Some(anew(kind, &name, who));
        }
        mistake
    }

    /// A formula of a field, if the field is there.
    pub fn field(
        &self,
        f: &mut FieldReader<'_, '_>,
        key: &str,
        want: ExpectedType,
        locals: &Locals,
    ) -> Option<Formula> {
        let node = f.node(key)?;
        self.formula(node, want, locals, f.problems())
    }

    /// The fields of an event, as running numbers.
    pub fn event_locals(&self, event: EventId) -> Locals {
        self.events.get(usize::from(event.number())).map(|shape| shape.fields.clone()).unwrap_or_default()
    }

    /// A shelf with one thing for each name of a kind, made from its definition.
    pub fn shelf<I: Id, T>(&self, mut make: impl FnMut(&str, Option<&TomlNode>) -> T) -> IdVec<I, T> {
        let names = self.lexicon.names(I::KIND);
        let find = |name: &str| self.merged.find(I::KIND.word(), name).map(|child| &child.node);
        let things = names.iter().map(|name| make(name, find(name))).collect();
        IdVec::new(things)
    }
}

/// Takes room for something; what passes the most is told the first time.
fn room(
    used: &Cell<usize>,
    more: usize,
    most: usize,
    told: impl FnOnce() -> String,
    span: Span,
    problems: &mut Problems,
) -> bool {
    let before = used.get();
    used.set(before.saturating_add(more));
    if before <= most && used.get() > most {
        let problem = Problem::new("HR0135", span, told());
        problems.push(problem.help("write fewer or shorter ones, or leave a pack away"));
    }
    used.get() <= most
}
