//! The stage on which an intent runs: the table's state goes there and comes back, whatever happens.

use super::Table;
use crate::budget::{Meter, Toil};
use crate::intent::Operation;
use crate::journal::{Journal, JournalMark};
use crate::oracle::*;
use crate::scene::{Play, Scene};
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    /// The stage of the last intent of this thread, kept so that the next one
    /// need not build another.
    #[expect(clippy::vec_box, reason = "a scene holds its play in a box, which is lent and given back")]
    static SPARE: RefCell<Vec<Box<Play>>> = const { RefCell::new(Vec::new()) };
}

/// A table whose state is on stage. However the run ends, by a panic too, the
/// state goes back to the table.
pub(super) struct Transaction<'t> {
    table: &'t mut Table,
    pub(super) scene: Scene,
    pub(super) since: JournalMark,
    undone: Option<Box<Journal>>,
}

impl<'t> Transaction<'t> {
    pub(super) fn set(
        table: &'t mut Table,
        served: &[(InputKey, Answered)],
        oracle: &mut Oracle,
        trip: Option<u32>,
    ) -> Transaction<'t> {
        let undone = table.journal.set_aside();
        let mut play = SPARE.with_borrow_mut(Vec::pop).unwrap_or_else(|| Box::new(Play::new(Arc::clone(&table.rules))));
        if !Arc::ptr_eq(&play.rules, &table.rules) {
            play.rules = Arc::clone(&table.rules);
        }
        if !Arc::ptr_eq(&play.policies, &table.policies) {
            play.policies = Arc::clone(&table.policies);
        }
        play.state = std::mem::take(&mut table.state);
        play.journal = std::mem::take(&mut table.journal);
        *play.memo.get_mut() = std::mem::take(&mut table.memo);
        play.door.oracle = std::mem::replace(oracle, Oracle::Seeded);
        play.door.served.extend(served.iter().cloned());
        play.await_timers();
        play.purse = Meter::new(table.budget);
        play.toil = Toil::new(table.budget.work);
        play.trip = trip;
        table.poisoned = true;
        let since = play.journal.mark();
        Transaction { table, scene: Scene::new(play), since, undone }
    }

    /// Takes the state off the stage again: kept if the intent was done, rolled
    /// back if it stopped.
    pub(super) fn end(
        mut self,
        deed: &Operation,
        done: Flow<()>,
        oracle: &mut Oracle,
    ) -> Result<(), (Interrupt, Vec<(InputKey, Answered)>)> {
        let Some(mut play) = self.scene.lend().into_play() else { return done.map_err(|stop| (stop, Vec::new())) };
        *oracle = std::mem::replace(&mut play.door.oracle, Oracle::Seeded);
        let done = match done {
            Ok(()) => {
                let answered = std::mem::take(&mut play.door.answered);
                play.journal.answers.extend_from_slice(&answered);
                play.door.answered = answered;
                play.journal.close(deed.clone(), self.since);
                self.undone = None;
                Ok(())
            }
            Err(stop) => Err((stop, play.door.answered.clone())),
        };
        self.take_back(&mut play, done.is_err());
        self.table.poisoned = false;
        play.clear();
        SPARE.with_borrow_mut(|spare| spare.push(play));
        done
    }

    fn take_back(&mut self, play: &mut Play, undo: bool) {
        if undo {
            play.touch_since(self.since);
            play.journal.revert(&mut play.state, self.since, false);
        }
        self.table.state = std::mem::take(&mut play.state);
        self.table.journal = std::mem::take(&mut play.journal);
        self.table.memo = std::mem::take(play.memo.get_mut());
        if let Some(undone) = self.undone.take() {
            self.table.journal.put_back(*undone);
        }
    }
}

impl Drop for Transaction<'_> {
    /// Reached with a play only when a panic unwinds: rolled back, and poisoned.
    fn drop(&mut self) {
        if let Some(mut play) = self.scene.lend().into_play() {
            self.take_back(&mut play, true);
        }
    }
}
