//! One act of a scenario, read from its lines: what is done, and what must come of it.

use crate::scenario_names::{ScenarioNames, each, one};
use crate::{Intent, Problem, Problems, Span};
use houserule_kernel::clock::Unit;
use houserule_kernel::ident::{ActionId, DegreeId, FactId};
use houserule_kernel::oracle::FixedRoll;
use houserule_loader::pack::{FieldReader, NodeKind, Spanned};
use std::collections::BTreeMap;

/// ActKind is done in one act.
#[derive(Clone, Debug, Default)]
pub enum ActKind {
    /// Nothing: only numbers are read.
    #[default]
    Nothing,
    /// An action.
    Do(Intent),
    /// An encounter begins with these, of whom those are aware.
    Begin(Option<Vec<String>>, Option<Vec<String>>),
    /// The next turn.
    Next,
    /// Time passes.
    Wait(Vec<(Unit, i32)>),
    /// The encounter ends.
    End,
    /// Somebody joins.
    Join(String),
    /// The acting creature waits behind another.
    Delay(String),
    /// A bare check.
    Check(String, Option<i32>),
    /// Steps of the game master.
    Run(String),
}

/// One act, and what must come of it.
#[derive(Clone, Debug, Default)]
pub struct ScenarioStep {
    /// ActKind is done.
    pub what: ActKind,
    /// Who does it.
    pub who: String,
    /// Against whom.
    pub target: Option<String>,
    /// ActKind is stated.
    pub facts: Vec<(String, i32)>,
    /// The faces of the dice; the table's own if there are none.
    pub tape: Option<Vec<FixedRoll>>,
    /// Answers to what is asked.
    pub answers: Vec<String>,
    /// The degrees of the checks, in order.
    pub expect: Option<Vec<String>>,
    /// The order of acting.
    pub order: Option<Vec<String>>,
    /// Whose turn it is afterwards.
    pub turn: Option<String>,
    /// Why it is refused.
    pub refused: Option<String>,
    /// Numbers afterwards, each with its line.
    pub after: Vec<(String, i32, Span)>,
    /// Where the act stands, or the row that changes it.
    pub place: Span,
    /// Where its fields stand.
    places: BTreeMap<&'static str, Span>,
}

/// The fields that say what is done, of which an act has one.
const DEEDS: [&str; 9] = ["do", "begin", "next", "end", "join", "delay", "wait", "check", "run"];

/// FieldReader that some deed reads, with the field that says the deed.
const BELONGS: [(&str, &str); 6] =
    [("with", "do"), ("and", "do"), ("to", "do"), ("via", "do"), ("aware", "begin"), ("dc", "check")];

/// FieldReader whose place is kept, for what does not come as they say.
const KEPT: [&str; 6] = ["tape", "answers", "expect", "order", "turn", "refused"];

impl ScenarioStep {
    /// Where a field stands; the act itself if it has none.
    pub(crate) fn at(&self, key: &str) -> Span {
        self.places.get(key).copied().unwrap_or(self.place)
    }

    /// Reads what an act says over what is known of it already.
    pub(crate) fn overlaid(mut self, mut f: FieldReader<'_, '_>, bill: &ScenarioNames<'_>) -> ScenarioStep {
        self.place = f.span();
        for key in KEPT {
            if let Some(child) = f.child(key) {
                self.places.insert(key, child.span);
            }
        }
        self.refused = one(&mut f, "refused", |text, problems| bill.refusal(text, problems)).or(self.refused);
        let lenient = ScenarioNames::expects_unknown(self.refused.as_deref());
        let person = |phrase: &Spanned, problems: &mut Problems| {
            if !lenient {
                bill.person(phrase, problems);
            }
        };
        self.who = one(&mut f, "who", person).unwrap_or(self.who);
        self.target = one(&mut f, "target", person).or(self.target);
        one_deed(&mut f);
        self.read_deed(&mut f, bill, lenient);
        self.read_rare(&mut f, bill);
        self.read_given(&mut f, bill);
        self.order = each(&mut f, "order", |name, problems| bill.person(name, problems)).or(self.order);
        self.turn = one(&mut f, "turn", |name, problems| bill.person(name, problems)).or(self.turn);
        self.read_after(&mut f, bill);
        self.tell_strays(&mut f);
        self.tell_idle(&mut f);
        f.close();
        self
    }

    /// ActKind is known beforehand, and the degrees that must come.
    fn read_given(&mut self, f: &mut FieldReader<'_, '_>, bill: &ScenarioNames<'_>) {
        if f.child("facts").is_some() {
            let facts = numbers(f, "facts", |fact, problems| bill.thing::<FactId>(fact, problems));
            self.facts = facts.into_iter().map(|(name, number, _)| (name, number)).collect();
        }
        self.tape = tape(f, bill).or(self.tape.take());
        self.answers = each(f, "answers", |_, _| {}).unwrap_or(std::mem::take(&mut self.answers));
        let expected = each(f, "expect", |degree, problems| bill.thing::<DegreeId>(degree, problems));
        self.expect = expected.or(self.expect.take());
    }

    fn read_after(&mut self, f: &mut FieldReader<'_, '_>, bill: &ScenarioNames<'_>) {
        if f.child("after").is_some() {
            for child in f.table("after") {
                bill.reading(child, f.problems());
            }
            self.after = numbers(f, "after", |_, _| {});
        }
    }

    /// An action, with what belongs to it.
    fn read_deed(&mut self, f: &mut FieldReader<'_, '_>, bill: &ScenarioNames<'_>, lenient: bool) {
        let named = |phrase: &Spanned, problems: &mut Problems| {
            if !lenient {
                bill.item(phrase, problems);
            }
        };
        let action = one(f, "do", |action, problems| {
            if !lenient {
                bill.thing::<ActionId>(action, problems);
            }
        });
        let (item, and) = (one(f, "with", named), one(f, "and", named));
        let to = crate::members::square(f, "to").map(|square| (square.x, square.y));
        let via = crate::members::squares(f, "via");
        match (&mut self.what, action) {
            (_, Some(action)) => self.what = ActKind::Do(Intent { item, and, to, via, ..Intent::new(&action) }),
            (ActKind::Do(intent), None) => {
                intent.item = item.or(intent.item.take());
                intent.to = to.or(intent.to);
                intent.and = and.or(intent.and.take());
                if !via.is_empty() {
                    intent.via = via;
                }
            }
            _ => {}
        }
    }

    fn read_rare(&mut self, f: &mut FieldReader<'_, '_>, bill: &ScenarioNames<'_>) {
        self.read_begin(f, bill);
        if f.yes("next", false) {
            self.what = ActKind::Next;
        }
        if f.yes("end", false) {
            self.what = ActKind::End;
        }
        for (key, make) in [("join", ActKind::Join as fn(String) -> ActKind), ("delay", ActKind::Delay)] {
            if let Some(name) = one(f, key, |name, problems| bill.person(name, problems)) {
                self.what = make(name);
            }
        }
        if let Some(node) = f.node("wait") {
            self.what = ActKind::Wait(wait(f.inside(node, "`wait`")));
        }
        let dc = f.int("dc");
        match (&mut self.what, one(f, "check", |check, problems| bill.check(check, problems))) {
            (_, Some(check)) => self.what = ActKind::Check(check, dc),
            (ActKind::Check(_, known), None) => *known = dc.or(*known),
            _ => {}
        }
        if let Some(node) = f.node("run") {
            bill.steps(node, f.problems());
            let written = bill.text.get(node.span.start as usize..node.span.end as usize).unwrap_or("[]");
            self.what = ActKind::Run(format!("do = {written}"));
        }
    }

    /// `begin = true`, or names in a list; `false` begins nothing.
    fn read_begin(&mut self, f: &mut FieldReader<'_, '_>, bill: &ScenarioNames<'_>) {
        match f.child("begin").map(|child| (&child.node, &child.node.body)) {
            Some((_, NodeKind::Yes(true))) => self.what = ActKind::Begin(None, None),
            Some((_, NodeKind::List(_))) => {
                let names = each(f, "begin", |name, problems| bill.person(name, problems));
                self.what = ActKind::Begin(names, None);
            }
            None | Some((_, NodeKind::Yes(false) | NodeKind::Broken)) => {}
            Some((node, body)) => {
                let name = if let NodeKind::Text(name) = body { name } else { "rook" };
                let message = format!("`begin` is `true` or a list of names, not {}", node.described());
                let help = format!("write `begin = [\"{name}\"]` with everybody who takes part");
                f.problems().push(Problem::new("HR0203", node.span, message).help(help));
            }
        }
        if let (Some(aware), ActKind::Begin(_, known)) =
            (each(f, "aware", |name, problems| bill.person(name, problems)), &mut self.what)
        {
            *known = Some(aware);
        }
    }

    /// Tells of fields that nothing reads, since the act does something else.
    fn tell_strays(&self, f: &mut FieldReader<'_, '_>) {
        let read = |deed: &str| match self.what {
            ActKind::Do(_) => deed == "do",
            ActKind::Begin(..) => deed == "begin",
            ActKind::Check(..) => deed == "check",
            _ => false,
        };
        for (key, deed) in BELONGS.iter().filter(|(_, deed)| !read(deed)) {
            if let Some(child) = f.child(key) {
                let problem = Problem::new("HR0205", child.span, format!("`{key}` means nothing without `{deed}`"));
                f.problems().push(problem.help(format!("add `{deed} = …`, or take `{key}` away")));
            }
        }
    }
}

impl ScenarioStep {
    /// Tells of a deed that nobody does, and of what must come of no deed.
    fn tell_idle(&self, f: &mut FieldReader<'_, '_>) {
        let deed = match self.what {
            ActKind::Do(_) => "do",
            ActKind::Check(..) => "check",
            ActKind::Run(_) => "run",
            ActKind::Nothing => return self.tell_vain(f),
            _ => return,
        };
        if self.who.is_empty() && f.child("who").is_none() {
            let problem = Problem::new("HR0202", f.span(), format!("nobody does what this act says with `{deed}`"));
            f.problems().push(problem.help("add `who = \"…\"`"));
        }
    }

    fn tell_vain(&self, f: &mut FieldReader<'_, '_>) {
        if DEEDS.iter().any(|deed| f.child(deed).is_some_and(|child| child.node.body != NodeKind::Yes(false))) {
            return;
        }
        for key in KEPT {
            if let Some(child) = f.child(key) {
                let problem = Problem::new("HR0205", child.span, format!("this act does nothing, so no `{key}` comes"));
                f.problems().push(problem.help("say what is done, such as `do = …`, or only look with `after`"));
            }
        }
    }
}

/// Tells of an act that says several deeds; `false` says none.
fn one_deed(f: &mut FieldReader<'_, '_>) {
    let mut said = Vec::new();
    for key in DEEDS {
        said.extend(
            f.child(key).filter(|child| child.node.body != NodeKind::Yes(false)).map(|child| (child.span, key)),
        );
    }
    said.sort_unstable();
    if let [(_, first), (span, second), ..] = said.as_slice() {
        let message = format!("an act does one thing, and this one says `{first}` and `{second}`");
        f.problems().push(Problem::new("HR0205", *span, message).help("make two acts of it"));
    }
}

fn wait(mut f: FieldReader<'_, '_>) -> Vec<(Unit, i32)> {
    let stretches = Unit::WORDS.iter().filter_map(|(key, unit)| Some((*unit, f.int(key)?))).collect();
    f.close();
    stretches
}

/// The faces of a tape, each read for itself.
fn tape(f: &mut FieldReader<'_, '_>, bill: &ScenarioNames<'_>) -> Option<Vec<FixedRoll>> {
    let child = f.child("tape")?;
    if let NodeKind::Text(text) = &child.node.body
        && text.split_whitespace().nth(1).is_some()
    {
        let faces: Vec<String> = text.split_whitespace().map(|face| format!("\"{face}\"")).collect();
        let problem = Problem::new("HR0702", text.span, "a tape of several faces is a list");
        f.problems().push(problem.help(format!("write `tape = [{}]`", faces.join(", "))));
        return None;
    }
    let phrases = f.texts("tape");
    Some(phrases.iter().filter_map(|phrase| bill.face(phrase, f.problems())).collect())
}

fn numbers(f: &mut FieldReader<'_, '_>, key: &str, read: impl Fn(&Spanned, &mut Problems)) -> Vec<(String, i32, Span)> {
    let mut numbers = Vec::new();
    for child in f.table(key) {
        read(&Spanned { text: child.name.clone(), span: child.span }, f.problems());
        match child.node.body {
            NodeKind::Int(number) => numbers.push((child.name.clone(), number, child.span)),
            NodeKind::Yes(answer) => numbers.push((child.name.clone(), i32::from(answer), child.span)),
            NodeKind::Broken => {}
            _ => f.problems().push(Problem::new(
                "HR0203",
                child.node.span,
                format!("`{}` must be a number, `true` or `false`, not {}", child.name, child.node.described()),
            )),
        }
    }
    numbers
}
