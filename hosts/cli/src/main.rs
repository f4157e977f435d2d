//! Houserule at the command line.
fn main() {}
