//! What leads back to itself is told at load, with the way round.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod common;

use common::wrong;

#[test]
fn err_stats_that_read_each_other_in_a_circle_are_told() {
    let told = wrong(
        r#"[stat.a.part.p]
value = "b"
[stat.b.part.p]
value = "c + 1"
[stat.c.part.p]
value = "a""#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:5:14: `a` reads itself: a > b > c > a [HR0206]; let one of them read a given stat instead"#);
}

#[test]
fn err_a_pool_whose_maximum_reads_itself_is_told() {
    let told = wrong(
        r#"[pool.p]
max = "p + 1"
[pool.hp]
max = "vigour + 1"
[stat.vigour.part.p]
value = "hp.max""#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:8: `p` reads itself: p > p [HR0206]; let one of them read a given stat instead
    home/rules.toml:5:19: `hp` reads itself: hp > vigour > hp [HR0206]; let one of them read a given stat instead
    "#);
}

#[test]
fn err_conditions_and_tags_that_imply_themselves_are_told() {
    let told = wrong(
        r#"[condition.a]
implies = ["a"]
[condition.b]
implies = ["c"]
[condition.c]
implies = ["d"]
[condition.d]
implies = ["a", "b"]
[tag.x]
implies = "y"
[tag.y]
implies = ["x"]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:13: `a` implies itself: a > a [HR0206]; take one of them out of its `implies`
    home/rules.toml:8:18: `b` implies itself: b > c > d > b [HR0206]; take one of them out of its `implies`
    home/rules.toml:12:13: `x` implies itself: x > y > x [HR0206]; take one of them out of its `implies`
    "#);
}

#[test]
fn err_items_that_hold_themselves_are_told() {
    let told = wrong(
        r#"[item.bag]
holds = ["bag"]
[item.box]
holds = [{ item = "chest" }]
[item.chest]
like = "crate"
[item.crate]
holds = ["box", "box"]
[creature.x]
holds = ["bag"]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:11: `bag` holds itself: bag > bag [HR0206]; take one of them out of its `holds`
    home/rules.toml:8:11: `box` holds itself: box > chest > box [HR0206]; take one of them out of its `holds`
    "#);
}

#[test]
fn err_lists_of_steps_that_call_themselves_in_any_case_are_told() {
    let told = wrong(
        r#"[check.c]
roll = "1d20"
degrees = ["done"]
[steps.one]
do = [{ do = [{ steps = "two" }] }]
[steps.two]
do = [{ steps = "one" }]
[steps.down]
do = [{ steps = "down", when = "round > 1" }, { check = "c", on.done = [{ steps = "down" }] }]
[steps.luck]
do = [{ pick = ["down", "luck"] }, { do = [{ steps = "luck" }], when = "round > 1" }]"#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:7:18: `one` calls itself: one > two > one [HR0206]; say with `when` how it comes to an end"#);
}

#[test]
fn err_what_comes_along_by_way_of_others_ends_soon() {
    for (first, key, verb) in [("condition", "implies", "implies"), ("item", "holds", "holds")] {
        let link = |at: usize| format!("[{first}.c{at:03}]\n{key} = [\"c{:03}\"]\n", at + 1);
        let chain = |most: usize| (0..most).map(link).collect::<String>() + &format!("[{first}.c{most:03}]\n");
        common::rules(&chain(15));
        for most in [16, 1_000] {
            let told = wrong(&chain(most));
            assert!(
                told.contains(&format!("{verb} one that {verb} one, and so on for more than 16 in a row")),
                "{told}"
            );
            assert_eq!(told.lines().count(), 1, "{told}");
        }
    }
}

#[test]
fn err_creatures_that_are_like_each_other_in_a_circle_are_told() {
    let told = wrong(
        r#"[creature.egg]
like = "hen"
[creature.hen]
like = "egg""#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:9: `hen` is like itself, by way of `egg` [HR0206]; break the circle of `like`
    home/rules.toml:4:9: `egg` is like itself, by way of `hen` [HR0206]; break the circle of `like`
    "#);
}
