//! Reads Lua files with a parser and refuses what only shows by reading: memory, unknown names, unordered loops.
//!
//! The machine has compiled the files before, so their nesting is bounded; `check_shape` bounds long chains of operators before that.
//! The reading runs on a thread of its own, whose stack is big enough for what is left.

mod file_level;
mod names;

use crate::api::{Of, words_of};
use crate::blame::{ScriptError, ScriptErrorKind};
use full_moon::ast::Ast;
use full_moon::tokenizer::TokenReference;
use full_moon::visitors::Visitor;
use full_moon::{Error, LuaVersion};
use houserule_kernel::script::Script;
use names::Reader;
use std::collections::BTreeMap;

/// Names that every file knows from the language.
const KNOWN: [&str; 16] = [
    "assert", "error", "frozen", "ipairs", "math", "mute", "on", "pairs", "select", "string", "table", "tonumber",
    "tostring", "type", "wrap", "_ENV",
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

/// Operators and brackets of one file, which bound how deep its tree can be.
const MOST_OPERATORS: usize = 16_384;

/// Bytes of stack for the reader; only what is used is ever touched.
const STACK: usize = 256 << 20;

/// All errors of all files.
pub(super) fn check(files: &[&Script]) -> Vec<ScriptError> {
    let read = || read_all(files);
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().name("lua reader".into()).stack_size(STACK).spawn_scoped(scope, read);
        reader.ok().and_then(|reader| reader.join().ok()).unwrap_or_else(|| {
            let message = "the script files could not be read: no thread could be started";
            vec![ScriptError::nowhere(ScriptErrorKind::Syntax, message)]
        })
    })
}

/// Refuses a file with so many operators that its tree could be too deep.
pub(super) fn check_shape(script: &Script) -> Result<(), ScriptError> {
    let bytes = script.text.as_bytes();
    let signs = bytes.windows(2).filter(|pair| is_operator(pair)).count();
    let words = [" and ", " or ", " not ", "not(", "elseif"].iter().map(|word| script.text.matches(word).count());
    let count = signs + words.sum::<usize>();
    if count <= MOST_OPERATORS {
        return Ok(());
    }
    let message = format!("the file has {count} operators and brackets; at most {MOST_OPERATORS} are read, split it");
    Err(ScriptError::of_file(ScriptErrorKind::Size, &script.name, message))
}

/// Whether a sign begins an operator, a bracket or a string; two dashes begin a remark.
fn is_operator(pair: &[u8]) -> bool {
    match pair {
        [b'-', next] => *next != b'-',
        [sign, _] => b"+*/%^<>=~&|.([{\"'?#".contains(sign),
        _ => false,
    }
}

#[cfg(feature = "luau")]
fn version() -> LuaVersion {
    LuaVersion::luau()
}

#[cfg(feature = "lua54")]
fn version() -> LuaVersion {
    LuaVersion::lua54()
}

/// Where each name of the pack is defined.
type Defined = BTreeMap<String, (String, u32)>;

fn read_all(files: &[&Script]) -> Vec<ScriptError> {
    let (mut trees, mut wrong, mut defined) = (Vec::new(), Vec::new(), Defined::new());
    for script in files {
        let parsed = full_moon::parse_fallible(&script.text, version());
        wrong.extend(parsed.errors().iter().map(|error| parse_error(script, error)));
        trees.push((*script, parsed.into_ast()));
    }
    if !wrong.is_empty() {
        return wrong;
    }
    for (script, tree) in &trees {
        file_level::check(script, tree, &mut defined, &mut wrong);
    }
    for (script, tree) in &trees {
        wrong.extend(read_names(script, tree, &defined));
    }
    wrong.sort();
    wrong.dedup_by(|a, b| (&a.file, a.line, a.column) == (&b.file, b.line, b.column));
    wrong
}

fn read_names(script: &Script, tree: &Ast, defined: &Defined) -> Vec<ScriptError> {
    let mut reader = Reader::new(&script.name, defined);
    reader.visit_ast(tree);
    reader.wrong
}

fn parse_error(script: &Script, error: &Error) -> ScriptError {
    let (start, _) = error.range();
    let (line, column) = (narrow(start.line()), narrow(start.character()));
    ScriptError::at(ScriptErrorKind::Syntax, &script.name, line, Some(column), error.error_message())
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
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
