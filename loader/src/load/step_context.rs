//! Finds steps that stand where nothing runs, and nobody is, that they could
//! have to do with.

use crate::problems::Problems;
use houserule_kernel::action::TargetCount;
use houserule_kernel::error::Problem;
use houserule_kernel::ident::*;
use houserule_kernel::ruleset::{HookBody, Ruleset};
use houserule_kernel::situation::Who;
use houserule_kernel::step::{Step, Verb};

/// Where a list of steps stands.
#[derive(Clone, Copy)]
enum StepContext {
    /// In an action, and whether it has a target.
    Action { aimed: bool },
    /// In a condition: when it begins or ends, or in a tick.
    Condition,
    /// In what answers to an event.
    Answer(EventId),
    /// In a named list, which may be called from anywhere.
    Named,
}

/// One problem for each step that could never do anything where it stands.
pub fn misplaced(rules: &Ruleset, problems: &mut Problems) {
    let mut look = |steps: &[Step], place| look_at(rules, steps, place, problems);
    for (_, action) in rules.actions.iter() {
        let place = StepContext::Action { aimed: action.aim != TargetCount::Nobody };
        let by_degree = action.on.iter().map(|(_, steps)| steps);
        [&action.once, &action.each].into_iter().chain(by_degree).for_each(|steps| look(steps, place));
    }
    for (_, condition) in rules.conditions.iter() {
        let ticks = condition.ticks.iter().map(|tick| &tick.steps);
        [&condition.start, &condition.end]
            .into_iter()
            .chain(ticks)
            .for_each(|steps| look(steps, StepContext::Condition));
    }
    for (event, hooks) in rules.hooks.iter() {
        for hook in hooks {
            if let HookBody::Steps(steps) = &hook.body {
                look(steps, StepContext::Answer(event));
            }
        }
    }
    rules.steps.iter().for_each(|(_, steps)| look(steps, StepContext::Named));
    rules.reactions.iter().for_each(|(_, reaction)| look(&reaction.steps, StepContext::Answer(reaction.window)));
}

fn look_at(rules: &Ruleset, steps: &[Step], place: StepContext, problems: &mut Problems) {
    for step in steps {
        let found = match place {
            StepContext::Named => None,
            place => out_of_place(rules, &step.deed, place).or_else(|| without_target(step, place)),
        };
        if let Some((message, help)) = found {
            problems.push(Problem::new("HR0211", step.span, message).label("never does anything here").help(help));
        }
        problems.extend(raised_by_the_kernel(rules, step));
        match &step.deed {
            Verb::Group(steps, _) => look_at(rules, steps, place, problems),
            Verb::Check(trial) => trial.on.iter().for_each(|(_, steps)| look_at(rules, steps, place, problems)),
            _ => {}
        }
    }
}

/// A step that raises what only the kernel raises. The phases that end a turn may
/// be brought forward: what waits for them is due early then.
fn raised_by_the_kernel(rules: &Ruleset, step: &Step) -> Option<Problem> {
    let Verb::Raise { event, .. } = &step.deed else { return None };
    let told = format!("`{}` is raised by the kernel alone, when it happens", rules.name(*event));
    let problem = Problem::new("HR0534", step.span, told).label("not for rules to raise");
    let help = "raise an event of your own, `[event.NAME]`, or do what brings it about";
    (!rules.may_raise(*event)).then(|| problem.help(help))
}

type Misplacement = Option<(String, &'static str)>;

fn out_of_place(rules: &Ruleset, deed: &Verb, place: StepContext) -> Misplacement {
    let known = &rules.known;
    let (verb, fits, needs, help) = match deed {
        Verb::Become(_) => ("become", may_check(rules, place), "a running check", IN_CHECK),
        Verb::Reroll(_) => ("reroll", may_check(rules, place), "a running check", IN_CHECK),
        Verb::Bonus { .. } => {
            let late = matches!(place, StepContext::Answer(event) if event == known.check_degree);
            ("bonus", may_check(rules, place) && !late, "a check whose degree is not known yet", IN_CHECK)
        }
        Verb::Reduce(_) => {
            let dealt =
                |event| event == known.damage_begin || rules.dealing.stages.iter().any(|stage| stage.event == event);
            let fits = matches!(place, StepContext::Answer(event) if dealt(event));
            ("reduce", fits, "damage that is being dealt", "write it in a hook on `damage.begin` or a stage of damage")
        }
        Verb::Prevent(_) => {
            let help = "write it in a hook on an event before something happens, such as `condition.begin`";
            ("prevent", may_prevent(rules, place), "an event that can be prevented", help)
        }
        Verb::Refuse(_) => {
            let fits = matches!(place, StepContext::Answer(event) if event == known.action_begin);
            (
                "refuse",
                fits,
                "an action that begins",
                "write it in a hook on `action.begin`, or say `requires` in the action",
            )
        }
        _ => return None,
    };
    (!fits).then(|| (format!("`{verb}` needs {needs}, and there is none {}", named(rules, place)), help))
}

const IN_CHECK: &str = "write it in a hook on `check.rolled` or the like";

fn named(rules: &Ruleset, place: StepContext) -> String {
    match place {
        StepContext::Action { .. } => "in the steps of an action".to_owned(),
        StepContext::Condition => "in the steps of a condition".to_owned(),
        StepContext::Answer(event) => format!("in `{}`", rules.name(event)),
        StepContext::Named => "in a list of steps".to_owned(),
    }
}

/// Whether a check may run: in its windows, and in what may happen or be raised
/// by the steps of such a window.
fn may_check(rules: &Ruleset, place: StepContext) -> bool {
    let StepContext::Answer(event) = place else { return false };
    let name = rules.name(event);
    let is_kernels = houserule_kernel::event::KERNEL_EVENTS.iter().any(|(known, ..)| *known == name);
    let is_phase = [&rules.turn.round_start, &rules.turn.start, &rules.turn.end, &rules.turn.round_end];
    let nested = name.starts_with("condition.") || name.starts_with("pool.");
    let declared = !is_kernels && !name.starts_with("damage/") && !is_phase.iter().any(|phase| phase.contains(&event));
    rules.known.check_windows().contains(&event) || nested || declared
}

fn may_prevent(rules: &Ruleset, place: StepContext) -> bool {
    let StepContext::Answer(event) = place else { return false };
    rules.events.get(event).before && !rules.known.check_windows().contains(&event)
}

/// A step to the target where there is none.
fn without_target(step: &Step, place: StepContext) -> Misplacement {
    let missing = matches!(place, StepContext::Condition | StepContext::Action { aimed: false });
    let to_somebody =
        !matches!(step.deed, Verb::Group(..) | Verb::Say(_) | Verb::Steps(_) | Verb::Pick(_) | Verb::Hook(_));
    let help = match place {
        StepContext::Action { .. } => "say whom with `targets = { one = \"creature\" }`, or write `to = \"bearer\"`",
        _ => "write `to = \"bearer\"`, or `to = \"source\"` for who caused it",
    };
    let message = || match place {
        StepContext::Action { .. } => "this is done to the target, and the action has none".to_owned(),
        _ => "this is done to the target, and a condition has none".to_owned(),
    };
    (missing && to_somebody && step.who == Who::Target).then(|| (message(), help))
}
