//! Reads Lua files with a parser and refuses what only shows by reading: memory, unknown names, unordered loops.
//!
//! `shape` bounds how deep a tree can be before anything builds one, so that no stack is too small for it.

mod file_level;
mod names;
mod scope;
pub(super) mod shape;
mod walk;

use crate::api::{Of, words_of};
use crate::error::{ScriptError, ScriptErrorKind};
use full_moon::ast::Ast;
use full_moon::node::Node;
use full_moon::tokenizer::TokenReference;
use full_moon::{Error, LuaVersion};
use houserule_kernel::script::Script;
use names::Resolver;
use std::collections::BTreeMap;

/// Names that every file knows from the language.
const KNOWN: [&str; 15] = [
    "assert", "error", "frozen", "ipairs", "math", "mute", "on", "pairs", "select", "string", "table", "tonumber",
    "tostring", "type", "wrap",
];

/// Every name that files know without defining it.
fn known_names<'a>() -> impl Iterator<Item = &'a str> {
    KNOWN.into_iter().chain(words_of(Of::Free).map(|word| word.name))
}

fn is_known(name: &str) -> bool {
    known_names().any(|known| known == name)
}

/// What the libraries hold.
const LIBRARIES: [(&str, &[&str]); 3] = [
    ("math", &["abs", "ceil", "clamp", "div_ceil", "div_floor", "floor", "max", "min"]),
    ("string", &["byte", "contains", "len", "lower", "rep", "sub", "upper"]),
    ("table", &["concat", "insert", "remove", "sort"]),
];

#[cfg(feature = "luau")]
pub(super) fn version() -> LuaVersion {
    LuaVersion::luau()
}

#[cfg(feature = "lua54")]
pub(super) fn version() -> LuaVersion {
    LuaVersion::lua54()
}

/// Where each name of the pack is defined.
type Defined = BTreeMap<String, (String, u32)>;

/// All errors of all files. A tree takes many times the memory of its text: one stands at a time, and each is made
/// twice, since names are resolved once all files are known.
pub(super) fn check(files: &[&Script]) -> Vec<ScriptError> {
    let (mut broken, mut wrong, mut defined) = (Vec::new(), Vec::new(), Defined::new());
    for script in files {
        let parsed = full_moon::parse_fallible(&script.text, version());
        broken.extend(parsed.errors().iter().map(|error| parse_error(script, error)));
        if broken.is_empty() {
            file_level::check(script, parsed.ast(), &mut defined, &mut wrong);
        }
    }
    if !broken.is_empty() {
        return broken;
    }
    for script in files {
        let parsed = full_moon::parse_fallible(&script.text, version());
        wrong.extend(read_names(script, parsed.ast(), &defined));
    }
    wrong.sort();
    wrong.dedup_by(|a, b| (&a.file, a.line, a.column) == (&b.file, b.line, b.column));
    wrong
}

fn read_names(script: &Script, tree: &Ast, defined: &Defined) -> Vec<ScriptError> {
    let mut resolver = Resolver::new(&script.name, defined);
    walk::file(&mut resolver, tree.nodes());
    resolver.wrong
}

fn parse_error(script: &Script, error: &Error) -> ScriptError {
    let (start, _) = error.range();
    let (line, column) = (narrow(start.line()), narrow(start.character()));
    ScriptError::at(ScriptErrorKind::Syntax, &script.name, line, Some(column), error.error_message())
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The line and column where a node starts, from one, or 0 if it has no place.
fn place(node: &impl Node) -> (u32, u32) {
    node.start_position().map_or((0, 0), |start| (narrow(start.line()), narrow(start.character())))
}

/// An error at a word.
fn at(file: &str, token: &TokenReference, message: impl Into<String>) -> ScriptError {
    let start = token.token().start_position();
    ScriptError::at(ScriptErrorKind::Syntax, file, narrow(start.line()), Some(narrow(start.character())), message)
}

/// The word itself.
fn word(token: &TokenReference) -> String {
    token.token().to_string()
}
