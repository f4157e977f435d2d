//! An embeddable, scripting-driven rules kernel for tabletop role-playing games.
//!
//! ```
//! use houserule::{Intent, Outcome, Table};
//!
//! let rules = houserule::load(&["sf1e"]).expect("the shipped pack is sound");
//! let mut table = Table::new(&rules, 7);
//! table.seat("rook", "soldier_1", "crew").expect("no rule is at fault");
//! table.seat("dent", "thug", "dockers").expect("no rule is at fault");
//! let attack = Intent::new("attack").by("rook").with("melee").at("dent");
//! let outcome = table.act(&attack).expect("no rule is at fault");
//! assert!(matches!(outcome, Outcome::Done(_)));
//! ```
//!
//! A [`Pack`] is a folder of rules as text. A [`Ruleset`] is packs parsed,
//! checked and frozen, shared by any number of tables. A [`Table`] is one session
//! of play: plain data, to which an [`Intent`] comes and from which an
//! [`Outcome`] goes. Everything the rules do not decide (a die, a choice, a
//! ruling) comes in by one door, the [`Oracle`].
//!
//! * [`load`], [`load_with`]: a ruleset from shipped packs, or from your own.
//! * [`encounter`]: fights as data, played to the end by tactics.
//! * [`coverage`]: which rules of a game a pack plays, and which not.
//! * [`sheet`]: people as data, one file each.
//! * [`scenario`]: a pack's own tests; [`scenario_test`] holds them against what is kept of them.

pub mod coverage;
pub mod encounter;
pub mod explain;
pub mod house_rules;
pub mod members;
pub mod outcome_text;
pub mod scenario;
mod scenario_names;
mod scenario_step;
pub mod scenario_test;
pub mod sheet;
pub mod shipped;
pub mod snapshot;
pub mod tactics;

pub use explain::{Explain, Explanation};
pub use houserule_kernel as kernel;
pub use houserule_kernel::budget::Budget;
pub use houserule_kernel::error::{Diagnostic, Fault, Problem, Sources, Span};
pub use houserule_kernel::ident::{Audience, EntityId};
pub use houserule_kernel::intent::{Intent, NewEntity, Operation};
pub use houserule_kernel::oracle::{Answer, InputKey, Oracle, Question, QuestionKind, Refusal};
pub use houserule_kernel::policy::{Policies, Policy};
pub use houserule_kernel::ruleset::Ruleset;
pub use houserule_kernel::script::Language;
pub use houserule_kernel::table::{Outcome, Table};
pub use houserule_loader as loader;
pub use houserule_loader::LoadError;
pub use houserule_loader::pack::Pack;
pub use houserule_loader::problems::Problems;

use std::sync::Arc;

/// A ruleset from shipped packs and all that they extend.
///
/// # Errors
/// Everything that is wrong with the packs; a pack that is not shipped counts as
/// empty.
pub fn load(ids: &[&str]) -> Result<Arc<Ruleset>, Box<LoadError>> {
    load_with(Vec::new(), ids, &houserule_scripts::languages())
}

/// A ruleset from your own packs and from shipped ones, with all the shipped
/// packs that they extend. Of hooks in several languages, those of the first
/// language are used.
///
/// # Errors
/// Everything that is wrong with the packs.
pub fn load_with(
    own: Vec<Pack>,
    shipped: &[&str],
    languages: &[Arc<dyn Language>],
) -> Result<Arc<Ruleset>, Box<LoadError>> {
    houserule_loader::load_suggesting(&shipped::gather(own, shipped), languages, &shipped::ids())
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
