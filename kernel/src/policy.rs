//! Policies: who answers questions instead of the people at the table.

use crate::error::{Fault, nearest};
use crate::ident::*;
use crate::question::{Answer, Question, QuestionKind};
use crate::ruleset::Ruleset;
use crate::situation::Formula;
use std::collections::BTreeMap;

/// Who answers a question.
#[derive(Clone, Debug, Default)]
pub enum Policy {
    /// Whoever is asked.
    #[default]
    Ask,
    /// Yes; of several options, all.
    Always,
    /// No; of several options, none.
    Never,
    /// What the question gives if nobody cares.
    Default,
    /// An expression about the one who is asked: yes or no, the number of an
    /// option from 1, or the number itself.
    By(Box<Formula>),
}

/// The words of policies that are no expressions.
const WORDS: [(&str, Policy); 4] =
    [("ask", Policy::Ask), ("always", Policy::Always), ("never", Policy::Never), ("default", Policy::Default)];

impl Policy {
    /// Reads `ask`, `always`, `never`, `default`, or an expression.
    ///
    /// # Errors
    /// As an expression that cannot be read.
    pub fn read(rules: &Ruleset, text: &str) -> Result<Policy, Fault> {
        match WORDS.iter().find(|(word, _)| *word == text) {
            Some((_, policy)) => Ok(policy.clone()),
            None => Ok(Policy::By(Box::new(rules.expression(text)?))),
        }
    }

    /// The answer to a question, where `value` reads an expression. Nothing, so
    /// that the question is asked, if the policy has no legal answer to it.
    ///
    /// # Errors
    /// As the reading has.
    pub fn answer<E>(
        &self,
        question: &Question,
        value: impl FnOnce(&Formula) -> Result<i32, E>,
    ) -> Result<Option<Answer>, E> {
        let answer = match self {
            Policy::Ask => None,
            Policy::Always => whole(question.asked, true),
            Policy::Never => whole(question.asked, false),
            Policy::Default => question.default.clone(),
            Policy::By(formula) => numbered(question.asked, value(formula)?),
        };
        Ok(answer.and_then(|answer| question.asked.settled(&answer)))
    }
}

/// All or nothing.
fn whole(asked: QuestionKind, yes: bool) -> Option<Answer> {
    match asked {
        QuestionKind::YesNo => Some(yes.into()),
        QuestionKind::Several { of, .. } => {
            let places = (0..of).filter(|_| yes).filter_map(|place| i32::try_from(place).ok());
            Some(places.collect())
        }
        _ => None,
    }
}

fn numbered(asked: QuestionKind, number: i32) -> Option<Answer> {
    match asked {
        QuestionKind::YesNo => Some((number != 0).into()),
        QuestionKind::One { .. } => number.checked_sub(1).map(Answer::One),
        QuestionKind::Number { .. } | QuestionKind::Fact { .. } => Some(number.into()),
        QuestionKind::Several { .. } | QuestionKind::Order { .. } | QuestionKind::Faces { .. } => None,
    }
}

/// The policies of a table. They are no part of its state: what they answer is
/// written down like any other answer.
#[derive(Clone, Debug, Default)]
pub struct Policies {
    all: Policy,
    texts: BTreeMap<TextId, Policy>,
    facts: BTreeMap<FactId, Policy>,
}

impl Policies {
    /// Sets who answers a question: by its text, such as `reaction.parry`; by
    /// its fact, such as `fact.cover`; or `all` that have no policy of their own.
    ///
    /// # Errors
    /// `HR0713` if the rules have no such question; else as [`Policy::read`].
    pub fn set(&mut self, rules: &Ruleset, question: &str, policy: &str) -> Result<(), Fault> {
        let policy =
            Policy::read(rules, policy).map_err(|fault| fault.during(format!("the policy for `{question}`")))?;
        let fact = question.strip_prefix("fact.").and_then(|fact| rules.lexicon.find(fact));
        match (fact, rules.lexicon.find(question)) {
            (Some(fact), _) => drop(self.facts.insert(fact, policy)),
            (None, Some(text)) => drop(self.texts.insert(text, policy)),
            (None, None) if question == "all" => self.all = policy,
            (None, None) => return Err(unknown(rules, question)),
        }
        Ok(())
    }

    /// Who answers a question. Dice are for the oracle.
    #[must_use]
    pub fn of(&self, question: &Question) -> &Policy {
        let own = match question.asked {
            QuestionKind::Faces { .. } => Some(&Policy::Ask),
            QuestionKind::Fact { fact } => self.facts.get(&fact),
            _ => self.texts.get(&question.text),
        };
        own.unwrap_or(&self.all)
    }
}

fn unknown(rules: &Ruleset, question: &str) -> Fault {
    let facts: Vec<String> = rules.lexicon.names(NameKind::Fact).iter().map(|fact| format!("fact.{fact}")).collect();
    let texts = rules.lexicon.names(NameKind::Text);
    let near =
        nearest(question, texts.iter().map(AsRef::as_ref).chain(facts.iter().map(String::as_str)).chain(["all"]));
    let help =
        near.map_or_else(|| "name its text, `fact.NAME` or `all`".into(), |near| format!("did you mean `{near}`?"));
    Fault::new("HR0713", format!("no question is called `{question}`; {help}"))
}
