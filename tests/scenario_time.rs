//! A scenario waits by the rounds of its own pack, not of another game's.
#![allow(clippy::panic, reason = "tests may panic")]

use houserule::Pack;
use houserule::scenario::Scenario;

const RULES: &str = "[turn]\nseconds = 10\n[creature.one]\n[condition.spell]\n";
const STORY: &str = r#"
about = "three rounds of ten seconds"
given.ann = { like = "one" }
[[act]]
who = "ann"
run = [{ apply = "spell", rounds = "3" }]
[[act]]
wait = { rounds = 2 }
after = { "ann.condition.spell" = 1 }
[[act]]
wait = { rounds = 1 }
after = { "ann.condition.spell" = 0 }
"#;

#[test]
fn rounds_are_as_long_as_the_pack_says() {
    let pack =
        Pack::new().with("pack.toml", "id = \"slow\"\nversion = \"1\"\ntitle = \"Slow\"").with("rules.toml", RULES);
    let rules = houserule::loader::load(&[pack], &[]).unwrap_or_else(|report| panic!("{report}"));
    let story = Scenario::read(&rules, "story.toml", STORY).unwrap_or_else(|problems| panic!("{problems:?}"));
    let played = story.play(&rules, &mut |_| Ok(()));
    assert!(played.failures.is_empty(), "{:?}", played.failures);
}
