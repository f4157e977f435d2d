//! Finds the stats that hang on nobody but their bearer and what it holds.

use crate::ident::*;
use crate::modifier::{Modifier, Side};
use crate::ruleset::Ruleset;
use crate::situation::{Formula, Slot, Who};

/// The plain stats: all their lines read the bearer and what it holds alone, and
/// no other stats than plain ones.
pub fn plain(rules: &Ruleset) -> Set<StatId> {
    let mut plain: Set<StatId> = rules.stats.iter().map(|(stat, _)| stat).collect();
    loop {
        let fallen: Vec<StatId> = plain.iter().filter(|stat| !is_plain(rules, *stat, &plain)).collect();
        if fallen.is_empty() {
            return plain;
        }
        fallen.into_iter().for_each(|stat| {
            plain.put(stat, false);
        });
    }
}

fn is_plain(rules: &Ruleset, stat: StatId, plain: &Set<StatId>) -> bool {
    let parts = rules.stats.get(stat).parts.iter();
    let of_conditions = rules.conditions.iter().flat_map(|(_, condition)| &condition.modifiers);
    let of_creatures = rules.creatures.iter().flat_map(|(_, page)| &page.modifiers);
    let of_items = rules.items.iter().flat_map(|(_, page)| &page.modifiers);
    let borne = of_conditions.chain(of_creatures).chain(of_items);
    parts
        .chain(borne)
        .filter(|modifier| modifier.to.has(stat))
        .all(|modifier| is_plain_modifier(rules, modifier, plain))
}

fn is_plain_modifier(rules: &Ruleset, modifier: &Modifier, plain: &Set<StatId>) -> bool {
    let formulas = [Some(&modifier.value), modifier.when.as_ref()];
    let reads = |slot| is_plain_slot(rules, slot, modifier.each.is_some(), plain);
    modifier.side == Side::Bearer
        && !modifier.used
        && formulas.into_iter().flatten().all(|formula| formula.reads().all(reads))
}

/// `item` is an item that the bearer holds only in a modifier for each of them.
fn is_plain_slot(rules: &Ruleset, slot: Slot, each: bool, plain: &Set<StatId>) -> bool {
    let own = |who: Who| who == Who::Bearer || (each && who == Who::Item);
    match slot {
        Slot::Stat(who, stat, _) => own(who) && plain.has(stat),
        Slot::PoolMax(who, pool) => own(who) && reads_plain(rules, &rules.pools.get(pool).max, plain),
        Slot::Pool(who, _) | Slot::Count(who, _) | Slot::Condition(who, _) => own(who),
        Slot::Tagged(who, _) | Slot::Bears(who, _) => own(who),
        Slot::Note(who, _) => who.is_none_or(own),
        Slot::Option(_) | Slot::Local(_) => true,
        _ => false,
    }
}

fn reads_plain(rules: &Ruleset, formula: &Formula, plain: &Set<StatId>) -> bool {
    formula.reads().all(|slot| is_plain_slot(rules, slot, false, plain))
}
