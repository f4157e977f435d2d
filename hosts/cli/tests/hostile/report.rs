//! What cases cost, as a table of kinds and languages.

use crate::process::Ran;
use std::collections::BTreeMap;
use std::time::Duration;

/// What one case came to.
pub struct Judged {
    /// Its name without the language.
    pub name: String,
    /// Its language, or what else it is.
    pub column: String,
    /// What is wrong with it.
    pub wrong: Vec<String>,
    /// The most CPU that a run of it took.
    pub cpu: Duration,
    /// The most memory that a run of it held above the command alone.
    pub memory: u64,
}

impl Judged {
    /// Nothing is wrong yet.
    pub fn new(name: &str, column: &str, runs: &[&Ran], base: u64) -> Judged {
        let cpu = runs.iter().map(|ran| ran.cpu).max().unwrap_or_default();
        let memory = runs.iter().map(|ran| ran.memory).max().unwrap_or_default();
        let mut judged = Judged {
            name: name.to_owned(),
            column: column.to_owned(),
            wrong: Vec::new(),
            cpu,
            memory: memory.saturating_sub(base),
        };
        judged.must(runs.iter().all(|ran| matches!(ran.code, Some(0 | 1))), || {
            let ended: Vec<String> = runs.iter().map(|ran| format!("{:?}, {}", ran.code, head(&ran.err))).collect();
            format!("it ended neither with 0 nor with 1: {}", ended.join("; "))
        });
        judged.must(cpu.as_secs() < crate::CPU, || format!("it took {} s of CPU", cpu.as_secs()));
        let held = judged.memory;
        judged.must(held <= crate::MEMORY, || format!("it held {} MiB above the command alone", held >> 20));
        judged
    }

    /// Complains if something does not hold.
    pub fn must(&mut self, holds: bool, complaint: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(complaint());
        }
    }

    /// The kind of attack: the first word of the name.
    fn kind(&self) -> &str {
        self.name.split('_').next().unwrap_or_default()
    }
}

/// The beginning of a text.
pub fn head(text: &str) -> String {
    text.chars().take(400).collect()
}

/// Prints the worst of every kind and the worst single cases, and fails if anything is wrong.
pub fn judge(judged: &[Judged], mut wrong: Vec<String>) {
    let mut kinds: BTreeMap<(&str, &str), (usize, Duration, u64)> = BTreeMap::new();
    for one in judged {
        let worst = kinds.entry((one.kind(), &one.column)).or_default();
        *worst = (worst.0 + 1, worst.1.max(one.cpu), worst.2.max(one.memory));
    }
    println!("| kind | in | cases | worst CPU | most memory above the command alone |\n|---|---|---|---|---|");
    for ((kind, column), (cases, cpu, memory)) in kinds {
        println!("| {kind} | {column} | {cases} | {:.2} s | {:.1} MiB |", cpu.as_secs_f64(), mebibytes(memory));
    }
    for one in judged {
        wrong.extend(one.wrong.iter().map(|told| format!("{} ({}): {told}", one.name, one.column)));
    }
    assert!(wrong.is_empty(), "{} complaints:\n{}", wrong.len(), wrong.join("\n"));
}

fn mebibytes(bytes: u64) -> f64 {
    #[expect(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "it is only shown")]
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    mebibytes
}
