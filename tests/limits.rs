//! The ceiling of nesting holds on the stack of a thread, in both languages.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use houserule::kernel::budget::COUNTED;
use houserule::scenario_test::{TestStatus, rehearse_within};
use houserule::{Budget, Pack, load_with};
use std::fmt::Write as _;

const RULES: &str = "[creature.ox]\n[stat.wit]\n[check.wit]\nroll = \"1d6\"\nbonus = \"wit\"\ndegrees = [\"a\", \"b\"]\ncase.b.when = \"total > 3\"\n[turn]\nseconds = 6\nstart = [\"turn.start\"]\n[initiative]\ncheck = \"wit\"\n";
const STORY: &str = "about = \"a turn begins\"\ngiven.ox = { like = \"ox\" }\n[[act]]\nbegin = true\n";

/// A pack whose events raise each other so deep.
fn nested(deep: u32, limits: &str) -> Pack {
    let (mut lua, mut rhai, mut rules) = (String::new(), String::new(), RULES.to_owned());
    let event = |at: u32| if at == 0 { "turn.start".to_owned() } else { format!("e.{at}") };
    for at in 0..deep {
        let (this, next) = (event(at), event(at + 1));
        let _ = writeln!(lua, "on(\"{this}\", {{ name = \"h{at}\" }}, function(ev) raise(\"{next}\") end)");
        let _ = writeln!(rhai, "on(\"{this}\", #{{ name: \"h{at}\" }}, |ev| {{ raise(\"{next}\"); }});");
        let _ = writeln!(rules, "[event.\"{next}\"]\nbefore = true");
    }
    Pack::new()
        .with("pack.toml", &format!("id = \"deep\"\nversion = \"1\"\ntitle = \"Deep\"\n{limits}"))
        .with("rules.toml", &rules)
        .with("hooks/h.lua", &lua)
        .with("hooks/h.rhai", &rhai)
}

#[test]
fn a_budget_that_is_granted_holds_to_its_ceiling_on_the_stack_of_a_thread() {
    let ceiling = COUNTED.iter().find(|counted| counted.name == "depth").unwrap().ceiling;
    let limits = format!("[limits]\ndepth = {ceiling}\nbecause = \"nests\"\n");
    for language in ["lua", "rhai"] {
        let languages = houserule_scripts::languages_preferring(language);
        for (deep, passes) in [(ceiling, true), (ceiling + 1, false)] {
            let pack = nested(deep, &limits);
            let rules = load_with(vec![pack.clone()], &[], &languages).unwrap_or_else(|report| panic!("{report}"));
            let asked = rules.budget_asked();
            assert_eq!(asked, Budget { depth: ceiling, ..Budget::default() });
            let stopped = |budget| {
                let told = rehearse_within(&rules, &pack, ("turn", STORY), budget);
                assert!(told.failures.iter().all(|told| told.contains("HR0526")), "{:?}", told.failures);
                told.verdict == TestStatus::Failed
            };
            assert!(stopped(Budget::default()), "{language} {deep}: asking gives nothing");
            assert_eq!(stopped(asked), !passes, "{language} {deep}");
        }
    }
}
