//! Puts words of the prelude into a file where the machine would answer by how it laid its memory out.
//!
//! The `#` of a list with holes goes by the room that the machine keeps for it, a table or function as a key stands at
//! its address, Lua 5.4 compares strings by the locale of its host, and what a key costs goes by the keys that were there
//! before. None of it can be watched while a script runs, so each such place calls a word of ours. Lines stay as they are.

use super::lint::version;
use full_moon::ast::{Assignment, BinOp, Expression, Field, Index, Stmt, Suffix, UnOp, Var};
use full_moon::node::Node;
#[cfg(feature = "luau")]
use full_moon::tokenizer::TokenReference;
use full_moon::tokenizer::{Symbol, TokenType};
use full_moon::visitors::Visitor;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What only names of the prelude begin with.
pub(super) const OWN: &str = "__";

/// The file as the machine gets it.
///
/// # Errors
/// What the parser says against it.
pub(super) fn guarded(text: &str) -> Result<Cow<'_, str>, String> {
    if !text.contains(['#', '[', '<', '>', '=']) && !text.contains("..") {
        return Ok(text.into());
    }
    let parsed = full_moon::parse_fallible(text, version());
    if let Some(error) = parsed.errors().first() {
        return Err(error.error_message().into_owned());
    }
    let mut places = Places::default();
    places.visit_ast(parsed.ast());
    Ok(places.written_into(text).into())
}

/// Something to write.
struct TextEdit {
    at: usize,
    /// Bytes that it stands for.
    instead_of: usize,
    words: Cow<'static, str>,
}

/// What is to be written, outer before inner.
#[derive(Default)]
struct Places {
    edits: Vec<TextEdit>,
    /// Where the `..` stand that are written already.
    joined: BTreeSet<usize>,
}

impl Places {
    fn write(&mut self, at: usize, instead_of: usize, words: impl Into<Cow<'static, str>>) {
        self.edits.push(TextEdit { at, instead_of, words: words.into() });
    }

    /// Puts a call of a word around an expression.
    fn around(&mut self, inner: &Expression, call: impl Into<Cow<'static, str>>) {
        let (start, end) = ends(inner);
        self.write(start, 0, call);
        self.write(end, 0, ")");
    }

    fn key(&mut self, key: &Expression) {
        if !is_plain(key) {
            self.around(key, "__key(");
        }
    }

    /// Nothing in the place of something is paid for: with each new key after it, the machine may build its table anew.
    fn values(&mut self, assignment: &Assignment) {
        let targets = assignment.variables();
        let count = assignment.expressions().len();
        for (at, (target, value)) in targets.iter().zip(assignment.expressions()).enumerate() {
            if at + 1 == count && count < targets.len() {
                self.around(value, format!("__nothings({}, ", targets.len()));
            } else if matches!(target, Var::Expression(_)) && !is_something(value) {
                self.around(value, "__value(");
            }
        }
    }

    /// What is assigned to `t[k]`. A read finds nothing under a key that nobody could write.
    fn target(&mut self, target: &Var) {
        if let Var::Expression(path) = target
            && let Some(Suffix::Index(Index::Brackets { expression, .. })) = path.suffixes().last()
        {
            self.key(expression);
        }
    }

    /// A row of `..` is one call.
    fn joining(&mut self, lhs: &Expression, sign: &BinOp, rhs: &Expression) {
        if !matches!(sign, BinOp::TwoDots(_)) || self.joined.contains(&ends(sign.token()).0) {
            return;
        }
        self.write(ends(lhs).0, 0, "(__joined(");
        let (mut sign, mut rest) = (sign, rhs);
        loop {
            let (from, to) = ends(sign.token());
            self.joined.insert(from);
            self.write(from, to - from, ",");
            match rest {
                Expression::BinaryOperator { binop, rhs, .. } if matches!(binop, BinOp::TwoDots(_)) => {
                    (sign, rest) = (binop, rhs);
                }
                last => return self.write(ends(last).1, 0, "))"),
            }
        }
    }

    /// `name ..= text`; elsewhere than at a name the lint refuses it.
    #[cfg(feature = "luau")]
    fn added_text(&mut self, target: &Var, sign: &TokenReference, text: &Expression) {
        let (from, to) = ends(sign);
        let Var::Name(name) = target else { return };
        if to - from == 3 {
            self.write(from, to - from, format!("= __joined({},", name.token()));
            self.write(ends(text).1, 0, ")");
        }
    }

    fn written_into(mut self, text: &str) -> String {
        self.edits.sort_by_key(|change| (change.at, !change.words.starts_with(')')));
        let (mut out, mut read) = (String::with_capacity(text.len() * 2), 0);
        for TextEdit { at, instead_of, words } in self.edits {
            out.push_str(text.get(read..at).unwrap_or(""));
            out.push_str(&words);
            read = at + instead_of;
        }
        out + text.get(read..).unwrap_or("")
    }
}

impl Visitor for Places {
    fn visit_stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Assignment(assignment) => {
                assignment.variables().iter().for_each(|target| self.target(target));
                self.values(assignment);
            }
            #[cfg(feature = "luau")]
            Stmt::CompoundAssignment(change) => {
                self.target(change.lhs());
                self.added_text(change.lhs(), change.compound_operator().token(), change.rhs());
            }
            _ => {}
        }
    }

    fn visit_field(&mut self, field: &Field) {
        if let Field::ExpressionKey { key, .. } = field {
            self.key(key);
        }
    }

    /// The parentheses keep the call from being the last thing that a function does, which would hide its line.
    fn visit_expression(&mut self, expression: &Expression) {
        match expression {
            Expression::UnaryOperator { unop: UnOp::Hash(sign), expression } => {
                self.write(ends(sign).0, 1, "(__length(");
                self.write(ends(&**expression).1, 0, "))");
            }
            Expression::BinaryOperator { lhs, binop, rhs } => {
                self.joining(lhs, binop, rhs);
                #[cfg(feature = "lua54")]
                self.comparison(lhs, binop, rhs);
            }
            _ => {}
        }
    }
}

#[cfg(feature = "lua54")]
impl Places {
    fn comparison(&mut self, lhs: &Expression, sign: &BinOp, rhs: &Expression) {
        let word = match sign {
            BinOp::LessThan(_) => "(__less(",
            BinOp::LessThanEqual(_) => "(__at_most(",
            BinOp::GreaterThan(_) => "(__more(",
            BinOp::GreaterThanEqual(_) => "(__at_least(",
            _ => return,
        };
        if is_number(lhs) || is_number(rhs) {
            return;
        }
        let (from, to) = ends(sign.token());
        self.write(ends(lhs).0, 0, word);
        self.write(from, to - from, ",");
        self.write(ends(rhs).1, 0, "))");
    }
}

/// Where the words of a node begin and end. The parser's own end of `t[k]` is before the bracket.
fn ends(node: &impl Node) -> (usize, usize) {
    let words = node.tokens().map(|word| (word.token().start_position().bytes(), word.token().end_position().bytes()));
    words.reduce(|(start, end), (from, to)| (start.min(from), end.max(to))).unwrap_or_default()
}

/// Whether an expression can only give a number.
#[cfg(feature = "lua54")]
fn is_number(expression: &Expression) -> bool {
    match expression {
        Expression::Number(_) => true,
        Expression::Parentheses { expression, .. } => is_number(expression),
        Expression::UnaryOperator { unop, .. } => !matches!(unop, UnOp::Not(_)),
        Expression::BinaryOperator { binop, .. } => is_sum(binop),
        _ => false,
    }
}

/// Whether an expression cannot give a table, function or handle.
fn is_plain(expression: &Expression) -> bool {
    match expression {
        Expression::Number(_) | Expression::String(_) => true,
        Expression::Symbol(word) => !matches!(word.token_type(), TokenType::Symbol { symbol: Symbol::Ellipsis }),
        Expression::Parentheses { expression, .. } => is_plain(expression),
        Expression::UnaryOperator { .. } => true,
        Expression::BinaryOperator { binop, .. } => !matches!(binop, BinOp::And(_) | BinOp::Or(_)),
        _ => false,
    }
}

/// Whether an expression cannot give nothing.
fn is_something(expression: &Expression) -> bool {
    match expression {
        Expression::TableConstructor(_) | Expression::Function(_) => true,
        Expression::Symbol(word) => {
            !matches!(word.token_type(), TokenType::Symbol { symbol: Symbol::Nil }) && is_plain(expression)
        }
        Expression::Parentheses { expression, .. } => is_something(expression),
        _ => is_plain(expression),
    }
}

/// Whether an operator counts.
#[cfg(feature = "lua54")]
fn is_sum(sign: &BinOp) -> bool {
    use BinOp::{DoubleSlash, Minus, Percent, Plus, Slash, Star};
    matches!(sign, Plus(_) | Minus(_) | Star(_) | Slash(_) | DoubleSlash(_) | Percent(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        guarded(text).unwrap().into_owned()
    }

    #[test]
    fn lengths_ask_the_prelude() {
        for (text, guarded) in [
            ("return#t", "return(__length(t))"),
            ("local n = # -- why\n  t.x[1]:f { 2 } + 1", "local n = (__length( -- why\n  t.x[1]:f { 2 })) + 1"),
            ("local n = ##t", "local n = (__length((__length(t))))"),
            ("t[#t + 1] = '#é' .. #'é'", "t[(__length(t)) + 1] = (__joined('#é' , (__length('é'))))"),
            ("for i = 1,#t do end", "for i = 1,(__length(t)) do end"),
            ("local n = -#(t or u)", "local n = -(__length((t or u)))"),
            ("local s = '#' -- #t", "local s = '#' -- #t"),
            ("local s = [[\n#t]] return#s", "local s = [[\n#t]] return(__length(s))"),
        ] {
            assert_eq!(written(text), guarded);
        }
    }

    #[test]
    fn a_row_of_texts_is_joined_by_one_call() {
        for (text, guarded) in [
            ("return a .. b", "return (__joined(a , b))"),
            ("return a..b .. c", "return (__joined(a,b , c))"),
            ("return (a .. b) .. c", "return (__joined(((__joined(a , b))) , c))"),
            ("return a + 1 .. -b .. f(c .. d)", "return (__joined(a + 1 , -b , f((__joined(c , d)))))"),
            ("local s = '..' -- a .. b", "local s = '..' -- a .. b"),
            ("local function f(...) return ... end", "local function f(...) return ... end"),
        ] {
            assert_eq!(written(text), guarded);
        }
    }

    #[test]
    #[cfg(feature = "luau")]
    fn a_text_that_is_added_to_a_local_is_joined() {
        assert_eq!(written("s ..= a .. b"), "s = __joined(s, (__joined(a , b)))");
        assert_eq!(written("n += 1"), "n += 1");
    }

    #[test]
    fn keys_that_may_be_anything_are_asked_for() {
        for (text, guarded) in [
            ("t[k] = 1", "t[__key(k)] = 1"),
            ("t[k][l].x[ m ] = t[n]", "t[k][l].x[ __key(m) ] = __value(t[n])"),
            ("t[a], t[1], t['b'], t[-a] = 1, 2, 3, 4", "t[__key(a)], t[1], t['b'], t[-a] = 1, 2, 3, 4"),
            ("t[(a or b)] = f(t[a])", "t[__key((a or b))] = __value(f(t[a]))"),
            ("local t = { [k] = { [f()] = 1, [2] = 3 } }", "local t = { [__key(k)] = { [__key(f())] = 1, [2] = 3 } }"),
            ("local function f(...) t[...] = 1 end", "local function f(...) t[__key(...)] = 1 end"),
            ("t[t[#t]] = #t", "t[__key(t[(__length(t))])] = (__length(t))"),
            ("t.x = -t[k]", "t.x = -t[k]"),
            ("t[f{[1]=2}] = 1", "t[__key(f{[1]=2})] = 1"),
            ("t[function() return t[1] end] = 1", "t[__key(function() return t[1] end)] = 1"),
            ("t[u:f(v[1])[2]] = 1", "t[__key(u:f(v[1])[2])] = 1"),
        ] {
            assert_eq!(written(text), guarded);
        }
    }

    #[test]
    fn nothing_in_the_place_of_something_is_paid_for() {
        for (text, guarded) in [
            ("t.x = nil", "t.x = __value(nil)"),
            ("t.x = y", "t.x = __value(y)"),
            ("t.x = a and b", "t.x = __value(a and b)"),
            ("t.x, t.y = y, f()", "t.x, t.y = __value(y), __value(f())"),
            ("t.x, t.y, z = 1, f()", "t.x, t.y, z = 1, __nothings(3, f())"),
            ("t.x, t.y = nil", "t.x, t.y = __nothings(2, nil)"),
            ("local function f(...) t.x = ... end", "local function f(...) t.x = __value(...) end"),
            ("t.x, t.y, t.z = 1, {}, function() end", "t.x, t.y, t.z = 1, {}, function() end"),
            ("t.x, t.y, t.z = true, a + b, (not c)", "t.x, t.y, t.z = true, a + b, (not c)"),
            ("x = nil", "x = nil"),
            ("local x = nil", "local x = nil"),
        ] {
            assert_eq!(written(text), guarded);
        }
    }

    #[cfg(feature = "luau")]
    #[test]
    fn what_only_luau_has_is_guarded_as_well() {
        for (text, guarded) in [
            ("t[k] += #t", "t[__key(k)] += (__length(t))"),
            (
                "local x = if #t > 1 then #t else -#u",
                "local x = if (__length(t)) > 1 then (__length(t)) else -(__length(u))",
            ),
            ("local x: number = #(t :: any)", "local x: number = (__length((t :: any)))"),
            ("local x = a < b", "local x = a < b"),
        ] {
            assert_eq!(written(text), guarded);
        }
    }

    #[cfg(feature = "lua54")]
    #[test]
    fn comparisons_ask_the_prelude() {
        for (text, guarded) in [
            ("return a<b", "return (__less(a,b))"),
            ("return #a<#b", "return (__length(a))<(__length(b))"),
            ("local x = a.b <= f(c) and d > e.g", "local x = (__at_most(a.b , f(c))) and (__more(d , e.g))"),
            ("local x = (a < b) >= c", "local x = (__at_least(((__less(a , b))) , c))"),
            ("local x = a .. b < c", "local x = (__less((__joined(a , b)) , c))"),
            ("local x = a + 1 < b and c < 2", "local x = a + 1 < b and c < 2"),
            ("local x = f'a'<f'b'", "local x = (__less(f'a',f'b'))"),
        ] {
            assert_eq!(written(text), guarded);
        }
    }

    #[test]
    fn a_file_without_any_such_place_is_left_alone() {
        assert!(matches!(guarded("return 1"), Ok(Cow::Borrowed(_))));
        assert!(guarded("local t = #").is_err());
    }
}
