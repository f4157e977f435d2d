//! Conditions: begun, begun again, ended, timed, and those that stand by themselves.

use crate::change::{StateField, StateValue};
use crate::clock::{Moment, Unit};
use crate::condition::*;
use crate::error::{Fault, in_range};
use crate::event::{RuleEvent, entity_field};
use crate::ident::*;
use crate::journal::{EndReason, Record};
use crate::oracle::Flow;
use crate::ruleset::Ruleset;
use crate::scene::{Scene, too_much};
use crate::situation::Situation;
use crate::validate::MOST_BORNE;
use smallvec::SmallVec;
use std::sync::Arc;

/// What kept a standing condition away: its own `unless`.
const SPARED_BY_QUESTION: i32 = 1;
/// What kept a standing condition away: a hook or a reaction.
const SPARED_BY_RULE: i32 = 2;

/// A condition on its way to somebody.
#[derive(Clone, Debug)]
pub struct NewCondition {
    /// Which.
    pub condition: ConditionId,
    /// Its value, if it says one.
    pub value: Option<i32>,
    /// Who causes it.
    pub source: Option<EntityId>,
    /// Whom it is borne toward.
    pub toward: Option<EntityId>,
    /// What it comes with.
    pub parent: Option<Serial>,
    /// When it ends; the first that comes ends it.
    pub until: SmallVec<[Moment; 2]>,
    /// What it remembers.
    pub notes: SmallVec<[(NoteId, i32); 2]>,
}

impl NewCondition {
    /// A condition without value, time or cause.
    #[must_use]
    pub fn of(condition: ConditionId) -> NewCondition {
        NewCondition {
            condition,
            value: None,
            source: None,
            toward: None,
            parent: None,
            until: SmallVec::new(),
            notes: SmallVec::new(),
        }
    }
}

impl Scene {
    /// Puts a condition on somebody. Says whether it took hold.
    ///
    /// # Errors
    /// As its steps and hooks do.
    pub fn apply(&mut self, who: EntityId, onset: NewCondition) -> Flow<bool> {
        self.deeper("conditions bring", |scene| scene.put_on(who, onset))
    }

    fn put_on(&mut self, who: EntityId, mut onset: NewCondition) -> Flow<bool> {
        let rules = Arc::clone(&self.rules);
        let definition = rules.conditions.get(onset.condition);
        if !self.takes_hold(&rules, definition, who, &mut onset)? {
            return self.resist(who, onset.condition).map(|()| false);
        }
        self.leave_group(definition, who, &onset)?;
        let again = match onset.parent {
            Some(_) => None,
            None => self.had_already(who, definition, &onset)?,
        };
        match again {
            Some(instance) => self.begin_again(definition, who, instance, &onset).map(|()| true),
            None => self.begin_anew(&rules, definition, who, onset),
        }
    }

    /// Writes down that a condition did not take hold.
    pub(super) fn resist(&mut self, who: EntityId, condition: ConditionId) -> Flow<()> {
        self.record(Record::Resisted { who, condition })
    }

    /// Of a group of conditions somebody bears one toward each other creature, and
    /// one toward nobody: the others end.
    fn leave_group(&mut self, definition: &Condition, who: EntityId, onset: &NewCondition) -> Flow<()> {
        let Some(group) = definition.group else { return Ok(()) };
        let rules = Arc::clone(&self.rules);
        let toward = |toward: Option<EntityId>| toward.filter(|toward| *toward != who);
        let other = |borne: &&Instance| {
            borne.condition != onset.condition
                && toward(borne.toward) == toward(onset.toward)
                && rules.conditions.get(borne.condition).group == Some(group)
        };
        let others = self.state.entity(who).into_iter().flat_map(|entity| entity.bears.iter().filter(other));
        let others: SmallVec<[Serial; 4]> = others.map(|borne| borne.serial).collect();
        others.into_iter().try_for_each(|serial| self.end_instance(who, serial, EndReason::Rule(definition.rule)))
    }

    /// Whether nothing keeps the condition away. A rule that writes the value of
    /// `condition.begin` sets it.
    fn takes_hold(
        &mut self,
        rules: &Ruleset,
        definition: &Condition,
        who: EntityId,
        onset: &mut NewCondition,
    ) -> Flow<bool> {
        let about = Situation { source: onset.source, ..Situation::of(who) };
        if definition.unless.is_some() && self.reckon(about).holds(definition.unless.as_ref())? {
            return Ok(false);
        }
        let said = onset.value.unwrap_or(1);
        let fields = self.condition_fields(who, onset.condition, onset.source, said);
        let frame = self.before(RuleEvent::new(rules.known.condition_begin, about, &fields))?;
        let [_, _, _, value, ..] = frame.event.fields;
        if value != said {
            onset.value = Some(value);
        }
        Ok(frame.prevented.is_none())
    }

    fn condition_fields(
        &self,
        who: EntityId,
        condition: ConditionId,
        source: Option<EntityId>,
        value: i32,
    ) -> [i32; 4] {
        [entity_field(Some(who)), i32::from(condition.number()), entity_field(source), value]
    }

    /// What applying a condition again does to one who bears it.
    pub(super) fn again(&self, definition: &Condition, who: EntityId) -> Flow<ReapplyRules> {
        for (when, repeat) in &definition.again {
            if self.reckon(Situation::of(who)).holds(when.as_ref())? {
                return Ok(*repeat);
            }
        }
        Ok(ReapplyRules::default())
    }

    fn had_already(&self, who: EntityId, definition: &Condition, onset: &NewCondition) -> Flow<Option<Instance>> {
        let value = self.again(definition, who)?.value;
        if value == Reapply::All {
            return Ok(None);
        }
        let per_source = value == Reapply::PerSource;
        let same = |borne: &&Instance| {
            borne.condition == onset.condition
                && borne.toward == onset.toward
                && borne.parent.is_none()
                && (!per_source || borne.source == onset.source)
        };
        Ok(self.state.entity(who).and_then(|entity| entity.bears.iter().find(same).cloned()))
    }

    /// Begins a condition, if its value is not below the least, and says whether.
    fn begin_anew(
        &mut self,
        rules: &Ruleset,
        definition: &Condition,
        who: EntityId,
        onset: NewCondition,
    ) -> Flow<bool> {
        let value = self.fitting(definition, who, onset.value.unwrap_or(1))?;
        if self.is_below(definition, who, value)? {
            self.record(Record::Resisted { who, condition: onset.condition })?;
            return Ok(false);
        }
        if self.state.entity(who).is_some_and(|entity| entity.bears.len() >= MOST_BORNE) {
            return Err(too_much("one bears", MOST_BORNE, "conditions").into());
        }
        let serial = self.number()?;
        let instance = Instance {
            serial,
            condition: onset.condition,
            value,
            source: onset.source,
            toward: onset.toward,
            parent: onset.parent,
            suspended: self.overriders(rules, who, onset.condition)?,
            notes: onset.notes,
        };
        let rule = self.rule.unwrap_or(definition.rule);
        self.change(StateField::Instance(who, serial), StateValue::Instance(Box::new(instance)))?;
        self.record(Record::Began { who, condition: onset.condition, value, source: onset.source, rule })?;
        self.set_timers(who, serial, &onset.until)?;
        self.bring_along(definition, who, serial, onset.source)?;
        self.override_others(definition, who, 1)?;
        self.run_condition_steps(&definition.start, definition.rule, who, serial, onset.source, value)?;
        let fields = self.condition_fields(who, onset.condition, onset.source, value);
        let about = Situation { source: onset.source, instance: Some(serial), ..Situation::of(who) };
        self.announce(RuleEvent::new(rules.known.condition_applied, about, &fields))?;
        self.end_if_below(definition, who, serial).map(|()| true)
    }

    fn run_condition_steps(
        &mut self,
        steps: &[crate::step::Step],
        rule: RuleId,
        who: EntityId,
        serial: Serial,
        source: Option<EntityId>,
        value: i32,
    ) -> Flow<()> {
        let about = Situation { source, instance: Some(serial), ..Situation::of(who) };
        let done = self.citing(Some(rule), |scene| scene.perform(steps, about, &[value]));
        self.blaming(rule, done)
    }

    fn bring_along(
        &mut self,
        definition: &Condition,
        who: EntityId,
        parent: Serial,
        source: Option<EntityId>,
    ) -> Flow<()> {
        for implied in &definition.implies {
            self.apply(who, NewCondition { source, parent: Some(parent), ..NewCondition::of(*implied) })?;
        }
        Ok(())
    }

    /// How many conditions of somebody keep one from doing anything.
    pub(super) fn overriders(&self, rules: &Ruleset, who: EntityId, condition: ConditionId) -> Flow<u16> {
        let mut over = 0_u16;
        for borne in self.state.entity(who).into_iter().flat_map(|entity| &entity.bears) {
            let overrides = &rules.conditions.get(borne.condition).overrides;
            self.toil(1 + overrides.len() / 8)?;
            over = over.saturating_add(u16::from(overrides.contains(&condition)));
        }
        Ok(over)
    }

    /// Suspends what a condition overrides, or lets it go on exactly as it was.
    fn override_others(&mut self, definition: &Condition, who: EntityId, by: i32) -> Flow<()> {
        let bears = self.state.entity(who).map_or(0, |entity| entity.bears.len());
        self.toil(bears + bears * definition.overrides.len() / 8)?;
        let overridden = |borne: &&Instance| definition.overrides.contains(&borne.condition);
        let others: Vec<Instance> = self
            .state
            .entity(who)
            .map(|entity| entity.bears.iter().filter(overridden).cloned().collect())
            .unwrap_or_default();
        others.into_iter().try_for_each(|other| self.suspend(who, other, by))
    }

    /// Keeps an instance from doing anything, or takes one such reason away.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn suspend(&mut self, who: EntityId, mut instance: Instance, by: i32) -> Flow<()> {
        let reasons = i32::from(instance.suspended).saturating_add(by).max(0);
        instance.suspended = u16::try_from(reasons).unwrap_or(u16::MAX);
        self.change(StateField::Instance(who, instance.serial), StateValue::Instance(Box::new(instance)))
    }

    fn fitting(&self, definition: &Condition, who: EntityId, value: i32) -> Flow<i32> {
        if definition.least.is_none() && definition.most.is_none() {
            let adds = self.again(definition, who)?.value == Reapply::Add;
            return Ok(if adds { value } else { value.max(1) });
        }
        let reckoner = self.reckon(Situation::of(who));
        let most = definition.most.as_ref().map_or(Ok(i32::MAX), |most| reckoner.value(most))?;
        Ok(value.min(most))
    }

    fn begin_again(
        &mut self,
        definition: &Condition,
        who: EntityId,
        instance: Instance,
        onset: &NewCondition,
    ) -> Flow<()> {
        let new = onset.value.unwrap_or(instance.value);
        let again = self.again(definition, who)?.value;
        let value = match again {
            Reapply::Most | Reapply::PerSource | Reapply::All => instance.value.max(new),
            Reapply::Add => {
                let sum = i64::from(instance.value) + i64::from(onset.value.unwrap_or(1));
                in_range(sum, || self.value_of(onset.condition))?
            }
            Reapply::Replace => new,
            Reapply::Keep => instance.value,
        };
        let adopted = match again {
            Reapply::Most | Reapply::PerSource | Reapply::All => new > instance.value,
            Reapply::Replace => true,
            Reapply::Add | Reapply::Keep => false,
        };
        self.time_again(definition, who, &instance, onset)?;
        if adopted && !onset.notes.is_empty() {
            let notes = onset.notes.clone();
            let anew = Instance { notes, ..instance.clone() };
            self.change(StateField::Instance(who, instance.serial), StateValue::Instance(Box::new(anew)))?;
        }
        self.set_value(who, instance.serial, value)
    }

    /// What a value of a condition is called in faults.
    pub(crate) fn value_of(&self, condition: ConditionId) -> String {
        format!("the value of `{}`", self.rules.name(condition))
    }

    /// Sets the value of an instance; below its least it ends.
    ///
    /// # Errors
    /// As ending it does.
    pub fn set_value(&mut self, who: EntityId, serial: Serial, value: i32) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        let Some(mut instance) = self.state.entity(who).and_then(|entity| entity.instance(serial)).cloned() else {
            return Ok(());
        };
        let definition = rules.conditions.get(instance.condition);
        let (before, after) = (instance.value, self.fitting(definition, who, value)?);
        self.record(Record::Became { who, condition: instance.condition, before, after })?;
        if before != after {
            let (condition, source) = (instance.condition, instance.source);
            instance.value = after;
            self.change(StateField::Instance(who, serial), StateValue::Instance(Box::new(instance)))?;
            let fields = self.condition_fields(who, condition, source, after);
            let about = Situation { source, instance: Some(serial), ..Situation::of(who) };
            self.announce(RuleEvent::new(rules.known.condition_changed, about, &fields))?;
        }
        self.end_if_below(definition, who, serial)
    }

    fn end_if_below(&mut self, definition: &Condition, who: EntityId, serial: Serial) -> Flow<()> {
        let borne = self.state.entity(who).and_then(|entity| entity.instance(serial)).map(|borne| borne.value);
        match borne {
            Some(value) if self.is_below(definition, who, value)? => self.end_instance(who, serial, EndReason::Value),
            _ => Ok(()),
        }
    }

    fn is_below(&self, definition: &Condition, who: EntityId, value: i32) -> Flow<bool> {
        let least = definition.least.as_ref().map(|least| self.reckon(Situation::of(who)).value(least)).transpose()?;
        Ok(least.is_some_and(|least| value < least))
    }

    /// Ends an instance, with its timers and what came with it.
    ///
    /// # Errors
    /// As its steps and hooks do.
    pub fn end_instance(&mut self, who: EntityId, serial: Serial, reason: EndReason) -> Flow<()> {
        self.deeper("conditions bring", |scene| scene.take_off(who, serial, reason))
    }

    fn take_off(&mut self, who: EntityId, serial: Serial, reason: EndReason) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        let Some(instance) = self.state.entity(who).and_then(|entity| entity.instance(serial)).cloned() else {
            return Ok(());
        };
        let definition = rules.conditions.get(instance.condition);
        self.drop_timers(serial)?;
        self.change(StateField::Instance(who, serial), StateValue::Nothing)?;
        let condition = instance.condition;
        let still = self.state.entity(who).is_some_and(|entity| entity.bearing(condition).is_some());
        self.record(Record::Ended { who, condition, reason, still })?;
        self.end_children(who, serial)?;
        self.override_others(definition, who, -1)?;
        self.ended.push(instance.clone());
        let ran =
            self.run_condition_steps(&definition.end, definition.rule, who, serial, instance.source, instance.value);
        self.ended.pop();
        ran?;
        let fields = self.condition_fields(who, instance.condition, instance.source, instance.value);
        let about = Situation { source: instance.source, ..Situation::of(who) };
        self.announce(RuleEvent::new(rules.known.condition_ended, about, &fields))
    }

    fn end_children(&mut self, who: EntityId, parent: Serial) -> Flow<()> {
        let child = |borne: &&Instance| borne.parent == Some(parent);
        let children: SmallVec<[Serial; 4]> = self
            .state
            .entity(who)
            .map(|entity| entity.bears.iter().filter(child).map(|borne| borne.serial).collect())
            .unwrap_or_default();
        children.into_iter().try_for_each(|serial| self.end_instance(who, serial, EndReason::Parent))
    }

    /// Lets standing conditions come and go until nothing changes.
    ///
    /// # Errors
    /// `HR0532` if one comes and goes in one settling.
    pub fn settle(&mut self) -> Flow<()> {
        // what comes and goes by itself is not the work of the rule that runs
        self.citing(None, Scene::settle_all)
    }

    fn settle_all(&mut self) -> Flow<()> {
        let mut turned: SmallVec<[(EntityId, ConditionId); 8]> = SmallVec::new();
        while !self.touched.is_empty() || !self.reshaped.is_empty() {
            for who in self.reshaped.take() {
                self.hold_pools(who)?;
            }
            let mut touched = self.touched.take();
            touched.sort_unstable();
            for who in touched {
                self.settle_one(who, &mut turned)?;
            }
        }
        Ok(())
    }

    /// No pool stays above a maximum that has fallen.
    fn hold_pools(&mut self, who: EntityId) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        self.toil(1 + rules.pools.len() / 4)?;
        for (pool, definition) in rules.pools.iter().filter(|(_, pool)| pool.max.constant().is_none()) {
            let has = self.pool(who, pool);
            if has > definition.min && self.has_pool(who, pool) && has > self.pool_max(who, pool)? {
                self.set_pool(who, pool, i64::from(has), Situation::of(who), 0)?;
            }
        }
        Ok(())
    }

    fn settle_one(&mut self, who: EntityId, turned: &mut SmallVec<[(EntityId, ConditionId); 8]>) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        let bears = self.state.entity(who).map_or(0, |entity| entity.bears.len());
        self.toil(rules.standing.len() * (1 + (bears + turned.len()) / 16))?;
        for condition in &rules.standing {
            let definition = rules.conditions.get(*condition);
            let holds = self.stands(definition, who)?;
            if self.is_spared(definition, who, *condition, holds)? {
                continue;
            }
            let standing = self.standing_instance(who, *condition);
            if holds == standing.is_some() || (standing.is_some() && definition.sticky.is_some()) {
                continue;
            }
            if turned.contains(&(who, *condition)) {
                return Err(self.circle(who, *condition).into());
            }
            turned.push((who, *condition));
            match standing {
                Some(serial) => self.end_instance(who, serial, EndReason::Standing)?,
                None if self.begin_standing(definition, who, *condition)? => {}
                None => drop(turned.pop()),
            }
        }
        Ok(())
    }

    fn begin_standing(&mut self, definition: &Condition, who: EntityId, condition: ConditionId) -> Flow<bool> {
        let mut until = SmallVec::new();
        for lasts in definition.sticky.iter().flatten() {
            let due = self.moment(lasts, Situation::of(who), &[])?;
            until.push(due.unwrap_or_else(|| self.from_now(Unit::Rounds, 1)));
        }
        let begun = self.apply(who, NewCondition { toward: Some(who), until, ..NewCondition::of(condition) })?;
        if !begun {
            let immune =
                self.reckon(Situation::of(who)).holds(definition.unless.as_ref())? && definition.unless.is_some();
            let by = if immune { SPARED_BY_QUESTION } else { SPARED_BY_RULE };
            self.change(StateField::Spared(who, condition), StateValue::Number(by))?;
        }
        Ok(begun)
    }

    /// Whether a standing condition was resisted and nothing has changed since:
    /// its question still says yes, and what kept it away is still there.
    fn is_spared(&mut self, definition: &Condition, who: EntityId, condition: ConditionId, holds: bool) -> Flow<bool> {
        let by = self.state.entity(who).map_or(0, |entity| entity.spared.get(condition));
        if by == 0 {
            return Ok(false);
        }
        let still = match by {
            _ if !holds => false,
            SPARED_BY_QUESTION => self.reckon(Situation::of(who)).holds(definition.unless.as_ref())?,
            _ => {
                let fields = self.condition_fields(who, condition, None, 1);
                self.is_heard(RuleEvent::new(self.rules.known.condition_begin, Situation::of(who), &fields))?
            }
        };
        if !still {
            self.change(StateField::Spared(who, condition), StateValue::Number(0))?;
        }
        Ok(still || !holds)
    }

    fn stands(&self, definition: &Condition, who: EntityId) -> Flow<bool> {
        if !self.state.entity(who).is_some_and(|entity| !entity.gone && entity.is_one_of(&definition.of)) {
            return Ok(false);
        }
        match self.reckon(Situation::of(who)).holds(definition.standing.as_ref()) {
            Err(crate::oracle::Interrupt::Lacks(_)) => Ok(false),
            holds => holds,
        }
    }

    /// A standing condition is borne toward oneself, so that it is never taken
    /// for one that was put there.
    fn standing_instance(&self, who: EntityId, condition: ConditionId) -> Option<Serial> {
        let own = |borne: &&Instance| borne.condition == condition && borne.toward == Some(who);
        self.state.entity(who)?.bears.iter().find(own).map(|borne| borne.serial)
    }

    fn circle(&self, who: EntityId, condition: ConditionId) -> Fault {
        let who = self.state.entity(who).map_or("?", |entity| &entity.name);
        let name = self.rules.name(condition);
        Fault::new("HR0532", format!("`{name}` of `{who}` comes and goes for ever: its question depends on itself"))
    }
}
