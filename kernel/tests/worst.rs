//! The dearest intents that rules of data can ask for within the default budgets: each ends by a count. The test prints
//! how long they took; run it in release with `--ignored --nocapture`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod common;

use common::*;
use houserule_kernel::entity::StatBlockRef;
use std::fmt::Write as _;
use std::time::Instant;

/// A list of steps that does one step some 38,000 times.
fn often(step: &str) -> String {
    let mut text = format!("[steps.s0]\ndo = [{step}]\n");
    for level in 1..=4 {
        let calls = format!("{{ steps = \"s{}\" }},", level - 1).repeat(14);
        let _ = writeln!(text, "[steps.s{level}]\ndo = [{calls}]");
    }
    text
}

struct Case {
    name: &'static str,
    rules: String,
    step: &'static str,
    crowd: usize,
}

fn cases() -> Vec<Case> {
    let modifiers = |count: usize, to: &str, value: &str| {
        (0..count).fold(String::new(), |mut text, number| {
            let _ = writeln!(text, "[stat.{to}.part.p{number}]\nvalue = \"{value}\"");
            text
        })
    };
    let mut cases = vec![
        Case { name: "things", rules: String::new(), step: r#"{ create = "bag" }"#, crowd: 0 },
        Case {
            name: "everybody listens",
            rules:
                "[event.e]\n[hook.h]\non = \"e\"\nbearer = \"everybody\"\nwhen = \"stat_a > 3\"\ndo = [{ tag = \"mark\" }]\n"
                    .into(),
            step: r#"{ event = "e" }"#,
            crowd: 900,
        },
        Case {
            name: "many parts",
            rules: modifiers(900, "stat_a", "1"),
            step: r#"{ count = "c", add = "stat_a - stat_a", when = "stat_a > -5" }"#,
            crowd: 0,
        },
        Case {
            name: "many open parts",
            rules: modifiers(400, "stat_a", "count.c + round"),
            step: r#"{ count = "c", add = "stat_a - stat_a" }"#,
            crowd: 0,
        },
        Case {
            name: "a long formula",
            rules: String::new(),
            step: r#"{ count = "c", add = "0 * (c1 + c1 * c1 + c1 + c1 + c1 + c1 + c1 + c1 + c1 + c1 + c1 + c1 + c1)" }"#,
            crowd: 0,
        },
        Case {
            name: "somebody pushed among many",
            rules: String::new(),
            step: r#"{ push = "5", who = "bearer", way = "1" }"#,
            crowd: 900,
        },
        Case {
            name: "conditions come and go",
            rules: String::new(),
            step: r#"{ apply = "odd" }, { remove = "odd" }"#,
            crowd: 0,
        },
        Case {
            name: "a zone that walks",
            rules: "[item.glow]\nradius = \"5000\"\nmodifier.m = { to = \"stat_a\", value = \"1\", on = \"near\" }\n".into(),
            step: r#"{ push = "5", who = "bearer", way = "1" }, { create = "glow", when = "count.c == 0" }, { count = "c", add = "1" }"#,
            crowd: 300,
        },
        Case { name: "lines told", rules: String::new(), step: r#"{ say = "no" }"#, crowd: 0 },
    ];
    cases.iter_mut().for_each(|case| case.step = case.step.to_owned().replace("c1", "count.c").leak());
    cases
}

#[test]
#[ignore = "prints how long the dearest intents take"]
fn the_dearest_intents_end_by_a_count() {
    for case in cases() {
        let base = "[tag]\nmark = \"odd\"\n[stat.stat_a]\n[count.c]\n[creature.one]\n[item.bag]\n[condition.odd]\n";
        let text = format!("{base}{}{}", case.rules, often(case.step));
        let read = houserule_loader::load(&[pack(&text)], &[]);
        let Ok(rules) = read.map_err(|report| println!("{}: {report}", case.name)) else { continue };
        let mut game = Game { table: houserule_kernel::table::Table::new(&rules, 42) };
        let page = StatBlockRef::Creature(game.id("one"));
        game.lay("rook", page, 0, 1);
        for number in 0..case.crowd {
            let page = StatBlockRef::Creature(game.id("one"));
            game.lay(&format!("p{number}"), page, i32::try_from(number).unwrap(), 0);
        }
        let deed = game.ruling("rook", None, r#"{ steps = "s4" }"#);
        let begun = Instant::now();
        let ended = game.table.perform(&deed).map(|_| "done".to_owned()).unwrap_or_else(|fault| fault.to_string());
        println!("{}: {} ms, {}", case.name, begun.elapsed().as_millis(), ended.lines().next().unwrap_or(""));
    }
}
