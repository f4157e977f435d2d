//! Chains that are long but no circle are told as what they are, at load, on small
//! stacks; what is as long as may be loads and plays.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod common;

use common::{Game, rules, wrong};
use std::fmt::Write;

/// Links that each name the next, and the last of them.
fn chain(count: usize, link: impl Fn(usize, usize) -> String, last: impl Fn(usize) -> String) -> String {
    let mut text = (0..count).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "{}", link(at, at + 1));
        text
    });
    text += &last(count);
    text
}

fn stats(count: usize) -> String {
    chain(
        count,
        |at, next| format!("[stat.s{at:04}]\npart.p.value = \"s{next:04}\""),
        |at| format!("[stat.s{at:04}]\nstart = 3\n[creature.one]"),
    )
}

fn creatures(count: usize) -> String {
    chain(count, |at, next| format!("[creature.c{at:04}]\nlike = \"c{next:04}\""), |at| format!("[creature.c{at:04}]"))
}

fn lists(count: usize) -> String {
    let link = |at, next| format!("[steps.l{at:04}]\ndo = [{{ steps = \"l{next:04}\", when = \"round >= 0\" }}]");
    chain(count, link, |at| {
        format!("[steps.l{at:04}]\ndo = [{{ pool = \"p\", add = -1 }}]\n[pool.p]\nmax = 3\n[creature.one]")
    })
}

/// What is told of a text on a stack of half a MiB.
fn told(text: String) -> String {
    let small = std::thread::Builder::new().stack_size(512 * 1024);
    small.spawn(move || wrong(&text)).unwrap().join().unwrap()
}

fn is_long(told: &str, verb: &str, most: usize) {
    let words = format!("{verb} one that {verb} one, and so on for more than {most} in a row [HR0208]");
    assert!(told.contains(&words) && !told.contains("HR0206") && !told.contains("itself:"), "{told}");
}

#[test]
fn err_numbers_that_read_each_other_for_too_long_are_no_circle() {
    for count in [21, 22, 150, 3_900] {
        is_long(&told(stats(count)), "reads", 20);
    }
}

#[test]
fn numbers_that_read_each_other_as_long_as_may_be_are_read() {
    let game = Game::new(&stats(20), &["ann"]);
    assert_eq!(game.read("ann", "s0000"), 3);
}

#[test]
fn err_pages_that_are_like_each_other_for_too_long_are_no_circle() {
    for count in [16, 200, 5_000] {
        is_long(&told(creatures(count)), "is like", 16);
    }
    rules(&creatures(15));
}

#[test]
fn err_lists_that_call_each_other_for_too_long_are_no_circle() {
    for count in [16, 200, 3_000] {
        is_long(&told(lists(count)), "calls", 16);
    }
}

#[test]
fn lists_that_call_each_other_as_long_as_may_be_run() {
    let mut game = Game::new(&lists(15), &["ann"]);
    game.run("ann", "{ steps = \"l0000\" }");
    assert_eq!(game.read("ann", "p"), 2);
}

#[test]
fn err_what_comes_along_by_what_is_held_is_counted() {
    let bag = |name: &str, inner: &str, count: usize| {
        format!("[item.{name}]\nholds = [{}]\n", format!("\"{inner}\", ").repeat(count))
    };
    let text = |count| bag("a", "b", count) + &bag("b", "c", count) + "[item.c]\n[creature.x]\nholds = [\"a\"]";
    assert!(told(text(40)).contains("`x` brings along 1642 things, by what it holds and what these hold [HR0208]"));
    rules(&text(30));
}
