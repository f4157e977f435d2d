//! What a script hands to a word of the host, checked against what the word takes, and what it gets back.

use crate::api::{Arg, Type, Word};
use crate::scalar::{ConversionError, described};
use houserule_kernel::error::nearest;
use houserule_kernel::ident::EntityId;
use houserule_kernel::resolve::ScriptRoll;
use houserule_kernel::script::Scalar;
use smallvec::SmallVec;

/// Names with what they stand for.
pub type NamedScalars = Vec<(Box<str>, Scalar)>;

/// One value on its way between a script and a word of the host.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptValue {
    /// A number, yes or no, name, entity, or nothing.
    One(Scalar),
    /// A list.
    List(Vec<Scalar>),
    /// A table of names.
    Table(NamedScalars),
    /// The event whose hook runs.
    Event,
    /// What was rolled.
    Roll(ScriptRoll),
}

impl ScriptValue {
    /// Nothing.
    pub const NOTHING: ScriptValue = ScriptValue::One(Scalar::Nothing);

    /// An entity, or nothing.
    #[must_use]
    pub fn entity(who: Option<EntityId>) -> ScriptValue {
        ScriptValue::One(who.map_or(Scalar::Nothing, |who| Scalar::Entity(who.0)))
    }

    fn described(&self) -> &'static str {
        match self {
            ScriptValue::One(one) => described(one),
            ScriptValue::List(_) => "a list",
            ScriptValue::Table(_) => "a table",
            ScriptValue::Event => "the event",
            ScriptValue::Roll(_) => "a roll",
        }
    }
}

impl From<i32> for ScriptValue {
    fn from(number: i32) -> ScriptValue {
        ScriptValue::One(Scalar::Number(number))
    }
}

impl From<bool> for ScriptValue {
    fn from(answer: bool) -> ScriptValue {
        ScriptValue::One(Scalar::YesNo(answer))
    }
}

impl From<&str> for ScriptValue {
    fn from(name: &str) -> ScriptValue {
        ScriptValue::One(Scalar::Name(name.into()))
    }
}

/// What a word was given, the one it is said to first. It fits what the word takes.
#[derive(Clone, Debug, Default)]
pub struct WordArguments(SmallVec<[ScriptValue; 4]>);

impl WordArguments {
    /// The value in a place from 0, if it was given.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<&ScriptValue> {
        self.0.get(at).filter(|value| **value != ScriptValue::NOTHING)
    }

    /// The entity in a place; the table itself if there is none.
    #[must_use]
    pub fn who(&self, at: usize) -> EntityId {
        self.maybe_who(at).unwrap_or(EntityId::TABLE)
    }

    /// The entity in a place, if there is one.
    #[must_use]
    pub fn maybe_who(&self, at: usize) -> Option<EntityId> {
        match self.get(at) {
            Some(ScriptValue::One(Scalar::Entity(who))) => Some(EntityId(*who)),
            _ => None,
        }
    }

    /// The number in a place, or 0.
    #[must_use]
    pub fn number(&self, at: usize) -> i32 {
        match self.get(at) {
            Some(ScriptValue::One(Scalar::Number(number))) => *number,
            _ => 0,
        }
    }

    /// The name in a place, or an empty one.
    #[must_use]
    pub fn name(&self, at: usize) -> &str {
        match self.get(at) {
            Some(ScriptValue::One(Scalar::Name(name))) => name,
            _ => "",
        }
    }

    /// The names of the list in a place.
    #[must_use]
    pub fn names(&self, at: usize) -> Vec<Box<str>> {
        let Some(ScriptValue::List(list)) = self.get(at) else { return Vec::new() };
        let name = |one: &Scalar| match one {
            Scalar::Name(name) => Some(name.clone()),
            _ => None,
        };
        list.iter().filter_map(name).collect()
    }

    /// The table in a place.
    #[must_use]
    pub fn table(&self, at: usize) -> &[(Box<str>, Scalar)] {
        match self.get(at) {
            Some(ScriptValue::Table(table)) => table,
            _ => &[],
        }
    }

    /// What a name stands for in the table in a place.
    #[must_use]
    pub fn option(&self, at: usize, name: &str) -> Option<&Scalar> {
        self.table(at).iter().find(|(known, _)| **known == *name).map(|(_, value)| value)
    }

    /// A number of the table in a place.
    #[must_use]
    pub fn number_option(&self, at: usize, name: &str) -> Option<i32> {
        match self.option(at, name) {
            Some(Scalar::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// A name of the table in a place.
    #[must_use]
    pub fn name_option(&self, at: usize, name: &str) -> Option<&str> {
        match self.option(at, name) {
            Some(Scalar::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// An entity of the table in a place.
    #[must_use]
    pub fn who_option(&self, at: usize, name: &str) -> Option<EntityId> {
        match self.option(at, name) {
            Some(Scalar::Entity(who)) => Some(EntityId(*who)),
            _ => None,
        }
    }
}

/// What a word takes, as its first argument if it is said to something.
fn wanted(word: &Word) -> impl Iterator<Item = Arg> {
    word.of.said_to().into_iter().chain(word.takes.iter().copied())
}

/// How many values a word takes at least and at most, the one it is said to included.
pub(crate) fn arity(word: &Word) -> (usize, usize) {
    let needed = wanted(word).filter(|arg| arg.needed).count();
    (needed, wanted(word).count())
}

/// What the value in a place must be.
pub(crate) fn wants(word: &Word, at: usize) -> Type {
    wanted(word).nth(at).map_or(Type::Anything, |arg| arg.is)
}

/// Checks what was given to a word.
pub(crate) fn admit(
    word: &Word,
    given: impl IntoIterator<Item = ScriptValue>,
) -> Result<WordArguments, ConversionError> {
    let mut given: SmallVec<[ScriptValue; 4]> = given.into_iter().collect();
    while given.len() > arity(word).0 && given.last() == Some(&ScriptValue::NOTHING) {
        given.pop();
    }
    let (least, most) = arity(word);
    if given.len() < least || given.len() > most {
        return Err(ConversionError::Kind(format!("`{}` is written `{}`", word.name, word.usage())));
    }
    for (arg, value) in wanted(word).zip(&given) {
        let missing = !arg.needed && *value == ScriptValue::NOTHING;
        if !missing {
            fit(word, arg, value)?;
        }
    }
    Ok(WordArguments(given))
}

fn fit(word: &Word, arg: Arg, value: &ScriptValue) -> Result<(), ConversionError> {
    match (arg.is, value) {
        (Type::Options(known), ScriptValue::Table(table)) => table.iter().try_for_each(|(name, value)| {
            let option = known.iter().find(|option| *option.name == **name);
            let option = option.ok_or_else(|| no_option(word, name, known))?;
            fit(word, *option, &ScriptValue::One(value.clone()))
        }),
        (Type::Names, ScriptValue::List(list)) if list.iter().all(|one| matches!(one, Scalar::Name(_))) => Ok(()),
        (wants, value) if wants.accepts(value) => Ok(()),
        _ => {
            let (name, wants, got) = (arg.name, arg.is.described(), value.described());
            Err(ConversionError::Kind(format!(
                "`{name}` of `{}` is {wants}, not {got}; write `{}`",
                word.name,
                word.usage()
            )))
        }
    }
}

fn no_option(word: &Word, name: &str, known: &[Arg]) -> ConversionError {
    let way_out = match nearest(name, known.iter().map(|option| option.name)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are `{}`", known.iter().map(|option| option.name).collect::<Vec<_>>().join("`, `")),
    };
    ConversionError::Kind(format!("`{}` has no option `{name}`; {way_out}", word.name))
}
