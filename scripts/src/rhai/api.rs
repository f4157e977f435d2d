//! Gives a Rhai engine the words of the host: handles for entities, the event and rolls, and free functions.

use super::RhaiResult;
use super::convert::{from_rhai, to_rhai};
use super::price::{pay, units};
use crate::api::{Binder, Of, Type, Word, Work, describe};
use crate::declared::{Properties, say};
use crate::handle::{EventHandle, RollHandle};
use crate::handover::Handover;
use crate::value::{ScriptValue, arity, wants};
use ::rhai::{Dynamic, Engine, ImmutableString, NativeCallContext};
use std::any::TypeId;
use std::rc::Rc;

/// An entity, as scripts hold it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct EntityHandle(pub(super) u32);

/// The entity that a value is.
pub(super) fn entity(value: &Dynamic) -> Option<EntityHandle> {
    value.read_lock::<EntityHandle>().map(|who| *who)
}

/// How the types are called in sentences.
pub(super) const NAMES: [(&str, Of); 3] = [("entity", Of::Entity), ("event", Of::Event), ("roll", Of::Roll)];

/// Teaches an engine the words.
pub(super) fn teach(engine: &mut Engine, passage: &Handover) {
    let [(entity, _), (event, _), (roll, _)] = NAMES;
    engine.register_type_with_name::<EntityHandle>(entity);
    engine.register_type_with_name::<EventHandle>(event);
    engine.register_type_with_name::<RollHandle>(roll);
    describe(&mut RhaiBinder { engine: &mut *engine, passage });
    engine.register_fn("==", |one: EntityHandle, other: EntityHandle| one == other);
    engine.register_fn("!=", |one: EntityHandle, other: EntityHandle| one != other);
    properties(engine, passage, Of::Entity, |who: &EntityHandle| Dynamic::from(*who));
    properties(engine, passage, Of::Event, |event: &EventHandle| Dynamic::from(*event));
    properties(engine, passage, Of::Roll, |roll: &RollHandle| Dynamic::from(roll.clone()));
}

/// Where a word is said.
type At<'a> = NativeCallContext<'a>;

/// Says how deep a word is said: the hooks that run within it go on counting from there, since they share one stack.
pub(super) fn reach(passage: &Handover, at: &At<'_>) {
    // The word itself is a call to the engine, but not one of the script.
    passage.account.put_calls(u32::try_from(at.call_level().saturating_sub(1)).unwrap_or(u32::MAX));
}

/// What a word gives is paid for by its size.
fn paid(passage: &Handover, given: Dynamic) -> RhaiResult<Dynamic> {
    pay(&passage.account, units(&given)).map(|()| given)
}

fn properties<T: Clone + 'static>(engine: &mut Engine, passage: &Handover, of: Of, subject: fn(&T) -> Dynamic) {
    let properties = Rc::new(Properties::of(of));
    let (way, known) = (passage.clone(), Rc::clone(&properties));
    engine.register_indexer_get(move |at: At<'_>, this: &mut T, name: ImmutableString| -> RhaiResult<Dynamic> {
        reach(&way, &at);
        let subject = from_rhai(&subject(this), Type::Anything).unwrap_or(ScriptValue::NOTHING);
        paid(&way, to_rhai(&known.read(&way, subject, &name)?))
    });
    let way = passage.clone();
    engine.register_indexer_set(
        move |at: At<'_>, this: &mut T, name: ImmutableString, value: Dynamic| -> RhaiResult<()> {
            reach(&way, &at);
            let subject = from_rhai(&subject(this), Type::Anything).unwrap_or(ScriptValue::NOTHING);
            Ok(properties.write(&way, subject, &name, from_rhai(&value, Type::Anything))?)
        },
    );
}

struct RhaiBinder<'a> {
    engine: &'a mut Engine,
    passage: &'a Handover,
}

impl Binder for RhaiBinder<'_> {
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

impl RhaiBinder<'_> {
    /// Teaches a word with so many arguments.
    fn teach(&mut self, word: Word, work: impl Work, count: usize) {
        let passage = self.passage.clone();
        let function = move |at: At<'_>, given: &mut [&mut Dynamic]| -> RhaiResult<Dynamic> {
            reach(&passage, &at);
            let values = given.iter().enumerate().map(|(at, value)| from_rhai(value, wants(&word, at)));
            paid(&passage, to_rhai(&say(&passage, &word, work, values.collect())?))
        };
        let first = match word.of {
            Of::Entity => TypeId::of::<EntityHandle>(),
            Of::Event => TypeId::of::<EventHandle>(),
            Of::Roll => TypeId::of::<RollHandle>(),
            Of::Free | Of::Library => TypeId::of::<Dynamic>(),
        };
        let types: Vec<TypeId> = (0..count).map(|at| if at == 0 { first } else { TypeId::of::<Dynamic>() }).collect();
        self.engine.register_raw_fn(word.name, types, function);
    }
}
