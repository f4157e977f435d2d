//! Numbers: a stat with twenty modifiers of six types, with every reason kept.

use crate::Case;
use houserule::kernel::budget::Toil;
use houserule::kernel::change::{StateField, StateValue};
use houserule::kernel::eval::Evaluator;
use houserule::kernel::ident::{EntityId, Serial, StatId};
use houserule::kernel::memo::StatCache;
use houserule::kernel::modifier::AdHocModifier;
use houserule::kernel::situation::Situation;
use houserule::kernel::state::State;
use houserule::kernel::tally::Tally;
use houserule::{Pack, Ruleset, Table};
use std::cell::RefCell;
use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;

fn rules() -> String {
    let mut text = String::new();
    for kind in 0..6 {
        let _ = writeln!(text, "[type.t{kind}]");
    }
    text.push_str("[stat.sum]\nstart = 1\n");
    for part in 0..20 {
        let _ = writeln!(text, "[stat.sum.part.p{part:02}]\nvalue = \"{}\"\ntype = \"t{}\"", part % 7 - 2, part % 6);
    }
    text.push_str("[creature.one]\n");
    text
}

/// The least a stacking of twenty lines can cost: best and worst of each type.
fn scan(lines: &[(u8, i32)]) -> i32 {
    let (mut best, mut worst) = ([0_i32; 8], [0_i32; 8]);
    for (kind, value) in lines {
        let at = usize::from(*kind & 7);
        if let (Some(best), Some(worst)) = (best.get_mut(at), worst.get_mut(at)) {
            *best = (*best).max(*value);
            *worst = (*worst).min(*value);
        }
    }
    best.iter().chain(&worst).sum()
}

/// The same total while its bearer stays as it is.
fn kept_total(rules: &Arc<Ruleset>, who: EntityId, stat: StatId) -> Case {
    let mut table = Table::new(rules, 7);
    assert!(table.seat("one", "one", "a").unwrap_or_else(|fault| panic!("{fault}")).is_done());
    let memo = RefCell::new(StatCache::default());
    let lines: Vec<(u8, i32)> = (0..20_u8).map(|part| (part % 6, i32::from(part % 7) - 2)).collect();
    Case {
        name: "9  the same total, kept / a scan",
        goal: 14,
        deeds: 1,
        ours: Box::new(move || {
            let toil = Toil::full();
            let reckoner = Evaluator::new(table.rules(), table.state(), Situation::of(who), &toil);
            let _ = black_box(Evaluator { memo: Some(&memo), ..reckoner }.stat(who, stat, None));
        }),
        baseline: Box::new(move || {
            black_box(scan(black_box(&lines)));
        }),
    }
}

/// The cases of this room.
pub fn cases() -> Vec<Case> {
    let pack = Pack::new()
        .with("pack.toml", "id = \"bench\"\nversion = \"1\"\ntitle = \"Bench\"")
        .with("rules.toml", &rules());
    let rules = houserule::loader::load(&[pack], &[]).unwrap_or_else(|report| panic!("{report}"));
    let mut table = Table::new(&rules, 7);
    assert!(table.seat("one", "one", "a").unwrap_or_else(|fault| panic!("{fault}")).is_done());
    let (who, stat): (_, StatId) =
        (table.state().find("one"), rules.lexicon.find("sum").unwrap_or_else(|| panic!("no stat")));
    let who = who.unwrap_or_else(|| panic!("nobody"));
    let lines: Vec<(u8, i32)> = (0..20_u8).map(|part| (part % 6, i32::from(part % 7) - 2)).collect();
    let mut tally = Tally::default();
    let (mut state, again) = (table.state().clone(), Arc::clone(&rules));
    let loose = AdHocModifier {
        serial: Serial(9),
        rule: rules.stats.get(stat).rule,
        to: stat,
        kind: rules.untyped,
        value: 3,
        source: None,
        off: false,
    };
    let (mut again_added, other) = (Tally::default(), lines.clone());
    let hot = Case {
        name: "10 add one, total, remove it, total / two scans",
        goal: 600,
        deeds: 1,
        ours: Box::new(move || {
            let toil = Toil::full();
            let read = |state: &State, into: &mut Tally| {
                Evaluator::new(&again, state, Situation::of(who), &toil).tally(who, stat, None, into)
            };
            state.put(StateField::Loose(who, Serial(9)), StateValue::Loose(Box::new(loose.clone())));
            let _ = black_box(read(&state, &mut again_added));
            state.put(StateField::Loose(who, Serial(9)), StateValue::Nothing);
            let _ = black_box(read(&state, &mut again_added));
        }),
        baseline: Box::new(move || {
            black_box(scan(black_box(&other)) + scan(black_box(&other)));
        }),
    };
    let why = Case {
        name: "9  20 modifiers of 6 types, every reason kept / a scan",
        goal: 400,
        deeds: 1,
        ours: Box::new(move || {
            let toil = Toil::full();
            let reckoner = Evaluator::new(table.rules(), table.state(), Situation::of(who), &toil);
            let _ = black_box(reckoner.tally(who, stat, None, &mut tally));
        }),
        baseline: Box::new(move || {
            black_box(scan(black_box(&lines)));
        }),
    };
    vec![why, kept_total(&rules, who, stat), hot]
}
