//! Does what intents and rules say: one room for each kind of deed.

mod acts;
mod areas;
mod checks;
mod conditions;
mod hits;
mod instances;
mod paths;
mod pools;
mod script_entity;
mod script_event;
mod seats;
mod squares;
mod steps;
mod ties;
mod timers;
mod turns;

pub use conditions::NewCondition;
pub use instances::InstanceFilter;
pub use script_entity::ApplyOptions;
pub use script_event::{NamedValues, ScriptRoll};
pub use timers::Extension;

use crate::change::{StateField, StateValue};
use crate::error::Fault;
use crate::ident::*;
use crate::intent::Operation;
use crate::oracle::{Flow, Interrupt, Missing, Refusal};
use crate::scene::{Scene, too_much};
use crate::situation::Situation;
use crate::validate::MOST_LOOSE;
use acts::ActRequest;

/// How deep lists of steps, conditions and things may lead to each other.
const DEEPEST: u32 = 48;

impl Scene {
    /// Does an intent from its beginning to its end.
    ///
    /// # Errors
    /// Whatever stops it.
    pub fn play_out(&mut self, deed: &Operation) -> Flow<()> {
        let done = self.take_rulings().and_then(|()| self.play_deed(deed)).and_then(|()| self.catch_up());
        match done {
            Err(Interrupt::Lacks(Missing::Fact(fact))) => Err(Interrupt::Ask(Box::new(self.fact_question(fact)))),
            Err(Interrupt::Disrupt) => self.catch_up(),
            done => done,
        }?;
        self.rulings_needed()
    }

    fn play_deed(&mut self, deed: &Operation) -> Flow<()> {
        if let Operation::Switch { option, value } = deed {
            return self.switch(*option, *value);
        }
        if !self.state.begun && !matches!(deed, Operation::Seat(_) | Operation::Withdraw { .. }) {
            self.change(StateField::Begun, StateValue::YesNo(true))?;
        }
        match deed {
            Operation::Seat(seat) => self.seat(seat).map(drop),
            Operation::Act { who, action, item, and, targets, to, via, facts } => {
                self.facts.extend_from_slice(facts);
                self.act(ActRequest { who: *who, action: *action, item: *item, and: *and, targets, to: *to, via })
            }
            Operation::Check { who, target, check, dc, facts } => {
                self.facts.extend_from_slice(facts);
                self.check(*check, *who, *dc, Situation { target: *target, ..Situation::of(*who) }).map(drop)
            }
            Operation::Rule { who, target, steps } => self.ruling(steps, *who, *target),
            Operation::Begin { who, aware } => self.begin(who, aware),
            Operation::Join(who) => self.join(*who),
            Operation::Leave(who) => self.leave(*who),
            Operation::Next => self.next_turn(),
            Operation::Delay { behind } => self.delay(*behind),
            Operation::End => self.end_encounter(),
            Operation::Wait { seconds } => self.wait(*seconds),
            Operation::Mute { who, modifier, off } => self.mute(*who, *modifier, *off),
            Operation::Withdraw { spent } => self.spend_draws(spent),
            Operation::Switch { .. } => Ok(()),
        }
    }

    fn switch(&mut self, option: OptionId, value: i32) -> Flow<()> {
        if self.state.begun && !self.rules.options.get(option).open {
            return Err(Refusal::new("HR0711", "refuse.fixed", &[("option", self.rules.name(option))]).into());
        }
        self.change(StateField::Option(option), StateValue::Number(value))?;
        self.touch_all()?;
        self.catch_up()
    }

    /// Switches a loose modifier off or on by hand.
    fn mute(&mut self, who: EntityId, modifier: Serial, off: bool) -> Flow<()> {
        let found =
            self.state.entity(who).and_then(|entity| entity.loose.iter().find(|loose| loose.serial == modifier));
        let Some(mut loose) = found.cloned() else {
            return Err(Refusal::new("HR0703", "refuse.no_modifier", &[("who", &self.name_of(who))]).into());
        };
        loose.off = off;
        self.change(StateField::Loose(who, modifier), StateValue::Loose(Box::new(loose)))
    }

    /// IdMap that a withdrawn intent drew stay spent.
    fn spend_draws(&mut self, spent: &[(EntityId, StreamId, u32)]) -> Flow<()> {
        for (who, stream, count) in spent {
            let before = self.state.draw_cell(*who, *stream).map_or(0, |cell| cell.count());
            self.change(StateField::Draws(*who, *stream), StateValue::Counter(before.saturating_add(*count)))?;
        }
        Ok(())
    }

    /// Gives somebody a modifier: a plain number on one stat.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn give_modifier(
        &mut self,
        who: EntityId,
        to: StatId,
        kind: TypeId,
        value: i32,
        source: Option<EntityId>,
    ) -> Flow<Serial> {
        if self.state.entity(who).is_some_and(|entity| entity.loose.len() >= MOST_LOOSE) {
            return Err(too_much("one is given", MOST_LOOSE, "modifiers").into());
        }
        let serial = self.number()?;
        let rule = self.rule.unwrap_or(self.rules.stats.get(to).rule);
        let loose = crate::modifier::AdHocModifier { serial, rule, to, kind, value, source, off: false };
        self.change(StateField::Loose(who, serial), StateValue::Loose(Box::new(loose)))?;
        Ok(serial)
    }

    /// Does work that may lead to the same work again, but only so deep.
    ///
    /// # Errors
    /// `HR0526` where it goes deeper; else as the work does.
    pub(super) fn deeper<T>(&mut self, what: &str, work: impl FnOnce(&mut Scene) -> Flow<T>) -> Flow<T> {
        self.nesting += 1;
        let done = if self.nesting > DEEPEST {
            Err(Fault::of_intent("HR0526", format!("{what} each other too deep")).into())
        } else {
            work(self)
        };
        self.nesting -= 1;
        done
    }
}
