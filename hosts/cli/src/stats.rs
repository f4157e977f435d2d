//! What a pack is made of: how many rules of each kind, and how many of them are scripts.

use crate::output::Output;
use houserule::Ruleset;
use houserule::kernel::ident::{NameKind, RuleId};
use houserule::kernel::ruleset::HookBody;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The rules of one pack, counted.
#[derive(Debug, Serialize)]
pub struct Stats {
    /// How many of each kind.
    pub rules: BTreeMap<String, u32>,
    /// How many in all.
    pub all: u32,
    /// How many of them are hooks in scripts.
    pub scripts: u32,
}

impl Stats {
    /// Counts the rules that stand in the files of a pack.
    pub fn count(rules: &Ruleset, pack: &str) -> Stats {
        let scripts = scripts(rules);
        let mut stats = Stats { rules: BTreeMap::new(), all: 0, scripts: 0 };
        for name in rules.lexicon.names(NameKind::Rule).iter() {
            let Some(rule) = rules.lexicon.find::<RuleId>(name) else { continue };
            if !rules.place(rule).starts_with(&format!("{pack}/")) {
                continue;
            }
            let script = scripts.contains(&rule);
            let kind = if script { "hook in a script" } else { kind(name) };
            *stats.rules.entry(kind.to_owned()).or_default() += 1;
            stats.all += 1;
            stats.scripts += u32::from(script);
        }
        stats
    }

    /// Tells the counts, the most numerous kind first.
    pub fn tell(&self, screen: &mut Output) {
        let mut kinds: Vec<(&String, &u32)> = self.rules.iter().collect();
        kinds.sort_by_key(|(kind, count)| (std::cmp::Reverse(**count), *kind));
        kinds.iter().for_each(|(kind, count)| screen.say(&format!("  {count:>5}  {kind}")));
        let tenths = self.scripts.saturating_mul(1_000).checked_div(self.all).unwrap_or(0);
        screen.say(&format!(
            "  {:>5}  rules in all; {} hooks in scripts ({}.{} %)",
            self.all,
            self.scripts,
            tenths / 10,
            tenths % 10
        ));
    }
}

fn scripts(rules: &Ruleset) -> BTreeSet<RuleId> {
    let hooks = rules.hooks.iter().flat_map(|(_, hooks)| hooks);
    hooks.filter(|hook| matches!(hook.body, HookBody::Script { .. })).map(|hook| hook.rule).collect()
}

/// What a rule is, by its name: `check` of `check.attack`, `case` of
/// `check.attack.case.critical`. Names of events and hooks have dots of their own.
fn kind(name: &str) -> &str {
    let parts: Vec<&str> = name.split('.').collect();
    match parts.as_slice() {
        [kind @ ("event" | "hook"), ..] => kind,
        [_, inner, _] | [_, _, inner, _] => inner,
        [kind, ..] => kind,
        [] => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_counted_as_what_it_is() {
        let kinds =
            ["check.attack", "check.attack.case.critical", "damage", "damage.stage.armor", "event.turn.start/first"]
                .map(kind);
        assert_eq!(kinds, ["check", "case", "damage", "stage", "event"]);
    }
}
