//! Tactics: how somebody acts whom nobody plays, as a list of preferences.

use crate::{Intent, Problem, Table};
use houserule_kernel::ident::{ActionId, EntityId};
use houserule_kernel::pack::{Child, Fields};
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
    /// Reads `[tactic.NAME]`.
    pub fn read(child: &Child, problems: &mut Vec<Problem>) -> Tactic {
        let mut f = Fields::open(&child.node, format!("tactic `{}`", child.name), problems);
        f.text("about");
        let list = f.list("prefer");
        let prefer = list.iter().filter_map(|node| Preference::read(f.inside(node, "a preference"))).collect();
        f.close();
        Tactic { prefer }
    }
}

impl Preference {
    fn read(mut f: Fields<'_, '_>) -> Option<Preference> {
        let action = f.required_text("do").map(|phrase| phrase.text.clone());
        let item = f.text("with").map(|phrase| phrase.text.clone());
        let when = f.text("when").map(|phrase| phrase.text.clone());
        let aim = f
            .one_of("target", &AIMS.map(|(word, _)| word))
            .and_then(|at| AIMS.get(at))
            .map_or(Aim::Nobody, |(_, aim)| *aim);
        f.close();
        Some(Preference { action: action?, item, aim, when })
    }

    /// The intent of somebody who would do this, if there is anybody to do it to.
    /// `standing` says who still counts.
    #[must_use]
    pub fn intent(&self, table: &Table, who: EntityId, standing: &str) -> Option<Intent> {
        let target = match self.aim {
            Aim::Nobody => None,
            aim => Some(pick(table, who, aim, standing)?),
        };
        let about = Situation { target, ..Situation::of(who) };
        if self.when.as_ref().is_some_and(|when| table.read_about(about, when).unwrap_or(0) == 0) {
            return None;
        }
        let name = |who: EntityId| table.state().entity(who).map(|entity| entity.name.to_string());
        let mut intent = Intent::new(&self.action).by(&name(who)?);
        intent.item.clone_from(&self.item);
        if self.walks(table) {
            let square = approach(table, who, target?, self.reach(table, who))?;
            return Some(intent.to(square.x, square.y));
        }
        intent.targets.extend(target.and_then(name));
        Some(intent)
    }

    fn action(&self, table: &Table) -> Option<ActionId> {
        table.rules().lexicon.find(&self.action)
    }

    fn walks(&self, table: &Table) -> bool {
        self.action(table).is_some_and(|action| table.rules().actions.get(action).walk.is_some())
    }

    /// How far the action walks, in feet.
    fn reach(&self, table: &Table, who: EntityId) -> i32 {
        let walk = self.action(table).and_then(|action| table.rules().actions.get(action).walk.as_ref());
        walk.and_then(|walk| table.read(who, walk.text()).ok()).unwrap_or(0)
    }
}

/// Whether somebody still counts.
#[must_use]
pub fn stands(table: &Table, who: EntityId, standing: &str) -> bool {
    table.read(who, standing).unwrap_or(0) != 0
}

fn pick(table: &Table, who: EntityId, aim: Aim, standing: &str) -> Option<EntityId> {
    if aim == Aim::Oneself {
        return Some(who);
    }
    let friends = matches!(aim, Aim::NearestAlly | Aim::WeakestAlly);
    let side = &table.state().entity(who)?.side;
    let fits = |(other, entity): &(EntityId, &houserule_kernel::entity::Entity)| {
        *other != who
            && entity.owner.is_none()
            && (entity.side == *side) == friends
            && (friends || stands(table, *other, standing))
    };
    let candidates = table.state().present().filter(fits).map(|(other, _)| other);
    let near = matches!(aim, Aim::NearestFoe | Aim::NearestAlly);
    candidates.min_by_key(|other| (if near { distance(table, who, *other) } else { left(table, *other) }, *other))
}

fn distance(table: &Table, from: EntityId, to: EntityId) -> i32 {
    let about = Situation { target: Some(to), ..Situation::of(from) };
    let reckoner = houserule_kernel::reckon::Reckoner::new(table.rules(), table.state(), about);
    reckoner.distance().unwrap_or(0)
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
