//! Checks an expression against a vocabulary and flattens it to steps.
//!
//! Every part adds its own steps and gives its kind, or no kind if a mistake
//! in it is already written down, so that one mistake is told once. A part that
//! came to a single number is folded into what it belongs to.

use super::ops::{ArithmeticError, Binary, Op, Unary};
use super::{CompiledFormula, ExpectedType, UnknownName, ValueSource, ValueType, Vocabulary};
use crate::dice::{self, InvalidTerm, MAX_DICE, TermRules};
use crate::error::{Fault, nearest};
use crate::expression::{
    ChainOp, ChainTerm, Comparison, DiceNumber, DiceTerm, Expr, ExprKind, ExprNode, ParseError, Precedence, TextRange,
    parse,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// So many mistakes of one expression are told; what stands behind them is not
/// looked at.
const MOST_MISTAKES: usize = 8;

const FUNCTIONS: [&str; 7] = ["abs", "clamp", "div_ceil", "div_floor", "if", "max", "min"];

/// Whether a call of this name is never a look-up in a table.
#[must_use]
pub fn is_function(word: &str) -> bool {
    FUNCTIONS.contains(&word)
}

pub(super) fn compile<V: Vocabulary>(
    text: &str,
    vocabulary: &V,
    want: ExpectedType,
) -> Result<CompiledFormula<V::Slot>, Vec<ParseError>> {
    let expr = parse(text).map_err(|mistake| vec![mistake])?;
    let mut compiler = Compiler {
        expr: &expr,
        vocabulary,
        want,
        ops: Vec::with_capacity(4),
        dice: Vec::new(),
        mistakes: Vec::new(),
        thrown: 0,
        labelled: false,
    };
    compiler.whole();
    let Compiler { ops, dice, mut mistakes, labelled, .. } = compiler;
    let formula = CompiledFormula { text: expr.to_string().into(), ops: ops.into(), dice: dice.into(), labelled };
    if mistakes.is_empty() {
        return settle(formula, expr.root());
    }
    mistakes.sort_by_key(|mistake| (mistake.start, mistake.end));
    mistakes.truncate(MOST_MISTAKES);
    Err(mistakes)
}

/// A formula that depends on nothing is its own result.
fn settle<S: Copy>(mut formula: CompiledFormula<S>, root: &ExprNode) -> Result<CompiledFormula<S>, Vec<ParseError>> {
    let open =
        |op: &Op<S>| matches!(op, Op::Read(_) | Op::LookUp(_) | Op::Throw { .. } | Op::ThrowComputed(_) | Op::Part(_));
    if formula.ops.iter().any(open) {
        return Ok(formula);
    }
    match formula.value(&mut NoValues) {
        Ok(value) => formula.ops = Arc::new([Op::Number(i64::from(value))]),
        Err(fault) => return Err(vec![ParseError::new("HR0311", root.place.range(), fault.message)]),
    }
    Ok(formula)
}

/// Has nothing to read; constant formulas ask for nothing.
struct NoValues;

impl<S> ValueSource<S> for NoValues {
    type Stop = Fault;

    fn read(&mut self, _: S) -> Result<i64, Fault> {
        Ok(0)
    }

    fn look_up(&mut self, _: u16, _: i64) -> Result<i64, Fault> {
        Ok(0)
    }
}

struct Compiler<'a, V: Vocabulary> {
    expr: &'a Expr,
    vocabulary: &'a V,
    want: ExpectedType,
    ops: Vec<Op<V::Slot>>,
    dice: Vec<TermRules>,
    mistakes: Vec<ParseError>,
    /// The most dice that the steps so far can throw, computed counts apart.
    thrown: i64,
    labelled: bool,
}

impl<'a, V: Vocabulary> Compiler<'a, V> {
    fn whole(&mut self) {
        let root = self.expr.root();
        let found = match &root.what {
            ExprKind::Chain(links) if links.iter().any(|link| link.label.is_some()) => self.labelled_sum(links),
            _ => self.part(root),
        };
        let wanted = if self.want == ExpectedType::YesNo { ValueType::YesNo } else { ValueType::Number };
        self.expect(root, found, wanted);
    }

    fn labelled_sum(&mut self, links: &[ChainTerm]) -> Option<ValueType> {
        self.labelled = true;
        for (index, link) in links.iter().enumerate() {
            let start = self.ops.len();
            let found = self.part(&link.node);
            self.expect(&link.node, found, ValueType::Number);
            if link.join == ChainOp::Minus {
                self.unary(Unary::Negate, start, &link.node);
            }
            let label = link.label.and_then(|place| self.label(place));
            self.ops.push(Op::Part(label));
            if index > 0 {
                self.ops.push(Op::Binary(Binary::Add));
            }
        }
        Some(ValueType::Number)
    }

    fn label(&mut self, place: TextRange) -> Option<u16> {
        if self.want != ExpectedType::Roll {
            self.wrong("HR0310", place, "a label stands where nothing is rolled", "take the label away");
            return None;
        }
        let label = self.vocabulary.label(self.expr.spelling(place));
        self.known(place, label)
    }

    fn part(&mut self, node: &ExprNode) -> Option<ValueType> {
        if self.mistakes.len() >= MOST_MISTAKES {
            return None;
        }
        match &node.what {
            ExprKind::Number(number) => self.constant(*number, ValueType::Number),
            ExprKind::YesNo(answer) => self.constant(i64::from(*answer), ValueType::YesNo),
            ExprKind::Name => self.name(node.place),
            ExprKind::Negate(inner) => {
                let start = self.ops.len();
                self.operand(inner, ValueType::Number);
                self.unary(Unary::Negate, start, node);
                Some(ValueType::Number)
            }
            ExprKind::Not(inner) => {
                let start = self.ops.len();
                self.operand(inner, ValueType::YesNo);
                self.unary(Unary::Not, start, node);
                Some(ValueType::YesNo)
            }
            ExprKind::Chain(links) => match node.level() {
                Precedence::Or => self.chain_of_answers(links, Op::OrElse),
                Precedence::And => self.chain_of_answers(links, Op::AndThen),
                _ => self.chain_of_numbers(links),
            },
            ExprKind::Comparison(compare, sides) => self.comparison(node, *compare, &sides.0, &sides.1),
            ExprKind::Has(subject, name, toward) => self.has(*subject, *name, *toward),
            ExprKind::Call(name, arguments) => self.call(node, *name, arguments),
            ExprKind::Dice(dice) => self.throw(node, dice),
        }
    }

    fn constant(&mut self, value: i64, kind: ValueType) -> Option<ValueType> {
        self.ops.push(Op::Number(value));
        Some(kind)
    }

    fn path(&self, place: TextRange) -> SmallVec<[&'a str; 4]> {
        self.expr.spelling(place).split('.').collect()
    }

    fn name(&mut self, place: TextRange) -> Option<ValueType> {
        let found = self.vocabulary.name(&self.path(place));
        let (slot, kind) = self.known(place, found)?;
        self.ops.push(Op::Read(slot));
        Some(kind)
    }

    fn has(&mut self, subject: TextRange, name: TextRange, toward: Option<TextRange>) -> Option<ValueType> {
        let whom = toward.map(|toward| self.expr.spelling(toward));
        let found = self.vocabulary.has(&self.path(subject), self.expr.spelling(name), whom);
        let end = toward.map_or(name.end, |toward| toward.end);
        let slot = self.known(TextRange { start: subject.start, end }, found)?;
        self.ops.push(Op::Read(slot));
        Some(ValueType::YesNo)
    }

    fn operand(&mut self, node: &ExprNode, wanted: ValueType) {
        let found = self.part(node);
        self.expect(node, found, wanted);
    }

    fn chain_of_numbers(&mut self, links: &[ChainTerm]) -> Option<ValueType> {
        let start = self.ops.len();
        for (index, link) in links.iter().enumerate() {
            let middle = self.ops.len();
            self.operand(&link.node, ValueType::Number);
            let binary = match link.join {
                ChainOp::Plus | ChainOp::Or | ChainOp::And => Binary::Add,
                ChainOp::Minus => Binary::Subtract,
                ChainOp::Times => Binary::Multiply,
                ChainOp::Over => Binary::DivideDown,
                ChainOp::Modulo => Binary::Modulo,
            };
            if index > 0 {
                self.binary(binary, start, middle, &link.node);
            }
        }
        Some(ValueType::Number)
    }

    fn chain_of_answers(&mut self, links: &[ChainTerm], jump: fn(u32) -> Op<V::Slot>) -> Option<ValueType> {
        let mut jumps = Vec::new();
        for (index, link) in links.iter().enumerate() {
            if index > 0 {
                jumps.push(self.jump(jump));
            }
            self.operand(&link.node, ValueType::YesNo);
        }
        jumps.into_iter().for_each(|at| self.land(at, jump));
        Some(ValueType::YesNo)
    }

    /// Leaves room for a jump.
    fn jump(&mut self, jump: fn(u32) -> Op<V::Slot>) -> usize {
        self.ops.push(jump(0));
        self.ops.len() - 1
    }

    /// Lets the jump at a place lead to the next step.
    fn land(&mut self, at: usize, jump: fn(u32) -> Op<V::Slot>) {
        let target = u32::try_from(self.ops.len()).unwrap_or(u32::MAX);
        if let Some(op) = self.ops.get_mut(at) {
            *op = jump(target);
        }
    }

    fn comparison(
        &mut self,
        node: &ExprNode,
        compare: Comparison,
        left: &ExprNode,
        right: &ExprNode,
    ) -> Option<ValueType> {
        let equality = matches!(compare, Comparison::Equal | Comparison::NotEqual);
        let held = self.holds_name(left).map(|slot| (slot, left, right));
        if let Some((slot, name, other)) = held.or_else(|| self.holds_name(right).map(|slot| (slot, right, left))) {
            if equality {
                let start = self.ops.len();
                let middle = self.symbol(slot, name, other)?;
                self.binary(Binary::Compare(compare), start, middle, node);
            } else {
                self.wrong("HR0308", node.place, "names have no order", "compare them with `==` or `!=`");
            }
            return Some(ValueType::YesNo);
        }
        let start = self.ops.len();
        let kind = self.part(left);
        let wanted = if equality && kind == Some(ValueType::YesNo) { ValueType::YesNo } else { ValueType::Number };
        self.expect(left, kind, wanted);
        let middle = self.ops.len();
        let other = self.part(right).filter(|_| kind.is_some());
        self.expect(right, other, wanted);
        self.binary(Binary::Compare(compare), start, middle, node);
        Some(ValueType::YesNo)
    }

    /// The slot of a part that is the name of a slot that holds names.
    fn holds_name(&self, node: &ExprNode) -> Option<V::Slot> {
        match node.what {
            ExprKind::Name => match self.vocabulary.name(&self.path(node.place)) {
                Ok((slot, ValueType::Name)) => Some(slot),
                _ => None,
            },
            _ => None,
        }
    }

    fn symbol(&mut self, slot: V::Slot, name: &ExprNode, other: &ExprNode) -> Option<usize> {
        let spelling = self.expr.spelling(other.place);
        if other.what != ExprKind::Name || spelling.contains('.') {
            let name = self.expr.spelling(name.place);
            let message = format!("`{name}` holds a name, which `{spelling}` is not");
            self.wrong("HR0308", other.place, message, "compare it with one plain name");
            return None;
        }
        let symbol = self.vocabulary.symbol(slot, spelling);
        let symbol = self.known(other.place, symbol)?;
        self.ops.extend([Op::Read(slot), Op::Number(symbol)]);
        Some(self.ops.len() - 1)
    }

    fn call(&mut self, node: &ExprNode, name: TextRange, arguments: &[ExprNode]) -> Option<ValueType> {
        match (self.expr.spelling(name), arguments) {
            ("if", [condition, yes, no]) => self.choice(condition, yes, no),
            ("abs", [inner]) => {
                let start = self.ops.len();
                self.operand(inner, ValueType::Number);
                self.unary(Unary::Abs, start, node);
                Some(ValueType::Number)
            }
            ("min", [_, _, ..]) => self.fold(arguments, Binary::Min, Binary::Min),
            ("max", [_, _, ..]) => self.fold(arguments, Binary::Max, Binary::Max),
            ("clamp", [_, _, _]) => self.fold(arguments, Binary::Max, Binary::Min),
            ("div_floor", [_, _]) => self.fold(arguments, Binary::DivideDown, Binary::DivideDown),
            ("div_ceil", [_, _]) => self.fold(arguments, Binary::DivideUp, Binary::DivideUp),
            (function, _) if is_function(function) => self.miscounted(node, function),
            (table, _) => self.look_up(node, table, name, arguments),
        }
    }

    /// Joins the second argument to the first by one step and those after it by another.
    fn fold(&mut self, arguments: &[ExprNode], second: Binary, later: Binary) -> Option<ValueType> {
        let start = self.ops.len();
        for (index, argument) in arguments.iter().enumerate() {
            let middle = self.ops.len();
            self.operand(argument, ValueType::Number);
            match index {
                0 => {}
                1 => self.binary(second, start, middle, argument),
                _ => self.binary(later, start, middle, argument),
            }
        }
        Some(ValueType::Number)
    }

    fn choice(&mut self, condition: &ExprNode, yes: &ExprNode, no: &ExprNode) -> Option<ValueType> {
        self.operand(condition, ValueType::YesNo);
        let before = self.thrown;
        let to_no = self.jump(Op::JumpUnless);
        let kind = self.part(yes);
        let to_end = self.jump(Op::Jump);
        self.land(to_no, Op::JumpUnless);
        let most = std::mem::replace(&mut self.thrown, before);
        let other = self.part(no);
        self.land(to_end, Op::Jump);
        self.thrown = self.thrown.max(most);
        match kind {
            Some(kind) => self.expect(no, other, kind),
            None => return other,
        }
        kind
    }

    fn miscounted(&mut self, node: &ExprNode, function: &str) -> Option<ValueType> {
        let form = match function {
            "if" => "if(condition, a, b)",
            "abs" => "abs(x)",
            "clamp" => "clamp(x, low, high)",
            "min" => "min(a, b)",
            "max" => "max(a, b)",
            "div_floor" => "div_floor(a, b)",
            _ => "div_ceil(a, b)",
        };
        let message = format!("`{function}` has the wrong number of arguments");
        self.wrong("HR0309", node.place, message, format!("write `{form}`"));
        None
    }

    fn look_up(&mut self, node: &ExprNode, table: &str, place: TextRange, arguments: &[ExprNode]) -> Option<ValueType> {
        let found = self.vocabulary.table(table).map_err(|unknown| UnknownName {
            help: unknown.help.or_else(|| nearest(table, FUNCTIONS).map(|near| format!("did you mean `{near}`?"))),
            message: unknown.message,
        });
        let found = self.known(place, found);
        let [key] = arguments else {
            let message = format!("`{table}` has the wrong number of arguments");
            self.wrong("HR0309", node.place, message, format!("a table is looked up by one number: `{table}(x)`"));
            return None;
        };
        self.operand(key, ValueType::Number);
        self.ops.push(Op::LookUp(found?));
        Some(ValueType::Number)
    }

    fn throw(&mut self, node: &ExprNode, dice: &DiceTerm) -> Option<ValueType> {
        if self.want != ExpectedType::Roll {
            let message = format!("`{}` is rolled where a fixed value is wanted", self.expr.spelling(node.place));
            self.wrong("HR0310", node.place, message, "dice stand in rolls and amounts only");
        }
        let rules = TermRules::new(&dice.suffixes, dice.fudge);
        let start = self.ops.len();
        let count = self.amount(&dice.count);
        let sides = self.amount(&dice.sides);
        let checked_count = count.map(|count| dice::count(count, 0).map(|_| count));
        let checked_sides = sides.map(|sides| rules.sides(sides));
        let count = self.throwable(node, checked_count);
        let sides = self.throwable(node, checked_sides);
        let term = self.term(node, rules)?;
        self.thrown += count.unwrap_or(0);
        if self.thrown > MAX_DICE && count.is_some_and(|count| self.thrown - count <= MAX_DICE) {
            self.throwable::<()>(node, Some(Err(InvalidTerm::TooManyDice(self.thrown))));
        }
        match (count.and_then(|count| u16::try_from(count).ok()), sides) {
            (Some(count), Some(sides)) => {
                self.ops.truncate(start);
                self.ops.push(Op::Throw { term, count, sides });
            }
            _ => self.ops.push(Op::ThrowComputed(term)),
        }
        Some(ValueType::Number)
    }

    fn term(&mut self, node: &ExprNode, rules: TermRules) -> Option<u8> {
        let Ok(term) = u8::try_from(self.dice.len()) else {
            self.wrong("HR0305", node.place, "an expression has at most 256 dice terms", "write like dice as one term");
            return None;
        };
        self.dice.push(rules);
        Some(term)
    }

    /// Adds the steps of a number of dice or sides, and gives it if it is constant.
    fn amount(&mut self, amount: &DiceNumber) -> Option<i64> {
        let start = self.ops.len();
        match amount {
            DiceNumber::Fixed(number) => self.ops.push(Op::Number(*number)),
            DiceNumber::Computed(node) => self.operand(node, ValueType::Number),
        }
        self.folded(start, self.ops.len())
    }

    fn throwable<T>(&mut self, node: &ExprNode, checked: Option<Result<T, InvalidTerm>>) -> Option<T> {
        match checked? {
            Ok(fine) => Some(fine),
            Err(why) => {
                let code = if why == InvalidTerm::Endless { "HR0306" } else { "HR0305" };
                self.mistakes.push(ParseError::new(code, node.place.range(), why.to_string()));
                None
            }
        }
    }

    /// The value of the steps from `start` to `end`, if they are a single number.
    fn folded(&self, start: usize, end: usize) -> Option<i64> {
        match self.ops.get(start..end) {
            Some(&[Op::Number(number)]) => Some(number),
            _ => None,
        }
    }

    fn unary(&mut self, unary: Unary, start: usize, node: &ExprNode) {
        match self.folded(start, self.ops.len()) {
            Some(number) => self.replace(start, unary.apply(number), node),
            None => self.ops.push(Op::Unary(unary)),
        }
    }

    fn binary(&mut self, binary: Binary, start: usize, middle: usize, node: &ExprNode) {
        let (left, right) = (self.folded(start, middle), self.folded(middle, self.ops.len()));
        match (left, right) {
            (Some(left), Some(right)) => self.replace(start, binary.apply(left, right), node),
            (_, Some(0)) if binary.divides() => self.replace(start, Err(ArithmeticError::DivisionByZero), node),
            (_, Some(right)) => self.with(binary, middle, right),
            _ => self.ops.push(Op::Binary(binary)),
        }
    }

    /// Takes the number that stands from `middle` on into one step with what is done to it.
    fn with(&mut self, binary: Binary, middle: usize, right: i64) {
        match i32::try_from(right) {
            Ok(right) => {
                self.ops.truncate(middle);
                self.ops.push(Op::With(binary, right));
            }
            Err(_) => self.ops.push(Op::Binary(binary)),
        }
    }

    fn replace(&mut self, start: usize, result: Result<i64, ArithmeticError>, node: &ExprNode) {
        self.ops.truncate(start);
        match result {
            Ok(number) => self.ops.push(Op::Number(number)),
            Err(ArithmeticError::DivisionByZero) => {
                self.wrong("HR0311", node.place, "this divides by zero", "divide by something else");
            }
            Err(ArithmeticError::OutOfRange) => {
                self.wrong("HR0311", node.place, "this passes the range of numbers", "use smaller numbers");
            }
        }
    }

    fn expect(&mut self, node: &ExprNode, found: Option<ValueType>, wanted: ValueType) {
        let Some(found) = found.filter(|found| *found != wanted) else { return };
        let words = |kind: ValueType| match kind {
            ValueType::Number => "a number",
            ValueType::YesNo => "a yes or no",
            ValueType::Name => "a name",
        };
        let spelling = self.expr.spelling(node.place);
        let message = format!("`{spelling}` is {}, and {} is wanted here", words(found), words(wanted));
        let help = match (found, wanted) {
            (ValueType::Number, ValueType::YesNo) => "compare it, as in `x > 0`",
            (ValueType::YesNo, ValueType::Number) => "choose a number by it, as in `if(x, 1, 0)`",
            (ValueType::Name, _) => "compare it with one of its names by `==` or `!=`",
            _ => "use a value of the wanted kind",
        };
        self.wrong("HR0308", node.place, message, help);
    }

    fn known<T>(&mut self, place: TextRange, found: Result<T, UnknownName>) -> Option<T> {
        found
            .map_err(|unknown| {
                let mistake = ParseError::new("HR0307", place.range(), unknown.message);
                self.mistakes.push(ParseError { help: unknown.help, ..mistake });
            })
            .ok()
    }

    fn wrong(&mut self, code: &'static str, place: TextRange, message: impl Into<String>, help: impl Into<String>) {
        self.mistakes.push(ParseError::new(code, place.range(), message).help(help));
    }
}
