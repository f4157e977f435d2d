//! Damage: typed amounts, the stages they pass, and the pools they fall on.

use crate::error::{Fault, in_range};
use crate::ident::*;
use crate::situation::Formula;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// How damage is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Multiply {
    /// Dice and bonus are rolled so many times.
    Reroll,
    /// The dice are rolled once and multiplied; the bonus is added once.
    Result,
    /// The total is multiplied.
    Total,
}

/// What a stage looks at one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageScope {
    /// Every part that was rolled.
    Part,
    /// All parts of one type.
    Type,
    /// The whole hit.
    Hit,
}

/// A stage as packs write it.
#[derive(Clone, Debug)]
pub struct DamageStage {
    /// Which stage.
    pub stage: StageId,
    /// Under which name it is cited.
    pub rule: RuleId,
    /// The event that is raised before it.
    pub event: EventId,
    /// What it looks at.
    pub per: StageScope,
    /// Whether it does anything.
    pub when: Option<Formula>,
    /// The new amount.
    pub amount: Formula,
    /// A tag it puts on the damage.
    pub tag: Option<TagId>,
}

/// How a ruleset deals damage.
#[derive(Clone, Debug)]
pub struct DamageRules {
    /// How it is multiplied: the first whose question says yes, else the total.
    pub multiply: Vec<(Option<Formula>, Multiply)>,
    /// The stages between the roll and the pools, in order.
    pub stages: Vec<DamageStage>,
    /// The pools it falls on, in order.
    pub pools: Vec<PoolId>,
}

/// DamagePart of a hit: an amount and what it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamagePart {
    /// Its type.
    pub kind: Option<TagId>,
    /// How much.
    pub amount: i32,
}

/// One throw of the dice of a blow, before it is multiplied.
#[derive(Clone, Debug, Default)]
pub struct DamageRoll {
    /// The total of the dice.
    pub rolled: i32,
    /// What was added.
    pub bonus: i32,
    /// The dice by type.
    pub parts: SmallVec<[DamagePart; 4]>,
}

/// A throw that all targets of an action suffer: of which dice, the how-manieth of
/// a blow, and what it came to.
pub type SharedRoll = (Box<str>, usize, DamageRoll);

/// A hit on its way through the stages.
#[derive(Clone, Debug, Default)]
pub struct Hit {
    /// Its parts.
    pub parts: SmallVec<[DamagePart; 4]>,
    /// Tags of all of it.
    pub tags: IdSet<TagId>,
    /// How often it was multiplied.
    pub times: i32,
    /// What its first throw came to, before it was multiplied and without what is
    /// added once.
    pub once: i32,
    /// Whether a stage is to halve it.
    pub halved: bool,
}

impl Hit {
    /// Adds a throw of the same dice as before, part by part, its bonus to the
    /// first.
    ///
    /// # Errors
    /// `HR0501` beyond the range of an `i32`.
    pub fn add_throw(&mut self, thrown: &DamageRoll, times: i32) -> Result<(), Fault> {
        for (at, part) in thrown.parts.iter().enumerate() {
            let bonus = if at == 0 { thrown.bonus } else { 0 };
            let amount = i64::from(part.amount) * i64::from(times) + i64::from(bonus);
            match self.parts.get_mut(at) {
                Some(rolled) => rolled.amount = amount_of(i64::from(rolled.amount) + amount)?,
                None => self.parts.push(DamagePart { kind: part.kind, amount: amount_of(amount)? }),
            }
        }
        Ok(())
    }

    /// Adds an amount to the part of its type.
    ///
    /// # Errors
    /// `HR0501` beyond the range of an `i32`.
    pub fn add(&mut self, kind: Option<TagId>, amount: i32) -> Result<(), Fault> {
        match self.parts.iter_mut().find(|part| part.kind == kind) {
            Some(part) => part.amount = amount_of(i64::from(part.amount) + i64::from(amount))?,
            None => self.parts.push(DamagePart { kind, amount }),
        }
        Ok(())
    }

    /// All parts together.
    ///
    /// # Errors
    /// `HR0501` beyond the range of an `i32`.
    pub fn total(&self) -> Result<i32, Fault> {
        amount_of(self.parts.iter().map(|part| i64::from(part.amount)).sum())
    }
}

/// An amount of damage.
///
/// # Errors
/// `HR0501` beyond the range of an `i32`.
pub fn amount_of(number: i64) -> Result<i32, Fault> {
    in_range(number, || "an amount of damage".to_owned())
}
