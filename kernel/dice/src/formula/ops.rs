//! The steps of a compiled formula and their arithmetic.

use crate::expression::Comparison;

/// One step. Operands lie on a stack; `usize` names the step to go on with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op<S> {
    Number(i64),
    Read(S),
    LookUp(u16),
    Unary(Unary),
    Binary(Binary),
    /// The same with a number as right operand.
    With(Binary, i32),
    Jump(u32),
    /// Takes the top away and jumps if it was no.
    JumpUnless(u32),
    /// Jumps if the top is no, else takes it away.
    AndThen(u32),
    /// Jumps if the top is yes, else takes it away.
    OrElse(u32),
    /// Throws the dice of a term whose numbers are known.
    Throw {
        term: u8,
        count: u16,
        sides: u32,
    },
    /// Throws the dice of a term; takes count and sides from the stack.
    ThrowComputed(u8),
    /// Writes the top down as a part of the outermost sum.
    Part(Option<u16>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unary {
    Negate,
    Not,
    Abs,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    DivideDown,
    DivideUp,
    Modulo,
    Min,
    Max,
    Compare(Comparison),
}

/// Why arithmetic has no result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ArithmeticError {
    OutOfRange,
    DivisionByZero,
}

impl Unary {
    #[inline]
    pub(super) fn apply(self, value: i64) -> Result<i64, ArithmeticError> {
        match self {
            Unary::Negate => value.checked_neg().ok_or(ArithmeticError::OutOfRange),
            Unary::Abs => value.checked_abs().ok_or(ArithmeticError::OutOfRange),
            Unary::Not => Ok(i64::from(value == 0)),
        }
    }
}

impl Binary {
    #[inline(always)]
    pub(super) fn apply(self, left: i64, right: i64) -> Result<i64, ArithmeticError> {
        match self {
            Binary::Add => left.checked_add(right).ok_or(ArithmeticError::OutOfRange),
            Binary::Subtract => left.checked_sub(right).ok_or(ArithmeticError::OutOfRange),
            Binary::Multiply => left.checked_mul(right).ok_or(ArithmeticError::OutOfRange),
            Binary::Min => Ok(left.min(right)),
            Binary::Max => Ok(left.max(right)),
            Binary::Compare(compare) => Ok(i64::from(compare.holds(left, right))),
            Binary::DivideDown | Binary::DivideUp | Binary::Modulo => self.divide(left, right),
        }
    }

    /// Whether a right operand of zero is a mistake.
    pub(super) fn divides(self) -> bool {
        matches!(self, Binary::DivideDown | Binary::DivideUp | Binary::Modulo)
    }

    fn divide(self, left: i64, right: i64) -> Result<i64, ArithmeticError> {
        if right == 0 {
            return Err(ArithmeticError::DivisionByZero);
        }
        let quotient = left.checked_div(right).ok_or(ArithmeticError::OutOfRange)?;
        let rest = left.checked_rem(right).ok_or(ArithmeticError::OutOfRange)?;
        let (uneven, positive) = (rest != 0, (left < 0) == (right < 0));
        match self {
            Binary::DivideUp => Ok(quotient + i64::from(uneven && positive)),
            Binary::Modulo => Ok(if uneven && !positive { rest + right } else { rest }),
            _ => Ok(quotient - i64::from(uneven && !positive)),
        }
    }
}
