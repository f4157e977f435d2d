//! Tactics: how somebody acts whom nobody plays, as a list of preferences.

use crate::{Diagnostic, Fault, Intent, Problem, Ruleset, Table};
use houserule_kernel::action;
use houserule_kernel::entity::{Entity, Origin};
use houserule_kernel::formula::Want;
use houserule_kernel::ident::{ActionId, EntityId, ItemId, TagId};
use houserule_kernel::pack::{Child, Fields, Merged, Phrase};
use houserule_kernel::read::desk::{Desk, Locals};
use houserule_kernel::situation::Situation;
use houserule_kernel::space::{Square, line};

/// Whom a preference is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Nobody.
    Nobody,
    /// Who acts.
    Oneself,
    /// The foe nearest on the grid.
    NearestFoe,
    /// The foe with the least left in the pools that damage falls on.
    WeakestFoe,
    /// The friend nearest on the grid.
    NearestAlly,
    /// The friend with the least left.
    WeakestAlly,
}

const AIMS: [(&str, Aim); 6] = [
    ("none", Aim::Nobody),
    ("self", Aim::Oneself),
    ("nearest_foe", Aim::NearestFoe),
    ("weakest_foe", Aim::WeakestFoe),
    ("nearest_ally", Aim::NearestAlly),
    ("weakest_ally", Aim::WeakestAlly),
];

/// One thing that somebody would do.
#[derive(Clone, Debug)]
pub struct Preference {
    /// The action.
    pub action: String,
    /// With which item, by name or tag.
    pub item: Option<String>,
    /// With which second item.
    pub and: Option<String>,
    /// Against whom.
    pub aim: Aim,
    /// Only if this says yes.
    pub when: Option<String>,
}

/// Preferences in order: the first that is legal is done, again and again, until
/// none is.
#[derive(Clone, Debug, Default)]
pub struct Tactic {
    /// The preferences.
    pub prefer: Vec<Preference>,
}

impl Tactic {
    /// Reads `[tactic.NAME]` by the names of a ruleset.
    pub fn read(rules: &Ruleset, child: &Child, problems: &mut Vec<Problem>) -> Tactic {
        let merged = Merged::default();
        let desk = Desk::of(rules, &merged);
        let mut f = Fields::open(&child.node, format!("tactic `{}`", child.name), problems);
        f.text("about");
        let list = f.list("prefer");
        let prefer = list.iter().filter_map(|node| Preference::read(&desk, f.inside(node, "a preference"))).collect();
        f.close();
        Tactic { prefer }
    }

    /// What is wrong with the tactics of the packs themselves, which the kernel
    /// keeps as they were written.
    #[must_use]
    pub fn faults(rules: &Ruleset) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        for child in &rules.tactics {
            Tactic::read(rules, child, &mut problems);
        }
        problems.sort();
        problems.iter().map(|problem| rules.sources.locate(problem)).collect()
    }
}

impl Preference {
    fn read(desk: &Desk<'_>, mut f: Fields<'_, '_>) -> Option<Preference> {
        let action = f.required_text("do").filter(|phrase| desk.id::<ActionId>(phrase, f.problems()).is_some());
        let action = action.map(|phrase| phrase.text.clone());
        let item = f.text("with").and_then(|phrase| held(desk, phrase, f.problems()));
        let and = f.text("and").and_then(|phrase| held(desk, phrase, f.problems()));
        let when = desk.field(&mut f, "when", Want::YesNo, &Locals::new()).map(|when| when.text().to_owned());
        let aim = f
            .one_of("target", &AIMS.map(|(word, _)| word))
            .and_then(|at| AIMS.get(at))
            .map_or(Aim::Nobody, |(_, aim)| *aim);
        f.close();
        Some(Preference { action: action?, item, and, aim, when })
    }

    /// The intent of somebody who would do this, if there is anybody to do it to.
    /// `standing` says who still counts.
    ///
    /// # Errors
    /// If `standing` or the preference's own question cannot be answered.
    pub fn intent(&self, table: &Table, who: EntityId, standing: &str) -> Result<Option<Intent>, Fault> {
        let target = pick(table, who, self.aim, standing)?;
        if target.is_none() && self.aim != Aim::Nobody {
            return Ok(None);
        }
        let about = Situation { target, ..Situation::of(who) };
        let when = self.when.as_ref().map(|when| table.read_about(about, when)).transpose();
        let when = when.map_err(|fault| fault.during(format!("the tactic that prefers `{}`", self.action)))?;
        if when == Some(0) { Ok(None) } else { self.worded(table, who, target) }
    }

    fn worded(&self, table: &Table, who: EntityId, target: Option<EntityId>) -> Result<Option<Intent>, Fault> {
        let name = |who: EntityId| table.state().entity(who).map(|entity| entity.name.to_string());
        let mut intent = Intent::new(&self.action).by(&name(who).unwrap_or_default());
        intent.item.clone_from(&self.item);
        intent.and.clone_from(&self.and);
        let Some(action) = self.action(table) else { return Ok(Some(intent)) };
        if action.aim == action::Aim::Area {
            intent.to = target.and_then(|target| table.state().entity(target)?.square).map(|at| (at.x, at.y));
            return Ok(Some(intent));
        }
        if let Some(walk) = &action.walk {
            let feet = table.read(who, walk.text())?;
            let Some(square) = target.and_then(|target| approach(table, who, target, feet)) else { return Ok(None) };
            intent = intent.to(square.x, square.y);
        }
        if action.aim != action::Aim::Nobody {
            intent.targets.extend(target.and_then(name));
        }
        Ok(Some(intent))
    }

    fn action<'t>(&self, table: &'t Table) -> Option<&'t action::Action> {
        Some(table.rules().actions.get(table.rules().lexicon.find(&self.action)?))
    }
}

/// Whether somebody still counts.
///
/// # Errors
/// If the question cannot be answered.
pub fn stands(table: &Table, who: EntityId, standing: &str) -> Result<bool, Fault> {
    let found = table.read(who, standing);
    found.map(|answer| answer != 0).map_err(|fault| fault.during("the question `standing` of the encounter"))
}

/// What an item is meant by: its name or one of its tags.
fn held(desk: &Desk<'_>, phrase: &Phrase, problems: &mut Vec<Problem>) -> Option<String> {
    if desk.lexicon.find::<TagId>(phrase).is_none() && desk.lexicon.find::<ItemId>(phrase).is_none() {
        let near = desk.lexicon.nearest::<ItemId>(phrase).or_else(|| desk.lexicon.nearest::<TagId>(phrase));
        let help =
            near.map_or_else(|| "name an item, or a tag of items".to_owned(), |near| format!("did you mean `{near}`?"));
        let message = format!("there is no item and no tag `{}`", phrase.text);
        problems.push(Problem::new("HR0203", phrase.span, message).label("unknown item").help(help));
        return None;
    }
    Some(phrase.text.clone())
}

fn pick(table: &Table, who: EntityId, aim: Aim, standing: &str) -> Result<Option<EntityId>, Fault> {
    if matches!(aim, Aim::Nobody | Aim::Oneself) {
        return Ok(Some(who).filter(|_| aim == Aim::Oneself));
    }
    let friends = matches!(aim, Aim::NearestAlly | Aim::WeakestAlly);
    let Some(side) = table.state().entity(who).map(|entity| &entity.side) else { return Ok(None) };
    let mut candidates = Vec::new();
    for (other, entity) in table.state().present().filter(|(other, entity)| *other != who && acts(entity)) {
        if (entity.side == *side) == friends && (friends || stands(table, other, standing)?) {
            candidates.push(other);
        }
    }
    let near = matches!(aim, Aim::NearestFoe | Aim::NearestAlly);
    let measure = |other: &EntityId| (if near { distance(table, who, *other) } else { left(table, *other) }, *other);
    Ok(candidates.into_iter().min_by_key(measure))
}

/// Whether somebody is a creature; things that lie about are no foes.
fn acts(entity: &Entity) -> bool {
    matches!(entity.origin, Origin::Creature(_))
}

/// Without a map all are equally near. A fault in somebody's size is told when
/// the action is tried, which reads it too.
fn distance(table: &Table, from: EntityId, to: EntityId) -> i32 {
    let about = Situation { target: Some(to), ..Situation::of(from) };
    let reckoner = houserule_kernel::reckon::Reckoner::new(table.rules(), table.state(), about);
    reckoner.distance().ok().flatten().unwrap_or(0)
}

/// What is left in the pools that damage falls on.
fn left(table: &Table, who: EntityId) -> i32 {
    let Some(entity) = table.state().entity(who) else { return 0 };
    table.rules().dealing.pools.iter().map(|pool| entity.pools.get(*pool)).fold(0, i32::saturating_add)
}

/// The free square nearest to somebody on the straight way there, within a
/// distance; none if one stands beside them already.
fn approach(table: &Table, who: EntityId, target: EntityId, feet: i32) -> Option<Square> {
    let state = table.state();
    let (from, to) = (state.entity(who)?.square?, state.entity(target)?.square?);
    let grid = table.rules().grid;
    if grid.feet_between(from.into(), to.into()) <= i32::from(grid.feet_per_square.get()) {
        return None;
    }
    let free = |square: &Square| !state.present().any(|(other, entity)| other != who && entity.square == Some(*square));
    let near = |square: &Square| grid.feet_between(from.into(), (*square).into()) <= feet;
    line(from, to).skip(1).take_while(near).filter(free).last()
}
