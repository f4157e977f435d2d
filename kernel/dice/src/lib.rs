//! Dice for tabletop games: a notation, its exact chances, and streams of random
//! numbers that come out the same on every machine.
//!
//! ```
//! let attack = houserule_dice::expression::parse("2d20kh1 + 5").expect("the notation is sound");
//! assert_eq!(attack.to_string(), "2d20kh1 + 5");
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`expression`] | the notation, parsed into a tree that knows where each part stands |
//! | [`formula`] | expressions compiled against the names that the caller knows, then evaluated |
//! | [`dice`] | one term of dice: keep, drop, reroll, explode, count |
//! | [`chance`] | exact chances as fractions |
//! | [`philox`] | streams of random numbers, each for one purpose, that can be saved and repeated |
//! | [`error`] | places in texts, problems with a way out, faults |
//! | [`printable`] | texts from outside, made safe to show |

#![forbid(unsafe_code)]

pub mod chance;
pub mod dice;
pub mod error;
pub mod expression;
pub mod formula;
pub mod philox;
pub mod printable;
