//! What a script hands to a word of the host, checked against what the word takes, and what it gets back.

use crate::api::{Arg, Type, Word};
use crate::scalar::{Wrong, described};
use houserule_kernel::error::nearest;
use houserule_kernel::ident::EntityId;
use houserule_kernel::resolve::Thrown;
use houserule_kernel::script::Scalar;
use smallvec::SmallVec;

/// Names with what they stand for.
pub type Named = Vec<(Box<str>, Scalar)>;

/// One value on its way between a script and a word of the host.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, yes or no, name, entity, or nothing.
    One(Scalar),
    /// A list.
    List(Vec<Scalar>),
    /// A table of names.
    Table(Named),
    /// The event whose hook runs.
    Event,
    /// What was rolled.
    Roll(Thrown),
}

impl Value {
    /// Nothing.
    pub const NOTHING: Value = Value::One(Scalar::Nothing);

    /// An entity, or nothing.
    #[must_use]
    pub fn entity(who: Option<EntityId>) -> Value {
        Value::One(who.map_or(Scalar::Nothing, |who| Scalar::Entity(who.0)))
    }

    fn described(&self) -> &'static str {
        match self {
            Value::One(one) => described(one),
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Event => "the event",
            Value::Roll(_) => "a roll",
        }
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Value {
        Value::One(Scalar::Number(number))
    }
}

impl From<bool> for Value {
    fn from(answer: bool) -> Value {
        Value::One(Scalar::YesNo(answer))
    }
}

impl From<&str> for Value {
    fn from(name: &str) -> Value {
        Value::One(Scalar::Name(name.into()))
    }
}

/// What a word was given, the one it is said to first. It fits what the word takes.
#[derive(Clone, Debug, Default)]
pub struct Taken(SmallVec<[Value; 4]>);

impl Taken {
    /// The value in a place from 0, if it was given.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<&Value> {
        self.0.get(at).filter(|value| **value != Value::NOTHING)
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
            Some(Value::One(Scalar::Entity(who))) => Some(EntityId(*who)),
            _ => None,
        }
    }

    /// The number in a place, or 0.
    #[must_use]
    pub fn number(&self, at: usize) -> i32 {
        match self.get(at) {
            Some(Value::One(Scalar::Number(number))) => *number,
            _ => 0,
        }
    }

    /// The name in a place, or an empty one.
    #[must_use]
    pub fn name(&self, at: usize) -> &str {
        match self.get(at) {
            Some(Value::One(Scalar::Name(name))) => name,
            _ => "",
        }
    }

    /// The names of the list in a place.
    #[must_use]
    pub fn names(&self, at: usize) -> Vec<Box<str>> {
        let Some(Value::List(list)) = self.get(at) else { return Vec::new() };
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
            Some(Value::Table(table)) => table,
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
pub(crate) fn admit(word: &Word, given: impl IntoIterator<Item = Value>) -> Result<Taken, Wrong> {
    let mut given: SmallVec<[Value; 4]> = given.into_iter().collect();
    while given.len() > arity(word).0 && given.last() == Some(&Value::NOTHING) {
        given.pop();
    }
    let (least, most) = arity(word);
    if given.len() < least || given.len() > most {
        return Err(Wrong::Kind(format!("`{}` is written `{}`", word.name, word.usage())));
    }
    for (arg, value) in wanted(word).zip(&given) {
        let missing = !arg.needed && *value == Value::NOTHING;
        if !missing {
            fit(word, arg, value)?;
        }
    }
    Ok(Taken(given))
}

fn fit(word: &Word, arg: Arg, value: &Value) -> Result<(), Wrong> {
    match (arg.is, value) {
        (Type::Options(known), Value::Table(table)) => table.iter().try_for_each(|(name, value)| {
            let option = known.iter().find(|option| *option.name == **name);
            let option = option.ok_or_else(|| no_option(word, name, known))?;
            fit(word, *option, &Value::One(value.clone()))
        }),
        (Type::Names, Value::List(list)) if list.iter().all(|one| matches!(one, Scalar::Name(_))) => Ok(()),
        (wants, value) if wants.accepts(value) => Ok(()),
        _ => {
            let (name, wants, got) = (arg.name, arg.is.described(), value.described());
            Err(Wrong::Kind(format!("`{name}` of `{}` is {wants}, not {got}; write `{}`", word.name, word.usage())))
        }
    }
}

fn no_option(word: &Word, name: &str, known: &[Arg]) -> Wrong {
    let way_out = match nearest(name, known.iter().map(|option| option.name)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are `{}`", known.iter().map(|option| option.name).collect::<Vec<_>>().join("`, `")),
    };
    Wrong::Kind(format!("`{}` has no option `{name}`; {way_out}", word.name))
}
