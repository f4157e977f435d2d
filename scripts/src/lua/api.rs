//! Gives a Lua machine the words of the host: handles for entities, the event and rolls, and free functions.

use super::convert::{from_lua, to_lua};
use crate::api::{Binder, Of, Type, Word, Work, describe};
use crate::declared::{Properties, say};
use crate::handle::{EventHandle, RollHandle};
use crate::handover::Handover;
use crate::scalar::{self, LONGEST_NAME};
use crate::value::{ScriptValue as Given, wants};
use houserule_kernel::resolve::ScriptRoll;
use mlua::{
    AnyUserData, Function, LightUserData, Lua, MetaMethod, MultiValue, Table, UserDataMethods, UserDataRegistry, Value,
};
use std::rc::Rc;

/// An entity, as scripts hold it: its number in the place of an address, so that one entity is one value, equal to
/// itself and good as a key, and no table of the machine goes by an address for it.
pub(super) fn handle(who: u32) -> LightUserData {
    LightUserData(std::ptr::without_provenance_mut(who as usize))
}

/// The entity that a handle stands for.
pub(super) fn held(handle: LightUserData) -> Option<u32> {
    u32::try_from(handle.0.addr()).ok()
}

/// Teaches a machine the words.
pub(super) fn teach(lua: &Lua, passage: &Handover) -> mlua::Result<()> {
    teach_into(lua, &lua.globals(), Of::Free, passage)?;
    teach_entities(lua, passage)?;
    lua.register_userdata_type::<EventHandle>(|registry| methods(registry, Of::Event, passage))?;
    lua.register_userdata_type::<RollHandle>(|registry| methods(registry, Of::Roll, passage))
}

/// The one handle of the event. A roll is made as well, so that what its kind needs is there before any hook's memory
/// is counted.
pub(super) fn event(lua: &Lua) -> mlua::Result<AnyUserData> {
    lua.create_any_userdata(RollHandle(ScriptRoll::default()))?;
    lua.create_any_userdata(EventHandle)
}

/// Handles of entities share one metatable: words are found in a table, properties are asked for.
fn teach_entities(lua: &Lua, passage: &Handover) -> mlua::Result<()> {
    let words = lua.create_table()?;
    teach_into(lua, &words, Of::Entity, passage)?;
    let properties = Rc::new(Properties::of(Of::Entity));
    let (read, write) = (reading(&properties, passage), writing(&properties, passage));
    let shared = lua.create_table()?;
    let index: Function = lua
        .load("local words, read = ... return function(who, name) return words[name] or read(who, name) end")
        .set_name("=prelude")
        .call((words, lua.create_function(read)?))?;
    shared.raw_set("__index", index)?;
    shared.raw_set("__newindex", lua.create_function(write)?)?;
    lua.set_type_metatable::<LightUserData>(Some(shared));
    Ok(())
}

fn methods<T: 'static>(registry: &mut UserDataRegistry<T>, of: Of, passage: &Handover) {
    describe(&mut Methods { registry: &mut *registry, of, passage });
    let properties = Rc::new(Properties::of(of));
    registry.add_meta_function(MetaMethod::Index, reading(&properties, passage));
    registry.add_meta_function(MetaMethod::NewIndex, writing(&properties, passage));
}

/// How a property of this kind is read.
fn reading(
    properties: &Rc<Properties>,
    passage: &Handover,
) -> impl Fn(&Lua, (Value, Value)) -> mlua::Result<Value> + 'static {
    let (way, known) = (passage.clone(), Rc::clone(properties));
    move |lua, (this, name)| {
        let subject = from_lua(&this, Type::Anything).unwrap_or(Given::NOTHING);
        let name = key(&way, &name).map_err(mlua::Error::runtime)?;
        to_lua(lua, &known.read(&way, subject, &name).map_err(mlua::Error::runtime)?)
    }
}

/// How a property of this kind is written.
fn writing(
    properties: &Rc<Properties>,
    passage: &Handover,
) -> impl Fn(&Lua, (Value, Value, Value)) -> mlua::Result<()> + 'static {
    let (way, known) = (passage.clone(), Rc::clone(properties));
    move |_, (this, name, value)| {
        let subject = from_lua(&this, Type::Anything).unwrap_or(Given::NOTHING);
        let value = from_lua(&value, Type::Anything);
        let written = key(&way, &name).and_then(|name| known.write(&way, subject, &name, value));
        written.map_err(mlua::Error::runtime)
    }
}

/// The name of a property, which is no longer than any name is.
fn key(passage: &Handover, name: &Value) -> Result<String, String> {
    match name.as_string() {
        None => Ok(name.type_name().to_owned()),
        Some(name) if name.as_bytes().len() <= LONGEST_NAME => Ok(name.to_string_lossy()),
        Some(name) => Err(passage.refuse("property", scalar::too_long(name.as_bytes().len(), LONGEST_NAME))),
    }
}

struct Methods<'a, T: 'static> {
    registry: &'a mut UserDataRegistry<T>,
    of: Of,
    passage: &'a Handover,
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

/// Puts the words of a kind into a table.
fn teach_into(lua: &Lua, table: &Table, of: Of, passage: &Handover) -> mlua::Result<()> {
    let mut words = LuaBinder { lua, table, of, passage, taught: Ok(()) };
    describe(&mut words);
    words.taught
}

struct LuaBinder<'a> {
    lua: &'a Lua,
    table: &'a Table,
    of: Of,
    passage: &'a Handover,
    taught: mlua::Result<()>,
}

impl Binder for LuaBinder<'_> {
    fn word(&mut self, word: Word, work: impl Work) {
        if word.of == self.of && !word.property && self.taught.is_ok() {
            let passage = self.passage.clone();
            let function =
                self.lua.create_function(move |lua, given: MultiValue| spoken(lua, &passage, &word, work, &given));
            self.taught = function.and_then(|function| self.table.raw_set(word.name, function));
        }
    }
}

fn spoken(lua: &Lua, passage: &Handover, word: &Word, work: impl Work, given: &MultiValue) -> mlua::Result<Value> {
    let values = given.iter().enumerate().map(|(at, value)| from_lua(value, wants(word, at)));
    let answer = say(passage, word, work, values.collect());
    to_lua(lua, &answer.map_err(mlua::Error::runtime)?)
}
