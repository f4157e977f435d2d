//! Tactics: how somebody acts whom nobody plays, as a list of preferences.

use crate::{Fault, Intent, Table};
use houserule_kernel::action;
use houserule_kernel::entity::{Entity, StatBlockRef};
use houserule_kernel::ident::EntityId;
use houserule_kernel::situation::{Formula, Situation};
use houserule_kernel::space::{Centre, Square, way};
use houserule_kernel::tactic::{Preference, TargetChoice};

/// The intent of somebody who would do this, if there is anybody to do it to.
/// `standing` says who still counts.
///
/// # Errors
/// If `standing` or the preference's own question cannot be answered.
pub fn intent(
    preference: &Preference,
    table: &Table,
    who: EntityId,
    standing: &Formula,
) -> Result<Option<Intent>, Fault> {
    let target = match preference.aim {
        TargetChoice::Nobody => None,
        TargetChoice::Oneself => Some(who),
        _ => match pick(preference, table, who, standing)? {
            None => return Ok(None),
            picked => picked,
        },
    };
    if suits(preference, table, who, target)? { worded(preference, table, who, target) } else { Ok(None) }
}

/// Whether the preference's own question says yes of a target.
fn suits(preference: &Preference, table: &Table, who: EntityId, target: Option<EntityId>) -> Result<bool, Fault> {
    let Some(when) = &preference.when else { return Ok(true) };
    let answer = table.value(Situation { target, ..Situation::of(who) }, when);
    let answer = answer.map_err(|fault| fault.during(format!("the tactic that prefers `{}`", preference.action)))?;
    Ok(answer != 0)
}

/// The nearest or weakest of those for whom the question says yes.
fn pick(preference: &Preference, table: &Table, who: EntityId, standing: &Formula) -> Result<Option<EntityId>, Fault> {
    let friends = matches!(preference.aim, TargetChoice::NearestAlly | TargetChoice::WeakestAlly);
    let Some(side) = table.state().entity(who).map(|entity| &entity.side) else { return Ok(None) };
    let mut candidates = Vec::new();
    for (other, entity) in table.state().present().filter(|(other, entity)| *other != who && acts(entity)) {
        let wanted = (entity.side == *side) == friends && (friends || stands(table, other, standing)?);
        if wanted && suits(preference, table, who, Some(other))? {
            candidates.push(other);
        }
    }
    let near = matches!(preference.aim, TargetChoice::NearestFoe | TargetChoice::NearestAlly);
    let measure = |other: &EntityId| (if near { distance(table, who, *other) } else { left(table, *other) }, *other);
    Ok(candidates.into_iter().min_by_key(measure))
}

fn worded(
    preference: &Preference,
    table: &Table,
    who: EntityId,
    target: Option<EntityId>,
) -> Result<Option<Intent>, Fault> {
    let name = |who: EntityId| table.state().entity(who).map(|entity| entity.name.to_string());
    let mut intent = Intent::new(&preference.action).by(&name(who).unwrap_or_default());
    intent.item.clone_from(&preference.item);
    intent.and.clone_from(&preference.and);
    let Some(action) = action(preference, table) else { return Ok(Some(intent)) };
    if action.aim == action::TargetCount::Area {
        intent.to = target.and_then(|target| table.state().entity(target)?.square).map(|at| (at.x, at.y));
        return Ok(Some(intent));
    }
    if let Some(walk) = &action.walk {
        let feet = table.value(Situation::of(who), walk)?;
        let Some(square) = target.and_then(|target| approach(table, who, target, feet)) else { return Ok(None) };
        intent = intent.to(square.x, square.y);
    }
    if action.aim != action::TargetCount::Nobody {
        intent.targets.extend(target.and_then(name));
    }
    Ok(Some(intent))
}

fn action<'t>(preference: &Preference, table: &'t Table) -> Option<&'t action::Action> {
    Some(table.rules().actions.get(table.rules().lexicon.find(&preference.action)?))
}

/// Whether somebody still counts.
///
/// # Errors
/// If the question cannot be answered.
pub fn stands(table: &Table, who: EntityId, standing: &Formula) -> Result<bool, Fault> {
    let found = table.value(Situation::of(who), standing);
    found.map(|answer| answer != 0).map_err(|fault| fault.during("the question `standing` of the encounter"))
}

/// Whether somebody is a creature; things that lie about are no foes.
fn acts(entity: &Entity) -> bool {
    matches!(entity.origin, StatBlockRef::Creature(_))
}

/// Without a map all are equally near. A fault in somebody's size is told when
/// the action is tried, which reads it too.
fn distance(table: &Table, from: EntityId, to: EntityId) -> i32 {
    let about = Situation { target: Some(to), ..Situation::of(from) };
    let toil = houserule_kernel::budget::Toil::new(table.budget().work);
    let reckoner = houserule_kernel::eval::Evaluator::new(table.rules(), table.state(), about, &toil);
    reckoner.distance().ok().flatten().unwrap_or(0)
}

/// What is left in the pools that damage falls on.
fn left(table: &Table, who: EntityId) -> i32 {
    let Some(entity) = table.state().entity(who) else { return 0 };
    table.rules().dealing.pools.iter().map(|pool| entity.pools.get(*pool)).fold(0, i32::saturating_add)
}

/// The square nearest to somebody to which one may walk straight, within a
/// distance; none if one stands beside them already, or can come no nearer.
fn approach(table: &Table, who: EntityId, target: EntityId, feet: i32) -> Option<Square> {
    let state = table.state();
    let (from, to) = (state.entity(who)?.square?, state.entity(target)?.square?);
    let grid = table.rules().grid;
    let far = |square: Square| grid.feet_between(square.into(), to.into());
    if far(from) <= i32::from(grid.feet_per_square.get()) {
        return None;
    }
    let mut squares: Vec<Square> =
        grid.burst(Centre::Square(from), feet).filter(|square| far(*square) < far(from) && *square != to).collect();
    squares.sort_by_key(|square| (far(*square), grid.feet_between(from.into(), (*square).into()), *square));
    let free = |square: &Square| {
        let on_the_way: Vec<Square> = way(from, *square).collect();
        on_the_way.split_last().is_some_and(|(last, between)| {
            may_be_on(table, who, *last, true) && between.iter().all(|square| may_be_on(table, who, *square, false))
        })
    };
    squares.into_iter().find(free)
}

/// Whether the packs let somebody stand on a square, or at least go through it,
/// whoever stands there. A question that has no answer is a no.
fn may_be_on(table: &Table, who: EntityId, square: Square, stay: bool) -> bool {
    let rules = table.rules();
    let question = if stay { &rules.share } else { &rules.pass };
    let mut there = table.state().present().filter(|(other, entity)| *other != who && is_at(entity, square));
    let Some(question) = question else { return !stay || there.next().is_none() };
    there.all(|(other, _)| {
        let about = Situation { target: Some(other), ..Situation::of(who) };
        table.value(about, question).is_ok_and(|answer| answer != 0)
    })
}

fn is_at(entity: &Entity, square: Square) -> bool {
    acts(entity) && entity.square == Some(square)
}
