//! The generator: numbers drawn by counting, so that nobody's new roll shifts anybody else's dice.
//!
//! Draw n of a (stream, entity) is word n mod 4 of the Philox4x32-10 block
//! whose counter is (n div 4, fight, entity key, stream key). Nothing else is
//! remembered: a table that knows the seed and each [`Cell`]'s count knows all
//! its future dice. These values are promised to stay: saves and replays lean
//! on them, and the golden tests below hold them.

use rand_core::{Infallible, TryRng, utils};
use serde::{Deserialize, Serialize};

const MULTIPLIERS: (u64, u64) = (0xD251_1F53, 0xCD9E_8D57);
const KEY_STEPS: (u32, u32) = (0x9E37_79B9, 0xBB67_AE85);
const ROUNDS: usize = 10;

/// How often [`die`] draws again after a rejected word before it gives up.
pub const RETRIES: u32 = 128;

/// One block of four words: Philox4x32 with ten rounds (Salmon, Moraes, Dror,
/// Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011).
#[must_use]
pub fn block(key: [u32; 2], counter: [u32; 4]) -> [u32; 4] {
    let [mut left, mut right] = key;
    let mut words = counter;
    for _ in 0..ROUNDS {
        words = round([left, right], words);
        left = left.wrapping_add(KEY_STEPS.0);
        right = right.wrapping_add(KEY_STEPS.1);
    }
    words
}

fn round([left, right]: [u32; 2], [a, b, c, d]: [u32; 4]) -> [u32; 4] {
    let (high_a, low_a) = halves(MULTIPLIERS.0 * u64::from(a));
    let (high_c, low_c) = halves(MULTIPLIERS.1 * u64::from(c));
    [high_c ^ b ^ left, low_c, high_a ^ d ^ right, low_a]
}

/// High and low word of a product.
fn halves(product: u64) -> (u32, u32) {
    ((product >> 32) as u32, product as u32)
}

/// Two words as one.
fn joined(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// The key that a seed stands for: low word, then high word.
#[must_use]
pub fn seed_key(seed: u64) -> [u32; 2] {
    let (high, low) = halves(seed);
    [low, high]
}

/// The draw cell of one (stream, entity): how many numbers were drawn, and the
/// block that the last one came from, so that a die costs a quarter of a block.
///
/// Only the count is state: two cells of equal count are equal, and a save
/// holds the count alone. The block remembers what it was made of, so a copy
/// of a cell that goes on under another key never shows the first key's words.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
pub struct Cell {
    count: u32,
    /// What the words were made of; the first is 0 while there are none.
    made_of: (u32, u64, u64, u64),
    words: [u32; 4],
}

impl Cell {
    /// A cell from which nothing was drawn.
    #[must_use]
    pub fn new() -> Cell {
        Cell::default()
    }

    /// The next number of this cell; counts it.
    ///
    /// After `u32::MAX` numbers the count stands still and the last number
    /// repeats; the budget of draws ends every run long before.
    #[inline]
    pub fn word(&mut self, key: [u32; 2], fight: u32, entity_key: u32, stream_key: u32) -> u32 {
        let ([left, right], number) = (key, self.count / 4);
        let made_of = (1, joined(left, right), joined(number, fight), joined(entity_key, stream_key));
        if self.made_of != made_of {
            self.words = block(key, [number, fight, entity_key, stream_key]);
            self.made_of = made_of;
        }
        let [first, second, third, fourth] = self.words;
        let place = self.count % 4;
        self.count = self.count.saturating_add(1);
        match place {
            0 => first,
            1 => second,
            2 => third,
            _ => fourth,
        }
    }

    /// How many numbers were drawn, rejected ones included.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Goes to number `n`, which the next [`Cell::word`] gives: back for
    /// roll-back and undo, forward for redo.
    pub fn rewind_to(&mut self, n: u32) {
        self.count = n;
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Cell) -> bool {
        self.count == other.count
    }
}

impl Eq for Cell {}

impl From<u32> for Cell {
    fn from(count: u32) -> Cell {
        Cell { count, ..Cell::default() }
    }
}

impl From<Cell> for u32 {
    fn from(cell: Cell) -> u32 {
        cell.count
    }
}

/// A face from 1 to `sides`, each equally likely (multiply and shift with
/// rejection, after Lemire, 2019). Every word it asks for is used up, rejected
/// ones too; a die of one side also uses one.
///
/// `None` for a die without sides, and when the first word and [`RETRIES`]
/// more were all rejected, which fair words do less than once in 2^129.
#[must_use]
#[inline]
pub fn die(sides: u32, mut next_word: impl FnMut() -> u32) -> Option<u32> {
    if sides == 0 {
        return None;
    }
    // 2^32 mod sides: as many low products as would make some faces likelier.
    // They are fewer than the sides, so that most draws need not divide.
    let rejected = || sides.wrapping_neg() % sides;
    for _ in 0..=RETRIES {
        let (face, low) = halves(u64::from(next_word()) * u64::from(sides));
        if low >= sides || low >= rejected() {
            return Some(face + 1);
        }
    }
    None
}

/// The number under which a name (of a stream, or the birth name of an entity)
/// enters a counter: 32-bit FNV-1a of its UTF-8 bytes, then the finisher of
/// MurmurHash3, so that names which differ in one letter lie far apart.
#[must_use]
pub fn name_key(name: &str) -> u32 {
    let mut hash = name.bytes().fold(0x811C_9DC5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85EB_CA6B);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xC2B2_AE35);
    hash ^ (hash >> 16)
}

/// Another seed made from a seed and a word such as `preview`: for one word,
/// different seeds give different seeds. It is `finish(finish(seed) ^ h)` with
/// the 64-bit FNV-1a `h` of the word and the finisher of SplitMix64.
#[must_use]
pub fn mix(seed: u64, word: &str) -> u64 {
    let start = 0xCBF2_9CE4_8422_2325_u64;
    let hash = word.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
    finish(finish(seed) ^ hash)
}

fn finish(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// One stream of one entity as a generator of its own, for hosts that use
/// `rand` beside the kernel: it implements `rand_core`'s [`TryRng`] without
/// errors, and thereby `Rng`. Its words are those of the table's cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    key: [u32; 2],
    fight: u32,
    entity_key: u32,
    stream_key: u32,
    cell: Cell,
}

impl Stream {
    /// The stream `stream` of the entity named `entity`, from its first
    /// number; `fight` is 0 at a table, i in the i-th fight of a simulation.
    #[must_use]
    pub fn new(seed: u64, fight: u32, entity: &str, stream: &str) -> Stream {
        let (entity_key, stream_key) = (name_key(entity), name_key(stream));
        Stream { key: seed_key(seed), fight, entity_key, stream_key, cell: Cell::new() }
    }

    /// The next number.
    pub fn word(&mut self) -> u32 {
        self.cell.word(self.key, self.fight, self.entity_key, self.stream_key)
    }

    /// How many numbers were drawn.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.cell.count()
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.word())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        utils::next_u64_via_u32(self)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        utils::fill_bytes_via_next_word(bytes, || self.try_next_u32())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand_core::Rng;

    fn rook() -> Stream {
        Stream::new(42, 0, "rook", "attack")
    }

    fn roll(stream: &mut Stream, sides: u32) -> u32 {
        die(sides, || stream.word()).unwrap()
    }

    #[test]
    fn blocks_equal_the_published_vectors() {
        // Random123, tests/kat_vectors, the lines `philox4x32 10`.
        assert_eq!(block([0; 2], [0; 4]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(block([u32::MAX; 2], [u32::MAX; 4]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        let pi = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
        assert_eq!(block([0xa409_3822, 0x299f_31d0], pi), [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
    }

    #[test]
    fn names_keep_their_golden_keys() {
        let keys = ["", "a", "table", "rook", "attack", "damage", "Größe"].map(name_key);
        assert_eq!(keys, GOLDEN_KEYS, "{keys:#010x?}");
        let seeds = [(0, ""), (42, "preview"), (43, "preview"), (42, "odds")].map(|(seed, word)| mix(seed, word));
        assert_eq!(seeds, GOLDEN_SEEDS, "{seeds:#018x?}");
    }

    #[test]
    fn the_finisher_equals_the_published_one() {
        // The first number of SplitMix64 with seed 0.
        assert_eq!(finish(0x9E37_79B9_7F4A_7C15), 0xE220_A839_7B1D_CDAF);
    }

    #[test]
    fn a_seed_keeps_its_golden_dice() {
        let mut stream = rook();
        let faces: Vec<u32> = (0..12).map(|_| roll(&mut stream, 20)).collect();
        assert_eq!(faces, GOLDEN_FACES);
        assert_eq!(stream.count(), 12);
    }

    #[test]
    fn a_cell_gives_each_word_of_each_block_in_turn() {
        let mut cell = Cell::new();
        let words: Vec<u32> = (0..12).map(|_| cell.word([7, 8], 3, 5, 6)).collect();
        let blocks: Vec<u32> = (0..3).flat_map(|n| block([7, 8], [n, 3, 5, 6])).collect();
        assert_eq!(words, blocks);
    }

    #[test]
    fn another_key_never_shows_the_words_of_the_first() {
        let mut cell = Cell::new();
        cell.word([1, 1], 0, 0, 0);
        let mut copy = cell.clone();
        assert_eq!(copy.word([2, 2], 0, 0, 0), block([2, 2], [0; 4])[1]);
        assert_eq!(cell.word([1, 1], 0, 0, 0), block([1, 1], [0; 4])[1]);
    }

    #[test]
    fn a_cell_is_saved_as_its_count() {
        let mut cell = Cell::new();
        cell.word([1, 2], 0, 3, 4);
        let saved = serde_json::to_string(&cell).unwrap();
        assert_eq!(saved, "1");
        let mut loaded: Cell = serde_json::from_str(&saved).unwrap();
        assert_eq!(loaded, cell);
        assert_eq!(loaded.word([1, 2], 0, 3, 4), cell.word([1, 2], 0, 3, 4));
    }

    #[test]
    fn a_negative_count_is_no_cell() {
        assert!(serde_json::from_str::<Cell>("-1").is_err());
    }

    #[test]
    fn a_cell_at_its_end_stands_still() {
        let mut cell = Cell::from(u32::MAX);
        assert_eq!(cell.word([0; 2], 0, 0, 0), cell.word([0; 2], 0, 0, 0));
        assert_eq!(cell.count(), u32::MAX);
    }

    #[test]
    fn a_rejected_word_uses_up_a_number() {
        // 2^32 mod 3 is 1: only a word whose low product is 0 is rejected.
        let mut words = [0, 0, 1].into_iter();
        assert_eq!(die(3, || words.next().unwrap()), Some(1));
        assert_eq!(words.next(), None);
    }

    #[test]
    fn a_die_gives_up_after_its_retries() {
        let mut asked = 0;
        let face = die(3, || {
            asked += 1;
            0
        });
        assert_eq!((face, asked), (None, RETRIES + 1));
    }

    #[test]
    fn a_die_without_sides_draws_nothing() {
        assert_eq!(die(0, || panic!("drew")), None);
    }

    #[test]
    fn a_die_of_one_side_uses_one_word() {
        let mut stream = rook();
        assert_eq!(roll(&mut stream, 1), 1);
        assert_eq!(stream.count(), 1);
    }

    #[test]
    fn the_largest_die_reaches_both_ends() {
        assert_eq!(die(u32::MAX, || 1), Some(1));
        assert_eq!(die(u32::MAX, || u32::MAX), Some(u32::MAX));
    }

    #[test]
    fn faces_are_spread_evenly() {
        let mut stream = rook();
        let mut seen = [0_i64; 20];
        (0..20_000).for_each(|_| seen[roll(&mut stream, 20) as usize - 1] += 1);
        let chi_thousands: i64 = seen.iter().map(|n| (n - 1_000).pow(2)).sum();
        // 19 degrees of freedom: 43.8 is passed once in a thousand seeds.
        assert!(chi_thousands < 43_800, "{seen:?}");
    }

    #[test]
    fn a_host_may_draw_through_rand() {
        let (mut plain, mut hosted, mut bytes) = (rook(), rook(), [0; 6]);
        let words = [0; 4].map(|_| plain.word());
        assert_eq!(hosted.next_u32(), words[0]);
        assert_eq!(hosted.next_u64(), u64::from(words[2]) << 32 | u64::from(words[1]));
        hosted.fill_bytes(&mut bytes);
        assert_eq!(bytes[..4], words[3].to_le_bytes());
        assert_eq!(hosted.count(), 5);
    }

    proptest! {
        #[test]
        fn rewinding_draws_the_same_again(steps in proptest::collection::vec(0_u32..40, 1..30)) {
            let mut cell = Cell::new();
            let straight: Vec<u32> = (0..40).map(|_| cell.word([3, 4], 0, 1, 2)).collect();
            for n in steps {
                cell.rewind_to(n);
                prop_assert_eq!(cell.word([3, 4], 0, 1, 2), straight[n as usize]);
                prop_assert_eq!(cell.count(), n + 1);
            }
        }

        #[test]
        fn nobody_shifts_anybody_elses_dice(fight in 0_u32..5, extra in 0_usize..9) {
            let mut other = Stream::new(42, fight, "wall", "attack");
            (0..extra).for_each(|_| { other.word(); });
            prop_assert_eq!(roll(&mut rook(), 20), GOLDEN_FACES[0]);
        }

        #[test]
        fn a_small_die_is_fair_over_equally_spaced_words(sides in 1_u32..=64) {
            let words = sides * 100;
            let step = u32::MAX / words;
            let mut seen = vec![0_u32; sides as usize];
            (0..words).for_each(|n| seen[die(sides, || n * step + 1).unwrap() as usize - 1] += 1);
            prop_assert!(seen.iter().all(|n| n.abs_diff(100) <= 1));
        }
    }

    const GOLDEN_FACES: [u32; 12] = [14, 9, 19, 18, 20, 16, 20, 11, 11, 20, 13, 3];
    const GOLDEN_KEYS: [u32; 7] =
        [0xab3e_7c0b, 0x1a80_b1b3, 0x06df_7608, 0xf388_c135, 0x2f21_abca, 0x3f54_8884, 0xee86_27d1];
    const GOLDEN_SEEDS: [u64; 4] =
        [0xf52a_15e9_a9b5_e89b, 0x85b9_05c3_2e9d_5561, 0xaa4e_71a6_10c9_233b, 0x590f_e03f_9792_a39b];
}
