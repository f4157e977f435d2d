//! Rulings: steps that a game master writes while the game goes on.

use super::context::{LoadContext, Locals};
use super::steps::nodes;
use crate::pack::{Merged, NodeKind, read_toml};
use crate::problems::Problems;
use houserule_kernel::error::{Fault, Problem};
use houserule_kernel::ruleset::{Ruleset, StepReader};
use houserule_kernel::step::Step;

/// Reads steps as packs write them.
pub(super) struct PackSteps;

impl StepReader for PackSteps {
    fn read(&self, rules: &Ruleset, text: &str) -> Result<Vec<Step>, Fault> {
        let mut problems = Problems::default();
        let table = read_toml(text, 0, &mut problems);
        let merged = Merged::default();
        let desk = LoadContext::of(rules, &merged);
        let steps = match table.get("do").map(|child| &child.node.body) {
            Some(NodeKind::List(list)) => nodes(&desk, list, &Locals::new(), &mut problems),
            _ => Vec::new(),
        };
        match problems.iter().next() {
            Some(problem) => Err(told(problem)),
            None => Ok(steps),
        }
    }
}

fn told(problem: &Problem) -> Fault {
    let help = problem.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    Fault::new("HR0712", format!("the ruling cannot be read: {}{help}", problem.message))
}
