//! What is done to conditions that somebody bears already: all their instances, or those of one cause, or toward one.

use crate::condition::Instance;
use crate::error::in_range;
use crate::ident::*;
use crate::journal::EndReason;
use crate::oracle::Flow;
use crate::resolve::{Extension, NewCondition};
use crate::scene::Scene;
use smallvec::SmallVec;

/// Which instances of a condition are meant: all, or those of one cause, or
/// toward one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InstanceFilter {
    /// Who caused them.
    pub from: Option<EntityId>,
    /// Whom they are borne toward.
    pub toward: Option<EntityId>,
}

impl InstanceFilter {
    /// All of them.
    pub const ALL: InstanceFilter = InstanceFilter { from: None, toward: None };

    fn are(self, borne: &Instance) -> bool {
        self.from.is_none_or(|from| borne.source == Some(from))
            && self.toward.is_none_or(|toward| borne.toward == Some(toward))
    }
}

type Instances = SmallVec<[Instance; 4]>;

impl Scene {
    /// The instances of a condition that somebody bears, active or not: all, or
    /// those that are meant.
    #[must_use]
    pub fn instances(&self, who: EntityId, condition: ConditionId, those: InstanceFilter) -> Instances {
        let borne = self.state.entity(who).map(|entity| entity.bears.as_slice()).unwrap_or_default();
        borne.iter().filter(|borne| borne.condition == condition && those.are(borne)).cloned().collect()
    }

    /// InstanceFilter that stand for themselves; what came with another condition stays
    /// as long, and as strong, as that one has it.
    fn own_instances(&self, who: EntityId, condition: ConditionId, those: InstanceFilter) -> Instances {
        let mut own = self.instances(who, condition, those);
        own.retain(|borne| borne.parent.is_none());
        own
    }

    /// Ends the instances of a condition that stand for themselves. Says whether
    /// there were any.
    ///
    /// # Errors
    /// As ending them does.
    pub fn remove(&mut self, who: EntityId, condition: ConditionId, those: InstanceFilter) -> Flow<bool> {
        let rule = self.rule.unwrap_or(self.rules.conditions.get(condition).rule);
        let ending = self.own_instances(who, condition, those);
        let some = !ending.is_empty();
        ending.into_iter().try_for_each(|borne| self.end_instance(who, borne.serial, EndReason::Rule(rule)))?;
        Ok(some)
    }

    /// Raises the value of a condition, or lowers it if `by` is negative, of each
    /// instance that stands for itself. Where there is none, raising begins one.
    ///
    /// # Errors
    /// `HR0501` beyond the range of numbers; else as beginning and ending do.
    pub fn shift(&mut self, who: EntityId, condition: ConditionId, by: i32, those: InstanceFilter) -> Flow<()> {
        let borne = self.own_instances(who, condition, those);
        if borne.is_empty() && by > 0 {
            let (source, toward) = (those.from, those.toward);
            return self
                .apply(who, NewCondition { value: Some(by), source, toward, ..NewCondition::of(condition) })
                .map(drop);
        }
        borne.into_iter().try_for_each(|borne| {
            let value = in_range(i64::from(borne.value) + i64::from(by), || self.value_of(condition))?;
            self.set_value(who, borne.serial, value)
        })
    }

    /// Keeps a condition from doing anything, and maybe stops its time.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn suspend_all(
        &mut self,
        who: EntityId,
        condition: ConditionId,
        stopped: bool,
        those: InstanceFilter,
    ) -> Flow<()> {
        self.instances(who, condition, those).into_iter().try_for_each(|borne| {
            if stopped {
                self.stop_timers(borne.serial)?;
            }
            self.suspend(who, borne, 1)
        })
    }

    /// Lets a condition go on. What another overrides is not resumed: only as
    /// much is taken back as was suspended by steps.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn resume(&mut self, who: EntityId, condition: ConditionId, those: InstanceFilter) -> Flow<()> {
        let over = self.overriders(&self.rules, who, condition)?;
        let mut borne = self.instances(who, condition, those);
        borne.retain(|borne| borne.suspended > over);
        borne.into_iter().try_for_each(|borne| {
            self.restart_timers(borne.serial)?;
            self.suspend(who, borne, -1)
        })
    }

    /// Lets a condition last longer: each timer of each instance.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn extend_all(
        &mut self,
        who: EntityId,
        condition: ConditionId,
        more: &[Extension],
        those: InstanceFilter,
    ) -> Flow<()> {
        let borne = self.instances(who, condition, those);
        borne.into_iter().try_for_each(|borne| self.extend(borne.serial, more))
    }
}
