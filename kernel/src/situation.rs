//! What a rule may ask about: who does what to whom, with which item.

use crate::formula;
use crate::ident::*;
use serde::{Deserialize, Serialize};

/// A formula over the words of a situation.
pub type Formula = formula::CompiledFormula<Variable>;

/// A word for somebody in a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// Whose number, condition or turn it is.
    Bearer,
    /// Who acts.
    Actor,
    /// Who is acted upon.
    Target,
    /// What it is done with.
    Item,
    /// Who caused the condition or the event.
    Source,
    /// Who holds the item.
    Holder,
    /// Who holds what is acted upon.
    Owner,
    /// The second thing it is done with.
    Other,
    /// Whom the running condition is borne toward.
    Toward,
}

impl Who {
    /// Every word with its spelling in packs.
    pub const WORDS: [(&'static str, Who); 9] = [
        ("bearer", Who::Bearer),
        ("actor", Who::Actor),
        ("target", Who::Target),
        ("item", Who::Item),
        ("source", Who::Source),
        ("holder", Who::Holder),
        ("owner", Who::Owner),
        ("other", Who::Other),
        ("toward", Who::Toward),
    ];

    /// The word spelled so.
    #[must_use]
    pub fn find(word: &str) -> Option<Who> {
        Who::WORDS.iter().find(|(known, _)| *known == word).map(|(_, who)| *who)
    }

    /// The spelling of the word.
    #[must_use]
    pub fn word(self) -> &'static str {
        Who::WORDS.iter().find(|(_, who)| *who == self).map_or("?", |(word, _)| word)
    }
}

/// What one word of a formula reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// The total of a stat, maybe through a view.
    Stat(Who, StatId, Option<ViewId>),
    /// What is left in a pool.
    Pool(Who, PoolId),
    /// The most a pool holds.
    PoolMax(Who, PoolId),
    /// A count.
    Count(Who, CountId),
    /// A note of the running condition, or of an entity.
    Note(Option<Who>, NoteId),
    /// The value of a condition; 1 without a value, 0 where it is not borne.
    Condition(Who, ConditionId),
    /// Whether somebody has a tag.
    Tagged(Who, TagId),
    /// Whether somebody bears a condition.
    Bears(Who, ConditionId),
    /// Whether somebody bears a condition toward another.
    BearsToward(Who, ConditionId, Who),
    /// Whether the running action has a tag.
    ActionTagged(TagId),
    /// Whether the damage has a tag.
    DamageTagged(TagId),
    /// A fact.
    Fact(FactId),
    /// A house-rule switch.
    Option(OptionId),
    /// A number of the running check, stage, event or condition.
    Local(u8),
    /// The round of the encounter, from 1; 0 outside.
    Round,
    /// Whether it is somebody's turn.
    OwnTurn(Who),
    /// Whether an encounter runs.
    InEncounter,
    /// Whether two words mean the same entity.
    Same(Who, Who),
    /// Whether two are on the same side.
    Ally(Who, Who),
    /// Feet between two who stand somewhere.
    Feet(Who, Who),
    /// The way in which somebody moved last, from 1 to 8; 0 if they never did.
    Heading(Who),
}

impl Variable {
    /// The names it reads, by kind and number.
    #[must_use]
    pub fn names(self) -> [Option<(NameKind, u16)>; 2] {
        fn of<I: Id>(id: I) -> Option<(NameKind, u16)> {
            Some((I::KIND, id.number()))
        }
        match self {
            Variable::Stat(_, stat, view) => [of(stat), view.and_then(of)],
            Variable::Pool(_, pool) | Variable::PoolMax(_, pool) => [of(pool), None],
            Variable::Count(_, count) => [of(count), None],
            Variable::Note(_, note) => [of(note), None],
            Variable::Condition(_, condition)
            | Variable::Bears(_, condition)
            | Variable::BearsToward(_, condition, _) => [of(condition), None],
            Variable::Tagged(_, tag) | Variable::ActionTagged(tag) | Variable::DamageTagged(tag) => [of(tag), None],
            Variable::Fact(fact) => [of(fact), None],
            Variable::Option(option) => [of(option), None],
            Variable::Local(_)
            | Variable::Round
            | Variable::OwnTurn(_)
            | Variable::InEncounter
            | Variable::Same(..)
            | Variable::Ally(..)
            | Variable::Feet(..)
            | Variable::Heading(_) => [None, None],
        }
    }

    /// Whether it reads nothing but the bearer, what the bearer holds, and what
    /// never changes.
    #[must_use]
    pub fn is_of_bearer(self) -> bool {
        match self {
            Variable::Stat(who, ..)
            | Variable::Pool(who, _)
            | Variable::PoolMax(who, _)
            | Variable::Count(who, _)
            | Variable::Condition(who, _)
            | Variable::Tagged(who, _)
            | Variable::Bears(who, _) => who == Who::Bearer,
            Variable::Note(who, _) => who.is_none_or(|who| who == Who::Bearer),
            Variable::Option(_) => true,
            _ => false,
        }
    }
}

/// Who and what a rule looks at just now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Situation {
    /// Whose number or condition it is.
    pub bearer: Option<EntityId>,
    /// Who acts.
    pub actor: Option<EntityId>,
    /// Who is acted upon.
    pub target: Option<EntityId>,
    /// What it is done with.
    pub item: Option<EntityId>,
    /// The second thing it is done with.
    pub other: Option<EntityId>,
    /// Who caused it.
    pub source: Option<EntityId>,
    /// The running action.
    pub action: Option<ActionId>,
    /// The running instance of a condition, on the bearer.
    pub instance: Option<Serial>,
}

impl Situation {
    /// Nobody but a bearer.
    #[must_use]
    pub fn of(bearer: EntityId) -> Situation {
        Situation { bearer: Some(bearer), actor: Some(bearer), ..Situation::default() }
    }

    /// The same situation seen from another bearer.
    #[must_use]
    pub fn seen_by(self, bearer: EntityId) -> Situation {
        Situation { bearer: Some(bearer), instance: None, ..self }
    }
}
