//! The rules kernel of Houserule. You give it a ruleset, a table and what somebody
//! wants to do; it gives back what happened, a question that has to be answered
//! first, or a refusal with its reason. It is a pure function of table, intent and
//! answers.
//!
//! ```
//! use houserule_kernel::intent::Intent;
//! use houserule_kernel::table::Table;
//! use houserule_loader::{Pack, load};
//!
//! let rules = "[pool.hp]\nmax = \"9\"\n[creature.duellist]\n[action.rest]\ndo = [{ heal = \"1d4\", pool = \"hp\" }]";
//! let manifest = "id = \"duel\"\nversion = \"1\"\ntitle = \"Duel\"";
//! let pack = Pack::new().with("pack.toml", manifest).with("rules.toml", rules);
//! let ruleset = load(&[pack], &[]).expect("the pack is sound");
//!
//! let mut table = Table::new(&ruleset, 7);
//! assert!(table.seat("ann", "duellist", "red").expect("no rule is at fault").is_done());
//! let outcome = table.act(&Intent::new("rest").by("ann")).expect("no rule is at fault");
//! assert!(outcome.is_done());
//! assert_eq!(table.journal().done().len(), 2);
//! ```
//!
//! Aims, in order of importance: right numbers that explain themselves; no lost
//! state, whatever a rule does; the same result everywhere; rules as data that a
//! homebrewer can read; speed; and the exclusion of all that a pack or a host can
//! do for itself. The kernel knows no game, reads no TOML, speaks to no file, clock or
//! network, writes no sentences for people, and has no floats. `houserule-loader`
//! reads packs, `houserule` explains journals.

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
