//! Whole fights of the shipped packs, with their journal: not a ratio, but what a host waits for.

use houserule::encounter::{Encounter, Silent};
use houserule::shipped::pack;
use houserule::{Oracle, load};
use std::time::Instant;

/// A pack, and one of its fights.
const FIGHTS: [(&str, &str); 3] = [("sf1e", "dock_brawl"), ("srd35", "crypt"), ("sf2e", "skirmish_10")];

/// How often each is fought; the fastest counts.
const TIMES: usize = 20;

/// Prints how long each fight takes.
pub fn tell() {
    for (id, name) in FIGHTS {
        let (microseconds, entries) = fastest(id, name);
        println!("{:<58} {microseconds:>10} us {entries:>10} entries", format!("{id}/{name}"));
    }
}

fn fastest(id: &str, name: &str) -> (u128, usize) {
    let rules = load(&[id]).unwrap_or_else(|report| panic!("{report}"));
    let file = format!("encounters/{name}.toml");
    let shipped = pack(id).unwrap_or_else(|| panic!("no pack {id}"));
    let text = shipped.files().find(|(known, _)| *known == file).map_or("", |(_, text)| text);
    let encounter = Encounter::read(&rules, name, text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let fought = (0..TIMES).map(|_| {
        let mut table = encounter.lay(&rules, 7).unwrap_or_else(|fault| panic!("{fault}"));
        let start = Instant::now();
        encounter.play(&mut table, &mut Oracle::Seeded, &mut Silent).unwrap_or_else(|fault| panic!("{fault}"));
        (start.elapsed().as_micros(), table.journal().done().len())
    });
    fought.min().unwrap_or_default()
}
