use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A table with a few values, one of each kind, and a tape of faces.
#[derive(Default)]
struct World {
    values: BTreeMap<&'static str, i64>,
    tape: Vec<u32>,
    drawn: usize,
    read: Vec<&'static str>,
}

struct Words;

const NUMBERS: [&str; 6] = ["x", "y", "rank", "arm_mod", "target.aim", "option.big"];
const ANSWERS: [&str; 4] = ["own_turn", "late", "target has undead", "item has agile"];

fn unknown<T>(name: &str) -> Result<T, UnknownName> {
    Err(UnknownName { message: format!("`{name}` is unknown"), help: Some("did you mean `x`?".to_owned()) })
}

fn find(names: &[&'static str], name: &str) -> Result<&'static str, UnknownName> {
    names.iter().find(|known| **known == name).copied().map_or_else(|| unknown(name), Ok)
}

impl Vocabulary for Words {
    type Slot = &'static str;

    fn name(&self, path: &[&str]) -> Result<(&'static str, ValueType), UnknownName> {
        let name = path.join(".");
        if name == "size" {
            return Ok(("size", ValueType::Name));
        }
        let number = find(&NUMBERS, &name).map(|slot| (slot, ValueType::Number));
        number.or_else(|_| find(&ANSWERS, &name).map(|slot| (slot, ValueType::YesNo)))
    }

    fn has(&self, subject: &[&str], name: &str, _: Option<&str>) -> Result<&'static str, UnknownName> {
        find(&ANSWERS, &format!("{} has {name}", subject.join(".")))
    }

    fn symbol(&self, _: &'static str, name: &str) -> Result<i64, UnknownName> {
        match name {
            "small" => Ok(0),
            "large" => Ok(1),
            _ => unknown(name),
        }
    }

    fn table(&self, name: &str) -> Result<u16, UnknownName> {
        if name == "double" { Ok(2) } else { Err(UnknownName { message: format!("no table `{name}`"), help: None }) }
    }

    fn label(&self, name: &str) -> Result<u16, UnknownName> {
        match name {
            "fire" => Ok(7),
            "cold" => Ok(8),
            _ => unknown(name),
        }
    }
}

impl ValueSource<&'static str> for World {
    type Stop = Fault;

    fn read(&mut self, slot: &'static str) -> Result<i64, Fault> {
        self.read.push(slot);
        Ok(self.values.get(slot).copied().unwrap_or(0))
    }

    fn look_up(&mut self, table: u16, key: i64) -> Result<i64, Fault> {
        Ok(key * i64::from(table))
    }
}

impl DiceSource<&'static str> for World {
    fn face(&mut self, sides: u32) -> Result<u32, Fault> {
        let face = self.tape.get(self.drawn).copied().ok_or_else(|| Fault::new("TAPE", "the tape is at its end"))?;
        assert!((1..=sides).contains(&face), "{face} is not on a d{sides}");
        self.drawn += 1;
        Ok(face)
    }
}

fn world(values: &[(&'static str, i64)], tape: &[u32]) -> World {
    World { values: values.iter().copied().collect(), tape: tape.to_vec(), ..World::default() }
}

fn compiled(text: &str, want: ExpectedType) -> CompiledFormula<&'static str> {
    CompiledFormula::compile(text, &Words, want).unwrap_or_else(|mistakes| panic!("`{text}`: {mistakes:?}"))
}

fn rolled(text: &str, values: &[(&'static str, i64)], tape: &[u32]) -> Result<(i32, Roll), Fault> {
    let (mut table, mut roll) = (world(values, tape), Roll::default());
    let total = compiled(text, ExpectedType::Roll).roll(&mut table, &mut roll)?;
    assert_eq!(table.drawn, tape.len(), "`{text}` leaves faces on the tape");
    Ok((total, roll))
}

fn total(text: &str, tape: &[u32]) -> i32 {
    let total = rolled(text, &[], tape).unwrap().0;
    let printed = compiled(text, ExpectedType::Roll).text().to_owned();
    assert_eq!(rolled(&printed, &[], tape).unwrap().0, total, "`{text}` prints as `{printed}`");
    total
}

fn read(text: &str, want: ExpectedType, values: &[(&'static str, i64)]) -> Result<i32, Fault> {
    compiled(text, want).value(&mut world(values, &[]))
}

/// Codes and underlined texts of all mistakes.
fn mistakes(text: &str, want: ExpectedType) -> Vec<(&'static str, &str)> {
    match CompiledFormula::compile(text, &Words, want) {
        Ok(formula) => panic!("`{text}` compiles to {formula:?}"),
        Err(mistakes) => mistakes.iter().map(|mistake| (mistake.code, &text[mistake.start..mistake.end])).collect(),
    }
}

#[test]
fn field_reports_of_dice_come_out_right() {
    for (text, tape, right) in [
        ("-2d6", &[3, 4][..], -7),     // B01
        ("1d20+-5", &[12], 7),         // B02
        ("1d20--5", &[12], 17),        // B02
        ("-1", &[], -1),               // B02
        ("0d20", &[], 0),              // B04
        ("3+0d6", &[], 3),             // B04
        ("(2-2)d6", &[], 0),           // B04
        ("3d6dh1dl1", &[6, 4, 6], 6),  // B10
        ("1d20kl1+10", &[7], 17),      // B12
        ("2d20kh1+5", &[18, 9], 23),   // B13
        ("5+2d20dl1", &[18, 9], 23),   // B13
        ("2d5ro<3", &[1, 2, 1, 3], 4), // B16
        ("2d5ro<3", &[2, 2, 1, 5], 6), // B16
        ("1d4ro<1", &[3], 3),          // B17
        ("2d6ro<2", &[5, 6], 11),      // B17
        ("4d6*2", &[2, 2, 5, 1], 20),  // B19
        ("1d1+4*10", &[1], 41),        // B19
        ("3-(1d20+5+2)", &[8], -12),   // B20
        ("10-1d6-3", &[1], 6),         // B20
        ("d4+d6", &[2, 5], 7),         // B21
        ("9+2d6", &[1, 2], 12),        // B21
        ("(1d4)d6", &[2, 5, 6], 11),
        ("2d(1d4 + 2)", &[2, 4, 3], 7),
        ("(-2 + 2)d8 - -(1)d4", &[3], 3),
    ] {
        assert_eq!(total(text, tape), right, "{text}");
    }
}

/// Field reports B01, B06, B08, B27.
#[test]
fn dice_out_of_bounds_do_not_load() {
    for (text, code) in [
        ("(-2)d6", "HR0305"),
        ("1d1!", "HR0306"),
        ("3d1!", "HR0306"),
        ("(x)d1!", "HR0306"),
        ("99999999d6", "HR0305"),
        ("15123d123123", "HR0305"),
        ("1001d(x)", "HR0305"),
        ("600d6 + 600d6", "HR0305"),
        ("600d6 + if(own_turn, 1d6, 500d6)", "HR0305"),
        ("1d0", "HR0305"),
        ("1d1000001", "HR0305"),
        ("1d(3 - 3)", "HR0305"),
        ("2d6[ice]", "HR0307"),
    ] {
        let found = mistakes(text, ExpectedType::Roll);
        assert_eq!(found.iter().map(|mistake| mistake.0).collect::<Vec<_>>(), [code], "{text}");
    }
    assert_eq!(mistakes(&"-".repeat(4_000), ExpectedType::Roll)[0].0, "HR0302");
    assert!(CompiledFormula::compile("if(own_turn, 600d6, 600d6)", &Words, ExpectedType::Roll).is_ok());
    assert_eq!(mistakes(&vec!["d2"; 300].join("+"), ExpectedType::Roll)[0].0, "HR0305");
}

#[test]
fn dice_out_of_bounds_at_the_table_draw_nothing() {
    for (text, x, code) in [
        ("(x)d6", -2, "HR0503"),
        ("(x)d6", 1_001, "HR0504"),
        ("(x * x)d6", 4_000_000_000, "HR0501"),
        ("2d(x)", 0, "HR0505"),
        ("2d(x)", 1_000_001, "HR0505"),
        ("2d(x)!", 1, "HR0506"),
        ("2d(x)r<=3", 3, "HR0506"),
    ] {
        let fault = rolled(text, &[("x", x)], &[]).unwrap_err();
        assert_eq!(fault.code, code, "{text}");
        assert!(fault.message.contains('`'), "{fault}");
    }
    let mut table = world(&[("x", 600)], &[1; 600]);
    let twice = compiled("(x)d6 + (x)d6", ExpectedType::Roll).roll(&mut table, &mut Roll::default());
    assert_eq!((twice.unwrap_err().code.as_str(), table.drawn), ("HR0504", 600));
}

#[test]
fn numbers_are_computed_as_the_page_says() {
    for (text, right) in [
        ("1 + 2 * 3 - 4", 3),
        ("7 / 2", 3),
        ("-7 / 2", -4),
        ("7 / -2", -4),
        ("-7 % 3", 2),
        ("7 % -3", -2),
        ("-6 % 3", 0),
        ("2 * 3 / 4 * 2", 2),
        ("div_floor(-7, 2)", -4),
        ("div_ceil(7, 2)", 4),
        ("div_ceil(-7, 2)", -3),
        ("div_ceil(6, 3)", 2),
        ("min(3, 1, 2)", 1),
        ("max(3, 1, 2) + min(4, 5)", 7),
        ("clamp(15, 1, 10)", 10),
        ("clamp(-5, 1, 10)", 1),
        ("clamp(5, 10, 1)", 1),
        ("abs(-3)", 3),
        ("if(1 < 2 and not no, 4, 5)", 4),
        ("if(yes == (2 > 3), 4, 5)", 5),
        ("-2147483648", i32::MIN),
        ("2147483647", i32::MAX),
    ] {
        assert_eq!(compiled(text, ExpectedType::Number).constant(), Some(right), "{text}");
        assert_eq!(total(text, &[]), right, "{text}");
    }
}

#[test]
fn names_tables_and_tags_are_read() {
    let values = [("x", 3), ("target.aim", 15), ("target has undead", 1), ("size", 1)];
    for (text, right) in [
        ("x + target.aim", 18),
        ("double(x + 1)", 8),
        ("(x)", 3),
        ("if(size == large, 1, 2)", 1),
        ("if(small != size, 1, 2)", 1),
        ("if(target has undead and not own_turn, 1, 2)", 1),
        ("if(item has agile, 4, 5)", 5),
        ("if(x >= 3 or late, 1, 0) * 10 - -x", 13),
    ] {
        assert_eq!(read(text, ExpectedType::Number, &values).unwrap(), right, "{text}");
    }
    assert_eq!(read("target has undead and not own_turn", ExpectedType::YesNo, &values), Ok(1));
    assert_eq!(read("x < 3 or size == small", ExpectedType::YesNo, &values), Ok(0));
    let formula = compiled("if(size == large, x, double(y)) + x", ExpectedType::Number);
    assert_eq!(formula.reads().collect::<Vec<_>>(), ["size", "x", "y", "x"]);
    assert_eq!(formula.tables().collect::<Vec<_>>(), [2]);
    assert_eq!((formula.rolls_dice(), formula.constant()), (false, None));
}

#[test]
fn what_is_not_needed_is_neither_read_nor_rolled() {
    for (text, values, reads) in [
        ("own_turn and late", &[][..], &["own_turn"][..]),
        ("own_turn and late", &[("own_turn", 1)], &["own_turn", "late"]),
        ("own_turn or late", &[("own_turn", 1)], &["own_turn"]),
        ("own_turn and late and x > 0 or y > 0", &[("own_turn", 1)], &["own_turn", "late", "y"]),
        ("if(own_turn, x, y) > 0", &[], &["own_turn", "y"]),
        ("not (own_turn and late)", &[], &["own_turn"]),
        ("no and x > 0", &[], &[]),
    ] {
        let mut table = world(values, &[]);
        compiled(text, ExpectedType::YesNo).value(&mut table).unwrap();
        assert_eq!(table.read, reads, "{text}");
    }
    assert_eq!(rolled("if(own_turn, 1d6, 2d8) + d4", &[("own_turn", 1)], &[5, 2]).unwrap().0, 7);
    assert_eq!(rolled("if(x > 0 and 1d20 > 10, 3, 4)", &[], &[]).unwrap().0, 4);
    assert_eq!(rolled("if(x / y > 1, 1, 2)", &[("y", 1)], &[]).unwrap().0, 2);
    assert_eq!(rolled("if(y != 0 and x / y > 1, 1, 2)", &[], &[]).unwrap().0, 2);
}

#[test]
fn jumps_end_where_folding_begins() {
    for (text, own_turn, right) in [
        ("if(own_turn, 1, 2) + 3", 1, 4),
        ("if(own_turn, 1, 2) + 3", 0, 5),
        ("-if(own_turn, 1, 2) * 3", 0, -6),
        ("3 - if(own_turn, 1 + 1, 2 * 2) * 2", 1, -1),
        ("if(not (own_turn or no), 1, 2)", 0, 1),
        ("if(own_turn, 2, 0) / 1", 1, 2),
        ("max(1, if(own_turn, 5, 0))", 1, 5),
    ] {
        assert_eq!(read(text, ExpectedType::Number, &[("own_turn", own_turn)]).unwrap(), right, "{text}");
    }
    assert_eq!(rolled("(if(own_turn, 2, 1))d6", &[], &[4]).unwrap().0, 4);
}

#[test]
fn labelled_terms_are_told_apart() {
    let part = |label, amount| crate::dice::RollPart { label, amount };
    for (text, tape, parts) in [
        ("2d6 + 3", &[1, 2][..], &[part(None, 6)][..]),
        ("2d6[fire] + 1d4[cold] + 3", &[1, 2, 4], &[part(Some(7), 3), part(Some(8), 4), part(None, 3)]),
        ("1 + x - 2d4[cold] - 5", &[1, 2], &[part(None, 1), part(Some(8), -3), part(None, -5)]),
        ("2 * d6[fire]", &[3], &[part(Some(7), 6)]),
        ("d6[fire] + d6[fire]", &[3, 4], &[part(Some(7), 3), part(Some(7), 4)]),
        ("4[fire]", &[], &[part(Some(7), 4)]),
    ] {
        let (total, roll) = rolled(text, &[], tape).unwrap();
        assert_eq!(roll.parts.as_slice(), parts, "{text}");
        assert_eq!(roll.total, total);
        assert_eq!(parts.iter().map(|part| part.amount).sum::<i32>(), total, "{text}");
    }
}

#[test]
fn a_roll_can_be_used_again() {
    let (mut roll, mut table) = (Roll::default(), world(&[], &[20, 3, 4]));
    compiled("1d20[fire]", ExpectedType::Roll).roll(&mut table, &mut roll).unwrap();
    assert_eq!((roll.natural(), roll.total), (Some(20), 20));
    compiled("2d6", ExpectedType::Roll).roll(&mut table, &mut roll).unwrap();
    assert_eq!((roll.natural(), roll.total, roll.faces.len(), roll.parts.len()), (None, 7, 2, 1));
    assert_eq!(rolled("1d20 + 2d6kh1", &[], &[1, 6, 6]).unwrap().1.natural(), Some(1));
    let terms: Vec<u8> = rolled("1d20 + 2d6", &[], &[1, 6, 6]).unwrap().1.faces.iter().map(|face| face.term).collect();
    assert_eq!(terms, [0, 1, 1]);
}

#[test]
fn what_leaves_the_range_is_a_fault() {
    let most = i64::from(i32::MAX);
    for (text, x, code) in [
        ("x + 1", most, "HR0501"),
        ("x * x * x", most, "HR0501"),
        ("-x", i64::MIN, "HR0501"),
        ("abs(x)", i64::MIN, "HR0501"),
        ("x / -1", i64::MIN, "HR0501"),
        ("x % -1", i64::MIN, "HR0501"),
        ("div_ceil(x, -1)", i64::MIN, "HR0501"),
        ("1 / x", 0, "HR0502"),
        ("1 % x", 0, "HR0502"),
        ("div_ceil(1, x)", 0, "HR0502"),
    ] {
        let fault = read(text, ExpectedType::Number, &[("x", x)]).unwrap_err();
        assert_eq!(fault.code, code, "{text}");
        assert!(fault.message.contains(&format!("`{}`", compiled(text, ExpectedType::Number).text())), "{fault}");
    }
    assert_eq!(read("x * x / x", ExpectedType::Number, &[("x", most)]), Ok(i32::MAX));
    assert_eq!(rolled("x[fire] - 1", &[("x", most + 1)], &[]).unwrap_err().code, "HR0501");
    assert_eq!(rolled("d6[fire] + x + x", &[("x", most)], &[1]).unwrap_err().code, "HR0501");
}

#[test]
fn kinds_are_checked_and_every_mistake_is_told() {
    for (text, want, found) in [
        ("own_turn", ExpectedType::Number, &[("HR0308", "own_turn")][..]),
        ("x", ExpectedType::YesNo, &[("HR0308", "x")]),
        ("size", ExpectedType::Number, &[("HR0308", "size")]),
        ("1 + own_turn * 2", ExpectedType::Number, &[("HR0308", "own_turn")]),
        ("x and own_turn or y", ExpectedType::YesNo, &[("HR0308", "x"), ("HR0308", "y")]),
        ("not x", ExpectedType::YesNo, &[("HR0308", "x")]),
        ("-late", ExpectedType::Number, &[("HR0308", "late")]),
        ("own_turn < late", ExpectedType::YesNo, &[("HR0308", "own_turn"), ("HR0308", "late")]),
        ("own_turn == 1", ExpectedType::YesNo, &[("HR0308", "1")]),
        ("x == yes", ExpectedType::YesNo, &[("HR0308", "yes")]),
        ("if(x, 1, 2)", ExpectedType::Number, &[("HR0308", "x")]),
        ("if(late, 1, yes)", ExpectedType::Number, &[("HR0308", "yes")]),
        (
            "if(late, size, size) == if(late, size, size)",
            ExpectedType::YesNo,
            &[("HR0308", "if(late, size, size)"), ("HR0308", "if(late, size, size)")],
        ),
        ("size < large", ExpectedType::YesNo, &[("HR0308", "size < large")]),
        ("size == 3", ExpectedType::YesNo, &[("HR0308", "3")]),
        ("size == target.aim", ExpectedType::YesNo, &[("HR0308", "target.aim")]),
        ("size == huge", ExpectedType::YesNo, &[("HR0307", "huge")]),
        ("large", ExpectedType::Number, &[("HR0307", "large")]),
        ("foo + bar.baz * x", ExpectedType::Number, &[("HR0307", "foo"), ("HR0307", "bar.baz")]),
        ("foo == own_turn", ExpectedType::YesNo, &[("HR0307", "foo")]),
        ("target has scales", ExpectedType::YesNo, &[("HR0307", "target has scales")]),
        ("doubel(3)", ExpectedType::Number, &[("HR0307", "doubel")]),
        ("double(1, 2)", ExpectedType::Number, &[("HR0309", "double(1, 2)")]),
        ("max(1)", ExpectedType::Number, &[("HR0309", "max(1)")]),
        ("if(late, 1)", ExpectedType::Number, &[("HR0309", "if(late, 1)")]),
        ("abs()", ExpectedType::Number, &[("HR0309", "abs()")]),
        ("2d6 + foo", ExpectedType::Number, &[("HR0310", "2d6"), ("HR0307", "foo")]),
        ("1d20 > 3", ExpectedType::YesNo, &[("HR0310", "1d20")]),
        ("3[fire]", ExpectedType::Number, &[("HR0310", "fire")]),
        ("1d20 > 3", ExpectedType::Roll, &[("HR0308", "1d20 > 3")]),
        ("(own_turn)d6", ExpectedType::Roll, &[("HR0308", "own_turn")]),
        ("x / 0", ExpectedType::Number, &[("HR0311", "0")]),
        ("1 + 4 % (2 - 2)", ExpectedType::Number, &[("HR0311", "2 - 2")]),
        ("if(late, 1 / 0, 2)", ExpectedType::Number, &[("HR0311", "0")]),
        ("2147483647 + 1", ExpectedType::Number, &[("HR0311", "2147483647 + 1")]),
        ("2147483647 * 2147483647 * 2147483647", ExpectedType::Number, &[("HR0311", "2147483647")]),
    ] {
        assert_eq!(mistakes(text, want), found, "{text}");
    }
}

#[test]
fn a_mistake_in_a_name_carries_the_vocabularys_help() {
    let help =
        |text| CompiledFormula::compile(text, &Words, ExpectedType::Number).unwrap_err()[0].help.clone().unwrap();
    assert_eq!(help("foo"), "did you mean `x`?");
    assert_eq!(help("mxa(1, 2)"), "did you mean `max`?");
}

#[test]
fn the_deepest_formula_fits_a_small_stack() {
    let text = "if(no or yes and 1 == 1 + 1 * (".repeat(32) + "1" + &"), 1, 2)".repeat(32);
    let stack = if cfg!(debug_assertions) { 1024 } else { 256 } * 1024;
    let run = move || compiled(&text, ExpectedType::Number).constant();
    let constant = std::thread::Builder::new().stack_size(stack).spawn(run).unwrap().join().unwrap();
    assert!(constant.is_some());
}

/// Expressions of numbers as text, and what they come to with `x` = 5 and all
/// dice showing 3.
fn arithmetic() -> impl Strategy<Value = (String, Option<i64>)> {
    let leaf = prop_oneof![
        (0..20_i64).prop_map(|number| (number.to_string(), Some(number))),
        Just(("x".to_owned(), Some(5))),
        (0..5_i64).prop_map(|count| (format!("{count}d6"), Some(count * 3))),
    ];
    leaf.prop_recursive(6, 40, 3, |inner| {
        let two = (inner.clone(), inner.clone(), 0..7_usize);
        prop_oneof![
            inner.prop_map(|(text, value)| (format!("-({text})"), value.map(|value| -value))),
            two.prop_map(|((left, a), (right, b), kind)| {
                let both = a.zip(b);
                match kind {
                    0 => (format!("({left}) + ({right})"), both.map(|(a, b)| a + b)),
                    1 => (format!("({left}) - ({right})"), both.map(|(a, b)| a - b)),
                    2 => (format!("({left}) * ({right})"), both.map(|(a, b)| a * b)),
                    3 => (format!("({left}) / (1 + abs({right}))"), both.map(|(a, b)| a.div_euclid(1 + b.abs()))),
                    4 => (format!("({left}) % (1 + abs({right}))"), both.map(|(a, b)| a.rem_euclid(1 + b.abs()))),
                    5 => (format!("max({left}, {right})"), both.map(|(a, b)| a.max(b))),
                    _ => (format!("if(({left}) > ({right}), {left}, {right})"), both.map(|(a, b)| a.max(b))),
                }
            }),
        ]
    })
}

struct Threes;

impl ValueSource<&'static str> for Threes {
    type Stop = Fault;

    fn read(&mut self, _: &'static str) -> Result<i64, Fault> {
        Ok(5)
    }

    fn look_up(&mut self, _: u16, key: i64) -> Result<i64, Fault> {
        Ok(key)
    }
}

impl DiceSource<&'static str> for Threes {
    fn face(&mut self, _: u32) -> Result<u32, Fault> {
        Ok(3)
    }
}

proptest! {
    #[test]
    fn what_is_printed_reads_back_and_comes_to_the_same((text, value) in arithmetic()) {
        prop_assume!(text.len() <= 4_000);
        let roll = |text: &str| CompiledFormula::compile(text, &Words, ExpectedType::Roll).map(|formula| {
            let result = formula.roll(&mut Threes, &mut Roll::default()).map_err(|fault| fault.code);
            (result, formula.text().to_owned())
        });
        let Ok((result, printed)) = roll(&text) else { return Ok(()) };
        if let (Ok(result), Some(value)) = (&result, value) {
            prop_assert_eq!(i64::from(*result), value, "{}", text);
        }
        prop_assert_eq!(roll(&printed), Ok((result, printed.clone())), "{}", text);
    }

    #[test]
    fn jumbles_compile_or_are_refused(words in prop::collection::vec(prop::sample::select(JUMBLE), 0..16), want in 0..3_usize) {
        let want = [ExpectedType::Number, ExpectedType::YesNo, ExpectedType::Roll][want];
        if let Ok(formula) = CompiledFormula::compile(&words.join(" "), &Words, want) {
            let mut roll = Roll::default();
            let _ = formula.value(&mut Threes);
            if formula.roll(&mut Threes, &mut roll).is_ok() {
                prop_assert_eq!(roll.parts.iter().map(|part| part.amount).sum::<i32>(), roll.total);
            }
        }
    }
}

const JUMBLE: &[&str] = &[
    "1",
    "0",
    "7",
    "x",
    "y",
    "own_turn",
    "late",
    "yes",
    "no",
    "size",
    "large",
    "2d6",
    "d8!",
    "(x)d6",
    "4d6kh3",
    "+",
    "-",
    "*",
    "/",
    "%",
    "==",
    "<",
    ">=",
    "and",
    "or",
    "not",
    "(",
    ")",
    "target has undead",
    "max(",
    "if(",
    ",",
    "abs(",
    "double(",
    "[fire]",
];

#[test]
fn eight_dice_fit_the_record_itself() {
    let roll = rolled("8d6[fire] + 1[cold]", &[], &[1; 8]).unwrap().1;
    assert!(!roll.faces.spilled() && !roll.parts.spilled());
}
