//! Checks an expression against a vocabulary and flattens it to steps.
//!
//! Every part adds its own steps and gives its kind, or no kind if a mistake
//! in it is already written down, so that one mistake is told once. A part that
//! came to a single number is folded into what it belongs to.

use super::ops::{Binary, Op, Trouble, Unary};
use super::{Formula, Kind, Reader, Unknown, Vocabulary, Want};
use crate::dice::{self, MAX_DICE, Rules, Unthrowable};
use crate::error::{Fault, nearest};
use crate::expression::{Amount, Compare, Dice, Expr, Join, Level, Link, Mistake, Node, Stretch, What, parse};
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

pub(super) fn compile<V: Vocabulary>(text: &str, vocabulary: &V, want: Want) -> Result<Formula<V::Slot>, Vec<Mistake>> {
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
    let formula = Formula { text: expr.to_string().into(), ops: ops.into(), dice: dice.into(), labelled };
    if mistakes.is_empty() {
        return settle(formula, expr.root());
    }
    mistakes.sort_by_key(|mistake| (mistake.start, mistake.end));
    mistakes.truncate(MOST_MISTAKES);
    Err(mistakes)
}

/// A formula that depends on nothing is its own result.
fn settle<S: Copy>(mut formula: Formula<S>, root: &Node) -> Result<Formula<S>, Vec<Mistake>> {
    let open =
        |op: &Op<S>| matches!(op, Op::Read(_) | Op::LookUp(_) | Op::Throw { .. } | Op::ThrowComputed(_) | Op::Part(_));
    if formula.ops.iter().any(open) {
        return Ok(formula);
    }
    match formula.value(&mut Nothing) {
        Ok(value) => formula.ops = Arc::new([Op::Number(i64::from(value))]),
        Err(fault) => return Err(vec![Mistake::new("HR0311", root.place.range(), fault.message)]),
    }
    Ok(formula)
}

/// Has nothing to read; constant formulas ask for nothing.
struct Nothing;

impl<S> Reader<S> for Nothing {
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
    want: Want,
    ops: Vec<Op<V::Slot>>,
    dice: Vec<Rules>,
    mistakes: Vec<Mistake>,
    /// The most dice that the steps so far can throw, computed counts apart.
    thrown: i64,
    labelled: bool,
}

impl<'a, V: Vocabulary> Compiler<'a, V> {
    fn whole(&mut self) {
        let root = self.expr.root();
        let found = match &root.what {
            What::Chain(links) if links.iter().any(|link| link.label.is_some()) => self.labelled_sum(links),
            _ => self.part(root),
        };
        let wanted = if self.want == Want::YesNo { Kind::YesNo } else { Kind::Number };
        self.expect(root, found, wanted);
    }

    fn labelled_sum(&mut self, links: &[Link]) -> Option<Kind> {
        self.labelled = true;
        for (index, link) in links.iter().enumerate() {
            let start = self.ops.len();
            let found = self.part(&link.node);
            self.expect(&link.node, found, Kind::Number);
            if link.join == Join::Minus {
                self.unary(Unary::Negate, start, &link.node);
            }
            let label = link.label.and_then(|place| self.label(place));
            self.ops.push(Op::Part(label));
            if index > 0 {
                self.ops.push(Op::Binary(Binary::Add));
            }
        }
        Some(Kind::Number)
    }

    fn label(&mut self, place: Stretch) -> Option<u16> {
        if self.want != Want::Roll {
            self.wrong("HR0310", place, "a label stands where nothing is rolled", "take the label away");
            return None;
        }
        let label = self.vocabulary.label(self.expr.spelling(place));
        self.known(place, label)
    }

    fn part(&mut self, node: &Node) -> Option<Kind> {
        if self.mistakes.len() >= MOST_MISTAKES {
            return None;
        }
        match &node.what {
            What::Number(number) => self.constant(*number, Kind::Number),
            What::YesNo(answer) => self.constant(i64::from(*answer), Kind::YesNo),
            What::Name => self.name(node.place),
            What::Negate(inner) => {
                let start = self.ops.len();
                self.operand(inner, Kind::Number);
                self.unary(Unary::Negate, start, node);
                Some(Kind::Number)
            }
            What::Not(inner) => {
                let start = self.ops.len();
                self.operand(inner, Kind::YesNo);
                self.unary(Unary::Not, start, node);
                Some(Kind::YesNo)
            }
            What::Chain(links) => match node.level() {
                Level::Or => self.chain_of_answers(links, Op::OrElse),
                Level::And => self.chain_of_answers(links, Op::AndThen),
                _ => self.chain_of_numbers(links),
            },
            What::Comparison(compare, sides) => self.comparison(node, *compare, &sides.0, &sides.1),
            What::Has(subject, name, toward) => self.has(*subject, *name, *toward),
            What::Call(name, arguments) => self.call(node, *name, arguments),
            What::Dice(dice) => self.throw(node, dice),
        }
    }

    fn constant(&mut self, value: i64, kind: Kind) -> Option<Kind> {
        self.ops.push(Op::Number(value));
        Some(kind)
    }

    fn path(&self, place: Stretch) -> SmallVec<[&'a str; 4]> {
        self.expr.spelling(place).split('.').collect()
    }

    fn name(&mut self, place: Stretch) -> Option<Kind> {
        let found = self.vocabulary.name(&self.path(place));
        let (slot, kind) = self.known(place, found)?;
        self.ops.push(Op::Read(slot));
        Some(kind)
    }

    fn has(&mut self, subject: Stretch, name: Stretch, toward: Option<Stretch>) -> Option<Kind> {
        let whom = toward.map(|toward| self.expr.spelling(toward));
        let found = self.vocabulary.has(&self.path(subject), self.expr.spelling(name), whom);
        let end = toward.map_or(name.end, |toward| toward.end);
        let slot = self.known(Stretch { start: subject.start, end }, found)?;
        self.ops.push(Op::Read(slot));
        Some(Kind::YesNo)
    }

    fn operand(&mut self, node: &Node, wanted: Kind) {
        let found = self.part(node);
        self.expect(node, found, wanted);
    }

    fn chain_of_numbers(&mut self, links: &[Link]) -> Option<Kind> {
        let start = self.ops.len();
        for (index, link) in links.iter().enumerate() {
            let middle = self.ops.len();
            self.operand(&link.node, Kind::Number);
            let binary = match link.join {
                Join::Plus | Join::Or | Join::And => Binary::Add,
                Join::Minus => Binary::Subtract,
                Join::Times => Binary::Multiply,
                Join::Over => Binary::DivideDown,
                Join::Modulo => Binary::Modulo,
            };
            if index > 0 {
                self.binary(binary, start, middle, &link.node);
            }
        }
        Some(Kind::Number)
    }

    fn chain_of_answers(&mut self, links: &[Link], jump: fn(u32) -> Op<V::Slot>) -> Option<Kind> {
        let mut jumps = Vec::new();
        for (index, link) in links.iter().enumerate() {
            if index > 0 {
                jumps.push(self.jump(jump));
            }
            self.operand(&link.node, Kind::YesNo);
        }
        jumps.into_iter().for_each(|at| self.land(at, jump));
        Some(Kind::YesNo)
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

    fn comparison(&mut self, node: &Node, compare: Compare, left: &Node, right: &Node) -> Option<Kind> {
        let equality = matches!(compare, Compare::Equal | Compare::NotEqual);
        let held = self.holds_name(left).map(|slot| (slot, left, right));
        if let Some((slot, name, other)) = held.or_else(|| self.holds_name(right).map(|slot| (slot, right, left))) {
            if equality {
                let start = self.ops.len();
                let middle = self.symbol(slot, name, other)?;
                self.binary(Binary::Compare(compare), start, middle, node);
            } else {
                self.wrong("HR0308", node.place, "names have no order", "compare them with `==` or `!=`");
            }
            return Some(Kind::YesNo);
        }
        let start = self.ops.len();
        let kind = self.part(left);
        let wanted = if equality && kind == Some(Kind::YesNo) { Kind::YesNo } else { Kind::Number };
        self.expect(left, kind, wanted);
        let middle = self.ops.len();
        let other = self.part(right).filter(|_| kind.is_some());
        self.expect(right, other, wanted);
        self.binary(Binary::Compare(compare), start, middle, node);
        Some(Kind::YesNo)
    }

    /// The slot of a part that is the name of a slot that holds names.
    fn holds_name(&self, node: &Node) -> Option<V::Slot> {
        match node.what {
            What::Name => match self.vocabulary.name(&self.path(node.place)) {
                Ok((slot, Kind::Name)) => Some(slot),
                _ => None,
            },
            _ => None,
        }
    }

    fn symbol(&mut self, slot: V::Slot, name: &Node, other: &Node) -> Option<usize> {
        let spelling = self.expr.spelling(other.place);
        if other.what != What::Name || spelling.contains('.') {
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

    fn call(&mut self, node: &Node, name: Stretch, arguments: &[Node]) -> Option<Kind> {
        match (self.expr.spelling(name), arguments) {
            ("if", [condition, yes, no]) => self.choice(condition, yes, no),
            ("abs", [inner]) => {
                let start = self.ops.len();
                self.operand(inner, Kind::Number);
                self.unary(Unary::Abs, start, node);
                Some(Kind::Number)
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
    fn fold(&mut self, arguments: &[Node], second: Binary, later: Binary) -> Option<Kind> {
        let start = self.ops.len();
        for (index, argument) in arguments.iter().enumerate() {
            let middle = self.ops.len();
            self.operand(argument, Kind::Number);
            match index {
                0 => {}
                1 => self.binary(second, start, middle, argument),
                _ => self.binary(later, start, middle, argument),
            }
        }
        Some(Kind::Number)
    }

    fn choice(&mut self, condition: &Node, yes: &Node, no: &Node) -> Option<Kind> {
        self.operand(condition, Kind::YesNo);
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

    fn miscounted(&mut self, node: &Node, function: &str) -> Option<Kind> {
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

    fn look_up(&mut self, node: &Node, table: &str, place: Stretch, arguments: &[Node]) -> Option<Kind> {
        let found = self.vocabulary.table(table).map_err(|unknown| Unknown {
            help: unknown.help.or_else(|| nearest(table, FUNCTIONS).map(|near| format!("did you mean `{near}`?"))),
            message: unknown.message,
        });
        let found = self.known(place, found);
        let [key] = arguments else {
            let message = format!("`{table}` has the wrong number of arguments");
            self.wrong("HR0309", node.place, message, format!("a table is looked up by one number: `{table}(x)`"));
            return None;
        };
        self.operand(key, Kind::Number);
        self.ops.push(Op::LookUp(found?));
        Some(Kind::Number)
    }

    fn throw(&mut self, node: &Node, dice: &Dice) -> Option<Kind> {
        if self.want != Want::Roll {
            let message = format!("`{}` is rolled where a fixed value is wanted", self.expr.spelling(node.place));
            self.wrong("HR0310", node.place, message, "dice stand in rolls and amounts only");
        }
        let rules = Rules::new(&dice.suffixes, dice.fudge);
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
            self.throwable::<()>(node, Some(Err(Unthrowable::TooManyDice(self.thrown))));
        }
        match (count.and_then(|count| u16::try_from(count).ok()), sides) {
            (Some(count), Some(sides)) => {
                self.ops.truncate(start);
                self.ops.push(Op::Throw { term, count, sides });
            }
            _ => self.ops.push(Op::ThrowComputed(term)),
        }
        Some(Kind::Number)
    }

    fn term(&mut self, node: &Node, rules: Rules) -> Option<u8> {
        let Ok(term) = u8::try_from(self.dice.len()) else {
            self.wrong("HR0305", node.place, "an expression has at most 256 dice terms", "write like dice as one term");
            return None;
        };
        self.dice.push(rules);
        Some(term)
    }

    /// Adds the steps of a number of dice or sides, and gives it if it is constant.
    fn amount(&mut self, amount: &Amount) -> Option<i64> {
        let start = self.ops.len();
        match amount {
            Amount::Fixed(number) => self.ops.push(Op::Number(*number)),
            Amount::Computed(node) => self.operand(node, Kind::Number),
        }
        self.folded(start, self.ops.len())
    }

    fn throwable<T>(&mut self, node: &Node, checked: Option<Result<T, Unthrowable>>) -> Option<T> {
        match checked? {
            Ok(fine) => Some(fine),
            Err(why) => {
                let code = if why == Unthrowable::Endless { "HR0306" } else { "HR0305" };
                self.mistakes.push(Mistake::new(code, node.place.range(), why.to_string()));
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

    fn unary(&mut self, unary: Unary, start: usize, node: &Node) {
        match self.folded(start, self.ops.len()) {
            Some(number) => self.replace(start, unary.apply(number), node),
            None => self.ops.push(Op::Unary(unary)),
        }
    }

    fn binary(&mut self, binary: Binary, start: usize, middle: usize, node: &Node) {
        let (left, right) = (self.folded(start, middle), self.folded(middle, self.ops.len()));
        match (left, right) {
            (Some(left), Some(right)) => self.replace(start, binary.apply(left, right), node),
            (_, Some(0)) if binary.divides() => self.replace(start, Err(Trouble::DivisionByZero), node),
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

    fn replace(&mut self, start: usize, result: Result<i64, Trouble>, node: &Node) {
        self.ops.truncate(start);
        match result {
            Ok(number) => self.ops.push(Op::Number(number)),
            Err(Trouble::DivisionByZero) => {
                self.wrong("HR0311", node.place, "this divides by zero", "divide by something else");
            }
            Err(Trouble::OutOfRange) => {
                self.wrong("HR0311", node.place, "this passes the range of numbers", "use smaller numbers");
            }
        }
    }

    fn expect(&mut self, node: &Node, found: Option<Kind>, wanted: Kind) {
        let Some(found) = found.filter(|found| *found != wanted) else { return };
        let words = |kind: Kind| match kind {
            Kind::Number => "a number",
            Kind::YesNo => "a yes or no",
            Kind::Name => "a name",
        };
        let spelling = self.expr.spelling(node.place);
        let message = format!("`{spelling}` is {}, and {} is wanted here", words(found), words(wanted));
        let help = match (found, wanted) {
            (Kind::Number, Kind::YesNo) => "compare it, as in `x > 0`",
            (Kind::YesNo, Kind::Number) => "choose a number by it, as in `if(x, 1, 0)`",
            (Kind::Name, _) => "compare it with one of its names by `==` or `!=`",
            _ => "use a value of the wanted kind",
        };
        self.wrong("HR0308", node.place, message, help);
    }

    fn known<T>(&mut self, place: Stretch, found: Result<T, Unknown>) -> Option<T> {
        found
            .map_err(|unknown| {
                let mistake = Mistake::new("HR0307", place.range(), unknown.message);
                self.mistakes.push(Mistake { help: unknown.help, ..mistake });
            })
            .ok()
    }

    fn wrong(&mut self, code: &'static str, place: Stretch, message: impl Into<String>, help: impl Into<String>) {
        self.mistakes.push(Mistake::new(code, place.range(), message).help(help));
    }
}
