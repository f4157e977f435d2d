//! Reads tags, bonus types, stats, modifiers, views, pools, counts, facts, charts.

use super::context::*;
use crate::pack::{FieldReader, NodeKind, Spanned, TomlEntry, TomlNode};
use crate::problems::Problems;
use houserule_kernel::error::Problem;
use houserule_kernel::formula::ExpectedType;
use houserule_kernel::ident::*;
use houserule_kernel::modifier::*;
use houserule_kernel::ruleset::*;
use houserule_kernel::situation::{Formula, Who};
use houserule_kernel::variables::is_taken;

/// The policies of a bonus type with their spellings.
const POLICIES: [(&str, StackPolicy); 4] = [
    ("highest", StackPolicy::Farthest),
    ("lowest", StackPolicy::Farthest),
    ("sum", StackPolicy::Sum),
    ("sum-per-source", StackPolicy::SumPerSource),
];
const SAMES: [(&str, Same); 3] =
    [("instance", Same::Instance), ("definition", Same::Definition), ("group", Same::Group)];
/// Penalties of one pool may be highest, lowest or summed like those of a type.
const PENALTIES: [&str; 2] = ["by-type", "one-pool"];

/// One of several spelled values of a field.
pub fn spelled<T: Copy>(f: &mut FieldReader<'_, '_>, key: &str, words: &[(&str, T)], default: T) -> T {
    let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    f.one_of(key, &names).and_then(|at| words.get(at)).map_or(default, |(_, value)| *value)
}

/// Reads the tags; what they imply is closed under implication.
pub fn tags(desk: &LoadContext<'_>, problems: &mut Problems) -> IdVec<TagId, Tag> {
    let mut direct: Vec<Vec<TagId>> = Vec::new();
    let shelf: IdVec<TagId, ()> = desk.shelf(|name, node| {
        direct.push(node.map(|node| tag(desk, name, node, problems).iter().collect()).unwrap_or_default());
    });
    let closed = (0..direct.len()).map(|at| Tag { implies: closure(&direct, at) }).collect();
    drop(shelf);
    IdVec::new(closed)
}

fn tag(desk: &LoadContext<'_>, name: &str, node: &TomlNode, problems: &mut Problems) -> IdSet<TagId> {
    if matches!(node.body, NodeKind::Text(_)) {
        return IdSet::default();
    }
    let mut f = FieldReader::open(node, format!("tag `{name}`"), problems);
    f.text("about");
    let implies = desk.tags(&mut f, "implies");
    f.close();
    implies
}

fn closure(direct: &[Vec<TagId>], at: usize) -> IdSet<TagId> {
    let mut reached = vec![false; direct.len()];
    let mut open = direct.get(at).cloned().unwrap_or_default();
    while let Some(tag) = open.pop() {
        let number = usize::from(tag.number());
        if reached.get_mut(number).is_some_and(|reached| !std::mem::replace(reached, true)) {
            open.extend(direct.get(number).into_iter().flatten());
        }
    }
    (0..).zip(reached).filter(|(_, reached)| *reached).map(|(number, _)| TagId::new(number)).collect()
}

/// Reads the bonus types.
pub fn types(desk: &LoadContext<'_>, problems: &mut Problems) -> IdVec<TypeId, TypePolicy> {
    desk.shelf(|name, node| {
        let untyped = TypePolicy { bonuses: StackPolicy::SumPerSource, penalties: StackPolicy::SumPerSource };
        let typed = TypePolicy { bonuses: StackPolicy::Farthest, penalties: StackPolicy::Farthest };
        let default = if name == "untyped" { untyped } else { typed };
        let Some(node) = node else { return default };
        let mut f = FieldReader::open(node, format!("type `{name}`"), problems);
        f.text("about");
        let bonuses = spelled(&mut f, "bonuses", &POLICIES, default.bonuses);
        let penalties = spelled(&mut f, "penalties", &POLICIES, default.penalties);
        f.close();
        TypePolicy { bonuses, penalties }
    })
}

/// Reads `[stacking]`.
pub fn stacking(desk: &LoadContext<'_>, problems: &mut Problems) -> Stacking {
    let Some(child) = desk.merged.single("stacking") else {
        return Stacking { one_pool: None, same: Same::Definition };
    };
    let mut f = FieldReader::open(&child.node, "`stacking`", problems);
    let pooled = f.one_of("penalties", &PENALTIES) == Some(1);
    let pool = spelled(&mut f, "pool", &POLICIES, StackPolicy::SumPerSource);
    let same = spelled(&mut f, "same", &SAMES, Same::Definition);
    f.close();
    Stacking { one_pool: pooled.then_some(pool), same }
}

/// The stats that a list of names and `tag:NAME` picks.
pub fn picked(desk: &LoadContext<'_>, phrases: &[&Spanned], problems: &mut Problems) -> Vec<StatId> {
    let mut stats = Vec::new();
    for phrase in phrases {
        match phrase.text.strip_prefix("tag:") {
            None => stats.extend(desk.id::<StatId>(phrase, problems)),
            Some(tag) => {
                let tag = Spanned { text: tag.to_owned(), span: phrase.span };
                if desk.id::<TagId>(&tag, problems).is_some() {
                    let names = desk.tagged.get(&tag.text).into_iter().flatten();
                    stats.extend(names.filter_map(|name| desk.lexicon.find::<StatId>(name)));
                }
            }
        }
    }
    stats
}

/// Finds names that mean something else in expressions already.
pub fn names(desk: &LoadContext<'_>, problems: &mut Problems) {
    for kind in [NameKind::Stat, NameKind::Pool, NameKind::Tag, NameKind::Condition, NameKind::Chart, NameKind::View] {
        for child in desk.merged.kind(kind.word()).iter().filter(|child| is_taken(kind, &child.name)) {
            let message = format!("`{}` means something in every expression already", child.name);
            problems.push(Problem::new("HR0121", child.span, message).label("taken").help("choose another name"));
        }
    }
}

/// Reads the stats with their parts; modifiers for everybody come behind them.
pub fn stats(desk: &LoadContext<'_>, problems: &mut Problems) -> IdVec<StatId, Stat> {
    let common = common_modifiers(desk, problems);
    desk.shelf(|name, node| {
        let rule = desk.rule(&format!("stat.{name}"));
        let untyped = desk.lexicon.find("untyped").unwrap_or(TypeId::new(0));
        let mut stat = Stat { rule, tags: IdSet::default(), start: 0, kind: untyped, parts: Vec::new() };
        let id: Option<StatId> = desk.lexicon.find(name);
        if let (Some(node), Some(id)) = (node, id) {
            let mut f = FieldReader::open(node, format!("stat `{name}`"), problems);
            f.text("about");
            stat.tags = desk.tags(&mut f, "tags");
            stat.start = f.int("start").unwrap_or(0);
            stat.kind = f.text("type").and_then(|phrase| desk.id(phrase, f.problems())).unwrap_or(untyped);
            for part in f.table("part") {
                let rule = format!("stat.{name}.part.{}", part.name);
                stat.parts.extend(modifier(desk, &rule, part, Some(id), &Locals::new(), f.problems()));
            }
            f.close();
            let mine: Vec<&Modifier> = common.iter().filter(|modifier| modifier.to.has(id)).collect();
            if desk.take_over(mine.len(), name, node.span, problems) {
                stat.parts.extend(mine.into_iter().cloned());
            }
        }
        stat
    })
}

fn common_modifiers(desk: &LoadContext<'_>, problems: &mut Problems) -> Vec<Modifier> {
    let children = desk.merged.kind("modifier").iter();
    let read =
        |child: &TomlEntry| modifier(desk, &format!("modifier.{}", child.name), child, None, &Locals::new(), problems);
    children.flat_map(read).collect()
}

/// Reads modifiers below the field `modifier` of a definition.
pub fn modifiers(desk: &LoadContext<'_>, owner: &str, f: &mut FieldReader<'_, '_>, locals: &Locals) -> Vec<Modifier> {
    let children = f.table("modifier");
    let mut read = Vec::new();
    let source = desk.rule(owner);
    for child in children {
        let own = modifier(desk, &format!("{owner}.modifier.{}", child.name), child, None, locals, f.problems());
        read.extend(own.into_iter().map(|modifier| Modifier { source, ..modifier }));
    }
    read
}

/// Reads one modifier. Where it caps or mutes a part by name it becomes one for
/// each stat, since each stat has its own part of that name.
fn modifier(
    desk: &LoadContext<'_>,
    rule: &str,
    child: &TomlEntry,
    part_of: Option<StatId>,
    locals: &Locals,
    problems: &mut Problems,
) -> Vec<Modifier> {
    let mut f = FieldReader::open(&child.node, format!("`{rule}`"), problems);
    let to = aims(desk, rule, child, part_of, &mut f);
    let base = written(desk, rule, child, &to, locals, &mut f);
    let limits = f.text("limits").cloned();
    f.text("about");
    f.close();
    match limits {
        None => vec![base],
        Some(limits) => limited(desk, base, &to, &limits, problems),
    }
}

/// The stats a modifier goes to: its own, if it is a part of one.
fn aims(
    desk: &LoadContext<'_>,
    rule: &str,
    child: &TomlEntry,
    part_of: Option<StatId>,
    f: &mut FieldReader<'_, '_>,
) -> Vec<StatId> {
    if let Some(stat) = part_of {
        return vec![stat];
    }
    if f.child("to").is_none() && child.node.as_table().is_some() {
        let message = format!("`{rule}` does not say which stats it goes `to`");
        let help = "write `to = [\"attack\"]` or `to = [\"tag:attack\"]`";
        f.problems().push(Problem::new("HR0202", child.span, message).help(help));
    }
    let phrases = f.texts("to");
    picked(desk, &phrases, f.problems())
}

/// A modifier as it is written, but for the lines it limits.
fn written(
    desk: &LoadContext<'_>,
    rule: &str,
    child: &TomlEntry,
    to: &[StatId],
    locals: &Locals,
    f: &mut FieldReader<'_, '_>,
) -> Modifier {
    let effect = spelled(f, "effect", &Effect::WORDS, Effect::Add);
    let value = if effect == Effect::Mute { f.node("value") } else { f.required("value") };
    let value = value.and_then(|node| desk.formula(node, ExpectedType::Number, locals, f.problems()));
    let when = desk.field(f, "when", ExpectedType::YesNo, locals);
    let sides = [("bearer", Side::Bearer), ("opponent", Side::Opponent), ("near", Side::Near)];
    let side = spelled(f, "on", &sides, Side::Bearer);
    let kind = f.text("type").and_then(|phrase| desk.id(phrase, f.problems()));
    Modifier {
        rule: desk.rule(rule),
        source: desk.rule(rule),
        to: to.iter().copied().collect(),
        kind: kind.or_else(|| desk.lexicon.find("untyped")).unwrap_or(TypeId::new(0)),
        effect,
        value: value.unwrap_or_else(|| Formula::number(0)),
        when,
        each: f.text("each").and_then(|phrase| desk.id(phrase, f.problems())),
        used: f.yes("used", false),
        limits: LimitTarget::Total,
        side,
        plain: false,
        group: f.text("group").and_then(|phrase| desk.id(phrase, f.problems())),
        span: child.span,
    }
}

fn limited(
    desk: &LoadContext<'_>,
    base: Modifier,
    to: &[StatId],
    limits: &Spanned,
    problems: &mut Problems,
) -> Vec<Modifier> {
    if let Some(kind) = desk.lexicon.find(limits) {
        return vec![Modifier { limits: LimitTarget::Type(kind), ..base }];
    }
    let part =
        |stat: StatId| desk.lexicon.find::<RuleId>(&format!("stat.{}.part.{}", desk.lexicon.name(stat), limits.text));
    let parts: Vec<_> = to.iter().filter_map(|stat| Some((*stat, part(*stat)?))).collect();
    if parts.is_empty() {
        problems.push(
            Problem::new(
                "HR0203",
                limits.span,
                format!("`{}` is neither a bonus type nor a part of the stats it goes to", limits.text),
            )
            .label("limits nothing"),
        );
    }
    if !desk.take_over(parts.len(), &limits.text, limits.span, problems) {
        return Vec::new();
    }
    parts
        .into_iter()
        .map(|(stat, rule)| Modifier {
            to: [stat].into_iter().collect(),
            limits: LimitTarget::Rule(rule),
            ..base.clone()
        })
        .collect()
}

/// Reads the views.
pub fn views(desk: &LoadContext<'_>, problems: &mut Problems) -> IdVec<ViewId, StatView> {
    desk.shelf(|name, node| {
        let mut view = StatView {
            of: IdSet::default(),
            ignore: IdSet::default(),
            drop_types: IdSet::default(),
            drop_rules: Vec::new(),
            offset: 0,
        };
        let Some(node) = node else { return view };
        let mut f = FieldReader::open(node, format!("view `{name}`"), problems);
        f.text("about");
        let of = f.texts("of");
        let stats = picked(desk, &of, f.problems());
        let ignore = f.texts("ignore");
        view.ignore = desk.ids(&ignore, f.problems()).into_iter().collect();
        for phrase in f.texts("drop_positive") {
            drop_named(desk, &mut view, &stats, phrase, f.problems());
        }
        view.offset = f.int("offset").unwrap_or(0);
        view.of = stats.into_iter().collect();
        f.close();
        view
    })
}

fn drop_named(
    desk: &LoadContext<'_>,
    view: &mut StatView,
    stats: &[StatId],
    phrase: &Spanned,
    problems: &mut Problems,
) {
    let part =
        |stat: &StatId| desk.lexicon.find::<RuleId>(&format!("stat.{}.part.{}", desk.lexicon.name(*stat), phrase.text));
    let rules: Vec<RuleId> = stats.iter().filter_map(part).collect();
    match desk.lexicon.find::<TypeId>(phrase) {
        Some(kind) => {
            view.drop_types.put(kind, true);
        }
        None if rules.is_empty() => problems.push(Problem::new(
            "HR0203",
            phrase.span,
            format!("`{}` is neither a bonus type nor a part of the stats the view is of", phrase.text),
        )),
        None => view.drop_rules.extend(rules),
    }
}

/// Reads the pools.
pub fn pools(desk: &LoadContext<'_>, problems: &mut Problems) -> IdVec<PoolId, Pool> {
    desk.shelf(|name, node| {
        let mut pool = Pool { max: Formula::number(0), min: 0, start: None, resets: None, of: IdSet::default() };
        let Some(node) = node else { return pool };
        let mut f = FieldReader::open(node, format!("pool `{name}`"), problems);
        if let Some(stat) = desk.merged.find("stat", name) {
            let message = format!("`{name}` is a stat and a pool, and an expression could mean either");
            let span = f.span().max(stat.span);
            f.problems()
                .push(Problem::new("HR0205", span, message).help(format!("call the stat `{name}_max`, or the like")));
        }
        f.text("about");
        if let Some(max) =
            f.required("max").and_then(|node| desk.formula(node, ExpectedType::Number, &Locals::new(), f.problems()))
        {
            pool.max = max;
        }
        if let Some(least) = f.node("min") {
            let formula = desk.formula(least, ExpectedType::Number, &Locals::new(), f.problems());
            pool.min = formula.as_ref().and_then(Formula::constant).unwrap_or(0);
            if formula.is_some_and(|formula| formula.constant().is_none()) {
                let message = "the `min` of a pool is one number for everybody";
                f.problems().push(Problem::new("HR0203", least.span, message).help("write a plain number"));
            }
        }
        pool.start = start(desk, &mut f);
        pool.resets = f.text("resets").and_then(|phrase| desk.id(phrase, f.problems()));
        pool.of = desk.tags(&mut f, "of");
        f.close();
        pool
    })
}

fn start(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>) -> Option<Formula> {
    let node = f.node("start")?;
    if node.as_text().is_some_and(|phrase| phrase.text == "max") {
        return None;
    }
    desk.formula(node, ExpectedType::Number, &Locals::new(), f.problems())
}

/// Reads the counts.
pub fn counts(desk: &LoadContext<'_>, problems: &mut Problems) -> IdVec<CountId, Count> {
    desk.shelf(|name, node| {
        let Some(node) = node else { return Count { resets: None } };
        let mut f = FieldReader::open(node, format!("count `{name}`"), problems);
        f.text("about");
        let resets = f.text("resets").and_then(|phrase| desk.id(phrase, f.problems()));
        f.close();
        Count { resets }
    })
}

/// Checks that notes and streams, which are names only, say nothing they cannot
/// mean.
pub fn notes(desk: &LoadContext<'_>, problems: &mut Problems) {
    for kind in ["note", "stream"] {
        for child in desk.merged.kind(kind).iter().filter(|child| child.node.as_text().is_none()) {
            let mut f = FieldReader::open(&child.node, format!("{kind} `{}`", child.name), problems);
            f.text("about");
            f.close();
        }
    }
}

/// Reads the facts.
pub fn facts(desk: &LoadContext<'_>, problems: &mut Problems) -> IdVec<FactId, Fact> {
    desk.shelf(|name, node| {
        let Some(node) = node else { return Fact::default() };
        let mut f = FieldReader::open(node, format!("fact `{name}`"), problems);
        f.text("about");
        let default = desk.field(&mut f, "default", ExpectedType::Number, &Locals::new());
        let from = survey(desk, &mut f);
        f.close();
        Fact { from, default }
    })
}

/// What a fact counts on the map.
fn survey(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>) -> Option<MapFact> {
    let by = |f: &mut FieldReader<'_, '_>| desk.field(f, "by", ExpectedType::YesNo, &Locals::new());
    match f.text("from")?.text.as_str() {
        "distance" => Some(MapFact::Distance),
        "opposite" => Some(MapFact::Opposite { by: by(f) }),
        "between" => Some(MapFact::Between { by: by(f) }),
        "near" => {
            f.required("feet");
            let of = spelled(f, "of", &Who::WORDS, Who::Bearer);
            let feet = desk.field(f, "feet", ExpectedType::Number, &Locals::new());
            let by = by(f);
            Some(MapFact::Near { of, feet: feet?, by })
        }
        _ => {
            f.one_of("from", &["distance", "opposite", "between", "near"]);
            None
        }
    }
}

/// Reads the charts, whose rows stand sorted by key.
pub fn charts(desk: &LoadContext<'_>, problems: &mut Problems) -> IdVec<ChartId, Chart> {
    desk.shelf(|name, node| {
        let Some(node) = node else { return Chart::default() };
        let mut f = FieldReader::open(node, format!("chart `{name}`"), problems);
        f.text("about");
        let written = f.list("rows");
        if let (Some(node), true) = (f.required("rows"), written.is_empty()) {
            no_rows(name, node, f.problems());
        }
        let mut rows: Vec<(i32, i32)> = Vec::new();
        for row in written {
            let read = chart_row(row, f.problems());
            if let (Some((last, _)), Some((key, _))) = (rows.last().copied(), read)
                && key <= last
            {
                let message = format!("the row from `{key}` on stands behind the row from `{last}` on");
                let help = "write the rows from the lowest key to the highest, each key once";
                f.problems().push(Problem::new("HR0205", row.span, message).help(help));
            }
            rows.extend(read);
        }
        f.close();
        Chart { rows }
    })
}

fn no_rows(name: &str, node: &TomlNode, problems: &mut Problems) {
    if matches!(node.body, NodeKind::List(_)) {
        let message = format!("chart `{name}` has no row, so that nothing can be looked up");
        problems.push(Problem::new("HR0205", node.span, message).help("write rows such as `[[1, 2], [8, 3]]`"));
    }
}

fn chart_row(row: &TomlNode, problems: &mut Problems) -> Option<(i32, i32)> {
    if let NodeKind::List(cells) = &row.body
        && let [TomlNode { body: NodeKind::Int(key), .. }, TomlNode { body: NodeKind::Int(value), .. }] =
            cells.as_slice()
    {
        return Some((*key, *value));
    }
    problems.push(
        Problem::new("HR0203", row.span, "a row of a chart is two numbers: from which key on, and the value")
            .help("write `[8, 2]`"),
    );
    None
}
