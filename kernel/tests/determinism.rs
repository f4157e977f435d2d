//! The same story is the same to the byte, on every run and every thread.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

mod common;

use common::{Game, digest};
use houserule_kernel::intent::{Intent, Operation};
use houserule_kernel::journal::Journal;
use houserule_kernel::oracle::Pending;
use houserule_kernel::ruleset::Ruleset;
use houserule_kernel::state::State;
use houserule_kernel::table::Table;
use houserule_loader::pack::Pack;
use std::process::Command;
use std::thread;

const RULES: &str = r#"
[creature.one]
holds = ["club", "net"]
[item.club]
tags = ["weapon"]
rolls = { hit = "2d6r1[blunt] + 1d4!" }
[item.net]
[tag]
weapon = "w"
blunt = "b"
[stat.hit]
start = 3
[pool.hp]
max = "60"
[damage]
multiply = "reroll"
pools = ["hp"]
[check.attack]
roll = "2d20kh1"
stream = "attack"
bonus = "hit"
against = "12"
degrees = ["miss", "hit", "critical"]
[check.attack.case.hit]
when = "total >= dc"
[check.attack.case.critical]
when = "natural == 20"
[condition.dazed]
value = { min = "1" }
[condition.dazed.modifier.hit]
to = ["hit"]
value = "-value"
[turn]
seconds = 6
start = ["turn.start"]
end = ["turn.end"]
[check.init]
roll = "1d20"
stream = "initiative"
degrees = ["rolled"]
[initiative]
check = "init"
ties = ["roll_off"]
[steps.x]
do = [{ apply = "dazed", value = "1d3", rounds = "1d4" }]
[steps.y]
do = []
[action.strike]
item = "weapon"
targets = "one"
check = "attack"
on.hit = [{ damage = "item.hit" }]
on.critical = [{ damage = "item.hit", times = 2 }]
do = [{ pick = ["x", "y"] }]
"#;

fn fight(seed: u64) -> Table {
    let mut game = Game { table: Table::new(&common::rules(RULES), seed) };
    ["rook", "pawn", "king"].iter().for_each(|name| game.seat(name, "one"));
    let who = game.table.find_all(&["rook", "pawn", "king"]).unwrap();
    game.perform(&Operation::Begin { aware: who.clone(), who });
    for _ in 0..12 {
        let (acting, _) = game.turn();
        let target = if acting == "rook" { "pawn" } else { "rook" };
        let done = game.act(Intent::new("strike").by(&acting).at(target));
        assert!(done.is_done());
        game.next();
    }
    game.table
}

#[test]
fn the_same_seed_gives_the_same_journal_to_the_byte() {
    let first = digest(&fight(7));
    assert_eq!(digest(&fight(7)), first);
    assert_ne!(digest(&fight(8)), first);
}

#[test]
fn another_thread_tells_the_same_story() {
    let here = digest(&fight(7));
    let there: Vec<String> =
        (0..3).map(|_| thread::spawn(|| digest(&fight(7)))).map(|thread| thread.join().unwrap()).collect();
    assert!(there.iter().all(|there| *there == here));
}

#[test]
fn a_table_moves_to_another_thread_in_the_middle_of_play() {
    let table = fight(7);
    let mut stays = Game { table: table.clone() };
    stays.next();
    let moved = thread::spawn(move || {
        let mut game = Game { table };
        game.next();
        digest(&game.table)
    });
    assert_eq!(moved.join().unwrap(), digest(&stays.table));
}

#[test]
fn the_order_of_files_and_packs_never_matters() {
    let files = |names: [&str; 2]| {
        let (first, second) = RULES.split_at(RULES.find("[turn]").unwrap());
        let pack = Pack::new().with("pack.toml", "id = \"home\"\nversion = \"1\"\ntitle = \"Home\"\n");
        let rules = houserule_loader::load(&[pack.with(names[0], first).with(names[1], second)], &[]).unwrap();
        let mut game = Game { table: Table::new(&rules, 7) };
        ["rook", "pawn"].iter().for_each(|name| game.seat(name, "one"));
        assert!(game.act(Intent::new("strike").by("rook").at("pawn")).is_done());
        digest(&game.table)
    };
    assert_eq!(files(["a.toml", "b.toml"]), files(["b.toml", "a.toml"]));
}

#[test]
fn what_is_shared_may_be_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Ruleset>();
    shared::<Table>();
    shared::<State>();
    shared::<Journal>();
    shared::<Pending>();
}

#[test]
fn the_kernel_depends_on_no_script_engine() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let tree = Command::new(cargo)
        .args(["tree", "--offline", "--locked", "-p", "houserule-kernel", "-e", "normal,build", "--prefix", "none"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let told = String::from_utf8(tree.stdout).unwrap();
    assert!(tree.status.success() && told.contains("serde v"), "{}", String::from_utf8_lossy(&tree.stderr));
    for engine in ["mlua", "rhai", "luau"] {
        assert!(!told.lines().any(|line| line.starts_with(engine)), "{told}");
    }
}
