//! Finds the first id inside a value that stands for nothing here, by walking the value as a save would write it.
//!
//! Whatever is added to a deed or to a save is walked as well, without a word
//! here. Nothing is kept while all is well; the path is put together on the way
//! back from what is wrong.

use crate::ident::*;
use serde::ser::*;
use std::fmt;

/// The most bytes of one text inside a value.
const LONGEST_TEXT: usize = 16 << 10;

/// What ids may stand for.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The names of the rules.
    pub lexicon: &'a Lexicon,
    /// Whether an entity is somebody.
    pub somebody: &'a dyn Fn(EntityId) -> bool,
    /// The most things in one list.
    pub longest: usize,
}

/// What is wrong, and where it stands in the value.
#[derive(Debug, PartialEq, Eq)]
pub struct Stray {
    /// The way there, innermost first.
    path: Vec<String>,
    /// What is wrong with it.
    pub what: String,
    /// The entity or the name that is meant, if an id is wrong.
    pub id: Option<Wanted>,
}

/// What an id stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// An entity.
    Entity,
    /// A name of some kind.
    Name(NameKind),
}

impl Stray {
    /// Something wrong where the walk stands.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Stray {
        Stray { path: Vec::new(), what: what.into(), id: None }
    }

    /// The same, inside a part of something greater.
    #[must_use]
    pub fn within(mut self, part: impl fmt::Display) -> Stray {
        self.path.push(part.to_string());
        self
    }

    /// The way to it, as `state.entities.3.owner`.
    #[must_use]
    pub fn path(&self) -> String {
        self.path.iter().rev().map(String::as_str).collect::<Vec<_>>().join(".")
    }
}

impl fmt::Display for Stray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.path(), self.what)
    }
}

impl std::error::Error for Stray {}

impl Error for Stray {
    fn custom<T: fmt::Display>(told: T) -> Stray {
        Stray::new(told.to_string())
    }
}

/// Looks at every id, text and list of a value.
///
/// # Errors
/// The first that is wrong.
pub fn inspect(value: &impl Serialize, known: Known<'_>) -> Result<(), Stray> {
    value.serialize(IdCheck { known, wanted: None })
}

#[derive(Clone, Copy)]
struct IdCheck<'a> {
    known: Known<'a>,
    /// What the number that comes next stands for.
    wanted: Option<Wanted>,
}

impl<'a> IdCheck<'a> {
    fn number(self, number: u32) -> Result<(), Stray> {
        let (what, known) = match self.wanted {
            None => return Ok(()),
            Some(Wanted::Entity) => ("entity", (self.known.somebody)(EntityId(number))),
            Some(Wanted::Name(kind)) => (kind.word(), (number as usize) < self.known.lexicon.count(kind)),
        };
        if known {
            return Ok(());
        }
        Err(Stray { id: self.wanted, ..Stray::new(format!("names the {what} number {number}, which is not here")) })
    }

    fn parts(self, count: Option<usize>) -> Result<Parts<'a>, Stray> {
        let most = self.known.longest;
        if count.is_some_and(|count| count > most) {
            return Err(Stray::new(format!("is a list of more than {most}")));
        }
        Ok(Parts { walk: IdCheck { wanted: None, ..self }, at: 0 })
    }
}

/// A list or a record while it is walked.
struct Parts<'a> {
    walk: IdCheck<'a>,
    at: usize,
}

impl Parts<'_> {
    fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stray> {
        let at = self.at;
        self.at += 1;
        value.serialize(self.walk).map_err(|stray| stray.within(at))
    }

    fn named<T: Serialize + ?Sized>(&self, name: &str, value: &T) -> Result<(), Stray> {
        value.serialize(self.walk).map_err(|stray| stray.within(name))
    }
}

macro_rules! nothing_to_see {
    ($($name:ident: $kind:ty),*) => {
        $(fn $name(self, _: $kind) -> Result<(), Stray> { Ok(()) })*
    };
}

impl<'a> Serializer for IdCheck<'a> {
    type Ok = ();
    type Error = Stray;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    nothing_to_see! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u64: u64, serialize_f32: f32, serialize_f64: f64, serialize_char: char,
        serialize_bytes: &[u8], serialize_unit_struct: &'static str
    }

    fn serialize_u16(self, number: u16) -> Result<(), Stray> {
        self.number(number.into())
    }

    fn serialize_u32(self, number: u32) -> Result<(), Stray> {
        self.number(number)
    }

    fn serialize_str(self, text: &str) -> Result<(), Stray> {
        if text.len() <= LONGEST_TEXT {
            return Ok(());
        }
        Err(Stray::new(format!("is a text of more than {LONGEST_TEXT} bytes")))
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Result<(), Stray> {
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Stray> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Stray> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Stray> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Stray> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), Stray> {
        let wanted = match name {
            "EntityId" => Some(Wanted::Entity),
            name => NameKind::ALL.iter().find(|kind| kind.word() == name).copied().map(Wanted::Name),
        };
        value.serialize(IdCheck { wanted, ..self })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Stray> {
        value.serialize(self).map_err(|stray| stray.within(variant))
    }

    fn serialize_seq(self, count: Option<usize>) -> Result<Parts<'a>, Stray> {
        self.parts(count)
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'a>, Stray> {
        self.parts(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Stray> {
        self.parts(None)
    }

    fn serialize_tuple_variant(self, _: &str, _: u32, _: &str, _: usize) -> Result<Parts<'a>, Stray> {
        self.parts(None)
    }

    fn serialize_map(self, count: Option<usize>) -> Result<Parts<'a>, Stray> {
        self.parts(count)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Stray> {
        self.parts(None)
    }

    fn serialize_struct_variant(self, _: &str, _: u32, _: &str, _: usize) -> Result<Parts<'a>, Stray> {
        self.parts(None)
    }
}

macro_rules! counted_parts {
    ($($kind:ident: $part:ident),*) => {
        $(impl $kind for Parts<'_> {
            type Ok = ();
            type Error = Stray;

            fn $part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stray> {
                self.part(value)
            }

            fn end(self) -> Result<(), Stray> {
                Ok(())
            }
        })*
    };
}

counted_parts! {
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field
}

macro_rules! named_parts {
    ($($kind:ident),*) => {
        $(impl $kind for Parts<'_> {
            type Ok = ();
            type Error = Stray;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Stray> {
                self.named(name, value)
            }

            fn end(self) -> Result<(), Stray> {
                Ok(())
            }
        })*
    };
}

named_parts!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Stray;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Stray> {
        self.named("key", key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stray> {
        self.part(value)
    }

    fn end(self) -> Result<(), Stray> {
        Ok(())
    }
}
