//! How much the packs that are read together have grown to, counted before it is
//! built: what a few lines stand for may be far larger than they are.

use super::limits::{MOST_BYTES, MOST_DEFINITIONS, MOST_VALUES};
use crate::problems::Problems;
use houserule_kernel::error::{Problem, Span};

/// What has been used of the room for packs.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    values: usize,
    bytes: usize,
    definitions: usize,
    /// There was no more room, which was told.
    full: bool,
}

impl Growth {
    /// Takes room for values and the bytes of their texts; if there is too
    /// little, tells so once, and there is none from then on.
    pub(crate) fn take(
        &mut self,
        values: usize,
        bytes: usize,
        what: &str,
        span: Span,
        problems: &mut Problems,
    ) -> bool {
        (self.values, self.bytes) = (self.values.saturating_add(values), self.bytes.saturating_add(bytes));
        let told = match () {
            () if self.full => return false,
            () if self.values > MOST_VALUES => format!("values, and {MOST_VALUES} is the most"),
            () if self.bytes > MOST_BYTES => format!("bytes of text, and {MOST_BYTES} is the most"),
            () => return true,
        };
        self.end(format!("with `{what}` the packs hold too many {told}"), span, problems);
        false
    }

    /// Takes room for one more definition.
    pub(crate) fn define(&mut self, what: &str, span: Span, problems: &mut Problems) -> bool {
        self.definitions += 1;
        if self.definitions > MOST_DEFINITIONS && !self.full {
            let told = format!("with `{what}` the packs hold too many definitions, and {MOST_DEFINITIONS} is the most");
            self.end(told, span, problems);
        }
        !self.full
    }

    /// Whether something had no room.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    fn end(&mut self, told: String, span: Span, problems: &mut Problems) {
        self.full = true;
        problems.push(Problem::new("HR0135", span, told).help("write fewer or smaller ones, or leave a pack away"));
    }
}
