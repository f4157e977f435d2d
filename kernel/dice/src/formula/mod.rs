//! Formulas: expressions compiled to flat steps over slots, and evaluated through a small reader.
//!
//! Functions: `min(a, b, …)`, `max(a, b, …)`, `clamp(x, low, high)` (the high
//! bound wins if they cross), `abs(x)`, `div_floor(a, b)` (the same as `/`),
//! `div_ceil(a, b)` and `if(condition, a, b)`. Any other call looks up a table.
//! What `and`, `or` and `if` do not need is neither read nor rolled.
//!
//! Results fit an `i32`; what is computed on the way fits an `i64`; anything
//! beyond is a fault:
//!
//! | code | fault |
//! |---|---|
//! | `HR0501` | a number is out of range |
//! | `HR0502` | division by zero |
//! | `HR0503` | a negative number of dice |
//! | `HR0504` | too many dice in one evaluation |
//! | `HR0505` | a die with an impossible number of sides |
//! | `HR0506` | dice that never come to rest |
//! | `HR0507` | dice where a value is only read |

mod compile;
mod ops;
mod run;

use crate::dice::{Roll, TermRules};
use crate::error::Fault;
use crate::expression::ParseError;
pub use compile::is_function;
use ops::Op;
use run::{Evaluation, NoDice};
use std::sync::Arc;

/// What the names of an expression mean.
pub trait Vocabulary {
    /// Where a value is read from when the formula runs.
    type Slot: Copy + PartialEq + std::fmt::Debug;

    /// The slot of a dotted name and what it holds.
    ///
    /// # Errors
    /// If there is no such name.
    fn name(&self, path: &[&str]) -> Result<(Self::Slot, ValueType), UnknownName>;

    /// The slot that holds 1 while `subject` has `name`, maybe toward somebody,
    /// else 0.
    ///
    /// # Errors
    /// If there is no such subject, or nothing of that name to be had.
    fn has(&self, subject: &[&str], name: &str, toward: Option<&str>) -> Result<Self::Slot, UnknownName>;

    /// The number by which a slot of [`ValueType::Name`] holds `name`.
    ///
    /// # Errors
    /// If the slot can never hold that name.
    fn symbol(&self, of: Self::Slot, name: &str) -> Result<i64, UnknownName>;

    /// The number of a lookup table.
    ///
    /// # Errors
    /// If there is no such table.
    fn table(&self, name: &str) -> Result<u16, UnknownName>;

    /// The number of a label.
    ///
    /// # Errors
    /// If there is no such label.
    fn label(&self, name: &str) -> Result<u16, UnknownName>;
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A whole number.
    Number,
    /// Yes or no, read as 1 or 0.
    YesNo,
    /// One of several names, compared with `==` and `!=` only.
    Name,
}

/// A name that a [`Vocabulary`] does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// One sentence.
    pub message: String,
    /// One way out.
    pub help: Option<String>,
}

/// What a formula is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedType {
    /// A number, without dice.
    Number,
    /// Yes or no, without dice.
    YesNo,
    /// A number, with or without dice and labels.
    Roll,
}

/// Gives a formula the values it reads.
pub trait ValueSource<S> {
    /// What stops an evaluation.
    type Stop: From<Fault>;

    /// The value of a slot; of [`ValueType::YesNo`] 1 or 0.
    ///
    /// # Errors
    /// Whatever stops the evaluation.
    fn read(&mut self, slot: S) -> Result<i64, Self::Stop>;

    /// The entry of a table for a key.
    ///
    /// # Errors
    /// Whatever stops the evaluation.
    fn look_up(&mut self, table: u16, key: i64) -> Result<i64, Self::Stop>;
}

/// Gives a formula the faces of its dice as well.
pub trait DiceSource<S>: ValueSource<S> {
    /// So many dice of one kind are about to fall together.
    fn throws(&mut self, _count: u32) {}

    /// A face from 1 to `sides`, which is 1 to 1,000,000.
    ///
    /// # Errors
    /// Whatever stops the evaluation.
    fn face(&mut self, sides: u32) -> Result<u32, Self::Stop>;
}

/// A compiled expression, checked for names, types and constant mistakes. Copies
/// share all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledFormula<S> {
    text: Arc<str>,
    ops: Arc<[Op<S>]>,
    dice: Arc<[TermRules]>,
    labelled: bool,
}

impl<S: Copy> CompiledFormula<S> {
    /// The formula that always gives one number.
    #[must_use]
    pub fn number(number: i32) -> CompiledFormula<S> {
        let ops = Arc::new([Op::Number(number.into())]);
        CompiledFormula { text: number.to_string().into(), ops, dice: Arc::default(), labelled: false }
    }

    /// Reads, checks and compiles an expression.
    ///
    /// # Errors
    /// Every mistake in it, in order of place; or the first place at which it
    /// cannot be read at all.
    pub fn compile<V: Vocabulary<Slot = S>>(
        text: &str,
        vocabulary: &V,
        want: ExpectedType,
    ) -> Result<CompiledFormula<S>, Vec<ParseError>> {
        compile::compile(text, vocabulary, want)
    }

    /// The result of a formula without dice; yes is 1, no is 0.
    ///
    /// # Errors
    /// The reader's, and faults `HR0501`, `HR0502` and, of a formula with dice, `HR0507`.
    pub fn value<R: ValueSource<S>>(&self, reader: &mut R) -> Result<i32, R::Stop> {
        match self.constant() {
            Some(value) => Ok(value),
            None => {
                let mut unused = Roll::default();
                Evaluation::new(self, &mut NoDice(reader), &mut unused).result()
            }
        }
    }

    /// The result of a formula with or without dice. The roll is cleared
    /// first; after an error it holds what was drawn until then.
    ///
    /// # Errors
    /// The roller's, and faults `HR0501` to `HR0506`.
    pub fn roll<R: DiceSource<S>>(&self, roller: &mut R, roll: &mut Roll) -> Result<i32, R::Stop> {
        roll.clear();
        let total = Evaluation::new(self, roller, roll).result()?;
        roll.total = total;
        if !self.labelled {
            roll.parts.push(crate::dice::RollPart { label: None, amount: total });
        }
        Ok(total)
    }

    /// Every slot the formula may read, in order of place, repeats included.
    pub fn reads(&self) -> impl Iterator<Item = S> + '_ {
        self.ops.iter().filter_map(|op| if let Op::Read(slot) = *op { Some(slot) } else { None })
    }

    /// Every table the formula may look up, in order of place, repeats included.
    pub fn tables(&self) -> impl Iterator<Item = u16> + '_ {
        self.ops.iter().filter_map(|op| if let Op::LookUp(table) = *op { Some(table) } else { None })
    }

    /// Whether it has dice.
    #[must_use]
    pub fn rolls_dice(&self) -> bool {
        !self.dice.is_empty()
    }

    /// Its result, if that depends on nothing.
    #[must_use]
    #[inline]
    pub fn constant(&self) -> Option<i32> {
        match *self.ops {
            [Op::Number(value)] => i32::try_from(value).ok(),
            _ => None,
        }
    }

    /// Its canonical text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests;
