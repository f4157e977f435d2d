//! IdMap as they are just now: reads stats, pools, tags and facts for formulas.

use crate::budget::Toil;
use crate::condition::Instance;
use crate::entity::Entity;
use crate::error::{Fault, Reach};
use crate::formula::ValueSource;
use crate::ident::*;
use crate::memo::{LAYERS, StatCache, StatKey};
use crate::oracle::{Flow, Interrupt, Missing};
use crate::ruleset::Ruleset;
use crate::situation::{Formula, Situation, Variable, Who};
use crate::space::{Footprint, Square};
use crate::state::State;
use crate::tally::{StackingRules, Tally};
use gather::TallyBuilder;
use std::cell::{Cell, RefCell};

mod gather;
mod survey;

/// So many letters of a formula are as much work as one line.
const LETTERS: usize = 16;

/// How deep stats may read stats; the load check finds circles, and what is deeper,
/// first.
pub const DEEPEST: u8 = 24;

/// The most work that a debug build does a second time to check what is kept. What
/// reads more would hold an intent far beyond its budget, since nobody pays for it.
const ADDED_UP_TWICE: usize = 100_000;

/// Whether a number of so much work is added up once more, without what is kept.
fn is_added_up_twice(work: usize) -> bool {
    cfg!(debug_assertions) && work <= ADDED_UP_TWICE
}

/// Reads numbers of a state in a situation. It changes nothing and draws
/// nothing.
#[derive(Clone, Copy)]
pub struct Evaluator<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// What is read.
    pub state: &'a State,
    /// What the intent states.
    pub facts: &'a [(FactId, i32)],
    /// The tags of the running damage.
    pub damage: Option<&'a IdSet<TagId>>,
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
    /// Whether somebody's size is being measured, on which no zone has a say.
    pub measures: bool,
    /// IdMap that were added up before, while an intent runs.
    pub memo: Option<&'a RefCell<StatCache>>,
    /// Which of the facts were read, by their places.
    pub needed: Option<&'a Cell<u64>>,
    /// What pays for the work.
    pub toil: Option<&'a Toil>,
}

/// The bit of a fact in a place; those beyond the last share it.
#[must_use]
pub fn bit(at: usize) -> u64 {
    1 << at.min(63)
}

impl<'a> Evaluator<'a> {
    /// Reads a state outside any intent, with so much work at most.
    #[must_use]
    pub fn new(rules: &'a Ruleset, state: &'a State, about: Situation, toil: &'a Toil) -> Evaluator<'a> {
        Evaluator {
            rules,
            state,
            facts: &[],
            damage: None,
            about,
            locals: &[],
            depth: 0,
            ended: &[],
            stands: None,
            measures: false,
            memo: None,
            needed: None,
            toil: Some(toil),
        }
    }

    /// Pays for so much work.
    ///
    /// # Errors
    /// `HR0520` when the budget of work is used up.
    #[inline]
    pub fn toil(&self, units: usize) -> Flow<()> {
        Ok(self.toil.map_or(Ok(()), |toil| toil.pay(units))?)
    }

    /// What is left of the work; what is paid for between two looks is their difference.
    fn left(&self) -> usize {
        self.toil.map_or(0, |toil| toil.left() as usize)
    }

    /// The same reading about something else.
    #[must_use]
    pub fn about(self, about: Situation) -> Evaluator<'a> {
        Evaluator { about, ..self }
    }

    /// The same reading with other running numbers.
    #[must_use]
    pub fn with(self, locals: &'a [i32]) -> Evaluator<'a> {
        Evaluator { locals, ..self }
    }

    /// The value of a formula.
    ///
    /// # Errors
    /// If it reads what is not there, or leaves the range of an `i32`.
    pub fn value(&self, formula: &Formula) -> Flow<i32> {
        let mut reader = self;
        self.toil(1 + formula.text().len() / LETTERS)?;
        formula.value(&mut reader)
    }

    /// Whether a question says yes; no question is a yes.
    ///
    /// # Errors
    /// As [`Evaluator::value`].
    pub fn holds(&self, question: Option<&Formula>) -> Flow<bool> {
        question.map_or(Ok(true), |question| Ok(self.value(question)? != 0))
    }

    /// Whether a question says yes, where asking about nobody is a no.
    fn applies(&self, question: Option<&Formula>) -> Flow<bool> {
        match self.holds(question) {
            Err(Interrupt::Lacks(Missing::Who(_))) => Ok(false),
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
        self.who(word).ok_or(Interrupt::Lacks(Missing::Who(word)))
    }

    fn entity(&self, word: Who) -> Flow<&'a Entity> {
        self.state.entity(self.somebody(word)?).ok_or(Interrupt::Lacks(Missing::Who(word)))
    }

    /// The total of a stat.
    ///
    /// # Errors
    /// As [`Evaluator::tally`].
    pub fn stat(&self, who: EntityId, stat: StatId, view: Option<ViewId>) -> Flow<i32> {
        if let Some((total, work)) = self.at_hand((who, stat, view)) {
            self.toil(work)?;
            if is_added_up_twice(work) {
                let afresh = self.afresh().stat(who, stat, view);
                debug_assert_eq!(afresh, Ok(total), "a kept total is the one added up afresh");
            }
            return Ok(total);
        }
        self.tally(who, stat, view, &mut Tally::default())
    }

    /// Adds up a stat with all its lines.
    ///
    /// # Errors
    /// If a line reads what is not there, or the total leaves the range of an
    /// `i32` (`HR0501`).
    pub fn tally(&self, who: EntityId, stat: StatId, view: Option<ViewId>, into: &mut Tally) -> Flow<i32> {
        into.clear();
        let Some(memo) = self.kept() else { return self.added_up((who, stat, view), into) };
        let before = self.left();
        let total = self.recalled(memo, (who, stat, view), into);
        if is_added_up_twice(before - self.left()) {
            let mut again = Tally::default();
            let afresh = self.afresh().tally(who, stat, view, &mut again);
            let stopped = matches!(&total, Err(Interrupt::Fault(fault)) if fault.reach == Reach::Intent);
            debug_assert!(stopped || total == afresh, "a kept total is the one added up afresh");
            debug_assert!(total.is_err() || *into == again, "kept lines are those found afresh");
        }
        total
    }

    /// The same reading with nothing kept and nothing paid for.
    fn afresh(&self) -> Evaluator<'a> {
        Evaluator { memo: None, toil: None, ..*self }
    }

    /// What is kept, unless stats read each other so deep here that a kept one
    /// could hide that they read too deep.
    fn kept(&self) -> Option<&'a RefCell<StatCache>> {
        self.memo.filter(|_| self.depth < DEEPEST - LAYERS)
    }

    /// A kept total that nothing else can change, and the work that it is: as much as
    /// if it were added up afresh, so that what is kept shows nowhere.
    fn at_hand(&self, key: StatKey) -> Option<(i32, usize)> {
        let memo = self.kept()?.borrow();
        let kept = memo.recall(key).filter(|kept| kept.stacked && kept.open.is_empty())?;
        (!self.is_swayed(key.1)).then(|| (kept.tally.total, kept.work + kept.tally.work()))
    }

    /// Whether zones or others may change a stat.
    fn is_swayed(&self, stat: StatId) -> bool {
        self.rules.sways.near.has(stat) || self.rules.sways.opposed.has(stat)
    }

    /// Adds up a stat from the lines that are kept and those that are open.
    fn recalled(&self, memo: &RefCell<StatCache>, key: StatKey, into: &mut Tally) -> Flow<i32> {
        let (who, stat, view) = key;
        let found = memo.borrow().recall(key).map(|kept| {
            into.copy(&kept.tally);
            (kept.open.clone(), kept.stacked, kept.work)
        });
        let Some((open, stacked, work)) = found else { return self.remembered(memo, key, into) };
        self.toil(work)?;
        if stacked && open.is_empty() && !self.is_swayed(stat) {
            return self.toil(into.work()).map(|()| into.total);
        }
        let plain = into.lines.len();
        self.gathering(who, stat, into).gather_open(&open)?;
        if stacked && into.lines.len() == plain {
            return self.toil(into.work()).map(|()| into.total);
        }
        into.reopen();
        self.settled(stat, view, into)
    }

    /// Adds up a stat and keeps what hangs on nobody but its bearer.
    fn remembered(&self, memo: &RefCell<StatCache>, key: StatKey, into: &mut Tally) -> Flow<i32> {
        let (who, stat, view) = key;
        let before = self.left();
        let mut gathering = self.gathering(who, stat, into);
        gathering.gather()?;
        let TallyBuilder { open, passing, aside, .. } = gathering;
        let work = before - self.left() - aside;
        if self.state.entity(who).is_none() {
            return self.settled(stat, view, into);
        }
        if passing.is_empty() {
            let total = self.settled(stat, view, into)?;
            memo.borrow_mut().keep_whole(key, into, &open, work);
            return Ok(total);
        }
        let lines = into.lines.iter().copied().zip(into.limits.iter().copied()).enumerate();
        let plain = lines.filter(|(at, _)| !passing.contains(at)).map(|(_, line)| line);
        memo.borrow_mut().keep_lines(key, plain, &open, work);
        self.settled(stat, view, into)
    }

    fn added_up(&self, (who, stat, view): StatKey, into: &mut Tally) -> Flow<i32> {
        if self.depth >= DEEPEST {
            let name = self.rules.name(stat);
            return Err(Fault::new(
                "HR0522",
                format!("`{name}` is read by way of more than {DEEPEST} numbers in a row"),
            )
            .into());
        }
        self.gathering(who, stat, into).gather()?;
        self.settled(stat, view, into)
    }

    fn gathering<'b>(&self, who: EntityId, stat: StatId, into: &'b mut Tally) -> TallyBuilder<'a, 'b> {
        let reckoner = Evaluator { depth: self.depth + 1, about: self.about.seen_by(who), ..*self };
        TallyBuilder::new(reckoner, who, stat, into)
    }

    /// Decides what becomes of the lines, as a view sees them.
    fn settled(&self, stat: StatId, view: Option<ViewId>, into: &mut Tally) -> Flow<i32> {
        let offset = view.map_or(0, |view| self.look_through(view, into));
        self.toil(into.work())?;
        let customs = StackingRules { types: &self.rules.types, stacking: self.rules.stacking };
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
    /// As [`Evaluator::value`].
    pub fn most(&self, who: EntityId, pool: PoolId) -> Flow<i32> {
        let definition = self.rules.pools.get(pool);
        let about = Situation { bearer: Some(who), actor: Some(who), ..Situation::default() };
        let inner = Evaluator { depth: self.depth + 1, about, locals: &[], ..*self };
        Ok(inner.value(&definition.max)?.max(definition.min))
    }

    /// A fact: as stated, or from where the rules take it.
    ///
    /// # Errors
    /// If nobody stated it and the rules have no default; else as
    /// [`Evaluator::value`].
    pub fn fact(&self, fact: FactId) -> Flow<i32> {
        if let Some((at, (_, stated))) = self.facts.iter().enumerate().find(|(_, (stated, _))| *stated == fact) {
            self.needed.inspect(|needed| needed.set(needed.get() | bit(at)));
            return Ok(*stated);
        }
        let definition = self.rules.facts.get(fact);
        let seen = definition.from.as_ref().map_or(Ok(None), |from| self.survey(from))?;
        match (seen, &definition.default) {
            (Some(seen), _) => Ok(seen),
            (None, Some(default)) => self.value(default),
            (None, None) => Err(Interrupt::Lacks(Missing::Fact(fact))),
        }
    }

    /// The distance between actor and target in feet, if both stand somewhere.
    ///
    /// # Errors
    /// As [`Evaluator::body`].
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
    pub fn body(&self, who: EntityId) -> Flow<Option<Footprint>> {
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
    /// As [`Evaluator::body`].
    pub fn body_at(&self, who: EntityId, square: Square) -> Flow<Footprint> {
        // what is kept must not hang on whether zones had their say
        let memo = self.memo.filter(|_| !self.rules.zones);
        let measuring = Evaluator { measures: true, memo, ..*self };
        let feet = self.rules.space.map_or(Ok(0), |space| measuring.stat(who, space, None))?;
        let side = feet / i32::from(self.rules.grid.feet_per_square.get());
        Ok(Footprint::checked(square.x.into(), square.y.into(), i64::from(side.max(1)))?)
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

impl ValueSource<Variable> for &Evaluator<'_> {
    type Stop = Interrupt;

    fn read(&mut self, slot: Variable) -> Flow<i64> {
        let yes = |answer: bool| Ok(i64::from(answer));
        Ok(i64::from(match slot {
            Variable::Stat(who, stat, view) => self.stat(self.somebody(who)?, stat, view)?,
            Variable::Pool(who, pool) => self.entity(who)?.pools.get(pool),
            Variable::PoolMax(who, pool) => self.most(self.somebody(who)?, pool)?,
            Variable::Count(who, count) => self.entity(who)?.counts.get(count),
            Variable::Note(who, note) => self.note(who, note)?,
            Variable::Condition(who, condition) => self.who(who).map_or(0, |who| self.condition(who, condition)),
            Variable::Fact(fact) => self.fact(fact)?,
            Variable::Option(option) => self.state.options.get(option),
            Variable::Local(at) => self.local(at)?,
            Variable::Round => i32::try_from(self.state.order.round).unwrap_or(i32::MAX),
            Variable::Tagged(who, tag) => return yes(self.has(self.who(who), tag)),
            Variable::Bears(who, condition) => {
                let bears = |who| self.state.entity(who).is_some_and(|entity| entity.bearing(condition).is_some());
                return yes(self.who(who).is_some_and(bears));
            }
            Variable::BearsToward(who, condition, toward) => {
                let pair = self.who(who).zip(self.who(toward));
                return yes(pair.is_some_and(|(who, toward)| self.bears_toward(who, condition, toward)));
            }
            Variable::ActionTagged(tag) => {
                return yes(self.about.action.is_some_and(|action| self.rules.actions.get(action).tags.has(tag)));
            }
            Variable::DamageTagged(tag) => return yes(self.damage.is_some_and(|tags| tags.has(tag))),
            Variable::OwnTurn(who) => {
                return yes(self.who(who).is_some() && self.state.order.acting() == self.who(who));
            }
            Variable::InEncounter => return yes(self.state.order.running),
            Variable::Same(one, other) => return yes(self.who(one).is_some() && self.who(one) == self.who(other)),
            Variable::Ally(one, other) => return yes(self.side(one).is_some() && self.side(one) == self.side(other)),
            Variable::Feet(one, other) => self.feet(one, other)?,
            Variable::Heading(who) => self.entity(who)?.heading,
        }))
    }

    fn look_up(&mut self, table: u16, key: i64) -> Flow<i64> {
        let chart = ChartId::new(table);
        let empty = || Fault::new("HR0521", format!("the chart `{}` has no rows", self.rules.name(chart)));
        self.rules.charts.get(chart).look_up(key).map(i64::from).ok_or_else(|| empty().into())
    }
}
