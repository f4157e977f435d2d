//! Numbers as they are just now: reads stats, pools, tags and facts for formulas.

use crate::condition::{Again, Instance};
use crate::entity::Entity;
use crate::error::Fault;
use crate::formula::Reader;
use crate::ident::*;
use crate::memo::Memo;
use crate::modifier::*;
use crate::oracle::{Flow, Lack, Stop};
use crate::ruleset::{Page, Ruleset};
use crate::situation::{Formula, Situation, Slot, Who};
use crate::space::{Body, Square};
use crate::state::State;
use crate::tally::{Customs, Fate, Line, Tally};
use std::cell::{Cell, RefCell};

mod survey;

/// How deep stats may read stats; the load check finds circles first.
const DEEPEST: u8 = 24;

/// The bits that keep sources of groups and of loose modifiers apart from those
/// of definitions and instances, which use the lower 62.
const GROUP_SOURCE: u64 = 1 << 63;
const LOOSE_SOURCE: u64 = 1 << 62;

/// Reads numbers of a state in a situation. It changes nothing and draws
/// nothing.
#[derive(Clone, Copy)]
pub struct Reckoner<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// What is read.
    pub state: &'a State,
    /// What the intent states.
    pub facts: &'a [(FactId, i32)],
    /// The tags of the running damage.
    pub damage: Option<&'a Set<TagId>>,
    /// Who and what it is about.
    pub about: Situation,
    /// The numbers of the running check, stage, event or condition.
    pub locals: &'a [i32],
    /// How deep the reading is.
    pub depth: u8,
    /// Conditions that have ended and whose last steps run.
    pub ended: &'a [Instance],
    /// Somebody who is read as if they stood on a square.
    pub stands: Option<(EntityId, Square)>,
    /// Totals that were added up before, while an intent runs.
    pub memo: Option<&'a RefCell<Memo>>,
    /// Which of the facts were read, by their places.
    pub needed: Option<&'a Cell<u64>>,
}

/// The bit of a fact in a place; those beyond the last share it.
#[must_use]
pub fn bit(at: usize) -> u64 {
    1 << at.min(63)
}

impl<'a> Reckoner<'a> {
    /// Reads a state outside any intent.
    #[must_use]
    pub fn new(rules: &'a Ruleset, state: &'a State, about: Situation) -> Reckoner<'a> {
        Reckoner {
            rules,
            state,
            facts: &[],
            damage: None,
            about,
            locals: &[],
            depth: 0,
            ended: &[],
            stands: None,
            memo: None,
            needed: None,
        }
    }

    /// The same reading about something else.
    #[must_use]
    pub fn about(self, about: Situation) -> Reckoner<'a> {
        Reckoner { about, ..self }
    }

    /// The same reading with other running numbers.
    #[must_use]
    pub fn with(self, locals: &'a [i32]) -> Reckoner<'a> {
        Reckoner { locals, ..self }
    }

    /// The value of a formula.
    ///
    /// # Errors
    /// If it reads what is not there, or leaves the range of an `i32`.
    pub fn value(mut self, formula: &Formula) -> Flow<i32> {
        formula.value(&mut self)
    }

    /// Whether a question says yes; no question is a yes.
    ///
    /// # Errors
    /// As [`Reckoner::value`].
    pub fn holds(self, question: Option<&Formula>) -> Flow<bool> {
        question.map_or(Ok(true), |question| Ok(self.value(question)? != 0))
    }

    /// Whether a question says yes, where asking about nobody is a no.
    fn applies(self, question: Option<&Formula>) -> Flow<bool> {
        match self.holds(question) {
            Err(Stop::Lacks(Lack::Who(_))) => Ok(false),
            answer => answer,
        }
    }

    /// Whom a word means, if anybody.
    #[must_use]
    pub fn who(&self, word: Who) -> Option<EntityId> {
        match word {
            Who::Bearer => self.about.bearer,
            Who::Actor => self.about.actor,
            Who::Target => self.about.target,
            Who::Item => self.about.item,
            Who::Source => self.about.source,
            Who::Holder => self.state.entity(self.about.item?)?.owner,
            Who::Owner => self.state.entity(self.about.target?)?.owner,
            Who::Other => self.about.other,
            Who::Toward => self.running_instance()?.toward,
        }
    }

    /// The running instance of a condition; it may have ended while its last steps
    /// run.
    fn running_instance(&self) -> Option<&'a Instance> {
        let serial = self.about.instance?;
        let around = [self.about.bearer, self.about.actor, self.about.target].into_iter().flatten();
        let mut borne = around.filter_map(|who| self.state.entity(who)?.instance(serial));
        borne.next().or_else(|| self.ended.iter().find(|ended| ended.serial == serial))
    }

    /// Whether somebody bears a condition toward another, and it does anything.
    #[must_use]
    pub fn bears_toward(&self, who: EntityId, condition: ConditionId, toward: EntityId) -> bool {
        let fits = |borne: &Instance| borne.condition == condition && borne.active() && borne.toward == Some(toward);
        self.state.entity(who).is_some_and(|entity| entity.bears.iter().any(fits))
    }

    /// Whom a word means.
    ///
    /// # Errors
    /// If it means nobody here.
    pub fn somebody(&self, word: Who) -> Flow<EntityId> {
        self.who(word).ok_or(Stop::Lacks(Lack::Who(word)))
    }

    fn entity(&self, word: Who) -> Flow<&'a Entity> {
        self.state.entity(self.somebody(word)?).ok_or(Stop::Lacks(Lack::Who(word)))
    }

    /// The total of a stat. One that hangs on its bearer alone is added up once
    /// for as long as the bearer stays as it is.
    ///
    /// # Errors
    /// As [`Reckoner::tally`].
    pub fn stat(self, who: EntityId, stat: StatId, view: Option<ViewId>) -> Flow<i32> {
        let Some(memo) = self.memo.filter(|_| self.rules.plain.has(stat)) else {
            return self.added_up(who, stat, view);
        };
        let key = (who, stat, view);
        let kept = memo.borrow().recall(key);
        if let Some(total) = kept {
            debug_assert_eq!(self.added_up(who, stat, view), Ok(total), "a kept total is the one added up afresh");
            return Ok(total);
        }
        let total = self.added_up(who, stat, view)?;
        memo.borrow_mut().keep(key, total);
        Ok(total)
    }

    fn added_up(self, who: EntityId, stat: StatId, view: Option<ViewId>) -> Flow<i32> {
        let mut tally = Tally::default();
        self.tally(who, stat, view, &mut tally)
    }

    /// Adds up a stat with all its lines.
    ///
    /// # Errors
    /// If a line reads what is not there, or the total leaves the range of an
    /// `i32` (`HR0501`).
    pub fn tally(self, who: EntityId, stat: StatId, view: Option<ViewId>, into: &mut Tally) -> Flow<i32> {
        into.clear();
        if self.depth >= DEEPEST {
            let name = self.rules.name(stat);
            return Err(Fault::new("HR0522", format!("`{name}` reads itself in a circle")).into());
        }
        let inner = Reckoner { depth: self.depth + 1, about: self.about.seen_by(who), ..self };
        Gathering { reckoner: inner, who, stat, into }.gather()?;
        let offset = view.map_or(0, |view| self.look_through(view, into));
        let customs = Customs { types: &self.rules.types, stacking: self.rules.stacking };
        let beyond = || Fault::new("HR0501", format!("`{}` leaves the range of numbers", self.rules.name(stat)));
        into.settle(&customs, offset).ok_or_else(|| beyond().into())
    }

    fn look_through(&self, view: ViewId, tally: &mut Tally) -> i32 {
        let view = self.rules.views.get(view);
        tally.look_through(&view.ignore, |line| view.drop_types.has(line.kind) || view.drop_rules.contains(&line.rule));
        view.offset
    }

    /// The most a pool of somebody holds.
    ///
    /// # Errors
    /// As [`Reckoner::value`].
    pub fn most(self, who: EntityId, pool: PoolId) -> Flow<i32> {
        let definition = self.rules.pools.get(pool);
        let about = Situation { bearer: Some(who), actor: Some(who), ..Situation::default() };
        let inner = Reckoner { depth: self.depth + 1, about, locals: &[], ..self };
        Ok(inner.value(&definition.max)?.max(definition.min))
    }

    /// A fact: as stated, or from where the rules take it.
    ///
    /// # Errors
    /// If nobody stated it and the rules have no default; else as
    /// [`Reckoner::value`].
    pub fn fact(self, fact: FactId) -> Flow<i32> {
        if let Some((at, (_, stated))) = self.facts.iter().enumerate().find(|(_, (stated, _))| *stated == fact) {
            self.needed.inspect(|needed| needed.set(needed.get() | bit(at)));
            return Ok(*stated);
        }
        let definition = self.rules.facts.get(fact);
        let seen = definition.from.as_ref().map_or(Ok(None), |from| self.survey(from))?;
        match (seen, &definition.default) {
            (Some(seen), _) => Ok(seen),
            (None, Some(default)) => self.value(default),
            (None, None) => Err(Stop::Lacks(Lack::Fact(fact))),
        }
    }

    /// The distance between actor and target in feet, if both stand somewhere.
    ///
    /// # Errors
    /// As [`Reckoner::body`].
    pub fn distance(&self) -> Flow<Option<i32>> {
        let body = |who: Option<EntityId>| who.map_or(Ok(None), |who| self.body(who));
        let (from, to) = (body(self.about.actor)?, body(self.about.target)?);
        Ok(from.zip(to).map(|(from, to)| self.rules.grid.feet_between(from, to)))
    }

    /// The squares that somebody fills, at least one, if they stand somewhere; a
    /// thing without a square is where its holder stands.
    ///
    /// # Errors
    /// As the stat of their size does, or `HR0561` if it is beyond all measure.
    pub fn body(&self, who: EntityId) -> Flow<Option<Body>> {
        let Some(entity) = self.state.entity(who) else { return Ok(None) };
        let as_if = self.stands.filter(|(stands, _)| *stands == who).map(|(_, square)| square);
        match as_if.or(entity.square) {
            Some(square) => self.body_at(who, square).map(Some),
            None => entity.owner.filter(|owner| *owner != who).map_or(Ok(None), |owner| self.body(owner)),
        }
    }

    /// The squares that somebody would fill, standing on one.
    ///
    /// # Errors
    /// As [`Reckoner::body`].
    pub fn body_at(&self, who: EntityId, square: Square) -> Flow<Body> {
        let feet = self.rules.space.map_or(Ok(0), |space| self.stat(who, space, None))?;
        let side = feet / i32::from(self.rules.grid.feet_per_square.get());
        Ok(Body::checked(square.x.into(), square.y.into(), i64::from(side.max(1)))?)
    }

    /// Whether somebody is within the radius of a zone, which lies on its own
    /// square or goes with its holder.
    ///
    /// # Errors
    /// As the formula of the radius does.
    pub fn is_within(&self, who: EntityId, zone: EntityId) -> Flow<bool> {
        let Some(entity) = self.state.entity(zone) else { return Ok(false) };
        let Some(radius) = self.rules.page(entity.origin).and_then(|page| page.radius.as_ref()) else {
            return Ok(false);
        };
        let centre = if entity.square.is_some() { Some(zone) } else { entity.owner };
        let centre = centre.map_or(Ok(None), |centre| self.body(centre))?;
        let (Some(body), Some(centre)) = (self.body(who)?, centre) else { return Ok(false) };
        let feet = self.about(Situation::of(zone)).value(radius)?;
        Ok(self.rules.grid.feet_between(body, centre) <= feet)
    }

    /// Whether somebody has a tag or an implied one.
    #[must_use]
    pub fn has_tag(&self, who: EntityId, tag: TagId) -> bool {
        let Some(entity) = self.state.entity(who) else { return false };
        entity.tags.has(tag)
            || entity
                .bears
                .iter()
                .any(|borne| borne.active() && self.rules.conditions.get(borne.condition).tags.has(tag))
    }

    /// The side somebody is on; a thing is on its holder's.
    fn side(&self, word: Who) -> Option<&'a str> {
        let entity = self.state.entity(self.who(word)?)?;
        Some(&entity.owner.and_then(|owner| self.state.entity(owner)).unwrap_or(entity).side)
    }

    fn has(&self, who: Option<EntityId>, tag: TagId) -> bool {
        who.is_some_and(|who| self.has_tag(who, tag))
    }

    fn condition(&self, who: EntityId, condition: ConditionId) -> i32 {
        let borne = self.state.entity(who).and_then(|entity| entity.bearing(condition));
        borne.map_or(0, |instance| instance.value)
    }

    fn note(&self, who: Option<Who>, note: NoteId) -> Flow<i32> {
        let entity = self.entity(who.unwrap_or(Who::Bearer))?;
        let kept = || {
            let serial = self.about.instance?;
            let ended = || self.ended.iter().find(|ended| ended.serial == serial);
            let instance = entity.instance(serial).or_else(ended)?;
            instance.notes.iter().find(|(kept, _)| *kept == note).map(|(_, number)| *number)
        };
        Ok(if who.is_none() { kept().unwrap_or_else(|| entity.notes.get(note)) } else { entity.notes.get(note) })
    }

    /// One of the running numbers. Where rules are read, only words of what runs
    /// are known, so that a missing one is a mistake of the kernel.
    fn local(&self, at: u8) -> Flow<i32> {
        let unknown = || Fault::new("HR0525", "a rule asks for a number of something that does not run here");
        self.locals.get(usize::from(at)).copied().ok_or_else(|| unknown().into())
    }
}

impl Reader<Slot> for Reckoner<'_> {
    type Stop = Stop;

    fn read(&mut self, slot: Slot) -> Flow<i64> {
        let yes = |answer: bool| Ok(i64::from(answer));
        Ok(i64::from(match slot {
            Slot::Stat(who, stat, view) => self.stat(self.somebody(who)?, stat, view)?,
            Slot::Pool(who, pool) => self.entity(who)?.pools.get(pool),
            Slot::PoolMax(who, pool) => self.most(self.somebody(who)?, pool)?,
            Slot::Count(who, count) => self.entity(who)?.counts.get(count),
            Slot::Note(who, note) => self.note(who, note)?,
            Slot::Condition(who, condition) => self.who(who).map_or(0, |who| self.condition(who, condition)),
            Slot::Fact(fact) => self.fact(fact)?,
            Slot::Option(option) => self.state.options.get(option),
            Slot::Local(at) => self.local(at)?,
            Slot::Round => i32::try_from(self.state.order.round).unwrap_or(i32::MAX),
            Slot::Tagged(who, tag) => return yes(self.has(self.who(who), tag)),
            Slot::Bears(who, condition) => {
                let bears = |who| self.state.entity(who).is_some_and(|entity| entity.bearing(condition).is_some());
                return yes(self.who(who).is_some_and(bears));
            }
            Slot::BearsToward(who, condition, toward) => {
                let pair = self.who(who).zip(self.who(toward));
                return yes(pair.is_some_and(|(who, toward)| self.bears_toward(who, condition, toward)));
            }
            Slot::ActionTagged(tag) => {
                return yes(self.about.action.is_some_and(|action| self.rules.actions.get(action).tags.has(tag)));
            }
            Slot::DamageTagged(tag) => return yes(self.damage.is_some_and(|tags| tags.has(tag))),
            Slot::OwnTurn(who) => {
                return yes(self.who(who).is_some() && self.state.order.acting() == self.who(who));
            }
            Slot::InEncounter => return yes(self.state.order.running),
            Slot::Same(one, other) => return yes(self.who(one).is_some() && self.who(one) == self.who(other)),
            Slot::Ally(one, other) => return yes(self.side(one).is_some() && self.side(one) == self.side(other)),
            Slot::Feet(one, other) => self.feet(one, other)?,
        }))
    }

    fn look_up(&mut self, table: u16, key: i64) -> Flow<i64> {
        let chart = ChartId::new(table);
        let empty = || Fault::new("HR0521", format!("the chart `{}` has no rows", self.rules.name(chart)));
        self.rules.charts.get(chart).look_up(key).map(i64::from).ok_or_else(|| empty().into())
    }
}

/// One stat on its way to a tally.
struct Gathering<'a, 'b> {
    reckoner: Reckoner<'a>,
    who: EntityId,
    stat: StatId,
    into: &'b mut Tally,
}

/// What a modifier hangs on.
#[derive(Clone, Copy)]
struct Peg {
    /// The entity that is shown.
    on: Option<EntityId>,
    /// The item that the modifier's own formula means.
    item: Option<EntityId>,
    /// The instance it comes from.
    instance: Option<Serial>,
}

impl<'a> Gathering<'a, '_> {
    fn gather(&mut self) -> Flow<()> {
        let Reckoner { rules, state, .. } = self.reckoner;
        let definition = rules.stats.get(self.stat);
        let Some(entity) = state.entity(self.who) else { return Ok(()) };
        self.give(definition.rule, definition.kind, entity.given.get(self.stat), definition.parts.is_empty());
        let nothing = Peg { on: None, item: None, instance: None };
        definition.parts.iter().try_for_each(|part| self.offer(part, nothing, 0))?;
        self.borne_by(entity, Side::Bearer)?;
        entity.loose.iter().for_each(|loose| self.give_loose(loose));
        self.zones()?;
        match self.opponent().and_then(|other| state.entity(other)) {
            Some(other) => self.borne_by(other, Side::Opponent),
            None => Ok(()),
        }
    }

    /// Who stands on the other side of the running action.
    fn opponent(&self) -> Option<EntityId> {
        let about = self.reckoner.about;
        let other = if about.actor == Some(self.who) { about.target } else { about.actor };
        other.filter(|other| *other != self.who)
    }

    /// Everything an entity brings: its page, what it holds, what it bears.
    fn borne_by(&mut self, entity: &'a Entity, side: Side) -> Flow<()> {
        let Reckoner { rules, state, .. } = self.reckoner;
        self.page(rules.page(entity.origin), side, None)?;
        for held in &entity.holds {
            let item = state.entity(*held).filter(|item| !item.gone);
            self.page(item.and_then(|item| rules.page(item.origin)), side, Some(*held))?;
        }
        let per_source = |condition| rules.conditions.get(condition).again_value == Again::PerSource;
        for borne in entity.counting(per_source) {
            let peg = Peg { on: borne.source, item: None, instance: Some(borne.serial) };
            let modifiers = rules.conditions.get(borne.condition).modifiers.iter();
            let stat = self.stat;
            for modifier in modifiers.filter(|modifier| modifier.side == side && modifier.to.has(stat)) {
                self.offer(modifier, peg, borne.value)?;
            }
        }
        Ok(())
    }

    /// What the zones around bring. The size of a body never depends on them,
    /// since it decides who is inside.
    fn zones(&mut self) -> Flow<()> {
        let reckoner = self.reckoner;
        if !reckoner.rules.zones || reckoner.rules.space == Some(self.stat) {
            return Ok(());
        }
        for (zone, entity) in reckoner.state.present() {
            let page = reckoner.rules.page(entity.origin).filter(|page| page.radius.is_some());
            if page.is_some() && reckoner.is_within(self.who, zone)? {
                self.page(page, Side::Near, Some(zone))?;
            }
        }
        Ok(())
    }

    fn page(&mut self, page: Option<&Page>, side: Side, item: Option<EntityId>) -> Flow<()> {
        let Some(page) = page else { return Ok(()) };
        let peg = Peg { on: item, item, instance: None };
        let stat = self.stat;
        let mut fitting = page.modifiers.iter().filter(|modifier| modifier.side == side && modifier.to.has(stat));
        fitting.try_for_each(|modifier| self.offer(modifier, peg, 0))
    }

    /// Adds a modifier's line, or one for each item it asks for.
    fn offer(&mut self, modifier: &Modifier, peg: Peg, value: i32) -> Flow<()> {
        let Some(tag) = modifier.each else { return self.weigh(modifier, peg, value) };
        let reckoner = self.reckoner;
        let Some(entity) = reckoner.state.entity(self.who) else { return Ok(()) };
        for held in entity.holds.iter().filter(|held| reckoner.has(Some(**held), tag)) {
            self.weigh(modifier, Peg { on: Some(*held), item: Some(*held), ..peg }, value)?;
        }
        Ok(())
    }

    fn weigh(&mut self, modifier: &Modifier, peg: Peg, value: i32) -> Flow<()> {
        let mut about = self.reckoner.about;
        if modifier.used && peg.item != about.item {
            return Ok(());
        }
        about.item = peg.item.filter(|_| modifier.each.is_some()).or(about.item);
        about.instance = peg.instance;
        about.source = if peg.instance.is_some() { peg.on } else { about.source };
        let locals = [value];
        let reckoner = Reckoner { about, locals: &locals, ..self.reckoner };
        if !reckoner.applies(modifier.when.as_ref())? {
            return Ok(());
        }
        let line = self.line(modifier, peg, reckoner.value(&modifier.value)?);
        let worth_a_line = line.effect != Effect::Add || line.value != 0;
        if worth_a_line {
            self.into.add(line, modifier.limits.into());
        }
        Ok(())
    }

    fn line(&self, modifier: &Modifier, peg: Peg, value: i32) -> Line {
        let rule = u64::from(modifier.source.number());
        let source = match (self.reckoner.rules.stacking.same, modifier.group) {
            (Same::Group, Some(group)) => u64::from(group.number()) | GROUP_SOURCE,
            (Same::Instance, _) => {
                let (instance, on) = (peg.instance.map_or(0, |serial| serial.0), peg.on.map_or(0, |on| on.0));
                rule << 32 | u64::from(instance) | u64::from(on) << 48
            }
            _ if modifier.each.is_some() => rule << 32 | u64::from(peg.on.map_or(0, |on| on.0)) << 48,
            _ => rule,
        };
        Line {
            rule: modifier.rule,
            kind: modifier.kind,
            effect: modifier.effect,
            value,
            from: peg.on,
            source,
            fate: Fate::Counts,
        }
    }

    fn give(&mut self, rule: RuleId, kind: TypeId, value: i32, even_zero: bool) {
        if value != 0 || even_zero {
            let source = u64::from(rule.number());
            let line = Line { rule, kind, effect: Effect::Add, value, from: None, source, fate: Fate::Counts };
            self.into.add(line, crate::tally::Aim::Total);
        }
    }

    fn give_loose(&mut self, loose: &Loose) {
        if loose.to == self.stat && !loose.off {
            let from = u64::from(loose.source.map_or(0, |who| who.0 + 1));
            let source = u64::from(loose.rule.number()) | from << 32 | LOOSE_SOURCE;
            let line = Line {
                rule: loose.rule,
                kind: loose.kind,
                effect: Effect::Add,
                value: loose.value,
                from: loose.source,
                source,
                fate: Fate::Counts,
            };
            self.into.add(line, crate::tally::Aim::Total);
        }
    }
}
