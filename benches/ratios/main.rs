//! Where we stand: each case beside a baseline in the same process, rounds
//! interleaved, medians, and the ratio against its goal.

#![allow(clippy::panic, clippy::indexing_slicing, reason = "a bench may panic")]

mod brawl;
mod dice;
mod hooks;
mod numbers;
mod shipped;

use std::hint::black_box;
use std::time::Instant;

/// How many rounds each pair is measured in.
const ROUNDS: usize = 15;

/// One measured pair.
pub struct Case {
    /// What is measured, with its number among the goals.
    pub name: &'static str,
    /// The ratio we aim at, in hundredths; ours over the baseline.
    pub goal: u64,
    /// How many deeds one call does.
    pub deeds: u64,
    /// Ours.
    pub ours: Box<dyn FnMut()>,
    /// The baseline.
    pub baseline: Box<dyn FnMut()>,
}

/// Picoseconds a deed, of the middle round.
fn median(mut rounds: Vec<u64>) -> u64 {
    rounds.sort_unstable();
    rounds.get(rounds.len() / 2).copied().unwrap_or(0)
}

fn timed(work: &mut dyn FnMut(), calls: u64, deeds: u64) -> u64 {
    let start = Instant::now();
    for _ in 0..calls {
        work();
    }
    let nanoseconds = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    nanoseconds.saturating_mul(1_000) / (calls * deeds).max(1)
}

/// As many calls as take about two milliseconds.
fn calls(work: &mut dyn FnMut(), deeds: u64) -> u64 {
    let one = timed(work, 3, deeds).max(1).saturating_mul(deeds);
    (2_000_000_000 / one).clamp(1, 100_000)
}

fn measure(case: &mut Case) {
    let (mine, theirs) = (calls(&mut case.ours, case.deeds), calls(&mut case.baseline, case.deeds));
    let mut rounds = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        rounds.0.push(timed(&mut case.ours, mine, case.deeds));
        rounds.1.push(timed(&mut case.baseline, theirs, case.deeds));
    }
    let (ours, baseline) = (median(rounds.0), median(rounds.1).max(1));
    let ratio = ours.saturating_mul(100) / baseline;
    let verdict = if ratio <= case.goal { "reached" } else { "missed" };
    println!(
        "{:<58} {:>10} ns {:>10} ns {:>9} x  goal {:>6} x  {verdict}",
        case.name,
        decimal(ours, 1_000),
        decimal(baseline, 1_000),
        decimal(ratio, 100),
        decimal(case.goal, 100)
    );
}

fn decimal(number: u64, unit: u64) -> String {
    format!("{}.{:02}", number / unit, number % unit * 100 / unit)
}

fn main() {
    println!("{:<58} {:>13} {:>13} {:>11}", "case", "ours", "baseline", "ratio");
    let cases = dice::cases().into_iter().chain(numbers::cases()).chain(brawl::cases()).chain(hooks::cases());
    for mut case in cases {
        measure(&mut case);
    }
    shipped::tell();
    black_box(());
}
