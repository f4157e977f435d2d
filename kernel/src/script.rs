//! What a script language must offer, and what the kernel tells it.

use crate::error::{Fault, Problem, Span};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A script file of a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The name of the file, with its pack: `sf1e/hooks/dying.lua`.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The number of the file in the ruleset's sources.
    pub file: u16,
}

impl Script {
    /// The place of a line, counted from 1, without its line break.
    #[must_use]
    pub fn line_span(&self, line: u32) -> Span {
        let before = self.text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum::<usize>();
        let rest = self.text.get(before..).unwrap_or("");
        let length = rest.find('\n').unwrap_or(rest.len());
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { file: self.file, start: byte(before), end: byte(before + length) }
    }
}

/// What a script declared at file level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    /// What it does.
    pub deed: Declared,
    /// The event it is about, if it is a hook.
    pub event: String,
    /// Its name; for `wrap` and `mute`, the hook that is meant.
    pub name: String,
    /// The question whether it runs.
    pub when: Option<String>,
    /// The words it is called with, if it names them.
    pub reads: Option<Vec<String>>,
    /// The fields its results are written to.
    pub writes: Vec<String>,
    /// Hooks it runs before.
    pub before: Vec<String>,
    /// Hooks it runs after.
    pub after: Vec<String>,
    /// Among those free to go, the higher goes first.
    pub priority: i32,
    /// Why a hook is muted.
    pub because: Option<String>,
    /// It runs once for everybody present, as bearer.
    pub everybody: bool,
    /// A failing hook is undone and skipped.
    pub skip: bool,
    /// Fields of the event that must have these names.
    pub filters: BTreeMap<String, String>,
    /// Where it stands.
    pub span: Span,
}

/// The three things a script may declare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Declared {
    /// A hook.
    #[default]
    On,
    /// A hook around another.
    Wrap,
    /// Another hook is silenced.
    Mute,
}

/// A number, an answer or a name on its way into or out of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// Nothing: nobody, or no change.
    Nothing,
    /// A number.
    Number(i32),
    /// A yes or a no.
    YesNo(bool),
    /// A name, such as a degree.
    Name(Box<str>),
    /// An entity.
    Entity(u32),
}

/// How a hook is called.
#[derive(Clone, Debug)]
pub enum HookCall {
    /// With the words it reads; gives one value for each word it writes.
    Words(SmallVec<[Scalar; 8]>),
    /// With a handle for the event that the scene runs.
    Event,
}

/// What a hook gave back.
pub type HookResult = SmallVec<[Scalar; 4]>;

/// A script language that packs may be written in.
pub trait Language: Send + Sync {
    /// The name of the language in manifests.
    fn name(&self) -> &'static str;

    /// How its files end, without the dot.
    fn extension(&self) -> &'static str;

    /// Checks the files and collects what they declare, in a guest that is
    /// thrown away.
    ///
    /// # Errors
    /// Every problem of every file.
    fn survey(&self, scripts: &[Script]) -> Result<Vec<Declaration>, Vec<Problem>>;

    /// Builds a guest for this thread from files that were surveyed.
    ///
    /// # Errors
    /// A fault if the files do not declare what they declared before.
    fn guest(&self, scripts: &[Script]) -> Result<Box<dyn Guest>, Fault>;
}

/// The running intent on its way through a guest, which only the host's side of
/// the guest can open: see `Scene::lent` and `Scene::returned`.
pub type RunHandle = Box<dyn std::any::Any>;

/// A virtual machine of one thread. It serves all tables of the thread and
/// remembers nothing between calls.
pub trait Guest {
    /// Calls the hook with this number in the order of declarations. The running
    /// intent goes in and comes back; if it carries a stop afterwards, the stop
    /// is believed, whatever the guest says.
    fn call(&self, intent: RunHandle, hook: usize, call: HookCall) -> (RunHandle, Result<HookResult, Fault>);
}
