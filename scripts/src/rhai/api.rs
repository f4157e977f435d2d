//! Gives a Rhai engine the words of the host: handles for entities, the event and rolls, and free functions.

use super::border::{from_rhai, to_rhai};
use super::price::{pay, units};
use crate::api::{Binder, Of, Type, Word, Work, describe};
use crate::passage::Passage;
use crate::said::{Properties, say};
use crate::value::{Value, arity, wants};
use ::rhai::{Dynamic, Engine, EvalAltResult, ImmutableString, NativeCallContext};
use houserule_kernel::resolve::Thrown;
use std::any::TypeId;
use std::rc::Rc;

/// An entity, as scripts hold it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Somebody(pub(super) u32);

/// The event whose hook runs, as scripts hold it.
#[derive(Clone, Copy)]
pub(super) struct Happening;

/// What was rolled, as scripts hold it.
#[derive(Clone)]
pub(super) struct Rolled(pub(super) Thrown);

/// The entity that a value is.
pub(super) fn entity(value: &Dynamic) -> Option<Somebody> {
    value.read_lock::<Somebody>().map(|who| *who)
}

/// How the types are called in sentences.
pub(super) const NAMES: [(&str, Of); 3] = [("entity", Of::Entity), ("event", Of::Event), ("roll", Of::Roll)];

/// Teaches an engine the words.
pub(super) fn teach(engine: &mut Engine, passage: &Passage) {
    let [(entity, _), (event, _), (roll, _)] = NAMES;
    engine.register_type_with_name::<Somebody>(entity);
    engine.register_type_with_name::<Happening>(event);
    engine.register_type_with_name::<Rolled>(roll);
    describe(&mut Words { engine: &mut *engine, passage });
    engine.register_fn("==", |one: Somebody, other: Somebody| one == other);
    engine.register_fn("!=", |one: Somebody, other: Somebody| one != other);
    properties(engine, passage, Of::Entity, |who: &Somebody| Dynamic::from(*who));
    properties(engine, passage, Of::Event, |event: &Happening| Dynamic::from(*event));
    properties(engine, passage, Of::Roll, |roll: &Rolled| Dynamic::from(roll.clone()));
}

/// Where a word is said.
type At<'a> = NativeCallContext<'a>;
type Answer<T> = Result<T, Box<EvalAltResult>>;

/// Says how deep a word is said: the hooks that run within it go on counting from there, since they share one stack.
pub(super) fn reach(passage: &Passage, at: &At<'_>) {
    // The word itself is a call to the engine, but not one of the script.
    passage.account.put_calls(u32::try_from(at.call_level().saturating_sub(1)).unwrap_or(u32::MAX));
}

/// What a word gives is paid for by its size.
fn paid(passage: &Passage, given: Dynamic) -> Answer<Dynamic> {
    pay(&passage.account, units(&given)).map(|()| given)
}

fn properties<T: Clone + 'static>(engine: &mut Engine, passage: &Passage, of: Of, subject: fn(&T) -> Dynamic) {
    let properties = Rc::new(Properties::of(of));
    let (way, known) = (passage.clone(), Rc::clone(&properties));
    engine.register_indexer_get(move |at: At<'_>, this: &mut T, name: ImmutableString| -> Answer<Dynamic> {
        reach(&way, &at);
        let subject = from_rhai(&subject(this), Type::Anything).unwrap_or(Value::NOTHING);
        paid(&way, to_rhai(&known.read(&way, subject, &name)?))
    });
    let way = passage.clone();
    engine.register_indexer_set(move |at: At<'_>, this: &mut T, name: ImmutableString, value: Dynamic| -> Answer<()> {
        reach(&way, &at);
        let subject = from_rhai(&subject(this), Type::Anything).unwrap_or(Value::NOTHING);
        Ok(properties.write(&way, subject, &name, from_rhai(&value, Type::Anything))?)
    });
}

struct Words<'a> {
    engine: &'a mut Engine,
    passage: &'a Passage,
}

impl Binder for Words<'_> {
    fn word(&mut self, word: Word, work: impl Work) {
        if word.property || word.of == Of::Library {
            return;
        }
        let (least, most) = arity(&word);
        for count in least..=most {
            self.teach(word, work, count);
        }
    }
}

impl Words<'_> {
    /// Teaches a word with so many arguments.
    fn teach(&mut self, word: Word, work: impl Work, count: usize) {
        let passage = self.passage.clone();
        let function = move |at: At<'_>, given: &mut [&mut Dynamic]| -> Answer<Dynamic> {
            reach(&passage, &at);
            let values = given.iter().enumerate().map(|(at, value)| from_rhai(value, wants(&word, at)));
            paid(&passage, to_rhai(&say(&passage, &word, work, values.collect())?))
        };
        let first = match word.of {
            Of::Entity => TypeId::of::<Somebody>(),
            Of::Event => TypeId::of::<Happening>(),
            Of::Roll => TypeId::of::<Rolled>(),
            Of::Free | Of::Library => TypeId::of::<Dynamic>(),
        };
        let types: Vec<TypeId> = (0..count).map(|at| if at == 0 { first } else { TypeId::of::<Dynamic>() }).collect();
        self.engine.register_raw_fn(word.name, types, function);
    }
}
