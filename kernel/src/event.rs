//! Events: what happened or is about to, with a few numbers, cheap to copy.

use crate::ident::*;
use crate::situation::Situation;
use serde::{Deserialize, Serialize};

/// The most fields an event has.
pub const MOST_FIELDS: usize = 8;

/// What a field of an event holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// A number.
    Number,
    /// A yes or a no.
    YesNo,
    /// An entity, or nobody.
    Entity,
    /// A name of some kind.
    Name(NameKind),
}

/// An event as the kernel or a pack declares it.
#[derive(Clone, Debug)]
pub struct EventShape {
    /// Its fields by name, in order.
    pub fields: Vec<(Box<str>, FieldType)>,
    /// Whether hooks run before it happens and may change or prevent it;
    /// otherwise they run after, in their turn on the agenda.
    pub before: bool,
    /// Which fields rules may write: bit n stands for field n.
    pub open: u8,
}

impl EventShape {
    /// Fields of which nothing is said yet: numbers are 0, answers no, and names
    /// and entities nobody.
    #[must_use]
    pub fn blank(&self) -> [i32; MOST_FIELDS] {
        let mut blank = [NOBODY; MOST_FIELDS];
        for (number, (_, field)) in blank.iter_mut().zip(&self.fields) {
            *number = if matches!(field, FieldType::Number | FieldType::YesNo) { 0 } else { NOBODY };
        }
        blank
    }

    /// Whether rules may write a field; what they wrote counts.
    #[must_use]
    pub fn is_open(&self, field: u8) -> bool {
        self.before && 1_u8.checked_shl(u32::from(field)).is_some_and(|bit| self.open & bit != 0)
    }

    /// The names of the fields that rules may write.
    pub fn open_names(&self) -> impl Iterator<Item = &str> {
        let named = (0_u8..).zip(&self.fields);
        named.filter(|(at, _)| self.is_open(*at)).map(|(_, (name, _))| &**name)
    }
}

/// The fields that rules may write in an event of the kernel; every field of an
/// event of a pack is open.
#[must_use]
pub fn open_fields(event: &str) -> u8 {
    let names: &[&str] = match event {
        "check.rolled" => &["natural", "dc", "bonus"],
        "check.total" => &["natural", "total", "dc"],
        "check.degree" => &["degree"],
        "condition.begin" => &["value"],
        _ if event == "damage.begin" || event.starts_with("damage/") => &["amount"],
        _ => &[],
    };
    let fields = KERNEL_EVENTS.iter().find(|(known, ..)| *known == event).map_or(HIT_FIELDS, |(_, fields, _)| *fields);
    let bits = fields.iter().zip(0_u32..).filter(|((name, _), _)| names.contains(name)).map(|(_, at)| 1_u8 << at);
    bits.fold(0, |open, bit| open | bit)
}

/// Where a check's events hold the total.
pub const TOTAL_FIELD: u8 = 4;

/// Where the events of damage hold the amount.
pub const AMOUNT_FIELD: u8 = 2;

/// Where a check's events hold the degree.
pub const DEGREE_FIELD: u8 = 6;

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleEvent {
    /// Which.
    pub event: EventId,
    /// The numbers of its fields; entities and names by their numbers, nobody
    /// as -1.
    pub fields: [i32; MOST_FIELDS],
    /// Who and what it is about.
    pub about: Situation,
    /// Which hit of the intent it tells of, from 1; 0 if none.
    pub hit: u16,
}

/// How an absent entity stands in a field.
pub const NOBODY: i32 = -1;

/// An entity as a field holds it.
#[must_use]
pub fn entity_field(who: Option<EntityId>) -> i32 {
    who.and_then(|who| i32::try_from(who.0).ok()).unwrap_or(NOBODY)
}

/// The entity that a field holds.
#[must_use]
pub fn field_entity(number: i32) -> Option<EntityId> {
    u32::try_from(number).ok().map(EntityId)
}

impl RuleEvent {
    /// An event about a situation, with its first fields.
    #[must_use]
    pub fn new(event: EventId, about: Situation, fields: &[i32]) -> RuleEvent {
        let mut all = [NOBODY; MOST_FIELDS];
        all.iter_mut().zip(fields).for_each(|(field, number)| *field = *number);
        RuleEvent { event, fields: all, about, hit: 0 }
    }

    /// The same event with somebody as its bearer.
    #[must_use]
    pub fn borne_by(mut self, who: EntityId) -> RuleEvent {
        self.about.bearer = Some(who);
        self
    }
}

/// Fields by name, in order.
pub type FieldList = &'static [(&'static str, FieldType)];

/// Names, fields and kind of every event the kernel itself raises. Packs may
/// hook them all and declare more.
pub const KERNEL_EVENTS: &[(&str, FieldList, bool)] = &[
    (
        "action.begin",
        &[
            ("who", FieldType::Entity),
            ("target", FieldType::Entity),
            ("item", FieldType::Entity),
            ("action", FieldType::Name(NameKind::Action)),
        ],
        true,
    ),
    (
        "action.done",
        &[
            ("who", FieldType::Entity),
            ("target", FieldType::Entity),
            ("item", FieldType::Entity),
            ("action", FieldType::Name(NameKind::Action)),
        ],
        false,
    ),
    ("check.begin", CHECK_FIELDS, true),
    ("check.rolled", CHECK_FIELDS, true),
    ("check.total", CHECK_FIELDS, true),
    ("check.degree", CHECK_FIELDS, true),
    ("check.done", CHECK_FIELDS, false),
    ("damage.begin", HIT_FIELDS, true),
    ("damage.taken", HIT_FIELDS, false),
    ("pool.emptied", POOL_FIELDS, false),
    ("pool.changed", POOL_FIELDS, false),
    ("pool.healed", POOL_FIELDS, false),
    ("condition.begin", CONDITION_FIELDS, true),
    ("condition.applied", CONDITION_FIELDS, false),
    ("condition.changed", CONDITION_FIELDS, false),
    ("condition.ended", CONDITION_FIELDS, false),
    (
        "square.leaving",
        &[("who", FieldType::Entity), ("x", FieldType::Number), ("y", FieldType::Number), ("forced", FieldType::YesNo)],
        true,
    ),
    ("moved", &[("who", FieldType::Entity), ("feet", FieldType::Number), ("forced", FieldType::YesNo)], false),
    ("zone.entered", &[("who", FieldType::Entity), ("zone", FieldType::Entity)], false),
    ("zone.left", &[("who", FieldType::Entity), ("zone", FieldType::Entity)], false),
    ("turn.delayed", PHASE_FIELDS, false),
    ("turn.resumed", PHASE_FIELDS, false),
    ("encounter.begin", &[("who", FieldType::Entity)], false),
    ("encounter.end", &[("who", FieldType::Entity)], false),
];

const CHECK_FIELDS: FieldList = &[
    ("who", FieldType::Entity),
    ("target", FieldType::Entity),
    ("check", FieldType::Name(NameKind::Check)),
    ("natural", FieldType::Number),
    ("total", FieldType::Number),
    ("dc", FieldType::Number),
    ("degree", FieldType::Name(NameKind::Degree)),
    ("bonus", FieldType::Number),
];

/// The fields of every stage of damage, and of what comes before and after.
pub const HIT_FIELDS: FieldList = &[
    ("who", FieldType::Entity),
    ("from", FieldType::Entity),
    ("amount", FieldType::Number),
    ("left_over", FieldType::Number),
    ("item", FieldType::Entity),
    ("times", FieldType::Number),
];

const POOL_FIELDS: FieldList = &[
    ("who", FieldType::Entity),
    ("pool", FieldType::Name(NameKind::Pool)),
    ("before", FieldType::Number),
    ("after", FieldType::Number),
    ("amount", FieldType::Number),
    ("left_over", FieldType::Number),
    ("from", FieldType::Entity),
];

const CONDITION_FIELDS: FieldList = &[
    ("who", FieldType::Entity),
    ("condition", FieldType::Name(NameKind::Condition)),
    ("from", FieldType::Entity),
    ("value", FieldType::Number),
];

/// The fields of a phase of a turn or round.
pub const PHASE_FIELDS: FieldList = &[("who", FieldType::Entity), ("round", FieldType::Number)];
