//! The rules kernel of Houserule: a pure function of table, intent and answers.
//!
//! ```
//! use houserule_kernel::intent::Intent;
//! use houserule_kernel::pack::Pack;
//! use houserule_kernel::ruleset::Ruleset;
//! use houserule_kernel::table::Table;
//!
//! let pack = Pack::new()
//!     .with("pack.toml", "id = \"duel\"\nversion = \"1\"\ntitle = \"Duel\"")
//!     .with("rules.toml", r#"
//!         [stat.strike]
//!         start = 3
//!         [stat.guard]
//!         start = 12
//!         [check.strike]
//!         roll = "1d20"
//!         bonus = "strike"
//!         against = "target.guard"
//!         degrees = ["miss", "hit"]
//!         case.hit.when = "total >= dc"
//!         [action.strike]
//!         targets = "one"
//!         check = "strike"
//!         [creature.duellist]
//!     "#);
//! let rules = Ruleset::read(&[pack], &[]).expect("the pack is sound");
//! let mut table = Table::new(&rules, 7);
//! table.seat("ann", "duellist", "red").expect("no rule is at fault");
//! table.seat("ben", "duellist", "blue").expect("no rule is at fault");
//! let outcome = table.act(&Intent::new("strike").by("ann").at("ben")).expect("no rule is at fault");
//! assert!(outcome.is_done());
//! let told = table.explain(2, "en").expect("the entry is there").to_text();
//! assert!(told.starts_with("ann: strike ben"));
//! ```
//!
//! Aims, in order of importance: right numbers that explain themselves; no lost
//! state, whatever a rule does; the same result everywhere; rules as data that a
//! homebrewer can read; speed; and the exclusion of all that a pack or a host can
//! do for itself. The kernel knows no game, speaks to no file, clock or network
//! (reading a pack from a folder is the feature `fs`), and has no floats.

#![forbid(unsafe_code)]

pub mod action;
pub mod answers;
pub mod budget;
pub mod bus;
pub mod change;
pub mod check;
pub mod clock;
pub mod condition;
pub mod damage;
pub mod entity;
pub mod eval;
pub mod event;
pub mod feed;
pub mod guest;
pub mod ident;
pub mod initiative;
pub mod inspect;
pub mod intent;
pub mod journal;
pub mod layer;
pub mod memo;
pub mod modifier;
pub mod odds;
pub mod oracle;
pub mod policy;
pub mod question;
pub mod resolve;
pub mod ruleset;
pub mod save;
pub mod scene;
pub mod script;
pub mod situation;
pub mod space;
pub mod state;
pub mod step;
pub mod table;
pub mod tactic;
pub mod tally;
pub mod text;
pub mod validate;
pub mod variables;
pub mod wide;

pub use houserule_dice::{chance, dice, error, expression, formula, philox, printable};
