//! Finds stats that read themselves in a circle, before any table does.

use crate::condition::Condition;
use crate::error::{Problem, Span};
use crate::ident::*;
use crate::modifier::Modifier;
use crate::ruleset::Ruleset;
use crate::situation::{Formula, Slot};

/// One problem for each circle, naming the way round.
pub fn circles(rules: &Ruleset) -> Vec<Problem> {
    let reads = graph(rules);
    let mut done: Set<StatId> = Set::default();
    let mut problems = Vec::new();
    for (stat, _) in rules.stats.iter() {
        walk(rules, &reads, stat, &mut Vec::new(), &mut done, &mut problems);
    }
    problems
}

type Graph = Vec<Vec<(StatId, Span)>>;

fn graph(rules: &Ruleset) -> Graph {
    let mut graph: Graph = vec![Vec::new(); rules.stats.len()];
    for (stat, definition) in rules.stats.iter() {
        definition.parts.iter().for_each(|part| edges(rules, part, &[stat], &mut graph));
    }
    let of_conditions = rules.conditions.iter().flat_map(|(_, condition): (_, &Condition)| &condition.modifiers);
    let of_creatures = rules.creatures.iter().flat_map(|(_, page)| &page.modifiers);
    let of_items = rules.items.iter().flat_map(|(_, page)| &page.modifiers);
    for modifier in of_conditions.chain(of_creatures).chain(of_items) {
        let to: Vec<StatId> = modifier.to.iter().collect();
        edges(rules, modifier, &to, &mut graph);
    }
    graph
}

fn edges(rules: &Ruleset, modifier: &Modifier, to: &[StatId], graph: &mut Graph) {
    let read: Vec<StatId> = [Some(&modifier.value), modifier.when.as_ref()]
        .into_iter()
        .flatten()
        .flat_map(|formula| stats_of(rules, formula))
        .collect();
    for stat in to {
        if let Some(list) = graph.get_mut(usize::from(stat.number())) {
            list.extend(read.iter().map(|read| (*read, modifier.span)));
        }
    }
}

fn stats_of(rules: &Ruleset, formula: &Formula) -> Vec<StatId> {
    let mut stats = Vec::new();
    for slot in formula.reads() {
        match slot {
            Slot::Stat(_, stat, _) => stats.push(stat),
            Slot::PoolMax(_, pool) => stats.extend(rules.pools.get(pool).max.reads().filter_map(|slot| match slot {
                Slot::Stat(_, stat, _) => Some(stat),
                _ => None,
            })),
            _ => {}
        }
    }
    stats
}

fn walk(
    rules: &Ruleset,
    graph: &Graph,
    stat: StatId,
    way: &mut Vec<StatId>,
    done: &mut Set<StatId>,
    problems: &mut Vec<Problem>,
) {
    if done.has(stat) || way.len() > 200 {
        return;
    }
    way.push(stat);
    for (next, span) in graph.get(usize::from(stat.number())).into_iter().flatten() {
        match way.iter().position(|known| known == next) {
            Some(from) => {
                let names: Vec<&str> = way.iter().skip(from).chain([next]).map(|stat| rules.name(*stat)).collect();
                let message = format!("`{}` reads itself: {}", rules.name(*next), names.join(" > "));
                let known = problems.iter().any(|problem: &Problem| problem.message == message);
                if !known {
                    problems.push(
                        Problem::new("HR0206", *span, message)
                            .label("closes the circle")
                            .help("let one of them read a given stat instead"),
                    );
                }
            }
            None => walk(rules, graph, *next, way, done, problems),
        }
    }
    way.pop();
    done.put(stat, true);
}
