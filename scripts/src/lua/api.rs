//! Gives a Lua machine the words of the host: handles for entities, the event and rolls, and free functions.

use super::border::{from_lua, to_lua};
use crate::api::{Binder, Of, Type, Word, Work, describe};
use crate::passage::Passage;
use crate::said::{Properties, say};
use crate::value::{Value as Given, wants};
use houserule_kernel::resolve::Thrown;
use mlua::{AnyUserData, Lua, MetaMethod, MultiValue, UserDataMethods, UserDataRegistry, Value};
use std::rc::Rc;

/// An entity, as scripts hold it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Somebody(pub(super) u32);

/// The event whose hook runs, as scripts hold it.
pub(super) struct Happening;

/// What was rolled, as scripts hold it.
pub(super) struct Rolled(pub(super) Thrown);

/// Teaches a machine the words.
pub(super) fn teach(lua: &Lua, passage: &Passage) -> mlua::Result<()> {
    let mut free = FreeWords { lua, passage, taught: Ok(()) };
    describe(&mut free);
    free.taught?;
    lua.register_userdata_type::<Somebody>(|registry| {
        methods(registry, Of::Entity, passage);
        registry.add_meta_method(MetaMethod::Eq, |_, this, other: AnyUserData| {
            Ok(other.borrow::<Somebody>().is_ok_and(|other| *other == *this))
        });
    })?;
    lua.register_userdata_type::<Happening>(|registry| methods(registry, Of::Event, passage))?;
    lua.register_userdata_type::<Rolled>(|registry| methods(registry, Of::Roll, passage))
}

/// The one handle of the event. One of each other kind is made as well, so that what their kind needs is there before
/// any hook's memory is counted.
pub(super) fn event(lua: &Lua) -> mlua::Result<AnyUserData> {
    lua.create_any_userdata(Somebody(0))?;
    lua.create_any_userdata(Rolled(Thrown::default()))?;
    lua.create_any_userdata(Happening)
}

fn methods<T: 'static>(registry: &mut UserDataRegistry<T>, of: Of, passage: &Passage) {
    describe(&mut Methods { registry: &mut *registry, of, passage });
    let properties = Rc::new(Properties::of(of));
    let (way, known) = (passage.clone(), Rc::clone(&properties));
    registry.add_meta_function(MetaMethod::Index, move |lua, (this, name): (Value, Value)| {
        let subject = from_lua(&this, Type::Anything).unwrap_or(Given::NOTHING);
        let read = known.read(&way, subject, &key(&name)).map_err(mlua::Error::runtime)?;
        to_lua(lua, &read)
    });
    let way = passage.clone();
    registry.add_meta_function(MetaMethod::NewIndex, move |_, (this, name, value): (Value, Value, Value)| {
        let subject = from_lua(&this, Type::Anything).unwrap_or(Given::NOTHING);
        let value = from_lua(&value, Type::Anything);
        properties.write(&way, subject, &key(&name), value).map_err(mlua::Error::runtime)
    });
}

fn key(name: &Value) -> String {
    name.as_string().map_or_else(|| name.type_name().to_owned(), |name| name.to_string_lossy())
}

struct Methods<'a, T: 'static> {
    registry: &'a mut UserDataRegistry<T>,
    of: Of,
    passage: &'a Passage,
}

impl<T> Binder for Methods<'_, T> {
    fn word(&mut self, word: Word, work: impl Work) {
        if word.of == self.of && !word.property {
            let passage = self.passage.clone();
            self.registry
                .add_function(word.name, move |lua, given: MultiValue| spoken(lua, &passage, &word, work, &given));
        }
    }
}

struct FreeWords<'a> {
    lua: &'a Lua,
    passage: &'a Passage,
    taught: mlua::Result<()>,
}

impl Binder for FreeWords<'_> {
    fn word(&mut self, word: Word, work: impl Work) {
        if word.of == Of::Free && self.taught.is_ok() {
            let passage = self.passage.clone();
            let function =
                self.lua.create_function(move |lua, given: MultiValue| spoken(lua, &passage, &word, work, &given));
            self.taught = function.and_then(|function| self.lua.globals().raw_set(word.name, function));
        }
    }
}

fn spoken(lua: &Lua, passage: &Passage, word: &Word, work: impl Work, given: &MultiValue) -> mlua::Result<Value> {
    let values = given.iter().enumerate().map(|(at, value)| from_lua(value, wants(word, at)));
    let answer = say(passage, word, work, values.collect());
    to_lua(lua, &answer.map_err(mlua::Error::runtime)?)
}
