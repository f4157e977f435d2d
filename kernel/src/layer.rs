//! Which pack wrote, changed, replaced or removed what.

use crate::error::Span;

/// What a pack did to a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PatchOp {
    /// Wrote it for the first time.
    Defined,
    /// Put another whole in its place.
    Replaced,
    /// Set a field in it.
    Changed,
    /// Took it, or a child of it, away.
    Removed,
}

/// One deed of one pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerNote {
    /// The kind, such as `stat`.
    pub kind: String,
    /// The name in its kind; empty for a kind that is one table.
    pub name: String,
    /// The field, such as `part.base.value`; empty for the whole.
    pub path: String,
    /// The id of the pack.
    pub pack: String,
    /// Where the pack says so.
    pub span: Span,
    /// What it did.
    pub deed: PatchOp,
}
