//! Actions: may it be done, what does it cost, and what comes of it.

use super::paths::{MOST_STEPS, path, walk_length};
use crate::action::{Action, TargetCount, TargetKind};
use crate::entity::StatBlockRef;
use crate::event::{RuleEvent, entity_field};
use crate::ident::*;
use crate::journal::Record;
use crate::oracle::{Flow, Interrupt, Missing, Refusal};
use crate::ruleset::{Fact, MapFact, Ruleset};
use crate::scene::Scene;
use crate::situation::{Situation, Who};
use crate::space::Square;
use smallvec::SmallVec;
use std::sync::Arc;

/// An action in ids, as [`crate::intent::Operation::Act`] says it.
#[derive(Clone, Copy, Debug)]
pub struct ActRequest<'a> {
    /// Who acts.
    pub who: EntityId,
    /// The action.
    pub action: ActionId,
    /// With which item.
    pub item: Option<EntityId>,
    /// With which second item.
    pub and: Option<EntityId>,
    /// Against whom.
    pub targets: &'a [EntityId],
    /// To which square.
    pub to: Option<Square>,
    /// By way of these squares.
    pub via: &'a [Square],
}

impl Scene {
    /// Takes an action.
    ///
    /// # Errors
    /// A refusal if it may not be taken; else as its steps and hooks do.
    pub fn act(&mut self, act: ActRequest<'_>) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        let action = rules.actions.get(act.action);
        let about = Situation { item: act.item, other: act.and, action: Some(act.action), ..Situation::of(act.who) };
        self.may_act(&rules, action, about)?;
        self.fits_item(action, act)?;
        let caught = self.caught(action, act, about)?;
        let act = if action.area.is_some() { ActRequest { targets: &caught, ..act } } else { act };
        self.fits(action, act, about)?;
        let first = Situation { target: act.targets.first().copied(), ..about };
        let begun = self.begins(&rules, act, first);
        if !matches!(begun, Ok(()) | Err(Interrupt::Disrupt)) {
            return begun;
        }
        let done = self.citing(Some(action.rule), |scene| {
            let paid = scene.pay_for(action, about);
            paid.and(begun).and_then(|()| scene.carry_out(&rules, action, act, about, first))
        });
        match done {
            Err(Interrupt::Disrupt) => {}
            done => self.blaming(action.rule, done)?,
        }
        self.tell_act(rules.known.action_done, act, first)?;
        self.catch_up()
    }

    fn carry_out(
        &mut self,
        rules: &Ruleset,
        action: &Action,
        act: ActRequest<'_>,
        about: Situation,
        first: Situation,
    ) -> Flow<()> {
        if !self.passes_gates(rules, action, act.who)? {
            return Ok(());
        }
        self.perform(&action.once, first, &[])?;
        if let (Some(_), Some(to)) = (&action.walk, act.to) {
            self.walk(act.who, act.via, to, first)?;
            self.catch_up()?;
        }
        if act.targets.is_empty() && action.area.is_none() {
            return self.aim(action, first);
        }
        self.nearest_first(act.targets, about)?
            .into_iter()
            .try_for_each(|target| self.aim(action, Situation { target: Some(target), ..about }))
    }

    /// The check against one target, and what follows.
    fn aim(&mut self, action: &Action, about: Situation) -> Flow<()> {
        if let Some(check) = action.check {
            let who = about.actor.unwrap_or(EntityId::TABLE);
            let verdict = self.check(check, who, None, about)?;
            let margin = verdict.total.saturating_sub(verdict.dc);
            let locals = [verdict.natural, verdict.total, verdict.dc, verdict.bonus, margin];
            self.catch_up()?;
            if let Some((_, steps)) = action.on.iter().find(|(degree, _)| *degree == verdict.degree) {
                self.perform(steps, about, &locals)?;
            }
        }
        self.perform(&action.each, about, &[])
    }

    /// An action that is prevented is refused as if it had never been meant; once
    /// something was drawn nothing is taken back, and it is disrupted instead.
    fn begins(&mut self, rules: &Ruleset, act: ActRequest<'_>, about: Situation) -> Flow<()> {
        let fields = self.act_fields(act);
        let frame = self.before(RuleEvent::new(rules.known.action_begin, about, &fields))?;
        match frame.prevented {
            Some(_) if self.drawn => Err(Interrupt::Disrupt),
            Some(text) => {
                let arguments = self.cast_names(about);
                Err(Refusal { arguments, ..Refusal::new("HR0709", rules.name(text), &[]) }.into())
            }
            None => Ok(()),
        }
    }

    fn act_fields(&self, act: ActRequest<'_>) -> [i32; 4] {
        let target = act.targets.first().copied();
        [entity_field(Some(act.who)), entity_field(target), entity_field(act.item), i32::from(act.action.number())]
    }

    fn tell_act(&mut self, event: EventId, act: ActRequest<'_>, about: Situation) -> Flow<()> {
        let fields = self.act_fields(act);
        self.announce(RuleEvent::new(event, about, &fields))
    }

    /// Whether somebody may take an action at all just now.
    fn may_act(&self, rules: &Ruleset, action: &Action, about: Situation) -> Flow<()> {
        let Some(who) = about.bearer else { return Ok(()) };
        if !action.any_time && !self.has_the_turn(rules, who, about)? {
            let turn = self.state.order.acting().map_or("nobody".into(), |acting| self.name_of(acting));
            let who = self.name_of(who);
            return Err(Refusal::new("HR0701", "refuse.not_your_turn", &[("who", &who), ("turn", &turn)]).into());
        }
        if let Some(condition) = self.what_forbids(who, &action.tags) {
            let (who, condition) = (self.name_of(who), rules.name(condition));
            return Err(Refusal::new("HR0706", "refuse.cannot_act", &[("who", &who), ("condition", condition)]).into());
        }
        Ok(())
    }

    /// Whether somebody may act just now: in their turn, outside encounters, or
    /// where the packs let them act out of turn.
    fn has_the_turn(&self, rules: &Ruleset, who: EntityId, about: Situation) -> Flow<bool> {
        let order = &self.state.order;
        if !order.running || order.acting() == Some(who) {
            return Ok(true);
        }
        match &rules.turn.out_of_turn {
            Some(question) => self.reckon(about).holds(Some(question)),
            None => Ok(false),
        }
    }

    /// The condition of somebody that forbids what has these tags.
    #[must_use]
    pub fn what_forbids(&self, who: EntityId, tags: &IdSet<TagId>) -> Option<ConditionId> {
        let forbids = |condition: &ConditionId| {
            let definition = self.rules.conditions.get(*condition);
            definition.forbids.meets(tags) || (!definition.only.is_empty() && !definition.only.meets(tags))
        };
        let borne = self.state.entity(who)?.bears.iter().filter(|borne| borne.active());
        borne.map(|borne| borne.condition).find(forbids)
    }

    /// Whether targets, distance, requirements and cost fit the action.
    fn fits(&self, action: &Action, act: ActRequest<'_>, about: Situation) -> Flow<()> {
        self.fits_targets(action, act)?;
        self.fits_distance(action, act, about)?;
        for requirement in &action.requires {
            let about = Situation { target: act.targets.first().copied(), ..about };
            match self.reckon(about).value(&requirement.when) {
                Ok(0) | Err(Interrupt::Lacks(Missing::Who(_))) => {
                    return Err(self.required(requirement.rule, requirement.text, about).into());
                }
                holds => holds?,
            };
        }
        self.can_pay(about, &action.cost)?.map_or(Ok(()), |pool| Err(self.cannot_pay(act.who, pool).into()))
    }

    fn cannot_pay(&self, who: EntityId, pool: PoolId) -> Refusal {
        let (who, pool) = (self.name_of(who), self.rules.name(pool));
        Refusal::new("HR0707", "refuse.cannot_pay", &[("who", &who), ("pool", pool)])
    }

    /// Pays the cost of an action. What rules did at its beginning may have left
    /// too little: then it is refused, or disrupted once something was drawn.
    fn pay_for(&mut self, action: &Action, about: Situation) -> Flow<()> {
        match self.can_pay(about, &action.cost)?.zip(about.bearer) {
            None => self.spend(about, &action.cost),
            Some((pool, who)) if !self.drawn => Err(self.cannot_pay(who, pool).into()),
            Some((_, who)) => self.disrupt(self.rules.words.gate, Situation::of(who)),
        }
    }

    fn required(&self, rule: RuleId, text: TextId, about: Situation) -> Refusal {
        let arguments = self.cast_names(about);
        Refusal {
            rule: Some(self.rules.name(rule).into()),
            arguments,
            ..Refusal::new("HR0709", self.rules.name(text), &[])
        }
    }

    fn fits_item(&self, action: &Action, act: ActRequest<'_>) -> Flow<()> {
        let Some(tag) = action.item else { return Ok(()) };
        let wanted = self.rules.name(tag);
        let Some(item) = act.item else {
            return Err(Refusal::new("HR0703", "refuse.no_item", &[("tag", wanted)]).into());
        };
        let held = self.state.entity(act.who).is_some_and(|entity| entity.holds.contains(&item));
        if held && self.reckon(Situation::of(item)).has_tag(item, tag) {
            return Ok(());
        }
        Err(Refusal::new("HR0703", "refuse.wrong_item", &[("item", &self.name_of(item)), ("tag", wanted)]).into())
    }

    fn fits_targets(&self, action: &Action, act: ActRequest<'_>) -> Flow<()> {
        let count = act.targets.len();
        let fits = match action.aim {
            TargetCount::Nobody => count == 0,
            TargetCount::Oneself => count == 0 || act.targets == [act.who],
            TargetCount::One => count == 1,
            TargetCount::Some => count >= 1,
            TargetCount::Area => true,
        };
        if !fits {
            let key = if count == 0 { "refuse.no_target" } else { "refuse.too_many_targets" };
            return Err(Refusal::new("HR0703", key, &[("action", self.rules.name(act.action))]).into());
        }
        match act.targets.iter().find(|target| !self.is_a(**target, action.sort)) {
            Some(wrong) => {
                let arguments = [("target", &*self.name_of(*wrong)), ("sort", action.sort.word())];
                Err(Refusal::new("HR0703", "refuse.wrong_target", &arguments).into())
            }
            None => Ok(()),
        }
    }

    /// Whether somebody is of a sort that an action is aimed at.
    pub(super) fn is_a(&self, who: EntityId, sort: TargetKind) -> bool {
        let origin = self.state.entity(who).map(|entity| entity.origin);
        match sort {
            TargetKind::Creature => matches!(origin, Some(StatBlockRef::Creature(_))),
            TargetKind::Item => matches!(origin, Some(StatBlockRef::Item(_))),
            TargetKind::Anything => origin.is_some(),
        }
    }

    fn fits_distance(&self, action: &Action, act: ActRequest<'_>, about: Situation) -> Flow<()> {
        if let (Some(within), Some(to), true) = (&action.within, act.to, action.area.is_some()) {
            return self.fits_square(act.who, to, self.reckon(about).value(within)?);
        }
        if let Some(within) = &action.within {
            for target in act.targets.iter().filter(|target| **target != act.who) {
                let about = Situation { target: Some(*target), ..about };
                let most = self.reckon(about).value(within)?;
                if let Some(far) = self.far(about)?.filter(|far| *far > most)
                    && !self.reaches(about, far, most)?
                {
                    return Err(self.out_of_range(far, most).into());
                }
            }
        }
        let stands = self.state.entity(act.who).is_some_and(|entity| entity.square.is_some());
        match (&action.walk, act.to) {
            (Some(walk), Some(to)) => self.fits_walk(act, to, self.reckon(about).value(walk)?),
            (Some(_), None) if stands => Err(Refusal::new("HR0703", "refuse.no_square", &[]).into()),
            _ => Ok(()),
        }
    }

    fn fits_square(&self, who: EntityId, to: Square, most: i32) -> Flow<()> {
        let from = self.state.entity(who).and_then(|entity| entity.square);
        let far = from.map_or(0, |from| self.rules.grid.feet_between(from.into(), to.into()));
        if far > most { Err(self.out_of_range(far, most).into()) } else { Ok(()) }
    }

    /// The distance to the target: what the rules take for it, as stated, on the
    /// grid, by default or asked; without such a fact as the grid has it.
    fn far(&self, about: Situation) -> Flow<Option<i32>> {
        let is_distance = |fact: &Fact| matches!(fact.from, Some(MapFact::Distance));
        match self.rules.facts.iter().find(|(_, fact)| is_distance(fact)) {
            Some((fact, _)) => Ok(Some(self.reckon(about).fact(fact)?)),
            None => self.reckon(about).distance(),
        }
    }

    /// Whether somebody as far away as the map has it is in reach all the same: by
    /// the corners that a reach of two squares takes in.
    fn reaches(&self, about: Situation, far: i32, most: i32) -> Flow<bool> {
        let reckoner = self.reckon(about);
        let body = |who: Option<EntityId>| who.map_or(Ok(None), |who| reckoner.body(who));
        let bodies = body(about.actor)?.zip(body(about.target)?);
        Ok(bodies.is_some_and(|(from, to)| {
            self.rules.grid.feet_between(from, to) == far && self.rules.grid.in_reach(from, to, most)
        }))
    }

    fn out_of_range(&self, far: i32, most: i32) -> Refusal {
        Refusal::new("HR0708", "refuse.out_of_range", &[("distance", &far.to_string()), ("range", &most.to_string())])
    }

    fn fits_walk(&self, act: ActRequest<'_>, to: Square, most: i32) -> Flow<()> {
        let Some(from) = self.state.entity(act.who).and_then(|entity| entity.square) else {
            return Err(Refusal::new("HR0703", "refuse.no_square", &[]).into());
        };
        let steps = walk_length(from, act.via, to);
        if steps > MOST_STEPS {
            let far = steps.saturating_mul(i64::from(self.rules.grid.feet_per_square.get()));
            return Err(self.out_of_range(i32::try_from(far).unwrap_or(i32::MAX), most).into());
        }
        self.toil(4 * usize::try_from(steps).unwrap_or(usize::MAX))?;
        let path = path(from, act.via, to);
        let far = self.cost_of(act.who, &path)?;
        if far > most {
            return Err(self.out_of_range(far, most).into());
        }
        self.needs_way(act.who, &path)
    }

    /// Checks that stand before acting. Who does not pass has paid, and does
    /// nothing.
    fn passes_gates(&mut self, rules: &Ruleset, action: &Action, who: EntityId) -> Flow<bool> {
        for condition in self.active_conditions(who) {
            for gate in &rules.conditions.get(condition).gates {
                if !gate.before.is_empty() && !gate.before.meets(&action.tags) {
                    continue;
                }
                let dc = gate.dc.as_ref().map(|dc| self.reckon(Situation::of(who)).value(dc)).transpose()?;
                let verdict = self.check(gate.check, who, dc, Situation::of(who))?;
                if !gate.pass.contains(&verdict.degree) {
                    let arguments = self.cast(Situation::of(who));
                    self.record(Record::Stopped { rule: gate.rule, text: rules.words.gate, arguments })?;
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The conditions that somebody bears and that do anything, each once however
    /// often it is borne, in the order in which they came.
    fn active_conditions(&self, who: EntityId) -> SmallVec<[ConditionId; 4]> {
        let mut active = SmallVec::new();
        for borne in self.state.entity(who).into_iter().flat_map(|entity| &entity.bears).filter(|borne| borne.active())
        {
            if !active.contains(&borne.condition) {
                active.push(borne.condition);
            }
        }
        active
    }

    /// Runs steps of the game master on somebody, written as a pack writes them.
    ///
    /// # Errors
    /// `HR0712` with the first mistake if they cannot be read; else as the steps
    /// do.
    pub fn ruling(&mut self, steps: &str, who: EntityId, target: Option<EntityId>) -> Flow<()> {
        let steps = self.rules.step_reader.read(&self.rules, steps)?;
        let about = Situation { target, ..Situation::of(who) };
        self.perform(&steps, about, &[])?;
        self.catch_up()
    }

    /// Whom a word means in a situation.
    ///
    /// # Errors
    /// If it means nobody.
    pub fn whom(&self, word: Who, about: Situation) -> Flow<EntityId> {
        self.reckon(about).somebody(word)
    }
}
