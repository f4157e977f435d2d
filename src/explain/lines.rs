//! The lines of an entry: its records one after the other, those that belong together told at once.

use super::ExplanationLine;
use super::dice;
use super::pairs::Pairs;
use super::tally::{TallyExplainer, is_bonus};
use super::things;
use super::voice::Wording;
use houserule_kernel::change::{Change, StateField, StateValue};
use houserule_kernel::damage::DamagePart;
use houserule_kernel::dice::Face;
use houserule_kernel::ident::*;
use houserule_kernel::intent::Operation;
use houserule_kernel::journal::{Entry, Journal, Record};
use houserule_kernel::state::Timer;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The lines of an entry, in the order in which things happened.
pub fn lines(voice: Wording<'_>, journal: &Journal, entry: &Entry) -> Vec<ExplanationLine> {
    let records = journal.records(entry);
    let pairs = Pairs::find(voice.rules, records);
    let mut telling = EntryExplainer {
        voice,
        journal,
        records,
        deed: &entry.deed,
        pairs,
        rolled: 0,
        staged: false,
        cited: BTreeSet::new(),
    };
    let mut lines = Vec::new();
    let mut at = 0;
    while let Some(record) = records.get(at) {
        let (line, next) = telling.tell(at, record);
        lines.push(ExplanationLine { audience: telling.audience(at, record), ..line });
        at = next.max(at + 1);
    }
    lines
}

/// An entry while it is told.
pub struct EntryExplainer<'a> {
    pub(super) voice: Wording<'a>,
    journal: &'a Journal,
    pub(super) records: &'a [Record],
    pub(super) deed: &'a Operation,
    pairs: Pairs,
    /// What was rolled for damage since the last of it fell.
    rolled: i64,
    /// Whether a stage changed it since.
    staged: bool,
    /// The tallies that were read aloud already.
    cited: BTreeSet<u32>,
}

impl EntryExplainer<'_> {
    fn audience(&self, at: usize, record: &Record) -> Audience {
        match record {
            Record::Said { audience, .. } => *audience,
            _ => self.pairs.audience(at),
        }
    }

    /// The line for a record, and which record is told next.
    fn tell(&mut self, at: usize, record: &Record) -> (ExplanationLine, usize) {
        let line = match record {
            Record::Change(Change { place: StateField::Pool(who, _), .. }) => return self.pools(at, *who, None),
            Record::Hurt { who, amount, left_over } => return self.pools(at + 1, *who, Some((*amount, *left_over))),
            _ if self.pairs.told_by(at).is_some() || self.only_remembers(at) => self.silent(record),
            Record::Change(change) => {
                things::change(self.voice, self.deed, change).unwrap_or_else(|| self.silent(record))
            }
            Record::Drawn { who, stream, sides, face } => self.drawn(*who, *stream, *sides, *face),
            Record::Rolled { who, stream, dice, total } => self.rolled(*who, *stream, *dice, *total),
            Record::Tallied { who, stat, view, tally } => self.tallied(at, (*who, *stat, *view), *tally),
            Record::Decided { verdict, case } => self.decided(at, verdict, *case),
            Record::Concluded { check, who, degree } => {
                self.concluded(at, *check, *who, *degree).unwrap_or_else(|| self.silent(record))
            }
            Record::Altered { rule, before, after, what } => self.altered(at, *rule, (*before, *after), *what),
            Record::Became { who, condition, before, after }
                if before == after && self.timed_anew(at, *who, *condition) =>
            {
                things::timed_anew(self.voice, *who, *condition, *after)
            }
            Record::Struck { who, rolled, bonus, parts } => self.struck(at, *who, *rolled, *bonus, parts),
            Record::Staged { stage, kind, before, after } => self.stage(*stage, *kind, *before, *after),
            _ => things::thing(self.voice, record).unwrap_or_else(|| self.silent(record)),
        };
        (line, at + 1)
    }

    /// Whether a hook did nothing but keep a note or a count.
    fn only_remembers(&self, at: usize) -> bool {
        let kept = |record: &&Record| {
            matches!(record, Record::Change(Change { place: StateField::Note(..) | StateField::Count(..), .. }))
        };
        let rest = self.records.get(at + 1..).unwrap_or_default();
        let notes = rest.iter().take_while(kept).count();
        let hook = matches!(self.records.get(at), Some(Record::Hooked { .. }));
        let does_more = match rest.get(notes) {
            Some(Record::Change(change)) => !matches!(change.place, StateField::Cited(..)),
            next => matches!(next, Some(Record::Began { .. } | Record::Said { .. })),
        };
        hook && notes > 0 && !does_more
    }

    /// Whether what was applied again has another time now: its timers were moved
    /// just before.
    fn timed_anew(&self, at: usize, who: EntityId, condition: ConditionId) -> bool {
        let bearer = self.voice.state.and_then(|state| state.entity(who));
        let of = |timer: &Timer| {
            let mut borne = bearer.into_iter().flat_map(|bearer| &bearer.bears);
            borne.any(|borne| borne.serial == timer.instance && borne.condition == condition)
        };
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for record in self.records.get(..at).unwrap_or_default().iter().rev() {
            let Record::Change(Change { place: StateField::Timer(_), before, after }) = record else { break };
            for (image, dues) in [(before, &mut old), (after, &mut new)] {
                dues.extend(if let StateValue::Timer(timer) = image {
                    Some(timer.due).filter(|_| of(timer))
                } else {
                    None
                });
            }
        }
        new.iter().any(|due| !old.contains(due)) || old.iter().any(|due| !new.contains(due))
    }

    /// Bookkeeping, or what another line tells: facts without words.
    fn silent(&self, record: &Record) -> ExplanationLine {
        let facts = self.voice.rules.lexicon.naming(|| serde_json::to_value(record)).unwrap_or_default();
        ExplanationLine::new("bookkeeping", String::new(), String::new(), facts)
    }

    /// Who acts, if somebody does.
    pub(super) fn actor(&self) -> Option<EntityId> {
        match self.deed {
            Operation::Act { who, .. } | Operation::Check { who, .. } | Operation::Rule { who, .. } => Some(*who),
            _ => None,
        }
    }

    /// Against whom, if it is one.
    fn target(&self) -> Option<EntityId> {
        match self.deed {
            Operation::Act { targets, .. } => match targets.as_slice() {
                [only] => Some(*only),
                _ => None,
            },
            Operation::Check { target, .. } | Operation::Rule { target, .. } => *target,
            _ => None,
        }
    }

    /// A label, with a name before it if it is not about who acts.
    pub(super) fn whose(&self, who: EntityId, what: String) -> String {
        if self.actor() == Some(who) { what } else { self.voice.of(who, &what) }
    }

    fn drawn(&self, who: EntityId, stream: StreamId, sides: u32, face: u32) -> ExplanationLine {
        let label = self.whose(who, self.voice.word(stream));
        let facts = json!({ "who": self.voice.who(who), "stream": self.voice.rules.name(stream), "sides": sides, "face": face });
        ExplanationLine::new("roll", label, format!("1d{sides} [{face}]"), facts)
    }

    fn roll_facts(&self, who: EntityId, stream: StreamId, faces: &[Face], total: i32) -> Value {
        json!({ "who": self.voice.who(who), "stream": self.voice.rules.name(stream), "total": total, "dice": faces })
    }

    fn rolled(&self, who: EntityId, stream: StreamId, dice: (u32, u32), total: i32) -> ExplanationLine {
        let faces = self.journal.dice(dice);
        let sum = sum(self.voice, faces, total, &[]);
        ExplanationLine::new(
            "roll",
            self.whose(who, self.voice.word(stream)),
            sum,
            self.roll_facts(who, stream, faces, total),
        )
    }

    fn tallied(
        &mut self,
        at: usize,
        (who, stat, view): (EntityId, StatId, Option<ViewId>),
        number: u32,
    ) -> ExplanationLine {
        let Some(tally) = self.journal.tallies.get(number as usize) else {
            return ExplanationLine::new("tally", String::new(), String::new(), Value::Null);
        };
        let reading = TallyExplainer { voice: self.voice, who, stat, view, tally };
        let bonus = is_bonus(self.voice, stat) || self.is_for_damage(at);
        let is_aimed_at = self.target() == Some(who) && !bonus;
        let label = reading.label(self.actor() != Some(who) && !is_aimed_at, bonus);
        let nothing = self.is_for_damage(at) && tally.lines.is_empty() && tally.total == 0;
        if nothing {
            return ExplanationLine::new("tally", String::new(), String::new(), reading.facts());
        }
        let text = if self.cited.insert(number) { reading.sentence() } else { String::new() };
        ExplanationLine::new("tally", label, text, reading.facts())
    }

    /// Whether a tally is written for the blow that follows, with dice of its own
    /// or shared ones.
    fn is_for_damage(&self, at: usize) -> bool {
        let rest = self.records.get(at + 1..).unwrap_or_default();
        matches!(rest, [Record::Rolled { .. }, Record::Struck { .. }, ..] | [Record::Struck { .. }, ..])
    }

    /// The faces that a check or a blow came from.
    pub(super) fn faces(&self, at: usize) -> (&[Face], Option<Value>) {
        match self.pairs.roll_of(at).and_then(|roll| self.records.get(roll)) {
            Some(Record::Rolled { who, stream, dice, total }) => {
                let faces = self.journal.dice(*dice);
                (faces, Some(self.roll_facts(*who, *stream, faces, *total)))
            }
            _ => (&[], None),
        }
    }

    fn struck(&mut self, at: usize, who: EntityId, rolled: i32, bonus: i32, parts: &[DamagePart]) -> ExplanationLine {
        let (faces, roll) = self.faces(at);
        let sum = sum(self.voice, faces, rolled, &[i64::from(bonus)]);
        let text = match parts {
            [part] => self.typed("explain.damage", &sum, part.kind),
            parts => format!("{sum}: {}", self.by_type(parts)),
        };
        let typed = |part: &DamagePart| json!({ "type": part.kind.map(|kind| self.voice.rules.name(kind)), "amount": part.amount });
        let parts: Vec<Value> = parts.iter().map(typed).collect();
        let facts =
            json!({ "who": self.voice.who(who), "parts": parts, "rolled": rolled, "bonus": bonus, "roll": roll });
        self.rolled += i64::from(rolled) + i64::from(bonus);
        ExplanationLine::new("damage", self.whose(who, self.voice.say("explain.label.damage", &[])), text, facts)
    }

    fn by_type(&self, parts: &[DamagePart]) -> String {
        let told = |part: &DamagePart| self.typed("explain.damage", &part.amount.to_string(), part.kind);
        parts.iter().map(told).collect::<Vec<_>>().join(", ")
    }

    /// An amount with its type, if it has one.
    fn typed(&self, key: &str, amount: &str, kind: Option<TagId>) -> String {
        match kind {
            Some(kind) => self.voice.say(key, &[("amount", amount), ("type", &self.voice.word(kind))]),
            None => amount.to_owned(),
        }
    }

    fn stage(&mut self, stage: StageId, kind: Option<TagId>, before: i32, after: i32) -> ExplanationLine {
        self.staged = true;
        let text = self.typed("explain.damage", &format!("{before} → {after}"), kind);
        let kind = kind.map(|kind| self.voice.rules.name(kind));
        let facts = json!({ "stage": self.voice.rules.name(stage), "type": kind, "before": before, "after": after });
        ExplanationLine::new("stage", self.voice.word(stage), text, facts).below()
    }

    /// The pools of somebody that changed one after the other, and the damage
    /// that changed them.
    fn pools(&mut self, from: usize, who: EntityId, hurt: Option<(i32, i32)>) -> (ExplanationLine, usize) {
        let changes: Vec<(PoolId, i32, i32)> =
            self.records.iter().skip(from).map_while(|record| pool_of(record, who)).collect();
        let altered = hurt.is_some_and(|(amount, _)| self.staged || self.rolled != i64::from(amount));
        if hurt.is_some() {
            (self.rolled, self.staged) = (0, false);
        }
        let line = things::pools(self.voice, who, &changes, hurt, altered);
        (line, from + changes.len())
    }
}

fn pool_of(record: &Record, who: EntityId) -> Option<(PoolId, i32, i32)> {
    let Record::Change(Change {
        place: StateField::Pool(of, pool),
        before: StateValue::Number(before),
        after: StateValue::Number(after),
    }) = record
    else {
        return None;
    };
    (*of == who).then_some((*pool, *before, *after))
}

/// Dice and what was added to them, with the sum unless one die says it all.
pub fn sum(voice: Wording<'_>, faces: &[Face], rolled: i32, added: &[i64]) -> String {
    let mut text = dice::shown(voice, faces, rolled);
    let mut total = i64::from(rolled);
    for number in added.iter().filter(|number| **number != 0) {
        total += number;
        text.push_str(&format!(" {} {}", if *number < 0 { '-' } else { '+' }, number.unsigned_abs()));
    }
    let plain = dice::is_plain(faces, rolled) || !dice::adds_up(faces, rolled);
    if plain && total == i64::from(rolled) { text } else { format!("{text} = {total}") }
}
