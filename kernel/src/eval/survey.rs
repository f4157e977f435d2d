//! What the map says of a situation: how far, who stands opposite, who is in the way.

use super::Evaluator;
use crate::entity::{Entity, StatBlockRef};
use crate::ident::*;
use crate::oracle::{Flow, Interrupt, Missing};
use crate::ruleset::MapFact;
use crate::situation::{Formula, Situation, Who};
use crate::space::{Footprint, crossed_lines, opposite};
use smallvec::SmallVec;

type Bodies = SmallVec<[Footprint; 8]>;

impl Evaluator<'_> {
    /// What the map says, if those who matter stand on it.
    ///
    /// # Errors
    /// As bodies and questions are read.
    pub(super) fn survey(self, survey: &MapFact) -> Flow<Option<i32>> {
        let ends = || Ok::<_, Interrupt>(self.stands(self.about.actor)?.zip(self.stands(self.about.target)?));
        match survey {
            MapFact::Distance => self.distance(),
            MapFact::Opposite { by } => {
                let Some((actor, target)) = ends()? else { return Ok(None) };
                let others = self.others(&[self.about.actor, self.about.target], by.as_ref(), is_creature)?;
                Ok(Some(counted(others.iter().filter(|other| opposite(actor, **other, target)).count())))
            }
            MapFact::Between { by } => {
                let Some((actor, target)) = ends()? else { return Ok(None) };
                let others = self.others(&[self.about.actor, self.about.target], by.as_ref(), |_| true)?;
                self.toil(others.len() * others.len())?;
                Ok(Some(crossed_lines(actor, target, &others).into()))
            }
            MapFact::Near { of, feet, by } => {
                let Some(middle) = self.stands(self.who(*of))? else { return Ok(None) };
                let feet = self.value(feet)?;
                let others = self.others(&[self.who(*of)], by.as_ref(), is_creature)?;
                let near = |other: &&Footprint| self.rules.grid.feet_between(middle, **other) <= feet;
                Ok(Some(counted(others.iter().filter(near).count())))
            }
        }
    }

    /// Feet between two who stand somewhere.
    ///
    /// # Errors
    /// If one of them is nobody or stands nowhere.
    pub(super) fn feet(self, one: Who, other: Who) -> Flow<i32> {
        let body = |word: Who| self.stands(self.who(word))?.ok_or(Interrupt::Lacks(Missing::Who(word)));
        Ok(self.rules.grid.feet_between(body(one)?, body(other)?))
    }

    fn stands(self, who: Option<EntityId>) -> Flow<Option<Footprint>> {
        who.map_or(Ok(None), |who| self.body(who))
    }

    /// The bodies of all who stand on the map, but for some, and who count.
    fn others(self, but: &[Option<EntityId>], by: Option<&Formula>, sort: fn(&Entity) -> bool) -> Flow<Bodies> {
        let mut bodies = Bodies::new();
        self.toil(self.state.entities.len())?;
        for (who, entity) in self.state.present() {
            let counts = entity.square.is_some() && sort(entity) && !but.contains(&Some(who));
            if counts && self.about(Situation { bearer: Some(who), ..self.about }).applies(by)? {
                bodies.extend(self.body(who)?);
            }
        }
        Ok(bodies)
    }
}

/// Things that lie about stand in the way, but threaten nobody.
fn is_creature(entity: &Entity) -> bool {
    matches!(entity.origin, StatBlockRef::Creature(_))
}

fn counted(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
