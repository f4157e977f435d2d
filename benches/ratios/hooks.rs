//! Events and hooks: nobody hears, eight hear, a script hears.

use crate::Case;
use crate::brawl::{Arena, rules};
use houserule::{Intent, Pack, Table};
use std::fmt::Write as _;
use std::hint::black_box;

/// A table on which one check is rolled, with so many hooks of data on it.
fn strike(hooks: usize) -> Box<dyn FnMut()> {
    let mut text = include_str!("brawl.toml").to_owned();
    text.push_str("[count.heard]\n");
    for hook in 0..hooks {
        let _ = writeln!(text, "[hook.h{hook}]\non = \"check.done\"\ndo = [{{ count = \"heard\", add = \"1\" }}]");
    }
    let pack =
        Pack::new().with("pack.toml", "id = \"brawl\"\nversion = \"1\"\ntitle = \"Brawl\"").with("rules.toml", &text);
    let rules = houserule::loader::load(&[pack], &[]).unwrap_or_else(|report| panic!("{report}"));
    let mut table = Table::new(&rules, 7);
    for name in ["ann", "ben"] {
        assert!(table.seat(name, "fighter", name).unwrap_or_else(|fault| panic!("{fault}")).is_done());
    }
    let deed =
        table.prepare(&Intent::new("strike").by("ann").at("ben")).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    Box::new(move || {
        let _ = black_box(table.perform(&deed));
        table.forget_history();
    })
}

/// The cases of this room.
pub fn cases() -> Vec<Case> {
    let (mut plain, mut scripted) = (Arena::new(&rules(false)), Arena::new(&rules(true)));
    vec![
        Case {
            name: "11 a strike that 8 hooks of data hear / that nobody hears",
            goal: 300,
            deeds: 1,
            ours: strike(8),
            baseline: strike(0),
        },
        Case {
            name: "16 a fight with a Lua hook a strike / the same without",
            goal: 600,
            deeds: 1,
            ours: Box::new(move || {
                black_box(scripted.fight());
            }),
            baseline: Box::new(move || {
                black_box(plain.fight());
            }),
        },
    ]
}
