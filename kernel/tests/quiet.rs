//! A strike that nobody hears allocates nothing once the table is warm.

use houserule_kernel::intent::Intent;
use houserule_kernel::table::{Outcome, Table};
use houserule_loader::pack::Pack;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

#[expect(unsafe_code, reason = "a counting allocator can be written in no other way")]
// SAFETY: every call is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const RULES: &str = r#"
[tag]
weapon = "a thing to strike with"
blunt = "a type of damage"
[type.might]
[stat.might.part.base]
value = "2"
[stat.strike.part.might]
value = "might"
type = "might"
[stat.guard]
start = 10
[pool.health]
max = "100000"
[check.strike]
roll = "1d20"
bonus = "strike"
against = "target.guard"
degrees = ["miss", "hit"]
[check.strike.case.hit]
when = "natural == 20 or total >= dc"
[damage]
order = ["least"]
pools = ["health"]
[damage.stage.least]
when = "amount < 1"
amount = "1"
[action.strike]
item = "weapon"
targets = { one = "creature" }
check = "strike"
on.hit = [{ damage = "item.blow", bonus = "might" }]
[creature.fighter]
holds = ["club"]
[item.club]
tags = ["weapon"]
rolls = { blow = "1d6[blunt]" }
"#;

#[test]
fn a_warm_strike_allocates_nothing() {
    let pack =
        Pack::new().with("pack.toml", "id = \"quiet\"\nversion = \"1\"\ntitle = \"Quiet\"").with("rules.toml", RULES);
    let rules = houserule_loader::load(&[pack], &[]).unwrap_or_else(|report| panic!("{report}"));
    let mut table = Table::new(&rules, 7);
    for (name, side) in [("ann", "a"), ("ben", "b")] {
        assert!(table.seat(name, "fighter", side).unwrap().is_done());
    }
    let deed = table.prepare(&Intent::new("strike").by("ann").with("club").at("ben")).unwrap();
    for _ in 0..200 {
        assert!(table.perform(&deed).unwrap().is_done());
    }
    table.forget_history();
    let before = COUNT.with(Cell::get);
    for _ in 0..100 {
        assert!(matches!(table.perform(&deed), Ok(Outcome::Done(_))));
    }
    assert_eq!(COUNT.with(Cell::get) - before, 0, "a strike allocated");
}
