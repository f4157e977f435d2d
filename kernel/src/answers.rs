//! The running intent at the door: its dice are drawn, its questions decided.

use crate::budget::Cost;
use crate::change::{Change, StateField, StateValue};
use crate::dice::Roll;
use crate::error::Fault;
use crate::formula::{DiceSource, ValueSource};
use crate::ident::*;
use crate::journal::{AnsweredQuestion, Record};
use crate::oracle::*;
use crate::philox;
use crate::scene::Play;
use crate::situation::{Formula, Situation, Variable};

impl Play {
    /// Draws the face of a die.
    ///
    /// # Errors
    /// When the tape does not fit, the host must be asked, or the budget is
    /// used up.
    pub fn face(&mut self, who: EntityId, stream: StreamId, sides: u32) -> Flow<u32> {
        self.pay(Cost::Draw)?;
        self.pay(Cost::Record)?;
        let demand = InputKey::Face { who, stream, sides };
        let before = self.drawn_so_far(who, stream)?;
        let answer = match self.door.serve(&demand)? {
            Some(answer) => answer,
            None => self.fresh_face(demand, who, stream, sides)?,
        };
        self.drawn = true;
        self.coming = self.coming.saturating_sub(1);
        let (face, spent) = (u32::try_from(answer.value.number()).unwrap_or(0), answer.spent);
        self.door.answered.push((demand, answer));
        self.change_count(who, stream, before, before.saturating_add(spent))?;
        self.record(Record::Drawn { who, stream, sides, face })?;
        Ok(face)
    }

    fn fresh_face(&mut self, demand: InputKey, who: EntityId, stream: StreamId, sides: u32) -> Flow<Answered> {
        let Play { door, rules, .. } = self;
        let face = match &mut door.oracle {
            Oracle::Seeded => return self.seeded(who, stream, sides),
            Oracle::Tape(tape) => next_on_tape(tape, rules.name(stream), sides)?,
            Oracle::Odometer(odometer) => Oracle::odometer_face(odometer, sides),
            host @ Oracle::Host(_) => match host.host(&demand) {
                Some(value) => return Ok(Answered { value, spent: 1 }),
                None => return Err(self.ask_faces(who, stream, sides)),
            },
        };
        Ok(Answered::face(face, 1))
    }

    /// Asks for the face of a die, and for those of all that fall with it.
    fn ask_faces(&self, who: EntityId, stream: StreamId, sides: u32) -> Interrupt {
        let count = self.coming.max(1);
        let named = |name: &str, number: u32| (name.into(), number.to_string().into());
        let asked = QuestionKind::Faces { stream, sides, count };
        let question = Question::new(who, self.rules.words.roll, asked);
        self.ask(
            Question { audience: Audience::Player(who), ..question }
                .with(vec![named("count", count), named("sides", sides)]),
        )
    }

    fn ask(&self, question: Question) -> Interrupt {
        Interrupt::Ask(Box::new(Question { binds: self.drawn, ..question }))
    }

    /// A face from the table's own stream.
    fn seeded(&mut self, who: EntityId, stream: StreamId, sides: u32) -> Flow<Answered> {
        let stream_key = philox::name_key(self.rules.name(stream));
        let (key, fight) = (philox::seed_key(self.state.seed), self.state.fight);
        let entity_key = self.state.entity(who).map_or(0, |entity| entity.key);
        let cell = self.state.draw_cell(who, stream).ok_or_else(nobody)?;
        let before = cell.count();
        let face = philox::die(sides, || cell.word(key, fight, entity_key, stream_key));
        let spent = cell.count().saturating_sub(before);
        let face = face.ok_or_else(|| Fault::new("HR0505", format!("a die with {sides} sides cannot be rolled")))?;
        Ok(Answered::face(face, spent))
    }

    fn drawn_so_far(&self, who: EntityId, stream: StreamId) -> Flow<u32> {
        let draws = &self.state.entity(who).ok_or_else(nobody)?.draws;
        Ok(draws.iter().find(|draws| draws.stream == stream).map_or(0, |draws| draws.cell.count()))
    }

    /// Moves the counter of a stream and writes it down; the cell of a seeded
    /// draw stands there already and keeps its block.
    fn change_count(&mut self, who: EntityId, stream: StreamId, before: u32, after: u32) -> Flow<()> {
        let cell = self.state.draw_cell(who, stream).ok_or_else(nobody)?;
        if cell.count() != after {
            cell.rewind_to(after);
        }
        let (place, before, after) =
            (StateField::Draws(who, stream), StateValue::Counter(before), StateValue::Counter(after));
        self.write(Record::Change(Change { place, before, after }))
    }

    /// The answer to a question: of an earlier run, by a policy, or by the host.
    ///
    /// # Errors
    /// The question, if nobody answers it now.
    pub fn decide(&mut self, question: Question) -> Flow<Answer> {
        self.pay(Cost::Draw)?;
        let texts = question.options.iter().map(|option| option.len()).sum::<usize>();
        self.purse.write(texts)?;
        let demand = question.demand();
        let answer = match self.door.serve(&demand)? {
            Some(answered) => answered.value,
            None => match self.by_policy(&question)?.or_else(|| self.door.oracle.host(&demand)) {
                Some(answer) => answer,
                None => return Err(self.ask(question)),
            },
        };
        self.door.answered.push((demand, Answered::free(answer.clone())));
        let chosen = AnsweredQuestion::new(question, answer.clone());
        self.record(Record::Chosen(Box::new(chosen)))?;
        Ok(answer)
    }

    fn by_policy(&self, question: &Question) -> Flow<Option<Answer>> {
        let about = self.frame().map(|frame| frame.event.about).unwrap_or_default();
        let asked = Some(question.who).filter(|who| *who != EntityId::TABLE);
        let about = Situation { bearer: asked.or(about.bearer), ..about };
        self.policies.of(question).answer(question, |formula| {
            if crate::validate::is_of(&self.rules, formula) {
                self.reckon(about).value(formula)
            } else {
                Err(foreign())
            }
        })
    }

    /// Takes in the rulings on facts with which an earlier run began.
    ///
    /// # Errors
    /// `HR0523` if one answers nothing; when the budget is used up.
    pub fn take_rulings(&mut self) -> Flow<()> {
        while let Some((demand, fact)) = self.next_ruling() {
            let Some(answered) = self.door.serve(&demand)? else { return Ok(()) };
            self.pay(Cost::Draw)?;
            self.facts.push((fact, answered.value.number()));
            self.door.answered.push((demand, answered.clone()));
            let chosen = AnsweredQuestion::new(self.fact_question(fact), answered.value);
            self.record(Record::Chosen(Box::new(chosen)))?;
        }
        Ok(())
    }

    fn next_ruling(&self) -> Option<(InputKey, FactId)> {
        let (demand, _) = self.door.served.get(self.door.answered.len())?;
        demand.fact().map(|fact| (*demand, fact))
    }

    /// The question for a fact that nobody stated.
    #[must_use]
    pub fn fact_question(&self, fact: FactId) -> Question {
        let question = Question::new(EntityId::TABLE, self.rules.words.fact, QuestionKind::Fact { fact });
        let question = question.with(vec![("fact".into(), self.rules.name(fact).into())]);
        Question { binds: self.drawn, ..question }
    }

    /// Whether every ruling that was taken in was needed.
    ///
    /// # Errors
    /// `HR0523` if the rules no longer ask for one.
    pub fn rulings_needed(&self) -> Flow<()> {
        let ruled = self.door.answered.iter().map_while(|(demand, _)| demand.fact());
        match ruled.enumerate().find(|(at, _)| self.needed.get() & crate::eval::bit(*at) == 0) {
            Some((_, fact)) => {
                let told = format!("the run diverged: it no longer asks for the fact `{}`", self.rules.name(fact));
                Err(Fault::of_intent("HR0523", told).into())
            }
            None => Ok(()),
        }
    }
}

/// The stop of a policy that was written for other rules.
fn foreign() -> Interrupt {
    Fault::of_intent("HR0541", "a policy reads words of other rules; read it by these").into()
}

fn nobody() -> Fault {
    Fault::new("HR0524", "a die was rolled for somebody who is not at the table")
}

/// Rolls dice for somebody while formulas are read.
pub struct DiceThrower<'a> {
    /// The running intent.
    pub play: &'a mut Play,
    /// Who and what it is about.
    pub about: Situation,
    /// The running numbers.
    pub locals: &'a [i32],
    /// Whose dice they are.
    pub who: EntityId,
    /// Their stream.
    pub stream: StreamId,
}

impl DiceThrower<'_> {
    /// Rolls a formula and leaves its dice in `into`.
    ///
    /// # Errors
    /// As reading and drawing do.
    pub fn roll(mut self, formula: &Formula, into: &mut Roll) -> Flow<i32> {
        into.clear();
        formula.roll(&mut self, into)
    }
}

impl ValueSource<Variable> for DiceThrower<'_> {
    type Stop = Interrupt;

    fn read(&mut self, slot: Variable) -> Flow<i64> {
        (&self.play.reckon(self.about).with(self.locals)).read(slot)
    }

    fn look_up(&mut self, table: u16, key: i64) -> Flow<i64> {
        (&self.play.reckon(self.about)).look_up(table, key)
    }
}

impl DiceSource<Variable> for DiceThrower<'_> {
    fn throws(&mut self, count: u32) {
        self.play.coming = count;
    }

    fn face(&mut self, sides: u32) -> Flow<u32> {
        self.play.face(self.who, self.stream, sides)
    }
}
