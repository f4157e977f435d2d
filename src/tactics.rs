//! Tactics: how somebody acts whom nobody plays, as a list of preferences.

use crate::playbill::item_or_tag;
use crate::{Diagnostic, Fault, Intent, Problems, Ruleset, Table};
use houserule_kernel::action;
use houserule_kernel::entity::{Entity, StatBlockRef};
use houserule_kernel::formula::ExpectedType;
use houserule_kernel::ident::{ActionId, EntityId};
use houserule_kernel::pack::{FieldReader, Merged, Spanned, TomlEntry};
use houserule_kernel::read::desk::{LoadContext, Locals};
use houserule_kernel::situation::{Formula, Situation};
use houserule_kernel::space::{Centre, Square, way};

/// Whom a preference is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetChoice {
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

const AIMS: [(&str, TargetChoice); 6] = [
    ("none", TargetChoice::Nobody),
    ("self", TargetChoice::Oneself),
    ("nearest_foe", TargetChoice::NearestFoe),
    ("weakest_foe", TargetChoice::WeakestFoe),
    ("nearest_ally", TargetChoice::NearestAlly),
    ("weakest_ally", TargetChoice::WeakestAlly),
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
    pub aim: TargetChoice,
    /// Only if this says yes; of several targets, only those for whom it does.
    pub when: Option<Formula>,
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
    pub fn read(rules: &Ruleset, child: &TomlEntry, problems: &mut Problems) -> Tactic {
        let merged = Merged::default();
        let desk = LoadContext::of(rules, &merged);
        let mut f = FieldReader::open(&child.node, format!("tactic `{}`", child.name), problems);
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
        let mut problems = Problems::default();
        for child in &rules.tactics {
            Tactic::read(rules, child, &mut problems);
        }
        problems.told(&rules.sources)
    }
}

impl Preference {
    fn read(desk: &LoadContext<'_>, mut f: FieldReader<'_, '_>) -> Option<Preference> {
        let action = f.required_text("do").filter(|phrase| desk.id::<ActionId>(phrase, f.problems()).is_some());
        let action = action.map(|phrase| phrase.text.clone());
        let item = f.text("with").and_then(|phrase| held(desk, phrase, f.problems()));
        let and = f.text("and").and_then(|phrase| held(desk, phrase, f.problems()));
        let when = desk.field(&mut f, "when", ExpectedType::YesNo, &Locals::new());
        let aim = f
            .one_of("target", &AIMS.map(|(word, _)| word))
            .and_then(|at| AIMS.get(at))
            .map_or(TargetChoice::Nobody, |(_, aim)| *aim);
        f.close();
        Some(Preference { action: action?, item, and, aim, when })
    }

    /// The intent of somebody who would do this, if there is anybody to do it to.
    /// `standing` says who still counts.
    ///
    /// # Errors
    /// If `standing` or the preference's own question cannot be answered.
    pub fn intent(&self, table: &Table, who: EntityId, standing: &Formula) -> Result<Option<Intent>, Fault> {
        let target = match self.aim {
            TargetChoice::Nobody => None,
            TargetChoice::Oneself => Some(who),
            _ => match self.pick(table, who, standing)? {
                None => return Ok(None),
                picked => picked,
            },
        };
        if self.suits(table, who, target)? { self.worded(table, who, target) } else { Ok(None) }
    }

    /// Whether the preference's own question says yes of a target.
    fn suits(&self, table: &Table, who: EntityId, target: Option<EntityId>) -> Result<bool, Fault> {
        let Some(when) = &self.when else { return Ok(true) };
        let answer = table.value(Situation { target, ..Situation::of(who) }, when);
        let answer = answer.map_err(|fault| fault.during(format!("the tactic that prefers `{}`", self.action)))?;
        Ok(answer != 0)
    }

    /// The nearest or weakest of those for whom the question says yes.
    fn pick(&self, table: &Table, who: EntityId, standing: &Formula) -> Result<Option<EntityId>, Fault> {
        let friends = matches!(self.aim, TargetChoice::NearestAlly | TargetChoice::WeakestAlly);
        let Some(side) = table.state().entity(who).map(|entity| &entity.side) else { return Ok(None) };
        let mut candidates = Vec::new();
        for (other, entity) in table.state().present().filter(|(other, entity)| *other != who && acts(entity)) {
            let wanted = (entity.side == *side) == friends && (friends || stands(table, other, standing)?);
            if wanted && self.suits(table, who, Some(other))? {
                candidates.push(other);
            }
        }
        let near = matches!(self.aim, TargetChoice::NearestFoe | TargetChoice::NearestAlly);
        let measure =
            |other: &EntityId| (if near { distance(table, who, *other) } else { left(table, *other) }, *other);
        Ok(candidates.into_iter().min_by_key(measure))
    }

    fn worded(&self, table: &Table, who: EntityId, target: Option<EntityId>) -> Result<Option<Intent>, Fault> {
        let name = |who: EntityId| table.state().entity(who).map(|entity| entity.name.to_string());
        let mut intent = Intent::new(&self.action).by(&name(who).unwrap_or_default());
        intent.item.clone_from(&self.item);
        intent.and.clone_from(&self.and);
        let Some(action) = self.action(table) else { return Ok(Some(intent)) };
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

    fn action<'t>(&self, table: &'t Table) -> Option<&'t action::Action> {
        Some(table.rules().actions.get(table.rules().lexicon.find(&self.action)?))
    }
}

/// Whether somebody still counts.
///
/// # Errors
/// If the question cannot be answered.
pub fn stands(table: &Table, who: EntityId, standing: &Formula) -> Result<bool, Fault> {
    let found = table.value(Situation::of(who), standing);
    found.map(|answer| answer != 0).map_err(|fault| fault.during("the question `standing` of the encounter"))
}

/// What an item is meant by: its name or one of its tags.
fn held(desk: &LoadContext<'_>, phrase: &Spanned, problems: &mut Problems) -> Option<String> {
    item_or_tag(&desk.lexicon, phrase, problems).then(|| phrase.text.clone())
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
    let reckoner = houserule_kernel::reckon::Evaluator::new(table.rules(), table.state(), about, &toil);
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
