//! Says one word of the list to the scene, whatever language it was said in.

use crate::api::{Binder, Of, Word, Work, no_word, words_of};
use crate::passage::Passage;
use crate::scalar::Wrong;
use crate::value::{Taken, Value, admit};
use houserule_kernel::error::{Fault, nearest};
use houserule_kernel::oracle::Flow;
use houserule_kernel::scene::Scene;
use houserule_kernel::script::Scalar;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Says a word with what was given to it.
pub(crate) fn say(
    passage: &Passage,
    word: &Word,
    work: impl Work,
    given: Result<Vec<Value>, Wrong>,
) -> Result<Value, String> {
    match given.and_then(|given| admit(word, given)) {
        Ok(taken) => passage.ask(word.name, |scene| work(scene, &taken)),
        Err(wrong) => Err(passage.refuse(word.name, wrong)),
    }
}

type Reading = Rc<dyn Fn(&mut Scene, &Taken) -> Flow<Value>>;

/// The words of one kind that are read without parentheses.
pub(crate) struct Properties {
    of: Of,
    words: BTreeMap<&'static str, (Word, Reading)>,
}

impl Binder for Properties {
    fn word(&mut self, word: Word, work: impl Work) {
        if word.of == self.of && word.property {
            self.words.insert(word.name, (word, Rc::new(work)));
        }
    }
}

impl Properties {
    /// The words of a kind.
    pub(crate) fn of(of: Of) -> Properties {
        let mut properties = Properties { of, words: BTreeMap::new() };
        crate::api::describe(&mut properties);
        properties
    }

    /// Reads a field of the event or a property.
    pub(crate) fn read(&self, passage: &Passage, subject: Value, name: &str) -> Result<Value, String> {
        passage.ask(name, |scene| {
            if let Some(field) = scene.spoken_field(name).filter(|_| self.of == Of::Event) {
                return Ok(Value::One(field));
            }
            match self.words.get(name) {
                Some((word, reading)) => {
                    let taken = admit(word, [subject]);
                    reading(scene, &taken.map_err(|wrong| Fault::new(wrong.code(), wrong.message()))?)
                }
                None => Err(self.unknown(scene, name).into()),
            }
        })
    }

    /// Changes a field of the event; nothing else can be changed.
    pub(crate) fn write(&self, passage: &Passage, name: &str, value: Result<Value, Wrong>) -> Result<(), String> {
        let value = match value {
            Ok(Value::One(value)) => value,
            Ok(_) => return Err(passage.refuse(name, Wrong::Kind(format!("`{name}` cannot hold a list or table")))),
            Err(wrong) => return Err(passage.refuse(name, wrong)),
        };
        passage.ask(name, |scene| self.write_field(scene, name, &value))
    }

    fn write_field(&self, scene: &mut Scene, name: &str, value: &Scalar) -> Flow<()> {
        let fixed = || Fault::new("HR0402", format!("`{name}` can be read, not changed"));
        match scene.spoken_field(name) {
            Some(_) if self.of == Of::Event => scene.set_spoken_field(name, value),
            // Rhai gives back what it read after each call on it; that changes nothing.
            _ if matches!(value, Scalar::Entity(_)) && self.words.contains_key(name) => {
                self.given_back(scene, name, value)
            }
            _ if self.words.contains_key(name) => Err(fixed().into()),
            _ => Err(self.unknown(scene, name).into()),
        }
    }

    fn given_back(&self, scene: &mut Scene, name: &str, value: &Scalar) -> Flow<()> {
        let Some((word, reading)) = self.words.get(name) else { return Ok(()) };
        let taken = admit(word, [Value::Event]).unwrap_or_default();
        match reading(scene, &taken)? {
            Value::One(stands) if stands == *value => Ok(()),
            _ => Err(Fault::new("HR0402", format!("`{name}` can be read, not changed")).into()),
        }
    }

    fn unknown(&self, scene: &Scene, name: &str) -> Fault {
        let words = || words_of(self.of).map(|word| word.name);
        if self.of != Of::Event {
            return Fault::new("HR0408", no_word(self.of, name));
        }
        match nearest(name, words().chain(scene.field_names())) {
            Some(near) => Fault::new("HR0408", format!("the event has no `{name}`; did you mean `{near}`?")),
            None => scene.no_field(name),
        }
    }
}
