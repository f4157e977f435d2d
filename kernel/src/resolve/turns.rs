//! Encounters: who is aware, the order of acting, turns, rounds and time.

use crate::change::{StateField, StateValue};
use crate::clock::{Clock, Moment};
use crate::event::{RuleEvent, entity_field};
use crate::ident::*;
use crate::initiative::Order;
use crate::journal::{EndReason, Record};
use crate::oracle::{Flow, Refusal};
use crate::resolve::{InstanceFilter, NewCondition};
use crate::ruleset::{Initiative, Ruleset};
use crate::scene::Scene;
use crate::situation::Situation;
use crate::state::Timer;
use smallvec::SmallVec;
use std::sync::Arc;

impl Scene {
    fn initiative(&self, rules: &Ruleset) -> Flow<Initiative> {
        let lacks = || Refusal::new("HR0705", "refuse.no_initiative", &[]);
        rules.initiative.clone().ok_or_else(|| lacks().into())
    }

    /// Begins an encounter: a round for the aware alone if some are not, else
    /// the first round.
    ///
    /// # Errors
    /// `HR0705` if one runs already, nobody takes part, or the rules have no
    /// order of acting.
    pub fn begin(&mut self, who: &[EntityId], aware: &[EntityId]) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        let initiative = self.initiative(&rules)?;
        if self.state.order.running {
            return Err(Refusal::new("HR0705", "refuse.encounter", &[]).into());
        }
        if who.is_empty() {
            return Err(Refusal::new("HR0705", "refuse.nobody", &[]).into());
        }
        self.toil(who.len() * who.len() / 16)?;
        if let Some(twice) =
            who.iter().enumerate().find_map(|(at, one)| who.iter().take(at).find(|other| *other == one))
        {
            return Err(Refusal::new("HR0705", "refuse.takes_part", &[("who", &self.name_of(*twice))]).into());
        }
        let some_aware = who.iter().any(|one| aware.contains(one)) && !who.iter().all(|one| aware.contains(one));
        let split = initiative.aware_round && some_aware;
        let first: SmallVec<[EntityId; 8]> = who.iter().copied().filter(|one| !split || aware.contains(one)).collect();
        let later: Vec<EntityId> = who.iter().copied().filter(|one| !first.contains(one)).collect();
        let order = Order { running: true, round: u32::from(!split), unaware: later.clone(), ..Order::default() };
        self.set_order(order)?;
        self.empty_action_pools(&rules, who)?;
        self.mark_awareness(&initiative, who, &first, &later, split)?;
        let unaware_all =
            if split { Vec::new() } else { who.iter().copied().filter(|one| !aware.contains(one)).collect() };
        self.bear_all(initiative.unaware.filter(|_| !aware.is_empty()), &unaware_all)?;
        self.enter_order(&rules, &initiative, &first)?;
        self.announce(RuleEvent::new(rules.known.encounter_begin, Situation::default(), &[]))?;
        self.round_phases(&rules.turn.round_start.clone())?;
        self.advance()
    }

    fn mark_awareness(
        &mut self,
        initiative: &Initiative,
        who: &[EntityId],
        aware: &[EntityId],
        unaware: &[EntityId],
        split: bool,
    ) -> Flow<()> {
        self.bear_all(initiative.waiting, who)?;
        self.bear_all(initiative.unaware, unaware)?;
        self.bear_all(initiative.aware_limit.filter(|_| split), aware)
    }

    fn bear_all(&mut self, condition: Option<ConditionId>, who: &[EntityId]) -> Flow<()> {
        let Some(condition) = condition else { return Ok(()) };
        who.iter().try_for_each(|one| self.apply(*one, NewCondition::of(condition)).map(drop))
    }

    /// Nobody has actions before the first own turn.
    fn empty_action_pools(&mut self, rules: &Ruleset, who: &[EntityId]) -> Flow<()> {
        for (pool, definition) in
            rules.pools.iter().filter(|(_, pool)| pool.resets.is_some_and(|at| rules.turn.start.contains(&at)))
        {
            for one in who
                .iter()
                .filter(|one| self.pool(**one, pool) != definition.min)
                .copied()
                .collect::<SmallVec<[EntityId; 8]>>()
            {
                self.change(StateField::Pool(one, pool), StateValue::Number(definition.min))?;
            }
        }
        Ok(())
    }

    fn set_order(&mut self, order: Order) -> Flow<()> {
        self.change(StateField::Order, StateValue::Order(Box::new(order)))
    }

    pub(super) fn reorder(&mut self, change: impl FnOnce(&mut Order)) -> Flow<()> {
        let mut order = self.state.order.clone();
        change(&mut order);
        self.set_order(order)
    }

    /// The name of somebody at the table.
    #[must_use]
    pub fn name_of(&self, who: EntityId) -> Box<str> {
        self.state.entity(who).map_or("?".into(), |entity| entity.name.clone())
    }

    /// Somebody joins a running encounter: rolls, and is put into the order.
    ///
    /// # Errors
    /// `HR0705` outside an encounter, or if they take part already.
    pub fn join(&mut self, who: EntityId) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        let initiative = self.initiative(&rules)?;
        self.needs_encounter()?;
        if self.state.order.members().any(|member| member == who) {
            return Err(Refusal::new("HR0705", "refuse.takes_part", &[("who", &self.name_of(who))]).into());
        }
        self.empty_action_pools(&rules, &[who])?;
        self.bear_all(initiative.waiting, &[who])?;
        self.enter_order(&rules, &initiative, &[who])?;
        self.catch_up()
    }

    fn needs_encounter(&self) -> Flow<()> {
        if self.state.order.running { Ok(()) } else { Err(Refusal::new("HR0705", "refuse.no_encounter", &[]).into()) }
    }

    /// Ends the turn, if one runs, and begins the next.
    ///
    /// # Errors
    /// `HR0705` outside an encounter.
    pub fn next_turn(&mut self) -> Flow<()> {
        self.needs_encounter()?;
        self.end_turn()?;
        self.advance()
    }

    fn end_turn(&mut self) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        match self.state.order.acting() {
            Some(who) => rules.turn.end.iter().try_for_each(|phase| self.phase(*phase, Some(who))),
            None => Ok(()),
        }
    }

    fn phase(&mut self, phase: EventId, who: Option<EntityId>) -> Flow<()> {
        let about = who.map_or(Situation::default(), Situation::of);
        let round = i32::try_from(self.state.order.round).unwrap_or(i32::MAX);
        self.happen(RuleEvent::new(phase, about, &[entity_field(who), round]))?;
        self.catch_up()
    }

    fn round_phases(&mut self, phases: &[EventId]) -> Flow<()> {
        phases.iter().try_for_each(|phase| self.phase(*phase, None))
    }

    /// Goes on to the next slot whose owner may act, over the end of the round
    /// if need be.
    fn advance(&mut self) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        while self.state.order.running {
            let Some(place) = self.state.order.after(self.state.order.at) else {
                self.turn_of_round()?;
                continue;
            };
            let round = self.state.order.round;
            self.reorder(|order| order.at = Some(place.slot))?;
            self.fire_slot(place.slot, round)?;
            let owner = self.state.order.place(place.slot).and_then(|place| place.owner);
            if let Some(who) = owner.filter(|who| self.state.order.delayed.contains(who)) {
                self.reorder(|order| order.delayed.retain(|other| *other != who))?;
                self.record(Record::Turn { who, round })?;
                return self.phase(rules.known.turn_resumed, Some(who));
            }
            if let Some(who) = owner.filter(|who| !self.state.order.acted.contains(who)) {
                return self.start_turn(who, round);
            }
        }
        Ok(())
    }

    fn start_turn(&mut self, who: EntityId, round: u32) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        self.reorder(|order| order.acted.push(who))?;
        self.record(Record::Turn { who, round })?;
        if let Some(waiting) = rules.initiative.as_ref().and_then(|initiative| initiative.waiting) {
            self.remove(who, waiting, InstanceFilter::ALL)?;
        }
        rules.turn.start.iter().try_for_each(|phase| self.phase(*phase, Some(who)))
    }

    /// What is timed to just before this slot is due, whoever stands there.
    fn fire_slot(&mut self, slot: SlotId, round: u32) -> Flow<()> {
        let due =
            |timer: &&Timer| matches!(timer.due, Moment::Slot { slot: at, round: when } if at == slot && when <= round);
        let timers: SmallVec<[Timer; 4]> = self.state.timers.iter().filter(due).copied().collect();
        self.end_all(&timers)
    }

    fn fire_clock(&mut self) -> Flow<()> {
        let now = self.state.clock.seconds;
        let due = |timer: &&Timer| matches!(timer.due, Moment::Clock { seconds } if seconds <= now);
        let mut timers: SmallVec<[Timer; 4]> = self.state.timers.iter().filter(due).copied().collect();
        timers.sort_by_key(|timer| match timer.due {
            Moment::Clock { seconds } => (seconds, timer.serial),
            _ => (i64::MAX, timer.serial),
        });
        self.end_all(&timers)
    }

    fn end_all(&mut self, timers: &[Timer]) -> Flow<()> {
        for timer in timers {
            self.end_instance(timer.bearer, timer.instance, EndReason::Time)?;
            self.catch_up()?;
        }
        Ok(())
    }

    /// Ends the round and begins the next: the clock first, then what is due.
    fn turn_of_round(&mut self) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        self.round_phases(&rules.turn.round_end)?;
        if self.state.order.members().next().is_none() {
            return Err(Refusal::new("HR0705", "refuse.nobody", &[]).into());
        }
        let for_the_aware = self.state.order.round == 0;
        let seconds = self.state.clock.seconds.saturating_add(i64::from(rules.turn.seconds));
        self.change(StateField::Clock, StateValue::Clock(Clock { seconds }))?;
        self.reorder(|order| {
            order.round = order.round.saturating_add(1);
            order.at = None;
            order.acted.clear();
        })?;
        if for_the_aware {
            self.let_the_others_in(&rules)?;
        }
        self.fire_clock()?;
        self.round_phases(&rules.turn.round_start)
    }

    fn let_the_others_in(&mut self, rules: &Ruleset) -> Flow<()> {
        let initiative = self.initiative(rules)?;
        if let Some(limit) = initiative.aware_limit {
            let aware: SmallVec<[EntityId; 8]> = self.state.order.members().collect();
            aware.into_iter().try_for_each(|who| self.remove(who, limit, InstanceFilter::ALL).map(drop))?;
        }
        let unaware = self.state.order.unaware.clone();
        self.enter_order(rules, &initiative, &unaware)
    }

    /// The acting creature waits, and goes on behind another: with what is left
    /// of its turn, which began already, so that nobody begins two in a round.
    ///
    /// # Errors
    /// `HR0705` outside an encounter, if it is nobody's turn, if the packs say it
    /// is too late, or if the other has no place behind it in this round.
    pub fn delay(&mut self, behind: EntityId) -> Flow<()> {
        self.needs_encounter()?;
        let order = &self.state.order;
        let at = |who| order.places.iter().position(|place| place.owner == Some(who));
        let (Some(who), Some(slot)) = (order.acting(), order.place_of(behind).map(|place| place.slot)) else {
            return Err(Refusal::new("HR0705", "refuse.nobody", &[]).into());
        };
        let question = self.rules.initiative.as_ref().and_then(|initiative| initiative.delay.as_ref());
        if !self.reckon(Situation::of(who)).holds(question)? {
            return Err(Refusal::new("HR0705", "refuse.too_late_to_delay", &[("who", &self.name_of(who))]).into());
        }
        if at(who) >= at(behind) {
            return Err(Refusal::new("HR0705", "refuse.behind", &[("who", &self.name_of(behind))]).into());
        }
        self.reorder(|order| {
            order.move_behind(who, slot);
            order.delayed.push(who);
        })?;
        self.phase(self.rules.known.turn_delayed, Some(who))?;
        self.advance()
    }

    /// Moves somebody to just behind who acts now, or to just before.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn act_beside(&mut self, who: EntityId, before: bool) -> Flow<()> {
        match self.state.order.at {
            Some(slot) if self.state.order.running && self.state.order.acting() != Some(who) => self.reorder(|order| {
                if before {
                    order.move_before(who, slot)
                } else {
                    order.move_behind(who, slot)
                };
            }),
            _ => Ok(()),
        }
    }

    /// Somebody who takes part leaves a running encounter.
    ///
    /// # Errors
    /// `HR0705` outside an encounter, or for somebody who takes no part.
    pub fn leave(&mut self, who: EntityId) -> Flow<()> {
        self.needs_encounter()?;
        if !self.state.order.members().any(|member| member == who) {
            return Err(Refusal::new("HR0705", "refuse.no_part", &[("who", &self.name_of(who))]).into());
        }
        self.leave_order(who)
    }

    /// Somebody leaves the order; their slots stay as markers.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn leave_order(&mut self, who: EntityId) -> Flow<()> {
        if !self.state.order.members().any(|member| member == who) {
            return Ok(());
        }
        self.reorder(|order| order.leave(who))
    }

    /// Ends the encounter: what was timed by slots goes on by the clock.
    ///
    /// # Errors
    /// `HR0705` outside an encounter.
    pub fn end_encounter(&mut self) -> Flow<()> {
        self.needs_encounter()?;
        let rules = Arc::clone(&self.rules);
        let now = self.state.clock.seconds;
        let by_slot = |timer: &&Timer| matches!(timer.due, Moment::Slot { .. });
        let timers: Vec<Timer> = self.state.timers.iter().filter(by_slot).copied().collect();
        for timer in timers {
            let left = self.seconds_until(&rules, timer.due).unwrap_or(0).max(0);
            let due = Moment::Clock { seconds: now.saturating_add(left) };
            self.change(StateField::Timer(timer.serial), StateValue::Timer(Timer { due, ..timer }))?;
        }
        let members: SmallVec<[EntityId; 8]> = self.state.order.members().collect();
        for condition in rules
            .initiative
            .iter()
            .flat_map(|initiative| [initiative.waiting, initiative.aware_limit, initiative.unaware])
            .flatten()
        {
            members.iter().try_for_each(|who| self.remove(*who, condition, InstanceFilter::ALL).map(drop))?;
        }
        self.set_order(Order::default())?;
        self.happen(RuleEvent::new(rules.known.encounter_end, Situation::default(), &[]))?;
        self.fire_clock()?;
        self.catch_up()
    }

    /// Lets time pass outside encounters, from one thing that is due to the next.
    ///
    /// # Errors
    /// `HR0705` while an encounter runs, or if time would run back.
    pub fn wait(&mut self, seconds: i64) -> Flow<()> {
        if self.state.order.running {
            return Err(Refusal::new("HR0705", "refuse.encounter", &[]).into());
        }
        if seconds < 0 {
            return Err(Refusal::new("HR0705", "refuse.time_back", &[]).into());
        }
        let until = self.state.clock.seconds.saturating_add(seconds);
        while let Some(next) = self.next_due(until) {
            self.toil(1 + self.state.timers.len())?;
            self.set_clock(next)?;
            self.fire_clock()?;
        }
        self.set_clock(until)
    }

    /// When the next thing is due by the clock, up to a moment.
    fn next_due(&self, until: i64) -> Option<i64> {
        let due = self.state.timers.iter().filter_map(|timer| match timer.due {
            Moment::Clock { seconds } if seconds <= until => Some(seconds),
            _ => None,
        });
        due.min()
    }

    /// Sets the clock, which never runs back.
    fn set_clock(&mut self, seconds: i64) -> Flow<()> {
        if seconds <= self.state.clock.seconds {
            return Ok(());
        }
        self.change(StateField::Clock, StateValue::Clock(Clock { seconds }))
    }
}
