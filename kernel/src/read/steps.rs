//! Reads steps: one-line tables, each with one verb.

use super::desk::*;
use super::numbers::spelled;
use crate::clock::Unit;
use crate::error::Problem;
use crate::event::Field;
use crate::formula::Want;
use crate::ident::*;
use crate::pack::{Body, Fields, Node, Phrase};
use crate::problems::Problems;
use crate::situation::{Formula, Who};
use crate::step::*;
use crate::words;

/// The verbs of steps.
const VERBS: [&str; 33] = [
    "damage",
    "drop",
    "heal",
    "pool",
    "apply",
    "remove",
    "raise",
    "lower",
    "suspend",
    "resume",
    "extend",
    "sustain",
    "count",
    "note",
    "tag",
    "untag",
    "check",
    "become",
    "bonus",
    "reroll",
    "prevent",
    "disrupt",
    "refuse",
    "event",
    "hook",
    "steps",
    "pick",
    "push",
    "do",
    "say",
    "create",
    "reduce",
    "initiative",
];
/// Verbs without an object of their own.
const BARE: [&str; 2] = ["give", "end"];

/// Reads the list of steps below a key.
pub fn list(desk: &Desk<'_>, f: &mut Fields<'_, '_>, key: &str, locals: &Locals) -> Vec<Step> {
    let nodes = f.list(key);
    nodes.iter().filter_map(|node| step(desk, node, locals, f.problems())).collect()
}

/// Reads a list of steps that stands for itself.
pub fn nodes(desk: &Desk<'_>, nodes: &[Node], locals: &Locals, problems: &mut Problems) -> Vec<Step> {
    nodes.iter().filter_map(|node| step(desk, node, locals, problems)).collect()
}

/// Reads what follows from each degree, below the key `on`.
pub fn by_degree(desk: &Desk<'_>, f: &mut Fields<'_, '_>, locals: &Locals) -> Vec<(DegreeId, Vec<Step>)> {
    let mut read = Vec::new();
    for child in f.table("on") {
        let phrase = Phrase { text: child.name.clone(), span: child.span };
        let degree = desk.id(&phrase, f.problems());
        let steps = match &child.node.body {
            Body::List(steps) => nodes(desk, steps, locals, f.problems()),
            _ => {
                f.problems().push(Problem::new(
                    "HR0203",
                    child.node.span,
                    "what follows from a degree is a list of steps",
                ));
                Vec::new()
            }
        };
        read.extend(degree.map(|degree| (degree, steps)));
    }
    read
}

fn step(desk: &Desk<'_>, node: &Node, locals: &Locals, problems: &mut Problems) -> Option<Step> {
    let verb = verb(node, problems)?;
    let mut f = Fields::open(node, format!("step `{verb}`"), problems);
    let when = desk.field(&mut f, "when", Want::YesNo, locals);
    let who = whom(&mut f, verb);
    let known = f.problems().len();
    let deed = deed(desk, verb, &mut f, locals);
    // behind an unknown name not all fields may have been asked for
    let unknown = f.problems().iter().skip(known).any(|problem| problem.code == "HR0203");
    if deed.is_some() || !unknown {
        f.close();
    }
    Some(Step { when, who, deed: deed?, span: node.span })
}

fn verb(node: &Node, problems: &mut Problems) -> Option<&'static str> {
    let Some(table) = node.as_table() else {
        if !matches!(node.body, Body::Broken) {
            problems.push(Problem::new(
                "HR0210",
                node.span,
                format!("a step is a table such as `{{ apply = \"…\" }}`, not {}", node.described()),
            ));
        }
        return None;
    };
    let mut verbs = VERBS.iter().chain(&BARE).filter(|verb| table.get(verb).is_some());
    let found = match table.get("event") {
        Some(_) => VERBS.iter().find(|verb| **verb == "event"),
        None => verbs.next(),
    };
    let second = found.and_then(|first| verbs.find(|second| !goes_with(first, second)));
    if let (Some(first), Some(second)) = (found, second) {
        let message = format!("a step does one thing, and this one has both `{first}` and `{second}`");
        problems.push(Problem::new("HR0210", node.span, message).help("write two steps"));
        return None;
    }
    if found.is_none() {
        let wrong = table.names().next().unwrap_or("");
        let near = crate::error::nearest(wrong, VERBS.iter().chain(&BARE).copied());
        let help = near.map_or_else(
            || format!("a step does one of {}", VERBS.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        problems.push(Problem::new("HR0210", node.span, "this step does nothing that is known").help(help));
    }
    found.copied()
}

/// Whether a second verb is a field of the first: fields of an event may have any
/// name.
fn goes_with(first: &str, second: &str) -> bool {
    first == "event" || matches!((first, second), ("heal", "pool") | ("damage", "bonus"))
}

/// Whom a step is done to: damage and pushes to the target unless it says
/// otherwise, all else to the bearer.
fn whom(f: &mut Fields<'_, '_>, verb: &str) -> Who {
    let default = if matches!(verb, "damage" | "push") { Who::Target } else { Who::Bearer };
    let names: Vec<&str> = Who::WORDS.iter().map(|(word, _)| *word).collect();
    let (who, to) = (f.one_of("who", &names), f.one_of("to", &names));
    who.or(to).and_then(|at| Who::WORDS.get(at)).map_or(default, |(_, who)| *who)
}

fn id<I: Id>(desk: &Desk<'_>, f: &mut Fields<'_, '_>, key: &str) -> Option<I> {
    let phrase = f.required_text(key)?;
    desk.id(phrase, f.problems())
}

fn number(desk: &Desk<'_>, f: &mut Fields<'_, '_>, key: &str, locals: &Locals) -> Option<Formula> {
    let node = f.required(key)?;
    desk.formula(node, Want::Roll, locals, f.problems())
}

/// `add` or `set`, whichever is there.
fn amount(desk: &Desk<'_>, f: &mut Fields<'_, '_>, locals: &Locals) -> Option<(Formula, bool)> {
    let (add, set) = (f.node("add"), f.node("set"));
    match (add, set) {
        (Some(_), Some(set)) => {
            let problem =
                Problem::new("HR0210", set.span, "a step has one amount, and this one has both `add` and `set`");
            f.problems().push(problem.help("`add` changes what is there, `set` replaces it: keep one of the two"));
            None
        }
        (None, Some(set)) => Some((desk.formula(set, Want::Roll, locals, f.problems())?, true)),
        (Some(add), None) => Some((desk.formula(add, Want::Roll, locals, f.problems())?, false)),
        (None, None) => {
            f.required("add");
            None
        }
    }
}

fn deed(desk: &Desk<'_>, verb: &str, f: &mut Fields<'_, '_>, locals: &Locals) -> Option<Deed> {
    Some(match verb {
        "damage" => Deed::Damage(Box::new(blow(desk, f, locals)?)),
        "heal" => Deed::Heal { amount: number(desk, f, "heal", locals)?, pool: id(desk, f, "pool")? },
        "pool" => {
            let (pool, (amount, set)) = (id(desk, f, "pool"), amount(desk, f, locals)?);
            Deed::Pool { pool: pool?, amount, set }
        }
        "apply" => Deed::Apply(Box::new(apply(desk, f, locals)?)),
        "remove" => Deed::Borne { condition: id(desk, f, "remove")?, which: which(f), fate: Fate::Remove },
        "raise" | "lower" => shift(desk, f, verb, locals)?,
        "suspend" | "resume" => {
            let stopped = spelled(f, "clock", &[("running", false), ("stopped", true)], false);
            let fate = if verb == "suspend" { Fate::Suspend { stopped } } else { Fate::Resume };
            Deed::Borne { condition: id(desk, f, verb)?, which: which(f), fate }
        }
        "extend" => extend(desk, f, locals)?,
        "sustain" => Deed::Sustain(id(desk, f, "sustain")?),
        "count" => {
            let (count, (amount, set)) = (id(desk, f, "count"), amount(desk, f, locals)?);
            Deed::Count { count: count?, amount, set }
        }
        "note" => {
            let (note, amount) = (id(desk, f, "note"), number(desk, f, "set", locals)?);
            Deed::Note { note: note?, amount }
        }
        "tag" | "untag" => Deed::Tag { tag: id(desk, f, verb)?, on: verb == "tag" },
        "check" => trial(desk, f, locals)?,
        _ => return event_deed(desk, verb, f, locals),
    })
}

fn event_deed(desk: &Desk<'_>, verb: &str, f: &mut Fields<'_, '_>, locals: &Locals) -> Option<Deed> {
    Some(match verb {
        "become" => Deed::Become(id(desk, f, "become")?),
        "bonus" => Deed::Bonus { amount: number(desk, f, "bonus", locals)? },
        "reroll" => Deed::Reroll(spelled(f, "reroll", &Kept::WORDS, Kept::New)),
        "prevent" => Deed::Prevent(id(desk, f, "prevent")?),
        "disrupt" => Deed::Disrupt(id(desk, f, "disrupt")?),
        "refuse" => Deed::Refuse(id(desk, f, "refuse")?),
        "event" => raise(desk, f, locals)?,
        "hook" => Deed::Hook(id(desk, f, "hook")?),
        "steps" => Deed::Steps(id(desk, f, "steps")?),
        "pick" => {
            let phrases = f.texts("pick");
            if let Some(Node { body: Body::List(list), span }) = f.node("pick")
                && list.is_empty()
            {
                let problem = Problem::new("HR0205", *span, "there is no list here that could be picked");
                f.problems().push(problem.help("name lists of steps, as in `pick = [\"calm\", \"storm\"]`"));
            }
            Deed::Pick(desk.ids(&phrases, f.problems()))
        }
        "push" => {
            let way = desk.field(f, "way", Want::Number, locals);
            Deed::Push { feet: number(desk, f, "push", locals)?, way }
        }
        "do" => {
            let with = spelled(f, "with", &Who::WORDS.map(|(word, who)| (word, Some(who))), None);
            Deed::Group(list(desk, f, "do", locals), with)
        }
        "say" => Deed::Say(id(desk, f, "say")?),
        "create" => Deed::Create(id(desk, f, "create")?),
        "give" => bare(f, "give", Deed::Give),
        "drop" => Deed::Drop(dropped(desk, f)?),
        "end" => bare(f, "end", Deed::End),
        "reduce" => Deed::Reduce(number(desk, f, "reduce", locals)?),
        _ => {
            f.required_text("initiative")?;
            Deed::Initiative { before: f.one_of("initiative", &["behind", "before"])? == 1 }
        }
    })
}

fn bare(f: &mut Fields<'_, '_>, key: &str, deed: Deed) -> Deed {
    f.yes(key, true);
    deed
}

fn shift(desk: &Desk<'_>, f: &mut Fields<'_, '_>, verb: &str, locals: &Locals) -> Option<Deed> {
    let condition = id(desk, f, verb)?;
    valueless(desk, f, verb, verb);
    let by = match f.node("by") {
        Some(node) => desk.formula(node, Want::Number, locals, f.problems())?,
        None => Formula::number(1),
    };
    let by = if verb == "raise" { by } else { negative(desk, &by, locals)? };
    Some(Deed::Borne { condition, which: which(f), fate: Fate::Shift(by) })
}

fn negative(desk: &Desk<'_>, by: &Formula, locals: &Locals) -> Option<Formula> {
    let words = words::Words { lexicon: &desk.lexicon, locals, choices: &desk.choices };
    Formula::compile(&format!("-({})", by.text()), &words, Want::Number).ok()
}

/// `times = "2"`, or a list of multipliers.
fn multipliers(desk: &Desk<'_>, f: &mut Fields<'_, '_>, locals: &Locals) -> Vec<Formula> {
    let written = f.node("times");
    let mut multiplier = |node: &Node| {
        let times = desk.formula(node, Want::Number, locals, f.problems())?;
        if times.constant().is_some_and(|times| times < 0) {
            let message = format!("damage cannot be dealt `{}` times", times.text());
            f.problems().push(Problem::new("HR0205", node.span, message).help("write a number from 0"));
        }
        Some(times)
    };
    match written.map(|node| (node, &node.body)) {
        Some((_, Body::List(list))) => list.iter().filter_map(multiplier).collect(),
        Some((node, _)) => multiplier(node).into_iter().collect(),
        None => Vec::new(),
    }
}

/// Tells of a value that goes to a condition which has none.
fn valueless(desk: &Desk<'_>, f: &mut Fields<'_, '_>, verb: &str, what: &str) {
    let Some(phrase) = f.child(verb).and_then(|child| child.node.as_text()).cloned() else { return };
    if desk.has_value(&phrase) == Some(false) {
        let span = f.child(what).map_or(f.span(), |child| child.node.span);
        let message = format!("condition `{}` has no value", phrase.text);
        let help = format!("take `{what}` away, or add `value = {{ min = \"1\" }}` to `[condition.{}]`", phrase.text);
        f.problems().push(Problem::new("HR0205", span, message).help(help));
    }
}

/// `drop = true`, or the tag of what is dropped.
fn dropped(desk: &Desk<'_>, f: &mut Fields<'_, '_>) -> Option<Option<TagId>> {
    let named = f.node("drop").is_some_and(|node| node.as_text().is_some());
    if named { id(desk, f, "drop").map(Some) } else { f.yes("drop", true).then_some(None) }
}

/// Dice of a named roll of the item, or written here.
fn dice_of(desk: &Desk<'_>, node: &Node, f: &mut Fields<'_, '_>, locals: &Locals) -> Option<Dice> {
    let named = node.as_text().and_then(|phrase| phrase.text.strip_prefix("item."));
    match named.filter(|roll| roll.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')) {
        Some(roll) => Some(Dice::Item(roll.into())),
        None => desk.formula(node, Want::Roll, locals, f.problems()).map(Dice::Here),
    }
}

fn blow(desk: &Desk<'_>, f: &mut Fields<'_, '_>, locals: &Locals) -> Option<Blow> {
    let node = f.required("damage")?;
    if !desk.deals {
        let problem = Problem::new("HR0210", node.span, "this damage goes into no pool");
        f.problems().push(problem.help("say which pools take it, as in `[damage]` with `pools = [\"hp\"]`"));
    }
    let dice = dice_of(desk, node, f, locals)?;
    let bonus = f.text("bonus").and_then(|phrase| desk.id(phrase, f.problems()));
    let times = multipliers(desk, f, locals);
    let kind = f.text("type").and_then(|phrase| desk.id(phrase, f.problems()));
    let tags = f.texts("tags");
    let tags = desk.ids(&tags, f.problems());
    let stream = f.text("stream").and_then(|phrase| desk.id(phrase, f.problems()));
    let stream = stream.or_else(|| desk.lexicon.find("damage")).unwrap_or(StreamId::new(0));
    let halved = desk.field(f, "halved", Want::YesNo, locals);
    let extra = match f.node("extra").map(|node| (node, &node.body)) {
        Some((_, Body::List(list))) => list.iter().filter_map(|node| dice_of(desk, node, f, locals)).collect(),
        Some((node, _)) => dice_of(desk, node, f, locals).into_iter().collect(),
        None => Vec::new(),
    };
    let shared = f.yes("shared", false);
    Some(Blow { dice, bonus, times, kind, tags, stream, halved, extra, shared })
}

fn apply(desk: &Desk<'_>, f: &mut Fields<'_, '_>, locals: &Locals) -> Option<Apply> {
    let condition = id(desk, f, "apply")?;
    let value = desk.field(f, "value", Want::Roll, locals);
    if value.is_some() {
        valueless(desk, f, "apply", "value");
    }
    let lasts = lasts(desk, f, locals);
    let mut notes = Vec::new();
    for child in f.table("notes") {
        let phrase = Phrase { text: child.name.clone(), span: child.span };
        let note = desk.id(&phrase, f.problems());
        let number = desk.formula(&child.node, Want::Roll, locals, f.problems());
        notes.extend(note.zip(number));
    }
    let toward = word(f, "toward");
    Some(Apply { condition, value, lasts, notes, toward })
}

/// How long something lasts, as far as it is said: `rounds` and the other units,
/// and `until`.
pub(super) fn lasts(desk: &Desk<'_>, f: &mut Fields<'_, '_>, locals: &Locals) -> Vec<Lasts> {
    let lasts = more(desk, f, locals);
    for last in &lasts {
        let Lasts::For(unit, count) = last else { continue };
        let key = Unit::WORDS.iter().find(|(_, known)| known == unit).map_or("", |(key, _)| key);
        if let Some(count) = count.constant().filter(|count| *count < 1) {
            let span = f.child(key).map_or(f.span(), |child| child.node.inner_span());
            let message = format!("what lasts `{count}` {key} never begins");
            f.problems().push(Problem::new("HR0205", span, message).help("write 1 or more, or take the step away"));
        }
    }
    lasts
}

/// By how much something lasts longer, or shorter where a number is negative.
fn more(desk: &Desk<'_>, f: &mut Fields<'_, '_>, locals: &Locals) -> Vec<Lasts> {
    let mut lasts = Vec::new();
    for (key, unit) in Unit::WORDS {
        lasts.extend(desk.field(f, key, Want::Roll, locals).map(|count| Lasts::For(unit, count)));
    }
    for phrase in f.texts("until") {
        lasts.extend(until(desk, phrase, f.problems()));
    }
    lasts
}

fn extend(desk: &Desk<'_>, f: &mut Fields<'_, '_>, locals: &Locals) -> Option<Deed> {
    let (condition, which) = (id(desk, f, "extend"), which(f));
    let says = Unit::WORDS.iter().any(|(key, _)| f.child(key).is_some()) || f.child("until").is_some();
    let by = more(desk, f, locals);
    if !says {
        let problem = Problem::new("HR0210", f.span(), "this step does not say by how much it extends");
        f.problems().push(problem.help("add `rounds`, `minutes`, `hours`, `days`, or `until` with an event"));
    }
    Some(Deed::Borne { condition: condition?, which, fate: Fate::Extend(by) })
}

fn word(f: &mut Fields<'_, '_>, key: &str) -> Option<Who> {
    spelled(f, key, &Who::WORDS.map(|(word, who)| (word, Some(who))), None)
}

fn which(f: &mut Fields<'_, '_>) -> Which {
    Which { from: word(f, "from"), toward: word(f, "toward") }
}

/// `turn.start`, `source turn.start`, or `3 source turn.start`.
fn until(desk: &Desk<'_>, phrase: &Phrase, problems: &mut Problems) -> Option<Lasts> {
    let words: Vec<&str> = phrase.text.split(' ').collect();
    let (event, before) = words.split_last()?;
    let at = phrase.text.len().saturating_sub(event.len());
    let named = Phrase { text: (*event).to_owned(), span: phrase.span.within(at, phrase.text.len()) };
    let event = desk.id(&named, problems)?;
    let counted = |word: &str| word.parse().ok().filter(|count| *count > 0);
    let lasts = match before {
        [] => Some((None, 1)),
        [word] => Who::find(word).map(|who| (Some(who), 1)).or_else(|| Some((None, counted(word)?))),
        [count, who] => counted(count).zip(Who::find(who)).map(|(count, who)| (Some(who), count)),
        _ => None,
    };
    if lasts.is_none() {
        let message = "before the event stand how many times and whose it is: `3 source turn.start`";
        problems.push(Problem::new("HR0203", phrase.span, message));
    }
    lasts.map(|(who, count)| Lasts::Until(who, event, count))
}

fn trial(desk: &Desk<'_>, f: &mut Fields<'_, '_>, locals: &Locals) -> Option<Deed> {
    let check = id(desk, f, "check")?;
    let dc = desk.field(f, "dc", Want::Number, locals);
    let on = by_degree(desk, f, &check_locals());
    Some(Deed::Check(Box::new(Trial { check, dc, on })))
}

fn raise(desk: &Desk<'_>, f: &mut Fields<'_, '_>, locals: &Locals) -> Option<Deed> {
    let event: EventId = id(desk, f, "event")?;
    let (mut fields, mut seats) = (Vec::new(), Vec::new());
    for (at, (name, kind)) in desk.event_locals(event).iter().enumerate() {
        if *kind == Field::Entity {
            seats.extend(u8::try_from(at).ok().zip(word(f, name)));
            continue;
        }
        let Some(node) = f.node(name) else { continue };
        let number = match (kind, node.as_text()) {
            (Field::Name(kind), Some(phrase)) => named(desk, *kind, phrase, f.problems()),
            (Field::YesNo, _) => desk.formula(node, Want::YesNo, locals, f.problems()),
            _ => desk.formula(node, Want::Number, locals, f.problems()),
        };
        fields.extend(u8::try_from(at).ok().zip(number));
    }
    Some(Deed::Raise { event, fields, seats })
}

fn named(desk: &Desk<'_>, kind: Kind, phrase: &Phrase, problems: &mut Problems) -> Option<Formula> {
    let number = words::number_of(&desk.lexicon, kind, phrase);
    if number.is_none() {
        problems.push(Problem::new("HR0203", phrase.span, format!("there is no {} `{}`", kind.word(), phrase.text)));
    }
    number.map(Formula::number)
}
