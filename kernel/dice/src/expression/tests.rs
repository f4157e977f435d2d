use super::{MAX_DEPTH, MAX_TEXT, ParseError, parse};
use crate::error::Span;
use proptest::prelude::*;

fn canonical(text: &str) -> String {
    match parse(text) {
        Ok(expr) => expr.to_string(),
        Err(mistake) => panic!("`{text}`: {mistake:?}"),
    }
}

fn refused(text: &str) -> ParseError {
    match parse(text) {
        Err(mistake) => mistake,
        Ok(expr) => panic!("`{text}` was read as `{expr}`"),
    }
}

/// The code of the first mistake and the text it underlines.
fn underlined(text: &str) -> (&'static str, &str) {
    let mistake = refused(text);
    (mistake.code, &text[mistake.start..mistake.end])
}

#[test]
fn one_spelling_comes_out_of_many() {
    for (written, printed) in [
        ("1", "1"),
        ("  1+2 * 3", "1 + 2 * 3"),
        ("(1+2)*3", "(1 + 2) * 3"),
        ("((1)) - (2 - 3)", "1 - (2 - 3)"),
        ("(1 - 2) - 3", "1 - 2 - 3"),
        ("10 - 1d6 - 3", "10 - 1d6 - 3"),
        ("2 / (3 / 4) % 5", "2 / (3 / 4) % 5"),
        ("--5", "--5"),
        ("-(a + b)", "-(a + b)"),
        ("1d20+-5", "1d20 + -5"),
        ("1d20--5", "1d20 - -5"),
        ("d8", "1d8"),
        ("d%", "1d100"),
        ("4dFkh3", "4dFkh3"),
        ("(2)d6", "(2)d6"),
        ("(7+rank-6)d8", "(7 + rank - 6)d8"),
        ("2d( x )!", "2d(x)!"),
        ("3d6dl1dh1", "3d6dh1dl1"),
        ("4d6khr1!>=5min2", "4d6r==1!>=5min2kh1"),
        ("10d10cf=1cs>=8", "10d10cs>=8cf==1"),
        ("2d6!6", "2d6!6"),
        ("4dFr<=-1", "4dFr<=-1"),
        ("a and b or c and not d.e", "a and b or c and not d.e"),
        ("a and (b or c)", "a and (b or c)"),
        ("not (a and b)", "not (a and b)"),
        ("not a == b", "not a == b"),
        ("(not a) == b", "(not a) == b"),
        ("(a < b) == (c<e)", "(a < b) == (c < e)"),
        ("target has undead and not own_turn", "target has undead and not own_turn"),
        ("if(item has agile,4,5)", "if(item has agile, 4, 5)"),
        ("max ( a,b , 3)", "max(a, b, 3)"),
        ("2d6[fire]+1d4 [cold] - 3", "2d6[fire] + 1d4[cold] - 3"),
        ("2*2d6[fire]", "2 * 2d6[fire]"),
        ("(2d6 + 3)[fire] + 1", "(2d6 + 3)[fire] + 1"),
        ("2d6 != 7", "2d6 != 7"),
        ("x+yes", "x + yes"),
    ] {
        assert_eq!(canonical(written), printed, "{written}");
        assert_eq!(canonical(printed), printed, "{printed}");
    }
}

#[test]
fn a_mistake_is_underlined_where_it_stands() {
    for (text, code, place) in [
        ("", "HR0301", ""),
        ("1 +", "HR0301", ""),
        ("(1 + 2", "HR0301", "("),
        ("1 + 2)", "HR0301", ")"),
        ("max(1, 2", "HR0301", "("),
        ("max(1,)", "HR0301", ")"),
        ("1 2", "HR0301", "2"),
        ("a b", "HR0301", "b"),
        ("a = b", "HR0301", "="),
        ("a && b", "HR0301", "&"),
        ("!a", "HR0301", "!"),
        ("1 + ü", "HR0301", "ü"),
        ("1.5", "HR0301", "1.5"),
        ("2D6", "HR0301", "2D6"),
        ("5x", "HR0301", "5x"),
        ("2 d6", "HR0301", "d6"),
        ("(a) d6", "HR0301", "d6"),
        ("level d6", "HR0301", "d6"),
        ("d", "HR0301", "d"),
        ("a..b", "HR0301", "a..b"),
        ("a.1", "HR0301", "a.1"),
        ("a < b < c", "HR0301", "<"),
        ("a < max(b, c) < d", "HR0301", "<"),
        ("a has b has c", "HR0301", "has"),
        ("1 has undead", "HR0301", "1"),
        ("has undead", "HR0301", "has"),
        ("target has 3", "HR0301", "3"),
        ("1 + not a", "HR0301", "not"),
        ("(2d6[fire] + 1) * 2", "HR0301", "["),
        ("2d6[fire] > 3", "HR0301", "fire"),
        ("max(2d6[fire], 1)", "HR0301", "["),
        ("2d6[3]", "HR0301", "3"),
        ("2d6[fire", "HR0301", ""),
        ("99999999999d6", "HR0303", "99999999999"),
        ("4d6kh99999999999", "HR0303", "99999999999"),
        ("4d6 kh3", "HR0301", "kh3"),
        ("4d6kx3", "HR0304", "kx3"),
        ("4d6t7", "HR0304", "t7"),
        ("2d6d8", "HR0304", "d8"),
        ("d%3", "HR0304", "3"),
        ("d20_bonus", "HR0304", "_bonus"),
        ("2d6.5", "HR0304", ".5"),
        ("2d6r", "HR0304", "r"),
        ("2d6!>", "HR0304", "!>"),
        ("2d6!!", "HR0304", "!!"),
        ("2d6!=7", "HR0304", "!="),
        ("2d6min", "HR0304", "min"),
        ("4d6kh3kh2", "HR0304", "kh2"),
        ("4d6r1ro2", "HR0304", "ro2"),
        ("4d6min4max3", "HR0304", "max3"),
        ("2d()", "HR0301", ")"),
    ] {
        assert_eq!(underlined(text), (code, place), "{text}");
    }
}

#[test]
fn a_mistake_shows_a_way_out() {
    assert_eq!(refused("4d6hk3").help.unwrap(), "did you mean `kh`?");
    assert!(refused("a = b").help.unwrap().contains("`==`"));
    assert!(refused("4d6 kh3").help.unwrap().contains("without blanks"));
    assert!(refused("level d6").help.unwrap().contains("(count)d6"));
    assert!(refused("2d6!=7").help.unwrap().contains("blanks to compare"));
}

#[test]
fn a_mistake_points_into_the_string_it_stands_in() {
    let span = Span { file: 3, start: 100, end: 107 };
    let problem = refused("1 + 2D6").at(span);
    assert_eq!((problem.code, problem.span), ("HR0301", Span { file: 3, start: 104, end: 107 }));
    assert!(problem.help.is_some());
}

/// Field report B27.
#[test]
fn deep_texts_are_refused_without_deep_recursion() {
    for text in [
        format!("{}1{}", "(".repeat(10_000), ")".repeat(10_000)),
        "-".repeat(30_000) + "1",
        "(".repeat(4_000),
        "-".repeat(4_000) + "1",
        "not ".repeat(1_000) + "yes",
        "max(1,".repeat(600),
        "d(".repeat(2_000),
        "1d(2)+(".repeat(500),
    ] {
        assert_eq!(refused(&text).code, "HR0302");
    }
}

#[test]
fn the_bounds_of_length_and_depth_are_exact() {
    let deep = |depth: usize| "(".repeat(depth) + "1" + &")".repeat(depth);
    assert!(parse(&deep(MAX_DEPTH as usize)).is_ok());
    assert_eq!(refused(&deep(MAX_DEPTH as usize + 1)).code, "HR0302");
    assert!(parse(&format!("{:>MAX_TEXT$}", 1)).is_ok());
    assert_eq!(refused(&format!("{:>1$}", 1, MAX_TEXT + 1)).code, "HR0302");
    assert_eq!(canonical("2147483648"), "2147483648");
    assert_eq!(refused("2147483649").code, "HR0303");
}

#[test]
fn a_long_sum_is_wide_and_not_deep() {
    let sum = vec!["1"; 2_000].join("+");
    assert_eq!(canonical(&sum), sum.replace('+', " + "));
}

#[test]
fn the_deepest_expression_fits_a_small_stack() {
    let depth = MAX_DEPTH as usize;
    let text = "1 or 1 and 1 == 1 + 1 * (".repeat(depth) + "1" + &")".repeat(depth);
    let stack = if cfg!(debug_assertions) { 1024 } else { 256 } * 1024;
    let read = std::thread::Builder::new().stack_size(stack).spawn(move || canonical(&text).len());
    assert!(read.unwrap().join().unwrap() > 0);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_within_its_bounds(text in any::<String>()) {
        check_bounds(&text);
    }

    #[test]
    fn any_jumble_of_the_language_is_read_or_refused(words in prop::collection::vec(prop::sample::select(WORDS), 0..24)) {
        check_bounds(&words.concat());
        check_bounds(&words.join(" "));
    }
}

const WORDS: &[&str] = &[
    "1",
    "20",
    "d",
    "d6",
    "2d6",
    "4dF",
    "d%",
    "(",
    ")",
    "(",
    ")",
    "[",
    "]",
    "[fire]",
    ",",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "!=",
    "==",
    "=",
    "<",
    ">=",
    "kh",
    "kl2",
    "dh",
    "dl1",
    "r",
    "ro",
    "r1",
    "min2",
    "max",
    "cs>=5",
    "cf1",
    "and",
    "or",
    "not",
    "has",
    "yes",
    "a.b",
    "x",
    "if(",
    "max(",
    "é",
    ".",
    "_",
    "99999999999",
];

fn check_bounds(text: &str) {
    match parse(text) {
        Ok(expr) => {
            let printed = expr.to_string();
            if printed.len() <= MAX_TEXT {
                assert_eq!(canonical(&printed), printed, "{text}");
            }
        }
        Err(mistake) => {
            assert!(mistake.start <= mistake.end && mistake.end <= text.len(), "{text}: {mistake:?}");
            assert!(text.is_char_boundary(mistake.start) && text.is_char_boundary(mistake.end), "{text}");
            assert!(!mistake.message.ends_with('.'), "{text}: {mistake:?}");
        }
    }
}
