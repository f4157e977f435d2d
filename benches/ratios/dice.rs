//! Dice: a die, a fresh stream, a roll with its record, a parse.

use crate::Case;
use houserule::Fault;
use houserule::kernel::dice::Roll;
use houserule::kernel::formula::{
    CompiledFormula, DiceSource, ExpectedType, UnknownName, ValueSource, ValueType, Vocabulary,
};
use houserule::kernel::philox::{Cell, die, name_key, seed_key};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng};
use std::hint::black_box;

struct NoWords;

impl Vocabulary for NoWords {
    type Slot = u8;

    fn name(&self, path: &[&str]) -> Result<(u8, ValueType), UnknownName> {
        Err(UnknownName { message: path.join("."), help: None })
    }

    fn has(&self, _: &[&str], name: &str, _: Option<&str>) -> Result<u8, UnknownName> {
        Err(UnknownName { message: name.to_owned(), help: None })
    }

    fn symbol(&self, _: u8, name: &str) -> Result<i64, UnknownName> {
        Err(UnknownName { message: name.to_owned(), help: None })
    }

    fn table(&self, name: &str) -> Result<u16, UnknownName> {
        Err(UnknownName { message: name.to_owned(), help: None })
    }

    fn label(&self, name: &str) -> Result<u16, UnknownName> {
        Err(UnknownName { message: name.to_owned(), help: None })
    }
}

struct Dice(SmallRng);

impl ValueSource<u8> for Dice {
    type Stop = Fault;

    fn read(&mut self, _: u8) -> Result<i64, Fault> {
        Ok(0)
    }

    fn look_up(&mut self, _: u16, _: i64) -> Result<i64, Fault> {
        Ok(0)
    }
}

impl DiceSource<u8> for Dice {
    fn face(&mut self, sides: u32) -> Result<u32, Fault> {
        Ok(self.0.random_range(1..=sides))
    }
}

fn plain(rng: &mut SmallRng, count: u32, sides: u32) -> u32 {
    (0..count).map(|_| rng.random_range(1..=sides)).sum()
}

fn keep_three_of_four(rng: &mut SmallRng) -> u32 {
    let faces: [u32; 4] = std::array::from_fn(|_| rng.random_range(1..=6));
    faces.iter().sum::<u32>() - faces.iter().min().copied().unwrap_or(0)
}

fn exploding(rng: &mut SmallRng) -> u32 {
    let (mut left, mut total) = (10, 0);
    while left > 0 {
        let face: u32 = rng.random_range(1..=6);
        total += face;
        left -= u32::from(face != 6);
    }
    total
}

fn roll(name: &'static str, goal: u64, text: &str, mut native: impl FnMut(&mut SmallRng) -> u32 + 'static) -> Case {
    let formula =
        CompiledFormula::compile(text, &NoWords, ExpectedType::Roll).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let (mut dice, mut rng) = (Dice(SmallRng::seed_from_u64(7)), SmallRng::seed_from_u64(7));
    let mut roll = Roll::default();
    Case {
        name,
        goal,
        deeds: 1,
        ours: Box::new(move || {
            let _ = black_box(formula.roll(&mut dice, &mut roll));
        }),
        baseline: Box::new(move || {
            black_box(native(&mut rng));
        }),
    }
}

fn draw() -> Case {
    let (key, stream) = (seed_key(7), name_key("attack"));
    let (mut cell, mut rng) = (Cell::new(), SmallRng::seed_from_u64(7));
    Case {
        name: "1  a die, sides known at run time / SmallRng range",
        goal: 150,
        deeds: 1,
        ours: Box::new(move || {
            black_box(die(black_box(20), || cell.word(key, 0, 9, stream)));
        }),
        baseline: Box::new(move || {
            black_box(rng.random_range(1..=black_box(20_u32)));
        }),
    }
}

fn fresh_stream() -> Case {
    let (key, stream) = (seed_key(7), name_key("attack"));
    let (mut cell, mut entity) = (Cell::new(), 0_u32);
    Case {
        name: "2  a d20 of a fresh stream / the next of a running one",
        goal: 800,
        deeds: 1,
        ours: Box::new(move || {
            entity = entity.wrapping_add(1);
            let mut fresh = Cell::new();
            black_box(die(20, || fresh.word(key, 0, entity, stream)));
        }),
        baseline: Box::new(move || {
            black_box(die(20, || cell.word(key, 0, 9, stream)));
        }),
    }
}

fn parse() -> Case {
    Case {
        name: "4  parse `1d20+7` / 150 ns is the goal (baseline: a die)",
        goal: 10_000,
        deeds: 1,
        ours: Box::new(|| {
            black_box(houserule::kernel::expression::parse(black_box("1d20+7")).is_ok());
        }),
        baseline: {
            let mut rng = SmallRng::seed_from_u64(7);
            Box::new(move || {
                black_box(rng.random_range(1..=black_box(20_u32)));
            })
        },
    }
}

/// The cases of this room.
pub fn cases() -> Vec<Case> {
    vec![
        draw(),
        fresh_stream(),
        roll("3  roll 1d20+7 with its record / native", 300, "1d20+7", |rng| plain(rng, 1, 20) + 7),
        roll("3  roll 4d6kh3", 300, "4d6kh3", keep_three_of_four),
        roll("3  roll 8d6", 300, "8d6", |rng| plain(rng, 8, 6)),
        roll("3  roll 10d6!", 300, "10d6!", exploding),
        roll("3  roll (2d6+3)*2", 300, "(2d6+3)*2", |rng| (plain(rng, 2, 6) + 3) * 2),
        parse(),
    ]
}
