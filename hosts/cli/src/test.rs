//! `houserule test`: the scenarios of a pack, held against what they say and what is kept of them.

use crate::ExitStatus as Exit;
use crate::args::TestArgs;
use crate::fs::write;
use crate::limits;
use crate::output::{Colour, Output};
use crate::packs::{FoundPack, Library};
use crate::report::{CliError, Finding, in_file};
use houserule::kernel::error::nearest;
use houserule::scenario::of_pack;
use houserule::scenario_test::{TestStatus, TestedScenario, left_behind, rehearse_within, snapshot_file};
use houserule::{Budget, Pack};
use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeMap;
use std::path::Path;

/// How many lines around a difference are shown.
const AROUND: usize = 2;
/// How many lines of what differs are shown.
const MOST_DIFFERING: usize = 400;

/// How many scenarios came out in which way.
#[derive(Default)]
struct Counts {
    passed: u32,
    failed: u32,
    changed: u32,
    new: u32,
    accepted: u32,
}

/// Plays the scenarios of a pack.
///
/// # Errors
/// If the pack is not found or wrong, if none of its scenarios was meant, or if
/// something should be kept and cannot be written.
pub fn test(args: &TestArgs, library: &Library, screen: &mut Output) -> Result<Exit, CliError> {
    let FoundPack { pack, folder } = library.locate(&args.pack)?;
    let keep_in = match (args.accept, &folder) {
        (false, _) => None,
        (true, Some(folder)) => Some(folder.as_path()),
        (true, None) => return Err(built_in(&args.pack).into()),
    };
    let scenarios = meant(&pack, args)?;
    let rules = library.load(vec![pack.clone()], &[])?;
    let budget = if args.allow_limits { rules.budget_asked() } else { Budget::default() };
    let (mut counts, mut told, mut stopped) = (Counts::default(), Vec::new(), false);
    for (name, text) in &scenarios {
        let mut one = rehearse_within(&rules, &pack, (name, text), budget);
        for failure in &mut one.failures {
            if let Some((file, told)) = failure.split_once(':') {
                *failure = format!("{}:{told}", library.path_of(file));
            }
        }
        one.problems.iter_mut().for_each(|problem| problem.file = library.path_of(&problem.file));
        let accepted = keep(&one, keep_in)?;
        counts.add(one.verdict, accepted);
        stopped |= one.failures.iter().any(|failure| limits::is_stop(failure));
        told.push(as_json(&one, accepted));
        if one.verdict != TestStatus::Passed {
            tell(&one, accepted, text, screen);
        }
    }
    let left = if args.filter.is_none() { left_behind(&pack) } else { Vec::new() };
    screen.complain(&left.iter().map(|name| no_scenario_of(name)).collect::<Vec<_>>());
    let more = if stopped { limits::asked(&rules, args.allow_limits) } else { None };
    more.iter().for_each(|more| screen.say(more));
    screen.say(&counts.told());
    screen.give(&counts.as_json(told, &left));
    Ok(if counts.failed + counts.changed + counts.new == 0 { Exit::Fine } else { Exit::Findings })
}

/// The scenarios that the command line means.
fn meant(pack: &Pack, args: &TestArgs) -> Result<BTreeMap<String, String>, CliError> {
    let mut scenarios = of_pack(pack);
    let Some(filter) = &args.filter else { return Ok(scenarios) };
    let near = nearest(filter, scenarios.keys().map(String::as_str)).map(str::to_owned);
    scenarios.retain(|name, _| name.contains(filter.as_str()));
    if scenarios.is_empty() {
        let finding = Finding::new("HR0914", format!("no scenario of `{}` has `{filter}` in its name", args.pack));
        let help = near.map_or_else(|| "leave `--filter` away".to_owned(), |near| format!("did you mean `{near}`?"));
        return Err(finding.help(help).into());
    }
    Ok(scenarios)
}

fn built_in(pack: &str) -> Finding {
    let message = format!("`{pack}` is built in, and nothing can be kept beside its scenarios");
    Finding::new("HR0912", message).help("name a folder, such as `./mine`")
}

fn no_scenario_of(name: &str) -> Finding {
    let message = format!("`{}` lies beside no scenario", snapshot_file(name));
    Finding::new("HR0913", message).help(format!("take it away, or write `scenarios/{name}.toml`")).warning()
}

/// Writes the snapshot, if one is wanted; says whether it did.
fn keep(one: &TestedScenario, folder: Option<&Path>) -> Result<bool, CliError> {
    match (folder, one.snapshot()) {
        (Some(folder), Some(snapshot)) => {
            write(folder, &snapshot_file(&one.name), &snapshot)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

fn tell(one: &TestedScenario, accepted: bool, text: &str, screen: &mut Output) {
    let (colour, word) = word(one.verdict);
    let name = &one.name;
    let rest = match one.verdict {
        _ if accepted => " (accepted)".to_owned(),
        TestStatus::Failed => String::new(),
        TestStatus::Changed => ": it tells another story than its snapshot; keep this one with `--accept`".to_owned(),
        TestStatus::Passed | TestStatus::New => ": it has no snapshot yet; keep this one with `--accept`".to_owned(),
    };
    screen.paint(colour, word, &format!(" {name}{rest}"));
    one.failures.iter().flat_map(|failure| failure.split('\n')).for_each(|line| screen.say(&format!("  {line}")));
    screen.show(&in_file(&one.problems, text).0);
    difference(one, screen);
}

fn word(verdict: TestStatus) -> (Colour, &'static str) {
    match verdict {
        TestStatus::Passed => (Colour::Green, "passed"),
        TestStatus::Failed => (Colour::Red, "failed"),
        TestStatus::Changed => (Colour::Red, "changed"),
        TestStatus::New => (Colour::Yellow, "new"),
    }
}

/// The lines that are not as they were kept, with some around them. Of what
/// cannot be read nothing was told.
fn difference(one: &TestedScenario, screen: &mut Output) {
    if !one.problems.is_empty() {
        return;
    }
    let ended = |told: &str| if told.is_empty() { String::new() } else { format!("{told}\n") };
    let (was, is) = (ended(one.kept.as_deref().unwrap_or_default()), ended(one.told.trim_end()));
    let diff = TextDiff::from_lines(&was, &is);
    let mut left = MOST_DIFFERING;
    for (at, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if at > 0 {
            screen.say("    …");
        }
        for change in group.iter().flat_map(|part| diff.iter_changes(part)) {
            if left == 0 {
                return screen.say("    … and more");
            }
            left -= 1;
            let line = |sign| format!("  {sign} {}", change.value()).trim_end().to_owned();
            match change.tag() {
                ChangeTag::Delete => screen.paint(Colour::Red, &line('-'), ""),
                ChangeTag::Insert => screen.paint(Colour::Green, &line('+'), ""),
                ChangeTag::Equal => screen.say(&line(' ')),
            }
        }
    }
}

fn as_json(one: &TestedScenario, accepted: bool) -> Value {
    json!({
        "name": one.name,
        "about": one.about,
        "verdict": word(one.verdict).1,
        "accepted": accepted,
        "failures": one.failures,
        "problems": one.problems,
        "told": one.told,
        "digests": one.digests,
        "kept": one.kept,
    })
}

impl Counts {
    /// What is accepted has passed: its own words held.
    fn add(&mut self, verdict: TestStatus, accepted: bool) {
        self.accepted += u32::from(accepted);
        match verdict {
            _ if accepted => self.passed += 1,
            TestStatus::Passed => self.passed += 1,
            TestStatus::Failed => self.failed += 1,
            TestStatus::Changed => self.changed += 1,
            TestStatus::New => self.new += 1,
        }
    }

    fn told(&self) -> String {
        let all = self.passed + self.failed + self.changed + self.new;
        let mut told = format!("{all} scenario{}: {} passed", if all == 1 { "" } else { "s" }, self.passed);
        let others =
            [(self.failed, "failed"), (self.changed, "changed"), (self.new, "new"), (self.accepted, "accepted")];
        for (count, word) in others {
            if count > 0 {
                told.push_str(&format!(", {count} {word}"));
            }
        }
        told
    }

    fn as_json(&self, scenarios: Vec<Value>, left: &[String]) -> Value {
        json!({
            "scenarios": scenarios,
            "left_behind": left,
            "passed": self.passed,
            "failed": self.failed,
            "changed": self.changed,
            "new": self.new,
            "accepted": self.accepted,
        })
    }
}
