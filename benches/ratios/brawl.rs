//! A fight of four against four, through the kernel and in bare code.

use crate::Case;
use houserule::kernel::entity::StatBlockRef;
use houserule::{Intent, Language, NewEntity, Operation, Pack, Ruleset, Table};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng};
use std::hint::black_box;
use std::sync::Arc;

const RULES: &str = include_str!("brawl.toml");
const DECIDE: &str = include_str!("decide.lua");

fn pack() -> Pack {
    Pack::new().with("pack.toml", "id = \"brawl\"\nversion = \"1\"\ntitle = \"Brawl\"").with("rules.toml", RULES)
}

/// The rules of the fight, maybe with its degrees decided by a script.
pub fn rules(scripted: bool) -> Arc<Ruleset> {
    let languages: Vec<Arc<dyn Language>> = if scripted { houserule_scripts::languages() } else { Vec::new() };
    let pack = if scripted { pack().with("hooks/decide.lua", DECIDE) } else { pack() };
    houserule::loader::load(&[pack], &languages).unwrap_or_else(|report| panic!("{report}"))
}

/// A table with four on each side, and every strike that may be made.
pub struct Arena {
    table: Table,
    strikes: Vec<Vec<Operation>>,
    fight: u32,
}

const NAMES: [&str; 8] = ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"];

impl Arena {
    /// A table for the fight.
    pub fn new(rules: &Arc<Ruleset>) -> Arena {
        let mut table = Table::new(rules, 7);
        let origin = StatBlockRef::Creature(rules.lexicon.find("fighter").unwrap_or_else(|| panic!("no fighter")));
        for name in NAMES {
            let seat = NewEntity {
                name: name.into(),
                origin,
                side: name[..1].into(),
                square: None,
                stats: vec![],
                pools: vec![],
                tags: vec![],
                holds: None,
                owner: None,
            };
            assert!(
                table.perform(&Operation::Seat(Box::new(seat))).unwrap_or_else(|fault| panic!("{fault}")).is_done()
            );
        }
        let strike = |from: &str, to: &str| {
            table.prepare(&Intent::new("strike").by(from).at(to)).unwrap_or_else(|refusal| panic!("{refusal:?}"))
        };
        let strikes = NAMES.iter().map(|from| NAMES.iter().map(|to| strike(from, to)).collect()).collect();
        table.forget_history();
        Arena { table, strikes, fight: 0 }
    }

    /// One fight to its end, each striking the foe with least health; gives the
    /// number of strikes.
    pub fn fight(&mut self) -> u32 {
        let mut table = self.table.clone();
        self.fight = self.fight.wrapping_add(1);
        table.set_fight(self.fight);
        let pool = table.rules().lexicon.find("health").unwrap_or_else(|| panic!("no pool"));
        let ids: Vec<_> = NAMES.iter().filter_map(|name| table.state().find(name)).collect();
        let health = |table: &Table, at: usize| {
            ids.get(at).and_then(|who| table.state().entity(*who)).map_or(0, |entity| entity.pools.get(pool))
        };
        let mut strikes = 0;
        loop {
            for at in 0..8 {
                let foes = if at < 4 { 4..8 } else { 0..4 };
                let foe = foes.filter(|foe| health(&table, *foe) > 0).min_by_key(|foe| health(&table, *foe));
                let Some(foe) = foe else { return strikes };
                if health(&table, at) > 0 {
                    strikes += 1;
                    assert!(table.perform(&self.strikes[at][foe]).unwrap_or_else(|fault| panic!("{fault}")).is_done());
                }
            }
        }
    }
}

/// The same fight by hand.
fn bare(rng: &mut SmallRng) -> u32 {
    let mut health = [30_i32; 8];
    let mut strikes = 0;
    loop {
        for at in 0..8 {
            let foes = if at < 4 { 4..8 } else { 0..4 };
            let Some(foe) = foes.filter(|foe| health[*foe] > 0).min_by_key(|foe| health[*foe]) else { return strikes };
            if health[at] > 0 {
                strikes += 1;
                let natural: i32 = rng.random_range(1..=20);
                let times = if natural == 20 { 2 } else { i32::from(natural != 1 && natural + 6 >= 15) };
                for _ in 0..times {
                    health[foe] = (health[foe] - rng.random_range(1..=8) - 4).max(0);
                }
            }
        }
    }
}

fn case(name: &'static str, goal: u64, scripted: bool) -> Case {
    let (mut arena, mut rng) = (Arena::new(&rules(scripted)), SmallRng::seed_from_u64(7));
    Case {
        name,
        goal,
        deeds: 1,
        ours: Box::new(move || {
            black_box(arena.fight());
        }),
        baseline: Box::new(move || {
            black_box(bare(&mut rng));
        }),
    }
}

/// The cases of this room.
pub fn cases() -> Vec<Case> {
    vec![
        case("13 a fight through the kernel, journal and all / bare code", 500, false),
        case("14 the same, degrees decided in Lua / bare code", 2_000, true),
    ]
}
