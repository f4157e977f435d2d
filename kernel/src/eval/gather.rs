//! The lines of one stat, in the order in which they are found.

use super::Evaluator;
use crate::entity::{Entity, StatBlockRef};
use crate::error::Fault;
use crate::ident::*;
use crate::memo::{Contextual, ContextualModifiers};
use crate::modifier::LimitTarget;
use crate::modifier::*;
use crate::oracle::Flow;
use crate::ruleset::ModifierSource;
use crate::tally::{Tally, TallyLine, TermStatus};
use smallvec::SmallVec;

/// The bits that keep sources of groups and of loose modifiers apart from those
/// of definitions and instances, which use the lower 62.
const GROUP_SOURCE: u64 = 1 << 63;
const LOOSE_SOURCE: u64 = 1 << 62;

/// One stat on its way to a tally.
pub(super) struct TallyBuilder<'a, 'b> {
    reckoner: Evaluator<'a>,
    who: EntityId,
    stat: StatId,
    into: &'b mut Tally,
    /// Where the next line goes.
    place: usize,
    /// The modifiers of the bearer that must be weighed anew each time.
    pub(super) open: ContextualModifiers,
    /// The lines that hang on more than the bearer.
    pub(super) passing: SmallVec<[usize; 8]>,
    /// The work for what is not kept.
    pub(super) aside: usize,
}

/// The most lines of one number.
const MOST_LINES: usize = 4_096;

const NOWHERE: Anchor = Anchor { on: None, source: None, item: None, instance: None };

impl<'a, 'b> TallyBuilder<'a, 'b> {
    /// Nothing found yet, besides the lines that are there.
    pub(super) fn new(
        reckoner: Evaluator<'a>,
        who: EntityId,
        stat: StatId,
        into: &'b mut Tally,
    ) -> TallyBuilder<'a, 'b> {
        let place = into.lines.len();
        TallyBuilder {
            reckoner,
            who,
            stat,
            into,
            place,
            open: ContextualModifiers::new(),
            passing: SmallVec::new(),
            aside: 0,
        }
    }
}

impl<'a> TallyBuilder<'a, '_> {
    /// Finds every line. Those of the bearer come first, then those of zones and
    /// of who stands on the other side.
    pub(super) fn gather(&mut self) -> Flow<()> {
        let Evaluator { rules, state, .. } = self.reckoner;
        let definition = rules.stats.get(self.stat);
        let Some(entity) = state.entity(self.who) else { return Ok(()) };
        self.reckoner.toil(1 + entity.loose.len())?;
        self.give(definition.rule, definition.kind, entity.given.get(self.stat), definition.parts.is_empty())?;
        self.written(ModifierSource::Part(self.stat), Side::Bearer, NOWHERE, 0)?;
        self.borne_by(entity, Side::Bearer)?;
        entity.loose.iter().try_for_each(|loose| self.give_loose(loose))?;
        self.pass_by()
    }

    /// Finds the lines that are not kept.
    pub(super) fn gather_open(&mut self, open: &[Contextual]) -> Flow<()> {
        let plain = self.into.lines.len();
        for open in open {
            let rules = self.reckoner.rules;
            let Some(modifier) = rules.modifiers(open.written).get(open.number) else { continue };
            self.place = open.place + self.into.lines.len() - plain;
            self.offer(modifier, open.peg, open.value)?;
        }
        self.place = self.into.lines.len();
        self.pass_by()
    }

    /// What zones bring, and who stands on the other side.
    fn pass_by(&mut self) -> Flow<()> {
        let (from, left) = (self.place, self.reckoner.left());
        let Evaluator { rules, state, .. } = self.reckoner;
        if rules.sways.near.has(self.stat) {
            self.zones()?;
        }
        let other = if rules.sways.opposed.has(self.stat) { self.opponent() } else { None };
        if let Some(other) = other.and_then(|other| state.entity(other)) {
            self.borne_by(other, Side::Opponent)?;
        }
        self.passing.extend(from..self.place);
        self.aside += left - self.reckoner.left();
        Ok(())
    }

    /// Who stands on the other side of the running action.
    fn opponent(&self) -> Option<EntityId> {
        let about = self.reckoner.about;
        let other = if about.actor == Some(self.who) { about.target } else { about.actor };
        other.filter(|other| *other != self.who)
    }

    /// Everything an entity brings: its page, what it holds, what it bears.
    fn borne_by(&mut self, entity: &'a Entity, side: Side) -> Flow<()> {
        let Evaluator { rules, state, .. } = self.reckoner;
        let bears = entity.bears.len();
        self.reckoner.toil(entity.holds.len() + bears + bears * bears / 16)?;
        self.page(entity.origin, side, None)?;
        for held in &entity.holds {
            if let Some(item) = state.entity(*held).filter(|item| !item.gone) {
                self.page(item.origin, side, Some(*held))?;
            }
        }
        let per_source = |condition| rules.conditions.get(condition).each_counts();
        for borne in entity.counting(per_source) {
            let peg = Anchor { on: borne.source, source: borne.source, item: None, instance: Some(borne.serial) };
            self.written(ModifierSource::Condition(borne.condition), side, peg, borne.value)?;
        }
        Ok(())
    }

    /// What the zones around bring. The size of a body never depends on them,
    /// since it decides who is inside.
    fn zones(&mut self) -> Flow<()> {
        let reckoner = self.reckoner;
        if !reckoner.rules.zones || reckoner.measures {
            return Ok(());
        }
        reckoner.toil(reckoner.state.entities.len())?;
        for (zone, entity) in reckoner.state.present() {
            let page = reckoner.rules.page(entity.origin).filter(|page| page.radius.is_some());
            if page.is_some() && reckoner.is_within(self.who, zone)? {
                self.page(entity.origin, Side::Near, Some(zone))?;
            }
        }
        Ok(())
    }

    fn page(&mut self, origin: StatBlockRef, side: Side, item: Option<EntityId>) -> Flow<()> {
        self.written(ModifierSource::Page(origin), side, Anchor { on: item, source: item, item, instance: None }, 0)
    }

    /// Offers the modifiers of one place that go to this stat. Those that are not
    /// plain are remembered.
    fn written(&mut self, written: ModifierSource, side: Side, peg: Anchor, value: i32) -> Flow<()> {
        let (rules, stat) = (self.reckoner.rules, self.stat);
        self.reckoner.toil(rules.modifiers(written).len())?;
        let all = rules.modifiers(written).iter().enumerate();
        for (number, modifier) in all.filter(|(_, modifier)| modifier.side == side && modifier.to.has(stat)) {
            let (from, left) = (self.place, self.reckoner.left());
            self.offer(modifier, peg, value)?;
            if side == Side::Bearer && !modifier.plain {
                let place = from - self.passing.len();
                self.passing.extend(from..self.place);
                self.aside += left - self.reckoner.left();
                self.open.push(Contextual { written, number, peg, value, place });
            }
        }
        Ok(())
    }

    /// Adds a modifier's line, or one for each item it asks for.
    fn offer(&mut self, modifier: &Modifier, peg: Anchor, value: i32) -> Flow<()> {
        let Some(tag) = modifier.each else { return self.weigh(modifier, peg, value) };
        let reckoner = self.reckoner;
        let Some(entity) = reckoner.state.entity(self.who) else { return Ok(()) };
        for held in entity.holds.iter().filter(|held| reckoner.has(Some(**held), tag)) {
            self.weigh(modifier, Anchor { on: Some(*held), item: Some(*held), ..peg }, value)?;
        }
        Ok(())
    }

    fn weigh(&mut self, modifier: &Modifier, peg: Anchor, value: i32) -> Flow<()> {
        if modifier.used && peg.item != self.reckoner.about.item {
            return Ok(());
        }
        let Some(worth) = self.worth(modifier, peg, value)? else { return Ok(()) };
        let line = self.line(modifier, peg, worth);
        let worth_a_line = line.effect != Effect::Add || line.value != 0;
        if worth_a_line { self.add(line, modifier.limits) } else { Ok(()) }
    }

    /// The value of a modifier, if it is active.
    fn worth(&self, modifier: &Modifier, peg: Anchor, value: i32) -> Flow<Option<i32>> {
        if let (None, Some(number)) = (&modifier.when, modifier.value.constant()) {
            return Ok(Some(number));
        }
        let mut about = self.reckoner.about;
        about.item = peg.item.filter(|_| modifier.each.is_some()).or(about.item);
        about.instance = peg.instance;
        about.source = if peg.instance.is_some() { peg.source } else { peg.source.or(about.source) };
        let locals = [value];
        let reckoner = Evaluator { about, locals: &locals, ..self.reckoner };
        if !reckoner.applies(modifier.when.as_ref())? {
            return Ok(None);
        }
        reckoner.value(&modifier.value).map(Some)
    }

    fn add(&mut self, line: TallyLine, aim: LimitTarget) -> Flow<()> {
        if self.into.lines.len() >= MOST_LINES {
            let stat = self.reckoner.rules.name(self.stat);
            return Err(Fault::new("HR0535", format!("`{stat}` has more than {MOST_LINES} lines")).into());
        }
        self.into.insert(self.place, line, aim);
        self.place += 1;
        Ok(())
    }

    fn line(&self, modifier: &Modifier, peg: Anchor, value: i32) -> TallyLine {
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
        TallyLine {
            rule: modifier.rule,
            kind: modifier.kind,
            effect: modifier.effect,
            value,
            from: peg.on,
            source,
            fate: TermStatus::Counts,
        }
    }

    fn give(&mut self, rule: RuleId, kind: TypeId, value: i32, even_zero: bool) -> Flow<()> {
        if value == 0 && !even_zero {
            return Ok(());
        }
        let source = u64::from(rule.number());
        let line = TallyLine { rule, kind, effect: Effect::Add, value, from: None, source, fate: TermStatus::Counts };
        self.add(line, LimitTarget::Total)
    }

    fn give_loose(&mut self, loose: &AdHocModifier) -> Flow<()> {
        if loose.to != self.stat || loose.off {
            return Ok(());
        }
        let from = u64::from(loose.source.map_or(0, |who| who.0 + 1));
        let source = u64::from(loose.rule.number()) | from << 32 | LOOSE_SOURCE;
        let line = TallyLine {
            rule: loose.rule,
            kind: loose.kind,
            effect: Effect::Add,
            value: loose.value,
            from: loose.source,
            source,
            fate: TermStatus::Counts,
        };
        self.add(line, LimitTarget::Total)
    }
}
