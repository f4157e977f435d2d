//! How much more than the default a pack asks for one intent to be allowed. The host decides.

use super::fields::FieldReader;
use super::node::TomlNode;
use houserule_kernel::budget::{COUNTED, RequestedLimits};
use houserule_kernel::error::{Problem, Span};

/// The most characters of a reason.
const LONGEST_REASON: usize = 200;

/// Reads `[limits]`.
pub(super) fn requested_limits(node: &TomlNode, f: &mut FieldReader<'_, '_>) -> RequestedLimits {
    let mut f = f.inside(node, "`limits`");
    let mut amounts = Vec::new();
    for counted in &COUNTED {
        let ceiling = i32::try_from(counted.ceiling).unwrap_or(i32::MAX);
        let amount = f.int_in(counted.name, 1..=ceiling).and_then(|amount| u32::try_from(amount).ok());
        amounts.extend(amount.map(|amount| (counted.name, amount)));
    }
    let because = f.required_text("because");
    let reason = because.map(|because| (because.text.clone(), because.span)).unwrap_or_default();
    if because.is_some() {
        f.problems().extend(unreasonable(&reason.0, reason.1));
    }
    f.close();
    RequestedLimits { amounts, because: reason.0 }
}

/// A reason that is none, or not one line.
fn unreasonable(reason: &str, span: Span) -> Option<Problem> {
    let one_line = !reason.trim().is_empty() && !reason.contains('\n') && reason.chars().count() <= LONGEST_REASON;
    let problem = Problem::new("HR0205", span, "`because` is no reason in one line");
    (!one_line).then(|| problem.help(format!("say why in one line of at most {LONGEST_REASON} characters")))
}

#[cfg(test)]
mod tests {
    use crate::pack::{Manifest, Pack};
    use houserule_kernel::budget::Budget;

    fn manifest(limits: &str) -> Result<Manifest, String> {
        let text = format!("id = 'x'\nversion = '1'\ntitle = 'X'\n{limits}\n");
        let told = |problems: Vec<_>| problems.iter().map(ToString::to_string).collect::<Vec<String>>().join("\n");
        Pack::new()
            .with("pack.toml", &text)
            .manifest()
            .map_err(|problems: Vec<houserule_kernel::error::Diagnostic>| told(problems))
    }

    #[test]
    fn a_pack_asks_for_more_and_gets_no_less() {
        let limits = manifest("[limits]\nfuel = 5_000_000\ndraws = 20_000\nevents = 5\nbecause = 'a battle'").unwrap();
        let limits = limits.limits;
        assert_eq!(limits.amounts, [("draws", 20_000), ("events", 5), ("fuel", 5_000_000)]);
        assert_eq!(limits.because, "a battle");
        let granted = Budget { draws: 20_000, fuel: 5_000_000, ..Budget::default() };
        assert_eq!(limits.granted(Budget::default()), granted);
        assert_eq!(manifest("").unwrap().limits.granted(Budget::default()), Budget::default());
    }

    #[test]
    fn err_what_cannot_be_asked_is_told_with_the_ceiling_and_the_nearest_name() {
        let told = |limits: &str| manifest(limits).unwrap_err();
        insta::assert_snapshot!(told("[limits]\ndraws = 100_001\nfule = 3\ndepth = 0\nevents = '9'"), @r##"
        x/pack.toml:4:1: `limits` lacks the field `because` [HR0202]; add `because = …`
        x/pack.toml:5:9: `draws` cannot be `100001` [HR0205]; a number lies here between `1` and `100000`
        x/pack.toml:6:1: unknown field `fule` [HR0201]; did you mean `fuel`?
        x/pack.toml:7:9: `depth` cannot be `0` [HR0205]; a number lies here between `1` and `16`
        x/pack.toml:8:10: `events` must be a whole number, not the text `9` [HR0203]; write `9` without quotes
        "##);
        for (limits, told_of) in [
            ("[limits]\nfuel = 9_999_999_999\nbecause = 'x'", "9_999_999_999"),
            ("[limits]\nfuel = 1.5\nbecause = 'x'", "`1.5` is not a whole number"),
            ("[limits]\nbecause = \"a\\nb\"", "`because` is no reason in one line"),
            ("[limits]\nbecause = ' '", "`because` is no reason in one line"),
            ("limits = 3", "`limits` must be a table, not the number `3`"),
        ] {
            assert!(told(limits).contains(told_of), "{}", told(limits));
        }
    }
}
