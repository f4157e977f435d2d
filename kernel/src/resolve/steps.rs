//! Steps: performs the instructions that packs write as data.

use crate::budget::Cost;
use crate::change::{StateField, StateValue};
use crate::clock::Moment;
use crate::error::{Fault, in_range};
use crate::event::{RuleEvent, entity_field};
use crate::ident::*;
use crate::intent::HeldItem;
use crate::journal::{Argument, EndReason, Record, SaidText};
use crate::oracle::{Flow, Interrupt, Refusal};
use crate::resolve::{Extension, InstanceFilter, NewCondition};
use crate::scene::Scene;
use crate::situation::{Formula, Situation, Who};
use crate::step::*;
use smallvec::SmallVec;
use std::sync::Arc;

impl Scene {
    /// Performs steps in a situation, with the running numbers.
    ///
    /// # Errors
    /// As the steps do.
    pub fn perform(&mut self, steps: &[Step], about: Situation, locals: &[i32]) -> Flow<()> {
        if steps.is_empty() {
            return Ok(());
        }
        self.deeper("lists of steps call", |scene| steps.iter().try_for_each(|step| scene.step(step, about, locals)))
    }

    fn step(&mut self, step: &Step, about: Situation, locals: &[i32]) -> Flow<()> {
        self.pay(Cost::Deed)?;
        if self.reckon(about).with(locals).holds(step.when.as_ref())? {
            self.deed(step, about, locals)?;
            self.catch_up()?;
        }
        Ok(())
    }

    fn number_of(&self, formula: &Formula, about: Situation, locals: &[i32]) -> Flow<i32> {
        self.reckon(about).with(locals).value(formula)
    }

    /// The value of a formula whose dice, if it has any, are rolled by who acts.
    fn rolled(&mut self, formula: &Formula, stream: StreamId, about: Situation, locals: &[i32]) -> Flow<i32> {
        if !formula.rolls_dice() {
            return self.number_of(formula, about, locals);
        }
        let who = about.actor.or(about.bearer).unwrap_or(EntityId::TABLE);
        Ok(self.throw(formula, who, stream, about, locals)?.0)
    }

    fn deed(&mut self, step: &Step, about: Situation, locals: &[i32]) -> Flow<()> {
        let whom = |scene: &Scene| scene.reckon(about).somebody(step.who);
        match &step.deed {
            Verb::Damage(blow) => self.strike(blow, whom(self)?, about, locals),
            Verb::Heal { amount, pool } => self.step_heal(whom(self)?, *pool, amount, about, locals),
            Verb::Pool { pool, amount, set } => self.step_pool(whom(self)?, *pool, amount, *set, about, locals),
            Verb::Apply(apply) => self.step_apply(whom(self)?, apply, about, locals),
            Verb::Borne { condition, which, fate } => {
                let those = self.those(*which, about)?;
                self.step_borne(whom(self)?, *condition, those, fate, about, locals)
            }
            Verb::Sustain(condition) => self.sustain(whom(self)?, *condition),
            Verb::Count { count, amount, set } => {
                self.step_count(whom(self)?, *count, self.number_of(amount, about, locals)?, *set)
            }
            Verb::Note { note, amount } => self.step_note(whom(self)?, *note, amount, about, locals),
            Verb::Tag { tag, on } => {
                let who = whom(self)?;
                self.change(StateField::Tag(who, *tag), StateValue::YesNo(*on))
            }
            Verb::Check(trial) => self.step_check(whom(self)?, trial, about, locals),
            Verb::Become(degree) => self.become_degree(*degree),
            Verb::Bonus { amount } => self.add_to_check(self.number_of(amount, about, locals)?),
            Verb::Reroll(kept) => self.reroll_check(*kept),
            Verb::Prevent(text) => self.prevent(*text),
            Verb::Disrupt(text) => self.disrupt(*text, about),
            Verb::Refuse(text) => self.refuse(*text),
            Verb::Raise { event, fields, seats } => {
                let bearer = self.reckon(about).who(step.who).or(about.bearer);
                self.step_raise(*event, fields, seats, Situation { bearer, ..about }, locals)
            }
            Verb::Hook(hook) => self.step_hook(*hook, about),
            Verb::Steps(list) => self.step_list(*list, about, locals),
            Verb::Pick(lists) => self.step_pick(lists, about, locals),
            Verb::Push { feet, way } => self.step_push(whom(self)?, feet, way.as_ref(), about, locals),
            Verb::Create(item) => {
                let (who, rules) = (whom(self)?, Arc::clone(&self.rules));
                self.equip(&rules, who, &HeldItem::from(*item))
            }
            Verb::Give => self.step_give(whom(self)?, about),
            Verb::Drop(None) => self.lay_down(whom(self)?),
            Verb::Drop(Some(tag)) => self.lay_down_all(whom(self)?, *tag),
            Verb::End => self.end_entity(whom(self)?),
            Verb::Initiative { before } => self.act_beside(whom(self)?, *before),
            Verb::Reduce(by) => self.reduce_damage(self.number_of(by, about, locals)?),
            Verb::Group(steps, with) => self.step_group(steps, *with, about, locals),
            Verb::Say(text) => {
                let arguments = self.cast(about);
                self.record(Record::Said { text: *text, arguments, audience: Audience::Everyone })
            }
        }
    }

    fn step_list(&mut self, list: StepsId, about: Situation, locals: &[i32]) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        let done = self.perform(rules.steps.get(list), about, locals);
        if done.is_ok() {
            return done;
        }
        // the name is looked up only for a fault: lists run all the time
        match rules.lexicon.find(&format!("steps.{}", rules.name(list))) {
            Some(rule) => self.blaming(rule, done),
            None => done,
        }
    }

    fn step_push(
        &mut self,
        who: EntityId,
        feet: &Formula,
        way: Option<&Formula>,
        about: Situation,
        locals: &[i32],
    ) -> Flow<()> {
        let feet = self.number_of(feet, about, locals)?;
        let way = way.map(|way| self.number_of(way, about, locals)).transpose()?;
        self.push(who, feet, way, about)
    }

    fn step_heal(
        &mut self,
        who: EntityId,
        pool: PoolId,
        amount: &Formula,
        about: Situation,
        locals: &[i32],
    ) -> Flow<()> {
        let amount = self.rolled(amount, self.rules.streams.roll, about, locals)?;
        self.heal(who, pool, amount, about).map(drop)
    }

    fn step_note(
        &mut self,
        who: EntityId,
        note: NoteId,
        amount: &Formula,
        about: Situation,
        locals: &[i32],
    ) -> Flow<()> {
        let number = self.rolled(amount, self.rules.streams.roll, about, locals)?;
        self.keep_note(who, note, number, about)
    }

    fn step_borne(
        &mut self,
        who: EntityId,
        condition: ConditionId,
        those: InstanceFilter,
        fate: &ConditionChange,
        about: Situation,
        locals: &[i32],
    ) -> Flow<()> {
        match fate {
            ConditionChange::Remove => self.remove(who, condition, those).map(drop),
            ConditionChange::Shift(by) => self.shift(who, condition, self.number_of(by, about, locals)?, those),
            ConditionChange::Suspend { stopped } => self.suspend_all(who, condition, *stopped, those),
            ConditionChange::Resume => self.resume(who, condition, those),
            ConditionChange::Extend(by) => {
                let more = self.more(by, about, locals)?;
                self.extend_all(who, condition, &more, those)
            }
        }
    }

    fn step_group(&mut self, steps: &[Step], with: Option<Who>, about: Situation, locals: &[i32]) -> Flow<()> {
        let item = match with {
            Some(with) => Some(self.reckon(about).somebody(with)?),
            None => about.item,
        };
        self.perform(steps, Situation { item, ..about }, locals)
    }

    /// Whom a text may name: everybody in the situation.
    pub(crate) fn cast(&self, about: Situation) -> SmallVec<[Argument; 2]> {
        let named = [("who", about.bearer), ("target", about.target), ("item", about.item), ("source", about.source)];
        let named = named.into_iter().filter_map(|(name, who)| Some((name, who?)));
        named.map(|(name, who)| Argument { name: name.into(), value: SaidText::Entity(who) }).collect()
    }

    /// The same as names, for refusals.
    #[must_use]
    pub fn cast_names(&self, about: Situation) -> Vec<(Box<str>, Box<str>)> {
        let name = |argument: Argument| match argument.value {
            SaidText::Entity(who) => (argument.name, self.name_of(who)),
            SaidText::Number(number) => (argument.name, number.to_string().into()),
            SaidText::Word(word) => (argument.name, word),
        };
        self.cast(about).into_iter().map(name).collect()
    }

    fn step_pool(
        &mut self,
        who: EntityId,
        pool: PoolId,
        amount: &Formula,
        set: bool,
        about: Situation,
        locals: &[i32],
    ) -> Flow<()> {
        let amount = i64::from(self.rolled(amount, self.rules.streams.roll, about, locals)?);
        let to = if set { amount } else { i64::from(self.pool(who, pool)) + amount };
        self.set_pool(who, pool, to, about, 0).map(drop)
    }

    fn step_apply(&mut self, who: EntityId, apply: &ApplyStep, about: Situation, locals: &[i32]) -> Flow<()> {
        let stream = self.rules.streams.roll;
        let value = match &apply.value {
            Some(value) => Some(self.rolled(value, stream, about, locals)?),
            None => None,
        };
        let mut until: SmallVec<[Option<Moment>; 2]> = SmallVec::new();
        for lasts in &apply.lasts {
            until.push(self.moment(lasts, about, locals)?);
        }
        let Some(until) = until.into_iter().collect::<Option<SmallVec<_>>>() else {
            return self.resist(who, apply.condition);
        };
        let mut notes = SmallVec::new();
        for (note, formula) in &apply.notes {
            notes.push((*note, self.rolled(formula, stream, about, locals)?));
        }
        let toward = apply.toward.map(|word| self.reckon(about).somebody(word)).transpose()?;
        let source = about.actor.or(about.source);
        self.apply(who, NewCondition { value, source, toward, until, notes, ..NewCondition::of(apply.condition) })
            .map(drop)
    }

    /// The moment up to which something lasts; none for a time of less than 1.
    pub(super) fn moment(&mut self, lasts: &DurationSpec, about: Situation, locals: &[i32]) -> Flow<Option<Moment>> {
        Ok(Some(match lasts {
            DurationSpec::For(unit, count) => {
                let count = self.rolled(count, self.rules.streams.roll, about, locals)?;
                if count < 1 {
                    return Ok(None);
                }
                self.from_now(*unit, count)
            }
            DurationSpec::Until(word, event, left) => {
                let who = word.map(|word| self.reckon(about).somebody(word)).transpose()?;
                Moment::Event { event: *event, who, left: *left }
            }
        }))
    }

    fn those(&self, which: InstanceSelector, about: Situation) -> Flow<InstanceFilter> {
        let somebody = |word: Option<Who>| word.map(|word| self.reckon(about).somebody(word)).transpose();
        Ok(InstanceFilter { from: somebody(which.from)?, toward: somebody(which.toward)? })
    }

    fn more(&mut self, by: &[DurationSpec], about: Situation, locals: &[i32]) -> Flow<SmallVec<[Extension; 2]>> {
        let mut more = SmallVec::new();
        for lasts in by {
            more.push(match lasts {
                DurationSpec::For(unit, count) => {
                    let count = self.rolled(count, self.rules.streams.roll, about, locals)?;
                    Extension::Seconds(unit.seconds(count, self.rules.turn.seconds))
                }
                DurationSpec::Until(word, event, times) => {
                    let who = word.map(|word| self.reckon(about).somebody(word)).transpose()?;
                    Extension::Times(*event, who, *times)
                }
            });
        }
        Ok(more)
    }

    fn step_count(&mut self, who: EntityId, count: CountId, amount: i32, set: bool) -> Flow<()> {
        let before = self.state.entity(who).map_or(0, |entity| entity.counts.get(count));
        let to = i64::from(amount) + if set { 0 } else { i64::from(before) };
        let to = in_range(to, || format!("the count `{}`", self.rules.name(count)))?;
        self.change(StateField::Count(who, count), StateValue::Number(to))
    }

    /// Keeps a number with the running condition, or with somebody.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn keep_note(&mut self, who: EntityId, note: NoteId, number: i32, about: Situation) -> Flow<()> {
        let running = about.instance.and_then(|serial| self.state.entity(who)?.instance(serial)).cloned();
        let Some(mut instance) = running else {
            return self.change(StateField::Note(who, note), StateValue::Number(number));
        };
        match instance.notes.iter_mut().find(|(kept, _)| *kept == note) {
            Some((_, kept)) => *kept = number,
            None => instance.notes.push((note, number)),
        }
        self.change(StateField::Instance(who, instance.serial), StateValue::Instance(Box::new(instance)))
    }

    fn step_check(&mut self, who: EntityId, trial: &CheckStep, about: Situation, locals: &[i32]) -> Flow<()> {
        let dc = trial.dc.as_ref().map(|dc| self.number_of(dc, about, locals)).transpose()?;
        let verdict = self.check(trial.check, who, dc, about)?;
        let margin = verdict.total.saturating_sub(verdict.dc);
        let locals = [verdict.natural, verdict.total, verdict.dc, verdict.bonus, margin, dc.unwrap_or(0)];
        let locals = locals.get(..5 + usize::from(dc.is_some())).unwrap_or_default();
        let follows = trial.on.iter().find(|(degree, _)| *degree == verdict.degree);
        self.catch_up()?;
        follows.map_or(Ok(()), |(_, steps)| self.perform(steps, about, locals))
    }

    /// Ends the running action; its costs stay.
    ///
    /// # Errors
    /// Always: the stop that ends it.
    pub fn disrupt(&mut self, text: TextId, about: Situation) -> Flow<()> {
        if let Some(rule) = self.rule {
            let arguments = self.cast(about);
            self.record(Record::Stopped { rule, text, arguments })?;
        }
        Err(Interrupt::Disrupt)
    }

    /// Refuses the whole intent.
    ///
    /// # Errors
    /// Always: the refusal; or `HR0533` if dice were drawn or this is not the
    /// beginning of an action.
    pub fn refuse(&mut self, text: TextId) -> Flow<()> {
        let begins = self.frame().is_some_and(|frame| frame.event.event == self.rules.known.action_begin);
        if self.drawn || !begins {
            return Err(Fault::new(
                "HR0533",
                "an intent may be refused only in `action.begin`, before anything is drawn",
            )
            .into());
        }
        let arguments = self.frame().map(|frame| self.cast_names(frame.event.about)).unwrap_or_default();
        let rule = self.rule.map(|rule| self.rules.name(rule).into());
        Err(Refusal { rule, arguments, ..Refusal::new("HR0709", self.rules.name(text), &[]) }.into())
    }

    fn step_raise(
        &mut self,
        event: EventId,
        fields: &[(u8, Formula)],
        seats: &[(u8, Who)],
        about: Situation,
        locals: &[i32],
    ) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        if !rules.may_raise(event) {
            return Err(super::script_event::not_to_raise(rules.name(event)).into());
        }
        let shape = rules.events.get(event);
        let mut filled = shape.blank();
        for (field, formula) in fields {
            let number = self.number_of(formula, about, locals)?;
            filled.get_mut(usize::from(*field)).into_iter().for_each(|slot| *slot = number);
        }
        for (field, word) in seats {
            let who = entity_field(Some(self.reckon(about).somebody(*word)?));
            filled.get_mut(usize::from(*field)).into_iter().for_each(|slot| *slot = who);
        }
        self.raise_about(event, shape, filled, about).map(drop)
    }

    /// Runs a hook by name: about the running event if it is of that event, else
    /// with fields of which nothing is said.
    fn step_hook(&mut self, hook: HookId, about: Situation) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        match rules.named.get(hook) {
            Some((event, number)) => {
                let running = self.frame().map(|frame| frame.event).filter(|running| running.event == *event);
                let fields = running.map_or_else(|| rules.events.get(*event).blank(), |running| running.fields);
                self.run_named(RuleEvent::new(*event, about, &fields), *number)
            }
            None => Ok(()),
        }
    }

    fn step_pick(&mut self, lists: &[StepsId], about: Situation, locals: &[i32]) -> Flow<()> {
        let sides = u32::try_from(lists.len()).unwrap_or(0);
        let who = about.bearer.unwrap_or(EntityId::TABLE);
        let stream = self.rules.streams.pick;
        let face = self.face(who, stream, sides)?;
        let rules = Arc::clone(&self.rules);
        let list = usize::try_from(face).ok().and_then(|face| lists.get(face.checked_sub(1)?));
        list.map_or(Ok(()), |list| self.perform(rules.steps.get(*list), about, locals))
    }

    fn step_give(&mut self, to: EntityId, about: Situation) -> Flow<()> {
        let item = self.reckon(about).somebody(Who::Item)?;
        if self.state.entity(item).is_some_and(|item| item.square.is_some()) {
            self.change(StateField::Square(item), StateValue::Square(None))?;
        }
        self.hand_over(item, Some(to))
    }

    /// Lays down all that somebody holds with a tag.
    fn lay_down_all(&mut self, who: EntityId, tag: TagId) -> Flow<()> {
        let held = self.state.entity(who).map(|entity| entity.holds.clone()).unwrap_or_default();
        for item in held {
            if self.reckon(Situation::of(item)).has_tag(item, tag) {
                self.lay_down(item)?;
            }
        }
        Ok(())
    }

    /// Lays a thing down where its holder stands; nobody holds it then.
    fn lay_down(&mut self, item: EntityId) -> Flow<()> {
        let owner = self.state.entity(item).and_then(|item| item.owner);
        let square = owner.and_then(|owner| self.state.entity(owner)?.square);
        self.hand_over(item, None)?;
        if square.is_some() { self.change(StateField::Square(item), StateValue::Square(square)) } else { Ok(()) }
    }

    /// Ends an entity, with everything that hangs on it.
    ///
    /// # Errors
    /// As ending its conditions does.
    pub fn end_entity(&mut self, who: EntityId) -> Flow<()> {
        self.deeper("things hold", |scene| scene.end_with_all(who))
    }

    fn end_with_all(&mut self, who: EntityId) -> Flow<()> {
        self.toil_over_all()?;
        let borne: SmallVec<[Serial; 8]> = self
            .state
            .entity(who)
            .map(|entity| entity.bears.iter().map(|borne| borne.serial).collect())
            .unwrap_or_default();
        borne.into_iter().try_for_each(|serial| self.end_instance(who, serial, EndReason::Gone))?;
        let owned: SmallVec<[EntityId; 4]> =
            self.state.present().filter(|(_, entity)| entity.owner == Some(who)).map(|(owned, _)| owned).collect();
        owned.into_iter().try_for_each(|owned| self.end_entity(owned))?;
        self.hand_over(who, None)?;
        self.leave_order(who)?;
        self.change(StateField::Gone(who), StateValue::YesNo(true))
    }
}
