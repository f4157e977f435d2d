//! Reads conditions, checks, damage, actions and reactions.

use super::context::*;
use super::numbers::{modifiers, spelled};
use super::steps;
use crate::pack::limits::MOST_DEGREES;
use crate::pack::{FieldReader, NodeKind, Spanned, TomlEntry, TomlNode};
use crate::problems::Problems;
use houserule_kernel::action::*;
use houserule_kernel::check::*;
use houserule_kernel::condition::*;
use houserule_kernel::damage::*;
use houserule_kernel::error::{Problem, Span};
use houserule_kernel::event::FieldType;
use houserule_kernel::formula::ExpectedType;
use houserule_kernel::ident::*;
use houserule_kernel::ruleset::Ruleset;
use houserule_kernel::situation::{Formula, Who};

/// Reads the conditions.
pub fn conditions(desk: &LoadContext<'_>, problems: &mut Problems) -> IdVec<ConditionId, Condition> {
    desk.shelf(|name, node| {
        let owner = format!("condition.{name}");
        let mut condition = blank(desk.rule(&owner));
        let Some(node) = node else { return condition };
        let locals = numbers(&["value"]);
        let mut f = FieldReader::open(node, format!("condition `{name}`"), problems);
        f.text("about");
        condition.span = f.span();
        if let Some(tag) = desk.merged.find("tag", name) {
            f.problems().push(named_twice(name, tag.span, condition.span));
        }
        condition.tags = desk.tags(&mut f, "tags");
        value_range(desk, &mut f, &mut condition);
        condition.again = again(desk, &mut f);
        let (implies, overrides) = (f.texts("implies"), f.texts("overrides"));
        condition.implies = desk.ids(&implies, f.problems());
        condition.overrides = desk.ids(&overrides, f.problems());
        condition.unless = desk.field(&mut f, "unless", ExpectedType::YesNo, &Locals::new());
        condition.standing = standing_question(desk, &mut f);
        condition.sticky = sticky(desk, &mut f, condition.standing.is_some());
        condition.group = f.text("group").and_then(|phrase| desk.id(phrase, f.problems()));
        condition.of = desk.tags(&mut f, "of");
        condition.forbids = desk.tags(&mut f, "forbids");
        condition.only = desk.tags(&mut f, "only");
        condition.modifiers = modifiers(desk, &owner, &mut f, &locals);
        condition.ticks =
            f.table("tick").into_iter().filter_map(|child| tick(desk, &owner, child, &locals, f.problems())).collect();
        condition.gates =
            f.table("gate").into_iter().filter_map(|child| gate(desk, &owner, child, f.problems())).collect();
        condition.start = begin_or_end(desk, &mut f, "start", &locals);
        condition.end = begin_or_end(desk, &mut f, "end", &locals);
        f.close();
        condition
    })
}

/// A tag and a condition of one name, told where the later of them stands.
fn named_twice(name: &str, tag: Span, condition: Span) -> Problem {
    let other = if tag > condition { "condition" } else { "tag" };
    let message = format!("`{name}` is a {other} already, and `has {name}` could mean either");
    Problem::new("HR0205", tag.max(condition), message).help("give one of them another name")
}

fn blank(rule: RuleId) -> Condition {
    Condition {
        rule,
        tags: IdSet::default(),
        least: None,
        most: None,
        again: Vec::new(),
        implies: Vec::new(),
        overrides: Vec::new(),
        unless: None,
        standing: None,
        sticky: None,
        group: None,
        of: IdSet::default(),
        forbids: IdSet::default(),
        only: IdSet::default(),
        modifiers: Vec::new(),
        ticks: Vec::new(),
        gates: Vec::new(),
        start: Vec::new(),
        end: Vec::new(),
        span: Span::default(),
    }
}

/// The question of a standing condition, which reads only the bearer and what it
/// holds: the table asks it again when those change, and at no other time.
fn standing_question(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>) -> Option<Formula> {
    let place = f.node("while").map(crate::pack::TomlNode::inner_span);
    let question = desk.field(f, "while", ExpectedType::YesNo, &Locals::new());
    let asks_elsewhere = question.as_ref().is_some_and(|question| question.reads().any(|slot| !slot.is_of_bearer()));
    if let (Some(span), true) = (place, asks_elsewhere) {
        let problem = Problem::new("HR0207", span, "a standing condition may ask about its bearer alone");
        f.problems()
            .push(problem.help("read stats, pools, counts, notes, tags and conditions of the bearer, and options"));
    }
    question
}

/// `sticky = true`, or how long it lasts: `sticky = { rounds = "3" }`.
fn sticky(
    desk: &LoadContext<'_>,
    f: &mut FieldReader<'_, '_>,
    stands: bool,
) -> Option<Vec<houserule_kernel::step::DurationSpec>> {
    let node = f.child("sticky").map(|child| &child.node)?;
    if !stands {
        let problem =
            Problem::new("HR0207", node.span, "only a condition with `while` begins by itself and can be sticky");
        f.problems().push(problem.help("add `while`, or take `sticky` away"));
    }
    if node.as_table().is_none() {
        return f.yes("sticky", false).then(Vec::new);
    }
    let node = f.node("sticky")?;
    let mut inner = f.inside(node, "a condition's `sticky`");
    let lasts = steps::lasts(desk, &mut inner, &Locals::new());
    inner.close();
    Some(lasts)
}

fn value_range(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, condition: &mut Condition) {
    let Some(node) = f.node("value") else { return };
    let mut inner = f.inside(node, "a condition's `value`");
    condition.least = desk.field(&mut inner, "min", ExpectedType::Number, &Locals::new());
    condition.most = desk.field(&mut inner, "max", ExpectedType::Number, &Locals::new());
    inner.close();
    condition.least.get_or_insert_with(|| Formula::number(1));
}

/// `again = { value = "all" }`, or a list of ways with the question when each is
/// taken.
fn again(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>) -> Vec<(Option<Formula>, ReapplyRules)> {
    let Some(node) = f.node("again") else { return Vec::new() };
    let mut read = |node: &TomlNode| {
        let mut inner = f.inside(node, "a condition's `again`");
        let when = desk.field(&mut inner, "when", ExpectedType::YesNo, &Locals::new());
        let value = spelled(&mut inner, "value", &Reapply::WORDS, Reapply::Most);
        let time = spelled(&mut inner, "time", &Reapply::TIMES, Reapply::Most);
        inner.close();
        (when, ReapplyRules { value, time })
    };
    let ways: Vec<(Option<Formula>, ReapplyRules)> = match &node.body {
        NodeKind::List(ways) => ways.iter().map(&mut read).collect(),
        _ => vec![read(node)],
    };
    let has = |value: Reapply| ways.iter().any(|(_, repeat)| repeat.value == value);
    if has(Reapply::All) && has(Reapply::PerSource) {
        let message = "of what is kept either each counts or the strongest, not now one and now the other";
        f.problems().push(Problem::new("HR0207", node.span, message).help("use `all` or `per-source`, not both"));
    }
    ways
}

fn begin_or_end(
    desk: &LoadContext<'_>,
    f: &mut FieldReader<'_, '_>,
    key: &str,
    locals: &Locals,
) -> Vec<houserule_kernel::step::Step> {
    let Some(node) = f.node(key) else { return Vec::new() };
    let mut inner = f.inside(node, format!("a condition's `{key}`"));
    let steps = steps::list(desk, &mut inner, "do", locals);
    inner.close();
    steps
}

fn tick(
    desk: &LoadContext<'_>,
    owner: &str,
    child: &TomlEntry,
    locals: &Locals,
    problems: &mut Problems,
) -> Option<Tick> {
    let rule = format!("{owner}.tick.{}", child.name);
    let mut f = FieldReader::open(&child.node, format!("`{rule}`"), problems);
    f.text("about");
    let at = f.required_text("at").and_then(|phrase| desk.id(phrase, f.problems()));
    let source = spelled(&mut f, "whose", &[("bearer", false), ("source", true)], false);
    let when = desk.field(&mut f, "when", ExpectedType::YesNo, locals);
    let steps = steps::list(desk, &mut f, "do", locals);
    f.close();
    Some(Tick { rule: desk.rule(&rule), at: at?, source, when, steps })
}

fn gate(desk: &LoadContext<'_>, owner: &str, child: &TomlEntry, problems: &mut Problems) -> Option<Gate> {
    let rule = format!("{owner}.gate.{}", child.name);
    let mut f = FieldReader::open(&child.node, format!("`{rule}`"), problems);
    f.text("about");
    let check = f.required_text("check").and_then(|phrase| desk.id(phrase, f.problems()));
    let dc = desk.field(&mut f, "dc", ExpectedType::Number, &Locals::new());
    let before = desk.tags(&mut f, "before");
    let pass = f.texts("pass");
    let pass = desk.ids(&pass, f.problems());
    f.close();
    Some(Gate { rule: desk.rule(&rule), check: check?, dc, before, pass })
}

/// Reads the checks.
pub fn checks(desk: &LoadContext<'_>, problems: &mut Problems) -> IdVec<CheckId, Check> {
    desk.shelf(|name, node| {
        let rule = desk.rule(&format!("check.{name}"));
        let stream = desk.lexicon.find(name).or_else(|| desk.lexicon.find("roll")).unwrap_or(StreamId::new(0));
        let mut check = Check {
            rule,
            roll: Formula::number(0),
            stream,
            bonus: Vec::new(),
            against: Vec::new(),
            degrees: Vec::new(),
            cases: Vec::new(),
            shifts: Vec::new(),
            secret: false,
            span: Span::default(),
        };
        let Some(node) = node else { return check };
        let mut f = FieldReader::open(node, format!("check `{name}`"), problems);
        f.text("about");
        check.span = f.span();
        if let Some(roll) =
            f.required("roll").and_then(|node| desk.formula(node, ExpectedType::Roll, &Locals::new(), f.problems()))
        {
            check.roll = roll;
        }
        check.stream = f.text("stream").and_then(|phrase| desk.id(phrase, f.problems())).unwrap_or(stream);
        check.bonus = choices(desk, &mut f, "bonus");
        check.against = choices(desk, &mut f, "against");
        let degrees = at_most(f.texts("degrees"), MOST_DEGREES, "degrees of a check", f.problems());
        check.degrees = desk.ids(&degrees, f.problems());
        if degrees.is_empty() {
            f.required("degrees");
        }
        for (at, phrase) in degrees.iter().enumerate() {
            if degrees.iter().take(at).any(|other| other.text == phrase.text) {
                let message = format!("check `{name}` has the degree `{}` twice", phrase.text);
                f.problems()
                    .push(Problem::new("HR0205", phrase.span, message).help("name each degree once, worst first"));
            }
        }
        cases(desk, name, &mut f, &mut check);
        check.shifts =
            f.table("shift").into_iter().filter_map(|child| shift(desk, name, child, f.problems())).collect();
        check.secret = f.yes("secret", false);
        f.close();
        check
    })
}

/// No more of a list than there may be; the first beyond that is told.
pub(super) fn at_most<'a>(
    mut phrases: Vec<&'a Spanned>,
    most: usize,
    what: &str,
    problems: &mut Problems,
) -> Vec<&'a Spanned> {
    if let Some(first) = phrases.get(most) {
        let message = format!("there are more than {most} {what}");
        problems.push(Problem::new("HR0205", first.span, message).help("take some of them away"));
        phrases.truncate(most);
    }
    phrases
}

fn choices(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, key: &str) -> Vec<Alternative> {
    let Some(node) = f.node(key) else { return Vec::new() };
    let NodeKind::List(list) = &node.body else {
        return figure(desk, node, f.problems()).map(|figure| Alternative { when: None, figure }).into_iter().collect();
    };
    let read = |node: &TomlNode| {
        let mut inner = FieldReader::open(node, format!("a choice of `{key}`"), f.problems());
        let when = desk.field(&mut inner, "when", ExpectedType::YesNo, &Locals::new());
        let chosen = inner.required("use").and_then(|node| figure(desk, node, inner.problems()));
        inner.close();
        Some(Alternative { when, figure: chosen? })
    };
    list.iter().filter_map(read).collect()
}

/// A stat keeps its tally; anything else is a plain number.
fn figure(desk: &LoadContext<'_>, node: &TomlNode, problems: &mut Problems) -> Option<Operand> {
    if let Some(phrase) = node.as_text() {
        if phrase.text == "given" {
            return Some(Operand::Given);
        }
        if let Some(stat) = stat_of(desk, phrase) {
            return Some(stat);
        }
    }
    desk.formula(node, ExpectedType::Number, &numbers(&["given"]), problems).map(Operand::Plain)
}

fn stat_of(desk: &LoadContext<'_>, phrase: &Spanned) -> Option<Operand> {
    let words: Vec<&str> = phrase.text.split('.').collect();
    let (who, words) = match words.split_first() {
        Some((first, rest)) if Who::find(first).is_some() => (Who::find(first)?, rest.to_vec()),
        _ => (Who::Bearer, words),
    };
    match words.as_slice() {
        [stat] => Some(Operand::Stat(who, desk.lexicon.find(stat)?, None)),
        [stat, view] => Some(Operand::Stat(who, desk.lexicon.find(stat)?, Some(desk.lexicon.find(view)?))),
        _ => None,
    }
}

/// Cases in the order in which they are tried, best degree first.
fn cases(desk: &LoadContext<'_>, name: &str, f: &mut FieldReader<'_, '_>, check: &mut Check) {
    for child in f.table("case") {
        let phrase = Spanned { text: child.name.clone(), span: child.span };
        let degree: Option<DegreeId> = desk.lexicon.find(&child.name);
        let place = degree.and_then(|degree| check.degrees.iter().position(|known| *known == degree));
        if place.is_none() {
            let told = no_degree(desk, name, &phrase, &check.degrees);
            f.problems().push(told);
        }
        let mut inner = f.inside(&child.node, format!("case `{}`", child.name));
        inner.text("about");
        let when = desk.field(&mut inner, "when", ExpectedType::YesNo, &check_locals());
        inner.close();
        if let Some(degree) = degree.filter(|_| place.is_some()) {
            check.cases.push(Case { rule: desk.rule(&format!("check.{name}.case.{}", child.name)), degree, when });
        }
    }
    let place = |degree: DegreeId| check.degrees.iter().position(|known| *known == degree);
    check.cases.sort_by_key(|case| std::cmp::Reverse(place(case.degree)));
}

fn no_degree(desk: &LoadContext<'_>, check: &str, phrase: &Spanned, degrees: &[DegreeId]) -> Problem {
    let names: Vec<&str> = degrees.iter().map(|degree| desk.lexicon.name(*degree)).collect();
    let near = houserule_kernel::error::nearest(&phrase.text, names.iter().copied());
    let help =
        near.map_or_else(|| "add it to `degrees`, worst first".to_owned(), |near| format!("did you mean `{near}`?"));
    let has = if names.is_empty() { "none".to_owned() } else { format!("`{}`", names.join("`, `")) };
    Problem::new("HR0204", phrase.span, format!("`{check}` has no degree `{}`; it has {has}", phrase.text))
        .label("unknown degree")
        .help(help)
}

fn shift(desk: &LoadContext<'_>, check: &str, child: &TomlEntry, problems: &mut Problems) -> Option<Shift> {
    let rule = format!("check.{check}.shift.{}", child.name);
    let mut f = FieldReader::open(&child.node, format!("`{rule}`"), problems);
    f.text("about");
    let when = desk.field(&mut f, "when", ExpectedType::YesNo, &check_locals());
    let by = f.required("by").and_then(|node| desk.formula(node, ExpectedType::Number, &check_locals(), f.problems()));
    f.close();
    Some(Shift { rule: desk.rule(&rule), when, by: by? })
}

/// Whether `[damage]` names pools that damage goes into.
pub fn deals(merged: &crate::pack::Merged) -> bool {
    let pools = merged.single("damage").and_then(|child| child.node.as_table()?.get("pools"));
    pools.is_some_and(|pools| !matches!(&pools.node.body, NodeKind::List(list) if list.is_empty()))
}

/// Reads `[damage]`.
pub fn dealing(desk: &LoadContext<'_>, problems: &mut Problems) -> DamageRules {
    let mut dealing = DamageRules { multiply: Vec::new(), stages: Vec::new(), pools: Vec::new() };
    let Some(child) = desk.merged.single("damage") else { return dealing };
    let mut f = FieldReader::open(&child.node, "`damage`", problems);
    f.text("about");
    dealing.multiply = multiply(desk, &mut f);
    let stages: Vec<DamageStage> =
        f.table("stage").into_iter().filter_map(|child| stage(desk, child, f.problems())).collect();
    for phrase in at_most(f.texts("order"), MOST_DEGREES, "stages of damage in a row", f.problems()) {
        let id = desk.id::<StageId>(phrase, f.problems());
        dealing.stages.extend(stages.iter().find(|stage| Some(stage.stage) == id).cloned());
    }
    let pools = f.texts("pools");
    dealing.pools = desk.ids(&pools, f.problems());
    f.close();
    dealing
}

/// `multiply = "total"`, or a list of ways with the question when each is taken.
fn multiply(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>) -> Vec<(Option<Formula>, Multiply)> {
    const WAYS: [(&str, Multiply); 3] =
        [("reroll", Multiply::Reroll), ("result", Multiply::Result), ("total", Multiply::Total)];
    let Some(NodeKind::List(ways)) = f.node("multiply").map(|node| &node.body) else {
        return vec![(None, spelled(f, "multiply", &WAYS, Multiply::Total))];
    };
    let mut read = |node: &TomlNode| {
        let mut inner = f.inside(node, "a way to multiply");
        inner.required("use");
        let when = desk.field(&mut inner, "when", ExpectedType::YesNo, &Locals::new());
        let way = spelled(&mut inner, "use", &WAYS, Multiply::Total);
        inner.close();
        (when, way)
    };
    ways.iter().map(&mut read).collect()
}

fn stage(desk: &LoadContext<'_>, child: &TomlEntry, problems: &mut Problems) -> Option<DamageStage> {
    let mut locals = numbers(&["amount", "times"]);
    locals.push(("halved".into(), FieldType::YesNo));
    locals.push(("once".into(), FieldType::Number));
    let mut f = FieldReader::open(&child.node, format!("stage `{}`", child.name), problems);
    f.text("about");
    let per = spelled(
        &mut f,
        "per",
        &[("part", StageScope::Part), ("type", StageScope::Type), ("hit", StageScope::Hit)],
        StageScope::Hit,
    );
    let when = desk.field(&mut f, "when", ExpectedType::YesNo, &locals);
    let amount = f.required("amount").and_then(|node| desk.formula(node, ExpectedType::Number, &locals, f.problems()));
    let tag = f.text("tag").and_then(|phrase| desk.id(phrase, f.problems()));
    f.close();
    let event = desk.lexicon.find(&format!("damage/{}", child.name))?;
    let rule = desk.rule(&format!("damage.stage.{}", child.name));
    Some(DamageStage { stage: desk.lexicon.find(&child.name)?, rule, event, per, when, amount: amount?, tag })
}

/// Reads the actions.
pub fn actions(desk: &LoadContext<'_>, problems: &mut Problems) -> IdVec<ActionId, Action> {
    desk.shelf(|name, node| {
        let mut action = idle(desk.rule(&format!("action.{name}")));
        let Some(node) = node else { return action };
        let plain = Locals::new();
        let mut f = FieldReader::open(node, format!("action `{name}`"), problems);
        f.text("about");
        action.span = f.span();
        action.tags = desk.tags(&mut f, "tags");
        action.cost = cost(desk, &mut f);
        action.item = f.text("item").and_then(|phrase| desk.id(phrase, f.problems()));
        targets(desk, &mut f, &mut action);
        action.any_time = f.yes("any_time", false);
        for child in f.table("requires") {
            action.requires.extend(requirement(desk, name, child, f.problems()));
        }
        action.once = steps::list(desk, &mut f, "once", &plain);
        action.check = f.text("check").and_then(|phrase| desk.id(phrase, f.problems()));
        action.on = steps::by_degree(desk, &mut f, &check_locals());
        action.each = steps::list(desk, &mut f, "do", &plain);
        action.walk = desk.field(&mut f, "walk", ExpectedType::Number, &plain);
        f.close();
        action
    })
}

fn idle(rule: RuleId) -> Action {
    Action {
        rule,
        tags: IdSet::default(),
        cost: Vec::new(),
        item: None,
        aim: TargetCount::Nobody,
        sort: TargetKind::Creature,
        area: None,
        within: None,
        any_time: false,
        requires: Vec::new(),
        once: Vec::new(),
        check: None,
        on: Vec::new(),
        each: Vec::new(),
        walk: None,
        span: Span::default(),
    }
}

fn cost(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>) -> Vec<(PoolId, i32)> {
    let mut cost = Vec::new();
    for child in f.table("cost") {
        let phrase = Spanned { text: child.name.clone(), span: child.span };
        let pool = desk.lexicon.find(&child.name).or_else(|| desk.id(&phrase, f.problems()));
        match child.node.body {
            NodeKind::Int(amount) => cost.extend(pool.map(|pool| (pool, amount))),
            _ => f.problems().push(Problem::new("HR0203", child.node.span, "a cost is a number")),
        }
    }
    cost
}

fn targets(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, action: &mut Action) {
    let Some(node) = f.node("targets") else { return };
    if node.as_text().is_some() {
        action.aim = spelled(f, "targets", &TargetCount::WORDS, TargetCount::Nobody);
        return;
    }
    let mut inner = f.inside(node, "an action's `targets`");
    for (key, aim) in TargetCount::WORDS {
        if let Some(sort) = inner.one_of(key, &TargetKind::WORDS.map(|(word, _)| word)) {
            action.aim = aim;
            action.sort = TargetKind::WORDS.get(sort).map_or(TargetKind::Creature, |(_, sort)| *sort);
        }
    }
    action.area = area(desk, &mut inner);
    if action.area.is_some() {
        action.aim = TargetCount::Area;
    }
    action.within = desk.field(&mut inner, "within", ExpectedType::Number, &Locals::new());
    inner.close();
}

fn area(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>) -> Option<Area> {
    let shapes = [
        ("burst", AreaShape::Burst),
        ("line", AreaShape::Line),
        ("cone", AreaShape::Cone),
        ("emanation", AreaShape::Emanation),
    ];
    let (key, mut shape) = shapes.into_iter().find(|(key, _)| f.child(key).is_some())?;
    let feet = desk.field(f, key, ExpectedType::Number, &Locals::new());
    if shape == AreaShape::Burst && spelled(f, "at", &[("square", false), ("crossing", true)], false) {
        shape = AreaShape::BurstAtCrossing;
    }
    let when = desk.field(f, "when", ExpectedType::YesNo, &Locals::new());
    let most = desk.field(f, "most", ExpectedType::Number, &Locals::new());
    Some(Area { shape, feet: feet?, when, most })
}

fn requirement(
    desk: &LoadContext<'_>,
    action: &str,
    child: &TomlEntry,
    problems: &mut Problems,
) -> Option<Requirement> {
    let rule = format!("action.{action}.requires.{}", child.name);
    let mut f = FieldReader::open(&child.node, format!("`{rule}`"), problems);
    let when =
        f.required("when").and_then(|node| desk.formula(node, ExpectedType::YesNo, &Locals::new(), f.problems()));
    let text = f.required_text("text").and_then(|phrase| desk.id(phrase, f.problems()));
    f.close();
    Some(Requirement { rule: desk.rule(&rule), when: when?, text: text? })
}

/// Reads the reactions.
pub fn reactions(desk: &LoadContext<'_>, problems: &mut Problems) -> IdVec<ReactionId, Reaction> {
    desk.shelf(|name, node| {
        let nothing = EventId::new(0);
        let text = TextId::new(0);
        let mut reaction = Reaction {
            rule: desk.rule(&format!("reaction.{name}")),
            tags: IdSet::default(),
            window: nothing,
            when: None,
            item: None,
            action: None,
            cost: Vec::new(),
            text,
            steps: Vec::new(),
        };
        let Some(node) = node else { return reaction };
        let mut f = FieldReader::open(node, format!("reaction `{name}`"), problems);
        f.text("about");
        reaction.tags = desk.tags(&mut f, "tags");
        let Some(window) = f.required_text("window").and_then(|phrase| desk.id(phrase, f.problems())) else {
            f.required("text");
            return reaction; // nobody knows which words its questions may use
        };
        reaction.window = window;
        let locals = desk.event_locals(reaction.window);
        reaction.when = desk.field(&mut f, "when", ExpectedType::YesNo, &locals);
        reaction.item = f.text("item").and_then(|phrase| desk.id(phrase, f.problems()));
        reaction.action = f.text("as").and_then(|phrase| desk.id(phrase, f.problems()));
        reaction.cost = cost(desk, &mut f);
        if let Some(text) = f.required_text("text").and_then(|phrase| desk.id(phrase, f.problems())) {
            reaction.text = text;
        }
        reaction.steps = steps::list(desk, &mut f, "do", &locals);
        f.close();
        reaction
    })
}

/// Conditions that stand by themselves.
pub fn standing(conditions: &IdVec<ConditionId, Condition>) -> Vec<ConditionId> {
    conditions.iter().filter(|(_, condition)| condition.standing.is_some()).map(|(id, _)| id).collect()
}

/// The events at which conditions do something.
pub fn ticking(conditions: &IdVec<ConditionId, Condition>) -> IdSet<EventId> {
    conditions.iter().flat_map(|(_, condition)| &condition.ticks).map(|tick| tick.at).collect()
}

/// The events with which pools and counts begin anew.
pub fn refilling(rules: &Ruleset) -> IdSet<EventId> {
    let pools = rules.pools.iter().filter_map(|(_, pool)| pool.resets);
    pools.chain(rules.counts.iter().filter_map(|(_, count)| count.resets)).collect()
}

/// Everything that answers to an event by its definition.
pub fn heard(rules: &Ruleset) -> IdSet<EventId> {
    let hooks = rules.hooks.iter().filter(|(_, hooks)| !hooks.is_empty()).map(|(event, _)| event);
    let mut heard: IdSet<EventId> =
        hooks.chain(rules.windows.iter().filter(|(_, open)| !open.is_empty()).map(|(event, _)| event)).collect();
    heard.join(&rules.ticking);
    heard.join(&rules.refilling);
    heard
}
