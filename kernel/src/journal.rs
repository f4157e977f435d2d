//! What happened, in order: enough to undo it, replay it and explain it.

use crate::change::{Change, StateField};
use crate::check::CheckResult;
use crate::damage::DamagePart;
use crate::ident::*;
use crate::intent::Operation;
use crate::question::{Answer, Answered, InputKey, Question, TextArguments};
use crate::state::State;
use crate::tally::Tally;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// One line of the record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Record {
    /// Something changed.
    Change(Change),
    /// A die was drawn.
    Drawn {
        /// For whom.
        who: EntityId,
        /// From which stream.
        stream: StreamId,
        /// How many sides it has.
        sides: u32,
        /// What came up.
        face: u32,
    },
    /// Dice were read.
    Rolled {
        /// For whom.
        who: EntityId,
        /// From which stream.
        stream: StreamId,
        /// What was rolled: where its dice stand in the journal's faces.
        dice: (u32, u32),
        /// What they come to.
        total: i32,
    },
    /// A question was answered.
    Chosen(Box<AnsweredQuestion>),
    /// A number was added up.
    Tallied {
        /// Whose.
        who: EntityId,
        /// Which.
        stat: StatId,
        /// Through which view.
        view: Option<ViewId>,
        /// Where its tally stands in the journal.
        tally: u32,
    },
    /// A check was decided.
    Decided {
        /// What came of it.
        verdict: CheckResult,
        /// The case that held.
        case: RuleId,
    },
    /// A check came to its end.
    Concluded {
        /// Which check.
        check: CheckId,
        /// Who rolled.
        who: EntityId,
        /// The degree, after every window.
        degree: DegreeId,
    },
    /// A degree, roll or total was changed by a rule.
    Altered {
        /// Which rule.
        rule: RuleId,
        /// From what.
        before: i32,
        /// To what.
        after: i32,
        /// What was altered.
        what: Alteration,
    },
    /// Damage was rolled.
    Struck {
        /// Who strikes.
        who: EntityId,
        /// The dice.
        rolled: i32,
        /// What was added.
        bonus: i32,
        /// What the throw comes to, by type.
        parts: SmallVec<[DamagePart; 2]>,
    },
    /// A stage changed an amount.
    Staged {
        /// Which stage.
        stage: StageId,
        /// Of which type.
        kind: Option<TagId>,
        /// From what.
        before: i32,
        /// To what.
        after: i32,
    },
    /// Damage fell on somebody.
    Hurt {
        /// Whom.
        who: EntityId,
        /// How much came through.
        amount: i32,
        /// What no pool could take.
        left_over: i32,
    },
    /// A condition began.
    Began {
        /// Who bears it.
        who: EntityId,
        /// Which.
        condition: ConditionId,
        /// Its value.
        value: i32,
        /// Who caused it.
        source: Option<EntityId>,
        /// The rule that put it there.
        rule: RuleId,
    },
    /// A condition was applied again, or its value changed.
    Became {
        /// Who bears it.
        who: EntityId,
        /// Which.
        condition: ConditionId,
        /// Its value before.
        before: i32,
        /// Its value now.
        after: i32,
    },
    /// A condition ended.
    Ended {
        /// Who bore it.
        who: EntityId,
        /// Which.
        condition: ConditionId,
        /// Why.
        reason: EndReason,
        /// Whether another instance of it is still borne.
        still: bool,
    },
    /// A condition did not take hold.
    Resisted {
        /// Who.
        who: EntityId,
        /// Which.
        condition: ConditionId,
    },
    /// A hook ran and did something.
    Hooked {
        /// Which.
        rule: RuleId,
    },
    /// An event was prevented or an action disrupted.
    Stopped {
        /// By which rule.
        rule: RuleId,
        /// Why, for people.
        text: TextId,
        /// What the text names.
        arguments: SmallVec<[Argument; 2]>,
    },
    /// A hook changed a field of its event.
    Wrote {
        /// Which hook.
        rule: RuleId,
        /// Which event.
        event: EventId,
        /// Which field.
        field: u8,
        /// What stood there.
        before: i32,
        /// What stands there now.
        after: i32,
    },
    /// A turn began.
    Turn {
        /// Whose.
        who: EntityId,
        /// In which round.
        round: u32,
    },
    /// A line for people.
    Said {
        /// Which text.
        text: TextId,
        /// Its arguments.
        arguments: SmallVec<[Argument; 2]>,
        /// Who may read it.
        audience: Audience,
    },
}

/// What a line without texts and lists counts as.
const LINE: usize = 48;

impl Record {
    /// How many bytes the line counts as: the same on every machine, and near to
    /// what it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        LINE + match self {
            Record::Change(change) => change.before.bytes() + change.after.bytes(),
            Record::Chosen(chosen) => chosen.bytes(),
            Record::Stopped { arguments, .. } | Record::Said { arguments, .. } => {
                arguments.iter().map(Argument::bytes).sum()
            }
            Record::Struck { parts, .. } => 8 * parts.len(),
            _ => 0,
        }
    }
}

impl AnsweredQuestion {
    fn bytes(&self) -> usize {
        let arguments = self.arguments.iter().map(|(name, value)| LINE + name.len() + value.len());
        let words = self.words.iter().map(|word| LINE + word.len());
        arguments.chain(words).sum::<usize>() + 4 * self.answer.numbers().len()
    }
}

impl Argument {
    fn bytes(&self) -> usize {
        let value = if let SaidText::Word(word) = &self.value { word.len() } else { 0 };
        LINE + self.name.len() + value
    }
}

/// A question that was answered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnsweredQuestion {
    /// Who was asked.
    pub who: EntityId,
    /// What was asked.
    pub text: TextId,
    /// What the text speaks of.
    pub arguments: TextArguments,
    /// The answer.
    pub answer: Answer,
    /// The answer in words; a yes or no has none.
    pub words: Vec<Box<str>>,
}

impl AnsweredQuestion {
    /// A question with its answer.
    #[must_use]
    pub fn new(question: Question, answer: Answer) -> AnsweredQuestion {
        let words = question.spelled(&answer);
        AnsweredQuestion { who: question.who, text: question.text, arguments: question.arguments, answer, words }
    }
}

/// What a rule altered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Alteration {
    /// A degree, by its place in the list.
    Degree,
    /// What was rolled.
    Roll,
    /// A total.
    Total,
}

/// Why a condition ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndReason {
    /// A rule ended it.
    Rule(RuleId),
    /// Its time was up.
    Time,
    /// What it came with ended.
    Parent,
    /// Its question no longer says yes.
    Standing,
    /// Its value fell below its least.
    Value,
    /// Its bearer left.
    Gone,
}

/// An argument of a line for people.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Argument {
    /// Its name in the text.
    pub name: Box<str>,
    /// What stands there.
    pub value: SaidText,
}

/// What a line for people names.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum SaidText {
    /// A number.
    Number(i32),
    /// An entity.
    Entity(EntityId),
    /// A word.
    Word(Box<str>),
}

/// One intent that was done, and where its records stand.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// What was meant.
    pub deed: Operation,
    /// Where the records begin.
    pub records: (u32, u32),
    /// Where the answers begin.
    pub answers: (u32, u32),
    /// Where the tallies begin.
    pub tallies: (u32, u32),
    /// Where the faces begin.
    pub faces: (u32, u32),
}

/// One die as it is shown.
pub type ShownDie = crate::dice::Face;

/// The record of a table. What was undone stays behind the end until the next
/// intent, so that it can be done again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Journal {
    /// What was done, then what was undone.
    pub entries: Vec<Entry>,
    /// How many entries are done.
    pub done: u32,
    /// The lines of all entries.
    pub records: Vec<Record>,
    /// The answers of all entries, by demand.
    pub answers: Vec<(InputKey, Answered)>,
    /// The numbers that were added up.
    pub tallies: Vec<Tally>,
    /// The dice that were read.
    pub faces: Vec<ShownDie>,
}

fn stretch<T>(list: &[T], (from, to): (u32, u32)) -> &[T] {
    list.get(from as usize..to as usize).unwrap_or(&[])
}

fn size<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

/// How long a journal's lists are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JournalMark {
    records: u32,
    answers: u32,
    tallies: u32,
    faces: u32,
}

impl Journal {
    /// The lines of an entry.
    #[must_use]
    pub fn records(&self, entry: &Entry) -> &[Record] {
        stretch(&self.records, entry.records)
    }

    /// The answers of an entry.
    #[must_use]
    pub fn answers(&self, entry: &Entry) -> &[(InputKey, Answered)] {
        stretch(&self.answers, entry.answers)
    }

    /// The dice of a roll.
    #[must_use]
    pub fn dice(&self, dice: (u32, u32)) -> &[ShownDie] {
        stretch(&self.faces, dice)
    }

    /// The entries that are done.
    #[must_use]
    pub fn done(&self) -> &[Entry] {
        stretch(&self.entries, (0, self.done))
    }

    /// The entries that were undone, the next to do again first.
    #[must_use]
    pub fn undone(&self) -> &[Entry] {
        stretch(&self.entries, (self.done, size(&self.entries)))
    }

    /// Keeps dice that were read and says where they stand.
    pub fn keep_dice(&mut self, dice: &[ShownDie]) -> (u32, u32) {
        let from = size(&self.faces);
        self.faces.extend_from_slice(dice);
        (from, size(&self.faces))
    }

    /// The places that changed since a mark.
    pub fn changed_since(&self, mark: JournalMark) -> impl Iterator<Item = StateField> + '_ {
        let since = self.records.get(mark.records as usize..).unwrap_or_default();
        since.iter().filter_map(|record| match record {
            Record::Change(change) => Some(change.place),
            _ => None,
        })
    }

    /// Takes back every change since a mark, last first, and forgets its lines.
    /// With `keep_draws` the counters of streams stay where they are, and their
    /// lines with them.
    pub fn revert(&mut self, state: &mut State, mark: JournalMark, keep_draws: bool) {
        let from = (mark.records as usize).min(self.records.len());
        let tail: Vec<Record> = self.records.drain(from..).collect();
        let kept = |record: &Record| {
            keep_draws
                && matches!(
                    record,
                    Record::Change(Change { place: StateField::Draws(..), .. })
                        | Record::Drawn { .. }
                        | Record::Chosen(_)
                )
        };
        for record in tail.iter().rev().filter(|record| !kept(record)) {
            if let Record::Change(change) = record {
                state.put(change.place, change.before.clone());
            }
        }
        self.records.extend(tail.into_iter().filter(kept));
        if !keep_draws {
            self.cut(mark);
        }
    }

    /// Where the lists end now.
    #[must_use]
    pub fn mark(&self) -> JournalMark {
        JournalMark {
            records: size(&self.records),
            answers: size(&self.answers),
            tallies: size(&self.tallies),
            faces: size(&self.faces),
        }
    }

    /// Forgets everything written after a mark.
    pub fn cut(&mut self, mark: JournalMark) {
        self.records.truncate(mark.records as usize);
        self.answers.truncate(mark.answers as usize);
        self.tallies.truncate(mark.tallies as usize);
        self.faces.truncate(mark.faces as usize);
    }

    /// Takes out what was undone, if anything was: a new intent runs, and puts
    /// it back if it is not done.
    pub fn set_aside(&mut self) -> Option<Box<Journal>> {
        let first = self.undone().first()?;
        let (records, answers) = (first.records.0 as usize, first.answers.0 as usize);
        let (tallies, faces) = (first.tallies.0 as usize, first.faces.0 as usize);
        Some(Box::new(Journal {
            entries: self.entries.split_off(self.done as usize),
            done: 0,
            records: self.records.split_off(records),
            answers: self.answers.split_off(answers),
            tallies: self.tallies.split_off(tallies),
            faces: self.faces.split_off(faces),
        }))
    }

    /// Puts back what was set aside.
    pub fn put_back(&mut self, mut undone: Journal) {
        self.entries.append(&mut undone.entries);
        self.records.append(&mut undone.records);
        self.answers.append(&mut undone.answers);
        self.tallies.append(&mut undone.tallies);
        self.faces.append(&mut undone.faces);
    }

    /// Forgets everything, and keeps the room it took.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.records.clear();
        self.answers.clear();
        self.tallies.clear();
        self.faces.clear();
        self.done = 0;
    }

    /// Closes an entry over everything written since a mark.
    pub fn close(&mut self, deed: Operation, since: JournalMark) {
        let now = self.mark();
        self.entries.push(Entry {
            deed,
            records: (since.records, now.records),
            answers: (since.answers, now.answers),
            tallies: (since.tallies, now.tallies),
            faces: (since.faces, now.faces),
        });
        self.done = size(&self.entries);
    }
}
