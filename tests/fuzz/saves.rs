//! Saves that were changed by hand: refused, or played on with.

use crate::near::{edited, edits, garbage};
use crate::{cases, rules};
use houserule::{Intent, Oracle, Outcome, Table};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::OnceLock;

/// A save with a question that waits for its answer.
fn asking() -> &'static str {
    static SAVE: OnceLock<String> = OnceLock::new();
    SAVE.get_or_init(|| {
        let mut table = Table::new(rules(), 1);
        assert!(table.seat("rook", "knight", "a").unwrap().is_done());
        assert!(table.seat("dent", "squire", "b").unwrap().is_done());
        let strike = Intent::new("strike").by("rook").at("dent");
        assert!(matches!(table.act(&strike).unwrap(), Outcome::Asking(_)));
        table.save().unwrap()
    })
}

fn go_on(table: &mut Table) {
    for answer in [0, 1, -1, i32::MAX] {
        let _ = table.clone().answer(answer, &mut Oracle::Seeded);
    }
    let _ = table.clone().withdraw();
    while table.undo(false) {}
    while table.redo() {}
    let _ = (table.save(), table.replayed(), table.begin(&["rook", "dent"], &["rook"]), table.next());
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn saves(edits in edits(), wild in garbage()) {
        for text in [edited(asking(), &edits), wild] {
            match Table::load(rules(), &text) {
                Err(fault) => prop_assert!(fault.code.starts_with("HR05"), "{fault}"),
                Ok(mut table) => go_on(&mut table),
            }
        }
    }

    #[test]
    fn questions_in_saves(edits in edits()) {
        let (head, pending) = asking().split_once("\"pending\":").unwrap();
        let text = format!("{head}\"pending\":{}", edited(pending, &edits));
        if let Ok(mut table) = Table::load(rules(), &text) {
            go_on(&mut table);
        }
    }

    #[test]
    fn numbers_in_questions_of_saves(changes in proptest::collection::vec((any::<Index>(), any::<i32>()), 1..4)) {
        let (head, pending) = asking().split_once("\"pending\":").unwrap();
        let numbers: Vec<&str> = pending.split(|sign: char| !sign.is_ascii_digit()).filter(|number| !number.is_empty()).collect();
        let pending = changes.iter().fold(pending.to_owned(), |pending, (at, number)| {
            pending.replace(&format!(":{}", numbers[at.index(numbers.len())]), &format!(":{number}"))
        });
        if let Ok(mut table) = Table::load(rules(), &format!("{head}\"pending\":{pending}")) {
            go_on(&mut table);
        }
    }
}
