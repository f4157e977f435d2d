//! Checks: numbers, dice, cases, shifts, and the windows between them.

use crate::answers::DiceThrower;
use crate::change::{StateField, StateValue};
use crate::check::*;
use crate::dice::Roll;
use crate::error::{Fault, in_range};
use crate::event::{DEGREE_FIELD, RuleEvent, TOTAL_FIELD, entity_field};
use crate::formula::ValueSource as _;
use crate::ident::*;
use crate::journal::{Alteration, Record};
use crate::oracle::Flow;
use crate::ruleset::Ruleset;
use crate::scene::{CheckFrame, EventFrame, Play, Reroll, Scene};
use crate::situation::{Situation, Variable};
use crate::step::KeptRoll;
use crate::tally::Tally;
use smallvec::SmallVec;
use std::sync::Arc;

impl Scene {
    /// Decides a check of somebody in a situation. `given` is what must be
    /// reached, if the check leaves that to its asker.
    ///
    /// # Errors
    /// `HR0525` if the check lacks a number: nothing is given, or none of its
    /// choices says yes; else as reading, drawing and hooks do.
    pub fn check(&mut self, check: CheckId, who: EntityId, given: Option<i32>, about: Situation) -> Flow<CheckResult> {
        let rules = Arc::clone(&self.rules);
        let definition = rules.checks.get(check);
        let about = Situation { bearer: Some(who), ..about };
        let worst = definition.degrees.first().copied().unwrap_or(DegreeId::new(0));
        let target = about.target.filter(|target| *target != who);
        let verdict =
            CheckResult { check, who, target, natural: 0, rolled: 0, bonus: 0, total: 0, dc: 0, degree: worst };
        self.checks.push(CheckFrame { verdict, set: None, added: 0, again: None });
        let done = self.decide(&rules, definition, about, given);
        self.checks.pop();
        done
    }

    fn decide(&mut self, rules: &Ruleset, check: &Check, about: Situation, given: Option<i32>) -> Flow<CheckResult> {
        self.window(rules.known.check_begin, about)?;
        let bonus = self.figure(check, &check.bonus, about, given)?;
        let dc = self.figure(check, &check.against, about, given)?;
        self.running(|running| {
            running.verdict.bonus = bonus;
            running.verdict.dc = dc;
        });
        self.roll_check(check, about)?;
        self.window(rules.known.check_rolled, about)?;
        self.roll_again(check, about)?;
        self.total_up()?;
        self.window(rules.known.check_total, about)?;
        if self.roll_again(check, about)? {
            self.total_up()?;
        }
        self.judge(check, about, given)?;
        self.window(rules.known.check_degree, about)?;
        if self.roll_again(check, about)? {
            self.total_up()?;
            self.judge(check, about, given)?;
        }
        self.conclude(rules, about)
    }

    fn running(&mut self, change: impl FnOnce(&mut CheckFrame)) {
        if let Some(running) = self.checks.last_mut() {
            change(running);
        }
    }

    /// The verdict of the innermost check, as far as it is known.
    #[must_use]
    pub fn verdict(&self) -> Option<CheckResult> {
        self.checks.last().map(|running| running.verdict)
    }

    /// The first figure whose question says yes, with its tally written down; 0
    /// for a check that names none.
    fn figure(&mut self, check: &Check, choices: &[Alternative], about: Situation, given: Option<i32>) -> Flow<i32> {
        for choice in choices {
            if self.reckon(about).holds(choice.when.as_ref())? {
                return self.figure_out(check, &choice.figure, about, given);
            }
        }
        match choices {
            [] => Ok(0),
            _ => Err(self.lacks(check, "none of the choices of", "says yes; let the last stand without `when`").into()),
        }
    }

    fn lacks(&self, check: &Check, before: &str, after: &str) -> Fault {
        Fault::new("HR0525", format!("{before} `{}` {after}", self.rules.name(check.rule)))
    }

    fn figure_out(&mut self, check: &Check, figure: &Operand, about: Situation, given: Option<i32>) -> Flow<i32> {
        let unsaid = |scene: &Scene| scene.lacks(check, "nobody says what", "must reach; ask for it with a `dc`");
        match figure {
            Operand::Given => given.ok_or_else(|| unsaid(self).into()),
            Operand::Plain(formula) => match given {
                Some(given) => self.reckon(about).with(&[given]).value(formula),
                None if formula.reads().any(|slot| slot == Variable::Local(0)) => Err(unsaid(self).into()),
                None => self.reckon(about).value(formula),
            },
            Operand::Stat(who, stat, view) => {
                let who = self.reckon(about).somebody(*who)?;
                self.tallied(who, *stat, *view, about)
            }
        }
    }

    /// Adds up a stat and writes its lines down.
    ///
    /// # Errors
    /// As reading does.
    pub fn tallied(&mut self, who: EntityId, stat: StatId, view: Option<ViewId>, about: Situation) -> Flow<i32> {
        let total = self.reckon(about).tally(who, stat, view, &mut self.tally.borrow_mut())?;
        self.write_tally(who, stat, view)?;
        Ok(total)
    }

    /// The tally that was just added up is written once; while its lines stay the
    /// same it is cited.
    fn write_tally(&mut self, who: EntityId, stat: StatId, view: Option<ViewId>) -> Flow<()> {
        let Play { state, journal, tally, .. } = &mut **self;
        let tally: &Tally = tally.get_mut();
        let last = state.entity(who).map_or(0, |entity| entity.cites(stat, view));
        let last = last.checked_sub(1).filter(|last| journal.tallies.get(*last as usize) == Some(tally));
        if let Some(last) = last {
            return self.record(Record::Tallied { who, stat, view, tally: last });
        }
        let number = u32::try_from(journal.tallies.len()).unwrap_or(u32::MAX);
        journal.tallies.push(tally.clone());
        let bytes = tally.bytes();
        self.purse.write(bytes)?;
        self.change(StateField::Cited(who, stat, view), StateValue::Counter(number.saturating_add(1)))?;
        self.record(Record::Tallied { who, stat, view, tally: number })
    }

    fn roll_check(&mut self, check: &Check, about: Situation) -> Flow<()> {
        let who = about.bearer.unwrap_or(EntityId::TABLE);
        let (total, natural) = self.throw(&check.roll, who, check.stream, about, &[])?;
        self.running(|running| {
            running.verdict.natural = natural;
            running.verdict.rolled = total;
        });
        Ok(())
    }

    /// Keeps the dice of a roll in the journal.
    pub(super) fn keep_dice(&mut self, roll: &Roll) -> Flow<(u32, u32)> {
        self.purse.write(24 * roll.faces.len())?;
        Ok(self.journal.keep_dice(&roll.faces))
    }

    /// Rolls a formula, writes its dice down, and gives total and natural face.
    ///
    /// # Errors
    /// As reading and drawing do.
    pub fn throw(
        &mut self,
        dice: &crate::situation::Formula,
        who: EntityId,
        stream: StreamId,
        about: Situation,
        locals: &[i32],
    ) -> Flow<(i32, i32)> {
        let mut roll = self.roll.take().unwrap_or_default();
        let play: &mut Play = self;
        let total = DiceThrower { play, about, locals, who, stream }.roll(dice, &mut roll);
        let natural = roll.natural().unwrap_or(0);
        if total.is_ok() {
            let dice = self.keep_dice(&roll)?;
            self.record(Record::Rolled { who, stream, dice, total: roll.total })?;
        }
        self.roll = Some(roll);
        Ok((total?, natural))
    }

    /// Rolls again if a rule said so since the last roll, and says whether.
    fn roll_again(&mut self, check: &Check, about: Situation) -> Flow<bool> {
        let Some(running) = self.checks.last_mut() else { return Ok(false) };
        let Some(Reroll { kept, rule, set }) = running.again.take() else { return Ok(false) };
        let before = running.verdict;
        self.roll_check(check, about)?;
        let after = self.verdict().unwrap_or(before);
        if kept.earlier(before.rolled, after.rolled) {
            self.running(|running| {
                running.verdict = before;
                running.set = running.set.or(set);
            });
        }
        let after = self.verdict().map_or(0, |verdict| verdict.rolled);
        self.citing(rule, |scene| scene.altered(Alteration::Roll, before.rolled, after)).map(|()| true)
    }

    fn altered(&mut self, what: Alteration, before: i32, after: i32) -> Flow<()> {
        match self.rule.filter(|_| before != after) {
            Some(rule) => self.record(Record::Altered { rule, before, after, what }),
            None => Ok(()),
        }
    }

    fn total_up(&mut self) -> Flow<()> {
        let Some(running) = self.checks.last().copied() else { return Ok(()) };
        let verdict = running.verdict;
        let total = i64::from(verdict.rolled) + i64::from(verdict.bonus) + i64::from(running.added);
        let total = in_range(total, || "the total of a check".to_owned())?;
        self.running(|running| running.verdict.total = total);
        Ok(())
    }

    fn judge(&mut self, check: &Check, about: Situation, given: Option<i32>) -> Flow<()> {
        let locals = self.check_words(given);
        let mut case = check.rule;
        let mut degree = check.degrees.first().copied().unwrap_or(DegreeId::new(0));
        for candidate in &check.cases {
            if self.reckon(about).with(&locals).holds(candidate.when.as_ref())? {
                (case, degree) = (candidate.rule, candidate.degree);
                break;
            }
        }
        for shift in &check.shifts {
            degree = self.shifted(check, shift, degree, about, &locals)?;
        }
        let set = self.checks.last().and_then(|running| running.set);
        self.running(|running| running.verdict.degree = set.unwrap_or(degree));
        let verdict = self.verdict();
        verdict.map_or(Ok(()), |verdict| self.record(Record::Decided { verdict, case }))
    }

    fn shifted(
        &mut self,
        check: &Check,
        shift: &Shift,
        degree: DegreeId,
        about: Situation,
        locals: &[i32],
    ) -> Flow<DegreeId> {
        if !self.reckon(about).with(locals).holds(shift.when.as_ref())? {
            return Ok(degree);
        }
        let by = self.reckon(about).with(locals).value(&shift.by)?;
        let after = check.shifted(degree, by);
        let place = |degree: DegreeId| {
            check.degrees.iter().position(|known| *known == degree).and_then(|at| i32::try_from(at).ok()).unwrap_or(0)
        };
        if after != degree {
            let (before, after) = (place(degree), place(after));
            self.record(Record::Altered { rule: shift.rule, before, after, what: Alteration::Degree })?;
        }
        Ok(after)
    }

    /// The numbers of the running check, as formulas read them; the last is what
    /// was given, if anything was.
    fn check_words(&self, given: Option<i32>) -> SmallVec<[i32; 6]> {
        let mut words = SmallVec::new();
        if let Some(verdict) = self.verdict() {
            let margin = verdict.total.saturating_sub(verdict.dc);
            words.extend_from_slice(&[verdict.natural, verdict.total, verdict.dc, verdict.bonus, margin]);
        }
        words.extend_from_slice(given.as_slice());
        words
    }

    /// Opens one of the windows of the running check; hooks may change what it
    /// shows.
    fn window(&mut self, event: EventId, about: Situation) -> Flow<()> {
        if !self.answers(event) {
            return Ok(());
        }
        let Some(verdict) = self.verdict() else { return Ok(()) };
        let frame = self.before(RuleEvent::new(event, about, &told_of(verdict)))?;
        self.read_window(frame.event)
    }

    /// Takes over what rules wrote. What they added to the total is added to a
    /// later roll as well.
    fn read_window(&mut self, event: RuleEvent) -> Flow<()> {
        let [_, _, _, natural, total, dc, degree, bonus] = event.fields;
        let Some(before) = self.verdict() else { return Ok(()) };
        self.add(total.checked_sub(before.total).ok_or_else(too_much)?)?;
        self.running(|running| {
            let verdict = &mut running.verdict;
            (verdict.natural, verdict.total, verdict.dc, verdict.bonus) = (natural, total, dc, bonus);
            if let Some(degree) = u16::try_from(degree).ok().map(DegreeId::new).filter(|new| *new != before.degree) {
                verdict.degree = degree;
                running.set = Some(degree);
            }
        });
        Ok(())
    }

    fn conclude(&mut self, rules: &Ruleset, about: Situation) -> Flow<CheckResult> {
        let Some(running) = self.checks.last().copied() else {
            return Err(Fault::new("HR0528", "no check runs").into());
        };
        let mut verdict = running.verdict;
        verdict.degree = running.set.unwrap_or(verdict.degree);
        self.record(Record::Concluded { check: verdict.check, who: verdict.who, degree: verdict.degree })?;
        let fields = told_of(verdict);
        self.announce(RuleEvent::new(rules.known.check_done, about, &fields))?;
        Ok(verdict)
    }

    /// Makes the running check end with a degree.
    ///
    /// # Errors
    /// `HR0528` outside a check; `HR0529` if the running check has no such degree.
    pub fn become_degree(&mut self, degree: DegreeId) -> Flow<()> {
        let verdict = self.verdict().ok_or_else(|| no_check("become"))?;
        let rules = Arc::clone(&self.rules);
        let degrees = &rules.checks.get(verdict.check).degrees;
        let place = |degree: DegreeId| {
            let at = degrees.iter().position(|known| *known == degree)?;
            i32::try_from(at).ok()
        };
        let Some(after) = place(degree) else {
            let (check, degree) = (rules.name(verdict.check), rules.name(degree));
            return Err(Fault::new("HR0529", format!("`{check}` has no degree `{degree}`")).into());
        };
        self.running(|running| {
            running.set = Some(degree);
            running.verdict.degree = degree;
        });
        self.show_in_window(DEGREE_FIELD, i32::from(degree.number()));
        self.altered(Alteration::Degree, place(verdict.degree).unwrap_or(after), after)
    }

    /// Adds to the running check, for a later roll of it as well.
    ///
    /// # Errors
    /// `HR0528` outside a check or once its degree is known; `HR0501` beyond the
    /// range of numbers.
    pub fn add_to_check(&mut self, amount: i32) -> Flow<()> {
        let before = self.verdict().ok_or_else(|| no_check("bonus"))?.total;
        let known = self.rules.known;
        let window = self.check_window().map(|frame| frame.event.event);
        if window == Some(known.check_degree) {
            let late = "the degree is known in `check.degree`; add to the check in `check.total` or before";
            return Err(Fault::new("HR0528", late).into());
        }
        let after = before.checked_add(amount).ok_or_else(too_much)?;
        self.add(amount)?;
        if window == Some(known.check_total) {
            self.running(|running| running.verdict.total = after);
            self.show_in_window(TOTAL_FIELD, after);
        }
        self.altered(Alteration::Total, before, after)
    }

    fn add(&mut self, amount: i32) -> Flow<()> {
        let Some(running) = self.checks.last_mut() else { return Ok(()) };
        running.added = running.added.checked_add(amount).ok_or_else(too_much)?;
        Ok(())
    }

    /// The window of a check that is open, innermost first.
    fn check_window(&mut self) -> Option<&mut EventFrame> {
        let windows = self.rules.known.check_windows();
        self.frames.iter_mut().rev().find(|frame| windows.contains(&frame.event.event))
    }

    /// What a step changed in the check stands in its open window too.
    fn show_in_window(&mut self, field: u8, number: i32) {
        let slot = self.check_window().and_then(|frame| frame.event.fields.get_mut(usize::from(field)));
        slot.into_iter().for_each(|slot| *slot = number);
    }

    /// Has the running check rolled again. A degree that was set before is dropped
    /// with the roll it was said of.
    ///
    /// # Errors
    /// `HR0528` outside a check.
    pub fn reroll_check(&mut self, kept: KeptRoll) -> Flow<()> {
        let rule = self.rule;
        let running = self.checks.last_mut().ok_or_else(|| no_check("reroll"))?;
        running.again = Some(Reroll { kept, rule, set: running.set.take() });
        Ok(())
    }

    /// Reads a word of a formula outside any roll.
    ///
    /// # Errors
    /// As reading does.
    pub fn read_slot(&self, slot: crate::situation::Variable, about: Situation) -> Flow<i64> {
        (&self.reckon(about)).read(slot)
    }
}

fn too_much() -> Fault {
    Fault::new("HR0501", "the total of a check leaves the range of numbers")
}

fn no_check(step: &str) -> Fault {
    Fault::new(
        "HR0528",
        format!("no check runs here that `{step}` could change; write it in a hook on `check.rolled` or the like"),
    )
}

/// A verdict as the fields of a check's events.
fn told_of(verdict: CheckResult) -> [i32; 8] {
    [
        entity_field(Some(verdict.who)),
        entity_field(verdict.target),
        i32::from(verdict.check.number()),
        verdict.natural,
        verdict.total,
        verdict.dc,
        i32::from(verdict.degree.number()),
        verdict.bonus,
    ]
}
