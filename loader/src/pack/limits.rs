//! How large packs may be, each for itself and all that are read together. The
//! numbers stand here and nowhere else. The largest shipped pack keeps well below
//! a fourth of each that bounds memory.

/// The most bytes in one file of a pack.
pub const MOST_BYTES_IN_FILE: usize = 256 * 1024;
/// The most values that one TOML file may hold, tables and list items included.
pub const MOST_VALUES_IN_FILE: usize = 32_768;
/// The most files in a pack.
pub const MOST_FILES: usize = 2_000;
/// The most files in all packs that are read together.
pub const MOST_FILES_TOGETHER: usize = 8_000;
/// The most bytes in a pack, and in all packs that are read together; also the
/// most bytes of texts that families may grow to.
pub const MOST_BYTES: usize = 16 * 1024 * 1024;
/// The most bytes of scripts together, whatever their languages: what a parser
/// makes of a script takes more than a hundred times its room.
pub const MOST_BYTES_OF_SCRIPTS: usize = 512 * 1024;
/// The most packs that are read together.
pub const MOST_PACKS: usize = 64;
/// The most values in all rules and texts together, once families are written out.
pub const MOST_VALUES: usize = 160_000;
/// The most definitions together, once families are written out.
pub const MOST_DEFINITIONS: usize = 20_000;
/// The most names of one kind, such as texts, degrees or rules with a name.
pub const MOST_OF_A_KIND: usize = 65_535;
/// The most tags, stats, and bonus types: everything else has sets of these.
pub const MOST_IN_A_SET: usize = 4_096;
/// The most bytes of expressions together.
pub const MOST_BYTES_OF_FORMULAS: usize = 1024 * 1024;
/// The most lines that pages take over from what they are like, and modifiers
/// from those for many stats.
pub const MOST_TAKEN_OVER: usize = 100_000;
/// The most arguments and choices of words in all texts together.
pub const MOST_HOLES: usize = 100_000;
/// The most things that come along with one creature or item, each with what it
/// holds in turn.
pub const MOST_HELD: u64 = 1_000;
/// The most degrees of a check.
pub const MOST_DEGREES: usize = 64;
/// The most choices of a switch.
pub const MOST_CHOICES: usize = 256;
/// The longest key in a TOML file, in bytes.
pub const LONGEST_KEY: usize = 1_000;
/// The longest name of a definition, and the longest word of a family, in bytes.
pub const LONGEST_NAME: usize = 100;
/// The longest name of a file in a pack, with its folders, in bytes.
pub const LONGEST_FILE_NAME: usize = 200;
/// How deep the folders of a pack may lie in each other.
pub const DEEPEST_FOLDER: usize = 16;
/// The most entries that are looked at in the folders of a pack, those passed
/// over included.
pub const MOST_ENTRIES: usize = 20_000;
