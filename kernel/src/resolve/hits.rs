//! Damage: rolled, multiplied, taken through the stages, and into the pools.

use crate::answers::DiceThrower;
use crate::damage::*;
use crate::error::Fault;
use crate::event::{AMOUNT_FIELD, RuleEvent, entity_field};
use crate::ident::*;
use crate::journal::Record;
use crate::oracle::Flow;
use crate::ruleset::Ruleset;
use crate::scene::Scene;
use crate::situation::{Formula, Situation};
use crate::step::{DamageDice, DamageStep};
use smallvec::SmallVec;
use std::sync::Arc;

impl Scene {
    /// Rolls damage and deals it to somebody.
    ///
    /// # Errors
    /// As reading, drawing and hooks do.
    pub fn strike(&mut self, blow: &DamageStep, victim: EntityId, about: Situation, locals: &[i32]) -> Flow<()> {
        let times = self.times(blow, about, locals)?;
        let mut hit = self.roll_hit(blow, about, locals, times)?;
        hit.tags = self.tags_of(blow, about);
        hit.halved = match &blow.halved {
            Some(halved) => self.reckon(about).with(locals).value(halved)? != 0,
            None => false,
        };
        self.deal(hit, victim, about)
    }

    /// How often a blow counts: of several multipliers the first counts whole,
    /// each further one less one, so that two times two is three.
    fn times(&self, blow: &DamageStep, about: Situation, locals: &[i32]) -> Flow<i32> {
        let mut all = 1_i64;
        for times in &blow.times {
            all += i64::from(self.reckon(about).with(locals).value(times)?) - 1;
        }
        Ok(amount_of(all.max(0))?)
    }

    /// Deals a plain amount of one type.
    ///
    /// # Errors
    /// As hooks do.
    pub fn deal_plain(&mut self, amount: i32, kind: Option<TagId>, victim: EntityId, about: Situation) -> Flow<()> {
        let mut hit = Hit { times: 1, once: amount, ..Hit::default() };
        hit.parts.push(DamagePart { kind, amount });
        self.deal(hit, victim, about)
    }

    fn roll_hit(&mut self, blow: &DamageStep, about: Situation, locals: &[i32], times: i32) -> Flow<Hit> {
        let rules = Arc::clone(&self.rules);
        let dice = self.dice(&rules, &blow.dice, about)?;
        let mode = self.multiply(&rules, about)?;
        let (throws, each) = match mode {
            Multiply::Reroll => (times, 1),
            Multiply::Result => (1, times),
            Multiply::Total => (1, 1),
        };
        let mut hit = Hit { times, ..Hit::default() };
        for number in 0..usize::try_from(throws).unwrap_or(0) {
            let thrown = self.thrown(dice, blow, blow.bonus, about, locals, number)?;
            hit.add_throw(&thrown, each)?;
            hit.once =
                if number == 0 { amount_of(i64::from(thrown.rolled) + i64::from(thrown.bonus))? } else { hit.once };
            self.tell_throw(&thrown, about)?;
        }
        if mode == Multiply::Total {
            for part in &mut hit.parts {
                part.amount = amount_of(i64::from(part.amount) * i64::from(times))?;
            }
        }
        self.add_extra(&rules, blow, about, locals, &mut hit)?;
        Ok(hit)
    }

    fn multiply(&self, rules: &Ruleset, about: Situation) -> Flow<Multiply> {
        for (when, way) in &rules.dealing.multiply {
            if self.reckon(about).holds(when.as_ref())? {
                return Ok(*way);
            }
        }
        Ok(Multiply::Total)
    }

    /// DamageDice that are never multiplied; an item without such a roll adds none.
    fn add_extra(
        &mut self,
        rules: &Ruleset,
        blow: &DamageStep,
        about: Situation,
        locals: &[i32],
        hit: &mut Hit,
    ) -> Flow<()> {
        for (at, extra) in blow.extra.iter().enumerate() {
            let dice = match extra {
                DamageDice::Here(formula) => Some(formula),
                DamageDice::Item(name) => self.item_roll(rules, name, about),
            };
            let Some(dice) = dice else { continue };
            let thrown = self.thrown(dice, blow, None, about, locals, usize::MAX - at)?;
            thrown.parts.iter().try_for_each(|part| hit.add(part.kind, part.amount))?;
            self.tell_throw(&thrown, about)?;
        }
        Ok(())
    }

    fn dice<'r>(&self, rules: &'r Ruleset, dice: &'r DamageDice, about: Situation) -> Flow<&'r Formula> {
        let name = match dice {
            DamageDice::Here(formula) => return Ok(formula),
            DamageDice::Item(name) => name,
        };
        let item = about.item.and_then(|item| self.state.entity(item)).map_or("nothing", |item| &item.name);
        let lacks = || Fault::new("HR0531", format!("`{item}` has no roll named `{name}`"));
        self.item_roll(rules, name, about).ok_or_else(|| lacks().into())
    }

    fn item_roll<'r>(&self, rules: &'r Ruleset, name: &str, about: Situation) -> Option<&'r Formula> {
        let item = self.state.entity(about.item?)?;
        let roll = rules.page(item.origin)?.rolls.iter().find(|(known, _)| &**known == name);
        roll.map(|(_, formula)| formula)
    }

    /// One throw of a blow: the shared dice, if its targets share them and they
    /// were thrown already. What is added to them is each target's own.
    fn thrown(
        &mut self,
        dice: &Formula,
        blow: &DamageStep,
        bonus: Option<StatId>,
        about: Situation,
        locals: &[i32],
        number: usize,
    ) -> Flow<DamageRoll> {
        if !blow.shared {
            return self.throw_blow(dice, blow, bonus, about, locals);
        }
        let same = |(of, at, _): &&SharedRoll| *at == number && **of == *dice.text();
        self.toil(self.shared.len() / 8)?;
        if let Some(thrown) = self.shared.iter().find(same).map(|(.., thrown)| thrown.clone()) {
            let who = about.actor.or(about.bearer).unwrap_or(EntityId::TABLE);
            let bonus = bonus.map_or(Ok(0), |stat| self.tallied(who, stat, None, about))?;
            return Ok(DamageRoll { bonus, ..thrown });
        }
        let thrown = self.throw_blow(dice, blow, bonus, about, locals)?;
        self.purse.write(64 + dice.text().len())?;
        self.shared.push((dice.text().into(), number, thrown.clone()));
        Ok(thrown)
    }

    fn throw_blow(
        &mut self,
        dice: &Formula,
        blow: &DamageStep,
        bonus: Option<StatId>,
        about: Situation,
        locals: &[i32],
    ) -> Flow<DamageRoll> {
        let who = about.actor.or(about.bearer).unwrap_or(EntityId::TABLE);
        let mut roll = self.roll.take().unwrap_or_default();
        let play: &mut crate::scene::Play = self;
        let rolled = DiceThrower { play, about, locals, who, stream: blow.stream }.roll(dice, &mut roll);
        let bonus = match (&rolled, bonus) {
            (Ok(_), Some(stat)) => self.tallied(who, stat, None, about),
            _ => Ok(0),
        };
        if rolled.is_ok() {
            let dice = self.keep_dice(&roll)?;
            self.record(Record::Rolled { who, stream: blow.stream, dice, total: roll.total })?;
        }
        let typed = |part: &crate::dice::RollPart| DamagePart {
            kind: part.label.map(TagId::new).or(blow.kind),
            amount: part.amount,
        };
        let parts = roll.parts.iter().map(typed).collect();
        self.roll = Some(roll);
        Ok(DamageRoll { rolled: rolled?, bonus: bonus?, parts })
    }

    /// Tells of one throw, its bonus with the first part.
    fn tell_throw(&mut self, thrown: &DamageRoll, about: Situation) -> Flow<()> {
        let who = about.actor.or(about.bearer).unwrap_or(EntityId::TABLE);
        let mut parts: SmallVec<[DamagePart; 2]> = thrown.parts.iter().cloned().collect();
        if let Some(first) = parts.first_mut() {
            first.amount = amount_of(i64::from(first.amount) + i64::from(thrown.bonus))?;
        }
        self.record(Record::Struck { who, rolled: thrown.rolled, bonus: thrown.bonus, parts })
    }

    /// What the damage is: the blow's tags, and those of the item.
    fn tags_of(&self, blow: &DamageStep, about: Situation) -> IdSet<TagId> {
        let mut tags: IdSet<TagId> = blow.tags.iter().copied().collect();
        if let Some(item) = about.item.and_then(|item| self.state.entity(item)) {
            tags.join(&item.tags);
        }
        tags
    }

    /// Takes a hit through the stages and into the pools.
    ///
    /// # Errors
    /// As hooks do.
    pub fn deal(&mut self, hit: Hit, victim: EntityId, about: Situation) -> Flow<()> {
        let about = Situation { bearer: Some(victim), target: Some(victim), ..about };
        self.hits.push(hit);
        let dealt = self.through_stages(about);
        let hit = self.hits.pop().unwrap_or_default();
        match dealt? {
            true => self.fall_on_pools(hit, victim, about),
            false => Ok(()),
        }
    }

    fn through_stages(&mut self, about: Situation) -> Flow<bool> {
        let rules = Arc::clone(&self.rules);
        if self.offered(rules.known.damage_begin, about)?.is_none() {
            return Ok(false);
        }
        for stage in &rules.dealing.stages {
            self.stage(&rules, stage, about)?;
        }
        Ok(true)
    }

    /// Raises an event about the running hit; hooks may change its amount. A
    /// prevented hit gives nothing.
    fn offered(&mut self, event: EventId, about: Situation) -> Flow<Option<()>> {
        if !self.answers(event) {
            return Ok(Some(()));
        }
        let total = self.hits.last().map_or(Ok(0), Hit::total)?;
        let times = self.hits.last().map_or(1, |hit| hit.times);
        let fields = [entity_field(about.bearer), entity_field(about.actor), total, 0, entity_field(about.item), times];
        let frame = self.before(RuleEvent::new(event, about, &fields))?;
        if frame.prevented.is_some() {
            return Ok(None);
        }
        let [_, _, after, ..] = frame.event.fields;
        if after != total {
            self.restate(after)?;
        }
        Ok(Some(()))
    }

    /// A rule changed the whole amount: the first part takes the difference, and
    /// the others what it cannot.
    fn restate(&mut self, total: i32) -> Flow<()> {
        let Some(hit) = self.hits.last_mut() else { return Ok(()) };
        if hit.parts.is_empty() {
            hit.add(None, 0)?;
        }
        let mut less = i64::from(hit.total()?) - i64::from(total);
        for part in &mut hit.parts {
            let take = if less > 0 { less.min(i64::from(part.amount.max(0))) } else { less };
            part.amount = amount_of(i64::from(part.amount) - take)?;
            less -= take;
        }
        Ok(())
    }

    /// Lowers the amount of the damage whose event runs.
    ///
    /// # Errors
    /// `HR0528` where no damage is being dealt.
    pub fn reduce_damage(&mut self, by: i32) -> Flow<()> {
        let dealt = |event: EventId| {
            event == self.rules.known.damage_begin || self.rules.dealing.stages.iter().any(|stage| stage.event == event)
        };
        let Some(frame) = self.frame().filter(|frame| dealt(frame.event.event)) else {
            let told =
                "`reduce` lowers damage that is being dealt: in `damage.begin` or a stage such as `damage/minimum`";
            return Err(Fault::new("HR0528", told).into());
        };
        let amount = frame.event.fields.get(usize::from(AMOUNT_FIELD)).copied().unwrap_or(0);
        self.write_field(AMOUNT_FIELD, amount_of(i64::from(amount) - i64::from(by))?.max(0))
    }

    fn stage(&mut self, rules: &Ruleset, stage: &DamageStage, about: Situation) -> Flow<()> {
        if self.offered(stage.event, about)?.is_none() {
            return Ok(());
        }
        match stage.per {
            StageScope::Hit => self.stage_hit(rules, stage, about),
            StageScope::Part => self.stage_parts(rules, stage, about),
            StageScope::Type => {
                self.join_types()?;
                self.stage_parts(rules, stage, about)
            }
        }
    }

    fn join_types(&mut self) -> Flow<()> {
        let Some(hit) = self.hits.last_mut() else { return Ok(()) };
        let parts = std::mem::take(&mut hit.parts);
        parts.into_iter().try_for_each(|part| Ok(hit.add(part.kind, part.amount)?))
    }

    fn stage_hit(&mut self, rules: &Ruleset, stage: &DamageStage, about: Situation) -> Flow<()> {
        let kinds: SmallVec<[TagId; 4]> =
            self.hits.last().into_iter().flat_map(|hit| &hit.parts).filter_map(|part| part.kind).collect();
        let before = self.hits.last().map_or(Ok(0), Hit::total)?;
        if let Some(after) = self.staged(rules, stage, about, &kinds, None, before)? {
            self.restate(after)?;
        }
        Ok(())
    }

    fn stage_parts(&mut self, rules: &Ruleset, stage: &DamageStage, about: Situation) -> Flow<()> {
        let count = self.hits.last().map_or(0, |hit| hit.parts.len());
        for at in 0..count {
            let Some(part) = self.hits.last().and_then(|hit| hit.parts.get(at)).cloned() else { continue };
            let kinds: SmallVec<[TagId; 4]> = part.kind.into_iter().collect();
            let after = self.staged(rules, stage, about, &kinds, part.kind, part.amount)?;
            let part = self.hits.last_mut().and_then(|hit| hit.parts.get_mut(at));
            if let (Some(after), Some(part)) = (after, part) {
                part.amount = after;
            }
        }
        Ok(())
    }

    /// The new amount, if the stage does anything to what has these types.
    fn staged(
        &mut self,
        rules: &Ruleset,
        stage: &DamageStage,
        about: Situation,
        kinds: &[TagId],
        kind: Option<TagId>,
        before: i32,
    ) -> Flow<Option<i32>> {
        let mut tags = self.hits.last().map(|hit| hit.tags.clone()).unwrap_or_default();
        for kind in kinds {
            tags.put(*kind, true);
            tags.join(rules.implied(*kind));
        }
        let (times, halved, once) =
            self.hits.last().map_or((1, false, before), |hit| (hit.times, hit.halved, hit.once));
        let locals = [before, times, i32::from(halved), once];
        let reckoner = crate::eval::Evaluator { damage: Some(&tags), locals: &locals, ..self.reckon(about) };
        if !reckoner.holds(stage.when.as_ref())? {
            return Ok(None);
        }
        let after = reckoner.value(&stage.amount)?;
        if let (Some(tag), Some(hit)) = (stage.tag, self.hits.last_mut()) {
            hit.tags.put(tag, true);
        }
        if after != before {
            self.record(Record::Staged { stage: stage.stage, kind, before, after })?;
        }
        Ok(Some(after))
    }

    fn fall_on_pools(&mut self, hit: Hit, victim: EntityId, about: Situation) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        let amount = hit.total()?.max(0);
        let mut left = amount;
        self.remember(&rules, &hit)?;
        let plan = self.plan(&rules, victim, &mut left);
        self.record(Record::Hurt { who: victim, amount, left_over: left })?;
        for (pool, after) in plan {
            self.set_pool(victim, pool, i64::from(after), about, left)?;
        }
        let fields =
            [entity_field(Some(victim)), entity_field(about.actor), amount, left, entity_field(about.item), hit.times];
        let told = u16::try_from(self.struck.len()).unwrap_or(0);
        self.announce(RuleEvent { hit: told, ..RuleEvent::new(rules.known.damage_taken, about, &fields) })
    }

    /// How far each pool falls; `left` becomes what none could take.
    fn plan(&self, rules: &Ruleset, victim: EntityId, left: &mut i32) -> SmallVec<[(PoolId, i32); 4]> {
        let mut plan = SmallVec::new();
        for pool in rules.dealing.pools.iter().filter(|pool| self.has_pool(victim, **pool)) {
            let has = self.pool(victim, *pool).saturating_sub(rules.pools.get(*pool).min).max(0);
            let taken = has.min(*left);
            *left -= taken;
            if taken > 0 {
                plan.push((*pool, self.pool(victim, *pool) - taken));
            }
        }
        plan
    }

    /// Keeps the tags of a hit for the events that tell of it.
    fn remember(&mut self, rules: &Ruleset, hit: &Hit) -> Flow<()> {
        self.purse.write(16 + rules.tags.len() / 8)?;
        let mut tags = hit.tags.clone();
        for kind in hit.parts.iter().filter_map(|part| part.kind) {
            tags.put(kind, true);
            tags.join(rules.implied(kind));
        }
        self.struck.push(tags);
        Ok(())
    }
}
