//! Timers: how long conditions last, and what makes it longer.

use crate::change::{StateField, StateValue};
use crate::clock::{Moment, Unit};
use crate::condition::*;
use crate::ident::*;
use crate::oracle::Flow;
use crate::resolve::NewCondition;
use crate::ruleset::Ruleset;
use crate::scene::{Scene, too_much};
use crate::state::Timer;
use crate::validate::MOST_TIMERS;
use smallvec::SmallVec;

/// By how much a timer is lengthened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    /// Seconds, for all that run by the clock, by slots, or that are stopped;
    /// fewer if negative.
    Seconds(i64),
    /// So many further times that an event happens, to somebody or to anybody,
    /// for those that wait for it.
    Times(EventId, Option<EntityId>, u32),
}

type Timers = SmallVec<[Timer; 2]>;

impl Scene {
    /// The moment so long from now: in an encounter just before the acting slot
    /// comes up again, else by the clock.
    #[must_use]
    pub fn from_now(&self, unit: Unit, count: i32) -> Moment {
        self.in_seconds(unit.seconds(count, self.rules.turn.seconds.max(1)))
    }

    fn in_seconds(&self, seconds: i64) -> Moment {
        let round = i64::from(self.rules.turn.seconds.max(1));
        match self.state.order.at.filter(|_| self.state.order.running) {
            Some(slot) => {
                let rounds = u32::try_from((seconds / round).max(0)).unwrap_or(u32::MAX);
                Moment::Slot { slot, round: self.state.order.round.saturating_add(rounds) }
            }
            None => Moment::Clock { seconds: self.state.clock.seconds.saturating_add(seconds) },
        }
    }

    /// How many seconds lie between now and a moment, for those that can be
    /// told.
    #[must_use]
    pub fn seconds_until(&self, rules: &Ruleset, due: Moment) -> Option<i64> {
        let now = self.state.clock.seconds;
        match due {
            Moment::Clock { seconds } => Some(seconds.saturating_sub(now)),
            Moment::Stopped { seconds } => Some(seconds),
            Moment::Slot { round, .. } => {
                let rounds = i64::from(round) - i64::from(self.state.order.round);
                Some(rounds.saturating_mul(i64::from(rules.turn.seconds)))
            }
            Moment::Event { .. } => None,
        }
    }

    fn timers(&self, instance: Serial) -> Timers {
        self.state.timers_of(instance).copied().collect()
    }

    fn set_timer(&mut self, timer: Timer, due: Moment) -> Flow<()> {
        if due == timer.due {
            return Ok(());
        }
        self.change(StateField::Timer(timer.serial), StateValue::Timer(Timer { due, ..timer }))
    }

    fn drop_timer(&mut self, timer: &Timer) -> Flow<()> {
        self.change(StateField::Timer(timer.serial), StateValue::Nothing)
    }

    /// Ends all timers of an instance.
    pub(super) fn drop_timers(&mut self, instance: Serial) -> Flow<()> {
        self.toil(self.state.timers.len() / 8)?;
        self.timers(instance).iter().try_for_each(|timer| self.drop_timer(timer))
    }

    /// Gives an instance a timer for each moment; the first that comes ends it.
    pub(super) fn set_timers(&mut self, bearer: EntityId, instance: Serial, until: &[Moment]) -> Flow<()> {
        for due in until {
            if self.state.timers.len() >= MOST_TIMERS {
                return Err(too_much("a table keeps", MOST_TIMERS, "timers").into());
            }
            let serial = self.number()?;
            let timer = Timer { serial, bearer, instance, due: *due };
            self.change(StateField::Timer(serial), StateValue::Timer(timer))?;
        }
        Ok(())
    }

    /// Stops the time of an instance: what is left of it is kept.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn stop_timers(&mut self, instance: Serial) -> Flow<()> {
        self.toil(self.state.timers.len() / 8)?;
        self.timers(instance).into_iter().try_for_each(|timer| self.set_timer(timer, self.stopped(timer.due)))
    }

    fn stopped(&self, due: Moment) -> Moment {
        self.seconds_until(&self.rules, due).map_or(due, |seconds| Moment::Stopped { seconds: seconds.max(0) })
    }

    /// Lets the stopped time of an instance run on.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn restart_timers(&mut self, instance: Serial) -> Flow<()> {
        self.toil(self.state.timers.len() / 8)?;
        self.timers(instance).into_iter().try_for_each(|timer| match timer.due {
            Moment::Stopped { seconds } => self.set_timer(timer, self.in_seconds(seconds)),
            _ => Ok(()),
        })
    }

    /// What a second application does to the time, kind by kind: what runs by
    /// time, and each event that is waited for.
    pub(super) fn time_again(
        &mut self,
        definition: &Condition,
        who: EntityId,
        instance: &Instance,
        onset: &NewCondition,
    ) -> Flow<()> {
        self.toil(self.state.timers.len() / 8)?;
        let timers = self.timers(instance.serial);
        let stands_still = timers.iter().any(|timer| matches!(timer.due, Moment::Stopped { .. }));
        let kept = |due: &Moment| if stands_still { self.stopped(*due) } else { *due };
        let until: SmallVec<[Moment; 2]> = onset.until.iter().map(kept).collect();
        match self.again(definition, who)?.time {
            Reapply::Keep | Reapply::PerSource | Reapply::All => Ok(()),
            Reapply::Add => self.add_times(who, instance.serial, &timers, &until),
            Reapply::Most => self.longest_times(who, instance.serial, &timers, &until),
            Reapply::Replace => self.replace_times(who, instance.serial, &timers, &until),
        }
    }

    fn replace_times(&mut self, who: EntityId, serial: Serial, timers: &[Timer], until: &[Moment]) -> Flow<()> {
        timers.iter().try_for_each(|timer| self.drop_timer(timer))?;
        self.set_timers(who, serial, until)
    }

    /// The smallest of some times.
    fn soonest(&self, moments: impl Iterator<Item = Moment>) -> Option<i64> {
        moments.filter_map(|due| self.seconds_until(&self.rules, due)).min()
    }

    /// Every timer is lengthened by what is new of its kind; what is new of no
    /// kind that was there is set beside. What lasts for good stays so.
    fn add_times(&mut self, who: EntityId, serial: Serial, timers: &[Timer], until: &[Moment]) -> Flow<()> {
        if timers.is_empty() {
            return Ok(());
        }
        let seconds = self.soonest(until.iter().copied()).map(Extension::Seconds);
        let times = until.iter().filter_map(|due| match due {
            Moment::Event { event, who, left } => Some(Extension::Times(*event, *who, *left)),
            _ => None,
        });
        let more: SmallVec<[Extension; 2]> = seconds.into_iter().chain(times).collect();
        timers.iter().try_for_each(|timer| self.lengthen(*timer, &more))?;
        let beside = |new: &&Moment| !timers.iter().any(|timer| is_of_kind(timer.due, **new));
        let beside: SmallVec<[Moment; 2]> = until.iter().filter(beside).copied().collect();
        self.set_timers(who, serial, &beside)
    }

    /// Of each kind the later end stands. An end of a kind that only one of the
    /// two has falls away, for the other lasts longer in that; if they share no
    /// kind the new ends stand.
    fn longest_times(&mut self, who: EntityId, serial: Serial, timers: &[Timer], until: &[Moment]) -> Flow<()> {
        if timers.is_empty() {
            return Ok(());
        }
        let has_kind = |timer: &Timer| until.iter().any(|new| is_of_kind(timer.due, *new));
        if !timers.iter().any(has_kind) {
            return self.replace_times(who, serial, timers, until);
        }
        let (old, new) = (self.soonest(timers.iter().map(|timer| timer.due)), self.soonest(until.iter().copied()));
        let longer = old.zip(new).is_some_and(|(old, new)| new > old);
        for timer in timers {
            match timer.due {
                Moment::Event { event, who, left } if has_kind(timer) => {
                    let most = until.iter().filter_map(|new| times_of(*new, event, who)).max().unwrap_or(left);
                    self.set_timer(*timer, Moment::Event { event, who, left: left.max(most) })?;
                }
                Moment::Event { .. } => self.drop_timer(timer)?,
                _ if longer || !has_kind(timer) => self.drop_timer(timer)?,
                _ => {}
            }
        }
        let by_time = |due: &&Moment| longer && !matches!(due, Moment::Event { .. });
        let later: SmallVec<[Moment; 2]> = until.iter().filter(by_time).copied().collect();
        self.set_timers(who, serial, &later)
    }

    /// Lets every timer of an instance run longer, each by what is of its kind.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn extend(&mut self, instance: Serial, more: &[Extension]) -> Flow<()> {
        self.toil(self.state.timers.len() / 8)?;
        self.timers(instance).into_iter().try_for_each(|timer| self.lengthen(timer, more))
    }

    fn lengthen(&mut self, timer: Timer, more: &[Extension]) -> Flow<()> {
        let due = more.iter().fold(timer.due, |due, more| self.later(due, *more));
        self.set_timer(timer, due)
    }

    fn later(&self, due: Moment, more: Extension) -> Moment {
        match (due, more) {
            (Moment::Clock { seconds }, Extension::Seconds(more)) => {
                Moment::Clock { seconds: seconds.saturating_add(more) }
            }
            (Moment::Stopped { seconds }, Extension::Seconds(more)) => {
                Moment::Stopped { seconds: seconds.saturating_add(more).max(0) }
            }
            (Moment::Slot { slot, round }, Extension::Seconds(more)) => {
                let rounds = more / i64::from(self.rules.turn.seconds.max(1));
                let round = i64::from(round).saturating_add(rounds).max(0);
                Moment::Slot { slot, round: u32::try_from(round).unwrap_or(u32::MAX) }
            }
            (Moment::Event { event, who, left }, Extension::Times(other, whose, times))
                if event == other && (whose.is_none() || whose == who) =>
            {
                Moment::Event { event, who, left: left.saturating_add(times) }
            }
            (due, _) => due,
        }
    }

    /// Somebody keeps up a condition that they caused, whoever bears it: what
    /// waits for events of theirs goes on beyond the next of them. Doing it
    /// twice does no more.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn sustain(&mut self, who: EntityId, condition: ConditionId) -> Flow<()> {
        self.toil(self.state.timers.len())?;
        let caused = |timer: &&Timer| {
            let borne = self.state.entity(timer.bearer).and_then(|bearer| bearer.instance(timer.instance));
            borne.is_some_and(|borne| borne.condition == condition && borne.source == Some(who))
        };
        let timers: SmallVec<[Timer; 4]> = self.state.timers.iter().filter(caused).copied().collect();
        timers.into_iter().try_for_each(|timer| match timer.due {
            Moment::Event { event, who: whose, left } if whose == Some(who) => {
                self.set_timer(timer, Moment::Event { event, who: whose, left: left.max(2) })
            }
            _ => Ok(()),
        })
    }
}

/// Whether two moments are of one kind: both by time, or by the same event of
/// the same creature.
fn is_of_kind(one: Moment, other: Moment) -> bool {
    match (one, other) {
        (Moment::Event { event, who, .. }, other @ Moment::Event { .. }) => times_of(other, event, who).is_some(),
        (Moment::Event { .. }, _) | (_, Moment::Event { .. }) => false,
        _ => true,
    }
}

/// How many times a moment waits for this event of this creature.
fn times_of(due: Moment, wanted: EventId, whose: Option<EntityId>) -> Option<u32> {
    match due {
        Moment::Event { event, who, left } if event == wanted && who == whose => Some(left),
        _ => None,
    }
}
