//! Programs made at random and written in both languages: whatever they do, they do the same.

use crate::cases;
use crate::program::{Tongue, program, written};
use houserule::{Fault, Intent, Oracle, Outcome, Pack, Ruleset, Table, load_with};
use proptest::prelude::*;
use std::sync::Arc;

fn arena() -> Pack {
    Pack::read_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile/arena")).unwrap()
}

fn rules(language: &str, text: &str) -> Arc<Ruleset> {
    let pack = arena().with(&format!("hooks/twin.{language}"), text);
    let languages = houserule_scripts::languages_preferring(language);
    load_with(vec![pack], &[], &languages).unwrap_or_else(|report| panic!("{language}: {report}\n{text}"))
}

/// What came of it: how it ended, the journal, and the digest.
type End = (Vec<String>, String, String);

fn played(rules: &Arc<Ruleset>, answers: &[i32]) -> End {
    let mut table = Table::new(rules, 7);
    for name in ["ann", "bob"] {
        assert!(table.seat(name, "fighter", name).unwrap().is_done());
    }
    let mut answers = answers.iter().copied().cycle();
    let told = [("ann", "bob"), ("bob", "ann")].map(|(who, whom)| {
        let mut outcome = table.act(&Intent::new("meet").by(who).at(whom));
        while let Ok(Outcome::Asking(_)) = outcome {
            outcome = table.answer(answers.next().unwrap_or(0), &mut Oracle::Seeded);
        }
        ended(outcome)
    });
    let again = table.replayed().unwrap();
    assert_eq!(again.digest().unwrap(), table.digest().unwrap(), "played again it is another table");
    (told.to_vec(), table.journal_json().unwrap(), table.digest().unwrap())
}

/// How it ended, in words without the name of a language.
fn ended(outcome: Result<Outcome, Fault>) -> String {
    match outcome {
        Ok(outcome) => format!("{outcome:?}"),
        Err(fault) => format!("{} {:?}", fault.code, fault.trail).replace(".rhai", ".lua"),
    }
}

fn the_same(lua: &str, rhai: &str, answers: &[i32]) {
    let (one, other) = (rules("lua", lua), rules("rhai", rhai));
    let (first, second) = (played(&one, answers), played(&other, answers));
    assert_eq!(first, second, "\n{lua}\n{rhai}");
    for rules in [&one, &other] {
        assert_eq!(played(rules, answers), first, "again in the same guest:\n{lua}\n{rhai}");
        let elsewhere = std::thread::scope(|scope| scope.spawn(|| played(rules, answers)).join().unwrap());
        assert_eq!(elsewhere, first, "in a fresh guest:\n{lua}\n{rhai}");
    }
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn twins(program in program(), answers in proptest::collection::vec(0..2, 1..4)) {
        the_same(&written(Tongue::Lua, &program), &written(Tongue::Rhai, &program), &answers);
    }
}
