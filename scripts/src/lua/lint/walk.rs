//! Leads the resolver through every statement and expression. What is not named here is refused.

use super::names::Resolver;
use super::scope::Home;
use super::word;
use full_moon::ast::{
    Block, Call, ElseIf, Expression, Field, FunctionArgs, FunctionBody, FunctionCall, FunctionDeclaration, GenericFor,
    If, Index, LastStmt, LocalAssignment, LocalFunction, NumericFor, Parameter, Prefix, Repeat, Stmt, Suffix,
    TableConstructor, Var,
};
use full_moon::tokenizer::TokenReference;

const NOT_READ: &str = "this is no part of the Lua that rules are written in; write it in a simpler way";

/// The operators that give the same on every machine.
const OPERATORS: [&str; 15] = ["+", "-", "*", "/", "//", "%", "..", "==", "~=", "<", "<=", ">", ">=", "and", "or"];

/// Resolves a whole file.
pub(super) fn file(resolver: &mut Resolver<'_>, block: &Block) {
    resolver.block(block, []);
}

impl Resolver<'_> {
    fn block<'b>(&mut self, block: &Block, opening: impl IntoIterator<Item = &'b TokenReference>) {
        self.scopes.open();
        opening.into_iter().for_each(|name| self.declare(name));
        self.statements(block);
        self.scopes.close();
    }

    fn statements(&mut self, block: &Block) {
        block.stmts().for_each(|statement| self.statement(statement));
        match block.last_stmt() {
            Some(LastStmt::Return(given)) => self.expressions(given.returns().iter()),
            None | Some(LastStmt::Break(_)) => {}
            #[cfg(feature = "luau")]
            Some(LastStmt::Continue(_)) => {}
            Some(other) => self.refuse(other, NOT_READ),
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Assignment(assignment) => {
                self.expressions(assignment.expressions().iter());
                assignment.variables().iter().for_each(|target| self.target(target));
            }
            Stmt::Do(inner) => self.block(inner.block(), []),
            Stmt::FunctionCall(call) => self.call(call),
            Stmt::FunctionDeclaration(function) => self.function_declaration(function),
            Stmt::GenericFor(each) => self.generic_for(each),
            Stmt::If(branch) => self.branch(branch),
            Stmt::LocalAssignment(local) => self.local_assignment(local),
            Stmt::LocalFunction(function) => self.local_function(function),
            Stmt::NumericFor(each) => self.numeric_for(each),
            Stmt::Repeat(repeat) => self.repeat(repeat),
            Stmt::While(turn) => {
                self.expression(turn.condition());
                self.block(turn.block(), []);
            }
            other => self.flavoured(other),
        }
    }

    #[cfg(feature = "luau")]
    fn flavoured(&mut self, statement: &Stmt) {
        match statement {
            Stmt::CompoundAssignment(change) => {
                let operator = change.compound_operator().token();
                self.operator(operator, word(operator).trim_end_matches('='));
                if word(operator) == "..=" && !matches!(change.lhs(), Var::Name(_)) {
                    self.refuse(change, "`..=` changes only a local; write `x = x .. text`");
                }
                self.expression(change.rhs());
                self.target(change.lhs());
            }
            Stmt::TypeDeclaration(_) => {}
            other => self.refuse(other, NOT_READ),
        }
    }

    #[cfg(feature = "lua54")]
    fn flavoured(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Goto(_) | Stmt::Label(_) => {}
            other => self.refuse(other, NOT_READ),
        }
    }

    /// What an assignment changes; the names that lead there are used.
    fn target(&mut self, target: &Var) {
        self.assigned(target);
        if let Var::Expression(path) = target {
            self.path(path.prefix(), path.suffixes());
        }
    }

    fn function_declaration(&mut self, function: &FunctionDeclaration) {
        #[cfg(feature = "luau")]
        self.no_attributes(function.attributes());
        let name = function.name();
        let plain = name.names().len() == 1 && name.method_colon().is_none();
        if let Some(first) = name.names().iter().next() {
            self.assigned_name(first, plain);
            if !plain {
                self.used(first);
            }
        }
        self.function(function.body(), name.method_colon().is_some());
    }

    fn local_function(&mut self, function: &LocalFunction) {
        #[cfg(feature = "luau")]
        self.no_attributes(function.attributes());
        self.declare(function.name());
        self.function(function.body(), false);
    }

    fn function(&mut self, body: &FunctionBody, method: bool) {
        self.scopes.enter_function();
        self.scopes.open();
        if method {
            self.scopes.declare("self".to_owned());
        }
        for parameter in body.parameters() {
            match parameter {
                Parameter::Name(name) => self.declare(name),
                Parameter::Ellipsis(_) => {}
                other => self.refuse(other, NOT_READ),
            }
        }
        self.block(body.block(), []);
        self.scopes.close();
        self.scopes.leave_function();
    }

    #[cfg(feature = "luau")]
    fn no_attributes<'b>(&mut self, attributes: impl Iterator<Item = &'b full_moon::ast::luau::LuauAttribute>) {
        attributes.for_each(|attribute| self.refuse(attribute, "functions of rules have no attributes; leave it out"));
    }

    fn local_assignment(&mut self, local: &LocalAssignment) {
        #[cfg(feature = "lua54")]
        for attribute in local.attributes().flatten().filter(|attribute| word(attribute.name()) != "const") {
            self.refuse(attribute, "nothing here can be closed; leave the attribute out");
        }
        self.expressions(local.expressions().iter());
        local.names().iter().for_each(|name| self.declare(name));
    }

    /// Only `pairs` and `ipairs` have an order: a table by itself goes by the addresses of the machine.
    fn generic_for(&mut self, each: &GenericFor) {
        let mut lists = each.expressions().iter();
        if !lists.next().is_some_and(|list| self.is_ordered(list)) || lists.next().is_some() {
            let message = "a loop over anything else has no order; write `in pairs(…)` or `in ipairs(…)`";
            self.blame(each.in_token(), message);
        }
        self.expressions(each.expressions().iter());
        self.block(each.block(), each.names());
    }

    fn is_ordered(&self, list: &Expression) -> bool {
        let Expression::FunctionCall(call) = list else { return false };
        let mut suffixes = call.suffixes();
        match (call.prefix(), suffixes.next(), suffixes.next()) {
            (Prefix::Name(name), Some(Suffix::Call(Call::AnonymousCall(_))), None) => {
                let name = word(name);
                ["pairs", "ipairs"].contains(&name.as_str()) && self.home(&name) == Home::Pack
            }
            _ => false,
        }
    }

    fn numeric_for(&mut self, each: &NumericFor) {
        self.expressions([each.start(), each.end()].into_iter().chain(each.step()));
        self.block(each.block(), [each.index_variable()]);
    }

    /// The condition after `until` sees the locals of the block.
    fn repeat(&mut self, repeat: &Repeat) {
        self.scopes.open();
        self.statements(repeat.block());
        self.expression(repeat.until());
        self.scopes.close();
    }

    fn branch(&mut self, branch: &If) {
        #[cfg(feature = "luau")]
        self.no_binding(branch.binding());
        self.expression(branch.condition());
        self.block(branch.block(), []);
        branch.else_if().into_iter().flatten().for_each(|other| self.other_branch(other));
        branch.else_block().into_iter().for_each(|block| self.block(block, []));
    }

    fn other_branch(&mut self, branch: &ElseIf) {
        #[cfg(feature = "luau")]
        self.no_binding(branch.binding());
        self.expression(branch.condition());
        self.block(branch.block(), []);
    }

    #[cfg(feature = "luau")]
    fn no_binding(&mut self, binding: Option<&full_moon::ast::luau::IfConditionBinding>) {
        binding.into_iter().for_each(|binding| self.refuse(binding, "write the `local` in a line before the `if`"));
    }

    fn expressions<'b>(&mut self, expressions: impl Iterator<Item = &'b Expression>) {
        expressions.for_each(|expression| self.expression(expression));
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::BinaryOperator { lhs, binop, rhs } => {
                self.operator(binop.token(), &word(binop.token()));
                self.expressions([&**lhs, rhs].into_iter());
            }
            Expression::Parentheses { expression, .. } => self.expression(expression),
            Expression::UnaryOperator { unop, expression } => {
                if !["-", "not", "#"].contains(&word(unop.token()).as_str()) {
                    self.refuse(unop, NOT_READ);
                }
                self.expression(expression);
            }
            Expression::Function(function) => {
                #[cfg(feature = "luau")]
                self.no_attributes(function.attributes());
                self.function(function.body(), false);
            }
            Expression::FunctionCall(call) => self.call(call),
            Expression::TableConstructor(table) => self.table(table),
            Expression::Number(_) | Expression::String(_) | Expression::Symbol(_) => {}
            Expression::Var(Var::Name(name)) => self.used(name),
            Expression::Var(Var::Expression(path)) => self.path(path.prefix(), path.suffixes()),
            other => self.flavoured_expression(other),
        }
    }

    #[cfg(feature = "luau")]
    fn flavoured_expression(&mut self, expression: &Expression) {
        match expression {
            Expression::IfExpression(choice) => {
                self.no_binding(choice.binding());
                self.expressions([choice.condition(), choice.if_expression()].into_iter());
                for other in choice.else_if_expressions().into_iter().flatten() {
                    self.no_binding(other.binding());
                    self.expressions([other.condition(), other.expression()].into_iter());
                }
                self.expression(choice.else_expression());
            }
            Expression::TypeAssertion { expression, .. } => self.expression(expression),
            Expression::InterpolatedString(_) => {
                self.refuse(expression, "there are no interpolated strings; join with `..` and `tostring`");
            }
            other => self.refuse(other, NOT_READ),
        }
    }

    #[cfg(feature = "lua54")]
    fn flavoured_expression(&mut self, expression: &Expression) {
        self.refuse(expression, NOT_READ);
    }

    fn operator(&mut self, token: &TokenReference, name: &str) {
        if name == "^" {
            let message = "`^` does not give the same on every machine; multiply, as in `x * x`";
            self.blame(token, message);
        } else if !OPERATORS.contains(&name) {
            self.blame(token, format!("rules do not count with `{name}`; use `+`, `-`, `*`, `//` and `%`"));
        }
    }

    fn call(&mut self, call: &FunctionCall) {
        self.path(call.prefix(), call.suffixes());
    }

    fn path<'b>(&mut self, prefix: &Prefix, mut suffixes: impl Iterator<Item = &'b Suffix>) {
        match prefix {
            Prefix::Name(name) => self.used(name),
            Prefix::Expression(expression) => self.expression(expression),
            other => self.refuse(other, NOT_READ),
        }
        let first = suffixes.next();
        self.member(prefix, first);
        first.into_iter().chain(suffixes).for_each(|suffix| self.suffix(suffix));
    }

    fn suffix(&mut self, suffix: &Suffix) {
        match suffix {
            Suffix::Call(Call::AnonymousCall(arguments)) => self.arguments(arguments),
            Suffix::Call(Call::MethodCall(method)) => self.arguments(method.args()),
            Suffix::Index(Index::Brackets { expression, .. }) => self.key(expression),
            Suffix::Index(Index::Dot { .. }) => {}
            other => self.refuse(other, NOT_READ),
        }
    }

    fn arguments(&mut self, arguments: &FunctionArgs) {
        match arguments {
            FunctionArgs::Parentheses { arguments, .. } => self.expressions(arguments.iter()),
            FunctionArgs::String(_) => {}
            FunctionArgs::TableConstructor(table) => self.table(table),
            other => self.refuse(other, NOT_READ),
        }
    }

    fn table(&mut self, table: &TableConstructor) {
        for field in table.fields() {
            match field {
                Field::ExpressionKey { key, value, .. } => {
                    self.key(key);
                    self.expression(value);
                }
                Field::NameKey { value, .. } => self.expression(value),
                Field::NoKey(value) => self.expression(value),
                other => self.refuse(other, NOT_READ),
            }
        }
    }

    /// A table or function as a key would stand at an address.
    fn key(&mut self, key: &Expression) {
        if matches!(key, Expression::TableConstructor(_) | Expression::Function(_)) {
            self.refuse(key, "a table or function cannot be a key; use a number, a string or an entity");
        }
        self.expression(key);
    }
}
