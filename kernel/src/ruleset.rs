//! A ruleset: packs parsed, checked and frozen, shared by any number of tables.

use crate::action::{Action, Reaction, Trade};
use crate::budget::{Budget, RequestedLimits};
use crate::check::Check;
use crate::condition::Condition;
use crate::damage::DamageRules;
use crate::error::{Fault, Sources, Span};
use crate::event::EventShape;
use crate::formula::ExpectedType;
use crate::ident::*;
use crate::intent::HeldItem;
use crate::layer::LayerNote;
use crate::modifier::{Modifier, Stacking, TypePolicy};
use crate::script::{Language, Script};
use crate::situation::{Formula, Who};
use crate::space::Grid;
use crate::step::Step;
use crate::tactic::Tactic;
use crate::text::Texts;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A tag.
#[derive(Clone, Debug, Default)]
pub struct Tag {
    /// Tags that come with it.
    pub implies: IdSet<TagId>,
}

/// A stat.
#[derive(Clone, Debug)]
pub struct Stat {
    /// Under which name its given value is cited.
    pub rule: RuleId,
    /// Its tags.
    pub tags: IdSet<TagId>,
    /// The given value where nobody says another.
    pub start: i32,
    /// The type of the given value.
    pub kind: TypeId,
    /// Its parts, then the modifiers that everybody has, in written order.
    pub parts: Vec<Modifier>,
}

/// Another look at the lines of stats.
#[derive(Clone, Debug)]
pub struct StatView {
    /// The stats it looks at.
    pub of: IdSet<StatId>,
    /// Types it leaves out.
    pub ignore: IdSet<TypeId>,
    /// Types whose lines it leaves out if positive.
    pub drop_types: IdSet<TypeId>,
    /// Rules whose lines it leaves out if positive.
    pub drop_rules: Vec<RuleId>,
    /// What it adds.
    pub offset: i32,
}

/// A pool.
#[derive(Clone, Debug)]
pub struct Pool {
    /// The most it holds.
    pub max: Formula,
    /// The least it holds.
    pub min: i32,
    /// What it starts with; its maximum if nothing is said.
    pub start: Option<Formula>,
    /// The event, of its owner, at which it is full again.
    pub resets: Option<EventId>,
    /// Those with one of these tags have it; every creature if there is none.
    pub of: IdSet<TagId>,
}

/// A count.
#[derive(Clone, Debug)]
pub struct Count {
    /// The event, of its owner, at which it is zero again.
    pub resets: Option<EventId>,
}

/// A fact of the situation: as the intent states it, else as the map has it,
/// else by default, else asked for.
#[derive(Clone, Debug, Default)]
pub struct Fact {
    /// What the map says of it.
    pub from: Option<MapFact>,
    /// What it is where neither the intent nor the map says it.
    pub default: Option<Formula>,
}

/// What a fact counts on the map. In `by` the one who is looked at is `bearer`.
#[derive(Clone, Debug)]
pub enum MapFact {
    /// Feet between actor and target.
    Distance,
    /// Those who stand opposite the actor on the other side of the target.
    Opposite {
        /// Who counts.
        by: Option<Formula>,
    },
    /// Lines from the actor's best corner to the corners of the target that
    /// somebody crosses, 0 to 4.
    Between {
        /// Who counts.
        by: Option<Formula>,
    },
    /// Others within some feet of somebody.
    Near {
        /// Of whom.
        of: Who,
        /// Within how many feet.
        feet: Formula,
        /// Who counts.
        by: Option<Formula>,
    },
}

/// A table to look numbers up in: the last row not above the key serves.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Rows of key and value, by key.
    pub rows: Vec<(i32, i32)>,
}

impl Chart {
    /// The value for a key; the first row serves all keys below it.
    #[must_use]
    pub fn look_up(&self, key: i64) -> Option<i32> {
        let above = self.rows.partition_point(|(first, _)| i64::from(*first) <= key);
        self.rows.get(above.saturating_sub(1)).map(|(_, value)| *value)
    }
}

/// A house-rule switch.
#[derive(Clone, Debug)]
pub struct Switch {
    /// Its choices, if it is chosen by name.
    pub choices: Vec<ChoiceId>,
    /// Its value where nobody says another.
    pub default: i32,
    /// What it changes, by full name.
    pub changes: Vec<Box<str>>,
    /// Whether it may be switched during play, such as the mode of play.
    pub open: bool,
}

/// Switches that are set together, by the name of the profile.
pub type Profile = (Box<str>, Vec<(OptionId, i32)>);

/// The time of turns and rounds.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// How long a round is, in seconds.
    pub seconds: i32,
    /// Phases at the start of a round.
    pub round_start: Vec<EventId>,
    /// Phases at the start of a turn.
    pub start: Vec<EventId>,
    /// Phases at the end of a turn.
    pub end: Vec<EventId>,
    /// Phases at the end of a round.
    pub round_end: Vec<EventId>,
    /// Who may act outside their own turn, asked about the action; nobody without
    /// it.
    pub out_of_turn: Option<Formula>,
}

/// How a tie in the order of acting is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// The higher bonus first.
    Modifier,
    /// The higher face of a die of so many sides first.
    RollOff,
    /// Those with a tag first.
    Tag(TagId),
    /// They agree: the game master is asked who goes first.
    Choice,
}

/// How the order of acting is found.
#[derive(Clone, Debug)]
pub struct Initiative {
    /// The check whose total is the count.
    pub check: CheckId,
    /// What breaks ties, first to last.
    pub ties: Vec<(Option<Formula>, Tie)>,
    /// Whether some aware and some unaware means a round for the aware alone.
    pub aware_round: bool,
    /// Borne by those who act in it.
    pub aware_limit: Option<ConditionId>,
    /// Borne by those who are not aware.
    pub unaware: Option<ConditionId>,
    /// Borne by everybody until their first turn.
    pub waiting: Option<ConditionId>,
    /// Whether who acts may still wait for a later place in the order.
    pub delay: Option<Formula>,
}

/// A creature or an item as its page says it, with all that it is like.
#[derive(Clone, Debug, Default)]
pub struct StatBlock {
    /// Its tags.
    pub tags: IdSet<TagId>,
    /// Given values of stats.
    pub stats: Vec<(StatId, i32)>,
    /// Pools that do not start full.
    pub pools: Vec<(PoolId, i32)>,
    /// What it holds.
    pub holds: Vec<HeldItem>,
    /// Conditions it bears from the start.
    pub bears: Vec<ConditionId>,
    /// Named dice.
    pub rolls: Vec<(Box<str>, Formula)>,
    /// How far it works around itself or its holder, in feet: then it is a zone.
    pub radius: Option<Formula>,
    /// What it does to the numbers of its holder, or of itself.
    pub modifiers: Vec<Modifier>,
}

/// What a hook does when it runs.
#[derive(Clone, Debug)]
pub enum HookBody {
    /// Steps of data.
    Steps(Vec<Step>),
    /// A function of a script.
    Script {
        /// Which language of the ruleset.
        language: usize,
        /// Its number in the order of declarations.
        hook: usize,
        /// The words it is called with; an event handle if it names none.
        reads: Option<Vec<Formula>>,
        /// The fields its results go to.
        writes: Vec<u8>,
        /// What it wraps.
        inner: Option<Box<HookBody>>,
    },
}

/// A hook, ready to run.
#[derive(Clone, Debug)]
pub struct Hook {
    /// Under which name it is cited.
    pub rule: RuleId,
    /// Fields that must have these numbers.
    pub filters: Vec<(u8, i32)>,
    /// The question whether it runs.
    pub when: Option<Formula>,
    /// Runs once for everybody present, as bearer, and not just for whom the
    /// event is about.
    pub everybody: bool,
    /// What it does.
    pub body: HookBody,
    /// If it fails it is undone and skipped.
    pub skip: bool,
    /// Silenced, and why.
    pub muted: Option<Box<str>>,
}

/// What sways the numbers of stats: found once, so that most changes and most
/// neighbours need not be looked at.
#[derive(Clone, Debug, Default)]
pub struct StatDependencies {
    /// Pools that plain modifiers read.
    pub pools: IdSet<PoolId>,
    /// Counts that plain modifiers read.
    pub counts: IdSet<CountId>,
    /// Notes that plain modifiers read.
    pub notes: IdSet<NoteId>,
    /// Stats that zones change.
    pub near: IdSet<StatId>,
    /// Stats that who stands on the other side changes.
    pub opposed: IdSet<StatId>,
}

/// Where a modifier is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModifierSource {
    /// Among the parts of a stat.
    Part(StatId),
    /// On the page of a creature or an item.
    Page(crate::entity::StatBlockRef),
    /// With a condition.
    Condition(ConditionId),
}

/// A pack that went into a ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IncludedPack {
    /// The pack's id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// What people should know of its origin.
    pub credits: Vec<(String, String)>,
    /// The hash of each file.
    pub files: Vec<(String, String)>,
}

/// A frozen ruleset.
pub struct Ruleset {
    /// Unlike that of any other ruleset of the process; guests are kept by it.
    pub serial: u64,
    /// All names.
    pub lexicon: Arc<Lexicon>,
    /// All files.
    pub sources: Sources,
    /// Where each rule was written.
    pub rules: IdVec<RuleId, Span>,
    /// What each pack changed.
    pub layers: Vec<LayerNote>,
    /// The packs.
    pub packs: Vec<IncludedPack>,
    /// What each pack asks to be allowed beyond the default, in the order of the
    /// packs; none that asks nothing.
    pub limits: Vec<(String, RequestedLimits)>,
    /// The words for people.
    pub texts: Texts,
    /// The tags.
    pub tags: IdVec<TagId, Tag>,
    /// The bonus types.
    pub types: IdVec<TypeId, TypePolicy>,
    /// How they stack.
    pub stacking: Stacking,
    /// The stats.
    pub stats: IdVec<StatId, Stat>,
    /// The views.
    pub views: IdVec<ViewId, StatView>,
    /// The pools.
    pub pools: IdVec<PoolId, Pool>,
    /// The counts.
    pub counts: IdVec<CountId, Count>,
    /// The facts.
    pub facts: IdVec<FactId, Fact>,
    /// The charts.
    pub charts: IdVec<ChartId, Chart>,
    /// The conditions.
    pub conditions: IdVec<ConditionId, Condition>,
    /// Those that hold by themselves.
    pub standing: Vec<ConditionId>,
    /// The checks.
    pub checks: IdVec<CheckId, Check>,
    /// How damage is dealt.
    pub dealing: DamageRules,
    /// The actions.
    pub actions: IdVec<ActionId, Action>,
    /// The trades between pools of actions.
    pub trades: Vec<Trade>,
    /// Bundles: a pool that is paid with several.
    pub bundles: Vec<(PoolId, Vec<(PoolId, i32)>)>,
    /// The reactions.
    pub reactions: IdVec<ReactionId, Reaction>,
    /// The events.
    pub events: IdVec<EventId, EventShape>,
    /// The hooks of each event, in the order in which they run.
    pub hooks: IdVec<EventId, Vec<Hook>>,
    /// The reactions whose window each event is.
    pub windows: IdVec<EventId, Vec<ReactionId>>,
    /// Hooks that are called by name.
    pub named: IdVec<HookId, Option<(EventId, usize)>>,
    /// The named lists of steps.
    pub steps: IdVec<StepsId, Vec<Step>>,
    /// The house-rule switches.
    pub options: IdVec<OptionId, Switch>,
    /// The profiles: switches set together.
    pub profiles: Vec<Profile>,
    /// The creatures.
    pub creatures: IdVec<CreatureId, StatBlock>,
    /// The items.
    pub items: IdVec<ItemId, StatBlock>,
    /// What hosts may play creatures by.
    pub tactics: BTreeMap<String, Tactic>,
    /// Reads steps that a game master writes while the game goes on.
    pub step_reader: Arc<dyn StepReader>,
    /// The people that packs bring along, as they are written: the text of each
    /// file in `sheets/`, by its name in the pack; of two the later pack's.
    pub sheets: BTreeMap<String, Arc<str>>,
    /// Whether any page is a zone.
    pub zones: bool,
    /// The time of turns.
    pub turn: Turn,
    /// The order of acting, if the packs have one.
    pub initiative: Option<Initiative>,
    /// The grid.
    pub grid: Grid,
    /// The side of the square that a creature fills: a stat in feet.
    pub space: Option<StatId>,
    /// Whether who comes, the bearer, may stand where the target stands; nobody
    /// may without it.
    pub share: Option<Formula>,
    /// Whether the bearer may go through where the target stands; everybody may
    /// without it.
    pub pass: Option<Formula>,
    /// Squares that a step costs; as the grid counts without it.
    pub step_cost: Option<Formula>,
    /// The count of diagonal steps with which each walk goes on; each begins anew
    /// without it.
    pub diagonals: Option<CountId>,
    /// The script languages.
    pub languages: Vec<Arc<dyn Language>>,
    /// The script files of each language.
    pub scripts: Vec<Vec<Script>>,
    /// The events of the kernel.
    pub known: KernelEvents,
    /// The streams of the kernel.
    pub streams: Streams,
    /// The bonus type of what has none.
    pub untyped: TypeId,
    /// The words of the kernel.
    pub words: KernelTexts,
    /// Events that anything in the rules answers to.
    pub heard: IdSet<EventId>,
    /// Events at which conditions do something.
    pub ticking: IdSet<EventId>,
    /// Events with which pools and counts begin anew.
    pub refilling: IdSet<EventId>,
    /// What sways the numbers of stats.
    pub sways: StatDependencies,
}

/// The events that the kernel raises itself.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "each is named like the event that packs hook")]
pub struct KernelEvents {
    pub action_begin: EventId,
    pub action_done: EventId,
    pub check_begin: EventId,
    pub check_rolled: EventId,
    pub check_total: EventId,
    pub check_degree: EventId,
    pub check_done: EventId,
    pub damage_begin: EventId,
    pub damage_taken: EventId,
    pub pool_emptied: EventId,
    pub pool_changed: EventId,
    pub pool_healed: EventId,
    pub condition_begin: EventId,
    pub condition_applied: EventId,
    pub condition_changed: EventId,
    pub condition_ended: EventId,
    pub square_leaving: EventId,
    pub moved: EventId,
    pub zone_entered: EventId,
    pub zone_left: EventId,
    pub turn_delayed: EventId,
    pub turn_resumed: EventId,
    pub encounter_begin: EventId,
    pub encounter_end: EventId,
}

impl KernelEvents {
    /// The windows of a check, in the order in which they open.
    #[must_use]
    pub fn check_windows(&self) -> [EventId; 4] {
        [self.check_begin, self.check_rolled, self.check_total, self.check_degree]
    }
}

/// The streams that the kernel draws from itself.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    /// Damage without a stream of its own.
    pub damage: StreamId,
    /// Dice that scripts roll without naming a stream.
    pub roll: StreamId,
    /// Breaking ties.
    pub tie: StreamId,
    /// Even choices.
    pub pick: StreamId,
}

/// The texts of the kernel's own questions.
#[derive(Clone, Copy, Debug)]
pub struct KernelTexts {
    /// Asks for a face.
    pub roll: TextId,
    /// Asks for a fact.
    pub fact: TextId,
    /// Asks who goes first.
    pub tie: TextId,
    /// Says that a gate was not passed.
    pub gate: TextId,
    /// Says that a failing hook was passed over.
    pub skipped: TextId,
    /// A muted hook was called by name.
    pub muted: TextId,
    /// A push ended before an occupied square.
    pub occupied: TextId,
    /// Says that a reaction may no longer answer.
    pub dropped: TextId,
}

/// Reads steps as a pack writes them. What reads packs puts itself here, so that the
/// kernel needs no reader of files.
pub trait StepReader: Send + Sync {
    /// Reads `do = [ … ]` by the names of a ruleset.
    ///
    /// # Errors
    /// `HR0712` with the first mistake.
    fn read(&self, rules: &Ruleset, text: &str) -> Result<Vec<Step>, Fault>;
}

impl Ruleset {
    /// The name of an id.
    #[must_use]
    pub fn name<I: Id>(&self, id: I) -> &str {
        self.lexicon.name(id)
    }

    /// The page of an entity's origin.
    #[must_use]
    pub fn page(&self, origin: crate::entity::StatBlockRef) -> Option<&StatBlock> {
        match origin {
            crate::entity::StatBlockRef::Table => None,
            crate::entity::StatBlockRef::Creature(creature) => Some(self.creatures.get(creature)),
            crate::entity::StatBlockRef::Item(item) => Some(self.items.get(item)),
        }
    }

    /// The modifiers that are written in one place, in written order.
    #[must_use]
    pub fn modifiers(&self, written: ModifierSource) -> &[Modifier] {
        match written {
            ModifierSource::Part(stat) => &self.stats.get(stat).parts,
            ModifierSource::Page(origin) => self.page(origin).map_or(&[], |page| &page.modifiers),
            ModifierSource::Condition(condition) => &self.conditions.get(condition).modifiers,
        }
    }

    /// The file and line of a rule, as `sf1e/checks.toml:12`.
    #[must_use]
    pub fn place(&self, rule: RuleId) -> String {
        let span = *self.rules.get(rule);
        format!("{}:{}", self.sources.name(span.file), self.sources.line_column(span).0)
    }

    /// Reads an expression in the words of the rules: a number, or a yes that is 1
    /// and a no that is 0.
    ///
    /// # Errors
    /// The first mistake in it.
    pub fn expression(&self, text: &str) -> Result<Formula, Fault> {
        let choices = |switch: &Switch| switch.choices.iter().map(|choice| self.name(*choice).into()).collect();
        let choices: Vec<Vec<Box<str>>> = self.options.iter().map(|(_, switch)| choices(switch)).collect();
        let words = crate::variables::Variables { lexicon: &self.lexicon, locals: &[], choices: &choices };
        let formula = Formula::compile(text, &words, ExpectedType::Number);
        formula.or_else(|_| Formula::compile(text, &words, ExpectedType::YesNo)).map_err(|mistakes| {
            let mistake = mistakes.first();
            let help = mistake.and_then(|mistake| mistake.help.as_ref());
            let help = help.map(|help| format!("; {help}")).unwrap_or_default();
            let (code, why) = mistake.map_or(("HR0301", "it cannot be read"), |one| (one.code, &one.message));
            Fault::new(code, format!("`{text}`: {why}{help}"))
        })
    }

    /// Whether the kernel itself raises an event: those that it defines, the
    /// stages of damage, and the phases of turns and rounds.
    #[must_use]
    pub fn is_kernels(&self, event: EventId) -> bool {
        let name = self.name(event);
        let turn = &self.turn;
        crate::event::KERNEL_EVENTS.iter().any(|(known, ..)| *known == name)
            || self.dealing.stages.iter().any(|stage| stage.event == event)
            || [&turn.round_start, &turn.start, &turn.end, &turn.round_end]
                .into_iter()
                .any(|list| list.contains(&event))
    }

    /// Whether steps may raise an event: none of the kernel's, but the phases that
    /// end a turn, which a rule may bring forward.
    #[must_use]
    pub fn may_raise(&self, event: EventId) -> bool {
        !self.is_kernels(event) || self.turn.end.contains(&event)
    }

    /// The tags with all that they imply.
    #[must_use]
    pub fn implied(&self, tag: TagId) -> &IdSet<TagId> {
        &self.tags.get(tag).implies
    }

    /// A budget that gives as much as the packs ask for: the greatest of each, and
    /// the default where none asks. A host that wants to allow it says so with
    /// `Table::set_budget`.
    #[must_use]
    pub fn budget_asked(&self) -> Budget {
        self.limits.iter().fold(Budget::default(), |budget, (_, limits)| limits.granted(budget))
    }
}

impl std::fmt::Debug for Ruleset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let packs: Vec<_> = self.packs.iter().map(|pack| format!("{} {}", pack.id, pack.version)).collect();
        f.debug_struct("Ruleset").field("packs", &packs).finish_non_exhaustive()
    }
}
