use super::*;
use crate::expression::{ExprKind, parse};
use proptest::prelude::*;

/// The rules, count and sides of one dice term.
fn term(text: &str) -> (TermRules, TermRoll) {
    let expr = parse(text).unwrap();
    let ExprKind::Dice(dice) = &expr.root().what else { panic!("`{text}` is not one dice term") };
    let fixed = |amount: &crate::expression::DiceNumber| match amount {
        crate::expression::DiceNumber::Fixed(number) => u32::try_from(*number).unwrap(),
        crate::expression::DiceNumber::Computed(_) => panic!("computed"),
    };
    (
        TermRules::new(&dice.suffixes, dice.fudge),
        TermRoll { term: 0, count: fixed(&dice.count), sides: fixed(&dice.sides) },
    )
}

/// Throws a term with the faces of a tape, all of which must be drawn.
fn thrown(text: &str, tape: &[u32]) -> (i64, Roll) {
    let ((rules, toss), mut roll) = (term(text), Roll::default());
    let mut faces = tape.iter().copied();
    let value = rules.throw(toss, &mut roll, |_| faces.next().ok_or("the tape is at its end")).unwrap();
    assert_eq!(faces.next(), None, "{text} leaves faces on the tape");
    (value, roll)
}

fn endless(text: &str) -> bool {
    let (rules, toss) = term(text);
    rules.sides(i64::from(toss.sides)) == Err(InvalidTerm::Endless)
}

#[test]
fn suffixes_give_the_values_told_at_the_table() {
    for (text, tape, value) in [
        ("2d6", &[3, 4][..], 7),
        ("0d6", &[], 0),
        ("4dF", &[1, 2, 3, 3], 1),
        ("4d6kh3", &[2, 6, 1, 5], 13),
        ("4d6dl1", &[2, 6, 1, 5], 13),
        ("2d20kl1", &[18, 9], 9),
        ("3d6dh1dl1", &[6, 4, 6], 6),
        ("1d20kl1", &[7], 7),
        ("2d6kh5", &[2, 3], 5),
        ("2d6dh5", &[2, 3], 0),
        ("4d6kh3kl1", &[1, 4, 6, 5], 4),
        ("2d5ro<3", &[1, 2, 1, 3], 4),
        ("2d5ro<3", &[2, 2, 1, 5], 6),
        ("1d4ro<1", &[3], 3),
        ("2d6ro<2", &[5, 6], 11),
        ("3d6r<2", &[1, 3, 1, 1, 5, 2], 10),
        ("2d6!", &[6, 2, 6, 1], 15),
        ("2d6!>=5", &[5, 2, 6, 3], 16),
        ("2d6r1!", &[1, 6, 6, 2, 1, 4], 18),
        ("3d6min3", &[1, 2, 5], 11),
        ("3d6max4", &[1, 2, 5], 7),
        ("2d6min4kh1", &[1, 3], 4),
        ("5d10cs>=8", &[8, 10, 1, 7, 9], 3),
        ("5d10cs>=8cf1", &[8, 1, 1, 7, 1], -2),
        ("3d10cf<=2", &[1, 2, 3], -2),
    ] {
        assert_eq!(thrown(text, tape).0, value, "{text} {tape:?}");
    }
}

#[test]
fn every_face_is_recorded_with_its_fate() {
    let roll = thrown("3d6r1!dl1", &[1, 6, 3, 2, 4]).1;
    let told: Vec<_> = roll.faces.iter().map(|face| (face.face, face.fate, face.origin, face.exploded)).collect();
    assert_eq!(
        told,
        [
            (1, FaceStatus::Rerolled, FaceOrigin::Throw, false),
            (6, FaceStatus::Kept, FaceOrigin::Throw, true),
            (3, FaceStatus::Kept, FaceOrigin::Throw, false),
            (2, FaceStatus::Dropped, FaceOrigin::Reroll, false),
            (4, FaceStatus::Kept, FaceOrigin::Explosion, false),
        ]
    );
}

#[test]
fn of_equal_dice_the_one_drawn_last_is_dropped() {
    for text in ["3d6kh1", "3d6kl1", "3d6dh2", "3d6dl2"] {
        let fates: Vec<_> = thrown(text, &[4, 4, 4]).1.faces.iter().map(|face| face.fate).collect();
        assert_eq!(fates, [FaceStatus::Kept, FaceStatus::Dropped, FaceStatus::Dropped], "{text}");
    }
}

/// Field report B23.
#[test]
fn the_natural_roll_is_the_one_die_that_was_kept() {
    assert_eq!(thrown("1d20ro<=1", &[1, 20]).1.natural(), Some(20));
    assert_eq!(thrown("2d20kh1", &[1, 20]).1.natural(), Some(20));
    assert_eq!(thrown("2d20kl1", &[1, 20]).1.natural(), Some(1));
    assert_eq!(thrown("2d20", &[1, 20]).1.natural(), None);
    assert_eq!(thrown("1d20dh1", &[20]).1.natural(), None);
    assert_eq!(thrown("0d20", &[]).1.natural(), None);
}

/// Field report B06.
#[test]
fn dice_that_never_rest_are_known_without_a_throw() {
    for text in ["1d1!", "3d1!", "2d6!<=6", "1d6r>=1", "1d2r1!", "1d1ro1!", "4dF!>=-1", "1d6r<4!>3"] {
        assert!(endless(text), "{text}");
    }
    for text in ["1d2!", "1d1ro1", "1d6r!=3", "1d6r<3!>3", "4dF!", "1d1!2", "1d1000000r!=500000", "1d2ro1!2"] {
        assert!(!endless(text), "{text}");
    }
}

#[test]
fn explosions_stop_at_their_cap_and_say_so() {
    let ((rules, toss), mut roll) = (term("2d6!"), Roll::default());
    let value = rules.throw(toss, &mut roll, |_| Ok::<_, ()>(6)).unwrap();
    assert_eq!((value, roll.faces.len(), roll.capped), (6 * 102, 102, true));
    roll.clear();
    assert!(!roll.capped && roll.faces.is_empty());
}

#[test]
fn bounds_are_checked_without_a_throw() {
    assert_eq!(count(-2, 0), Err(InvalidTerm::NegativeCount(-2)));
    assert_eq!(count(MAX_DICE, 0), Ok(1_000));
    assert_eq!(count(MAX_DICE + 1, 0), Err(InvalidTerm::TooManyDice(1_001)));
    assert_eq!(count(600, 600), Err(InvalidTerm::TooManyDice(1_200)));
    assert_eq!(count(i64::MAX, i64::MAX), Err(InvalidTerm::TooManyDice(i64::MAX)));
    for sides in [0, -1, MAX_SIDES + 1, i64::MIN, i64::MAX] {
        assert_eq!(TermRules::default().sides(sides), Err(InvalidTerm::NoSuchDie(sides)));
    }
    assert_eq!(TermRules::default().sides(MAX_SIDES), Ok(1_000_000));
}

#[test]
fn a_failing_draw_ends_the_throw() {
    let ((rules, toss), mut roll) = (term("3d6!"), Roll::default());
    let mut left = 2;
    let result = rules.throw(toss, &mut roll, |_| {
        left -= 1;
        if left < 0 { Err("no more") } else { Ok(3) }
    });
    assert_eq!((result, roll.faces.len()), (Err("no more"), 2));
}

#[test]
fn a_roll_survives_its_record() {
    let roll = thrown("4d6kh3", &[2, 6, 1, 5]).1;
    let stored = serde_json::to_string(&roll).unwrap();
    assert_eq!(serde_json::from_str::<Roll>(&stored).unwrap(), roll);
}

/// A foolish evaluator: (reroll below, once), explode from, min, (drop high,
/// drop low, keep high), successes from.
type Foolish = (Option<(i64, bool)>, Option<i64>, Option<i64>, (usize, usize, Option<usize>), Option<i64>);

fn foolish(count: usize, (reroll, explode, min, (dh, dl, kh), cs): Foolish, mut draw: impl FnMut() -> i64) -> i64 {
    let mut line: Vec<(i64, bool, bool)> = (0..count).map(|_| (draw(), true, false)).collect();
    let (mut at, mut extra) = (0, 0);
    while at < line.len() && extra < 100 {
        let (face, _, came_by_reroll) = line[at];
        let again = reroll.is_some_and(|(below, once)| face < below && !(once && came_by_reroll));
        if again || explode.is_some_and(|from| face >= from) {
            line[at].1 = !again;
            line.push((draw(), true, again));
            extra += 1;
        }
        at += 1;
    }
    let mut values: Vec<i64> = line.iter().filter(|die| die.1).map(|die| die.0.max(min.unwrap_or(0))).collect();
    values.sort_unstable();
    values.truncate(values.len().saturating_sub(dh));
    values.drain(..dl.min(values.len()));
    values.drain(..values.len().saturating_sub(kh.unwrap_or(usize::MAX)));
    cs.map_or(values.iter().sum(), |from| values.iter().filter(|value| **value >= from).count() as i64)
}

proptest! {
    #[test]
    fn dice_agree_with_a_foolish_evaluator(
        count in 0..30_usize,
        sides in 2..12_i64,
        reroll in prop::option::of((1..4_i64, any::<bool>())),
        explode in prop::option::of(4..13_i64),
        min in prop::option::of(1..6_i64),
        drops in (0..4_usize, 0..4_usize, prop::option::of(0..6_usize)),
        cs in prop::option::of(1..8_i64),
        seed in any::<u64>(),
    ) {
        let mut text = format!("{count}d{sides}dl{}dh{}", drops.1, drops.0);
        drops.2.iter().for_each(|kh| text += &format!("kh{kh}"));
        cs.iter().for_each(|cs| text += &format!("cs>={cs}"));
        min.iter().for_each(|min| text += &format!("min{min}"));
        explode.iter().for_each(|from| text += &format!("!>={from}"));
        reroll.iter().for_each(|(below, once)| text += &format!("{}<{below}", if *once { "ro" } else { "r" }));
        prop_assume!(!endless(&text));
        let dice = |mut state: u64| move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            1 + ((state >> 33) % sides as u64) as i64
        };
        let ((rules, toss), mut roll, mut draw) = (term(&text), Roll::default(), dice(seed));
        let value = rules.throw(toss, &mut roll, |_| Ok::<_, ()>(draw() as u32)).unwrap();
        prop_assert_eq!(value, foolish(count, (reroll, explode, min, drops, cs), dice(seed)), "{}", text);
    }
}
