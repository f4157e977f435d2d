//! Evaluates a formula: one pass over its steps, with a stack that lies on the machine's own.

use super::ops::{ArithmeticError, Op};
use super::{CompiledFormula, DiceSource, ValueSource};
use crate::dice::{self, InvalidTerm, Roll, RollPart, TermRoll};
use crate::error::Fault;
use smallvec::SmallVec;

/// One evaluation under way.
pub(super) struct Evaluation<'a, S, R> {
    formula: &'a CompiledFormula<S>,
    roller: &'a mut R,
    roll: &'a mut Roll,
    stack: SmallVec<[i64; 16]>,
    /// Dice thrown so far, extra dice apart.
    thrown: i64,
}

impl<'a, S: Copy, R: DiceSource<S>> Evaluation<'a, S, R> {
    #[inline]
    pub(super) fn new(formula: &'a CompiledFormula<S>, roller: &'a mut R, roll: &'a mut Roll) -> Evaluation<'a, S, R> {
        Evaluation { formula, roller, roll, stack: SmallVec::new(), thrown: 0 }
    }

    /// Runs every step.
    #[inline]
    pub(super) fn result(&mut self) -> Result<i32, R::Stop> {
        let (ops, mut at) = (&self.formula.ops, 0);
        while let Some(&op) = ops.get(at) {
            at = match self.step(op)? {
                Some(target) => target as usize,
                None => at + 1,
            };
        }
        let result = self.pop();
        i32::try_from(result).map_err(|_| self.too_large(result))
    }

    /// Takes one step; gives the step to go on with if it is not the next.
    #[inline(always)]
    fn step(&mut self, op: Op<S>) -> Result<Option<u32>, R::Stop> {
        let pushed = match op {
            Op::Number(number) => number,
            Op::Read(slot) => self.roller.read(slot)?,
            Op::LookUp(table) => {
                let key = self.pop();
                self.roller.look_up(table, key)?
            }
            Op::Unary(unary) => {
                let value = self.pop();
                unary.apply(value).map_err(|trouble| self.trouble(trouble))?
            }
            Op::Binary(binary) => {
                let (right, left) = (self.pop(), self.pop());
                binary.apply(left, right).map_err(|trouble| self.trouble(trouble))?
            }
            Op::With(binary, right) => {
                let left = self.pop();
                binary.apply(left, i64::from(right)).map_err(|trouble| self.trouble(trouble))?
            }
            Op::Throw { term, count, sides } => self.throw(term, i64::from(count), sides)?,
            Op::ThrowComputed(term) => self.throw_computed(term)?,
            Op::Jump(target) => return Ok(Some(target)),
            Op::JumpUnless(target) => return Ok((self.pop() == 0).then_some(target)),
            Op::AndThen(target) => return Ok(self.branch(target, false)),
            Op::OrElse(target) => return Ok(self.branch(target, true)),
            Op::Part(label) => return self.part(label).map(|()| None),
        };
        self.stack.push(pushed);
        Ok(None)
    }

    /// The compiler pushes an operand for every one that is taken.
    #[inline]
    fn pop(&mut self) -> i64 {
        self.stack.pop().unwrap_or_default()
    }

    /// Jumps if the top answers so, and leaves it as the result; else takes it away.
    fn branch(&mut self, target: u32, answer: bool) -> Option<u32> {
        let top = self.stack.last().is_some_and(|top| *top != 0);
        if top == answer {
            return Some(target);
        }
        self.pop();
        None
    }

    fn throw_computed(&mut self, term: u8) -> Result<i64, R::Stop> {
        let (sides, count) = (self.pop(), self.pop());
        let rules = self.formula.dice.get(usize::from(term)).copied().unwrap_or_default();
        let sides = rules.sides(sides).map_err(|why| self.unthrowable(why))?;
        self.throw(term, count, sides)
    }

    #[inline]
    fn throw(&mut self, term: u8, count: i64, sides: u32) -> Result<i64, R::Stop> {
        let count = dice::count(count, self.thrown).map_err(|why| self.unthrowable(why))?;
        self.thrown += i64::from(count);
        let Some(rules) = self.formula.dice.get(usize::from(term)) else { return Ok(0) };
        let roller = &mut *self.roller;
        roller.throws(count);
        rules.throw(TermRoll { term, count, sides }, self.roll, |sides| roller.face(sides))
    }

    fn part(&mut self, label: Option<u16>) -> Result<(), R::Stop> {
        let value = self.stack.last().copied().unwrap_or_default();
        let amount = i32::try_from(value).map_err(|_| self.too_large(value))?;
        match self.roll.parts.last_mut() {
            Some(last) if last.label.is_none() && label.is_none() => match last.amount.checked_add(amount) {
                Some(sum) => last.amount = sum,
                None => return Err(self.trouble(ArithmeticError::OutOfRange)),
            },
            _ => self.roll.parts.push(RollPart { label, amount }),
        }
        Ok(())
    }

    #[cold]
    fn unthrowable(&self, why: InvalidTerm) -> R::Stop {
        Fault::new(why.code(), format!("{why}, in `{}`", self.formula.text)).into()
    }

    #[cold]
    fn trouble(&self, trouble: ArithmeticError) -> R::Stop {
        let text = &self.formula.text;
        match trouble {
            ArithmeticError::OutOfRange => {
                Fault::new("HR0501", format!("`{text}` passes the range of numbers on its way"))
            }
            ArithmeticError::DivisionByZero => Fault::new("HR0502", format!("`{text}` divides by zero")),
        }
        .into()
    }

    #[cold]
    fn too_large(&self, value: i64) -> R::Stop {
        let text = &self.formula.text;
        Fault::new("HR0501", format!("`{text}` gives {value}; results lie from {} to {}", i32::MIN, i32::MAX)).into()
    }
}

/// A reader where dice should not be; rolls nothing.
pub(super) struct NoDice<'a, R>(pub(super) &'a mut R);

impl<S, R: ValueSource<S>> ValueSource<S> for NoDice<'_, R> {
    type Stop = R::Stop;

    #[inline]
    fn read(&mut self, slot: S) -> Result<i64, R::Stop> {
        self.0.read(slot)
    }

    #[inline]
    fn look_up(&mut self, table: u16, key: i64) -> Result<i64, R::Stop> {
        self.0.look_up(table, key)
    }
}

impl<S, R: ValueSource<S>> DiceSource<S> for NoDice<'_, R> {
    fn face(&mut self, _: u32) -> Result<u32, R::Stop> {
        Err(Fault::new("HR0507", "dice stand where a value is only read").into())
    }
}
