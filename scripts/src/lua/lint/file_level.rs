//! What may stand at file level: constants, functions, and calls of `on`, `wrap` and `mute`.

use super::{Defined, at, is_known, narrow, place, word};
use crate::api::{Of, words_of};
use crate::error::{ScriptError, ScriptErrorKind};
use crate::handover::too_early;
use crate::lua::guard::OWN;
use full_moon::ast::{
    Ast, Call, Expression, Field, FunctionArgs, FunctionCall, FunctionDeclaration, Index, Prefix, Stmt, Suffix,
    TableConstructor, Var,
};
use full_moon::node::Node;
use full_moon::tokenizer::TokenReference;
use houserule_kernel::script::Script;

/// Checks every statement of a file and notes the names that it defines for the pack.
pub(super) fn check(script: &Script, tree: &Ast, defined: &mut Defined, wrong: &mut Vec<ScriptError>) {
    let mut level = FileLevel { file: &script.name, defined, wrong };
    tree.nodes().stmts().for_each(|statement| level.statement(statement));
    if let Some(last) = tree.nodes().last_stmt() {
        level.refuse(last);
    }
}

struct FileLevel<'a> {
    file: &'a str,
    defined: &'a mut Defined,
    wrong: &'a mut Vec<ScriptError>,
}

impl FileLevel<'_> {
    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::LocalAssignment(local) => self.constants(local.expressions().iter()),
            Stmt::Assignment(assignment) => {
                assignment.variables().iter().for_each(|target| self.define_constant(target));
                self.constants(assignment.expressions().iter());
            }
            Stmt::FunctionDeclaration(function) => self.define_function(function),
            Stmt::LocalFunction(_) => {}
            Stmt::FunctionCall(call) => self.call(call),
            #[cfg(feature = "luau")]
            Stmt::TypeDeclaration(_) => {}
            other => self.refuse(other),
        }
    }

    fn refuse(&mut self, node: &impl Node) {
        let message = "only constants, functions and calls of `on`, `wrap` and `mute` stand at file level; \
                       put this into a hook";
        self.blame(node, message);
    }

    fn blame(&mut self, node: &impl Node, message: impl Into<String>) {
        let (line, column) = place(node);
        self.wrong.push(ScriptError::at(ScriptErrorKind::Syntax, self.file, line, Some(column), message));
    }

    fn define_constant(&mut self, target: &Var) {
        match target {
            Var::Name(name) => self.define(name),
            other => {
                self.blame(other, "a table that stands at file level cannot be changed; write it whole in `frozen{…}`")
            }
        }
    }

    fn define_function(&mut self, function: &FunctionDeclaration) {
        let name = function.name();
        match name.names().iter().next() {
            Some(first) if name.names().len() == 1 && name.method_colon().is_none() => self.define(first),
            _ => self.blame(name, "a function at file level has a plain name; tables there are frozen"),
        }
    }

    fn define(&mut self, name: &TokenReference) {
        let text = word(name);
        if is_known(&text) || text.starts_with(OWN) {
            self.wrong.push(at(self.file, name, format!("`{text}` belongs to the language; choose another name")));
            return;
        }
        let line = name.token().start_position().line();
        let line = narrow(line);
        let known = self.defined.insert(text.clone(), (self.file.to_owned(), line));
        if let Some((file, line)) = known {
            let message =
                format!("`{text}` is defined already, in {file}:{line}; names without `local` are the whole pack's");
            self.wrong.push(at(self.file, name, message));
        }
    }

    fn constants<'b>(&mut self, expressions: impl Iterator<Item = &'b Expression>) {
        for expression in expressions {
            if !matches!(expression, Expression::Function(_)) && !is_constant(expression) {
                self.blame(expression, why_not(expression));
            }
        }
    }

    fn call(&mut self, call: &FunctionCall) {
        let mut suffixes = call.suffixes();
        let arguments = match (call.prefix(), suffixes.next(), suffixes.next()) {
            (Prefix::Name(name), Some(Suffix::Call(Call::AnonymousCall(arguments))), None)
                if ["on", "wrap", "mute"].contains(&word(name).as_str()) =>
            {
                arguments
            }
            (Prefix::Name(name), ..) if is_host_word(&word(name)) => return self.blame(call, too_early(&word(name))),
            _ => return self.refuse(call),
        };
        let FunctionArgs::Parentheses { arguments, .. } = &**arguments else { return self.refuse(call) };
        for argument in arguments {
            let fits = match argument {
                Expression::TableConstructor(table) => fields_constant(table),
                Expression::Function(_) => true,
                other => is_constant(other),
            };
            if !fits {
                self.blame(argument, "a declaration is made of constants and one function; nothing is called in it");
            }
        }
    }
}

fn is_host_word(name: &str) -> bool {
    words_of(Of::Free).any(|word| word.name == name)
}

fn why_not(expression: &Expression) -> String {
    let sentence = match expression {
        Expression::FunctionCall(call) => match call.prefix() {
            Prefix::Name(name) if is_host_word(&word(name)) => return too_early(&word(name)),
            _ => NOT_CONSTANT,
        },
        Expression::TableConstructor(_) => {
            "a table at file level must be frozen, since scripts have no memory; write `frozen{…}`"
        }
        _ => NOT_CONSTANT,
    };
    sentence.to_owned()
}

const NOT_CONSTANT: &str = "a value at file level must be a constant; compute it in a function";

/// Whether an expression is made of literals, names and operators only. Names at file level are constants themselves.
fn is_constant(expression: &Expression) -> bool {
    match expression {
        Expression::BinaryOperator { lhs, rhs, .. } => is_constant(lhs) && is_constant(rhs),
        Expression::Parentheses { expression, .. } | Expression::UnaryOperator { expression, .. } => {
            is_constant(expression)
        }
        Expression::Number(_) | Expression::String(_) | Expression::Symbol(_) => true,
        Expression::Var(Var::Name(_)) => true,
        Expression::Var(Var::Expression(path)) => {
            matches!(path.prefix(), Prefix::Name(_))
                && path.suffixes().all(|suffix| matches!(suffix, Suffix::Index(Index::Dot { .. })))
        }
        Expression::FunctionCall(call) => is_frozen(call),
        _ => false,
    }
}

fn is_frozen(call: &FunctionCall) -> bool {
    let mut suffixes = call.suffixes();
    let arguments = match (call.prefix(), suffixes.next(), suffixes.next()) {
        (Prefix::Name(name), Some(Suffix::Call(Call::AnonymousCall(arguments))), None) if word(name) == "frozen" => {
            arguments
        }
        _ => return false,
    };
    match &**arguments {
        FunctionArgs::TableConstructor(table) => fields_constant(table),
        FunctionArgs::Parentheses { arguments, .. } => {
            arguments.iter().all(|one| matches!(one, Expression::TableConstructor(table) if fields_constant(table)))
        }
        _ => false,
    }
}

/// Whether all fields are constants; a table within a frozen one is frozen with it.
fn fields_constant(table: &TableConstructor) -> bool {
    let nested = |value: &Expression| match value {
        Expression::TableConstructor(table) => fields_constant(table),
        other => is_constant(other),
    };
    table.fields().iter().all(|field| match field {
        Field::ExpressionKey { key, value, .. } => is_constant(key) && nested(value),
        Field::NameKey { value, .. } => nested(value),
        Field::NoKey(value) => nested(value),
        _ => false,
    })
}
