//! What actions cost: pools, bundles, and one pool in the place of another.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod common;

use common::{Game, refusal};
use houserule_kernel::intent::{Intent, Operation};
use houserule_kernel::table::Outcome;

const RULES: &str = r#"
[creature.one]
[tag]
strike = "s"
[turn]
seconds = 6
start = ["turn.start"]
[check.init]
roll = "1d20"
degrees = ["rolled"]
[initiative]
check = "init"
[pool.actions]
max = "2"
resets = "turn.start"
[pool.quick]
max = "1"
resets = "turn.start"
[pool.slow]
max = "1"
resets = "turn.start"
[trade.quick]
from = "quick"
to = "actions"
when = "action has strike and not (bearer has strike)"
first = true
[trade.slow]
from = "slow"
to = "actions"
[action.strike]
tags = ["strike"]
cost = { actions = 1 }
[action.flurry]
tags = ["strike"]
cost = { actions = 3 }
[action.walk]
cost = { actions = 1 }
"#;

fn game() -> Game {
    let mut game = Game::new(RULES, &["rook"]);
    let rook = game.who("rook");
    game.taped(&Operation::Begin { who: [rook].into(), aware: [rook].into() }, &["10"]);
    game
}

fn act(game: &mut Game, action: &str) -> Outcome {
    let deed = game.table.prepare(&Intent::new(action).by("rook")).unwrap();
    game.table.perform(&deed).unwrap()
}

fn left(game: &Game) -> [i32; 3] {
    ["quick", "actions", "slow"].map(|pool| game.read("rook", pool))
}

#[test]
fn a_trade_that_comes_first_is_taken_before_what_is_there() {
    let mut game = game();
    assert!(act(&mut game, "strike").is_done());
    assert_eq!(left(&game), [0, 2, 1]);
    assert!(act(&mut game, "strike").is_done());
    assert_eq!(left(&game), [0, 1, 1]);
}

#[test]
fn a_trade_serves_only_what_its_question_says_yes_of() {
    let mut game = game();
    for after in [[1, 1, 1], [1, 0, 1], [1, 0, 0]] {
        assert!(act(&mut game, "walk").is_done());
        assert_eq!(left(&game), after);
    }
    let refused = refusal(act(&mut game, "walk"));
    assert_eq!((&*refused.code, left(&game)), ("HR0707", [1, 0, 0]), "the quick one is for strikes");
    assert!(act(&mut game, "strike").is_done());
}

#[test]
fn one_cost_may_be_paid_from_several_pools() {
    let mut game = game();
    game.run("rook", r#"{ pool = "slow", set = "0" }"#);
    assert!(act(&mut game, "flurry").is_done());
    assert_eq!(left(&game), [0, 0, 0]);
}

#[test]
fn err_who_may_not_trade_pays_nothing() {
    let mut game = game();
    game.run("rook", r#"{ tag = "strike" }, { pool = "slow", set = "0" }"#);
    assert_eq!(&*refusal(act(&mut game, "flurry")).code, "HR0707");
    assert_eq!(left(&game), [1, 2, 0]);
}
