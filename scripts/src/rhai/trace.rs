//! Turns an error of the engine into one with a place in the pack.

use super::api::NAMES;
use super::declare::usage;
use crate::api::{Of, no_word as no_word_of, words};
use crate::budget::{FuelMeter, ScriptStop};
use crate::error::{ScriptError, ScriptErrorKind, cut};
use ::rhai::{EvalAltResult, LexError, ParseErrorType, Position};

const LONGEST_TRACE: usize = 16;

/// The error as the rule-writer gets it. A stop of the account outweighs what the engine says; what the engine stops
/// by itself stops the account.
pub(super) fn blame(error: &EvalAltResult, file: &str, account: &FuelMeter) -> ScriptError {
    let mut frames = Vec::new();
    let (inner, source) = innermost(error, file, &mut frames);
    let place = inner.position();
    if let Some(stop) = own_stop(inner) {
        account.halt(stop);
    }
    let (kind, message) = (kind(inner), message(inner));
    let mut blamed = match (place.line(), frames.last()) {
        (Some(line), _) => {
            let column = place.position().map(|column| count(Some(column)));
            ScriptError::at(kind, source, count(Some(line)), column, message)
        }
        (None, Some((file, line))) => ScriptError::at(kind, file, *line, None, message),
        (None, None) => ScriptError::nowhere(kind, message),
    };
    blamed.frames = frames.into_iter().rev().take(LONGEST_TRACE).collect();
    match account.stopped() {
        Some(stop) => blamed.because(stop),
        None => blamed,
    }
}

/// The error at the bottom and the file it is in; the calls that led there are noted, outermost first.
fn innermost<'a>(
    error: &'a EvalAltResult,
    file: &'a str,
    frames: &mut Vec<(String, u32)>,
) -> (&'a EvalAltResult, &'a str) {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, source, inner, call) => {
            note(frames, file, *call);
            innermost(inner, if source.is_empty() { file } else { source }, frames)
        }
        EvalAltResult::ErrorInModule(_, inner, _) => innermost(inner, file, frames),
        other => (other, file),
    }
}

fn note(frames: &mut Vec<(String, u32)>, file: &str, call: Position) {
    if let Some(line) = call.line() {
        frames.push((file.to_owned(), count(Some(line))));
    }
}

fn count(number: Option<usize>) -> u32 {
    number.and_then(|number| u32::try_from(number).ok()).unwrap_or(0)
}

fn own_stop(error: &EvalAltResult) -> Option<ScriptStop> {
    match error {
        EvalAltResult::ErrorStackOverflow(_) => Some(ScriptStop::Depth),
        EvalAltResult::ErrorDataTooLarge(..) | EvalAltResult::ErrorTooManyVariables(_) => Some(ScriptStop::Size),
        EvalAltResult::ErrorTooManyOperations(_) => Some(ScriptStop::Fuel),
        _ => None,
    }
}

fn kind(error: &EvalAltResult) -> ScriptErrorKind {
    match error {
        EvalAltResult::ErrorParsing(..) => ScriptErrorKind::Syntax,
        _ => ScriptErrorKind::Runtime,
    }
}

fn message(error: &EvalAltResult) -> String {
    match error {
        EvalAltResult::ErrorParsing(wrong, _) => parse_message(wrong),
        EvalAltResult::ErrorVariableNotFound(name, _) => format!("there is nothing named `{name}`"),
        EvalAltResult::ErrorPropertyNotFound(name, _) => format!("there is no `{name}` in this map"),
        EvalAltResult::ErrorFunctionNotFound(call, _) => no_function(call),
        EvalAltResult::ErrorRuntime(value, _) => cut(&value.to_string()).to_owned(),
        EvalAltResult::ErrorArithmetic(wrong, _) => wrong.to_lowercase(),
        EvalAltResult::ErrorMismatchDataType(wanted, got, _) => format!("a {got} stands where a {wanted} is wanted"),
        other => plain(&other.to_string()),
    }
}

/// The engine's sentence without its place and its capital.
fn plain(sentence: &str) -> String {
    let sentence = cut(sentence).rsplit_once(" (line ").map_or(cut(sentence), |(before, _)| before);
    let mut letters = sentence.chars();
    letters
        .next()
        .map(|first| first.to_lowercase().chain(letters).collect::<String>())
        .unwrap_or_default()
        .replace('\'', "`")
}

fn no_function(call: &str) -> String {
    let name = call.split([' ', '(']).next().unwrap_or("");
    if name.starts_with("anon$") {
        return "a closure was called with more or fewer values than it takes; look at its `|…|`".to_owned();
    }
    if let Some(usage) = usage(name) {
        return usage.to_owned();
    }
    let given = call.split_once('(').map_or("", |(_, given)| given);
    let first = if given.starts_with("()") { "()" } else { given.split([',', ')']).next().unwrap_or("").trim() };
    let known = words().iter().find(|word| word.name == name && !word.property && word.of != Of::Library);
    let of = NAMES.iter().find(|(type_name, _)| *type_name == first).map(|(_, of)| *of);
    match (known, of) {
        (Some(word), Some(of)) if word.of != of && word.of != Of::Free => no_word_of(of, name),
        (Some(word), _) if word.of.example().is_some() && first == "()" => {
            format!("`{name}` is asked of something that is not there")
        }
        (Some(word), _) => format!("`{name}` is written `{}`", word.usage().replace(':', ".")),
        (None, Some(of)) => no_word_of(of, name),
        (None, None) => format!("there is no function `{name}`"),
    }
}

/// What a file says that the parser refuses.
pub(super) fn parse_message(wrong: &ParseErrorType) -> String {
    match wrong {
        ParseErrorType::VariableUndefined(name) => {
            format!("there is nothing named `{name}`; inside a `fn`, a constant of the file is `global::{name}`")
        }
        ParseErrorType::BadInput(LexError::ImproperSymbol(symbol, _)) | ParseErrorType::Reserved(symbol)
            if no_word(symbol).is_some() =>
        {
            no_word(symbol).unwrap_or_default().to_owned()
        }
        ParseErrorType::AssignmentToConstant(name) => {
            format!("`{name}` is a constant and cannot be changed, since scripts have no memory")
        }
        ParseErrorType::ExprTooDeep => "this expression nests too deep; give its parts names".to_owned(),
        other => plain(&other.to_string()),
    }
}

/// Why a word of the engine is none of ours, with the way out.
fn no_word(symbol: &str) -> Option<&'static str> {
    Some(match symbol {
        "print" | "debug" => "scripts cannot print; use `say(\"key\")` with a key of `text/en.toml`",
        "throw" => "scripts cannot `throw`; use `error(\"why\")`",
        "try" | "catch" => "scripts cannot catch errors; ask before, such as by `has` or `contains`",
        "import" | "export" => {
            "scripts cannot import or export; functions of a file under `lib/` are known to all files"
        }
        "eval" => "scripts cannot run text; write a function",
        "Fn" | "curry" => "functions are not made of names or parts; write a closure such as `|x| x + 1`",
        "this" => "`this` is no word here; let the function take the value as a parameter",
        "is_def_fn" | "is_def_var" | "is_shared" => "scripts cannot ask about names; what a file defines is known",
        _ => return None,
    })
}
