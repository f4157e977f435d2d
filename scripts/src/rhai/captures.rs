//! Finds closures that change what they keep: they keep a copy, and the change would be lost.

use super::lint::{names_at_file_level, refused, root};
use crate::error::ScriptError;
use ::rhai::{AST, ASTNode, Expr, FnPtr, Stmt};

/// All errors of one file.
pub(super) fn check(file: &str, tree: &AST) -> Vec<ScriptError> {
    let mut closures = Vec::new();
    tree.walk(&mut |path| {
        if let Some(ASTNode::Expr(Expr::Stmt(block))) = path.last() {
            closures.extend(closure(block.statements()));
        }
        true
    });
    closures.dedup();
    closures.iter().flat_map(|(name, kept)| assigned(file, tree, name, kept)).collect()
}

/// The function of a closure and the names that it keeps.
fn closure(statements: &[Stmt]) -> Option<(String, Vec<String>)> {
    let [Stmt::Share(kept), Stmt::Expr(curried)] = statements else { return None };
    let Expr::FnCall(call, _) = &**curried else { return None };
    let Some(Expr::DynamicConstant(function, _)) = call.args.first() else { return None };
    let name = function.read_lock::<FnPtr>()?.fn_name().to_owned();
    Some((name, kept.iter().map(|(name, _)| name.name.to_string()).collect()))
}

fn assigned(file: &str, tree: &AST, function: &str, kept: &[String]) -> Vec<ScriptError> {
    let constants: Vec<&str> = names_at_file_level(tree).collect();
    let mut wrong = Vec::new();
    let mut closure = tree.clone_functions_only();
    closure.retain_functions(|_, _, name, _| name == function);
    closure.walk(&mut |path| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
            && let Some((name, place)) = root(&assignment.1.lhs)
            && kept.iter().any(|kept| kept == name)
            && !constants.contains(&name)
        {
            let message =
                format!("a closure keeps a copy of `{name}` and cannot change the original; use a `for` loop");
            wrong.extend(refused(file, place, &message));
        }
        true
    });
    wrong
}
