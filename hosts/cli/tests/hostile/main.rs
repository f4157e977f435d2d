//! Hostile hooks, packs and files, each in a process of its own, through the product, with default budgets.
//!
//! `tests/hostile/README.md` says what a case is and what is asserted of it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

mod case;
#[path = "../common/mod.rs"]
mod common;
mod files;
mod hooks;
mod process;
mod report;
mod shipped;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a case may hold above the same command with nothing hostile in it.
const MEMORY: u64 = 64 << 20;

/// The backstop of CPU seconds. The goal in a release build is one second; it is printed, not asserted.
const CPU: u64 = 20;

/// Does a piece of work for every item, a few at a time, and gives what came of each in the order of the items.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((at, item)) = taken(items, &next) {
                    let result = work(item);
                    done.lock().unwrap().push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

fn taken<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    Some((at, items.get(at)?))
}
