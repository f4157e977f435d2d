//! Reads turns, the order of acting, the grid, the economy, and the switches.

use super::context::*;
use super::numbers::spelled;
use super::rules::at_most;
use crate::pack::limits::MOST_CHOICES;
use crate::pack::{FieldReader, NodeKind, Spanned, TomlEntry, TomlNode};
use crate::problems::Problems;
use houserule_kernel::action::Trade;
use houserule_kernel::error::Problem;
use houserule_kernel::formula::ExpectedType;
use houserule_kernel::ident::*;
use houserule_kernel::ruleset::*;
use houserule_kernel::situation::Formula;
use houserule_kernel::space::{DiagonalRule, Grid};
use std::num::NonZeroU16;

/// How many ways to break ties there may be: as many as a place in the order keeps.
const MOST_TIES: usize = size_of::<houserule_kernel::initiative::TieBreakers>() / size_of::<i32>();

/// Reads `[turn]`.
pub fn turn(desk: &LoadContext<'_>, problems: &mut Problems) -> Turn {
    let Some(child) = desk.merged.single("turn") else { return Turn { seconds: 1, ..Turn::default() } };
    let mut f = FieldReader::open(&child.node, "`turn`", problems);
    f.text("about");
    f.required("seconds");
    let seconds = f.int_in("seconds", 1..=86_400).unwrap_or(1);
    let mut phases = |key: &str| {
        let phrases = f.texts(key);
        desk.ids(&phrases, f.problems())
    };
    let (round_start, start) = (phases("round_start"), phases("start"));
    let (end, round_end) = (phases("end"), phases("round_end"));
    let out_of_turn = desk.field(&mut f, "out_of_turn", ExpectedType::YesNo, &Locals::new());
    f.close();
    Turn { seconds, round_start, start, end, round_end, out_of_turn }
}

/// Reads `[initiative]`.
pub fn initiative(desk: &LoadContext<'_>, problems: &mut Problems) -> Option<Initiative> {
    let child = desk.merged.single("initiative")?;
    let mut f = FieldReader::open(&child.node, "`initiative`", problems);
    f.text("about");
    let check = f.required_text("check").and_then(|phrase| desk.id(phrase, f.problems()));
    let written = f.list("ties");
    if let Some(fifth) = written.get(MOST_TIES) {
        f.problems().push(Problem::new("HR0205", fifth.span, "an order of acting has four ways to break ties at most"));
    }
    let ties = written.iter().filter_map(|node| tie(desk, node, f.problems())).collect();
    let aware_round = spelled(&mut f, "aware_round", &[("some", true), ("never", false)], false);
    let mut condition = |key: &str| f.text(key).and_then(|phrase| desk.id(phrase, f.problems()));
    let (aware_limit, unaware, waiting) = (condition("aware_limit"), condition("unaware"), condition("waiting"));
    let delay = desk.field(&mut f, "delay", ExpectedType::YesNo, &Locals::new());
    f.close();
    Some(Initiative { check: check?, ties, aware_round, aware_limit, unaware, waiting, delay })
}

/// `"modifier"`, or `{ when = "…", use = "modifier" }`.
fn tie(desk: &LoadContext<'_>, node: &TomlNode, problems: &mut Problems) -> Option<(Option<Formula>, Tie)> {
    if let Some(phrase) = node.as_text() {
        return Some((None, tie_word(desk, phrase, problems)?));
    }
    let mut f = FieldReader::open(node, "a way to break ties", problems);
    let when = desk.field(&mut f, "when", ExpectedType::YesNo, &Locals::new());
    let tie = f.required_text("use").and_then(|phrase| tie_word(desk, phrase, f.problems()));
    f.close();
    Some((when, tie?))
}

fn tie_word(desk: &LoadContext<'_>, phrase: &Spanned, problems: &mut Problems) -> Option<Tie> {
    if let Some(tag) = phrase.text.strip_prefix("tag:") {
        return desk.id(&Spanned { text: tag.to_owned(), span: phrase.span }, problems).map(Tie::Tag);
    }
    match phrase.text.as_str() {
        "modifier" => Some(Tie::Modifier),
        "roll_off" => Some(Tie::RollOff),
        "choice" => Some(Tie::Choice),
        _ => {
            let problem = Problem::new("HR0204", phrase.span, format!("`{}` breaks no tie", phrase.text));
            problems.push(problem.help("use `modifier`, `roll_off`, `choice` or `tag:NAME`"));
            None
        }
    }
}

/// What `[grid]` says.
pub struct GridTable {
    /// The grid.
    pub grid: Grid,
    /// The stat that says how large somebody is.
    pub space: Option<StatId>,
    /// Who may stand where another stands.
    pub share: Option<Formula>,
    /// Who may go through where another stands.
    pub pass: Option<Formula>,
    /// Squares that a step costs.
    pub cost: Option<Formula>,
    /// The count of diagonal steps.
    pub count: Option<CountId>,
}

/// Reads `[grid]`. Packs without one count in squares of one foot; a pack with one
/// says all of it.
pub fn grid(desk: &LoadContext<'_>, problems: &mut Problems) -> GridTable {
    let mut grid = Grid { diagonals: DiagonalRule::One, feet_per_square: NonZeroU16::MIN, two_takes_corners: false };
    let Some(child) = desk.merged.single("grid") else {
        return GridTable { grid, space: None, share: None, pass: None, cost: None, count: None };
    };
    let mut f = FieldReader::open(&child.node, "`grid`", problems);
    f.text("about");
    let rules = [("one", DiagonalRule::One), ("alternate", DiagonalRule::Alternate), ("two", DiagonalRule::Two)];
    f.required("diagonals");
    grid.diagonals = spelled(&mut f, "diagonals", &rules, DiagonalRule::One);
    f.required("feet_per_square");
    let feet = f.int_in("feet_per_square", 1..=1_000).and_then(|feet| u16::try_from(feet).ok());
    grid.feet_per_square = feet.and_then(NonZeroU16::new).unwrap_or(NonZeroU16::MIN);
    grid.two_takes_corners = f.yes("two_takes_corners", false);
    let space = f.text("space").and_then(|phrase| desk.id(phrase, f.problems()));
    let share = desk.field(&mut f, "share", ExpectedType::YesNo, &Locals::new());
    let pass = desk.field(&mut f, "pass", ExpectedType::YesNo, &Locals::new());
    let mut step = super::context::numbers(&["step"]);
    step.push(("diagonal".into(), houserule_kernel::event::FieldType::YesNo));
    let cost = desk.field(&mut f, "cost", ExpectedType::Number, &step);
    let count = f.text("count").and_then(|phrase| desk.id(phrase, f.problems()));
    f.close();
    GridTable { grid, space, share, pass, cost, count }
}

/// Reads the trades between pools of actions.
pub fn trades(desk: &LoadContext<'_>, problems: &mut Problems) -> Vec<Trade> {
    let read = |child: &TomlEntry| {
        let mut f = FieldReader::open(&child.node, format!("trade `{}`", child.name), problems);
        f.text("about");
        let from = f.required_text("from").and_then(|phrase| desk.id(phrase, f.problems()));
        let to = f.required_text("to").and_then(|phrase| desk.id(phrase, f.problems()));
        let when = desk.field(&mut f, "when", ExpectedType::YesNo, &Locals::new());
        let first = f.yes("first", false);
        f.close();
        Some(Trade { from: from?, to: to?, when, first })
    };
    desk.merged.kind("trade").iter().filter_map(read).collect()
}

/// Reads the bundles: pools that are paid with several others.
pub fn bundles(desk: &LoadContext<'_>, problems: &mut Problems) -> Vec<(PoolId, Vec<(PoolId, i32)>)> {
    let mut bundles = Vec::new();
    for child in desk.merged.kind("bundle") {
        let mut f = FieldReader::open(&child.node, format!("bundle `{}`", child.name), problems);
        f.text("about");
        let mut parts = Vec::new();
        for part in f.table("of") {
            let phrase = Spanned { text: part.name.clone(), span: part.span };
            let pool = desk.id(&phrase, f.problems());
            let amount = f.as_int(&part.node, &part.name);
            parts.extend(pool.zip(amount));
        }
        let name = Spanned { text: child.name.clone(), span: child.span };
        let pool = desk.id(&name, f.problems());
        f.close();
        bundles.extend(pool.map(|pool| (pool, parts)));
    }
    bundles
}

/// The choices of each house-rule switch, by its number.
pub fn choices(merged: &crate::pack::Merged, lexicon: &Lexicon) -> Vec<Vec<Box<str>>> {
    let choices_of = |name: &str| {
        let list = merged.find("option", name)?.node.as_table()?.get("choices")?;
        let NodeKind::List(list) = &list.node.body else { return None };
        let texts = list.iter().filter_map(TomlNode::as_text).take(MOST_CHOICES);
        Some(texts.map(|phrase| phrase.text.as_str().into()).collect())
    };
    lexicon.names(NameKind::Option).iter().map(|name| choices_of(name).unwrap_or_default()).collect()
}

/// Reads the house-rule switches.
pub fn options(desk: &LoadContext<'_>, problems: &mut Problems) -> IdVec<OptionId, Switch> {
    desk.shelf(|name, node| {
        let mut switch = Switch { choices: Vec::new(), default: 0, changes: Vec::new(), open: false };
        let Some(node) = node else { return switch };
        let mut f = FieldReader::open(node, format!("option `{name}`"), problems);
        f.required_text("about");
        let choices = at_most(f.texts("choices"), MOST_CHOICES, "choices of a switch", f.problems());
        switch.choices = desk.ids(&choices, f.problems());
        f.one_of("kind", &["yes_no", "number", "choice"]);
        switch.default = f.node("default").and_then(|node| setting(&choices, node, f.problems())).unwrap_or(0);
        switch.open = f.yes("open", false);
        for phrase in f.texts("changes") {
            let known = desk.lexicon.find::<RuleId>(phrase).is_some();
            if !known {
                desk.tell_unknown::<RuleId>(phrase, f.problems());
            }
            switch.changes.push(phrase.text.as_str().into());
        }
        f.close();
        switch
    })
}

/// The number by which a setting of a switch is kept.
pub fn setting(choices: &[&Spanned], node: &TomlNode, problems: &mut Problems) -> Option<i32> {
    let found = match &node.body {
        NodeKind::Broken => return None,
        NodeKind::Int(number) if choices.is_empty() => Some(*number),
        NodeKind::Yes(answer) if choices.is_empty() => Some(i32::from(*answer)),
        NodeKind::Text(phrase) => {
            choices.iter().position(|choice| choice.text == phrase.text).and_then(|at| i32::try_from(at).ok())
        }
        _ => None,
    };
    if found.is_none() {
        let names: Vec<&str> = choices.iter().map(|choice| choice.text.as_str()).collect();
        let wanted = if names.is_empty() {
            "a number, `true` or `false`".to_owned()
        } else {
            format!("one of `{}`", names.join("`, `"))
        };
        problems.push(Problem::new(
            "HR0204",
            node.span,
            format!("a setting of this switch is {wanted}, not {}", node.described()),
        ));
    }
    found
}

/// Reads the profiles.
pub fn profiles(desk: &LoadContext<'_>, problems: &mut Problems) -> Vec<Profile> {
    let mut profiles = Vec::new();
    for child in desk.merged.kind("profile") {
        let mut settings = Vec::new();
        for entry in child
            .node
            .as_table()
            .map(crate::pack::TomlTable::children)
            .unwrap_or_default()
            .into_iter()
            .filter(|entry| entry.name != "about")
        {
            let name = Spanned { text: entry.name.clone(), span: entry.span };
            let Some(option) = desk.id::<OptionId>(&name, problems) else { continue };
            let choices = desk.choices.get(usize::from(option.number())).cloned().unwrap_or_default();
            let phrases: Vec<Spanned> =
                choices.iter().map(|choice| Spanned { text: choice.to_string(), span: entry.span }).collect();
            let phrases: Vec<&Spanned> = phrases.iter().collect();
            settings.extend(setting(&phrases, &entry.node, problems).map(|value| (option, value)));
        }
        profiles.push((child.name.as_str().into(), settings));
    }
    profiles
}
