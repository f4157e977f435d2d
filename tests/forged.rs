//! Saves that somebody forged: each number and each name of played fights is replaced by what cannot be, and the digest
//! made to fit. Such a save is refused, or its table works; nothing panics, and nothing is sized by what it says.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    clippy::indexing_slicing,
    reason = "tests may panic"
)]

use houserule::Explain;
use houserule::kernel::error::Fault;
use houserule::kernel::intent::Operation;
use houserule::scenario::{Scenario, of_pack};
use houserule::{Intent, Oracle, Outcome, Pack, Ruleset, Table, shipped};
use rand::rngs::SmallRng;
use rand::{Rng, RngExt, SeedableRng};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

#[path = "common/mod.rs"]
#[expect(dead_code, reason = "only the rules are wanted")]
mod common;

/// What is put in the place of a number.
const NUMBERS: [&str; 8] =
    ["0", "-1", "65535", "2147483647", "-2147483648", "4294967295", "9223372036854775808", "99999999"];

/// Saves of one ruleset.
struct Fights {
    rules: Arc<Ruleset>,
    saves: Vec<String>,
}

/// The table after every so many scenarios of each shipped pack, and of the one that says every word.
fn fights(every: usize) -> Vec<Fights> {
    let words = Pack::read_folder(format!("{}/tests/packs/every_word", env!("CARGO_MANIFEST_DIR"))).unwrap();
    shipped::ids().into_iter().filter_map(shipped::pack).chain([words]).map(|pack| fights_of(&pack, every)).collect()
}

fn fights_of(pack: &Pack, every: usize) -> Fights {
    let rules = common::rules(pack, "lua");
    let mut saves = Vec::new();
    for (name, text) in of_pack(pack).into_iter().step_by(every) {
        let scenario = Scenario::read(&rules, &name, &text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let mut last = None;
        scenario.play(&rules, &mut |table| {
            last = Some(table.save().map_err(|fault| fault.to_string())?);
            Ok(())
        });
        saves.extend(last);
    }
    Fights { rules, saves }
}

/// Where the numbers and the texts of a JSON text stand.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        if bytes[at] == b'"' {
            at += 1;
            while bytes[at] != b'"' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at += 1;
            found.push((start, at));
        } else if bytes[at] == b'-' || bytes[at].is_ascii_digit() {
            while bytes[at] == b'-' || bytes[at].is_ascii_digit() {
                at += 1;
            }
            found.push((start, at));
        } else {
            at += 1;
        }
    }
    found
}

/// The texts with one token replaced by each thing that may stand there.
fn forgeries(text: &str, (start, end): (usize, usize)) -> impl Iterator<Item = String> + '_ {
    let quoted = text[start..end].starts_with('"');
    let number = text[start..end].trim_matches('"').parse::<i64>().is_ok();
    let numbers = NUMBERS
        .iter()
        .filter(move |_| number)
        .map(move |new| if quoted { format!("\"{new}\"") } else { (*new).into() });
    let texts =
        ["\"nobody knows this\"", "\"\""].iter().filter(move |_| quoted && !number).map(|new| (*new).to_owned());
    numbers.chain(texts).map(move |new| format!("{}{new}{}", &text[..start], &text[end..]))
}

/// Loads a forged save, and plays on with it if it is not refused. Whether it was believed.
fn tried(rules: &Arc<Ruleset>, forged: &str) -> bool {
    let loaded = Table::reseal(rules, forged).and_then(|text| Table::load(rules, &text));
    let Ok(mut table) = loaded else { return false };
    used(&mut table);
    true
}

/// Does with a table all that a host may do, whatever comes of it.
fn used(table: &mut Table) {
    for entry in 0..table.journal().done().len() {
        let _ = table.explain(entry, "en").map(|account| account.to_text());
    }
    let _ = table.explain_so_far("en");
    if table.question().is_some() {
        let _ = table.clone().answer(1, &mut Oracle::Seeded);
        let _ = table.clone().answer_in_words("yes", &mut Oracle::Seeded);
        let _ = table.clone().withdraw();
    }
    let _ = table.replayed();
    played_on(&mut table.clone());
    while table.undo(false) {}
    loads_again(table);
    played_on(&mut table.clone());
    while table.redo() {}
    loads_again(table);
    played_on(table);
    loads_again(table);
}

fn loads_again(table: &Table) {
    Table::load(table.rules(), &table.save().unwrap()).unwrap();
}

fn played_on(table: &mut Table) {
    let names: Vec<String> = table.state().present().map(|(_, entity)| entity.name.to_string()).take(4).collect();
    let rules = Arc::clone(table.rules());
    let action = rules.actions.iter().next().map(|(action, _)| rules.name(action).to_owned()).unwrap_or_default();
    for name in &names {
        let _ = table.act(&Intent::new(&action).by(name).at(&names[0]));
        let _ =
            table.explain_stat(name, rules.stats.iter().next().map_or("", |(stat, _)| rules.name(stat)), None, "en");
    }
    let _ = table.withdraw();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    for deed in [Operation::Next, Operation::Wait { seconds: 100_000 }, Operation::End] {
        let _: Result<Outcome, Fault> = table.perform(&deed);
    }
    let _ = table.begin(&all, &[]);
    let _ = table.next();
}

/// As [`tried`], with the forgery told if it panics.
fn survived(rules: &Arc<Ruleset>, forged: &str, from: &str) -> bool {
    let tried = catch_unwind(AssertUnwindSafe(|| tried(rules, forged)));
    tried.unwrap_or_else(|_| panic!("a forged save panicked: {from}"))
}

fn told(save: &str, (start, end): (usize, usize), forged: &str) -> String {
    let from = save.floor_char_boundary(start.saturating_sub(160));
    let to = forged.floor_char_boundary((start + 30).min(forged.len()));
    format!("`{}` at …{}…", &save[start..end], &forged[from..to])
}

/// The most memory that this process ever held, in KiB, where the system tells it.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

#[test]
fn no_forged_save_harms() {
    let fights = fights(12);
    let before = peak();
    let mut random = SmallRng::seed_from_u64(9);
    let (mut believed, mut refused) = (0, 0);
    for _ in 0..400 {
        let fight = &fights[random.random_range(0..fights.len())];
        let save = &fight.saves[random.random_range(0..fight.saves.len())];
        let tokens = tokens(save);
        let token = tokens[random.random_range(0..tokens.len())];
        let forged: Vec<String> = forgeries(save, token).collect();
        if forged.is_empty() {
            continue;
        }
        let forged = &forged[random.next_u32() as usize % forged.len()];
        if survived(&fight.rules, forged, &told(save, token, forged)) { believed += 1 } else { refused += 1 }
    }
    assert!(believed > 20 && refused > 20, "{believed} believed, {refused} refused");
    assert!(peak() - before < 64 << 10, "{} KiB more", peak() - before);
}

#[test]
#[ignore = "takes minutes: every number and every name of the fights"]
fn no_forged_save_harms_at_all() {
    for fight in fights(40) {
        for save in &fight.saves {
            for token in tokens(save) {
                for forged in forgeries(save, token) {
                    survived(&fight.rules, &forged, &told(save, token, &forged));
                }
            }
        }
    }
}

#[test]
fn an_honest_save_is_believed() {
    for fight in fights(4) {
        for save in &fight.saves {
            let mut table = Table::load(&fight.rules, save).unwrap();
            used(&mut table);
        }
    }
}
