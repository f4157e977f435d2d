//! Rehearsals: a pack's scenarios played, and held against what is kept of them.

use crate::scenario::{Scenario, of_pack};
use crate::snapshot::{keeps, kept, written};
use crate::{Budget, Diagnostic, Pack, Ruleset};
use std::sync::Arc;

/// How a scenario came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestStatus {
    /// As it must, and as it is kept.
    Passed,
    /// It cannot be read, or something did not come as the scenario says.
    Failed,
    /// As the scenario says, but another story than the one that is kept.
    Changed,
    /// As the scenario says, and nothing is kept of it yet.
    New,
}

/// A scenario that was played.
#[derive(Clone, Debug)]
pub struct TestedScenario {
    /// Its name.
    pub name: String,
    /// What it shows, for people; empty if it cannot be read.
    pub about: String,
    /// How it came out.
    pub verdict: TestStatus,
    /// Why it cannot be read.
    pub problems: Vec<Diagnostic>,
    /// What did not come as it must, in sentences.
    pub failures: Vec<String>,
    /// What was told.
    pub told: String,
    /// The digest of the table after every act, so that two runs can be compared.
    pub digests: Vec<String>,
    /// What is kept of an earlier time.
    pub kept: Option<String>,
}

/// Plays one scenario of a pack.
#[must_use]
pub fn rehearse(rules: &Arc<Ruleset>, pack: &Pack, name: &str, text: &str) -> TestedScenario {
    rehearse_within(rules, pack, (name, text), Budget::default())
}

/// Plays one scenario of a pack, given by name and text, with a budget that the
/// host grants.
#[must_use]
pub fn rehearse_within(
    rules: &Arc<Ruleset>,
    pack: &Pack,
    (name, text): (&str, &str),
    budget: Budget,
) -> TestedScenario {
    let id = pack.manifest().map(|manifest| manifest.id).unwrap_or_default();
    let file = pack.file(&snapshot_file(name));
    let blank = TestedScenario {
        name: name.to_owned(),
        about: String::new(),
        verdict: TestStatus::Failed,
        problems: Vec::new(),
        failures: Vec::new(),
        told: String::new(),
        digests: Vec::new(),
        kept: file.map(|file| kept(file).to_owned()),
    };
    match Scenario::read(rules, &format!("{id}/scenarios/{name}.toml"), text) {
        Err(problems) => TestedScenario { problems, ..blank },
        Ok(scenario) => {
            let scenario = Scenario { budget, ..scenario };
            let mut digests = Vec::new();
            let played = scenario.play(rules, &mut |table| {
                digests.push(table.digest().map_err(|fault| fault.to_string())?);
                Ok(())
            });
            let verdict = match file {
                _ if !played.failures.is_empty() => TestStatus::Failed,
                Some(file) if keeps(file, &played.told) => TestStatus::Passed,
                Some(_) => TestStatus::Changed,
                None => TestStatus::New,
            };
            TestedScenario {
                about: scenario.about,
                verdict,
                failures: played.failures,
                told: played.told,
                digests,
                ..blank
            }
        }
    }
}

impl TestedScenario {
    /// The snapshot that would be kept, if there is a reason to write one.
    #[must_use]
    pub fn snapshot(&self) -> Option<String> {
        let worth_it = matches!(self.verdict, TestStatus::Changed | TestStatus::New);
        worth_it.then(|| written(&self.about, &self.told))
    }
}

/// The file of a pack that keeps what a scenario told.
#[must_use]
pub fn snapshot_file(name: &str) -> String {
    format!("scenarios/{name}.snap")
}

/// The snapshots of a pack whose scenario is gone, by name.
#[must_use]
pub fn left_behind(pack: &Pack) -> Vec<String> {
    let scenarios = of_pack(pack);
    let name = |file: &str| Some(file.strip_prefix("scenarios/")?.strip_suffix(".snap")?.to_owned());
    pack.files().filter_map(|(file, _)| name(file)).filter(|name| !scenarios.contains_key(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "[stat.might]\nstart = 3\n[creature.ox]\n";
    const STORY: &str =
        "about = \"an ox is strong\"\ngiven.ox = { like = \"ox\" }\n[[act]]\nafter = { \"ox.might\" = 3 }\n";

    fn pack() -> Pack {
        Pack::new()
            .with("pack.toml", "id = \"farm\"\nversion = \"1\"\ntitle = \"Farm\"\n")
            .with("rules.toml", RULES)
            .with("scenarios/ox.toml", STORY)
    }

    fn came_out(pack: &Pack) -> TestedScenario {
        let rules = houserule_loader::load(std::slice::from_ref(pack), &[]).unwrap();
        rehearse(&rules, pack, "ox", pack.file("scenarios/ox.toml").unwrap())
    }

    #[test]
    fn a_story_is_new_until_it_is_kept_and_passes_then() {
        let pack = pack();
        let first = came_out(&pack);
        assert_eq!(first.verdict, TestStatus::New);
        let pack = pack.with("scenarios/ox.snap", &first.snapshot().unwrap());
        let second = came_out(&pack);
        assert_eq!((second.verdict, second.snapshot()), (TestStatus::Passed, None));
    }

    #[test]
    fn err_another_story_than_the_kept_one_is_changed() {
        let changed = came_out(&pack().with("scenarios/ox.snap", "---\nsource: x\n---\nthe ox is sick\n"));
        assert_eq!((changed.verdict, changed.kept.as_deref()), (TestStatus::Changed, Some("the ox is sick")));
        assert!(changed.snapshot().is_some());
    }

    #[test]
    fn err_what_fails_by_its_own_words_is_never_kept() {
        let failed = came_out(&pack().with("rules.toml", "[stat.might]\nstart = 4\n[creature.ox]\n"));
        assert_eq!((failed.verdict, failed.snapshot()), (TestStatus::Failed, None));
        assert_eq!(failed.failures, ["farm/scenarios/ox.toml:4: act 1: `ox.might` is 4, not 3"]);
    }

    #[test]
    fn err_what_cannot_be_read_fails_with_its_places() {
        let failed = came_out(&pack().with("scenarios/ox.toml", "about = \"an ox\"\ngiven.ox = { like = \"oxx\" }\n"));
        assert_eq!((failed.verdict, failed.problems.len()), (TestStatus::Failed, 1));
        assert_eq!(failed.problems[0].file, "farm/scenarios/ox.toml");
    }

    #[test]
    fn err_a_snapshot_without_its_scenario_is_left_behind() {
        assert_eq!(left_behind(&pack().with("scenarios/cow.snap", "").with("scenarios/ox.snap", "")), ["cow"]);
    }
}
