//! `houserule roll`: dice without a table, every face shown.

use crate::ExitStatus;
use crate::args::{self, Format};
use crate::dice_text;
use crate::output::Output;
use crate::play::fresh_seed;
use crate::report::{CliError, in_file};
use houserule::kernel::dice::{Face, MAX_EXTRA, Roll};
use houserule::kernel::expression::{ParseError, parse};
use houserule::kernel::formula::{
    CompiledFormula, DiceSource, ExpectedType, UnknownName, ValueSource, ValueType, Vocabulary,
};
use houserule::kernel::philox::{Stream, die};
use houserule::{Fault, Sources, Span};
use serde::Serialize;
use serde_json::json;
use std::cell::RefCell;

/// Rolls an expression.
///
/// # Errors
/// Every mistake in the expression, or the fault that ended a roll.
pub fn roll(args: &args::RollArgs, screen: &mut Output) -> Result<ExitStatus, CliError> {
    let text = &args.expression;
    let words = LabelVocabulary::default();
    let formula =
        CompiledFormula::compile(text, &words, ExpectedType::Roll).map_err(|mistakes| underlined(text, mistakes))?;
    let expression = parse(text).map_err(|mistake| underlined(text, vec![mistake]))?;
    let terms = dice_text::terms(&expression);
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let mut hand = TableRoller(Stream::new(seed, 0, "table", "roll"));
    let mut thrown = Vec::new();
    screen.say(&format!("seed {seed}"));
    for _ in 0..args.times {
        let mut roll = Roll::default();
        formula.roll(&mut hand, &mut roll)?;
        let roll = RollReport::new(&roll, &words);
        tell(text, &terms, &roll, screen);
        if screen.format() == Format::Json {
            thrown.push(roll);
        }
    }
    screen.give(&json!({ "expression": text, "seed": seed.to_string(), "rolls": thrown }));
    Ok(ExitStatus::Fine)
}

fn tell(text: &str, terms: &[&str], roll: &RollReport, screen: &mut Output) {
    screen.say(&format!("{text} = {}", roll.total));
    dice_text::lines(terms, &roll.faces).iter().for_each(|line| screen.say(&format!("  {line}")));
    if roll.parts.iter().any(|part| part.label.is_some()) {
        let part = |part: &PartReport| format!("{} {}", part.label.as_deref().unwrap_or("the rest"), part.amount);
        screen.say(&format!("  in parts: {}", roll.parts.iter().map(part).collect::<Vec<_>>().join(", ")));
    }
    if roll.capped {
        screen.say(&format!(
            "  no more than {MAX_EXTRA} dice are thrown on top or instead: the last ones stayed as they fell"
        ));
    }
}

/// The mistakes of an expression, each underlined in it.
fn underlined(text: &str, mistakes: Vec<ParseError>) -> CliError {
    let mut sources = Sources::default();
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let whole = Span { file: sources.add("expression", text), start: 0, end };
    let found: Vec<_> = mistakes.into_iter().map(|mistake| sources.locate(&mistake.at(whole))).collect();
    in_file(&found, text)
}

/// One roll as it is told.
#[derive(Serialize)]
struct RollReport {
    total: i32,
    faces: Vec<Face>,
    parts: Vec<PartReport>,
    capped: bool,
}

#[derive(Serialize)]
struct PartReport {
    label: Option<String>,
    amount: i32,
}

impl RollReport {
    fn new(roll: &Roll, labels: &LabelVocabulary) -> RollReport {
        let part = |part: &houserule::kernel::dice::RollPart| PartReport {
            label: part.label.and_then(|label| labels.name(label)),
            amount: part.amount,
        };
        RollReport {
            total: roll.total,
            faces: roll.faces.to_vec(),
            parts: roll.parts.iter().map(part).collect(),
            capped: roll.capped,
        }
    }
}

/// A vocabulary without names, in which everything may be a label.
#[derive(Default)]
struct LabelVocabulary(RefCell<Vec<String>>);

impl LabelVocabulary {
    fn name(&self, label: u16) -> Option<String> {
        self.0.borrow().get(usize::from(label)).cloned()
    }
}

/// What a name stands for where there are none.
#[derive(Clone, Copy, Debug, PartialEq)]
enum NoName {}

fn nameless(name: &str) -> UnknownName {
    let small = name.to_lowercase();
    if small != name && parse(&small).is_ok_and(|dice| !dice_text::terms(&dice).is_empty()) {
        return UnknownName { message: format!("`{name}` is no dice"), help: Some(format!("write `{small}`")) };
    }
    let help = "write numbers and dice only; who reads stats plays an encounter";
    UnknownName { message: format!("`{name}` is not known here: nobody is at the table"), help: Some(help.to_owned()) }
}

impl Vocabulary for LabelVocabulary {
    type Slot = NoName;

    fn name(&self, path: &[&str]) -> Result<(NoName, ValueType), UnknownName> {
        Err(nameless(&path.join(".")))
    }

    fn has(&self, subject: &[&str], _: &str, _: Option<&str>) -> Result<NoName, UnknownName> {
        Err(nameless(&subject.join(".")))
    }

    fn symbol(&self, of: NoName, _: &str) -> Result<i64, UnknownName> {
        match of {}
    }

    fn table(&self, name: &str) -> Result<u16, UnknownName> {
        let help = "there are `min`, `max`, `clamp`, `abs`, `if`, `div_floor` and `div_ceil`";
        Err(UnknownName { message: format!("there is no function `{name}`"), help: Some(help.to_owned()) })
    }

    fn label(&self, name: &str) -> Result<u16, UnknownName> {
        let mut labels = self.0.borrow_mut();
        let at = labels.iter().position(|known| known == name).unwrap_or_else(|| {
            labels.push(name.to_owned());
            labels.len() - 1
        });
        Ok(u16::try_from(at).unwrap_or(u16::MAX))
    }
}

/// Throws the dice: the draws of nobody, from the stream `roll` of fight 0.
struct TableRoller(Stream);

impl ValueSource<NoName> for TableRoller {
    type Stop = Fault;

    fn read(&mut self, slot: NoName) -> Result<i64, Fault> {
        match slot {}
    }

    fn look_up(&mut self, _: u16, _: i64) -> Result<i64, Fault> {
        Err(Fault::new("HR0521", "there are no charts here"))
    }
}

impl DiceSource<NoName> for TableRoller {
    fn face(&mut self, sides: u32) -> Result<u32, Fault> {
        let face = die(sides, || self.0.word());
        face.ok_or_else(|| Fault::new("HR0505", format!("a die with {sides} sides cannot be rolled")))
    }
}
