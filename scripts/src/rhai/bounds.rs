//! Bounds on what stands in a file. What is written down is made at the price of a few operations, whenever it is
//! reached; so it is kept small, and larger values are made of smaller ones by what has a price.

use crate::error::{ScriptError, ScriptErrorKind};
use ::rhai::{AST, ASTNode, Expr, Position, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// Values that one call takes.
const ARGUMENTS: usize = 12;
/// Lists and maps in one list or map that is written inside a function.
const NESTED: usize = 8;
/// Values in one list or map that is written inside a function.
const VALUES: usize = 32;
/// Bytes of a text that may stand anywhere in a function.
const TEXT: usize = 64;
/// Ranges among the cases of one `switch`.
const RANGES: usize = 64;

/// All errors of one file.
pub(super) fn check(file: &str, tree: &AST) -> Vec<ScriptError> {
    let mut wrong = Vec::new();
    let large = large_constants(tree.statements());
    let at_file_level: Vec<*const Stmt> = tree.statements().iter().map(std::ptr::from_ref).collect();
    tree.walk(&mut |path| {
        let in_function =
            !matches!(path.first(), Some(ASTNode::Stmt(first)) if at_file_level.contains(&std::ptr::from_ref(*first)));
        let found = node(path).or_else(|| in_function.then(|| inside(path, &large)).flatten());
        wrong.extend(found.map(|(place, message)| {
            let count = |number: Option<usize>| number.and_then(|number| u32::try_from(number).ok());
            ScriptError::at(
                ScriptErrorKind::Syntax,
                file,
                count(place.line()).unwrap_or(0),
                count(place.position()),
                message,
            )
        }));
        true
    });
    wrong
}

type BoundsError = Option<(Position, String)>;

/// What is bounded everywhere.
fn node(path: &[ASTNode<'_>]) -> BoundsError {
    match path.last()? {
        ASTNode::Expr(Expr::FnCall(call, place) | Expr::MethodCall(call, place))
        | ASTNode::Stmt(Stmt::FnCall(call, place))
            if call.args.len() > ARGUMENTS =>
        {
            Some((*place, format!("a call or closure takes at most {ARGUMENTS} values; put some into a list or map")))
        }
        ASTNode::Stmt(Stmt::Switch(parts, place)) if parts.1.ranges.len() > RANGES => {
            Some((*place, format!("a `switch` has at most {RANGES} ranges; compute the case from the number")))
        }
        _ => None,
    }
}

/// What is bounded inside functions, where it is made again and again.
fn inside(path: &[ASTNode<'_>], large: &BTreeSet<&str>) -> BoundsError {
    let (ASTNode::Expr(one), outer) = (path.last()?, path.iter().rev().nth(1)) else { return None };
    let in_literal = matches!(outer, Some(ASTNode::Expr(Expr::Array(..) | Expr::Map(..))));
    match one {
        Expr::Array(_, place) | Expr::Map(_, place) if !in_literal => literal(one, *place),
        Expr::StringConstant(text, place) if text.len() > TEXT && !may_be_long(outer) => Some((
            *place,
            format!("a text of more than {TEXT} bytes stands right in a call or a `let`; give it a name by `let`"),
        )),
        Expr::Variable(variable, _, place) if !variable.2.is_empty() && large.contains(variable.1.as_str()) => {
            let name = &variable.1;
            Some((
                *place,
                format!(
                    "`global::{name}` is copied whenever it is read, which lists, maps and long texts are too \
                         large for; hand `{name}` to the function as an argument"
                ),
            ))
        }
        _ => None,
    }
}

/// A call of a function or a declaration hands its text on without making a new one.
fn may_be_long(outer: Option<&ASTNode<'_>>) -> bool {
    match outer {
        Some(ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))) => !call.is_operator_call(),
        Some(ASTNode::Expr(Expr::MethodCall(..)) | ASTNode::Stmt(Stmt::Var(..))) => true,
        _ => false,
    }
}

fn literal(one: &Expr, place: Position) -> BoundsError {
    let (values, nested) = counted(one);
    let message = if nested > NESTED {
        format!("a list or map that is written in a function holds at most {NESTED} others; build it step by step")
    } else if values > VALUES {
        format!(
            "a list or map that is written in a function holds at most {VALUES} values; make it a constant of the file"
        )
    } else {
        return None;
    };
    Some((place, message))
}

/// How many values and how many lists and maps a literal holds.
fn counted(one: &Expr) -> (usize, usize) {
    let all = |parts: &mut dyn Iterator<Item = &Expr>| {
        parts.map(|part| (part, counted(part))).fold((0, 0), |(values, nested), (part, (more, deeper))| {
            let own = usize::from(matches!(part, Expr::Array(..) | Expr::Map(..)));
            (values + 1 + more, nested + own + deeper)
        })
    };
    match one {
        Expr::Array(items, _) => all(&mut items.iter()),
        Expr::Map(fields, _) => all(&mut fields.0.iter().map(|(_, value)| value)),
        _ => (0, 0),
    }
}

/// What copying a constant comes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConstantKind {
    Number,
    Text,
    Large,
}

/// The constants of a file that are more than a number, yes or no, or a short text.
fn large_constants(statements: &[Stmt]) -> BTreeSet<&str> {
    let mut known = BTreeMap::new();
    for statement in statements {
        if let Stmt::Var(variable, ..) = statement {
            let kind = kind(&variable.1, &known);
            known.insert(variable.0.name.as_str(), kind);
        }
    }
    known.into_iter().filter(|(_, kind)| *kind == ConstantKind::Large).map(|(name, _)| name).collect()
}

/// Sums of numbers are numbers; sums of texts may be long.
fn kind(value: &Expr, known: &BTreeMap<&str, ConstantKind>) -> ConstantKind {
    match value {
        Expr::StringConstant(text, _) if text.len() <= TEXT => ConstantKind::Text,
        Expr::CharConstant(..) => ConstantKind::Text,
        Expr::BoolConstant(..) | Expr::IntegerConstant(..) | Expr::Unit(_) | Expr::And(..) | Expr::Or(..) => {
            ConstantKind::Number
        }
        Expr::Variable(variable, ..) => known.get(variable.1.as_str()).copied().unwrap_or(ConstantKind::Large),
        Expr::FnCall(call, _) if call.is_operator_call() => {
            let numbers = call.args.iter().all(|part| kind(part, known) == ConstantKind::Number);
            if numbers { ConstantKind::Number } else { ConstantKind::Large }
        }
        _ => ConstantKind::Large,
    }
}
