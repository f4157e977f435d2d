//! Follows every name of a file to where it is defined, and refuses what would be memory or is not known.

use super::{Defined, LIBRARIES, at, is_known, known_names, word};
use crate::blame::ScriptError;
#[cfg(feature = "luau")]
use full_moon::ast::Expression;
use full_moon::ast::{
    Assignment, Block, FunctionBody, FunctionCall, GenericFor, Index, LocalAssignment, LocalFunction, NumericFor,
    Parameter, Prefix, Repeat, Suffix, Var, VarExpression,
};
use full_moon::tokenizer::TokenReference;
use full_moon::visitors::Visitor;
use houserule_kernel::error::nearest;
use std::collections::BTreeMap;

/// Reads one file. Scopes follow the blocks; the first is the file itself.
pub(super) struct Reader<'a> {
    file: &'a str,
    defined: &'a Defined,
    scopes: Vec<Vec<String>>,
    /// Names that a block starts with, by the block they belong to.
    opening: BTreeMap<usize, Vec<String>>,
    /// Blocks whose scope lasts until the end of their `until`.
    lasting: Vec<usize>,
    functions: usize,
    pub(super) wrong: Vec<ScriptError>,
}

/// Where a name is defined, seen from where it is used.
enum Home {
    Hook,
    File,
    Pack,
    Nowhere,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a str, defined: &'a Defined) -> Reader<'a> {
        let (scopes, opening, lasting) = (Vec::new(), BTreeMap::new(), Vec::new());
        Reader { file, defined, scopes, opening, lasting, functions: 0, wrong: Vec::new() }
    }

    fn home(&self, name: &str) -> Home {
        let known = |name: &str| is_known(name) || self.defined.contains_key(name);
        match self.scopes.iter().rposition(|scope| scope.iter().any(|local| local == name)) {
            Some(0) => Home::File,
            Some(_) => Home::Hook,
            None if known(name) => Home::Pack,
            None => Home::Nowhere,
        }
    }

    fn declare(&mut self, name: String) {
        self.scopes.extend(self.scopes.is_empty().then(Vec::new));
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(name);
        }
    }

    fn used(&mut self, token: &TokenReference) {
        let name = word(token);
        if !matches!(self.home(&name), Home::Nowhere) {
            return;
        }
        let locals = self.scopes.iter().flatten().map(String::as_str);
        let names = locals.chain(known_names()).chain(self.defined.keys().map(String::as_str));
        let message = match nearest(&name, names) {
            _ if name == "print" => "scripts cannot print; use `say(\"key\")` with a key of `text/en.toml`".to_owned(),
            Some(near) => format!("there is nothing named `{name}`; did you mean `{near}`?"),
            None => format!("there is nothing named `{name}`; write `local {name} = …` before its use"),
        };
        self.wrong.push(at(self.file, token, message));
    }

    /// Refuses a function that its library does not hold.
    fn member(&mut self, prefix: &Prefix, first: Option<&Suffix>) {
        let (Prefix::Name(library), Some(Suffix::Index(Index::Dot { name, .. }))) = (prefix, first) else { return };
        let (library, member) = (word(library), word(name));
        let Some((_, holds)) = LIBRARIES.iter().find(|(known, _)| *known == library) else { return };
        if holds.contains(&member.as_str()) || !matches!(self.home(&library), Home::Pack) {
            return;
        }
        let way_out = match nearest(&member, holds.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are `{}`", holds.join("`, `")),
        };
        self.wrong.push(at(self.file, name, format!("`{library}` has no `{member}`; {way_out}")));
    }

    fn assigned(&mut self, target: &Var) {
        let (token, whole) = match target {
            Var::Name(token) => (token, true),
            Var::Expression(path) => match path.prefix() {
                Prefix::Name(token) => (token, false),
                _ => return,
            },
            _ => return,
        };
        if self.functions == 0 {
            return;
        }
        let name = word(token);
        let message = match self.home(&name) {
            Home::File | Home::Pack => format!(
                "`{name}` stands at file level and cannot be changed, since scripts have no memory; \
                 use a note, a count, a pool or a condition"
            ),
            Home::Nowhere if whole => format!("`{name}` is not declared; write `local {name} = …`"),
            _ => return,
        };
        self.wrong.push(at(self.file, token, message));
    }
}

fn address(block: &Block) -> usize {
    std::ptr::from_ref(block).addr()
}

fn parameters(body: &FunctionBody) -> impl Iterator<Item = String> + '_ {
    body.parameters().iter().filter_map(|parameter| match parameter {
        Parameter::Name(name) => Some(word(name)),
        _ => None,
    })
}

impl Visitor for Reader<'_> {
    fn visit_block(&mut self, block: &Block) {
        let names = self.opening.remove(&address(block)).unwrap_or_default();
        self.scopes.push(names);
    }

    fn visit_block_end(&mut self, block: &Block) {
        if !self.lasting.contains(&address(block)) {
            self.scopes.pop();
        }
    }

    fn visit_repeat(&mut self, repeat: &Repeat) {
        self.lasting.push(address(repeat.block()));
    }

    fn visit_repeat_end(&mut self, _: &Repeat) {
        self.lasting.pop();
        self.scopes.pop();
    }

    fn visit_function_body(&mut self, body: &FunctionBody) {
        self.functions += 1;
        self.opening.insert(address(body.block()), parameters(body).chain(["self".to_owned()]).collect());
    }

    fn visit_function_body_end(&mut self, _: &FunctionBody) {
        self.functions -= 1;
    }

    fn visit_generic_for(&mut self, each: &GenericFor) {
        self.opening.insert(address(each.block()), each.names().iter().map(word).collect());
        #[cfg(feature = "luau")]
        if !each.expressions().iter().any(|list| matches!(list, Expression::FunctionCall(_))) {
            let message = "a loop over a table has no order; write `in pairs(…)` or `in ipairs(…)`";
            self.wrong.push(at(self.file, each.in_token(), message));
        }
    }

    fn visit_numeric_for(&mut self, each: &NumericFor) {
        self.opening.insert(address(each.block()), vec![word(each.index_variable())]);
    }

    fn visit_local_assignment_end(&mut self, local: &LocalAssignment) {
        local.names().iter().for_each(|name| self.declare(word(name)));
    }

    fn visit_local_function(&mut self, function: &LocalFunction) {
        self.declare(word(function.name()));
    }

    fn visit_assignment(&mut self, assignment: &Assignment) {
        assignment.variables().iter().for_each(|target| self.assigned(target));
    }

    #[cfg(feature = "luau")]
    fn visit_compound_assignment(&mut self, assignment: &full_moon::ast::CompoundAssignment) {
        self.assigned(assignment.lhs());
    }

    #[cfg(feature = "luau")]
    fn visit_expression(&mut self, expression: &Expression) {
        let Expression::InterpolatedString(text) = expression else { return };
        let message = "there are no interpolated strings; join with `..` and `tostring`";
        if let Some(first) = text.segments().next() {
            self.wrong.push(at(self.file, &first.literal, message));
        }
    }

    fn visit_function_call(&mut self, call: &FunctionCall) {
        self.member(call.prefix(), call.suffixes().next());
    }

    fn visit_var_expression(&mut self, path: &VarExpression) {
        self.member(path.prefix(), path.suffixes().next());
    }

    fn visit_var(&mut self, var: &Var) {
        if let Var::Name(token) = var {
            self.used(token);
        }
    }

    fn visit_prefix(&mut self, prefix: &Prefix) {
        if let Prefix::Name(token) = prefix {
            self.used(token);
        }
    }
}
