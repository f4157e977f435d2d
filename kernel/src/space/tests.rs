//! What squares, lines and areas must come to, beside foolish models.

use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const RULES: [DiagonalRule; 3] = [DiagonalRule::One, DiagonalRule::Alternate, DiagonalRule::Two];

fn grid(diagonals: DiagonalRule) -> Grid {
    Grid { diagonals, feet_per_square: NonZeroU16::new(5).unwrap(), two_takes_corners: true }
}

fn square(x: i32, y: i32) -> Square {
    Square { x, y }
}

fn body(x: i32, y: i32, side: u16) -> Footprint {
    Footprint { corner: square(x, y), side }
}

fn squares_of(body: Footprint) -> Vec<Square> {
    around(body, 0).collect()
}

/// Steps from square to square, cheapest first, remembering whether the next diagonal is dear.
fn walked(from: Square, rule: DiagonalRule) -> BTreeMap<Square, i32> {
    let mut seen = BTreeSet::new();
    let mut open = BTreeSet::from([(0, from, false)]);
    let mut costs = BTreeMap::new();
    while let Some((cost, at, dear)) = open.pop_first() {
        if at.x.abs() > 8 || at.y.abs() > 8 || !seen.insert((at, dear)) {
            continue;
        }
        costs.entry(at).or_insert(cost);
        for (x, y) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))) {
            let diagonal = x != 0 && y != 0;
            let step = match rule {
                DiagonalRule::Alternate if diagonal && dear => 2,
                DiagonalRule::Two if diagonal => 2,
                _ => 1,
            };
            open.insert((cost + step, square(at.x + x, at.y + y), dear != diagonal));
        }
    }
    costs
}

proptest! {
    #[test]
    fn a_burst_catches_a_body_if_one_of_its_squares_lies_in_it(
        x in -6_i32..7, y in -6_i32..7, side in 1_u16..4, feet in -5_i32..40, rule in 0_usize..3, crossing: bool
    ) {
        let (grid, middle, there) = (grid(RULES[rule]), square(1, -1), body(x, y, side));
        let centre = if crossing { Centre::Crossing(middle) } else { Centre::Square(middle) };
        let listed = grid.burst(centre, feet).any(|square| squares_of(there).contains(&square));
        prop_assert_eq!(grid.burst_catches(centre, feet, there), listed);
    }
}

#[test]
fn four_diagonals_are_six_squares_by_turns() {
    let away = |rule| grid(rule).distance(body(0, 0, 1), body(4, 4, 1));
    assert_eq!(RULES.map(away), [4, 6, 8]);
}

#[test]
fn large_bodies_are_measured_from_their_nearest_squares() {
    let near = |a, b| grid(DiagonalRule::Alternate).distance(a, b);
    assert_eq!(near(body(0, 0, 2), body(2, 0, 1)), 1);
    assert_eq!(near(body(0, 0, 3), body(1, 1, 1)), 0);
    assert_eq!(near(body(0, 0, 2), body(3, 3, 2)), 3);
}

#[test]
fn two_squares_of_reach_take_corners_only_where_the_game_says_so() {
    let (rook, wall) = (body(0, 0, 1), body(2, 2, 1));
    let plain = Grid { two_takes_corners: false, ..grid(DiagonalRule::Alternate) };
    assert!(grid(DiagonalRule::Alternate).in_reach(rook, wall, 10));
    assert!(!plain.in_reach(rook, wall, 10));
    assert!(!grid(DiagonalRule::Alternate).in_reach(rook, body(3, 3, 1), 15));
    assert_eq!(grid(DiagonalRule::Alternate).reached(rook, 10).count(), 24);
    assert_eq!(plain.reached(rook, 10).count(), 20);
}

#[test]
fn no_reach_needs_a_shared_square_and_threatens_none() {
    let rule = grid(DiagonalRule::Alternate);
    assert!(rule.in_reach(body(1, 1, 1), body(0, 0, 2), 0));
    assert!(!rule.in_reach(body(2, 1, 1), body(0, 0, 2), 4));
    assert_eq!(rule.reached(body(0, 0, 1), 4).count(), 0);
}

#[test]
fn a_negative_reach_reaches_nothing() {
    let rule = grid(DiagonalRule::One);
    assert!(!rule.in_reach(body(0, 0, 1), body(0, 0, 1), -1));
    assert_eq!(rule.reached(body(0, 0, 3), -5).count(), 0);
    assert_eq!(rule.burst(Centre::Square(square(0, 0)), -1).count(), 0);
}

#[test]
fn bursts_have_the_published_number_of_squares() {
    let crossing = |rule, feet| grid(rule).burst(Centre::Crossing(square(3, -2)), feet).count();
    assert_eq!([5, 10, 15, 20].map(|feet| crossing(DiagonalRule::Alternate, feet)), [4, 12, 24, 44]);
    assert_eq!([0, 5, 10].map(|feet| crossing(DiagonalRule::One, feet)), [0, 4, 16]);
    assert_eq!([5, 10].map(|feet| crossing(DiagonalRule::Two, feet)), [4, 12]);
    let round = |rule, feet| grid(rule).burst(Centre::Square(square(3, -2)), feet).count();
    assert_eq!([0, 5, 10].map(|feet| round(DiagonalRule::Alternate, feet)), [1, 9, 21]);
    assert_eq!([0, 5, 10].map(|feet| round(DiagonalRule::Two, feet)), [1, 5, 13]);
}

#[test]
fn a_line_through_corners_goes_on_diagonally() {
    let steps: Vec<Square> = line(square(0, 0), square(2, 2)).collect();
    assert_eq!(steps, [square(0, 0), square(1, 1), square(2, 2)]);
    let steps: Vec<Square> = line(square(0, 0), square(-1, 2)).collect();
    assert_eq!(steps, [square(0, 0), square(0, 1), square(-1, 1), square(-1, 2)]);
    assert_eq!(line(square(4, 4), square(4, 4)).count(), 1);
}

#[test]
fn opposite_sides_and_corners_are_opposite() {
    let wall = body(0, 0, 1);
    assert!(opposite(body(-1, 0, 1), body(1, 0, 1), wall));
    assert!(opposite(body(-1, -1, 1), body(1, 1, 1), wall));
    assert!(opposite(body(0, 2, 1), body(0, -1, 1), wall));
    assert!(!opposite(body(-1, 0, 1), body(1, 1, 1), wall));
    assert!(!opposite(body(-1, 0, 1), body(0, 1, 1), wall));
    assert!(!opposite(body(-1, 1, 1), body(1, 1, 1), wall));
}

#[test]
fn round_a_large_target_a_step_aside_may_still_be_opposite() {
    let wall = body(0, 0, 2);
    assert!(opposite(body(-1, 0, 1), body(2, 1, 1), wall));
    assert!(opposite(body(-1, -1, 1), body(2, 2, 1), wall));
    assert!(!opposite(body(-1, 0, 1), body(0, 2, 1), wall));
    assert!(opposite(body(-2, 0, 2), body(2, 1, 1), wall));
}

#[test]
fn nobody_is_opposite_to_itself_or_from_one_side() {
    let wall = body(0, 0, 1);
    assert!(!opposite(body(-1, 0, 1), body(-1, 0, 1), wall));
    assert!(!opposite(body(-1, 0, 1), body(-3, 0, 1), wall));
    assert!(!opposite(wall, body(1, 0, 1), wall));
}

#[test]
fn a_row_of_squares_is_a_wall_without_chinks() {
    let row: Vec<Footprint> = (-4..=8).map(|y| body(3, y, 1)).collect();
    assert_eq!(crossed_lines(body(0, 2, 1), body(6, 2, 1), &row), 4);
    let slant: Vec<Footprint> = (-4..=8).map(|n| body(n, 4 - n, 1)).collect();
    assert_eq!(crossed_lines(body(0, 0, 1), body(4, 4, 1), &slant), 4);
}

#[test]
fn one_post_leaves_a_good_corner_some_lines() {
    assert_eq!(crossed_lines(body(0, 0, 1), body(4, 0, 1), &[]), 0);
    assert_eq!(crossed_lines(body(0, 0, 1), body(4, 0, 1), &[body(2, 0, 1)]), 2);
    assert_eq!(crossed_lines(body(0, 0, 1), body(4, 0, 1), &[body(2, 1, 1)]), 0);
    assert!(centre_line_crossed(body(0, 0, 1), body(4, 0, 1), &[body(2, 0, 1)]));
    assert!(!centre_line_crossed(body(0, 0, 1), body(4, 0, 1), &[body(2, 1, 1), body(5, 0, 1)]));
}

#[test]
fn what_stands_beside_neighbours_is_not_in_their_way() {
    let beside = [body(0, 1, 1), body(1, 1, 1), body(0, -1, 1), body(2, 0, 1), body(1, -1, 1)];
    assert_eq!(crossed_lines(body(0, 0, 1), body(1, 0, 1), &beside[..2]), 0);
    assert_eq!(crossed_lines(body(0, 0, 1), body(1, 0, 1), &beside), 0);
}

#[test]
fn squares_off_the_map_are_refused() {
    assert_eq!(Square::checked(1_000_000, -1_000_000).unwrap(), square(LIMIT, -LIMIT));
    let fault = Square::checked(0, 1_000_001).unwrap_err();
    assert_eq!(fault.to_string(), "the map ends 1000000 squares from its middle, before `1000001` [HR0560]");
    assert!(Square::checked(i64::MIN, 0).is_err());
    assert!(serde_json::from_str::<Square>("[0, 1000001]").is_err());
    assert!(serde_json::from_str::<Square>("[0, 0.5]").is_err());
}

#[test]
fn bodies_without_a_side_are_refused() {
    assert_eq!(Footprint::checked(0, 0, 0).unwrap_err().code, "HR0561");
    assert!(Footprint::checked(0, 0, 65_536).is_err());
    assert!(serde_json::from_str::<Footprint>("[0, 0, -1]").is_err());
    assert_eq!(serde_json::to_string(&body(1, -2, 3)).unwrap(), "[1,-2,3]");
    assert_eq!(serde_json::from_str::<Footprint>("[1, -2, 3]").unwrap(), body(1, -2, 3));
}

#[test]
fn a_grid_without_feet_or_with_unknown_words_is_refused() {
    let read = |text: &str| toml::from_str::<Grid>(text);
    assert_eq!(read("diagonals = 'one'\nfeet_per_square = 5").unwrap().diagonals, DiagonalRule::One);
    assert!(read("diagonals = 'one'\nfeet_per_square = 0").is_err());
    assert!(read("diagonals = 'three'\nfeet_per_square = 5").is_err());
    assert!(read("diagonals = 'one'\nfeet_per_square = 5\nfeet = 5").is_err());
}

#[test]
fn squares_built_beyond_the_map_count_as_its_edge() {
    let (low, high) = (body(i32::MIN, i32::MIN, 0), body(i32::MAX, i32::MAX, u16::MAX));
    assert_eq!(grid(DiagonalRule::Two).distance(low, high), 4 * LIMIT);
    assert!(!opposite(low, body(0, 0, 1), high));
    assert!(opposite(low, high, body(0, 0, u16::MAX)));
    assert_eq!(line(square(i32::MAX, 0), square(LIMIT, 0)).count(), 1);
    assert_eq!(grid(DiagonalRule::One).reached(high, 5).count(), 3);
    assert_eq!(crossed_lines(low, high, &[body(-9, -9, u16::MAX)]), 4);
    assert!(centre_line_crossed(high, low, &[body(0, 0, u16::MAX)]));
}

fn some_square() -> impl Strategy<Value = Square> {
    (-6_i32..=6, -6_i32..=6).prop_map(|(x, y)| square(x, y))
}

fn some_body() -> impl Strategy<Value = Footprint> {
    (some_square(), 1_u16..=3).prop_map(|(corner, side)| Footprint { corner, side })
}

fn mirrored(body: Footprint) -> Footprint {
    let Square { x, y } = body.corner;
    Footprint { corner: square(y, -x - i32::from(body.side) + 1), side: body.side }
}

proptest! {
    #[test]
    fn distance_is_the_cheapest_walk(a in some_body(), b in some_body(), rule in 0_usize..3) {
        let rule = RULES[rule];
        let ways = squares_of(a).into_iter().map(|from| walked(from, rule));
        let best = ways.flat_map(|costs| squares_of(b).into_iter().map(move |to| costs[&to])).min().unwrap();
        prop_assert_eq!(grid(rule).distance(a, b), best);
        prop_assert_eq!(grid(rule).distance(b, a), best);
    }

    #[test]
    fn threatened_squares_are_those_in_reach(a in some_body(), reach in 0_i32..20, rule in 0_usize..3) {
        let rule = grid(RULES[rule]);
        let own = squares_of(a);
        let model: Vec<Square> = around(a, 6)
            .filter(|at| !own.contains(at) && rule.in_reach(a, Footprint::from(*at), reach))
            .collect();
        prop_assert_eq!(rule.reached(a, reach).collect::<Vec<_>>(), model);
    }

    #[test]
    fn a_way_is_the_shortest_walk(a in some_square(), b in some_square(), rule in 0_usize..3) {
        let (mut at, mut cost, mut aslant) = (a, 0, 0);
        for step in way(a, b) {
            let (x, y) = ((step.x - at.x).abs(), (step.y - at.y).abs());
            prop_assert!(x.max(y) == 1, "{at:?} to {step:?}");
            aslant += u32::from(x == y);
            cost += RULES[rule].step(x == y, aslant);
            at = step;
        }
        prop_assert_eq!(at, b);
        prop_assert_eq!(cost, grid(RULES[rule]).distance(Footprint::from(a), Footprint::from(b)));
    }

    #[test]
    fn a_line_is_the_squares_it_splits(a in some_square(), b in some_square()) {
        let there: Vec<Square> = line(a, b).collect();
        let mut back: Vec<Square> = line(b, a).collect();
        back.reverse();
        prop_assert_eq!(&there, &back);
        let middle = Segment { from: Footprint::from(a).centre(), to: Footprint::from(b).centre() };
        let split = |at: &Square| {
            let sides = Footprint::from(*at).corners().map(|corner| middle.side(corner));
            sides.iter().any(|side| *side > 0) && sides.iter().any(|side| *side < 0)
        };
        let within = |at: &Square| at.x >= a.x.min(b.x) && at.x <= a.x.max(b.x) && at.y >= a.y.min(b.y) && at.y <= a.y.max(b.y);
        let model: BTreeSet<Square> = around(body(0, 0, 1), 7).filter(|at| within(at) && (split(at) || *at == a)).collect();
        prop_assert_eq!(there.into_iter().collect::<BTreeSet<_>>(), model);
    }

    #[test]
    fn opposite_has_no_order_and_no_direction(a in some_body(), b in some_body(), target in some_body()) {
        let found = opposite(a, b, target);
        prop_assert_eq!(found, opposite(b, a, target));
        prop_assert_eq!(found, opposite(mirrored(a), mirrored(b), mirrored(target)));
    }

    #[test]
    fn opposite_lines_run_through_or_along_the_target(a in some_body(), b in some_body(), target in some_body()) {
        let between = Segment { from: a.centre(), to: b.centre() };
        if opposite(a, b, target) {
            prop_assert!(between.runs_through(target) || between.touch(target).is_some_and(|touch| touch.first < touch.last));
        }
    }

    #[test]
    fn an_obstacle_blocks_as_much_whole_as_in_squares(
        from in some_body(), to in some_body(), obstacles in proptest::collection::vec(some_body(), 0..5),
    ) {
        let crumbs: Vec<Footprint> = obstacles.iter().flat_map(|whole| squares_of(*whole)).map(Footprint::from).collect();
        let found = crossed_lines(from, to, &obstacles);
        prop_assert_eq!(found, crossed_lines(from, to, &crumbs));
        prop_assert_eq!(centre_line_crossed(from, to, &obstacles), centre_line_crossed(to, from, &crumbs));
        let turned: Vec<Footprint> = obstacles.iter().map(|whole| mirrored(*whole)).collect();
        prop_assert_eq!(found, crossed_lines(mirrored(from), mirrored(to), &turned));
        let fewer = obstacles.get(1..).unwrap_or(&[]);
        prop_assert!(found >= crossed_lines(from, to, fewer));
    }
}
