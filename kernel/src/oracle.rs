//! The one door by which everything that rules do not decide comes in.

use crate::error::Fault;
use crate::ident::*;
use crate::intent::Operation;
pub use crate::question::{Answer, Answered, InputKey, Question, QuestionKind};
use crate::situation::Who;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::collections::VecDeque;

/// An intent that waits for an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pending {
    /// What was meant.
    pub deed: Operation,
    /// Everything that was answered so far, dice included.
    pub answered: Vec<(InputKey, Answered)>,
    /// What is asked now.
    pub question: Question,
}

impl Pending {
    /// What was answered so far, and one answer more: a ruling on a fact before
    /// everything but other facts, each face of several dice for itself.
    ///
    /// # Errors
    /// `HR0710`, which says what is legal, if the answer is not.
    pub fn with_answer(&self, answer: &Answer) -> Result<Vec<(InputKey, Answered)>, Refusal> {
        let settled = self.question.asked.settled(answer).ok_or_else(|| no_answer(&self.question))?;
        let (mut answered, demand) = (self.answered.clone(), self.question.demand());
        match self.question.asked {
            QuestionKind::Fact { .. } => {
                let facts = answered.iter().take_while(|(demand, _)| demand.fact().is_some()).count();
                answered.insert(facts, (demand, Answered::free(settled)));
            }
            QuestionKind::Faces { .. } => {
                let face = |face: &i32| (demand, Answered { value: Answer::One(*face), spent: 1 });
                answered.extend(settled.numbers().iter().map(face));
            }
            _ => answered.push((demand, Answered::free(settled))),
        }
        Ok(answered)
    }
}

/// The refusal of what is no answer to a question.
#[must_use]
pub fn no_answer(question: &Question) -> Refusal {
    let (text, arguments) = question.legal();
    Refusal { arguments, ..Refusal::new("HR0710", text, &[]) }
}

/// Why an intent was not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// A stable code such as `HR0701`.
    pub code: Box<str>,
    /// The text key that says why, for people.
    pub text: Box<str>,
    /// What the text speaks of.
    pub arguments: Vec<(Box<str>, Box<str>)>,
    /// The rule that refused, if one did.
    pub rule: Option<Box<str>>,
}

impl Refusal {
    /// A refusal by the kernel, with what it speaks of.
    #[must_use]
    pub fn new(code: &str, text: &str, arguments: &[(&str, &str)]) -> Refusal {
        let short = |value: &str| crate::error::cut(value.to_owned()).into();
        let arguments = arguments.iter().map(|(name, value)| ((*name).into(), short(value))).collect();
        Refusal { code: code.into(), text: text.into(), arguments, rule: None }
    }
}

/// Why a run ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// Somebody must answer.
    Ask(Box<Question>),
    /// A rule said no.
    Refuse(Box<Refusal>),
    /// Something is wrong with a rule.
    Fault(Box<Fault>),
    /// The running action ends here; what happened stays.
    Disrupt,
    /// A rule asks about somebody or something that is not there.
    Lacks(Missing),
}

/// What a rule asked about in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Nobody is meant by this word.
    Who(Who),
    /// Nobody stated this fact.
    Fact(FactId),
}

impl From<Fault> for Interrupt {
    fn from(fault: Fault) -> Interrupt {
        Interrupt::Fault(Box::new(fault))
    }
}

impl From<Refusal> for Interrupt {
    fn from(refusal: Refusal) -> Interrupt {
        Interrupt::Refuse(Box::new(refusal))
    }
}

/// The result of anything that may stop.
pub type Flow<T> = Result<T, Interrupt>;

/// A face written down beforehand, with the stream it is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedRoll {
    /// The stream, or any.
    pub stream: Option<Box<str>>,
    /// The face.
    pub face: u32,
}

/// Reads `attack:20` or `20`.
///
/// # Errors
/// A sentence for the writer if the text is neither.
pub fn taped(text: &str) -> Result<FixedRoll, String> {
    let (stream, face) = match text.rsplit_once(':') {
        Some((stream, face)) => (Some(stream.trim().into()), face),
        None => (None, text),
    };
    match face.trim().parse() {
        Ok(face) => Ok(FixedRoll { stream, face }),
        Err(_) => Err(format!("a taped face is written `stream:face`, such as `attack:20`, not `{text}`")),
    }
}

/// Every face in turn: an odometer over the dice of a run.
#[derive(Clone, Debug, Default)]
pub struct AllRolls {
    wheels: Vec<(u32, u32)>,
    at: usize,
}

impl AllRolls {
    fn next_of(&mut self, sides: u32) -> u32 {
        if self.at == self.wheels.len() {
            self.wheels.push((0, sides));
        }
        let shown = self.wheels.get(self.at).map_or(0, |(shown, _)| *shown);
        self.at += 1;
        shown
    }

    /// How likely this run was: one in the product of these numbers.
    pub fn one_in(&self) -> impl Iterator<Item = u32> + '_ {
        self.wheels.iter().map(|(_, sides)| *sides)
    }

    /// Turns to the next run; `false` when every run was seen.
    pub fn turn(&mut self) -> bool {
        self.at = 0;
        while let Some((shown, sides)) = self.wheels.pop() {
            if shown + 1 < sides {
                self.wheels.push((shown + 1, sides));
                return true;
            }
        }
        false
    }
}

/// A host's own source of answers.
pub type HostOracle = Box<dyn FnMut(&InputKey) -> Option<Answer>>;

/// Who answers.
pub enum Oracle {
    /// The table's own dice; choices are asked.
    Seeded,
    /// Faces written down beforehand; choices are asked.
    Tape(VecDeque<FixedRoll>),
    /// Every possible face in turn; choices are asked.
    Odometer(AllRolls),
    /// The host; what it does not answer is asked.
    Host(HostOracle),
}

/// Answers for one run, and what was answered.
pub struct Inputs {
    /// Who answers what was not answered before.
    pub oracle: Oracle,
    /// Answers of an earlier run, served first.
    pub served: SmallVec<[(InputKey, Answered); 8]>,
    /// Everything answered in this run.
    pub answered: Vec<(InputKey, Answered)>,
}

impl Inputs {
    /// A door with nothing answered yet.
    #[must_use]
    pub fn new(oracle: Oracle) -> Inputs {
        Inputs { oracle, served: SmallVec::new(), answered: Vec::new() }
    }

    /// An earlier answer for the next demand, if there is one.
    ///
    /// # Errors
    /// `HR0523` if the earlier run was asked something else here, or its answer
    /// answers nothing.
    pub fn serve(&self, demand: &InputKey) -> Result<Option<Answered>, Fault> {
        match self.served.get(self.answered.len()) {
            Some((earlier, answer)) if earlier == demand && demand.admits(&answer.value) => Ok(Some(answer.clone())),
            Some((earlier, answer)) if earlier == demand => Err(Fault::of_intent(
                "HR0523",
                format!("the run diverged: {:?} does not answer {demand:?}", answer.value),
            )),
            Some((earlier, _)) => Err(Fault::of_intent(
                "HR0523",
                format!("the run diverged: it asks for {demand:?} where it asked for {earlier:?} before"),
            )),
            None => Ok(None),
        }
    }
}

/// Takes the next face off a tape.
///
/// # Errors
/// `HR0702` if the tape is at its end, meant for another stream, or shows a
/// face that the die does not have.
pub fn next_on_tape(tape: &mut VecDeque<FixedRoll>, stream: &str, sides: u32) -> Result<u32, Fault> {
    let Some(taped) = tape.pop_front() else {
        return Err(Fault::of_intent("HR0702", format!("the tape is at its end, but `{stream}` needs a d{sides}")));
    };
    match &taped.stream {
        Some(meant) if &**meant != stream => Err(Fault::of_intent(
            "HR0702",
            format!("the tape says `{meant}:{}`, but `{stream}` needs a d{sides}", taped.face),
        )),
        _ if taped.face == 0 || taped.face > sides => Err(Fault::of_intent(
            "HR0702",
            format!("the tape says {} for `{stream}`, but a d{sides} is rolled", taped.face),
        )),
        _ => Ok(taped.face),
    }
}

impl Oracle {
    /// The host's own answer to a question, if it has one.
    pub fn host(&mut self, demand: &InputKey) -> Option<Answer> {
        match self {
            Oracle::Host(host) => host(demand).filter(|answer| demand.admits(answer)),
            Oracle::Seeded | Oracle::Tape(_) | Oracle::Odometer(_) => None,
        }
    }

    /// The next face of an odometer.
    pub fn odometer_face(odometer: &mut AllRolls, sides: u32) -> u32 {
        odometer.next_of(sides) + 1
    }
}
