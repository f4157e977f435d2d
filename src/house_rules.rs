//! House rules: the settings of switches, and who answers questions, as encounters and scenarios state them.

use crate::{Policies, Problem, Problems, Ruleset};
use houserule_kernel::error::nearest;
use houserule_kernel::ident::OptionId;
use houserule_loader::load::context::LoadContext;
use houserule_loader::load::time::setting;
use houserule_loader::pack::{FieldReader, Merged, NodeKind, Spanned, TomlEntry};

/// The profile, then the options over it.
pub fn settings(rules: &Ruleset, f: &mut FieldReader<'_, '_>) -> Vec<(OptionId, i32)> {
    let mut settings = Vec::new();
    if let Some(phrase) = f.text("profile") {
        match rules.profiles.iter().find(|(name, _)| **name == *phrase.text) {
            Some((_, profile)) => settings.extend(profile.iter().copied()),
            None => {
                let near = nearest(phrase, rules.profiles.iter().map(|(name, _)| &**name))
                    .map(|near| format!("did you mean `{near}`?"));
                let problem = Problem::new("HR0203", phrase.span, format!("there is no profile `{}`", phrase.text));
                f.problems().push(Problem { help: near, ..problem });
            }
        }
    }
    for child in f.table("options") {
        settings.extend(option(rules, child, f.problems()));
    }
    settings
}

fn option(rules: &Ruleset, child: &TomlEntry, problems: &mut Problems) -> Option<(OptionId, i32)> {
    let merged = Merged::default();
    let desk = LoadContext::of(rules, &merged);
    let id: OptionId = desk.id(&Spanned { text: child.name.clone(), span: child.span }, problems)?;
    let choices = rules
        .options
        .get(id)
        .choices
        .iter()
        .map(|choice| Spanned { text: rules.name(*choice).to_owned(), span: child.span });
    let choices: Vec<Spanned> = choices.collect();
    let choices: Vec<&Spanned> = choices.iter().collect();
    setting(&choices, &child.node, problems).map(|value| (id, value))
}

/// Who answers which questions instead of the people at the table: `[answers]`.
pub fn policies(rules: &Ruleset, f: &mut FieldReader<'_, '_>) -> Policies {
    let mut policies = Policies::default();
    for child in f.table("answers") {
        let policy = match &child.node.body {
            NodeKind::Broken => continue,
            NodeKind::Text(policy) => policy.text.clone(),
            NodeKind::Int(number) => number.to_string(),
            NodeKind::Yes(answer) => if *answer { "always" } else { "never" }.to_owned(),
            _ => {
                let told = "a policy is `ask`, `always`, `never`, `default` or an expression";
                f.problems().push(Problem::new("HR0203", child.node.span, told));
                continue;
            }
        };
        if let Err(fault) = policies.set(rules, &child.name, &policy) {
            let span = if fault.code == "HR0713" { child.span } else { child.node.span };
            f.problems().push(Problem::new("HR0713", span, fault.message));
        }
    }
    policies
}
