//! What the tests share: a pack from one text, a table, and short ways to play.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test program uses a part, and tests may panic")]

use houserule_kernel::check::CheckResult;
use houserule_kernel::entity::StatBlockRef;
use houserule_kernel::ident::{CheckId, ConditionId, EntityId, Id};
use houserule_kernel::intent::{Intent, NewEntity, Operation};
use houserule_kernel::journal::Record;
use houserule_kernel::oracle::{Oracle, Refusal, taped};
use houserule_kernel::space::Square;
use houserule_kernel::table::{Outcome, Table};

#[path = "../../../loader/tests/common/mod.rs"]
mod packs;
pub use packs::*;

/// Faces written down beforehand.
pub fn tape(faces: &[&str]) -> Oracle {
    Oracle::Tape(faces.iter().map(|face| taped(face).unwrap()).collect())
}

/// State and journal as a save would write them.
pub fn digest(table: &Table) -> String {
    table.rules().lexicon.naming(|| serde_json::to_string(&(table.state(), table.journal())).unwrap())
}

/// The state alone.
pub fn state(table: &Table) -> String {
    table.rules().lexicon.naming(|| serde_json::to_string(table.state()).unwrap())
}

pub fn refusal(outcome: Outcome) -> Refusal {
    match outcome {
        Outcome::Refused(refusal) => *refusal,
        other => panic!("not refused: {other:?}"),
    }
}

/// A table at which things are done that must succeed, unless said otherwise.
pub struct Game {
    pub table: Table,
}

impl Game {
    /// A table with these rules; each name of `cast` is seated as the creature
    /// `one`.
    pub fn new(text: &str, cast: &[&str]) -> Game {
        let mut game = Game { table: Table::new(&rules(text), 42) };
        cast.iter().for_each(|name| game.seat(name, "one"));
        game
    }

    pub fn seat(&mut self, name: &str, creature: &str) {
        let done = self.table.seat(name, creature, name).unwrap();
        assert!(done.is_done(), "{done:?}");
    }

    /// Puts somebody or something of a page on the map, on a side of its own.
    pub fn lay(&mut self, name: &str, origin: StatBlockRef, x: i32, y: i32) {
        let square = Some(Square { x, y });
        let (stats, pools, tags) = (Vec::new(), Vec::new(), Vec::new());
        let seat = NewEntity {
            name: name.into(),
            origin,
            side: name.into(),
            square,
            stats,
            pools,
            tags,
            holds: None,
            owner: None,
        };
        self.perform(&Operation::Seat(Box::new(seat)));
    }

    pub fn who(&self, name: &str) -> EntityId {
        self.table.state().find(name).unwrap_or_else(|| panic!("nobody is called {name}"))
    }

    pub fn read(&self, who: &str, expression: &str) -> i32 {
        self.table.read(self.who(who), expression).unwrap()
    }

    pub fn id<I: Id>(&self, name: &str) -> I {
        self.table.rules().lexicon.find(name).unwrap_or_else(|| panic!("no {name}"))
    }

    pub fn ruling(&self, who: &str, target: Option<&str>, steps: &str) -> Operation {
        Operation::Rule {
            who: self.who(who),
            target: target.map(|target| self.who(target)),
            steps: format!("do = [{steps}]").into(),
        }
    }

    /// Does a deed that must be done.
    pub fn perform(&mut self, deed: &Operation) {
        let done = self.table.perform(deed).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(done.is_done(), "{done:?}");
    }

    /// Does a deed with a tape that must be used up.
    pub fn taped(&mut self, deed: &Operation, faces: &[&str]) {
        let mut oracle = tape(faces);
        let done = self.table.perform_with(deed, &mut oracle).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(done.is_done(), "{done:?}");
        assert!(matches!(&oracle, Oracle::Tape(left) if left.is_empty()), "the tape was not used up");
    }

    /// Runs steps on somebody.
    pub fn run(&mut self, who: &str, steps: &str) {
        let deed = self.ruling(who, None, steps);
        self.perform(&deed);
    }

    /// Runs steps of somebody against another, with a tape.
    pub fn strike(&mut self, who: &str, target: &str, steps: &str, faces: &[&str]) {
        let deed = self.ruling(who, Some(target), steps);
        self.taped(&deed, faces);
    }

    /// The code of the fault that steps end in.
    pub fn fault(&mut self, who: &str, steps: &str) -> String {
        let deed = self.ruling(who, None, steps);
        self.table.perform(&deed).unwrap_err().to_string()
    }

    pub fn checking(&self, who: &str, target: Option<&str>, check: &str, dc: Option<i32>) -> Operation {
        let target = target.map(|target| self.who(target));
        Operation::Check { who: self.who(who), target, check: self.id::<CheckId>(check), dc, facts: Default::default() }
    }

    /// The degree of a check, by name.
    pub fn check(&mut self, who: &str, target: Option<&str>, check: &str, dc: Option<i32>, faces: &[&str]) -> String {
        let deed = self.checking(who, target, check, dc);
        self.taped(&deed, faces);
        let degree = self.last_records().iter().rev().find_map(|record| match record {
            Record::Concluded { degree, .. } => Some(*degree),
            _ => None,
        });
        self.table.rules().name(degree.unwrap()).to_owned()
    }

    /// The verdict of the last check, as it was decided.
    pub fn verdict(&self) -> CheckResult {
        let verdict = |record: &Record| match record {
            Record::Decided { verdict, .. } => Some(*verdict),
            _ => None,
        };
        self.last_records().iter().rev().find_map(verdict).unwrap()
    }

    pub fn last_records(&self) -> &[Record] {
        let journal = self.table.journal();
        journal.done().last().map(|entry| journal.records(entry)).unwrap()
    }

    pub fn act(&mut self, intent: Intent) -> Outcome {
        self.table.act(&intent).unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// Takes an action that must be done.
    pub fn does(&mut self, who: &str, action: &str) {
        let done = self.act(Intent::new(action).by(who));
        assert!(done.is_done(), "{done:?}");
    }

    /// The refusal of an action, as its code and text.
    pub fn refused(&mut self, who: &str, action: &str) -> (String, String) {
        let refusal = refusal(self.act(Intent::new(action).by(who)));
        (refusal.code.into(), refusal.text.into())
    }

    pub fn bears(&self, who: &str, condition: &str) -> bool {
        let condition: ConditionId = self.id(condition);
        self.table.state().entity(self.who(who)).unwrap().bearing(condition).is_some()
    }

    /// Begins an encounter, everybody aware, with the faces they roll.
    pub fn begin(&mut self, who: &[&str], faces: &[&str]) {
        self.begin_aware(who, who, faces);
    }

    pub fn begin_aware(&mut self, who: &[&str], aware: &[&str], faces: &[&str]) {
        let deed =
            Operation::Begin { who: self.table.find_all(who).unwrap(), aware: self.table.find_all(aware).unwrap() };
        self.taped(&deed, faces);
    }

    pub fn next(&mut self) {
        self.perform(&Operation::Next);
    }

    /// Who acts now, and in which round.
    pub fn turn(&self) -> (String, u32) {
        let order = &self.table.state().order;
        let acting = order.acting().map_or("nobody".into(), |who| self.name(who));
        (acting, order.round)
    }

    pub fn name(&self, who: EntityId) -> String {
        self.table.state().entity(who).unwrap().name.to_string()
    }

    /// Everybody in the order of acting.
    pub fn order(&self) -> Vec<String> {
        self.table.state().order.members().map(|who| self.name(who)).collect()
    }

    /// Goes on to somebody's turn in a round.
    pub fn until(&mut self, who: &str, round: u32) {
        for _ in 0..100 {
            if self.turn() == (who.to_owned(), round) {
                return;
            }
            self.next();
        }
        panic!("{who} never acts in round {round}");
    }

    /// The rules whose hooks, ticks and reactions ran in the last intent.
    pub fn hooked(&self) -> Vec<String> {
        let name = |record: &Record| match record {
            Record::Hooked { rule } => Some(self.table.rules().name(*rule).to_owned()),
            _ => None,
        };
        self.last_records().iter().filter_map(name).collect()
    }
}
