//! Ids of everything: small numbers in byte order of the names they stand for.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;

/// A small number that stands for a name of one kind.
pub trait Id: Copy + Eq + Ord + 'static {
    /// Which list of the [`Lexicon`] names it.
    const KIND: NameKind;
    /// The id with this number.
    fn new(number: u16) -> Self;
    /// The number of the id.
    fn number(self) -> u16;
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $id:ident = $kind:ident, $word:literal;)*) => {
        /// The kinds of names a ruleset knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "each kind is documented at its id")]
        pub enum NameKind { $($kind),* }

        impl NameKind {
            /// Every kind, in order.
            pub const ALL: &'static [NameKind] = &[$(NameKind::$kind),*];
            /// The word for the kind in pack files.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(NameKind::$kind => $word),* }
            }
        }

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $id(u16);
            impl Id for $id {
                const KIND: NameKind = NameKind::$kind;
                fn new(number: u16) -> $id { $id(number) }
                fn number(self) -> u16 { self.0 }
            }
            impl Serialize for $id {
                fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> { write_name(*self, to) }
            }
            impl<'de> Deserialize<'de> for $id {
                fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$id, D::Error> { read_name(from) }
            }
        )*
    };
}

kinds! {
    /// A tag that creatures, items, actions and damage bear.
    TagId = Tag, "tag";
    /// A type of bonus or penalty.
    TypeId = Type, "type";
    /// A stat.
    StatId = Stat, "stat";
    /// A view of a stat.
    ViewId = View, "view";
    /// A pool.
    PoolId = Pool, "pool";
    /// A count that resets itself.
    CountId = Count, "count";
    /// A value that an instance of a condition or an entity keeps.
    NoteId = Note, "note";
    /// A fact of the situation.
    FactId = Fact, "fact";
    /// A table to look a number up in.
    ChartId = Chart, "chart";
    /// A condition.
    ConditionId = Condition, "condition";
    /// A kind of check.
    CheckId = Check, "check";
    /// A degree of success, of any check.
    DegreeId = Degree, "degree";
    /// A stage of damage.
    StageId = Stage, "stage";
    /// An action.
    ActionId = Action, "action";
    /// An event.
    EventId = Event, "event";
    /// A named list of steps.
    StepsId = Steps, "steps";
    /// A hook written as data.
    HookId = Hook, "hook";
    /// A reaction.
    ReactionId = Reaction, "reaction";
    /// A house-rule switch.
    OptionId = Option, "option";
    /// A value of a switch that is chosen by name.
    ChoiceId = Choice, "choice";
    /// A stream of draws.
    StreamId = Stream, "stream";
    /// A creature that may be seated.
    CreatureId = Creature, "creature";
    /// An item that may be held.
    ItemId = Item, "item";
    /// A text for people.
    TextId = Text, "text";
    /// Any rule that can be cited, by its full name.
    RuleId = Rule, "rule";
}

/// One entity of a table, never used twice. Number 0 is the table itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EntityId(pub u32);

impl EntityId {
    /// The table itself, which owns the draws of nobody.
    pub const TABLE: EntityId = EntityId(0);
}

/// A marker in the order of acting, which stays when its owner moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SlotId(pub u32);

/// The number of an instance, timer or loose modifier, never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Serial(pub u32);

/// Who may see a line or a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Audience {
    /// Everybody at the table.
    #[default]
    Everyone,
    /// Whoever plays this entity, and the game master.
    Player(EntityId),
    /// The game master alone.
    GameMaster,
}

/// Definitions of one kind, sorted by name, so that an id is a place on it.
#[derive(Clone, Debug)]
pub struct IdVec<I, T> {
    things: Vec<T>,
    of: PhantomData<I>,
}

impl<I: Id, T> IdVec<I, T> {
    /// A shelf of things in the order of their names, one for each name.
    #[must_use]
    pub fn new(things: Vec<T>) -> IdVec<I, T> {
        IdVec { things, of: PhantomData }
    }

    /// The thing an id of this ruleset stands for.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "ids are given out by the ruleset that holds the shelf")]
    pub fn get(&self, id: I) -> &T {
        &self.things[usize::from(id.number())]
    }

    /// The things with their ids, in byte order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (I, &T)> {
        self.things.iter().zip(0_u16..).map(|(thing, number)| (I::new(number), thing))
    }

    /// The things, to finish them while the ruleset is made.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.things.iter_mut()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.things.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.things.is_empty()
    }
}

/// All names of a ruleset, each list in byte order.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    lists: Vec<Arc<[Box<str>]>>,
    /// It names no nearest name.
    terse: bool,
}

impl Lexicon {
    /// A lexicon from one list of names for each kind; lists are sorted and
    /// freed of doubles here.
    #[must_use]
    pub fn new(mut names: impl FnMut(NameKind) -> Vec<Box<str>>) -> Lexicon {
        let list = |kind: &NameKind| {
            let mut list = names(*kind);
            list.sort();
            list.dedup();
            list.into()
        };
        Lexicon { lists: NameKind::ALL.iter().map(list).collect(), terse: false }
    }

    /// The same names, of which the nearest is never looked for.
    #[must_use]
    pub fn terse(&self) -> Lexicon {
        Lexicon { lists: self.lists.clone(), terse: true }
    }

    /// The kind of which there are more names than there may be, and the first
    /// name that is too many.
    #[must_use]
    pub fn overfull(&self, most: impl Fn(NameKind) -> usize) -> Option<(NameKind, &str)> {
        let too_many = |kind: &NameKind| self.list(*kind).get(most(*kind)).map(|name| (*kind, &**name));
        NameKind::ALL.iter().find_map(too_many)
    }

    /// The sorted names of one kind.
    #[must_use]
    pub fn names(&self, kind: NameKind) -> Arc<[Box<str>]> {
        self.lists.get(kind as usize).cloned().unwrap_or_default()
    }

    /// How many names of one kind there are.
    #[must_use]
    pub fn count(&self, kind: NameKind) -> usize {
        self.list(kind).len()
    }

    fn list(&self, kind: NameKind) -> &[Box<str>] {
        self.lists.get(kind as usize).map_or(&[], |list| list)
    }

    /// The id that a name stands for.
    #[must_use]
    pub fn find<I: Id>(&self, name: &str) -> Option<I> {
        let place = self.list(I::KIND).binary_search_by(|known| known.as_ref().cmp(name)).ok()?;
        u16::try_from(place).ok().map(I::new)
    }

    /// The name that an id stands for.
    #[must_use]
    pub fn name<I: Id>(&self, id: I) -> &str {
        self.list(I::KIND).get(usize::from(id.number())).map_or("?", |name| name)
    }

    /// The name nearest to a misspelt one.
    #[must_use]
    pub fn nearest<I: Id>(&self, wrong: &str) -> Option<&str> {
        self.nearest_of(wrong, self.list(I::KIND).iter().map(AsRef::as_ref))
    }

    /// The nearest of some names to a misspelt one, unless this lexicon is terse.
    #[must_use]
    pub fn nearest_of<'n>(&self, wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        if self.terse { None } else { crate::error::nearest(wrong, names) }
    }

    /// Whether there is a name of a kind.
    #[must_use]
    pub fn has(&self, kind: NameKind, name: &str) -> bool {
        self.list(kind).binary_search_by(|known| known.as_ref().cmp(name)).is_ok()
    }

    /// Runs `work` with ids written and read as the names of this lexicon.
    pub fn naming<R>(self: &Arc<Self>, work: impl FnOnce() -> R) -> R {
        let outer = SPOKEN.with(|spoken| spoken.replace(Some(Arc::clone(self))));
        let result = work();
        SPOKEN.with(|spoken| spoken.replace(outer));
        result
    }
}

thread_local! {
    /// The lexicon by which ids are written just now: saves carry names.
    static SPOKEN: RefCell<Option<Arc<Lexicon>>> = const { RefCell::new(None) };
}

fn write_name<I: Id, S: Serializer>(id: I, to: S) -> Result<S::Ok, S::Error> {
    SPOKEN.with(|spoken| match &*spoken.borrow() {
        Some(lexicon) => to.serialize_str(lexicon.name(id)),
        None => to.serialize_newtype_struct(I::KIND.word(), &id.number()),
    })
}

fn read_name<'de, I: Id, D: Deserializer<'de>>(from: D) -> Result<I, D::Error> {
    use serde::de::Error;
    let name = String::deserialize(from)?;
    let known = SPOKEN.with(|spoken| spoken.borrow().as_ref().and_then(|lexicon| lexicon.find(&name)));
    known.ok_or_else(|| D::Error::custom(format!("the packs have no {} `{name}`", I::KIND.word())))
}

/// A set of tags or stats: one bit for each id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdSet<I> {
    bits: smallvec::SmallVec<[u64; 4]>,
    of: PhantomData<I>,
}

impl<I> Default for IdSet<I> {
    fn default() -> IdSet<I> {
        IdSet { bits: smallvec::SmallVec::new(), of: PhantomData }
    }
}

impl<I: Id> IdSet<I> {
    fn split(id: I) -> (usize, u64) {
        (usize::from(id.number() / 64), 1 << (id.number() % 64))
    }

    /// Whether the id is in the set.
    #[must_use]
    pub fn has(&self, id: I) -> bool {
        let (word, bit) = Self::split(id);
        self.bits.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// Puts the id in or takes it out, and says whether it was in.
    pub fn put(&mut self, id: I, present: bool) -> bool {
        let (word, bit) = Self::split(id);
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        let before = self.has(id);
        if let Some(bits) = self.bits.get_mut(word) {
            *bits = if present { *bits | bit } else { *bits & !bit };
        }
        before
    }

    /// Takes every id out, and keeps the room.
    pub fn clear(&mut self) {
        self.bits.clear();
    }

    /// Adds every id of another set.
    pub fn join(&mut self, other: &IdSet<I>) {
        if self.bits.len() < other.bits.len() {
            self.bits.resize(other.bits.len(), 0);
        }
        self.bits.iter_mut().zip(&other.bits).for_each(|(bits, others)| *bits |= others);
    }

    /// Whether the two sets share an id.
    #[must_use]
    pub fn meets(&self, other: &IdSet<I>) -> bool {
        self.bits.iter().zip(&other.bits).any(|(a, b)| a & b != 0)
    }

    /// The ids, in order.
    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        let words = self.bits.iter().copied().zip((0_u16..).step_by(64));
        words.flat_map(|(bits, first)| Bits(bits).map(move |bit| I::new(first + bit)))
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|word| *word == 0)
    }
}

/// The numbers of the bits of a word, in order.
struct Bits(u64);

impl Iterator for Bits {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        let bit = u16::try_from(self.0.trailing_zeros()).ok().filter(|bit| *bit < 64)?;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

impl<I: Id> FromIterator<I> for IdSet<I> {
    fn from_iter<T: IntoIterator<Item = I>>(ids: T) -> IdSet<I> {
        let mut set = IdSet::default();
        ids.into_iter().for_each(|id| {
            set.put(id, true);
        });
        set
    }
}

impl<I: Id + Serialize> Serialize for IdSet<I> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'de, I: Id + Deserialize<'de>> Deserialize<'de> for IdSet<I> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<IdSet<I>, D::Error> {
        Ok(Vec::<I>::deserialize(from)?.into_iter().collect())
    }
}

/// One number for each id of a kind; absent ones are zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdMap<I> {
    numbers: Vec<i32>,
    of: PhantomData<I>,
}

impl<I> Default for IdMap<I> {
    fn default() -> IdMap<I> {
        IdMap { numbers: Vec::new(), of: PhantomData }
    }
}

impl<I: Id> IdMap<I> {
    /// The number kept for an id.
    #[must_use]
    pub fn get(&self, id: I) -> i32 {
        self.numbers.get(usize::from(id.number())).copied().unwrap_or(0)
    }

    /// Whether every number is zero.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Keeps a number and gives back the one before.
    pub fn put(&mut self, id: I, number: i32) -> i32 {
        let place = usize::from(id.number());
        if self.numbers.len() <= place {
            self.numbers.resize(place + 1, 0);
        }
        self.numbers.get_mut(place).map_or(0, |kept| std::mem::replace(kept, number))
    }

    /// The ids whose number is not zero, in order.
    pub fn iter(&self) -> impl Iterator<Item = (I, i32)> + '_ {
        let numbered = self.numbers.iter().zip(0_u16..);
        numbered.filter(|(number, _)| **number != 0).map(|(number, place)| (I::new(place), *number))
    }
}

impl<I: Id + Serialize> Serialize for IdMap<I> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter())
    }
}

impl<'de, I: Id + Deserialize<'de>> Deserialize<'de> for IdMap<I> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<IdMap<I>, D::Error> {
        let mut numbers = IdMap::default();
        for (id, number) in std::collections::BTreeMap::<I, i32>::deserialize(from)? {
            numbers.put(id, number);
        }
        Ok(numbers)
    }
}
