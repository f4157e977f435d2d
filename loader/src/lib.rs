//! Reads rule packs: files of TOML and scripts become a checked ruleset, or a list of
//! everything that is wrong with them, each problem with its file, line and way out.
//!
//! ```
//! use houserule_loader::{Pack, load};
//!
//! let pack = Pack::new()
//!     .with("pack.toml", "id = \"duel\"\nversion = \"1\"\ntitle = \"Duel\"")
//!     .with("rules.toml", "[stat.strike]\nstart = 3\n[creature.duellist]\nbluff = 2");
//! let error = load(&[pack], &[]).expect_err("there is no stat `bluff`");
//! assert_eq!((error.problems[0].file.as_str(), error.problems[0].line), ("duel/rules.toml", 4));
//! ```
//!
//! | module | what it does |
//! |---|---|
//! | [`pack`] | a pack as text: its files, limits, layers and families |
//! | [`load`](mod@load) | the merged packs become a ruleset |
//! | [`problems`] | what is wrong, at most fifty of a file |

#![forbid(unsafe_code)]

pub mod load;
pub mod pack;
pub mod problems;

pub use load::{LoadError, load, load_suggesting};
pub use pack::Pack;
pub use problems::Problems;
