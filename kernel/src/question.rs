//! What rules must be told: the kinds of questions, their legal answers, and the answers themselves.

use crate::ident::*;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// What an answer must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// Yes, which is 1, or no, which is 0.
    YesNo,
    /// One of so many options, by its place from 0.
    One {
        /// How many there are.
        of: u32,
    },
    /// Several options by their places, each once, in any order.
    Several {
        /// How many there are.
        of: u32,
        /// How many must be taken at least.
        least: u32,
        /// How many may be taken at most.
        most: u32,
    },
    /// All options by their places, the first first.
    Order {
        /// How many there are.
        of: u32,
    },
    /// A number.
    Number {
        /// The least.
        least: i32,
        /// The most.
        most: i32,
    },
    /// The faces of dice, in the order thrown.
    Faces {
        /// From which stream.
        stream: StreamId,
        /// How many sides each has.
        sides: u32,
        /// How many dice.
        count: u32,
    },
    /// A fact of the situation: any number.
    Fact {
        /// Which one.
        fact: FactId,
    },
}

impl QuestionKind {
    /// The answer as it is written down: several options in the order in which
    /// they are offered. Nothing if it is not legal.
    #[must_use]
    pub fn settled(&self, answer: &Answer) -> Option<Answer> {
        let list = matches!(self, QuestionKind::Several { .. } | QuestionKind::Order { .. });
        let die = matches!(self, QuestionKind::Faces { .. });
        if (!die && list != matches!(answer, Answer::List(_))) || !self.admits(answer.numbers()) {
            return None;
        }
        let mut answer = answer.clone();
        if let (QuestionKind::Several { .. }, Answer::List(places)) = (self, &mut answer) {
            places.sort_unstable();
        }
        Some(answer)
    }

    fn admits(&self, numbers: &[i32]) -> bool {
        match *self {
            QuestionKind::YesNo => single(numbers, &(0..=1)),
            QuestionKind::One { of } => numbers.len() == 1 && are_places(numbers, of),
            QuestionKind::Several { of, least, most } => {
                (least..=most).contains(&size(numbers)) && are_places(numbers, of)
            }
            QuestionKind::Order { of } => size(numbers) == of && are_places(numbers, of),
            QuestionKind::Number { least, most } => single(numbers, &(least..=most)),
            QuestionKind::Faces { sides, count, .. } => {
                let shown = |face: &i32| u32::try_from(*face).is_ok_and(|face| (1..=sides).contains(&face));
                size(numbers) == count && numbers.iter().all(shown)
            }
            QuestionKind::Fact { .. } => numbers.len() == 1,
        }
    }
}

fn size(numbers: &[i32]) -> u32 {
    u32::try_from(numbers.len()).unwrap_or(u32::MAX)
}

fn single(numbers: &[i32], range: &RangeInclusive<i32>) -> bool {
    matches!(numbers, [number] if range.contains(number))
}

/// Whether these are places of so many options, each once.
fn are_places(numbers: &[i32], of: u32) -> bool {
    let place = |number: &i32| u32::try_from(*number).is_ok_and(|place| place < of);
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len() == numbers.len() && numbers.iter().all(place)
}

/// An answer: one number, or a list of them. In JSON it is `3` or `[0, 2]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Answer {
    /// A number, a place from 0, a face, or 1 for yes and 0 for no.
    One(i32),
    /// Places from 0, or faces.
    List(Box<[i32]>),
}

impl Answer {
    /// The numbers of the answer.
    #[must_use]
    pub fn numbers(&self) -> &[i32] {
        match self {
            Answer::One(number) => std::slice::from_ref(number),
            Answer::List(numbers) => numbers,
        }
    }

    /// The only number, or the first of several; 0 if there is none.
    #[must_use]
    pub fn number(&self) -> i32 {
        self.numbers().first().copied().unwrap_or(0)
    }

    /// The places that were named.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.numbers().iter().filter_map(|place| usize::try_from(*place).ok())
    }
}

impl From<i32> for Answer {
    fn from(number: i32) -> Answer {
        Answer::One(number)
    }
}

impl From<bool> for Answer {
    fn from(yes: bool) -> Answer {
        Answer::One(i32::from(yes))
    }
}

impl From<Vec<i32>> for Answer {
    fn from(numbers: Vec<i32>) -> Answer {
        Answer::List(numbers.into())
    }
}

impl FromIterator<i32> for Answer {
    fn from_iter<T: IntoIterator<Item = i32>>(numbers: T) -> Answer {
        Answer::List(numbers.into_iter().collect())
    }
}

/// What a rule needs to be told, as it is written down with its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InputKey {
    /// The face of a die.
    Face {
        /// Whose die.
        who: EntityId,
        /// From which stream.
        stream: StreamId,
        /// How many sides it has.
        sides: u32,
    },
    /// What a player decides.
    Choice {
        /// Who is asked.
        who: EntityId,
        /// What is asked.
        text: TextId,
        /// What the answer must be.
        asked: QuestionKind,
    },
    /// What only the game master decides.
    Ruling {
        /// What is asked.
        text: TextId,
        /// What the answer must be.
        asked: QuestionKind,
    },
}

impl InputKey {
    /// Whether this is an answer to it: a face is counted from 1.
    #[must_use]
    pub fn admits(&self, answer: &Answer) -> bool {
        match *self {
            InputKey::Face { sides, stream, .. } => {
                matches!(answer, Answer::One(_))
                    && QuestionKind::Faces { stream, sides, count: 1 }.settled(answer).is_some()
            }
            InputKey::Choice { asked, .. } | InputKey::Ruling { asked, .. } => {
                asked.settled(answer).is_some_and(|settled| settled == *answer)
            }
        }
    }

    /// The fact that is decided, if it is one.
    #[must_use]
    pub fn fact(&self) -> Option<FactId> {
        match self {
            InputKey::Ruling { asked: QuestionKind::Fact { fact }, .. } => Some(*fact),
            _ => None,
        }
    }
}

/// The answer to a demand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// What was answered.
    pub value: Answer,
    /// How many numbers of the stream it took.
    pub spent: u32,
}

impl Answered {
    /// An answer that took nothing from a stream.
    #[must_use]
    pub fn free(value: Answer) -> Answered {
        Answered { value, spent: 0 }
    }

    /// A face, and how many numbers of its stream it took.
    #[must_use]
    pub fn face(face: u32, spent: u32) -> Answered {
        Answered { value: Answer::One(i32::try_from(face).unwrap_or(i32::MAX)), spent }
    }
}

/// Names with what they stand for in a text.
pub type TextArguments = Vec<(Box<str>, Box<str>)>;

/// A question that somebody must answer before the intent can go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Who is asked; the table itself where its game master decides.
    pub who: EntityId,
    /// What is asked, for people.
    pub text: TextId,
    /// What the text speaks of.
    pub arguments: TextArguments,
    /// What the answer must be.
    pub asked: QuestionKind,
    /// What there is to choose from or to put in order.
    pub options: Vec<Box<str>>,
    /// The answer given if nobody cares.
    pub default: Option<Answer>,
    /// Whether dice were drawn already: then the intent must be answered or
    /// withdrawn before anything else is done.
    pub binds: bool,
    /// Who may see the question.
    pub audience: Audience,
}

impl Question {
    /// A question without arguments, options and default.
    #[must_use]
    pub fn new(who: EntityId, text: TextId, asked: QuestionKind) -> Question {
        let audience = if who == EntityId::TABLE { Audience::GameMaster } else { Audience::Player(who) };
        Question { who, text, arguments: Vec::new(), asked, options: Vec::new(), default: None, binds: false, audience }
    }

    /// A question about options, of a kind that depends on how many there are.
    #[must_use]
    pub fn about(
        who: EntityId,
        text: TextId,
        options: Vec<Box<str>>,
        kind: impl FnOnce(u32) -> QuestionKind,
    ) -> Question {
        let of = u32::try_from(options.len()).unwrap_or(u32::MAX);
        Question { options, ..Question::new(who, text, kind(of)) }
    }

    /// The same with what its text speaks of.
    #[must_use]
    pub fn with(self, arguments: TextArguments) -> Question {
        Question { arguments, ..self }
    }

    /// The same with the answer given if nobody cares.
    #[must_use]
    pub fn or(self, default: impl Into<Answer>) -> Question {
        Question { default: Some(default.into()), ..self }
    }

    /// What is written down with the answer; of several dice, with each face.
    #[must_use]
    pub fn demand(&self) -> InputKey {
        match (self.asked, self.who) {
            (QuestionKind::Faces { stream, sides, .. }, who) => InputKey::Face { who, stream, sides },
            (asked, EntityId::TABLE) => InputKey::Ruling { text: self.text, asked },
            (asked, who) => InputKey::Choice { who, text: self.text, asked },
        }
    }

    /// What somebody wrote as an answer: `yes`, `12`, an option by its name or
    /// its number from 1, and several with commas between (`none` for none); in
    /// an order, those left out follow as they are offered. Nothing if that is
    /// not legal.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<Answer> {
        let text = text.trim();
        let answer = match self.asked {
            QuestionKind::YesNo => Answer::from(yes_no(text)?),
            QuestionKind::One { .. } => Answer::One(self.place(text)?),
            QuestionKind::Number { .. } | QuestionKind::Fact { .. } => Answer::One(text.parse().ok()?),
            QuestionKind::Several { .. } if text == "none" && !self.options.iter().any(|option| **option == *text) => {
                Answer::List(Box::default())
            }
            QuestionKind::Several { .. } => self.places(text)?.into(),
            QuestionKind::Order { of } => {
                let named = self.places(text)?;
                let of = u32::try_from(self.options.len()).map_or(of, |options| of.min(options));
                let left = (0..of).filter_map(|place| i32::try_from(place).ok()).filter(|place| !named.contains(place));
                named.iter().copied().chain(left).collect()
            }
            QuestionKind::Faces { .. } => {
                let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
                parts.map(|part| part.parse().ok()).collect::<Option<Vec<i32>>>()?.into()
            }
        };
        self.asked.settled(&answer)
    }

    fn places(&self, text: &str) -> Option<Vec<i32>> {
        text.split(',').map(|part| self.place(part.trim())).collect()
    }

    /// The option that is meant by its name, or by its number from 1.
    fn place(&self, text: &str) -> Option<i32> {
        let named = self.options.iter().position(|option| **option == *text).and_then(|at| i32::try_from(at).ok());
        named.or_else(|| text.parse::<i32>().ok()?.checked_sub(1))
    }

    /// The answer in words: the names of options, or numbers. A yes or no has no
    /// words of its own, since each language has others.
    #[must_use]
    pub fn spelled(&self, answer: &Answer) -> Vec<Box<str>> {
        match self.asked {
            QuestionKind::YesNo => Vec::new(),
            QuestionKind::One { .. } | QuestionKind::Several { .. } | QuestionKind::Order { .. } => {
                answer.places().filter_map(|place| self.options.get(place).cloned()).collect()
            }
            _ => answer.numbers().iter().map(|number| number.to_string().into()).collect(),
        }
    }

    /// The text key of the sentence that says what is legal, with its arguments.
    #[must_use]
    pub fn legal(&self) -> (&'static str, TextArguments) {
        let named = |name: &str, value: String| (Box::from(name), value.into_boxed_str());
        let options = || named("options", self.options.join(", "));
        let between = |least: i64, most: i64| [named("least", least.to_string()), named("most", most.to_string())];
        match self.asked {
            QuestionKind::YesNo => ("legal.yes_no", Vec::new()),
            QuestionKind::One { .. } => ("legal.one", vec![options()]),
            QuestionKind::Several { least, most, .. } => {
                ("legal.several", [options()].into_iter().chain(between(least.into(), most.into())).collect())
            }
            QuestionKind::Order { .. } => ("legal.order", vec![options()]),
            QuestionKind::Number { least, most } => ("legal.number", between(least.into(), most.into()).into()),
            QuestionKind::Faces { sides, count, .. } => {
                ("legal.faces", vec![named("count", count.to_string()), named("sides", sides.to_string())])
            }
            QuestionKind::Fact { .. } => ("legal.fact", Vec::new()),
        }
    }
}

fn yes_no(text: &str) -> Option<bool> {
    match text {
        "yes" | "y" => Some(true),
        "no" | "n" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(asked: fn(u32) -> QuestionKind) -> Question {
        Question::about(EntityId(1), TextId::new(0), vec!["a".into(), "b".into(), "c".into()], asked)
    }

    fn several() -> Question {
        question(|of| QuestionKind::Several { of, least: 1, most: 2 })
    }

    fn order() -> Question {
        question(|of| QuestionKind::Order { of })
    }

    fn faces() -> Question {
        question(|_| QuestionKind::Faces { stream: StreamId::new(0), sides: 6, count: 2 })
    }

    fn number() -> Question {
        question(|_| QuestionKind::Number { least: -2, most: 5 })
    }

    fn list(numbers: &[i32]) -> Option<Answer> {
        Some(numbers.iter().copied().collect())
    }

    #[test]
    fn what_is_written_is_read_by_its_kind() {
        let one = question(|of| QuestionKind::One { of });
        assert_eq!(["b", "2", " c "].map(|text| one.read(text)), [Some(1.into()), Some(1.into()), Some(2.into())]);
        assert_eq!(question(|_| QuestionKind::YesNo).read("yes"), Some(true.into()));
        assert_eq!((several().read("c, 1"), several().read("b")), (list(&[0, 2]), list(&[1])));
        assert_eq!((order().read("c, a, 2"), order().read("b")), (list(&[2, 0, 1]), list(&[1, 0, 2])));
        assert_eq!((faces().read("6, 1"), faces().read("6 1")), (list(&[6, 1]), list(&[6, 1])));
        assert_eq!(number().read("-2"), Some(Answer::One(-2)));
        let any = question(|of| QuestionKind::Several { of, least: 0, most: of });
        assert_eq!(any.read("none"), list(&[]));
    }

    #[test]
    fn err_what_is_not_legal_is_not_read() {
        let one = question(|of| QuestionKind::One { of });
        assert!(["", "0", "4", "d", "a, b", "-2147483648"].iter().all(|text| one.read(text).is_none()));
        let yes = question(|_| QuestionKind::YesNo);
        assert!(["", "1", "maybe", "Yes"].iter().all(|text| yes.read(text).is_none()));
        assert!(["", "none", "a, a", "a, b, c", "d", "a,"].iter().all(|text| several().read(text).is_none()));
        assert!(["", "a, a", "a, b, b", "a, b, c, a", "none", "4"].iter().all(|text| order().read(text).is_none()));
        assert!(["6", "6, 7", "0, 1", "1, 2, 3", "a, b"].iter().all(|text| faces().read(text).is_none()));
        assert!(["-3", "6", "1, 2", "x", "99999999999"].iter().all(|text| number().read(text).is_none()));
    }

    #[test]
    fn err_a_list_answers_no_question_for_one_thing() {
        let one = QuestionKind::One { of: 3 };
        assert!(one.settled(&vec![1].into()).is_none() && QuestionKind::YesNo.settled(&vec![1].into()).is_none());
        assert!(several().asked.settled(&1.into()).is_none());
        let die = QuestionKind::Faces { stream: StreamId::new(0), sides: 6, count: 1 };
        assert!(die.settled(&3.into()).is_some() && die.settled(&vec![3].into()).is_some());
    }

    #[test]
    fn several_are_written_down_in_the_order_of_the_offer() {
        assert_eq!(several().asked.settled(&vec![2, 0].into()), list(&[0, 2]));
        let text = TextId::new(0);
        let demand = InputKey::Choice { who: EntityId(1), text, asked: several().asked };
        assert!(demand.admits(&vec![0, 2].into()) && !demand.admits(&vec![2, 0].into()));
    }

    #[test]
    fn an_answer_in_json_is_a_number_or_a_list() {
        let written = serde_json::to_string(&[Answer::One(3), vec![0, 2].into()]).unwrap();
        assert_eq!(written, "[3,[0,2]]");
        assert_eq!(serde_json::from_str::<Vec<Answer>>(&written).unwrap(), [Answer::One(3), vec![0, 2].into()]);
        assert!(
            serde_json::from_str::<Answer>("1.5").is_err() && serde_json::from_str::<Answer>("99999999999").is_err()
        );
    }

    #[test]
    fn what_the_table_is_asked_its_game_master_rules() {
        let asked = QuestionKind::YesNo;
        let ruling = Question::new(EntityId::TABLE, TextId::new(0), asked);
        assert_eq!(ruling.demand(), InputKey::Ruling { text: TextId::new(0), asked });
        assert_eq!(ruling.audience, Audience::GameMaster);
        assert!(matches!(Question::new(EntityId(1), TextId::new(0), asked).demand(), InputKey::Choice { .. }));
    }
}
