//! The sandboxed Lua and Rhai hosts of Houserule.
//!
//! | room | what it is |
//! |---|---|
//! | [`budget`] | the one account of fuel, depth and toil that all guests of a thread share |
//! | [`blame`] | an error of a script with its place in the pack |
//! | [`scalar`] | what crosses the border: whole numbers, yes or no, short names |
//! | [`source`] | the files and their load order |
//! | [`declaration`] | what a file declares: `on`, `wrap`, `mute` |
//! | [`door`] | how a running hook asks its host |
//! | [`lua`] | the Lua guest: `birth` (the whitelisted VM), `library` (host functions below the prelude), `declare`, `border`, `trace` (errors), `lint` (no memory, no unknown names) |
//! | [`rhai`] | the Rhai guest, room for room the same; `numbers` makes its arithmetic the arithmetic of Lua |
//!
//! A guest is built from the text of all files, on the thread that uses it, and is never sent. `survey` builds one,
//! with the checks that only need to run once, and throws it away. Nothing a script does outlives its call: what a
//! rule must remember belongs to the table.
//!
//! Both languages count alike: `//` and `%` of Lua, `/` and `%` of Rhai, `div_floor` and `div_ceil` round as rules do,
//! down unless said otherwise. Results beyond 32 bits, fractions, and strings where a number is wanted stop at the border.
//! Inside a script Lua keeps its own ways: `7 / 2` is 3.5, and a string of digits counts as a number in a sum.
//!
//! All that a script can ask of its host goes through [`door::Door`]. A host function is made with `library::function`
//! (Lua) or registered through a `Passage` (Rhai), so that it runs only while nothing has stopped the intent and a
//! panic in it becomes a stop. Nothing is borrowed while a door is open, so hooks may call hooks.
//!
//! After every call the [`budget::Account`] is believed, not the answer of the engine: once it says stop, the call has
//! failed, whatever the script returned. [`budget::Stop::spoils_guest`] says when the guest must be built anew.

#[cfg(all(feature = "luau", feature = "lua54"))]
compile_error!(
    "the features `luau` and `lua54` exclude each other: a program links one Lua; switch off default features"
);

pub mod blame;
pub mod budget;
pub mod declaration;
pub mod door;
pub mod error;
#[cfg(any(feature = "luau", feature = "lua54"))]
pub mod lua;
#[cfg(feature = "rhai")]
pub mod rhai;
pub mod scalar;
pub mod source;

pub use blame::{ScriptError, ScriptErrorKind};
pub use budget::{Account, Limits, Stop};
pub use declaration::{Declaration, Deed, KnownFilters};
pub use door::{ClosedDoor, Door};
#[cfg(any(feature = "luau", feature = "lua54"))]
pub use lua::LuaGuest;
#[cfg(feature = "rhai")]
pub use rhai::RhaiGuest;
pub use scalar::{Scalar, Scalars};
pub use source::Script;
