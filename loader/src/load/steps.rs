//! Reads steps: one-line tables, each with one verb.

use super::context::*;
use super::numbers::spelled;
use crate::pack::{FieldReader, NodeKind, Spanned, TomlNode};
use crate::problems::Problems;
use houserule_kernel::clock::Unit;
use houserule_kernel::error::Problem;
use houserule_kernel::event::FieldType;
use houserule_kernel::formula::ExpectedType;
use houserule_kernel::ident::*;
use houserule_kernel::situation::{Formula, Who};
use houserule_kernel::step::*;
use houserule_kernel::variables;

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
pub fn list(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, key: &str, locals: &Locals) -> Vec<Step> {
    let nodes = f.list(key);
    nodes.iter().filter_map(|node| step(desk, node, locals, f.problems())).collect()
}

/// Reads a list of steps that stands for itself.
pub fn nodes(desk: &LoadContext<'_>, nodes: &[TomlNode], locals: &Locals, problems: &mut Problems) -> Vec<Step> {
    nodes.iter().filter_map(|node| step(desk, node, locals, problems)).collect()
}

/// Reads what follows from each degree, below the key `on`.
pub fn by_degree(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, locals: &Locals) -> Vec<(DegreeId, Vec<Step>)> {
    let mut read = Vec::new();
    for child in f.table("on") {
        let phrase = Spanned { text: child.name.clone(), span: child.span };
        let degree = desk.id(&phrase, f.problems());
        let steps = match &child.node.body {
            NodeKind::List(steps) => nodes(desk, steps, locals, f.problems()),
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

fn step(desk: &LoadContext<'_>, node: &TomlNode, locals: &Locals, problems: &mut Problems) -> Option<Step> {
    let verb = verb(node, problems)?;
    let mut f = FieldReader::open(node, format!("step `{verb}`"), problems);
    let when = desk.field(&mut f, "when", ExpectedType::YesNo, locals);
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

fn verb(node: &TomlNode, problems: &mut Problems) -> Option<&'static str> {
    let Some(table) = node.as_table() else {
        if !matches!(node.body, NodeKind::Broken) {
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
        let near = houserule_kernel::error::nearest(wrong, VERBS.iter().chain(&BARE).copied());
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
fn whom(f: &mut FieldReader<'_, '_>, verb: &str) -> Who {
    let default = if matches!(verb, "damage" | "push") { Who::Target } else { Who::Bearer };
    let names: Vec<&str> = Who::WORDS.iter().map(|(word, _)| *word).collect();
    let (who, to) = (f.one_of("who", &names), f.one_of("to", &names));
    who.or(to).and_then(|at| Who::WORDS.get(at)).map_or(default, |(_, who)| *who)
}

fn id<I: Id>(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, key: &str) -> Option<I> {
    let phrase = f.required_text(key)?;
    desk.id(phrase, f.problems())
}

fn number(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, key: &str, locals: &Locals) -> Option<Formula> {
    let node = f.required(key)?;
    desk.formula(node, ExpectedType::Roll, locals, f.problems())
}

/// `add` or `set`, whichever is there.
fn amount(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, locals: &Locals) -> Option<(Formula, bool)> {
    let (add, set) = (f.node("add"), f.node("set"));
    match (add, set) {
        (Some(_), Some(set)) => {
            let problem =
                Problem::new("HR0210", set.span, "a step has one amount, and this one has both `add` and `set`");
            f.problems().push(problem.help("`add` changes what is there, `set` replaces it: keep one of the two"));
            None
        }
        (None, Some(set)) => Some((desk.formula(set, ExpectedType::Roll, locals, f.problems())?, true)),
        (Some(add), None) => Some((desk.formula(add, ExpectedType::Roll, locals, f.problems())?, false)),
        (None, None) => {
            f.required("add");
            None
        }
    }
}

fn deed(desk: &LoadContext<'_>, verb: &str, f: &mut FieldReader<'_, '_>, locals: &Locals) -> Option<Verb> {
    Some(match verb {
        "damage" => Verb::Damage(Box::new(blow(desk, f, locals)?)),
        "heal" => Verb::Heal { amount: number(desk, f, "heal", locals)?, pool: id(desk, f, "pool")? },
        "pool" => {
            let (pool, (amount, set)) = (id(desk, f, "pool"), amount(desk, f, locals)?);
            Verb::Pool { pool: pool?, amount, set }
        }
        "apply" => Verb::Apply(Box::new(apply(desk, f, locals)?)),
        "remove" => Verb::Borne { condition: id(desk, f, "remove")?, which: which(f), fate: ConditionChange::Remove },
        "raise" | "lower" => shift(desk, f, verb, locals)?,
        "suspend" | "resume" => {
            let stopped = spelled(f, "clock", &[("running", false), ("stopped", true)], false);
            let fate = if verb == "suspend" { ConditionChange::Suspend { stopped } } else { ConditionChange::Resume };
            Verb::Borne { condition: id(desk, f, verb)?, which: which(f), fate }
        }
        "extend" => extend(desk, f, locals)?,
        "sustain" => Verb::Sustain(id(desk, f, "sustain")?),
        "count" => {
            let (count, (amount, set)) = (id(desk, f, "count"), amount(desk, f, locals)?);
            Verb::Count { count: count?, amount, set }
        }
        "note" => {
            let (note, amount) = (id(desk, f, "note"), number(desk, f, "set", locals)?);
            Verb::Note { note: note?, amount }
        }
        "tag" | "untag" => Verb::Tag { tag: id(desk, f, verb)?, on: verb == "tag" },
        "check" => trial(desk, f, locals)?,
        _ => return event_deed(desk, verb, f, locals),
    })
}

fn event_deed(desk: &LoadContext<'_>, verb: &str, f: &mut FieldReader<'_, '_>, locals: &Locals) -> Option<Verb> {
    Some(match verb {
        "become" => Verb::Become(id(desk, f, "become")?),
        "bonus" => Verb::Bonus { amount: number(desk, f, "bonus", locals)? },
        "reroll" => Verb::Reroll(spelled(f, "reroll", &KeptRoll::WORDS, KeptRoll::New)),
        "prevent" => Verb::Prevent(id(desk, f, "prevent")?),
        "disrupt" => Verb::Disrupt(id(desk, f, "disrupt")?),
        "refuse" => Verb::Refuse(id(desk, f, "refuse")?),
        "event" => raise(desk, f, locals)?,
        "hook" => Verb::Hook(id(desk, f, "hook")?),
        "steps" => Verb::Steps(id(desk, f, "steps")?),
        "pick" => {
            let phrases = f.texts("pick");
            if let Some(TomlNode { body: NodeKind::List(list), span }) = f.node("pick")
                && list.is_empty()
            {
                let problem = Problem::new("HR0205", *span, "there is no list here that could be picked");
                f.problems().push(problem.help("name lists of steps, as in `pick = [\"calm\", \"storm\"]`"));
            }
            Verb::Pick(desk.ids(&phrases, f.problems()))
        }
        "push" => {
            let way = desk.field(f, "way", ExpectedType::Number, locals);
            Verb::Push { feet: number(desk, f, "push", locals)?, way }
        }
        "do" => {
            let with = spelled(f, "with", &Who::WORDS.map(|(word, who)| (word, Some(who))), None);
            Verb::Group(list(desk, f, "do", locals), with)
        }
        "say" => Verb::Say(id(desk, f, "say")?),
        "create" => Verb::Create(id(desk, f, "create")?),
        "give" => bare(f, "give", Verb::Give),
        "drop" => Verb::Drop(dropped(desk, f)?),
        "end" => bare(f, "end", Verb::End),
        "reduce" => Verb::Reduce(number(desk, f, "reduce", locals)?),
        _ => {
            f.required_text("initiative")?;
            Verb::Initiative { before: f.one_of("initiative", &["behind", "before"])? == 1 }
        }
    })
}

fn bare(f: &mut FieldReader<'_, '_>, key: &str, deed: Verb) -> Verb {
    f.yes(key, true);
    deed
}

fn shift(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, verb: &str, locals: &Locals) -> Option<Verb> {
    let condition = id(desk, f, verb)?;
    valueless(desk, f, verb, verb);
    let by = match f.node("by") {
        Some(node) => desk.formula(node, ExpectedType::Number, locals, f.problems())?,
        None => Formula::number(1),
    };
    let by = if verb == "raise" { by } else { negative(desk, &by, locals)? };
    Some(Verb::Borne { condition, which: which(f), fate: ConditionChange::Shift(by) })
}

fn negative(desk: &LoadContext<'_>, by: &Formula, locals: &Locals) -> Option<Formula> {
    let words = variables::Variables { lexicon: &desk.lexicon, locals, choices: &desk.choices };
    Formula::compile(&format!("-({})", by.text()), &words, ExpectedType::Number).ok()
}

/// `times = "2"`, or a list of multipliers.
fn multipliers(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, locals: &Locals) -> Vec<Formula> {
    let written = f.node("times");
    let mut multiplier = |node: &TomlNode| {
        let times = desk.formula(node, ExpectedType::Number, locals, f.problems())?;
        if times.constant().is_some_and(|times| times < 0) {
            let message = format!("damage cannot be dealt `{}` times", times.text());
            f.problems().push(Problem::new("HR0205", node.span, message).help("write a number from 0"));
        }
        Some(times)
    };
    match written.map(|node| (node, &node.body)) {
        Some((_, NodeKind::List(list))) => list.iter().filter_map(multiplier).collect(),
        Some((node, _)) => multiplier(node).into_iter().collect(),
        None => Vec::new(),
    }
}

/// Tells of a value that goes to a condition which has none.
fn valueless(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, verb: &str, what: &str) {
    let Some(phrase) = f.child(verb).and_then(|child| child.node.as_text()).cloned() else { return };
    if desk.has_value(&phrase) == Some(false) {
        let span = f.child(what).map_or(f.span(), |child| child.node.span);
        let message = format!("condition `{}` has no value", phrase.text);
        let help = format!("take `{what}` away, or add `value = {{ min = \"1\" }}` to `[condition.{}]`", phrase.text);
        f.problems().push(Problem::new("HR0205", span, message).help(help));
    }
}

/// `drop = true`, or the tag of what is dropped.
fn dropped(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>) -> Option<Option<TagId>> {
    let named = f.node("drop").is_some_and(|node| node.as_text().is_some());
    if named { id(desk, f, "drop").map(Some) } else { f.yes("drop", true).then_some(None) }
}

/// DamageDice of a named roll of the item, or written here.
fn dice_of(
    desk: &LoadContext<'_>,
    node: &TomlNode,
    f: &mut FieldReader<'_, '_>,
    locals: &Locals,
) -> Option<DamageDice> {
    let named = node.as_text().and_then(|phrase| phrase.text.strip_prefix("item."));
    match named.filter(|roll| roll.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')) {
        Some(roll) => Some(DamageDice::Item(roll.into())),
        None => desk.formula(node, ExpectedType::Roll, locals, f.problems()).map(DamageDice::Here),
    }
}

fn blow(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, locals: &Locals) -> Option<DamageStep> {
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
    let halved = desk.field(f, "halved", ExpectedType::YesNo, locals);
    let extra = match f.node("extra").map(|node| (node, &node.body)) {
        Some((_, NodeKind::List(list))) => list.iter().filter_map(|node| dice_of(desk, node, f, locals)).collect(),
        Some((node, _)) => dice_of(desk, node, f, locals).into_iter().collect(),
        None => Vec::new(),
    };
    let shared = f.yes("shared", false);
    Some(DamageStep { dice, bonus, times, kind, tags, stream, halved, extra, shared })
}

fn apply(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, locals: &Locals) -> Option<ApplyStep> {
    let condition = id(desk, f, "apply")?;
    let value = desk.field(f, "value", ExpectedType::Roll, locals);
    if value.is_some() {
        valueless(desk, f, "apply", "value");
    }
    let lasts = lasts(desk, f, locals);
    let mut notes = Vec::new();
    for child in f.table("notes") {
        let phrase = Spanned { text: child.name.clone(), span: child.span };
        let note = desk.id(&phrase, f.problems());
        let number = desk.formula(&child.node, ExpectedType::Roll, locals, f.problems());
        notes.extend(note.zip(number));
    }
    let toward = word(f, "toward");
    Some(ApplyStep { condition, value, lasts, notes, toward })
}

/// How long something lasts, as far as it is said: `rounds` and the other units,
/// and `until`.
pub(super) fn lasts(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, locals: &Locals) -> Vec<DurationSpec> {
    let lasts = more(desk, f, locals);
    for last in &lasts {
        let DurationSpec::For(unit, count) = last else { continue };
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
fn more(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, locals: &Locals) -> Vec<DurationSpec> {
    let mut lasts = Vec::new();
    for (key, unit) in Unit::WORDS {
        lasts.extend(desk.field(f, key, ExpectedType::Roll, locals).map(|count| DurationSpec::For(unit, count)));
    }
    for phrase in f.texts("until") {
        lasts.extend(until(desk, phrase, f.problems()));
    }
    lasts
}

fn extend(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, locals: &Locals) -> Option<Verb> {
    let (condition, which) = (id(desk, f, "extend"), which(f));
    let says = Unit::WORDS.iter().any(|(key, _)| f.child(key).is_some()) || f.child("until").is_some();
    let by = more(desk, f, locals);
    if !says {
        let problem = Problem::new("HR0210", f.span(), "this step does not say by how much it extends");
        f.problems().push(problem.help("add `rounds`, `minutes`, `hours`, `days`, or `until` with an event"));
    }
    Some(Verb::Borne { condition: condition?, which, fate: ConditionChange::Extend(by) })
}

fn word(f: &mut FieldReader<'_, '_>, key: &str) -> Option<Who> {
    spelled(f, key, &Who::WORDS.map(|(word, who)| (word, Some(who))), None)
}

fn which(f: &mut FieldReader<'_, '_>) -> InstanceSelector {
    InstanceSelector { from: word(f, "from"), toward: word(f, "toward") }
}

/// `turn.start`, `source turn.start`, or `3 source turn.start`.
fn until(desk: &LoadContext<'_>, phrase: &Spanned, problems: &mut Problems) -> Option<DurationSpec> {
    let words: Vec<&str> = phrase.text.split(' ').collect();
    let (event, before) = words.split_last()?;
    let at = phrase.text.len().saturating_sub(event.len());
    let named = Spanned { text: (*event).to_owned(), span: phrase.span.within(at, phrase.text.len()) };
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
    lasts.map(|(who, count)| DurationSpec::Until(who, event, count))
}

fn trial(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, locals: &Locals) -> Option<Verb> {
    let check = id(desk, f, "check")?;
    let dc = desk.field(f, "dc", ExpectedType::Number, locals);
    let on = by_degree(desk, f, &check_locals());
    Some(Verb::Check(Box::new(CheckStep { check, dc, on })))
}

fn raise(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, locals: &Locals) -> Option<Verb> {
    let event: EventId = id(desk, f, "event")?;
    let (mut fields, mut seats) = (Vec::new(), Vec::new());
    for (at, (name, kind)) in desk.event_locals(event).iter().enumerate() {
        if *kind == FieldType::Entity {
            seats.extend(u8::try_from(at).ok().zip(word(f, name)));
            continue;
        }
        let Some(node) = f.node(name) else { continue };
        let number = match (kind, node.as_text()) {
            (FieldType::Name(kind), Some(phrase)) => named(desk, *kind, phrase, f.problems()),
            (FieldType::YesNo, _) => desk.formula(node, ExpectedType::YesNo, locals, f.problems()),
            _ => desk.formula(node, ExpectedType::Number, locals, f.problems()),
        };
        fields.extend(u8::try_from(at).ok().zip(number));
    }
    Some(Verb::Raise { event, fields, seats })
}

fn named(desk: &LoadContext<'_>, kind: NameKind, phrase: &Spanned, problems: &mut Problems) -> Option<Formula> {
    let number = variables::number_of(&desk.lexicon, kind, phrase);
    if number.is_none() {
        problems.push(Problem::new("HR0203", phrase.span, format!("there is no {} `{}`", kind.word(), phrase.text)));
    }
    number.map(Formula::number)
}
