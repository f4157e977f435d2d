//! `houserule roll`: dice without a table, every face shown.

use crate::Verdict;
use crate::args::{self, Format};
use crate::faces;
use crate::play::fresh_seed;
use crate::report::{Trouble, in_file};
use crate::screen::Screen;
use houserule::kernel::dice::{Face, MAX_EXTRA, Roll};
use houserule::kernel::expression::{Mistake, parse};
use houserule::kernel::formula::{Formula, Kind, Reader, Roller, Unknown, Vocabulary, Want};
use houserule::kernel::philox::{Stream, die};
use houserule::{Fault, Sources, Span};
use serde::Serialize;
use serde_json::json;
use std::cell::RefCell;

/// Rolls an expression.
///
/// # Errors
/// Every mistake in the expression, or the fault that ended a roll.
pub fn roll(args: &args::Roll, screen: &mut Screen) -> Result<Verdict, Trouble> {
    let text = &args.expression;
    let words = Labels::default();
    let formula = Formula::compile(text, &words, Want::Roll).map_err(|mistakes| underlined(text, mistakes))?;
    let expression = parse(text).map_err(|mistake| underlined(text, vec![mistake]))?;
    let terms = faces::terms(&expression);
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let mut hand = Hand(Stream::new(seed, 0, "table", "roll"));
    let mut thrown = Vec::new();
    screen.say(&format!("seed {seed}"));
    for _ in 0..args.times {
        let mut roll = Roll::default();
        formula.roll(&mut hand, &mut roll)?;
        let roll = Thrown::new(&roll, &words);
        tell(text, &terms, &roll, screen);
        if screen.format() == Format::Json {
            thrown.push(roll);
        }
    }
    screen.give(&json!({ "expression": text, "seed": seed.to_string(), "rolls": thrown }));
    Ok(Verdict::Fine)
}

fn tell(text: &str, terms: &[&str], roll: &Thrown, screen: &mut Screen) {
    screen.say(&format!("{text} = {}", roll.total));
    faces::lines(terms, &roll.faces).iter().for_each(|line| screen.say(&format!("  {line}")));
    if roll.parts.iter().any(|part| part.label.is_some()) {
        let part = |part: &Part| format!("{} {}", part.label.as_deref().unwrap_or("the rest"), part.amount);
        screen.say(&format!("  in parts: {}", roll.parts.iter().map(part).collect::<Vec<_>>().join(", ")));
    }
    if roll.capped {
        screen.say(&format!(
            "  no more than {MAX_EXTRA} dice are thrown on top or instead: the last ones stayed as they fell"
        ));
    }
}

/// The mistakes of an expression, each underlined in it.
fn underlined(text: &str, mistakes: Vec<Mistake>) -> Trouble {
    let mut sources = Sources::default();
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let whole = Span { file: sources.add("expression", text), start: 0, end };
    let found: Vec<_> = mistakes.into_iter().map(|mistake| sources.locate(&mistake.at(whole))).collect();
    in_file(&found, text)
}

/// One roll as it is told.
#[derive(Serialize)]
struct Thrown {
    total: i32,
    faces: Vec<Face>,
    parts: Vec<Part>,
    capped: bool,
}

#[derive(Serialize)]
struct Part {
    label: Option<String>,
    amount: i32,
}

impl Thrown {
    fn new(roll: &Roll, labels: &Labels) -> Thrown {
        let part = |part: &houserule::kernel::dice::Part| Part {
            label: part.label.and_then(|label| labels.name(label)),
            amount: part.amount,
        };
        Thrown {
            total: roll.total,
            faces: roll.faces.to_vec(),
            parts: roll.parts.iter().map(part).collect(),
            capped: roll.capped,
        }
    }
}

/// A vocabulary without names, in which everything may be a label.
#[derive(Default)]
struct Labels(RefCell<Vec<String>>);

impl Labels {
    fn name(&self, label: u16) -> Option<String> {
        self.0.borrow().get(usize::from(label)).cloned()
    }
}

/// What a name stands for where there are none.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Nothing {}

fn nameless(name: &str) -> Unknown {
    let small = name.to_lowercase();
    if small != name && parse(&small).is_ok_and(|dice| !faces::terms(&dice).is_empty()) {
        return Unknown { message: format!("`{name}` is no dice"), help: Some(format!("write `{small}`")) };
    }
    let help = "write numbers and dice only; who reads stats plays an encounter";
    Unknown { message: format!("`{name}` is not known here: nobody is at the table"), help: Some(help.to_owned()) }
}

impl Vocabulary for Labels {
    type Slot = Nothing;

    fn name(&self, path: &[&str]) -> Result<(Nothing, Kind), Unknown> {
        Err(nameless(&path.join(".")))
    }

    fn has(&self, subject: &[&str], _: &str, _: Option<&str>) -> Result<Nothing, Unknown> {
        Err(nameless(&subject.join(".")))
    }

    fn symbol(&self, of: Nothing, _: &str) -> Result<i64, Unknown> {
        match of {}
    }

    fn table(&self, name: &str) -> Result<u16, Unknown> {
        let help = "there are `min`, `max`, `clamp`, `abs`, `if`, `div_floor` and `div_ceil`";
        Err(Unknown { message: format!("there is no function `{name}`"), help: Some(help.to_owned()) })
    }

    fn label(&self, name: &str) -> Result<u16, Unknown> {
        let mut labels = self.0.borrow_mut();
        let at = labels.iter().position(|known| known == name).unwrap_or_else(|| {
            labels.push(name.to_owned());
            labels.len() - 1
        });
        Ok(u16::try_from(at).unwrap_or(u16::MAX))
    }
}

/// Throws the dice: the draws of nobody, from the stream `roll` of fight 0.
struct Hand(Stream);

impl Reader<Nothing> for Hand {
    type Stop = Fault;

    fn read(&mut self, slot: Nothing) -> Result<i64, Fault> {
        match slot {}
    }

    fn look_up(&mut self, _: u16, _: i64) -> Result<i64, Fault> {
        Err(Fault::new("HR0521", "there are no charts here"))
    }
}

impl Roller<Nothing> for Hand {
    fn face(&mut self, sides: u32) -> Result<u32, Fault> {
        let face = die(sides, || self.0.word());
        face.ok_or_else(|| Fault::new("HR0505", format!("a die with {sides} sides cannot be rolled")))
    }
}
