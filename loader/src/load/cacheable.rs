//! Finds the modifiers that hang on nobody but their bearer, and what sways numbers.

use houserule_kernel::ident::*;
use houserule_kernel::memo::LAYERS;
use houserule_kernel::modifier::{Modifier, Side};
use houserule_kernel::ruleset::{Ruleset, StatDependencies};
use houserule_kernel::situation::{Formula, Variable, Who};

/// Stats and pools whose numbers hang on their bearer and what it holds alone,
/// and on no other stats and pools than such.
#[derive(Default)]
struct CacheableStats {
    stats: IdSet<StatId>,
    pools: IdSet<PoolId>,
}

/// Marks the plain modifiers and finds what sways stats.
pub fn mark(rules: &mut Ruleset) {
    let mut plain = CacheableStats::default();
    for _ in 0..LAYERS {
        plain = one_layer_more(rules, &plain);
    }
    let conditions = rules.conditions.iter_mut().map(|condition| &mut condition.modifiers);
    let creatures = rules.creatures.iter_mut().map(|page| &mut page.modifiers);
    let items = rules.items.iter_mut().map(|page| &mut page.modifiers);
    let parts = rules.stats.iter_mut().map(|stat| &mut stat.parts);
    for modifier in parts.chain(conditions).chain(creatures).chain(items).flatten() {
        modifier.plain = is_plain(modifier, &plain);
    }
    rules.sways = sways(rules);
}

/// What is plain if it reads no other stats and pools than those found so far.
fn one_layer_more(rules: &Ruleset, plain: &CacheableStats) -> CacheableStats {
    let mut stats: IdSet<StatId> = rules.stats.iter().map(|(stat, _)| stat).collect();
    for (stat, definition) in rules.stats.iter() {
        if !definition.parts.iter().all(|part| is_plain(part, plain)) {
            stats.put(stat, false);
        }
    }
    let mixed = borne(rules).filter(|modifier| !is_plain(modifier, plain));
    mixed.flat_map(|modifier| modifier.to.iter()).for_each(|stat| {
        stats.put(stat, false);
    });
    let full = |formula: &Formula| formula.reads().all(|slot| is_plain_slot(slot, false, plain));
    let pools = rules.pools.iter().filter(|(_, pool)| full(&pool.max)).map(|(pool, _)| pool).collect();
    CacheableStats { stats, pools }
}

/// The modifiers that not everybody has.
fn borne(rules: &Ruleset) -> impl Iterator<Item = &Modifier> {
    let of_conditions = rules.conditions.iter().flat_map(|(_, condition)| &condition.modifiers);
    let of_creatures = rules.creatures.iter().flat_map(|(_, page)| &page.modifiers);
    let of_items = rules.items.iter().flat_map(|(_, page)| &page.modifiers);
    of_conditions.chain(of_creatures).chain(of_items)
}

fn formulas(modifier: &Modifier) -> impl Iterator<Item = &Formula> {
    std::iter::once(&modifier.value).chain(&modifier.when)
}

fn is_plain(modifier: &Modifier, plain: &CacheableStats) -> bool {
    let reads = |slot| is_plain_slot(slot, modifier.each.is_some(), plain);
    modifier.side == Side::Bearer && !modifier.used && formulas(modifier).all(|formula| formula.reads().all(reads))
}

/// `item` is an item that the bearer holds only in a modifier for each of them.
fn is_plain_slot(slot: Variable, each: bool, plain: &CacheableStats) -> bool {
    let own = |who: Who| who == Who::Bearer || (each && who == Who::Item);
    match slot {
        Variable::Stat(who, stat, _) => own(who) && plain.stats.has(stat),
        Variable::PoolMax(who, pool) => own(who) && plain.pools.has(pool),
        Variable::Pool(who, _) | Variable::Count(who, _) | Variable::Condition(who, _) => own(who),
        Variable::Tagged(who, _) | Variable::Bears(who, _) => own(who),
        Variable::Note(who, _) => who.is_none_or(own),
        Variable::Option(_) | Variable::Local(_) => true,
        _ => false,
    }
}

/// Everything that may sway a stat; a pool that none reads sways none.
fn sways(rules: &Ruleset) -> StatDependencies {
    let mut sways = StatDependencies::default();
    let modifiers = || rules.stats.iter().flat_map(|(_, stat)| &stat.parts).chain(borne(rules));
    for modifier in modifiers() {
        match modifier.side {
            Side::Bearer => {}
            Side::Near => sways.near.join(&modifier.to),
            Side::Opponent => sways.opposed.join(&modifier.to),
        }
    }
    let full = rules.pools.iter().map(|(_, pool)| &pool.max);
    for slot in modifiers().flat_map(formulas).chain(full).flat_map(Formula::reads) {
        match slot {
            Variable::Pool(_, pool) => {
                sways.pools.put(pool, true);
            }
            Variable::Count(_, count) => {
                sways.counts.put(count, true);
            }
            Variable::Note(_, note) => {
                sways.notes.put(note, true);
            }
            _ => {}
        }
    }
    sways
}
