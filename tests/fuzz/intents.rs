//! Whatever is done at a table in whatever order: it can be undone and redone, saved and loaded, and played again, and
//! what was not done leaves no trace.

use crate::{cases, rules};
use houserule::{Fault, Intent, Operation, Oracle, Outcome, Table};
use proptest::prelude::*;
use proptest::sample::{Index, select};

const PEOPLE: [&str; 5] = ["rook", "dent", "moss", "nobody", "table"];
const ACTIONS: [&str; 14] = [
    "strike",
    "walk",
    "shout",
    "breathe_fire",
    "rite",
    "flail",
    "throw_down",
    "wail",
    "help",
    "quake",
    "hand_over",
    "snuff",
    "strik",
    "",
];
const ITEMS: [&str; 5] = ["sword", "torch", "blade", "glow", "swort"];
const STEPS: [&str; 8] = [
    "{ damage = \"2d6\", type = \"fire\", to = \"target\" }",
    "{ apply = \"shaken\", rounds = \"2\", to = \"target\" }",
    "{ apply = \"burning\", value = \"3\" }",
    "{ heal = \"1d4\", pool = \"blood\" }",
    "{ pool = \"blood\", set = \"0\" }",
    "{ event = \"on_wound\", amount = \"1\", victim = \"bearer\" }",
    "{ pool = \"blood\", set = \"1 / (rank - rank)\" }",
    "{ push = \"10\", to = \"target\" }",
];

/// Something that a host may do with a table.
#[derive(Clone, Debug)]
enum Deal {
    Act(Intent),
    Rule(&'static str, &'static str, &'static str),
    Begin(Vec<&'static str>, Vec<&'static str>),
    Next,
    End,
    Wait(i64),
    Join(&'static str),
    Leave(&'static str),
    Delay(&'static str),
    Answer(i32),
    Withdraw,
    Undo,
    Redo,
    Load,
    Replay,
}

fn person() -> impl Strategy<Value = &'static str> {
    prop_oneof![8 => select(&PEOPLE[..3]), 1 => select(&PEOPLE[..])]
}

fn people() -> impl Strategy<Value = Vec<&'static str>> {
    proptest::collection::vec(person(), 0..4)
}

fn intent() -> impl Strategy<Value = Deal> {
    let item = proptest::option::of(select(&ITEMS[..]));
    let place = proptest::option::of((-3..9, -3..9));
    (select(&ACTIONS[..]), person(), people(), item, place, any::<Index>()).prop_map(
        |(action, who, at, item, to, way)| {
            let mut intent = Intent { to, ..Intent::new(action).by(who) };
            intent.item = item.map(str::to_owned);
            intent.targets = at.into_iter().take(way.index(3)).map(str::to_owned).collect();
            Deal::Act(intent)
        },
    )
}

fn deal() -> impl Strategy<Value = Deal> {
    prop_oneof![
        8 => intent(),
        4 => (person(), person(), select(&STEPS[..])).prop_map(|(who, target, steps)| Deal::Rule(who, target, steps)),
        2 => (people(), people()).prop_map(|(who, aware)| Deal::Begin(who, aware)),
        4 => Just(Deal::Next),
        1 => Just(Deal::End),
        1 => prop_oneof![Just(-1), Just(0), 1..90_000_i64, Just(i64::MAX)].prop_map(Deal::Wait),
        1 => person().prop_map(Deal::Join),
        1 => person().prop_map(Deal::Leave),
        1 => person().prop_map(Deal::Delay),
        6 => (-1..4).prop_map(Deal::Answer),
        1 => Just(Deal::Withdraw),
        3 => Just(Deal::Undo),
        2 => Just(Deal::Redo),
        1 => Just(Deal::Load),
        1 => Just(Deal::Replay),
    ]
}

/// A table beside the states that it must come back to.
struct Kept {
    table: Table,
    /// The states before each entry that is done.
    before: Vec<String>,
    /// The states after each entry that was taken back, the last one first in the list's end.
    after: Vec<String>,
}

impl Kept {
    fn new() -> Kept {
        let mut table = Table::new(rules(), 7);
        for (name, like, side) in [("rook", "knight", "a"), ("dent", "squire", "b"), ("moss", "squire", "b")] {
            assert!(table.seat(name, like, side).unwrap().is_done());
        }
        Kept { table, before: Vec::new(), after: Vec::new() }
    }

    fn deal(&mut self, deal: &Deal) {
        match deal {
            Deal::Undo => self.undo(),
            Deal::Redo => self.redo(),
            Deal::Load => self.load(),
            Deal::Replay => self.replay(),
            _ => self.perform(deal),
        }
    }

    fn perform(&mut self, deal: &Deal) {
        let (state, digest) = (state(&self.table), self.table.digest().unwrap());
        match dealt(&mut self.table, deal) {
            Ok(Outcome::Done(_)) => {
                self.before.push(state);
                self.after.clear();
            }
            Ok(Outcome::Asking(_) | Outcome::Refused(_)) => self.as_before(&digest, deal),
            Err(fault) => {
                assert!(fault.code.starts_with("HR") && fault.code != *"HR0540", "{deal:?}: {fault}");
                self.as_before(&digest, deal);
            }
        }
    }

    fn as_before(&self, digest: &str, deal: &Deal) {
        assert_eq!(self.table.digest().unwrap(), digest, "{deal:?} was not done and left a trace");
    }

    fn undo(&mut self) {
        let Some(before) = self.before.pop() else { return };
        self.after.push(state(&self.table));
        assert!(self.table.undo(false));
        assert_eq!(state(&self.table), before);
    }

    fn redo(&mut self) {
        let Some(after) = self.after.pop() else { return assert!(!self.table.redo()) };
        self.before.push(state(&self.table));
        assert!(self.table.redo());
        assert_eq!(state(&self.table), after);
    }

    fn load(&mut self) {
        let loaded = Table::load(rules(), &self.table.save().unwrap()).unwrap();
        assert_eq!(loaded.digest().unwrap(), self.table.digest().unwrap());
        assert_eq!(loaded.question(), self.table.question());
        self.table = loaded;
    }

    fn replay(&self) {
        let again = self.table.replayed().unwrap();
        assert_eq!(state(&again), state(&self.table));
    }
}

fn dealt(table: &mut Table, deal: &Deal) -> Result<Outcome, Fault> {
    let deed = match deal {
        Deal::Act(intent) => return table.act(intent),
        Deal::Begin(who, aware) => return table.begin(who, aware),
        Deal::Answer(answer) => return table.answer(*answer, &mut Oracle::Seeded),
        Deal::Withdraw => return table.withdraw(),
        deal => meant(table, deal),
    };
    match deed {
        Ok(deed) => table.perform(&deed),
        Err(refusal) => Ok(Outcome::Refused(Box::new(refusal))),
    }
}

/// The deed that somebody means, with names looked up.
fn meant(table: &Table, deal: &Deal) -> Result<Operation, houserule::Refusal> {
    let one = |name: &str| Ok(table.find_all(&[name])?[0]);
    Ok(match deal {
        Deal::Rule(who, target, steps) => {
            Operation::Rule { who: one(who)?, target: Some(one(target)?), steps: format!("do = [{steps}]").into() }
        }
        Deal::End => Operation::End,
        Deal::Wait(seconds) => Operation::Wait { seconds: *seconds },
        Deal::Join(who) => Operation::Join(one(who)?),
        Deal::Leave(who) => Operation::Leave(one(who)?),
        Deal::Delay(behind) => Operation::Delay { behind: one(behind)? },
        _ => Operation::Next,
    })
}

/// The state as a save would write it.
fn state(table: &Table) -> String {
    table.rules().lexicon.naming(|| serde_json::to_string(table.state()).unwrap())
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn intents(deals in proptest::collection::vec(deal(), 1..40)) {
        let mut kept = Kept::new();
        deals.iter().for_each(|deal| kept.deal(deal));
        kept.replay();
        while !kept.before.is_empty() {
            kept.undo();
        }
        while !kept.after.is_empty() {
            kept.redo();
        }
    }
}
