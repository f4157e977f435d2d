//! The words that formulas may use, and what each reads.

use crate::event::FieldType;
use crate::expression::{ExprKind, parse};
use crate::formula::{self, UnknownName, Vocabulary};
use crate::ident::*;
use crate::situation::{Variable, Who};

/// The number by which fields and formulas hold a name of some kind.
#[must_use]
pub fn number_of(lexicon: &Lexicon, kind: NameKind, name: &str) -> Option<i32> {
    let place = lexicon.names(kind).binary_search_by(|known| known.as_ref().cmp(name)).ok()?;
    i32::try_from(place).ok()
}

/// The name that a number stands for in a field of some kind.
#[must_use]
pub fn name_of(lexicon: &Lexicon, kind: NameKind, number: i32) -> Option<Box<str>> {
    lexicon.names(kind).get(usize::try_from(number).ok()?).cloned()
}

/// Variables of the expression language that no stat or pool may take.
const RESERVED: [&str; 11] =
    ["round", "own_turn", "in_encounter", "heading", "fact", "option", "count", "note", "condition", "yes", "no"];

/// Whether a name of this kind would be read as something else wherever an
/// expression says it: as a word of the language, a function or dice.
#[must_use]
pub fn is_taken(kind: NameKind, name: &str) -> bool {
    match kind {
        NameKind::Stat | NameKind::Pool => {
            RESERVED.contains(&name)
                || Who::find(name).is_some()
                || formula::is_function(name)
                || !is_read_as_name(name)
        }
        NameKind::Tag | NameKind::Condition => parse(&format!("bearer has {name}")).is_err(),
        NameKind::Chart => formula::is_function(name) || !is_read_as_name(name),
        NameKind::View => name == "max",
        _ => false,
    }
}

fn is_read_as_name(word: &str) -> bool {
    parse(word).is_ok_and(|read| matches!(read.root().what, ExprKind::Name))
}

/// The words in force at one place of a pack.
#[derive(Clone, Copy)]
pub struct Variables<'a> {
    /// All names.
    pub lexicon: &'a Lexicon,
    /// The running numbers, in their order.
    pub locals: &'a [(Box<str>, FieldType)],
    /// The choices of each house-rule switch, by its number.
    pub choices: &'a [Vec<Box<str>>],
}

/// Whom a word of two means besides its subject, such as `target` in `is_target`.
fn between(word: &str, prefix: &str) -> Option<Who> {
    word.strip_prefix(prefix).and_then(Who::find)
}

type NameResult = Result<(Variable, formula::ValueType), UnknownName>;

impl Variables<'_> {
    fn plain(&self, who: Who, name: &str) -> Option<(Variable, formula::ValueType)> {
        let stat = self.lexicon.find(name).map(|stat| Variable::Stat(who, stat, None));
        let number = stat.or_else(|| self.lexicon.find(name).map(|pool| Variable::Pool(who, pool)));
        let number = number.or_else(|| between(name, "feet_to_").map(|other| Variable::Feet(who, other)));
        let number = number.or_else(|| (name == "heading").then_some(Variable::Heading(who)));
        let same = || between(name, "is_").map(|other| Variable::Same(who, other));
        let ally = || between(name, "ally_of_").map(|other| Variable::Ally(who, other));
        let own_turn = || (name == "own_turn").then_some(Variable::OwnTurn(who));
        let answer = || own_turn().or_else(same).or_else(ally).map(|slot| (slot, formula::ValueType::YesNo));
        number.map(|slot| (slot, formula::ValueType::Number)).or_else(answer)
    }

    fn clock(name: &str) -> Option<(Variable, formula::ValueType)> {
        match name {
            "round" => Some((Variable::Round, formula::ValueType::Number)),
            "in_encounter" => Some((Variable::InEncounter, formula::ValueType::YesNo)),
            _ => None,
        }
    }

    fn local(&self, name: &str) -> Option<(Variable, formula::ValueType)> {
        let at = self.locals.iter().position(|(local, _)| &**local == name)?;
        let (_, field) = self.locals.get(at)?;
        let kind = match field {
            FieldType::Number => formula::ValueType::Number,
            FieldType::YesNo => formula::ValueType::YesNo,
            FieldType::Name(_) => formula::ValueType::Name,
            FieldType::Entity => return None,
        };
        Some((Variable::Local(u8::try_from(at).ok()?), kind))
    }

    fn pair(&self, who: Option<Who>, first: &str, second: &str) -> NameResult {
        let bearer = who.unwrap_or(Who::Bearer);
        let number = |slot: Option<Variable>| slot.map(|slot| (slot, formula::ValueType::Number));
        let found = match first {
            "count" => number(self.lexicon.find(second).map(|count| Variable::Count(bearer, count))),
            "note" => number(self.lexicon.find(second).map(|note| Variable::Note(who, note))),
            "condition" => number(self.lexicon.find(second).map(|condition| Variable::Condition(bearer, condition))),
            "fact" if who.is_none() => number(self.lexicon.find(second).map(Variable::Fact)),
            "option" if who.is_none() => return self.option(second),
            _ if second == "max" => number(self.lexicon.find(first).map(|pool| Variable::PoolMax(bearer, pool))),
            _ => number(self.viewed(bearer, first, second)),
        };
        found.ok_or_else(|| self.unknown_pair(first, second))
    }

    fn viewed(&self, who: Who, stat: &str, view: &str) -> Option<Variable> {
        Some(Variable::Stat(who, self.lexicon.find(stat)?, Some(self.lexicon.find(view)?)))
    }

    fn option(&self, name: &str) -> NameResult {
        let option: OptionId = self.lexicon.find(name).ok_or_else(|| self.unknown::<OptionId>(name))?;
        let named = self.choices.get(usize::from(option.number())).is_some_and(|choices| !choices.is_empty());
        Ok((Variable::Option(option), if named { formula::ValueType::Name } else { formula::ValueType::Number }))
    }

    fn unknown<I: Id>(&self, name: &str) -> UnknownName {
        let word = I::KIND.word();
        let help = self.lexicon.nearest::<I>(name).map(|near| format!("did you mean `{near}`?"));
        UnknownName { message: format!("there is no {word} `{name}`"), help }
    }

    fn unknown_pair(&self, first: &str, second: &str) -> UnknownName {
        match first {
            "count" => self.unknown::<CountId>(second),
            "note" => self.unknown::<NoteId>(second),
            "condition" => self.unknown::<ConditionId>(second),
            "fact" => self.unknown::<FactId>(second),
            _ if self.lexicon.find::<StatId>(first).is_some() => self.unknown::<ViewId>(second),
            _ => self.unknown_word(first),
        }
    }

    /// A word that is nothing here, with the nearest that is something.
    fn unknown_word(&self, name: &str) -> UnknownName {
        const OTHERS: [&str; 8] = ["round", "in_encounter", "own_turn", "fact", "option", "count", "note", "condition"];
        let (stats, pools) = (self.lexicon.names(NameKind::Stat), self.lexicon.names(NameKind::Pool));
        let known = stats.iter().chain(pools.iter()).chain(self.locals.iter().map(|(local, _)| local));
        let words = Who::WORDS.iter().map(|(word, _)| *word);
        let known = known.map(AsRef::as_ref).chain(OTHERS).chain(words);
        let help = self.lexicon.nearest_of(name, known).map(|near| format!("did you mean `{near}`?"));
        UnknownName { message: format!("`{name}` is no stat, pool or word that is known here"), help }
    }

    fn had(&self, who: Who, name: &str) -> Result<Variable, UnknownName> {
        let tag = self.lexicon.find(name).map(|tag| Variable::Tagged(who, tag));
        let condition = || self.lexicon.find(name).map(|condition| Variable::Bears(who, condition));
        tag.or_else(condition).ok_or_else(|| {
            let near = self.lexicon.nearest::<TagId>(name).or_else(|| self.lexicon.nearest::<ConditionId>(name));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            UnknownName { message: format!("there is no tag or condition `{name}`"), help }
        })
    }

    fn had_toward(&self, subject: &[&str], name: &str, toward: &str) -> Result<Variable, UnknownName> {
        let somebody = |word: &str| {
            let words: Vec<String> = Who::WORDS.iter().map(|(word, _)| format!("`{word}`")).collect();
            Who::find(word).ok_or_else(|| UnknownName {
                message: format!("`{word}` is nobody whom a condition could be borne by or toward"),
                help: Some(format!("say one of {}", words.join(", "))),
            })
        };
        let condition: ConditionId = self.lexicon.find(name).ok_or_else(|| self.unknown::<ConditionId>(name))?;
        Ok(Variable::BearsToward(somebody(&subject.join("."))?, condition, somebody(toward)?))
    }
}

impl Vocabulary for Variables<'_> {
    type Slot = Variable;

    fn name(&self, path: &[&str]) -> NameResult {
        let who = path.first().and_then(|word| Who::find(word));
        match (who, path) {
            (Some(who), [_, name]) => self.plain(who, name).ok_or_else(|| self.unknown_word(name)),
            (Some(who), [_, first, second]) => self.pair(Some(who), first, second),
            (None, [name]) => {
                let found = self.local(name).or_else(|| self.plain(Who::Bearer, name)).or_else(|| Self::clock(name));
                found.ok_or_else(|| self.unknown_word(name))
            }
            (None, [first, second]) => self.pair(None, first, second),
            (Some(who), [_]) => Err(UnknownName {
                message: format!("`{}` is somebody, not a number", who.word()),
                help: Some(format!(
                    "read something of it, such as `{}.level`, or ask what it has with `has`",
                    who.word()
                )),
            }),
            _ => Err(self.unknown_word(&path.join("."))),
        }
    }

    fn has(&self, subject: &[&str], name: &str, toward: Option<&str>) -> Result<Variable, UnknownName> {
        if let Some(toward) = toward {
            return self.had_toward(subject, name, toward);
        }
        let tag = || self.lexicon.find(name).ok_or_else(|| self.unknown::<TagId>(name));
        match subject {
            ["damage"] => Ok(Variable::DamageTagged(tag()?)),
            ["action"] => Ok(Variable::ActionTagged(tag()?)),
            [word] => match Who::find(word) {
                Some(who) => self.had(who, name),
                None => Err(UnknownName {
                    message: format!("`{word}` is nobody who could have `{name}`"),
                    help: Some(
                        "ask about `bearer`, `actor`, `target`, `item`, `other`, `source`, `holder`, `owner`, `toward`, `damage` or `action`"
                            .into(),
                    ),
                }),
            },
            _ => Err(self.unknown_word(&subject.join("."))),
        }
    }

    fn symbol(&self, of: Variable, name: &str) -> Result<i64, UnknownName> {
        let unknown = |known: &[Box<str>]| UnknownName {
            message: format!("`{name}` is not among its names"),
            help: Some(format!(
                "it is one of {}",
                known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            )),
        };
        match of {
            Variable::Option(option) => {
                let choices = self.choices.get(usize::from(option.number())).map_or(&[][..], Vec::as_slice);
                let at = choices.iter().position(|choice| &**choice == name).ok_or_else(|| unknown(choices))?;
                Ok(i64::try_from(at).unwrap_or(0))
            }
            Variable::Local(at) => match self.locals.get(usize::from(at)) {
                Some((_, FieldType::Name(kind))) => number_of(self.lexicon, *kind, name)
                    .map(i64::from)
                    .ok_or_else(|| unknown_of(self.lexicon, *kind, name)),
                _ => Err(unknown(&[])),
            },
            _ => Err(unknown(&[])),
        }
    }

    fn table(&self, name: &str) -> Result<u16, UnknownName> {
        self.lexicon.find(name).map(ChartId::number).ok_or_else(|| self.unknown::<ChartId>(name))
    }

    fn label(&self, name: &str) -> Result<u16, UnknownName> {
        self.lexicon.find(name).map(TagId::number).ok_or_else(|| self.unknown::<TagId>(name))
    }
}

fn unknown_of(lexicon: &Lexicon, kind: NameKind, name: &str) -> UnknownName {
    let names = lexicon.names(kind);
    let near = lexicon.nearest_of(name, names.iter().map(AsRef::as_ref));
    UnknownName {
        message: format!("there is no {} `{name}`", kind.word()),
        help: near.map(|near| format!("did you mean `{near}`?")),
    }
}
