//! Measures the shape of a file by its words alone: how deep its tree will be, and how long its functions are.
//!
//! Whoever builds or walks the tree recurses, so the depth is bounded before. Nothing in here recurses.

use super::{narrow, version};
use crate::error::{ScriptError, ScriptErrorKind};
use full_moon::tokenizer::{Lexer, LexerResult, Symbol, Token, TokenType};
use houserule_kernel::script::Script;

/// Blocks, brackets and pending operators that may stand within each other.
const DEEPEST: usize = 64;

/// The most words of a file: the tree that a parser makes of one takes about a thousand bytes a word.
const MOST_WORDS: usize = 40_000;

/// The shape of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::lua) struct Shape {
    /// Words of the longest function, without the functions in it; comparing and building count for several.
    pub(in crate::lua) longest: u64,
    /// Bytes of the longest text that is written out.
    pub(in crate::lua) text: usize,
}

impl Shape {
    /// The larger of two in each respect.
    pub(in crate::lua) fn larger(self, other: Shape) -> Shape {
        Shape { longest: self.longest.max(other.longest), text: self.text.max(other.text) }
    }
}

/// Measures a file.
///
/// # Errors
/// Signs that the machine and the parser read differently, words that are none, and files that nest too deep.
pub(in crate::lua) fn measure(script: &Script) -> Result<Shape, ScriptError> {
    no_control(script)?;
    let (mut reading, mut words, mut text) = (ShapeReader::default(), 0, 0);
    let mut lexer = Lexer::new_lazy(&script.text, version());
    no_backtick(script, 0)?;
    while let Some(next) = lexer.process_next() {
        let token = match next {
            LexerResult::Ok(token) => token,
            LexerResult::Fatal(errors) | LexerResult::Recovered(_, errors) => return Err(no_word(script, &errors)),
        };
        no_backtick(script, token.end_position().bytes())?;
        if token.token_type().is_trivia() {
            continue;
        }
        words += 1;
        if let TokenType::StringLiteral { literal, .. } = token.token_type() {
            text = text.max(literal.len());
        }
        if words > MOST_WORDS {
            return Err(refused(script, &token, &format!("a file has at most {MOST_WORDS} words; make two of it")));
        }
        if reading.read(token.token_type()) > DEEPEST {
            return Err(refused(script, &token, "the file nests too deep; give its parts names"));
        }
    }
    Ok(Shape { longest: reading.longest(), text })
}

/// Only Luau has texts with values in them, and the lexer panics where it meets one in Lua 5.4.
fn no_backtick(script: &Script, at: usize) -> Result<(), ScriptError> {
    let read = script.text.get(..at).unwrap_or_default();
    let met = script.text.get(at..).is_some_and(|rest| rest.starts_with('`'));
    if cfg!(feature = "luau") || !met {
        return Ok(());
    }
    let line = read.matches('\n').count() + 1;
    let message = "Lua 5.4 has no texts between backticks; join texts by `..`";
    Err(ScriptError::at(ScriptErrorKind::Syntax, &script.name, narrow(line), None, message))
}

/// A return without a new line ends a remark for the machine, but not for the parser: what follows would not be read.
fn no_control(script: &Script) -> Result<(), ScriptError> {
    let plain = script.text.replace("\r\n", "\n");
    let Some(at) = plain.find(|sign: char| sign.is_control() && sign != '\n' && sign != '\t') else { return Ok(()) };
    let line = plain.get(..at).unwrap_or("").matches('\n').count() + 1;
    let message = "the line holds a control character; write it as an escape, such as `\\r`";
    Err(ScriptError::at(ScriptErrorKind::Syntax, &script.name, narrow(line), None, message))
}

fn no_word(script: &Script, errors: &[full_moon::tokenizer::TokenizerError]) -> ScriptError {
    let start = errors.first().map(|error| error.position());
    let (line, column) = start.map_or((0, 0), |start| (narrow(start.line()), narrow(start.character())));
    let message = errors.first().map_or_else(|| "this is no word of Lua".to_owned(), |error| error.error().to_string());
    ScriptError::at(ScriptErrorKind::Syntax, &script.name, line, Some(column), message)
}

fn refused(script: &Script, token: &Token, message: &str) -> ScriptError {
    let start = token.start_position();
    let (line, column) = (narrow(start.line()), narrow(start.character()));
    ScriptError::at(ScriptErrorKind::Syntax, &script.name, line, Some(column), message)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Bracket,
    /// A table, or the type of one.
    Table,
    /// The bracket of an index, which the parser reads twice: its time doubles with each that stands in another.
    Index,
    Block,
    Function,
    If,
    /// An `if` that is an expression; it has no `end`.
    Choice,
}

impl Open {
    /// How many levels it counts for: the parser takes much more of the stack for a statement than for a value.
    fn levels(self) -> usize {
        match self {
            Open::Index => 8,
            Open::Block | Open::Function | Open::If => 4,
            Open::Table => 2,
            Open::Bracket | Open::Choice => 1,
        }
    }
}

/// What is open, with the operators that are pending in it.
struct Frame {
    open: Open,
    pending: usize,
    /// How often `elseif` was said; to the machine's parser each stands within the one before.
    turns: usize,
}

/// How far a file is read.
struct ShapeReader {
    frames: Vec<Frame>,
    /// Sum over all frames.
    depth: usize,
    /// Words so far of the functions that are open, the file itself first.
    functions: Vec<u64>,
    longest: u64,
    /// Whether the last word ends a value.
    value: bool,
    /// Whether an `if` would begin an expression here.
    choice: bool,
}

impl Default for ShapeReader {
    fn default() -> ShapeReader {
        let file = Frame { open: Open::Block, pending: 0, turns: 0 };
        ShapeReader { frames: vec![file], depth: 0, functions: vec![0], longest: 0, value: false, choice: false }
    }
}

impl ShapeReader {
    /// Reads one word and tells how deep it stands.
    fn read(&mut self, token: &TokenType) -> usize {
        match token {
            TokenType::Symbol { symbol } => self.symbol(*symbol),
            TokenType::Identifier { .. } => {
                if self.value {
                    self.settle();
                }
                self.count(1);
                self.follow(true, false);
            }
            _ => {
                // A string right after a value is what a call hands over.
                self.pend(usize::from(self.value));
                self.count(1);
                self.follow(true, false);
            }
        }
        self.depth
    }

    fn symbol(&mut self, symbol: Symbol) {
        self.count(weight(symbol));
        match symbol {
            Symbol::True | Symbol::False | Symbol::Nil | Symbol::Ellipsis => self.follow(true, false),
            Symbol::LeftParen | Symbol::LeftBrace | Symbol::LeftBracket => {
                self.pend(usize::from(self.value));
                let index = self.value && symbol == Symbol::LeftBracket;
                self.push(match symbol {
                    Symbol::LeftBrace => Open::Table,
                    _ if index => Open::Index,
                    _ => Open::Bracket,
                });
            }
            Symbol::RightParen | Symbol::RightBrace | Symbol::RightBracket => self.pop(),
            Symbol::Function => {
                self.push(Open::Function);
                self.functions.push(0);
            }
            Symbol::Do | Symbol::Repeat => self.begin(Open::Block),
            Symbol::If => self.push(if self.choice { Open::Choice } else { Open::If }),
            Symbol::End | Symbol::Until => self.end(symbol),
            Symbol::Then | Symbol::Else | Symbol::ElseIf => self.turn(symbol),
            _ if separates(symbol) => self.separate(symbol),
            _ => {
                self.pend(1);
                self.follow(false, true);
            }
        }
    }

    fn count(&mut self, words: u64) {
        if let Some(own) = self.functions.last_mut() {
            *own += words;
        }
    }

    fn follow(&mut self, value: bool, choice: bool) {
        (self.value, self.choice) = (value, choice && cfg!(feature = "luau"));
    }

    fn pend(&mut self, operators: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pending += operators;
            self.depth += operators;
        }
    }

    /// An expression has ended: nothing is pending in the innermost frame.
    fn settle(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            self.depth -= std::mem::take(&mut frame.pending);
        }
    }

    fn push(&mut self, open: Open) {
        self.frames.push(Frame { open, pending: 0, turns: 0 });
        self.depth += open.levels();
        self.follow(false, true);
    }

    fn begin(&mut self, open: Open) {
        self.settle();
        self.push(open);
        self.follow(false, false);
    }

    fn pop(&mut self) {
        if self.frames.len() > 1
            && let Some(frame) = self.frames.pop()
        {
            self.depth -= frame.pending + frame.turns + frame.open.levels();
            if frame.open == Open::Function {
                self.longest = self.longest.max(self.functions.pop().unwrap_or(0));
            }
        }
        self.follow(true, false);
    }

    fn end(&mut self, symbol: Symbol) {
        self.pop();
        if symbol == Symbol::Until {
            self.settle();
            self.follow(false, true);
        }
    }

    /// `then`, `else` and `elseif` belong to the innermost `if`.
    fn turn(&mut self, symbol: Symbol) {
        let choice = self.frames.last().is_some_and(|frame| frame.open == Open::Choice);
        if choice && symbol == Symbol::Else {
            self.pop();
            self.pend(1);
        } else {
            self.settle();
        }
        if symbol == Symbol::ElseIf
            && let Some(frame) = self.frames.last_mut()
        {
            frame.turns += 1;
            self.depth += 1;
        }
        self.follow(false, choice || symbol == Symbol::ElseIf);
    }

    fn separate(&mut self, symbol: Symbol) {
        self.settle();
        let within =
            self.frames.last().is_some_and(|frame| matches!(frame.open, Open::Bracket | Open::Table | Open::Index));
        let statement = matches!(symbol, Symbol::Semicolon | Symbol::Break) && !within;
        self.follow(symbol == Symbol::Break, !statement);
    }

    fn longest(&self) -> u64 {
        self.functions.iter().copied().fold(self.longest, u64::max)
    }
}

/// Comparing may walk through long strings; tables and functions are made anew.
fn weight(symbol: Symbol) -> u64 {
    match symbol {
        Symbol::LessThan | Symbol::LessThanEqual | Symbol::GreaterThan | Symbol::GreaterThanEqual => 32,
        Symbol::LeftBrace | Symbol::Function | Symbol::Ellipsis => 8,
        _ => 1,
    }
}

/// Whether an expression or statement ends before this word.
fn separates(symbol: Symbol) -> bool {
    matches!(
        symbol,
        Symbol::Comma
            | Symbol::Semicolon
            | Symbol::Equal
            | Symbol::Local
            | Symbol::Return
            | Symbol::Break
            | Symbol::While
            | Symbol::For
            | Symbol::In
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: usize = 3 << 19;

    fn shape(text: &str) -> Result<Shape, ScriptError> {
        measure(&Script { name: "p/a.lua".into(), text: text.into(), file: 0 })
    }

    fn is_deep(text: &str) -> bool {
        shape(text).is_err_and(|error| error.message.contains("nests too deep"))
    }

    #[test]
    fn whatever_nests_is_counted() {
        let many = |piece: &str| piece.repeat(DEEPEST + 1);
        for piece in ["(", "{", "[ ", "- ", "not ", "#", "do ", "if a then ", "function() ", "repeat ", "a + ", "a .. "]
        {
            assert!(is_deep(&format!("return {}", many(piece))), "{piece}");
        }
        assert!(is_deep(&format!("if a then {}", many("elseif b then "))));
        for text in [
            format!("return a{}", many(".a")),
            format!("return a{}", many("''")),
            format!("f{}", many("()")),
            format!("f{}", many("{}")),
        ] {
            assert!(is_deep(&text), "{text}");
        }
    }

    #[cfg(feature = "luau")]
    #[test]
    fn choices_within_choices_are_counted() {
        let many = |piece: &str| piece.repeat(DEEPEST + 1);
        assert!(is_deep(&format!("return {}", many("if a then 1 else "))));
        assert!(is_deep(&format!("return {}", many("if a then "))));
        assert!(is_deep(&format!("return {}", many("if "))));
    }

    /// A browser gives its programs no more; the machine's own parser is bounded by the same count.
    #[test]
    fn the_deepest_file_is_read_on_a_small_stack() {
        let deep = |before: &str, middle: &str, after: &str| {
            let fits = |count: usize| format!("local x = {}{middle}{}", before.repeat(count), after.repeat(count));
            let most = (1..DEEPEST).rev().map(fits).find(|text| shape(text).is_ok()).unwrap();
            let reading = move || crate::lua::lint::check(&[&Script { name: "p/a.lua".into(), text: most, file: 0 }]);
            let reader = std::thread::Builder::new().stack_size(SMALL).spawn(reading).unwrap();
            reader.join().unwrap()
        };
        for (before, middle, after) in [
            ("(", "1", ")"),
            ("{ ", "", " }"),
            ("{ [", "1", "] = 1 }"),
            ("- ", "1", ""),
            ("1 + ", "1", ""),
            ("'a' .. ", "'b'", ""),
            ("function() return ", "1", " end"),
            ("function() if a then return ", "1", " end end"),
            ("f(", "1", ")"),
            ("f{", "", "}"),
            ("a[", "1", "]"),
        ] {
            deep(before, middle, after);
        }
    }

    #[test]
    fn what_follows_each_other_does_not_nest() {
        for piece in [
            "local x = 1 + 1\n",
            "f() ",
            "x = y if a then b() else c() end ",
            "f(1)(2) ",
            "do end ",
            "local f = function() return -1 end ",
            "repeat until a == b ",
            "for i = 1, 2 do end ",
            "while a and b do break end ",
            "t.x.y = { 1 + 1, -2; 3 } ",
        ] {
            assert!(shape(&piece.repeat(1_000)).is_ok(), "{piece}");
        }
    }

    #[cfg(feature = "luau")]
    #[test]
    fn a_choice_has_no_end_and_breaks_no_count() {
        let piece = "local x = if a then 1 elseif b then 2 else 3\nif x then f() elseif y then else g() end\n";
        assert!(shape(&piece.repeat(1_000)).is_ok());
    }

    #[test]
    fn the_longest_function_counts_without_the_functions_in_it() {
        let long = "x = y ".repeat(100);
        let one = shape(&format!("local f = function() {long} end")).unwrap().longest;
        let split = format!("local f = function() {long} local g = function() {long} end end");
        assert!((300..320).contains(&one), "{one}");
        assert!((300..320).contains(&shape(&split).unwrap().longest));
    }

    #[test]
    fn err_a_file_of_too_many_words_is_refused() {
        let file = |words| Script { name: "a.lua".into(), text: "a ".repeat(words), file: 0 };
        // the end of the file counts as one
        assert!(measure(&file(MOST_WORDS - 1)).is_ok());
        let wrong = measure(&file(MOST_WORDS)).unwrap_err();
        assert!(wrong.message.contains("at most 40000 words; make two of it"), "{}", wrong.message);
        let remarks = Script { text: "-- a b\n".repeat(MOST_WORDS + 1), ..file(0) };
        assert!(measure(&remarks).is_ok());
    }

    #[test]
    fn control_signs_are_refused_with_their_line() {
        let error = shape("local a = 1\n-- remark\rlocal b = 2\n").unwrap_err();
        assert_eq!((error.kind, error.line), (ScriptErrorKind::Syntax, 2));
        assert!(shape("local a = 1\r\n\t-- remark\r\n").is_ok());
    }
}
