//! A small pack with one of everything, and tables that play its hooks in one language or in both.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test program uses a part, and tests may panic")]

use houserule_kernel::error::Fault;
use houserule_kernel::intent::Intent;
use houserule_kernel::oracle::Refusal;
use houserule_kernel::ruleset::Ruleset;
use houserule_kernel::script::Language;
use houserule_kernel::table::{Outcome, Table};
use houserule_loader::pack::Pack;
use houserule_scripts::languages;
use std::sync::Arc;

const MANIFEST: &str = "id = \"p\"\nversion = \"1\"\ntitle = \"Home\"\nlanguages = [\"lua\", \"rhai\"]\n";
const WORDS: &str = "no = \"no\"\nask = \"which one, {who}?\"\ntold = \"{who} counts {n}\"\n";
const RULES: &str = "
[tag]
fire = 'burns'
marked = 'seen'
rod = 'a rod'
[type.morale]
[stat.kac]
start = 10
[stat.fortitude]
start = 2
[view.bare]
of = 'kac'
offset = -2
[pool.hp]
max = '20'
[count.hits]
[note.seen]
[stream.luck]
[condition.shaken]
value = { min = '1', max = '4' }
[condition.burning]
[check.fortitude]
roll = '1d20'
stream = 'save'
bonus = 'fortitude'
against = 'given'
degrees = ['failure', 'success']
[check.fortitude.case.success]
when = 'total >= dc'
[damage]
multiply = 'reroll'
order = []
pools = ['hp']
[action.all]
targets = { one = 'creature' }
[action.poke]
targets = { one = 'creature' }
do = [{ damage = '1d6', type = 'fire', to = 'target' }]
[action.hit_twice]
targets = { one = 'creature' }
do = [{ event = 'on_hit', victim = '1' }, { event = 'on_hit', victim = '1' }]
[event.on_hit]
fields = { victim = 'number', who = 'entity', via = 'condition', sure = 'yes_no' }
[event.on_bleed]
fields = { victim = 'number' }
[event.may_i]
before = true
fields = { n = 'number', who = 'entity' }
[option.ties]
about = 'ties'
choices = ['agree', 'rolloff']
default = 'rolloff'
[item.stick]
tags = ['rod']
[creature.one]
holds = ['stick']
";

fn pack(files: &[(&str, &str)]) -> Pack {
    let home = Pack::new().with("pack.toml", MANIFEST).with("rules.toml", RULES).with("text/en.toml", WORDS);
    files.iter().fold(home, |pack, (name, text)| pack.with(name, text))
}

fn speaking(language: &str) -> Vec<Arc<dyn Language>> {
    languages().into_iter().filter(|known| known.name() == language).collect()
}

/// Whether this build speaks a language.
pub fn speaks(language: &str) -> bool {
    !speaking(language).is_empty()
}

/// The rules with hooks in one language, or everything that is wrong with them.
pub fn read(language: &str, text: &str) -> Result<Arc<Ruleset>, String> {
    let file = format!("hooks/x.{language}");
    houserule_loader::load(&[pack(&[(&file, text)])], &speaking(language)).map_err(|report| report.to_string())
}

/// The rules with hooks in both languages.
pub fn read_files(files: &[(&str, &str)]) -> Result<Arc<Ruleset>, String> {
    houserule_loader::load(&[pack(files)], &languages()).map_err(|report| report.to_string())
}

/// A table with rook and wall.
pub fn table(rules: &Arc<Ruleset>) -> Table {
    let mut table = Table::new(rules, 7);
    for name in ["rook", "wall"] {
        let seated = table.seat(name, "one", name).unwrap();
        assert!(seated.is_done(), "{seated:?}");
    }
    table
}

/// Rook does something to wall. Of two more tables, one in the same guest and one in a fresh thread and so in a fresh
/// guest, it is asserted that they come to the same.
pub fn act(table: &mut Table, action: &str) -> Result<Outcome, Fault> {
    let intent = Intent::new(action).by("rook").at("wall");
    let tried = |mut table: Table| (format!("{:?}", table.act(&intent)), digest(&table));
    let again = tried(table.clone());
    let elsewhere = std::thread::scope(|scope| {
        let table = table.clone();
        scope.spawn(|| tried(table)).join().unwrap()
    });
    let outcome = table.act(&intent);
    let first = (format!("{outcome:?}"), digest(table));
    assert!(first == again, "in the same guest it comes to {again:?} and then to {first:?}");
    assert!(first == elsewhere, "in a fresh guest it comes to {elsewhere:?} and not to {first:?}");
    outcome
}

/// Rook does something to wall that must succeed.
pub fn done(table: &mut Table, action: &str) {
    let outcome = act(table, action).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(outcome.is_done(), "{outcome:?}");
}

/// The fault that an action ends with; the table must be as before.
pub fn fault(table: &mut Table, action: &str) -> Fault {
    let before = digest(table);
    let fault = act(table, action).map(|outcome| panic!("{outcome:?}")).unwrap_err();
    assert_eq!(digest(table), before, "a failing intent leaves no trace");
    fault
}

/// The refusal of an action; the table must be as before.
pub fn refusal(table: &mut Table, action: &str) -> Refusal {
    let before = digest(table);
    let Outcome::Refused(refusal) = act(table, action).unwrap() else { panic!("not refused") };
    assert_eq!(digest(table), before, "a refused intent leaves no trace");
    *refusal
}

/// State and journal as a save would write them.
pub fn digest(table: &Table) -> String {
    table.rules().lexicon.naming(|| serde_json::to_string(&(table.state(), table.journal())).unwrap())
}

/// Plays twins: whatever is done, both languages give the same.
pub fn twins<T: PartialEq + std::fmt::Debug>(lua: &str, rhai: &str, play: impl Fn(&mut Table) -> T) -> T {
    let texts = [("lua", lua), ("rhai", rhai)];
    let mut played = texts.into_iter().filter(|(language, _)| speaks(language)).map(|(language, text)| {
        let rules = read(language, text).unwrap_or_else(|report| panic!("{language}: {report}"));
        let mut table = table(&rules);
        let told = play(&mut table);
        (told, digest(&table))
    });
    let first = played.next().unwrap();
    played.for_each(|other| {
        assert_eq!(first.0, other.0);
        assert!(first.1 == other.1, "the journals of the twins differ");
    });
    first.0
}
