//! The sandboxed Lua and Rhai hosts of Houserule.
//!
//! | room | what it is |
//! |---|---|
//! | [`budget`] | the account of fuel and depth that a guest keeps |
//! | [`error`] | an error of a script with its place in the pack |
//! | [`scalar`] | what crosses the border: whole numbers, yes or no, short names, entities |
//! | [`value`] | what a word of the host takes and gives |
//! | [`api`] | the one list of words that scripts can say to their host |
//! | [`stubs`] | stubs for editors and the reference page, made from that list |
//! | `source`, `declaration` | the load order of files, and what they declare: `on`, `wrap`, `mute` |
//! | `passage`, `said`, `crossing` | the way from a hook to its scene and back |
//! | [`lua`] | the Lua guest: `sandbox` (the whitelisted VM), `api` (the words), `library` (host functions below the prelude), `declare`, `convert`, `trace` (errors), `lint` (no memory, no unknown names) |
//! | [`rhai`] | the Rhai guest, the same file for file; `numbers` makes its arithmetic the arithmetic of Lua, `price` and `reading` pay for what is read and made, `texts`, `lists` and `maps` are all that values can do, `bounds` and `captures` read the tree before it runs |
//! | [`language`] | both, as the kernel knows them |
//!
//! A guest is built from the text of all files, on the thread that uses it, and is never sent. `survey` builds one,
//! with the checks that only need to run once, and throws it away. Nothing a script does outlives its call: what a
//! rule must remember belongs to the table.
//!
//! Both languages count alike: `//` and `%` of Lua, `/` and `%` of Rhai, `div_floor` and `div_ceil` round as rules do,
//! down unless said otherwise. Results beyond 32 bits, fractions, and strings where a number is wanted stop at the border.
//! Inside a script Lua keeps its own ways: `7 / 2` is 3.5, and a string of digits counts as a number in a sum.
//!
//! The scene of a running intent lies in the guest's passage while its machine runs. A word takes it out, works on
//! it, and lays it back; nothing is borrowed meanwhile, so hooks may call hooks. What stops the scene stops every
//! word after it, and a panic in a word becomes a stop.
//!
//! After every call the scene and the [`budget::FuelMeter`] are believed, not the answer of the engine: once one says
//! stop, the call has failed, whatever the script returned.

#[cfg(all(feature = "luau", feature = "lua54"))]
compile_error!(
    "the features `luau` and `lua54` exclude each other: a program links one Lua; switch off default features"
);

pub mod api;
pub mod budget;
mod call;
mod declaration;
mod declared;
pub mod error;
mod handle;
mod handover;
pub mod language;
#[cfg(any(feature = "luau", feature = "lua54"))]
pub mod lua;
#[cfg(feature = "rhai")]
pub mod rhai;
pub mod scalar;
mod source;
pub mod stubs;
pub mod value;

pub use budget::{FuelMeter, ScriptLimits, ScriptStop};
pub use error::{ScriptError, ScriptErrorKind};
#[cfg(any(feature = "luau", feature = "lua54"))]
pub use language::Lua;
#[cfg(feature = "rhai")]
pub use language::Rhai;
pub use language::{languages, languages_preferring};
#[cfg(any(feature = "luau", feature = "lua54"))]
pub use lua::LuaGuest;
#[cfg(feature = "rhai")]
pub use rhai::RhaiGuest;
