//! Steps: the closed list of instructions that packs write as data.

use crate::clock::Unit;
use crate::error::Span;
use crate::ident::*;
use crate::situation::{Formula, Who};

/// One instruction, with the question whether it is done at all.
#[derive(Clone, Debug)]
pub struct Step {
    /// Done only if this says yes.
    pub when: Option<Formula>,
    /// To whom it is done.
    pub who: Who,
    /// What is done.
    pub deed: Verb,
    /// Where it was written.
    pub span: Span,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Verb {
    /// Damage through the stages.
    Damage(Box<DamageStep>),
    /// Raises a pool, never above its maximum.
    Heal {
        /// How much.
        amount: Formula,
        /// InstanceSelector pool.
        pool: PoolId,
    },
    /// Changes a pool directly, within its range.
    Pool {
        /// InstanceSelector pool.
        pool: PoolId,
        /// How much.
        amount: Formula,
        /// Replaces what is there instead of adding to it.
        set: bool,
    },
    /// Puts a condition on somebody.
    Apply(Box<ApplyStep>),
    /// Does something to a condition that is borne already.
    Borne {
        /// InstanceSelector condition.
        condition: ConditionId,
        /// InstanceSelector of its instances.
        which: InstanceSelector,
        /// What is done to it.
        fate: ConditionChange,
    },
    /// Keeps up a condition that somebody caused, whoever bears it.
    Sustain(ConditionId),
    /// Changes a count.
    Count {
        /// InstanceSelector count.
        count: CountId,
        /// How much.
        amount: Formula,
        /// Replaces instead of adding.
        set: bool,
    },
    /// Keeps a number with the running condition, or with somebody.
    Note {
        /// InstanceSelector note.
        note: NoteId,
        /// The number.
        amount: Formula,
    },
    /// Puts a tag on or takes it off.
    Tag {
        /// InstanceSelector tag.
        tag: TagId,
        /// Whether it is put on.
        on: bool,
    },
    /// A check, and what follows from each degree.
    Check(Box<CheckStep>),
    /// Makes the running check end with a degree.
    Become(DegreeId),
    /// Adds to the running check.
    Bonus {
        /// How much.
        amount: Formula,
    },
    /// Rolls the running check again.
    Reroll(KeptRoll),
    /// Keeps the running event from happening.
    Prevent(TextId),
    /// Ends the running action; its costs stay.
    Disrupt(TextId),
    /// Lowers the amount of the damage that is being dealt, to 0 at least.
    Reduce(Formula),
    /// Refuses the whole intent.
    Refuse(TextId),
    /// Raises an event of the pack.
    Raise {
        /// InstanceSelector event.
        event: EventId,
        /// The numbers of its fields, in their order.
        fields: Vec<(u8, Formula)>,
        /// Who stands in its fields that hold somebody.
        seats: Vec<(u8, Who)>,
    },
    /// Runs a hook by name.
    Hook(HookId),
    /// Runs a named list.
    Steps(StepsId),
    /// Runs one of several named lists, evenly.
    Pick(Vec<StepsId>),
    /// Pushes somebody.
    Push {
        /// How many feet; negative pulls.
        feet: Formula,
        /// InstanceSelector way, from 1 to 8; without it away from who acts.
        way: Option<Formula>,
    },
    /// Makes an item, held by somebody.
    Create(ItemId),
    /// Hands the item to somebody.
    Give,
    /// Lays a thing down where its holder stands, or all that somebody holds with a
    /// tag where they stand.
    Drop(Option<TagId>),
    /// Ends an entity and what hangs on it.
    End,
    /// Moves somebody in the order of acting, to just behind who acts now, or to
    /// just before.
    Initiative {
        /// Whether before.
        before: bool,
    },
    /// Does some steps together under one question, maybe with another item.
    Group(Vec<Step>, Option<Who>),
    /// A line in the log.
    Say(TextId),
}

/// InstanceSelector of two rolls of one check counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeptRoll {
    /// The later one, whatever it shows.
    #[default]
    New,
    /// The higher one.
    Better,
    /// The lower one.
    Worse,
}

impl KeptRoll {
    /// Every choice with its spelling in packs.
    pub const WORDS: [(&'static str, KeptRoll); 3] =
        [("new", KeptRoll::New), ("better", KeptRoll::Better), ("worse", KeptRoll::Worse)];

    /// Whether the earlier roll counts, and not the later one.
    #[must_use]
    pub fn earlier(self, earlier: i32, later: i32) -> bool {
        match self {
            KeptRoll::New => false,
            KeptRoll::Better => earlier > later,
            KeptRoll::Worse => earlier < later,
        }
    }
}

/// What a step does to a condition that is borne already.
#[derive(Clone, Debug)]
pub enum ConditionChange {
    /// It ends.
    Remove,
    /// Its value rises, or falls if the number is negative.
    Shift(Formula),
    /// It does nothing until it is resumed.
    Suspend {
        /// Whether its time stops as well.
        stopped: bool,
    },
    /// It goes on.
    Resume,
    /// Its timers run longer: units for what runs by time, times for what waits
    /// for an event.
    Extend(Vec<DurationSpec>),
}

/// Damage as a step says it.
#[derive(Clone, Debug)]
pub struct DamageStep {
    /// The dice: of a named roll of the item, or here.
    pub dice: DamageDice,
    /// A stat of the actor that is added once to each roll.
    pub bonus: Option<StatId>,
    /// How often it is multiplied.
    pub times: Vec<Formula>,
    /// The type of what has no label.
    pub kind: Option<TagId>,
    /// Further tags of all of it.
    pub tags: Vec<TagId>,
    /// The stream its dice are drawn from.
    pub stream: StreamId,
    /// Whether it is halved; read as the number `halved` by the stages.
    pub halved: Option<Formula>,
    /// DamageDice that are added once, however often the rest is multiplied.
    pub extra: Vec<DamageDice>,
    /// Whether all targets of an action suffer one roll of these dice.
    pub shared: bool,
}

/// Where damage dice are written.
#[derive(Clone, Debug, PartialEq)]
pub enum DamageDice {
    /// In the step.
    Here(Formula),
    /// On the item, under this name.
    Item(Box<str>),
}

/// A condition as a step applies it.
#[derive(Clone, Debug)]
pub struct ApplyStep {
    /// InstanceSelector condition.
    pub condition: ConditionId,
    /// Its value.
    pub value: Option<Formula>,
    /// How long it lasts: each is a timer, the first that comes ends it.
    pub lasts: Vec<DurationSpec>,
    /// IdMap to keep with it.
    pub notes: Vec<(NoteId, Formula)>,
    /// Whom it is borne toward.
    pub toward: Option<Who>,
}

/// InstanceSelector instances of a condition a step means: all, or those of one cause, or
/// toward one.
#[derive(Clone, Copy, Debug, Default)]
pub struct InstanceSelector {
    /// Who caused them.
    pub from: Option<Who>,
    /// Whom they are borne toward.
    pub toward: Option<Who>,
}

/// How long something lasts.
#[derive(Clone, Debug)]
pub enum DurationSpec {
    /// So many units from now.
    For(Unit, Formula),
    /// Until an event happens for the so-manieth time: to somebody, or to
    /// anybody.
    Until(Option<Who>, EventId, u32),
}

/// A check as a step asks for it.
#[derive(Clone, Debug)]
pub struct CheckStep {
    /// InstanceSelector check.
    pub check: CheckId,
    /// What it must reach, if the check does not say.
    pub dc: Option<Formula>,
    /// What follows from each degree.
    pub on: Vec<(DegreeId, Vec<Step>)>,
}
