//! Reads the tree of a Rhai file and refuses what only shows by reading: memory, and names that hide the host's.

use super::library::OWN;
use crate::api::{Of, words, words_of};
use crate::error::{ScriptError, ScriptErrorKind};
use crate::handover::too_early;
use ::rhai::{AST, ASTFlags, ASTNode, Expr, Position, Stmt};
use std::collections::BTreeMap;

/// All errors of one file.
pub(super) fn check(file: &str, tree: &AST) -> Vec<ScriptError> {
    let mut wrong: Vec<ScriptError> = tree.statements().iter().filter_map(|one| statement(file, one)).collect();
    wrong.extend(tree.iter_functions().filter(|function| is_own(function.name)).map(|function| {
        let message = format!("`{}` belongs to the host; choose another name", function.name);
        ScriptError::of_file(ScriptErrorKind::Syntax, file, message)
    }));
    wrong.extend(assigned_constants(file, tree));
    wrong
}

/// Whether a name belongs to the host.
fn is_own(name: &str) -> bool {
    OWN.contains(&name) || words().iter().any(|word| word.name == name && !word.property)
}

fn is_host_word(name: &str) -> bool {
    words_of(Of::Free).any(|word| word.name == name)
}

/// Assignments to what a closure captured from file level.
fn assigned_constants(file: &str, tree: &AST) -> Vec<ScriptError> {
    let constants: Vec<&str> = names_at_file_level(tree).collect();
    let mut wrong = Vec::new();
    tree.walk(&mut |path| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
            && let Some((name, place)) = root(&assignment.1.lhs)
            && constants.contains(&name)
        {
            let message = format!(
                "`{name}` stands at file level and cannot be changed, since scripts have no memory; \
                 use a note, a count, a pool or a condition"
            );
            wrong.extend(refused(file, place, &message));
        }
        true
    });
    wrong
}

pub(super) fn names_at_file_level(tree: &AST) -> impl Iterator<Item = &str> {
    tree.statements().iter().filter_map(|statement| match statement {
        Stmt::Var(variable, ..) => Some(variable.0.name.as_str()),
        _ => None,
    })
}

/// The variable in which a path such as `a.b[c]` begins.
pub(super) fn root(expression: &Expr) -> Option<(&str, Position)> {
    match expression {
        Expr::Variable(variable, _, place) => Some((variable.1.as_str(), *place)),
        Expr::Dot(path, ..) | Expr::Index(path, ..) => root(&path.lhs),
        _ => None,
    }
}

/// Functions that two library files define with the same number of parameters.
pub(super) fn doubles<'a>(libraries: impl Iterator<Item = (&'a str, &'a AST)>) -> Vec<ScriptError> {
    let (mut known, mut wrong) = (BTreeMap::new(), Vec::new());
    for (file, tree) in libraries {
        let public = tree.iter_functions().filter(|function| !function.access.is_private());
        for function in public.filter(|function| !function.name.starts_with("anon$")) {
            let other = known.insert((function.name.to_owned(), function.params.len()), file);
            wrong.extend(other.filter(|other| *other != file).map(|other| {
                let message = format!("`{}` is defined already, in {other}; make one of them `private`", function.name);
                ScriptError::of_file(ScriptErrorKind::Syntax, file, message)
            }));
        }
    }
    wrong
}

pub(super) fn refused(file: &str, place: Position, message: &str) -> Option<ScriptError> {
    let count = |number: Option<usize>| number.and_then(|number| u32::try_from(number).ok());
    let (line, column) = (count(place.line()).unwrap_or(0), count(place.position()));
    Some(ScriptError::at(ScriptErrorKind::Syntax, file, line, column, message))
}

fn statement(file: &str, statement: &Stmt) -> Option<ScriptError> {
    match statement {
        Stmt::Noop(_) | Stmt::Share(_) => None,
        Stmt::Var(variable, flags, place) if !flags.contains(ASTFlags::CONSTANT) => {
            let message = format!(
                "`{}` would be memory; write `const` for a constant, or use a note, a count, a pool or a condition",
                variable.0.name
            );
            refused(file, *place, &message)
        }
        Stmt::Var(variable, _, place) => {
            (!is_constant(&variable.1)).then(|| not_constant(file, &variable.1, *place))?
        }
        Stmt::FnCall(call, place) => said(file, &call.name, &call.args, *place),
        Stmt::Expr(expression) => match &**expression {
            Expr::FnCall(call, place) => said(file, &call.name, &call.args, *place),
            other => not_here(file, other.position()),
        },
        other => not_here(file, other.position()),
    }
}

fn not_constant(file: &str, value: &Expr, place: Position) -> Option<ScriptError> {
    match value {
        Expr::FnCall(call, place) if is_host_word(&call.name) => refused(file, *place, &too_early(&call.name)),
        _ => refused(file, place, "a value at file level must be a constant; compute it in a function"),
    }
}

fn not_here(file: &str, place: Position) -> Option<ScriptError> {
    let message = "only constants, functions and calls of `on`, `wrap` and `mute` stand at file level; \
                   put this into a hook";
    refused(file, place, message)
}

fn said(file: &str, name: &str, arguments: &[Expr], place: Position) -> Option<ScriptError> {
    if is_host_word(name) {
        return refused(file, place, &too_early(name));
    }
    if !["on", "wrap", "mute"].contains(&name) {
        return not_here(file, place);
    }
    let wrong = arguments.iter().find(|argument| !is_constant(argument) && !is_function(argument))?;
    refused(file, wrong.position(), "a declaration is made of constants and one function; nothing is called in it")
}

/// A closure, which the parser writes as a name, maybe in a block that shares what it captured, or `Fn("name")`.
fn is_function(expression: &Expr) -> bool {
    match expression {
        Expr::Stmt(block) => block.statements().iter().all(|part| match part {
            Stmt::Share(_) => true,
            Stmt::Expr(expression) => is_function(expression),
            Stmt::FnCall(call, _) => call.name == "curry",
            _ => false,
        }),
        Expr::FnCall(call, _) => ["curry", "Fn"].contains(&call.name.as_str()),
        Expr::DynamicConstant(value, _) => value.is_fnptr(),
        _ => false,
    }
}

/// Whether an expression is made of literals, names and operators only. Names at file level are constants themselves.
fn is_constant(expression: &Expr) -> bool {
    match expression {
        Expr::BoolConstant(..) | Expr::IntegerConstant(..) | Expr::CharConstant(..) | Expr::StringConstant(..) => true,
        Expr::Unit(_) | Expr::Variable(..) => true,
        Expr::DynamicConstant(value, _) => !value.is_fnptr(),
        Expr::Array(items, _) => items.iter().all(is_constant),
        Expr::Map(fields, _) => fields.0.iter().all(|(_, value)| is_constant(value)),
        Expr::FnCall(call, _) => {
            (call.is_operator_call() || call.name == "frozen") && call.args.iter().all(is_constant)
        }
        Expr::And(parts, _) | Expr::Or(parts, _) => parts.iter().all(is_constant),
        _ => false,
    }
}
