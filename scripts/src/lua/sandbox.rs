//! Bears a Lua machine that knows only what a rule needs.

use super::{library, trace};
use crate::handover::Handover;
use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, LuaOptions, LuaString, StdLib, Table};

const PRELUDE: &str = include_str!("../../prelude/lua.lua");

/// Functions that the compiler would call directly, past the whitelist: all it knows by a name that files may use,
/// but for those that the whitelist holds as they are. The rest belong to libraries whose names are refused on reading.
#[cfg(feature = "luau")]
const BYPASSED: &str = "assert getmetatable rawequal rawget rawlen rawset setmetatable tonumber tostring typeof unpack \
    math.acos math.asin math.atan math.atan2 math.clamp math.cos math.cosh math.deg math.exp math.fmod math.frexp \
    math.isfinite math.isinf math.isnan math.ldexp math.lerp math.log math.log10 math.modf math.pow math.rad \
    math.round math.sign math.sin math.sinh math.sqrt math.tan math.tanh \
    string.byte string.char string.len string.sub table.insert table.unpack";

/// A machine without any pack file.
pub(super) fn bear(passage: &Handover) -> mlua::Result<Lua> {
    let libraries = StdLib::TABLE | StdLib::STRING | StdLib::MATH;
    let lua = Lua::new_with(libraries, LuaOptions::new().catch_rust_panics(false))?;
    #[cfg(feature = "luau")]
    lua.set_compiler(
        mlua::chunk::Compiler::new().set_optimization_level(1).set_disabled_builtins(BYPASSED.split_whitespace()),
    );
    let host = library::host_functions(&lua, passage)?;
    let world: Table = lua.load(PRELUDE).set_mode(ChunkMode::Text).set_name("=prelude").call(host)?;
    lua.type_metatable::<LuaString>().map_or(Ok(()), |shared| strip(&shared, &world))?;
    refuse_unknown_names(&lua, &world)?;
    lua.set_globals(world)?;
    Ok(lua)
}

/// Leaves in the metatable that all strings share nothing but the methods of the prelude.
fn strip(shared: &Table, world: &Table) -> mlua::Result<()> {
    let keys = shared.pairs::<mlua::Value, mlua::Value>().map(|pair| pair.map(|(key, _)| key));
    for key in keys.collect::<mlua::Result<Vec<_>>>()? {
        shared.raw_set(key, mlua::Value::Nil)?;
    }
    let methods: Table = world.raw_get("string")?;
    #[cfg(feature = "luau")]
    methods.set_readonly(true);
    shared.raw_set("__index", methods)
}

fn refuse_unknown_names(lua: &Lua, world: &Table) -> mlua::Result<()> {
    let refuse: Function = lua
        .load("local error = ... return function(_, name) error('there is nothing named `' .. name .. '`', 2) end")
        .set_name("=prelude")
        .call(world.raw_get::<Function>("error")?)?;
    let meta = lua.create_table_from([("__index", refuse)])?;
    world.set_metatable(Some(meta))
}

/// Freezes the whitelist and opens a layer in which files define their own names.
#[cfg(feature = "luau")]
pub(super) fn open(lua: &Lua) -> mlua::Result<()> {
    lua.sandbox(true)
}

/// Freezes the names that the files defined.
#[cfg(feature = "luau")]
pub(super) fn close(lua: &Lua) -> mlua::Result<()> {
    lua.globals().set_readonly(true);
    Ok(())
}

/// Puts an empty table in front of the whitelist, through which files define their own names.
#[cfg(feature = "lua54")]
pub(super) fn open(lua: &Lua) -> mlua::Result<()> {
    let world = lua.globals();
    freeze_libraries(lua, &world)?;
    let front = lua.create_table()?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", world.clone())?;
    meta.raw_set("__newindex", world)?;
    front.set_metatable(Some(meta))?;
    lua.set_globals(front)
}

/// Refuses any more names.
#[cfg(feature = "lua54")]
pub(super) fn close(lua: &Lua) -> mlua::Result<()> {
    let refuse: Function = lua
        .load("local error = error return function(_, name) error('`' .. name .. '` cannot be assigned here', 2) end")
        .set_name("=prelude")
        .call(())?;
    lua.globals().metatable().map_or(Ok(()), |meta| meta.raw_set("__newindex", refuse))
}

#[cfg(feature = "lua54")]
fn freeze_libraries(lua: &Lua, world: &Table) -> mlua::Result<()> {
    let frozen: Function = world.raw_get("frozen_library")?;
    world.raw_set("frozen_library", mlua::Value::Nil)?;
    for library in ["string", "table", "math"] {
        let closed: Table = frozen.call(world.raw_get::<Table>(library)?)?;
        world.raw_set(library, closed.clone())?;
    }
    let methods: Table = world.raw_get("string")?;
    lua.type_metatable::<LuaString>().map_or(Ok(()), |shared| shared.raw_set("__index", methods))
}

/// Compiles one file under its short alias, so that its real name cannot be cut or confused.
pub(super) fn compile(lua: &Lua, number: usize, text: &str) -> mlua::Result<Function> {
    lua.load(text).set_mode(ChunkMode::Text).set_name(format!("={}", trace::alias(number))).into_function()
}
