//! What scripts hold of the running intent: names for things, never the things themselves.

use houserule_kernel::resolve::ScriptRoll;

/// The event whose hook runs.
#[derive(Clone, Copy)]
pub struct EventHandle;

/// What was rolled.
#[derive(Clone)]
pub struct RollHandle(pub ScriptRoll);
