//! The guests of this thread: virtual machines, built when first needed.

use crate::error::Fault;
use crate::ruleset::Ruleset;
use crate::script::Guest;
use std::cell::RefCell;
use std::rc::Rc;

/// How many guests a thread keeps; the oldest makes room.
const MOST_GUESTS: usize = 8;

type CachedGuest = ((u64, usize), Rc<dyn Guest>);

thread_local! {
    static GUESTS: RefCell<Vec<CachedGuest>> = const { RefCell::new(Vec::new()) };
}

/// The guest of this thread for one language of a ruleset.
///
/// # Errors
/// If its files no longer declare what they declared when they were checked.
pub fn of(rules: &Ruleset, language: usize) -> Result<Rc<dyn Guest>, Fault> {
    let key = (rules.serial, language);
    let kept =
        GUESTS.with_borrow(|guests| guests.iter().find(|(known, _)| *known == key).map(|(_, guest)| Rc::clone(guest)));
    match kept {
        Some(guest) => Ok(guest),
        None => build(rules, language, key),
    }
}

fn build(rules: &Ruleset, language: usize, key: (u64, usize)) -> Result<Rc<dyn Guest>, Fault> {
    let unknown = || Fault::of_intent("HR0401", "a hook is written in a language that this host does not speak");
    let (speaker, scripts) = rules.languages.get(language).zip(rules.scripts.get(language)).ok_or_else(unknown)?;
    let guest: Rc<dyn Guest> = Rc::from(speaker.guest(scripts)?);
    GUESTS.with_borrow_mut(|guests| {
        if guests.len() >= MOST_GUESTS {
            guests.remove(0);
        }
        guests.push((key, Rc::clone(&guest)));
    });
    Ok(guest)
}

/// Drops a guest that can no longer be trusted; the next call builds another.
pub fn dismiss(rules: &Ruleset, language: usize) {
    GUESTS.with_borrow_mut(|guests| guests.retain(|(known, _)| *known != (rules.serial, language)));
}
