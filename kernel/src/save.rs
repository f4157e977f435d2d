//! A table as text: saved by names, checked before it is believed.

use crate::error::Fault;
use crate::journal::Journal;
use crate::oracle::Pending;
use crate::ruleset::{IncludedPack, Ruleset};
use crate::state::State;
use crate::table::Table;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The form of saves that this kernel writes and reads.
const FORM: u32 = 1;

/// The most bytes of a save.
pub const MOST_BYTES: usize = 64 << 20;

#[derive(Serialize, Deserialize)]
struct Head {
    form: u32,
    packs: Vec<IncludedPack>,
}

#[derive(Serialize)]
struct Written<'a> {
    form: u32,
    packs: &'a [IncludedPack],
    digest: String,
    state: &'a State,
    journal: &'a Journal,
    pending: Option<&'a Pending>,
}

#[derive(Deserialize)]
struct SavedTable {
    digest: String,
    state: State,
    journal: Journal,
    pending: Option<Box<Pending>>,
}

impl Table {
    /// The table as JSON, with the packs it was played by.
    ///
    /// # Errors
    /// `HR0550` if it cannot be written.
    pub fn save(&self) -> Result<String, Fault> {
        let rules = self.rules();
        let written = Written {
            form: FORM,
            packs: &rules.packs,
            digest: self.digest()?,
            state: self.state(),
            journal: self.journal(),
            pending: self.pending(),
        };
        let text = rules.lexicon.naming(|| serde_json::to_string(&written)).map_err(|error| unwritten(&error))?;
        if text.len() > MOST_BYTES {
            let told = format!("a save has at most {MOST_BYTES} bytes; forget the history of the table first");
            return Err(Fault::new("HR0550", told));
        }
        Ok(text)
    }

    /// A table from a save, to be played by the same packs.
    ///
    /// # Errors
    /// `HR0551` if the text is no save, `HR0552` if it was played by other packs
    /// (naming the files that differ), `HR0553` if it was changed by hand, `HR0554`
    /// if it says what cannot be.
    pub fn load(rules: &Arc<Ruleset>, text: &str) -> Result<Table, Fault> {
        if text.len() > MOST_BYTES {
            return Err(Fault::new("HR0551", format!("a save has at most {MOST_BYTES} bytes; this one has more")));
        }
        let head: Head = serde_json::from_str(text).map_err(|error| unread(&error))?;
        if head.form != FORM {
            return Err(Fault::new(
                "HR0551",
                format!("this is a save of form {}, and this kernel reads form {FORM}", head.form),
            ));
        }
        same_packs(&head.packs, &rules.packs)?;
        let read: SavedTable = rules.lexicon.naming(|| serde_json::from_str(text)).map_err(|error| unread(&error))?;
        let table = Table::from_parts(Arc::clone(rules), read.state, read.journal, read.pending);
        if table.digest()? != read.digest {
            return Err(Fault::new("HR0553", "the save was changed by hand: its digest does not fit"));
        }
        crate::validate::save(rules, table.state(), table.journal(), table.pending())?;
        Ok(table)
    }

    /// The text of a save with the digest that fits it, for tests that forge saves:
    /// the digest has no key, so anybody can do this.
    ///
    /// # Errors
    /// `HR0551` if the text is no save.
    #[doc(hidden)]
    pub fn reseal(rules: &Arc<Ruleset>, text: &str) -> Result<String, Fault> {
        let read: SavedTable = rules.lexicon.naming(|| serde_json::from_str(text)).map_err(|error| unread(&error))?;
        let digest = read.digest.clone();
        let table = Table::from_parts(Arc::clone(rules), read.state, read.journal, read.pending);
        Ok(text.replacen(&digest, &table.digest()?, 1))
    }

    /// A short text that two tables share exactly if their state and journal are
    /// the same. What waits for an answer has no part in it.
    ///
    /// # Errors
    /// `HR0550` if the table cannot be written.
    pub fn digest(&self) -> Result<String, Fault> {
        let whole = (self.state(), self.journal());
        let text = self.rules().lexicon.naming(|| serde_json::to_vec(&whole)).map_err(|error| unwritten(&error))?;
        Ok(blake3::hash(&text).to_hex().to_string())
    }

    /// The journal as JSON, by names: equal for equal play, in every language
    /// that a rule may be written in.
    ///
    /// # Errors
    /// `HR0550` if it cannot be written.
    pub fn journal_json(&self) -> Result<String, Fault> {
        self.rules().lexicon.naming(|| serde_json::to_string(self.journal())).map_err(|error| unwritten(&error))
    }
}

impl Table {
    /// The question that waits for an answer as JSON, by names, for hosts in other
    /// languages: who is asked, the text with its arguments, what the answer must
    /// be, the options, the default, whether it binds, and who may see it. It is
    /// answered by an [`Answer`](crate::question::Answer), a number or a list.
    ///
    /// # Errors
    /// `HR0550` if it cannot be written.
    pub fn question_json(&self) -> Result<Option<String>, Fault> {
        let written = |question| self.rules().lexicon.naming(|| serde_json::to_string(question));
        self.question().map(written).transpose().map_err(|error| unwritten(&error))
    }
}

fn unwritten(error: &serde_json::Error) -> Fault {
    Fault::new("HR0550", format!("the table cannot be written: {error}"))
}

fn unread(error: &serde_json::Error) -> Fault {
    Fault::new("HR0551", format!("this is no save: {error}"))
}

fn same_packs(saved: &[IncludedPack], here: &[IncludedPack]) -> Result<(), Fault> {
    let mut differences = Vec::new();
    for pack in saved {
        match here.iter().find(|other| other.id == pack.id) {
            None => differences.push(format!("the pack `{}` is missing", pack.id)),
            Some(other) => differences.extend(differing(pack, other)),
        }
    }
    let new = here.iter().filter(|pack| saved.iter().all(|other| other.id != pack.id));
    differences.extend(new.map(|pack| format!("the pack `{}` was not there", pack.id)));
    if differences.is_empty() {
        return Ok(());
    }
    Err(Fault::new("HR0552", format!("the table was played by other packs: {}", differences.join(", "))))
}

fn differing(saved: &IncludedPack, here: &IncludedPack) -> Vec<String> {
    let hash = |pack: &IncludedPack, name: &str| {
        pack.files.iter().find(|(known, _)| known == name).map(|(_, hash)| hash.clone())
    };
    let mut names: Vec<&String> = saved.files.iter().chain(&here.files).map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    let differs = |name: &&String| hash(saved, name) != hash(here, name);
    names.into_iter().filter(differs).map(|name| format!("`{}/{name}` differs", saved.id)).collect()
}
