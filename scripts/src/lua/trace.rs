//! Turns an error of the machine into one with a place in the pack.

use crate::budget::{FuelMeter, ScriptStop};
use crate::error::{ScriptError, ScriptErrorKind, cut};
use mlua::Error;
use mlua::debug::Debug;

/// The name under which the machine knows a file: short, so that it is never cut, and unlike any path.
pub(super) fn alias(number: usize) -> String {
    format!("<{number}>")
}

/// The file number and line that runs at a level of the stack, if it is pack code.
pub(super) fn place(level: &Debug<'_>) -> Option<(usize, u32)> {
    let source = level.source();
    let number = source.short_src?.strip_prefix('<')?.strip_suffix('>')?.parse().ok()?;
    Some((number, u32::try_from(level.current_line()?).ok()?))
}

/// The error as the rule-writer gets it. A stop of the account outweighs what the machine says; `stopped_at` is where
/// it stopped the script, if a safepoint did.
pub(super) fn blame(
    error: &Error,
    files: &[String],
    account: &FuelMeter,
    stopped_at: Option<(usize, u32)>,
) -> ScriptError {
    let told = tell(error);
    let (own, message) = split_place(&told.message);
    let frames: Vec<(usize, u32)> = told.trace.lines().filter_map(find_place).collect();
    let place = own.or_else(|| frames.first().copied()).or(stopped_at);
    let named = |(number, line): (usize, u32)| files.get(number).map(|file| (file.clone(), line));
    let (file, line) = place.and_then(named).unwrap_or_default();
    let mut blamed = ScriptError::at(told.kind, &file, line, None, plain(message));
    let stop = account.stopped();
    // Fuel and memory may end a few calls sooner or later, so none is told.
    if !matches!(stop, Some(ScriptStop::Fuel | ScriptStop::Memory)) {
        blamed.frames = frames.into_iter().filter_map(named).take(LONGEST_TRACE).collect();
    }
    match stop {
        Some(stop) => blamed.because(stop),
        None => blamed,
    }
}

/// Whether memory ended somewhere below: in the machine, or in a host function that the machine called.
pub(super) fn is_out_of_memory(error: &Error) -> bool {
    match error {
        Error::MemoryError(_) => true,
        Error::CallbackError { cause, .. } | Error::BadArgument { cause, .. } | Error::WithContext { cause, .. } => {
            is_out_of_memory(cause)
        }
        // What is left to say when memory ends while an error is told.
        Error::RuntimeError(message) => {
            message.starts_with("error in error handling") || message == "not enough memory"
        }
        _ => false,
    }
}

const LONGEST_TRACE: usize = 16;

struct Told {
    kind: ScriptErrorKind,
    message: String,
    trace: String,
}

fn tell(error: &Error) -> Told {
    match error {
        Error::SyntaxError { message, .. } => told(ScriptErrorKind::Syntax, message, ""),
        Error::RuntimeError(text) => {
            let (message, trace) = text.split_once("\nstack traceback:").unwrap_or((text, ""));
            told(kind_of(message), message, trace)
        }
        Error::MemoryError(_) => {
            let sentence = ScriptStop::Memory.sentence();
            told(ScriptErrorKind::Memory, sentence, "")
        }
        Error::CallbackError { traceback, cause } => {
            let inner = tell(cause);
            let trace = if inner.trace.is_empty() { traceback.clone() } else { inner.trace };
            Told { trace, ..inner }
        }
        Error::BadArgument { pos, cause, .. } => {
            told(ScriptErrorKind::Runtime, &format!("argument {pos} is wrong: {}", tell(cause).message), "")
        }
        Error::FromLuaConversionError { from, to, .. } => {
            told(ScriptErrorKind::Runtime, &format!("a {from} stands where a {to} is wanted"), "")
        }
        other => told(ScriptErrorKind::Runtime, &other.to_string(), ""),
    }
}

fn told(kind: ScriptErrorKind, message: &str, trace: &str) -> Told {
    Told { kind, message: cut(message).to_owned(), trace: trace.to_owned() }
}

/// The machine's own bound on recursion shows only in its words.
fn kind_of(message: &str) -> ScriptErrorKind {
    if message.contains("stack overflow") { ScriptErrorKind::Depth } else { ScriptErrorKind::Runtime }
}

/// Takes a place of pack or prelude off the front of a message.
fn split_place(message: &str) -> (Option<(usize, u32)>, &str) {
    if let Some(rest) = message.strip_prefix("prelude:") {
        let after_line = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        return (None, after_line.strip_prefix(": ").unwrap_or(after_line));
    }
    match find_place(message).filter(|_| message.starts_with('<')) {
        None => (None, message),
        place => (place, message.split_once(": ").map_or(message, |(_, rest)| rest)),
    }
}

/// The first `<number>:line` in a line of text.
fn find_place(text: &str) -> Option<(usize, u32)> {
    text.match_indices('<').find_map(|(at, _)| {
        let (number, rest) = text.get(at + 1..)?.split_once(">:")?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        Some((number.parse().ok()?, rest.get(..digits)?.parse().ok()?))
    })
}

/// What the machine says, in words for the table.
fn plain(message: &str) -> String {
    let quoted = |text: &str| text.replace('\'', "`");
    if let Some((_, name)) = message.split_once("attempt to index nil with ") {
        return format!("{} is asked of something that is not there (nil)", quoted(name));
    }
    if message.contains("attempt to modify a readonly table") || message.contains("a frozen table cannot be changed") {
        return "this table is frozen and cannot be changed; scripts have no memory".to_owned();
    }
    if message.starts_with("attempt to ") { quoted(message) } else { message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blamed(error: &Error) -> ScriptError {
        blame(error, &["p/a.lua".into(), "p/b.lua".into()], &FuelMeter::open(crate::ScriptLimits::default()), None)
    }

    #[test]
    fn the_place_stands_before_the_message_or_in_the_first_pack_frame() {
        let own = blamed(&Error::RuntimeError("<1>:3: boom\nstack traceback:\n[C] in error\n<1>:3\n<0>:9".into()));
        assert_eq!((own.file.as_str(), own.line, own.message.as_str()), ("p/b.lua", 3, "boom"));
        assert_eq!(own.frames.len(), 2);
        let below = blamed(&Error::RuntimeError("prelude:70: no\nstack traceback:\nprelude:70\n\t<0>:5: in x".into()));
        assert_eq!((below.file.as_str(), below.line, below.message.as_str()), ("p/a.lua", 5, "no"));
    }

    #[test]
    fn a_message_that_looks_like_a_place_blames_no_other_file() {
        let error = blamed(&Error::RuntimeError("<77>:3: boom\nstack traceback:\n<0>:2".into()));
        assert_eq!((error.file.as_str(), error.line), ("", 0));
    }

    #[test]
    fn stack_overflow_is_depth() {
        assert_eq!(blamed(&Error::RuntimeError("<0>:1: stack overflow".into())).kind, ScriptErrorKind::Depth);
    }
}
