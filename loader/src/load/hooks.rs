//! Reads hooks of data and of scripts, and puts them into their order.

use super::context::*;
use super::steps;
use crate::pack::{FieldReader, Merged, Spanned, TomlEntry, TomlNode};
use crate::problems::Problems;
use houserule_kernel::error::{Problem, Span};
use houserule_kernel::event::{EventShape, FieldType, HIT_FIELDS, KERNEL_EVENTS, PHASE_FIELDS, open_fields};
use houserule_kernel::formula::ExpectedType;
use houserule_kernel::ident::*;
use houserule_kernel::ruleset::{Hook, HookBody};
use houserule_kernel::script::{Declaration, Declared};
use houserule_kernel::variables;
use std::collections::{BTreeMap, BTreeSet};

/// The shapes of all events, in the order of their ids.
pub fn shapes(merged: &Merged, lexicon: &Lexicon, problems: &mut Problems) -> Vec<EventShape> {
    lexicon.names(NameKind::Event).iter().map(|name| shape(merged, name, problems)).collect()
}

fn shape(merged: &Merged, name: &str, problems: &mut Problems) -> EventShape {
    let own = |fields: &[(&str, FieldType)]| fields.iter().map(|(name, field)| ((*name).into(), *field)).collect();
    if let Some((_, fields, before)) = KERNEL_EVENTS.iter().find(|(known, ..)| *known == name) {
        return EventShape { fields: own(fields), before: *before, open: open_fields(name) };
    }
    if name.starts_with("damage/") {
        return EventShape { fields: own(HIT_FIELDS), before: true, open: open_fields(name) };
    }
    match merged.find("event", name) {
        Some(child) => declared_shape(child, problems),
        None => EventShape { fields: own(PHASE_FIELDS), before: false, open: 0 },
    }
}

fn declared_shape(child: &TomlEntry, problems: &mut Problems) -> EventShape {
    let mut f = FieldReader::open(&child.node, format!("event `{}`", child.name), problems);
    f.text("about");
    let before = f.yes("before", false);
    let mut fields: Vec<(Box<str>, FieldType)> = Vec::new();
    for field in f.table("fields") {
        let kind = field.node.as_text().and_then(|phrase| field_kind(&phrase.text));
        match kind {
            Some(kind) if fields.len() < houserule_kernel::event::MOST_FIELDS => {
                fields.push((field.name.as_str().into(), kind))
            }
            Some(_) => f.problems().push(Problem::new("HR0205", field.span, "an event has eight fields at most")),
            None => f.problems().push(
                Problem::new("HR0204", field.node.span, "this is no kind of field")
                    .help("use `number`, `yes_no`, `entity`, or a kind such as `pool` or `condition`"),
            ),
        }
    }
    f.close();
    EventShape { fields, before, open: u8::MAX }
}

fn field_kind(word: &str) -> Option<FieldType> {
    match word {
        "number" => Some(FieldType::Number),
        "yes_no" => Some(FieldType::YesNo),
        "entity" => Some(FieldType::Entity),
        _ => NameKind::ALL.iter().find(|kind| kind.word() == word).map(|kind| FieldType::Name(*kind)),
    }
}

/// A hook that still has to find its place.
struct UnplacedHook {
    event: EventId,
    name: String,
    hook: Hook,
    before: Vec<String>,
    after: Vec<String>,
    priority: i32,
    span: Span,
}

/// All hooks, by event, in the order in which they run.
pub fn hooks(
    desk: &LoadContext<'_>,
    declared: &[(usize, Declaration)],
    problems: &mut Problems,
) -> IdVec<EventId, Vec<Hook>> {
    let mut candidates: Vec<UnplacedHook> =
        desk.merged.kind("hook").iter().filter_map(|child| data_hook(desk, child, problems)).collect();
    for (language, place, declaration) in numbered(declared) {
        if declaration.deed == Declared::On {
            candidates.extend(script_hook(desk, language, place, declaration, problems));
        }
    }
    wrap_and_mute(desk, declared, &mut candidates, problems);
    let mut by_event: BTreeMap<EventId, Vec<UnplacedHook>> = BTreeMap::new();
    candidates.into_iter().for_each(|candidate| by_event.entry(candidate.event).or_default().push(candidate));
    let names = desk.lexicon.names(NameKind::Event);
    let things = (0..names.len()).map(|at| {
        let event = EventId::new(u16::try_from(at).unwrap_or(u16::MAX));
        in_order(by_event.remove(&event).unwrap_or_default(), problems)
    });
    let things = things.collect();
    IdVec::new(things)
}

/// Declarations with their language, and their number among those of that
/// language.
fn numbered(declared: &[(usize, Declaration)]) -> impl Iterator<Item = (usize, usize, &Declaration)> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    declared.iter().map(move |(language, declaration)| {
        let count = counts.entry(*language).or_default();
        *count += 1;
        (*language, *count - 1, declaration)
    })
}

fn data_hook(desk: &LoadContext<'_>, child: &TomlEntry, problems: &mut Problems) -> Option<UnplacedHook> {
    let mut f = FieldReader::open(&child.node, format!("hook `{}`", child.name), problems);
    f.text("about");
    // without the event nobody knows which words its questions may use
    let event: EventId = f.required_text("on").and_then(|phrase| desk.id(phrase, f.problems()))?;
    let locals = desk.event_locals(event);
    let mut filters = Vec::new();
    for (at, (name, field)) in locals.iter().enumerate() {
        let FieldType::Name(kind) = field else { continue };
        if let Some(phrase) = f.text(name) {
            filters.extend(filter(desk, at, *kind, phrase, f.problems()));
        }
    }
    let when = desk.field(&mut f, "when", ExpectedType::YesNo, &locals);
    let everybody = f.one_of("bearer", &["everybody"]).is_some();
    let steps = steps::list(desk, &mut f, "do", &locals);
    let names = |f: &mut FieldReader<'_, '_>, key: &str| {
        let phrases = f.texts(key);
        desk.ids::<HookId>(&phrases, f.problems());
        phrases.into_iter().map(|phrase| phrase.text.clone()).collect()
    };
    let (before, after) = (names(&mut f, "before"), names(&mut f, "after"));
    let priority = f.int("priority").unwrap_or(0);
    let skip = f.one_of("on_error", &["stop", "skip"]) == Some(1);
    f.close();
    let rule = desk.rule(&format!("hook.{}", child.name));
    let hook = Hook { rule, filters, when, everybody, body: HookBody::Steps(steps), skip, muted: None };
    Some(UnplacedHook { event, name: child.name.clone(), hook, before, after, priority, span: child.span })
}

fn filter(
    desk: &LoadContext<'_>,
    at: usize,
    kind: NameKind,
    phrase: &Spanned,
    problems: &mut Problems,
) -> Option<(u8, i32)> {
    let number = variables::number_of(&desk.lexicon, kind, phrase);
    if number.is_none() {
        let names = desk.lexicon.names(kind);
        let near = problems
            .nearest(phrase.span, phrase, names.iter().map(AsRef::as_ref))
            .map(|near| format!("did you mean `{near}`?"));
        let problem = Problem::new("HR0203", phrase.span, format!("there is no {} `{}`", kind.word(), phrase.text));
        problems.push(Problem { help: near, ..problem });
    }
    u8::try_from(at).ok().zip(number)
}

/// A text of a script, standing at its declaration.
fn said(declaration: &Declaration, text: &str) -> Spanned {
    Spanned { text: text.to_owned(), span: declaration.span }
}

fn script_hook(
    desk: &LoadContext<'_>,
    language: usize,
    place: usize,
    declaration: &Declaration,
    problems: &mut Problems,
) -> Option<UnplacedHook> {
    let event: EventId = desk.id(&said(declaration, &declaration.event), problems)?;
    let locals = desk.event_locals(event);
    let mut filters = Vec::new();
    for (name, value) in &declaration.filters {
        let at = locals.iter().position(|(local, field)| **local == **name && matches!(field, FieldType::Name(_)));
        match at.and_then(|at| locals.get(at).map(|(_, field)| (at, *field))) {
            Some((at, FieldType::Name(kind))) => {
                filters.extend(filter(desk, at, kind, &said(declaration, value), problems))
            }
            _ => problems.push(Problem::new(
                "HR0201",
                said(declaration, name).span,
                format!("`{}` has no field `{name}` to choose by", declaration.event),
            )),
        }
    }
    let when = declaration
        .when
        .as_ref()
        .and_then(|text| formula(desk, declaration, text, ExpectedType::YesNo, &locals, problems));
    let reads = declaration.reads.as_ref().map(|words| {
        words
            .iter()
            .filter_map(|word| formula(desk, declaration, word, ExpectedType::Number, &locals, problems))
            .collect()
    });
    let shape = desk.events.get(usize::from(event.number()))?;
    let writes = declaration.writes.iter().filter_map(|word| written(declaration, word, shape, problems)).collect();
    let body = HookBody::Script { language, hook: place, reads, writes, inner: None };
    let rule = desk.rule(&format!("hook.{}", declaration.name));
    let hook =
        Hook { rule, filters, when, everybody: declaration.everybody, body, skip: declaration.skip, muted: None };
    let span = said(declaration, "").span;
    let (before, after) = (declaration.before.clone(), declaration.after.clone());
    for name in before.iter().chain(&after) {
        desk.id::<HookId>(&said(declaration, name), problems);
    }
    Some(UnplacedHook {
        event,
        name: declaration.name.clone(),
        hook,
        before,
        after,
        priority: declaration.priority,
        span,
    })
}

fn formula(
    desk: &LoadContext<'_>,
    declaration: &Declaration,
    text: &str,
    want: ExpectedType,
    locals: &Locals,
    problems: &mut Problems,
) -> Option<houserule_kernel::situation::Formula> {
    let phrase = said(declaration, text);
    let node = TomlNode { span: phrase.span, body: crate::pack::NodeKind::Text(phrase) };
    desk.formula(&node, want, locals, problems)
}

fn written(declaration: &Declaration, word: &str, shape: &EventShape, problems: &mut Problems) -> Option<u8> {
    let at = shape.fields.iter().position(|(local, _)| **local == *word).and_then(|at| u8::try_from(at).ok());
    let event = &declaration.event;
    let wrong = match at {
        None => format!("`{event}` has no field `{word}` to write"),
        Some(_) if !shape.before => format!("`{event}` tells what has happened; its fields cannot be written"),
        Some(at) if !shape.is_open(at) => format!("`{word}` of `{event}` can be read, not written"),
        at => return at,
    };
    let open = shape.open_names().collect::<Vec<_>>().join("`, `");
    let mut problem = Problem::new("HR0201", said(declaration, word).span, wrong);
    problem.help = (!open.is_empty()).then(|| format!("a hook may write `{open}` there"));
    problems.push(problem);
    None
}

/// Puts wrappers around the hooks they name, and silences the muted.
fn wrap_and_mute(
    desk: &LoadContext<'_>,
    declared: &[(usize, Declaration)],
    candidates: &mut [UnplacedHook],
    problems: &mut Problems,
) {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        places.entry(candidate.name.clone()).or_insert(at);
    }
    for (language, place, declaration) in numbered(declared).filter(|(.., declared)| declared.deed != Declared::On) {
        let found = places.get(&declaration.name).and_then(|at| candidates.get_mut(*at));
        let Some(found) = found else {
            desk.tell_unknown::<HookId>(&said(declaration, &declaration.name), problems);
            continue;
        };
        match declaration.deed {
            Declared::Mute => found.hook.muted = Some(declaration.because.clone().unwrap_or_default().into()),
            _ => wrap(language, place, &mut found.hook),
        }
    }
}

fn wrap(language: usize, hook: usize, around: &mut Hook) {
    let inner = std::mem::replace(&mut around.body, HookBody::Steps(Vec::new()));
    let (reads, writes) = match &inner {
        HookBody::Script { reads, writes, .. } => (reads.clone(), writes.clone()),
        HookBody::Steps(_) => (None, Vec::new()),
    };
    around.body = HookBody::Script { language, hook, reads, writes, inner: Some(Box::new(inner)) };
}

/// Sorts the hooks of one event: names before and after first, then priority,
/// then the place where they were written.
fn in_order(mut candidates: Vec<UnplacedHook>, problems: &mut Problems) -> Vec<Hook> {
    candidates
        .sort_by(|one, other| (-one.priority, one.span, &one.name).cmp(&(-other.priority, other.span, &other.name)));
    let mut queue = Queue::of(&candidates);
    let mut places = Vec::new();
    while let Some((at, is_free)) = queue.next() {
        if !is_free {
            problems.extend(candidates.get(at).map(circle));
        }
        places.push(at);
    }
    let mut hooks: Vec<Option<Hook>> = candidates.into_iter().map(|candidate| Some(candidate.hook)).collect();
    places.into_iter().filter_map(|at| hooks.get_mut(at)?.take()).collect()
}

/// Hooks that wait for others, by their places.
struct Queue {
    /// Those that wait for each.
    behind: Vec<Vec<usize>>,
    /// For how many each waits still.
    waits: Vec<usize>,
    free: BTreeSet<usize>,
    left: BTreeSet<usize>,
}

impl Queue {
    fn of(candidates: &[UnplacedHook]) -> Queue {
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, candidate) in candidates.iter().enumerate() {
            places.entry(&candidate.name).or_default().push(at);
        }
        let named = |name: &String| places.get(name.as_str()).into_iter().flatten().copied();
        let (mut behind, mut waits) = (vec![Vec::new(); candidates.len()], vec![0; candidates.len()]);
        for (at, candidate) in candidates.iter().enumerate() {
            let after = candidate.after.iter().flat_map(named).map(|first| (first, at));
            let before = candidate.before.iter().flat_map(named).map(|second| (at, second));
            let others = after.chain(before).filter(|(first, second)| {
                candidates.get(*first).map(|one| &one.name) != candidates.get(*second).map(|one| &one.name)
            });
            for (first, second) in others.collect::<BTreeSet<_>>() {
                behind.get_mut(first).into_iter().for_each(|list: &mut Vec<usize>| list.push(second));
                waits.get_mut(second).into_iter().for_each(|count| *count += 1);
            }
        }
        let free = waits.iter().enumerate().filter(|(_, count)| **count == 0).map(|(at, _)| at).collect();
        Queue { behind, waits, free, left: (0..candidates.len()).collect() }
    }

    /// The first that waits for nobody; if all wait, the first of them, and no.
    fn next(&mut self) -> Option<(usize, bool)> {
        let free = self.free.pop_first();
        let at = free.or_else(|| self.left.first().copied())?;
        self.left.remove(&at);
        for second in self.behind.get_mut(at).map(std::mem::take).unwrap_or_default() {
            let count = self.waits.get_mut(second)?;
            *count = count.saturating_sub(1);
            if *count == 0 && self.left.contains(&second) {
                self.free.insert(second);
            }
        }
        Some((at, free.is_some()))
    }
}

fn circle(candidate: &UnplacedHook) -> Problem {
    Problem::new(
        "HR0206",
        candidate.span,
        format!("hook `{}` waits for itself by way of `before` and `after`", candidate.name),
    )
    .help("take one of the names out of the circle")
}

/// The hooks that can be called by name.
pub fn named(desk: &LoadContext<'_>, hooks: &IdVec<EventId, Vec<Hook>>) -> IdVec<HookId, Option<(EventId, usize)>> {
    let mut places: BTreeMap<RuleId, (EventId, usize)> = BTreeMap::new();
    for (event, list) in hooks.iter() {
        for (at, hook) in list.iter().enumerate() {
            places.entry(hook.rule).or_insert((event, at));
        }
    }
    desk.shelf(|name, _| places.get(&desk.rule(&format!("hook.{name}"))).copied())
}
