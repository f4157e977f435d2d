//! Says one word of the list to the scene, whatever language it was said in.

use crate::api::{Binder, Of, Word, Work, no_word, words_of};
use crate::handover::Handover;
use crate::scalar::ConversionError;
use crate::value::{ScriptValue, WordArguments, admit};
use houserule_kernel::error::{Fault, nearest};
use houserule_kernel::oracle::Flow;
use houserule_kernel::scene::Scene;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Says a word with what was given to it.
pub(crate) fn say(
    passage: &Handover,
    word: &Word,
    work: impl Work,
    given: Result<Vec<ScriptValue>, ConversionError>,
) -> Result<ScriptValue, String> {
    match given.and_then(|given| admit(word, given)) {
        Ok(taken) => passage.ask(word.name, |scene| work(scene, &taken)),
        Err(wrong) => Err(passage.refuse(word.name, wrong)),
    }
}

type PropertyRead = Rc<dyn Fn(&mut Scene, &WordArguments) -> Flow<ScriptValue>>;

/// The words of one kind that are read without parentheses.
pub(crate) struct Properties {
    of: Of,
    words: BTreeMap<&'static str, (Word, PropertyRead)>,
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
    pub(crate) fn read(&self, passage: &Handover, subject: ScriptValue, name: &str) -> Result<ScriptValue, String> {
        passage.ask(name, |scene| match self.stands(scene, subject, name)? {
            Some(value) => Ok(value),
            None => Err(self.unknown(scene, name).into()),
        })
    }

    /// What stands under a name, if anything does.
    fn stands(&self, scene: &mut Scene, subject: ScriptValue, name: &str) -> Flow<Option<ScriptValue>> {
        if let Some(field) = scene.spoken_field(name).filter(|_| self.of == Of::Event) {
            return Ok(Some(ScriptValue::One(field)));
        }
        let Some((word, reading)) = self.words.get(name) else { return Ok(None) };
        let taken = admit(word, [subject]).map_err(|wrong| Fault::new(wrong.code(), wrong.message()))?;
        reading(scene, &taken).map(Some)
    }

    /// Changes a field of the event; nothing else can be changed. What stands there already may be written: Rhai gives
    /// back what it read after each call on it.
    pub(crate) fn write(
        &self,
        passage: &Handover,
        subject: ScriptValue,
        name: &str,
        value: Result<ScriptValue, ConversionError>,
    ) -> Result<(), String> {
        let value = value.map_err(|wrong| passage.refuse(name, wrong))?;
        passage.ask(name, |scene| match (self.stands(scene, subject, name)?, &value) {
            (Some(stands), value) if stands == *value => Ok(()),
            (Some(_), ScriptValue::One(value)) if scene.spoken_field(name).is_some() && self.of == Of::Event => {
                scene.set_spoken_field(name, value)
            }
            (Some(_), _) => Err(Fault::new("HR0402", format!("`{name}` can be read, not changed")).into()),
            (None, _) => Err(self.unknown(scene, name).into()),
        })
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
