//! Finds what leads back to itself, or leads on for too long, before any table
//! does: one walk for every kind of thing that names others of its kind.

use super::context::{LoadContext, texts};
use crate::pack::{NodeKind, Spanned, TomlEntry, TomlNode};
use crate::problems::Problems;
use houserule_kernel::condition::Condition;
use houserule_kernel::error::{Problem, Span};
use houserule_kernel::modifier::Modifier;
use houserule_kernel::ruleset::Ruleset;
use houserule_kernel::situation::{Formula, Variable};
use std::collections::BTreeMap;

/// How many things may come along with one, each by way of the last.
const LONGEST_CHAIN: usize = 16;
/// How many numbers may read each other in a row: what asks for one of them, such
/// as a zone or a question, may lie a few deeper itself.
const MOST_NUMBERS: usize = houserule_kernel::eval::DEEPEST as usize - 4;
/// How many lists of steps may call each other in a row: half as deep as steps may
/// nest in play, since those that lie in each of the lists take their share.
const MOST_LISTS: usize = 16;
/// So many things on the way round are named.
const MOST_NAMED: usize = 12;

/// What leads where, by name; each name of a place stands where it was written.
type Graph = BTreeMap<String, Vec<Spanned>>;

/// How a kind of things goes in circles.
struct GraphKind {
    /// What each does to the next.
    verb: &'static str,
    /// One way out.
    help: &'static str,
    /// How many there may be in a row, where a table follows them all.
    longest: usize,
    /// Whether a circle has no end.
    endless: bool,
}

/// One problem for each circle, naming the way round, and one for each kind of
/// which too many follow in a row.
pub fn circles(desk: &LoadContext<'_>, rules: &Ruleset, problems: &mut Problems) {
    let kind = |verb, help, longest| GraphKind { verb, help, longest, endless: true };
    let implied = "take one of them out of its `implies`";
    let ends = "say with `when` how it comes to an end";
    let of = |kind: &str, named: fn(&LoadContext<'_>, &TomlEntry) -> Vec<Spanned>| -> Graph {
        desk.merged.kind(kind).iter().map(|child| (child.name.clone(), named(desk, child))).collect()
    };
    let implies: fn(&LoadContext<'_>, &TomlEntry) -> Vec<Spanned> = |_, child| names(&child.node, "implies");
    let kinds = [
        (kind("reads", "let one of them read a given stat instead", MOST_NUMBERS), numbers_read(desk, rules)),
        (kind("implies", implied, LONGEST_CHAIN), of("condition", implies)),
        (kind("implies", implied, usize::MAX), of("tag", implies)),
        (kind("holds", "take one of them out of its `holds`", LONGEST_CHAIN), of("item", held_by)),
        (kind("calls", ends, usize::MAX), of("steps", |_, child| lists_called(&child.node))),
        (
            GraphKind { endless: false, ..kind("calls", ends, MOST_LISTS) },
            of("steps", |_, child| lists_named(&child.node)),
        ),
    ];
    kinds.iter().for_each(|(kind, graph)| CycleSearch::through(kind, graph, problems));
}

/// The texts of a list, or the one text.
fn names(node: &TomlNode, key: &str) -> Vec<Spanned> {
    let child = node.as_table().and_then(|table| table.get(key));
    child.into_iter().flat_map(|child| texts(&child.node)).cloned().collect()
}

/// What an item holds by its page, or by the nearest that it is like.
fn held_by(desk: &LoadContext<'_>, child: &TomlEntry) -> Vec<Spanned> {
    let mut page = &child.node;
    for _ in 0..LONGEST_CHAIN {
        let Some(table) = page.as_table() else { break };
        if let Some(holds) = table.get("holds") {
            return things_held(&holds.node);
        }
        let like = table.get("like").and_then(|like| like.node.as_text());
        let Some(base) = like.and_then(|like| desk.merged.find("item", like)) else { break };
        page = &base.node;
    }
    Vec::new()
}

fn things_held(holds: &TomlNode) -> Vec<Spanned> {
    let NodeKind::List(list) = &holds.body else { return Vec::new() };
    let item = |node: &TomlNode| node.as_table()?.get("item")?.node.as_text().cloned();
    list.iter().filter_map(|node| node.as_text().cloned().or_else(|| item(node))).collect()
}

/// The named lists that a list of steps runs in any case: what hangs on a
/// question, a degree or a pick may come to an end.
fn lists_called(node: &TomlNode) -> Vec<Spanned> {
    let Some(TomlEntry { node: TomlNode { body: NodeKind::List(steps), .. }, .. }) =
        node.as_table().and_then(|it| it.get("do"))
    else {
        return Vec::new();
    };
    let is_sure =
        |step: &&TomlNode| step.as_table().is_some_and(|step| step.get("when").or(step.get("event")).is_none());
    let called = |step: &TomlNode| names(step, "steps").into_iter().chain(lists_called(step)).collect::<Vec<_>>();
    steps.iter().filter(is_sure).flat_map(called).collect()
}

/// The named lists that a list of steps may run, on whatever that hangs.
fn lists_named(node: &TomlNode) -> Vec<Spanned> {
    let mut named = Vec::new();
    match &node.body {
        NodeKind::Table(table) => {
            named.extend(["steps", "pick"].iter().flat_map(|key| names(node, key)));
            table.children().into_iter().for_each(|child| named.extend(lists_named(&child.node)));
        }
        NodeKind::List(list) => list.iter().for_each(|node| named.extend(lists_named(node))),
        _ => {}
    }
    named
}

/// What stats and the maxima of pools read.
fn numbers_read(desk: &LoadContext<'_>, rules: &Ruleset) -> Graph {
    let mut graph = Graph::new();
    for (stat, definition) in rules.stats.iter() {
        definition.parts.iter().for_each(|part| edges(rules, part, &[rules.name(stat)], &mut graph));
    }
    let of_conditions = rules.conditions.iter().flat_map(|(_, condition): (_, &Condition)| &condition.modifiers);
    let of_creatures = rules.creatures.iter().flat_map(|(_, page)| &page.modifiers);
    let of_items = rules.items.iter().flat_map(|(_, page)| &page.modifiers);
    for modifier in of_conditions.chain(of_creatures).chain(of_items) {
        let to: Vec<&str> = modifier.to.iter().map(|stat| rules.name(stat)).collect();
        edges(rules, modifier, &to, &mut graph);
    }
    graph.extend(desk.merged.kind("pool").iter().filter_map(|child| Some((child.name.clone(), full(rules, child)?))));
    graph
}

/// What the maximum of a pool reads; here what a pool holds counts as well.
fn full(rules: &Ruleset, child: &TomlEntry) -> Option<Vec<Spanned>> {
    let span = child.node.as_table()?.get("max")?.node.inner_span();
    let pool = rules.pools.get(rules.lexicon.find(&child.name)?);
    let read = pool.max.reads().filter_map(|slot| match slot {
        Variable::Pool(_, read) => Some(rules.name(read)),
        slot => number_of(rules, slot),
    });
    Some(read.map(|name| Spanned { text: name.to_owned(), span }).collect())
}

fn edges(rules: &Ruleset, modifier: &Modifier, to: &[&str], graph: &mut Graph) {
    let formulas = [Some(&modifier.value), modifier.when.as_ref()].into_iter().flatten();
    let read = formulas.flat_map(Formula::reads).filter_map(|slot| number_of(rules, slot));
    let read: Vec<Spanned> = read.map(|name| Spanned { text: name.to_owned(), span: modifier.span }).collect();
    for stat in to {
        graph.entry((*stat).to_owned()).or_default().extend(read.iter().cloned());
    }
}

fn number_of(rules: &Ruleset, slot: Variable) -> Option<&str> {
    match slot {
        Variable::Stat(_, stat, _) => Some(rules.name(stat)),
        Variable::PoolMax(_, pool) => Some(rules.name(pool)),
        _ => None,
    }
}

/// One walk along everything of a kind.
struct CycleSearch<'a, 'p> {
    kind: &'a GraphKind,
    graph: &'a Graph,
    /// The way from where the walk began.
    way: Vec<&'a str>,
    /// How many follow in a row from what was walked already, itself included.
    done: BTreeMap<&'a str, usize>,
    problems: &'p mut Problems,
    /// That something leads on for too long was told.
    told: bool,
}

/// No walk goes deeper than this at once, whatever the stack: what lies behind is
/// walked on its own.
const DEEPEST_WALK: usize = 100;

impl<'a> CycleSearch<'a, '_> {
    fn through(kind: &'a GraphKind, graph: &'a Graph, problems: &mut Problems) {
        let (way, done) = (Vec::new(), BTreeMap::new());
        let mut walk = CycleSearch { kind, graph, way, done, problems, told: false };
        for (name, list) in graph {
            let long = walk.along(name, list);
            if let (true, Some(first)) = (long > kind.longest && !walk.told, list.first()) {
                walk.tell_long(name, first.span);
            }
        }
    }

    /// How many follow in a row from a thing, itself included.
    fn along(&mut self, name: &'a str, list: &'a [Spanned]) -> usize {
        if let Some(known) = self.done.get(name) {
            return *known;
        }
        if self.way.len() > DEEPEST_WALK {
            return self.way.len();
        }
        self.way.push(name);
        let mut longest = 0;
        for next in list {
            match self.way.iter().position(|known| *known == next.text) {
                Some(from) => self.tell_circle(from, next),
                None => {
                    let found = self.graph.get_key_value(&next.text);
                    longest = found.map_or(longest, |(name, list)| longest.max(self.along(name, list)));
                }
            }
        }
        self.way.pop();
        self.done.insert(name, longest.saturating_add(1));
        longest.saturating_add(1)
    }

    fn tell_circle(&mut self, from: usize, next: &Spanned) {
        if !self.kind.endless || self.problems.is_full(next.span.file) {
            return;
        }
        let mut names: Vec<&str> = self.way.iter().skip(from).copied().collect();
        if names.len() > MOST_NAMED {
            names.splice(MOST_NAMED / 2..names.len() - MOST_NAMED / 2, ["…"]);
        }
        let message = format!("`{}` {} itself: {} > {}", next.text, self.kind.verb, names.join(" > "), next.text);
        if !self.problems.iter().any(|known| known.message == message) {
            let problem = Problem::new("HR0206", next.span, message).label("closes the circle");
            self.problems.push(problem.help(self.kind.help));
        }
    }

    fn tell_long(&mut self, name: &str, span: Span) {
        self.told = true;
        let (verb, most) = (self.kind.verb, self.kind.longest);
        let message = format!("`{name}` {verb} one that {verb} one, and so on for more than {most} in a row");
        self.problems.push(Problem::new("HR0208", span, message).help("let it name the last of them itself"));
    }
}
