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
    pub deed: Deed,
    /// Where it was written.
    pub span: Span,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Deed {
    /// Damage through the stages.
    Damage(Box<Blow>),
    /// Raises a pool, never above its maximum.
    Heal {
        /// How much.
        amount: Formula,
        /// Which pool.
        pool: PoolId,
    },
    /// Changes a pool directly, within its range.
    Pool {
        /// Which pool.
        pool: PoolId,
        /// How much.
        amount: Formula,
        /// Replaces what is there instead of adding to it.
        set: bool,
    },
    /// Puts a condition on somebody.
    Apply(Box<Apply>),
    /// Does something to a condition that is borne already.
    Borne {
        /// Which condition.
        condition: ConditionId,
        /// Which of its instances.
        which: Which,
        /// What is done to it.
        fate: Fate,
    },
    /// Keeps up a condition that somebody caused, whoever bears it.
    Sustain(ConditionId),
    /// Changes a count.
    Count {
        /// Which count.
        count: CountId,
        /// How much.
        amount: Formula,
        /// Replaces instead of adding.
        set: bool,
    },
    /// Keeps a number with the running condition, or with somebody.
    Note {
        /// Which note.
        note: NoteId,
        /// The number.
        amount: Formula,
    },
    /// Puts a tag on or takes it off.
    Tag {
        /// Which tag.
        tag: TagId,
        /// Whether it is put on.
        on: bool,
    },
    /// A check, and what follows from each degree.
    Check(Box<Trial>),
    /// Makes the running check end with a degree.
    Become(DegreeId),
    /// Adds to the running check.
    Bonus {
        /// How much.
        amount: Formula,
    },
    /// Rolls the running check again.
    Reroll(Kept),
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
        /// Which event.
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
        /// Which way, from 1 to 8; without it away from who acts.
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

/// Which of two rolls of one check counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kept {
    /// The later one, whatever it shows.
    #[default]
    New,
    /// The higher one.
    Better,
    /// The lower one.
    Worse,
}

impl Kept {
    /// Every choice with its spelling in packs.
    pub const WORDS: [(&'static str, Kept); 3] = [("new", Kept::New), ("better", Kept::Better), ("worse", Kept::Worse)];

    /// Whether the earlier roll counts, and not the later one.
    #[must_use]
    pub fn earlier(self, earlier: i32, later: i32) -> bool {
        match self {
            Kept::New => false,
            Kept::Better => earlier > later,
            Kept::Worse => earlier < later,
        }
    }
}

/// What a step does to a condition that is borne already.
#[derive(Clone, Debug)]
pub enum Fate {
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
    Extend(Vec<Lasts>),
}

/// Damage as a step says it.
#[derive(Clone, Debug)]
pub struct Blow {
    /// The dice: of a named roll of the item, or here.
    pub dice: Dice,
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
    /// Dice that are added once, however often the rest is multiplied.
    pub extra: Vec<Dice>,
    /// Whether all targets of an action suffer one roll of these dice.
    pub shared: bool,
}

/// Where damage dice are written.
#[derive(Clone, Debug, PartialEq)]
pub enum Dice {
    /// In the step.
    Here(Formula),
    /// On the item, under this name.
    Item(Box<str>),
}

/// A condition as a step applies it.
#[derive(Clone, Debug)]
pub struct Apply {
    /// Which condition.
    pub condition: ConditionId,
    /// Its value.
    pub value: Option<Formula>,
    /// How long it lasts: each is a timer, the first that comes ends it.
    pub lasts: Vec<Lasts>,
    /// Numbers to keep with it.
    pub notes: Vec<(NoteId, Formula)>,
    /// Whom it is borne toward.
    pub toward: Option<Who>,
}

/// Which instances of a condition a step means: all, or those of one cause, or
/// toward one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Which {
    /// Who caused them.
    pub from: Option<Who>,
    /// Whom they are borne toward.
    pub toward: Option<Who>,
}

/// How long something lasts.
#[derive(Clone, Debug)]
pub enum Lasts {
    /// So many units from now.
    For(Unit, Formula),
    /// Until an event happens for the so-manieth time: to somebody, or to
    /// anybody.
    Until(Option<Who>, EventId, u32),
}

/// A check as a step asks for it.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Which check.
    pub check: CheckId,
    /// What it must reach, if the check does not say.
    pub dc: Option<Formula>,
    /// What follows from each degree.
    pub on: Vec<(DegreeId, Vec<Step>)>,
}
