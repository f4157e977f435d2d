//! Checks: numbers, dice, cases, shifts, and the windows between them.

use crate::check::*;
use crate::event::{Event, entity_field, field_entity};
use crate::formula::Reader as _;
use crate::ident::*;
use crate::journal::{Altered, Record};
use crate::oracle::Flow;
use crate::ruleset::Ruleset;
use crate::scene::{Running, Scene, Throw};
use crate::situation::Situation;
use crate::tally::Tally;
use std::sync::Arc;

impl Scene {
    /// Decides a check of somebody in a situation. `given` is what must be
    /// reached, if the check leaves that to its asker.
    ///
    /// # Errors
    /// As reading, drawing and hooks do.
    pub fn check(&mut self, check: CheckId, who: EntityId, given: Option<i32>, about: Situation) -> Flow<Verdict> {
        let rules = Arc::clone(&self.rules);
        let definition = rules.checks.get(check);
        let about = Situation { bearer: Some(who), ..about };
        let worst = definition.degrees.first().copied().unwrap_or(DegreeId::new(0));
        let target = about.target.filter(|target| *target != who);
        let verdict = Verdict { check, who, target, natural: 0, rolled: 0, bonus: 0, total: 0, dc: 0, degree: worst };
        self.checks.push(Running { verdict, set: None, added: 0, again: None });
        let done = self.decide(&rules, definition, about, given.unwrap_or(0));
        self.checks.pop();
        done
    }

    fn decide(&mut self, rules: &Ruleset, check: &Check, about: Situation, given: i32) -> Flow<Verdict> {
        self.window(rules.known.check_begin, about)?;
        let bonus = self.figure(&check.bonus, about, given)?;
        let dc = self.figure(&check.against, about, given)?;
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

    fn running(&mut self, change: impl FnOnce(&mut Running)) {
        if let Some(running) = self.checks.last_mut() {
            change(running);
        }
    }

    /// The verdict of the innermost check, as far as it is known.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        self.checks.last().map(|running| running.verdict)
    }

    /// The first figure whose question says yes, with its tally written down.
    fn figure(&mut self, choices: &[Choice], about: Situation, given: i32) -> Flow<i32> {
        for choice in choices {
            if self.reckon(about).holds(choice.when.as_ref())? {
                return self.figure_out(&choice.figure, about, given);
            }
        }
        Ok(0)
    }

    fn figure_out(&mut self, figure: &Figure, about: Situation, given: i32) -> Flow<i32> {
        match figure {
            Figure::Given => Ok(given),
            Figure::Plain(formula) => self.reckon(about).with(&[0, 0, 0, 0, 0, given]).value(formula),
            Figure::Stat(who, stat, view) => {
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
        let mut tally = std::mem::take(&mut self.tally);
        let total = self.reckon(about).tally(who, stat, view, &mut tally);
        if total.is_ok() {
            let number = self.write_tally(who, stat, view, &tally);
            self.record(Record::Tallied { who, stat, view, tally: number })?;
        }
        self.tally = tally;
        total
    }

    /// A tally is written once; while its lines stay the same it is cited.
    fn write_tally(&mut self, who: EntityId, stat: StatId, view: Option<ViewId>, tally: &Tally) -> u32 {
        let play: &mut crate::scene::Play = self;
        let same = |record: &&Record| matches!(record, Record::Tallied { who: w, stat: s, view: v, .. } if (*w, *s, *v) == (who, stat, view));
        let last = play.journal.recent().iter().rev().find(same);
        if let Some(Record::Tallied { tally: number, .. }) = last
            && play.journal.tallies.get(*number as usize) == Some(tally)
        {
            return *number;
        }
        let number = u32::try_from(play.journal.tallies.len()).unwrap_or(u32::MAX);
        play.journal.tallies.push(tally.clone());
        number
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
        let mut roll = std::mem::take(&mut self.roll);
        let play: &mut crate::scene::Play = self;
        let total = Throw { play, about, locals, who, stream }.roll(dice, &mut roll);
        let natural = roll.natural().unwrap_or(0);
        if total.is_ok() {
            let dice = self.journal.keep_dice(&roll.faces);
            self.record(Record::Rolled { who, stream, dice, total: roll.total })?;
        }
        self.roll = roll;
        Ok((total?, natural))
    }

    /// Rolls again if a rule said so since the last roll, and says whether.
    fn roll_again(&mut self, check: &Check, about: Situation) -> Flow<bool> {
        let Some(running) = self.checks.last_mut() else { return Ok(false) };
        let Some((better, rule)) = running.again.take() else { return Ok(false) };
        let before = running.verdict;
        self.roll_check(check, about)?;
        let after = self.verdict().unwrap_or(before);
        if better && before.rolled > after.rolled {
            self.running(|running| running.verdict = before);
        }
        let outer = std::mem::replace(&mut self.rule, rule);
        let told = self.altered(Altered::Roll, before.rolled, self.verdict().map_or(0, |verdict| verdict.rolled));
        self.rule = outer;
        told.map(|()| true)
    }

    fn altered(&mut self, what: Altered, before: i32, after: i32) -> Flow<()> {
        match self.rule.filter(|_| before != after) {
            Some(rule) => self.record(Record::Altered { rule, before, after, what }),
            None => Ok(()),
        }
    }

    fn total_up(&mut self) -> Flow<()> {
        let Some(running) = self.checks.last().copied() else { return Ok(()) };
        let verdict = running.verdict;
        let total = i64::from(verdict.rolled) + i64::from(verdict.bonus) + i64::from(running.added);
        let total = i32::try_from(total)
            .map_err(|_| crate::error::Fault::new("HR0501", "the total of a check leaves the range of numbers"))?;
        self.running(|running| running.verdict.total = total);
        Ok(())
    }

    fn judge(&mut self, check: &Check, about: Situation, given: i32) -> Flow<()> {
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
            self.record(Record::Altered { rule: shift.rule, before, after, what: Altered::Degree })?;
        }
        Ok(after)
    }

    /// The numbers of the running check, as formulas read them.
    #[must_use]
    pub fn check_words(&self, given: i32) -> [i32; 6] {
        let Some(verdict) = self.verdict() else { return [0, 0, 0, 0, 0, given] };
        [verdict.natural, verdict.total, verdict.dc, verdict.bonus, verdict.total.saturating_sub(verdict.dc), given]
    }

    /// Opens one of the windows of the running check; hooks may change what it
    /// shows.
    fn window(&mut self, event: EventId, about: Situation) -> Flow<()> {
        if !self.answers(event) {
            return Ok(());
        }
        let Some(verdict) = self.verdict() else { return Ok(()) };
        let fields = told_of(verdict);
        let frame = self.before(Event::new(event, about, &fields))?;
        self.read_window(frame.event, &fields);
        Ok(())
    }

    fn read_window(&mut self, event: Event, before: &[i32; 8]) {
        let [_, target, _, natural, total, dc, degree, bonus] = event.fields;
        let [.., total_before, _, degree_before, _] = *before;
        let totalled = event.event == self.rules.known.check_total || event.event == self.rules.known.check_degree;
        self.running(|running| {
            let verdict = &mut running.verdict;
            let raised = total.saturating_sub(total_before);
            (verdict.natural, verdict.dc, verdict.bonus, verdict.target) = (natural, dc, bonus, field_entity(target));
            verdict.total = verdict.total.saturating_add(raised);
            running.added = running.added.saturating_add(if totalled { 0 } else { raised });
            if let (true, Ok(number)) = (degree != degree_before, u16::try_from(degree)) {
                verdict.degree = DegreeId::new(number);
                running.set = Some(verdict.degree);
            }
        });
    }

    fn conclude(&mut self, rules: &Ruleset, about: Situation) -> Flow<Verdict> {
        let Some(running) = self.checks.last().copied() else {
            return Err(crate::error::Fault::new("HR0528", "no check runs").into());
        };
        let mut verdict = running.verdict;
        verdict.degree = running.set.unwrap_or(verdict.degree);
        self.record(Record::Concluded { check: verdict.check, who: verdict.who, degree: verdict.degree })?;
        let fields = told_of(verdict);
        self.announce(Event::new(rules.known.check_done, about, &fields))?;
        Ok(verdict)
    }

    /// Makes the running check end with a degree.
    ///
    /// # Errors
    /// `HR0529` if the running check has no such degree.
    pub fn become_degree(&mut self, degree: DegreeId) -> Flow<()> {
        if let Some(check) = self.verdict().map(|verdict| verdict.check)
            && !self.rules.checks.get(check).degrees.contains(&degree)
        {
            let (check, degree) = (self.rules.name(check), self.rules.name(degree));
            return Err(crate::error::Fault::new("HR0529", format!("`{check}` has no degree `{degree}`")).into());
        }
        let before = self.verdict().map_or(degree, |verdict| verdict.degree);
        self.running(|running| {
            running.set = Some(degree);
            running.verdict.degree = degree;
        });
        if let Some(frame) = self.frames.last_mut().filter(|frame| frame.before)
            && let Some(field) = frame.event.fields.get_mut(6)
        {
            *field = i32::from(degree.number());
        }
        let check = self.verdict().map(|verdict| verdict.check);
        let place = |degree: DegreeId| {
            let degrees = &self.rules.checks.get(check?).degrees;
            degrees.iter().position(|known| *known == degree).and_then(|at| i32::try_from(at).ok())
        };
        let (before, after) = (place(before).unwrap_or(0), place(degree).unwrap_or(0));
        self.altered(Altered::Degree, before, after)
    }

    /// Adds to the running check.
    ///
    /// # Errors
    /// `HR0528` outside a check.
    pub fn add_to_check(&mut self, amount: i32) -> Flow<()> {
        let before = self.verdict().map_or(0, |verdict| verdict.total);
        self.running(|running| running.added = running.added.saturating_add(amount));
        let total_known = self.rules.known.check_total;
        if let Some(frame) = self.frames.last_mut().filter(|frame| frame.event.event == total_known)
            && let Some(total) = frame.event.fields.get_mut(4)
        {
            *total = total.saturating_add(amount);
        }
        self.altered(Altered::Total, before, before.saturating_add(amount))
    }

    /// Has the running check rolled again.
    pub fn reroll_check(&mut self, better: bool) {
        let rule = self.rule;
        self.running(|running| running.again = Some((better, rule)));
    }

    /// Reads a word of a formula outside any roll.
    ///
    /// # Errors
    /// As reading does.
    pub fn read_slot(&self, slot: crate::situation::Slot, about: Situation) -> Flow<i64> {
        self.reckon(about).read(slot)
    }
}

/// A verdict as the fields of a check's events.
fn told_of(verdict: Verdict) -> [i32; 8] {
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
