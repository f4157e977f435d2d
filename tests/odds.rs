//! Exact odds of scripted rules: every way the dice can fall, run and counted.
#![allow(clippy::expect_used, clippy::panic, reason = "tests may panic")]

use houserule::kernel::chance::Chance;
use houserule::kernel::ident::ItemId;
use houserule::kernel::journal::Record;
use houserule::{Intent, Operation, Pack, Table, load_with};
use std::collections::BTreeMap;

const MANIFEST: &str = "id = \"keen\"\nversion = \"1\"\ntitle = \"Keen edges\"\nextends = [\"sf1e\"]\n";
const KEEN_LUA: &str = r#"
on("check.degree", { name = "keen", check = "attack", reads = { "natural", "total", "dc" }, writes = { "degree" } },
  function(natural, total, dc)
    if natural == 19 and total >= dc then
      return "critical"
    end
  end)
"#;
const KEEN_RHAI: &str = r#"
on("check.degree", #{ name: "keen", check: "attack", reads: ["natural", "total", "dc"], writes: ["degree"] },
  |natural, total, dc| if natural == 19 && total >= dc { "critical" });
"#;

fn duel(pack: Option<Pack>, language: &str) -> (Table, Operation) {
    let languages = houserule_scripts::languages_preferring(language);
    let rules =
        load_with(pack.into_iter().collect(), &["sf1e"], &languages).unwrap_or_else(|report| panic!("{report}"));
    let mut table = Table::new(&rules, 1);
    assert!(table.seat("wall", "thug", "dockers").unwrap_or_else(|fault| panic!("{fault}")).is_done());
    let mut seat = table.new_seat("ann", "recruit", "crew").expect("a shipped creature");
    seat.holds = rules.lexicon.find::<ItemId>("standard_longsword").map(|sword| vec![sword.into()]);
    assert!(table.perform(&Operation::Seat(Box::new(seat))).unwrap_or_else(|fault| panic!("{fault}")).is_done());
    let deed =
        table.prepare(&Intent::new("attack").by("ann").at("wall")).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    (table, deed)
}

/// The degree of the only check of the last entry.
fn degree(table: &Table) -> String {
    let entry = table.journal().done().last().expect("an entry");
    let degree = table.journal().records(entry).iter().find_map(|record| match record {
        Record::Concluded { degree, .. } => Some(table.rules().name(*degree).to_owned()),
        _ => None,
    });
    degree.unwrap_or_default()
}

fn odds((table, deed): &(Table, Operation)) -> BTreeMap<String, Chance> {
    let before = table.digest().unwrap_or_else(|fault| panic!("{fault}"));
    let odds = table.odds(deed, 10_000, degree).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(table.digest().unwrap_or_else(|fault| panic!("{fault}")), before, "odds neither change nor draw");
    odds
}

fn twentieths(odds: &BTreeMap<String, Chance>) -> Vec<(&str, String)> {
    odds.iter().map(|(degree, chance)| (degree.as_str(), chance.to_string())).collect()
}

#[test]
fn a_plain_attack_against_twelve_hits_on_twelve() {
    let odds = odds(&duel(None, "lua"));
    assert_eq!(twentieths(&odds), [("critical", "1/20".into()), ("hit", "2/5".into()), ("miss", "11/20".into())]);
}

#[test]
fn a_hook_that_widens_the_threat_doubles_the_critical_in_both_languages() {
    for (language, file, text) in [("lua", "hooks/keen.lua", KEEN_LUA), ("rhai", "hooks/keen.rhai", KEEN_RHAI)] {
        let pack = Pack::new().with("pack.toml", MANIFEST).with(file, text);
        let odds = odds(&duel(Some(pack), language));
        assert_eq!(
            twentieths(&odds),
            [("critical", "1/10".into()), ("hit", "7/20".into()), ("miss", "11/20".into())],
            "{language}"
        );
    }
}

#[test]
fn err_too_many_ways_are_not_counted_in_part() {
    let (table, deed) = duel(None, "lua");
    let fault = table.odds(&deed, 10, degree).expect_err("ten runs are too few");
    assert_eq!(fault.code, "HR0543");
}
