//! The rules kernel of Houserule.
mod error;
pub use error::*;
