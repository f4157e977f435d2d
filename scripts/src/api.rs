//! The one list of what a script can touch: every word with its arguments, result and meaning.
//!
//! Bindings, stubs and the reference page are all made from [`describe`].

mod asking;
mod entity;
mod table;

use crate::value::{ScriptValue, WordArguments};
use houserule_kernel::error::nearest;
use houserule_kernel::oracle::Flow;
use houserule_kernel::scene::Scene;
use houserule_kernel::script::Scalar;
use std::sync::LazyLock;

/// What a value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A whole number.
    Number,
    /// A yes or a no.
    YesNo,
    /// A name that the packs know.
    Name,
    /// An expression or a text.
    Text,
    /// An entity.
    Entity,
    /// The event whose hook runs.
    Event,
    /// What was rolled.
    Roll,
    /// A number, yes or no, name, entity or nothing.
    Anything,
    /// A list of names.
    Names,
    /// A list of numbers.
    Numbers,
    /// A table with names of the writer's choice.
    Table,
    /// A table with these names.
    Options(&'static [Arg]),
    /// Nothing.
    Nothing,
}

impl Type {
    /// Whether a value is of the type.
    #[must_use]
    pub fn accepts(self, value: &ScriptValue) -> bool {
        matches!(
            (self, value),
            (Type::Number, ScriptValue::One(Scalar::Number(_)))
                | (Type::YesNo, ScriptValue::One(Scalar::YesNo(_)))
                | (Type::Name | Type::Text, ScriptValue::One(Scalar::Name(_)))
                | (Type::Entity, ScriptValue::One(Scalar::Entity(_)))
                | (Type::Anything, ScriptValue::One(_))
                | (Type::Table, ScriptValue::Table(_))
                | (Type::Event, ScriptValue::Event)
                | (Type::Roll, ScriptValue::Roll(_))
        )
    }

    /// The type in a sentence.
    #[must_use]
    pub fn described(self) -> &'static str {
        match self {
            Type::Number => "a whole number",
            Type::YesNo => "a yes or no",
            Type::Name => "a name",
            Type::Text => "a string",
            Type::Entity => "an entity",
            Type::Event => "the event",
            Type::Roll => "a roll",
            Type::Anything => "a number, yes or no, name or entity",
            Type::Names => "a list of names",
            Type::Numbers => "a list of numbers",
            Type::Table | Type::Options(_) => "a table with names",
            Type::Nothing => "nothing",
        }
    }
}

/// An argument of a word, or an option of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arg {
    /// Its name.
    pub name: &'static str,
    /// What it must be.
    pub is: Type,
    /// Whether it may not be left out.
    pub needed: bool,
}

impl Arg {
    /// An argument that must be given.
    #[must_use]
    pub const fn new(name: &'static str, is: Type) -> Arg {
        Arg { name, is, needed: true }
    }

    /// An argument that may be left out.
    #[must_use]
    pub const fn maybe(name: &'static str, is: Type) -> Arg {
        Arg { name, is, needed: false }
    }
}

/// To what a word is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    /// To an entity.
    Entity,
    /// To the event whose hook runs.
    Event,
    /// To what was rolled.
    Roll,
    /// To nobody.
    Free,
    /// To nobody, and the language itself answers.
    Library,
}

impl Of {
    /// How the one it is said to is called in examples.
    #[must_use]
    pub fn example(self) -> Option<&'static str> {
        match self {
            Of::Entity => Some("who"),
            Of::Event => Some("ev"),
            Of::Roll => Some("roll"),
            Of::Free | Of::Library => None,
        }
    }

    /// The one it is said to, as a first argument.
    #[must_use]
    pub fn said_to(self) -> Option<Arg> {
        match self {
            Of::Entity => Some(Arg::new("who", Type::Entity)),
            Of::Event => Some(Arg::new("ev", Type::Event)),
            Of::Roll => Some(Arg::new("roll", Type::Roll)),
            Of::Free | Of::Library => None,
        }
    }
}

/// One word that scripts know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// To what it is said.
    pub of: Of,
    /// The word.
    pub name: &'static str,
    /// Whether it is read without parentheses.
    pub property: bool,
    /// What it takes.
    pub takes: &'static [Arg],
    /// What it gives.
    pub gives: Type,
    /// Whether it may give nothing instead.
    pub maybe: bool,
    /// What it does, in one line.
    pub doc: &'static str,
    /// Since which version of the host.
    pub since: &'static str,
}

impl Word {
    /// A word that gives something.
    #[must_use]
    pub const fn new(of: Of, name: &'static str, takes: &'static [Arg], gives: Type, doc: &'static str) -> Word {
        Word { of, name, property: false, takes, gives, maybe: false, doc, since: "0.1" }
    }

    /// The word may give nothing.
    #[must_use]
    pub const fn or_nothing(self) -> Word {
        Word { maybe: true, ..self }
    }

    /// The word is read without parentheses.
    #[must_use]
    pub const fn read(self) -> Word {
        Word { property: true, ..self }
    }

    /// How the word is written, in Lua; Rhai has a dot for the colon.
    #[must_use]
    pub fn usage(&self) -> String {
        let joint = if self.property { '.' } else { ':' };
        let subject = self.of.example().map(|example| format!("{example}{joint}")).unwrap_or_default();
        let shown = |arg: &Arg| if arg.needed { arg.name.to_owned() } else { format!("[{}]", arg.name) };
        let takes = self.takes.iter().map(shown).collect::<Vec<_>>().join(", ");
        let parentheses = if self.property { String::new() } else { format!("({takes})") };
        format!("{subject}{}{parentheses}", self.name)
    }
}

/// What a word does: a function without memory.
pub trait Work: Fn(&mut Scene, &WordArguments) -> Flow<ScriptValue> + Copy + 'static {}

impl<F: Fn(&mut Scene, &WordArguments) -> Flow<ScriptValue> + Copy + 'static> Work for F {}

/// Whoever makes something of the list: a language, a stub, a page.
pub trait Binder {
    /// Takes in one word and what it does.
    fn word(&mut self, word: Word, work: impl Work);
}

/// Tells a binder every word.
pub fn describe(binder: &mut impl Binder) {
    entity::describe(binder);
    table::describe(binder);
    asking::describe(binder);
}

struct WordList(Vec<Word>);

impl Binder for WordList {
    fn word(&mut self, word: Word, _: impl Work) {
        self.0.push(word);
    }
}

/// Every word, in the order of [`describe`].
pub fn words() -> &'static [Word] {
    static WORDS: LazyLock<Vec<Word>> = LazyLock::new(|| {
        let mut words = WordList(Vec::new());
        describe(&mut words);
        words.0
    });
    &WORDS
}

/// The words that are said to something.
pub(crate) fn words_of(of: Of) -> impl Iterator<Item = &'static Word> {
    words().iter().filter(move |word| word.of == of)
}

/// The sentence for a word that is said to something that does not know it.
pub(crate) fn no_word(of: Of, name: &str) -> String {
    let what = match of {
        Of::Entity => "an entity",
        Of::Event => "the event",
        Of::Roll => "a roll",
        Of::Free | Of::Library => "the host",
    };
    let near = nearest(name, words_of(of).map(|word| word.name));
    let known = || format!("it has `{}`", words_of(of).map(|word| word.name).collect::<Vec<_>>().join("`, `"));
    let way_out = near.map(|near| format!("did you mean `{near}`?")).unwrap_or_else(known);
    format!("{what} has no `{name}`; {way_out}")
}
