//! Packs over packs: what is changed, replaced or removed plays differently.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

mod common;

use common::Game;
use houserule_kernel::intent::Intent;
use houserule_kernel::table::Table;
use houserule_loader::pack::Pack;

const CORE: &str = r#"
[creature.one]
stats = { dex = 2 }
holds = ["club"]
[item.club]
tags = ["weapon"]
rolls = { hit = "1d6" }
[tag]
weapon = "w"
[stat.dex]
[stat.ac]
[stat.ac.part.base]
value = "10"
[stat.ac.part.dexterity]
value = "dex"
[pool.hp]
max = "20"
[pool.luck]
max = "1"
[count.a]
[damage]
pools = ["hp"]
order = ["least"]
[damage.stage.least]
when = "amount < 1"
amount = "1"
[check.save]
roll = "1d20"
stream = "save"
against = "given"
degrees = ["failure", "success"]
[check.save.case.success]
when = "total >= dc"
[condition.afraid]
value = { min = "1", max = "4" }
[condition.afraid.modifier.ac]
to = ["ac"]
value = "-value"
[action.hit]
item = "weapon"
cost = { luck = 1 }
targets = "one"
do = [{ damage = "item.hit" }]
[hook.count]
on = "damage.taken"
do = [{ count = "a", add = "amount" }]
"#;

fn pack(id: &str, extends: &str, rules: &str) -> Pack {
    let manifest = format!("id = \"{id}\"\nversion = \"1\"\ntitle = \"{id}\"\nextends = [{extends}]\n");
    Pack::new().with("pack.toml", &manifest).with("rules.toml", rules)
}

/// The core with house rules over it, and two at the table.
fn house(rules: &str) -> Game {
    layered(&[pack("core", "", CORE), pack("house", "\"core\"", rules)])
}

fn layered(packs: &[Pack]) -> Game {
    let rules = houserule_loader::load(packs, &[]).unwrap_or_else(|report| panic!("{report}"));
    let mut game = Game { table: Table::new(&rules, 1) };
    game.seat("rook", "one");
    game.seat("pawn", "one");
    game
}

fn wrong(rules: &str) -> String {
    houserule_loader::load(&[pack("core", "", CORE), pack("house", "\"core\"", rules)], &[]).unwrap_err().to_string()
}

#[test]
fn a_part_is_changed_and_the_rest_of_the_number_stays() {
    assert_eq!(house("").read("rook", "ac"), 12);
    assert_eq!(house("[change.stat.ac.part.base]\nvalue = \"5\"").read("rook", "ac"), 7);
    assert_eq!(house("[change.stat.ac.part.luck]\nvalue = \"1\"").read("rook", "ac"), 13, "a new part joins");
    assert_eq!(house("[change.stat.ac.part]\nremove = [\"dexterity\"]").read("rook", "ac"), 10);
}

#[test]
fn a_replaced_definition_keeps_nothing_of_the_old_one() {
    let game = house("[replace.stat.ac]\n[replace.stat.ac.part.all]\nvalue = \"3\"");
    assert_eq!(game.read("rook", "ac"), 3);
}

#[test]
fn a_case_of_a_check_is_changed() {
    let mut game = house("[change.check.save.case.success]\nwhen = \"total > dc\"");
    assert_eq!(game.check("rook", None, "save", Some(10), &["save:10"]), "failure");
    assert_eq!(house("").check("rook", None, "save", Some(10), &["save:10"]), "success");
}

#[test]
fn a_degree_is_added_with_its_case() {
    let rules = "[change.check.save]\ndegrees = [\"failure\", \"success\", \"triumph\"]\n[change.check.save.case.triumph]\nwhen = \"natural == 20\"";
    let mut game = house(rules);
    assert_eq!(game.check("rook", None, "save", Some(30), &["20"]), "triumph");
    assert_eq!(game.check("rook", None, "save", Some(10), &["15"]), "success");
}

#[test]
fn a_condition_reaches_farther_than_before() {
    let mut game = house(
        "[change.condition.afraid]\nvalue = { max = \"2\" }\n[change.condition.afraid.modifier.ac]\nvalue = \"-2 * value\"",
    );
    game.run("rook", r#"{ apply = "afraid", value = "4" }"#);
    assert_eq!((game.read("rook", "condition.afraid"), game.read("rook", "ac")), (2, 8));
}

#[test]
fn a_stage_is_taken_out_of_the_order() {
    let mut game = house("[change.damage]\norder = []");
    game.strike("rook", "pawn", r#"{ damage = "0" }"#, &[]);
    assert_eq!(game.read("pawn", "hp"), 20);
}

#[test]
fn a_hook_is_removed_and_another_put_in() {
    let mut game = house(
        "[remove]\nhook = [\"count\"]\n[hook.other]\non = \"damage.taken\"\ndo = [{ count = \"a\", add = \"100\" }]",
    );
    game.strike("rook", "pawn", r#"{ damage = "3" }"#, &[]);
    assert_eq!(game.read("pawn", "count.a"), 100);
    assert_eq!(game.hooked(), ["hook.other"]);
}

#[test]
fn an_action_costs_nothing_any_more_and_a_weapon_hits_harder() {
    let mut game = house("[change.action.hit]\nremove = [\"cost\"]\n[change.item.club]\nrolls = { hit = \"2d6 + 1\" }");
    for _ in 0..2 {
        let deed = game.table.prepare(&Intent::new("hit").by("rook").at("pawn")).unwrap();
        game.taped(&deed, &["3", "4"]);
    }
    assert_eq!(game.read("pawn", "hp"), 4);
    let mut core = house("");
    let deed = core.table.prepare(&Intent::new("hit").by("rook").at("pawn")).unwrap();
    core.taped(&deed, &["3"]);
    let refusal = common::refusal(core.table.perform(&deed).unwrap());
    assert_eq!((&*refusal.code, &*refusal.text), ("HR0707", "refuse.cannot_pay"));
}

#[test]
fn a_third_pack_changes_what_the_second_changed() {
    let second = pack("second", "\"core\"", "[change.stat.ac.part.base]\nvalue = \"5\"");
    let third = pack("third", "\"second\"", "[change.stat.ac.part.base]\nvalue = \"7\"");
    let read = |packs: &[Pack]| layered(packs).read("rook", "ac");
    assert_eq!(read(&[pack("core", "", CORE), second.clone(), third.clone()]), 9);
    assert_eq!(read(&[third, second, pack("core", "", CORE)]), 9, "the order in which packs are given never matters");
}

#[test]
fn err_two_packs_that_know_nothing_of_each_other_may_not_change_one_thing() {
    let left = pack("left", "\"core\"", "[change.stat.ac.part.base]\nvalue = \"5\"");
    let right = pack("right", "\"core\"", "[change.stat.ac.part.base]\nvalue = \"7\"");
    let told = houserule_loader::load(&[pack("core", "", CORE), left, right], &[]).unwrap_err().to_string();
    insta::assert_snapshot!(told, @r#"right/rules.toml:2:1: `right` and `left` both touch `stat.ac.part.base.value`, here and in `left/rules.toml` line 2 [HR0124]; let one extend the other, as `right` could `left`"#);
}

#[test]
fn err_what_is_not_there_cannot_be_changed_or_removed() {
    insta::assert_snapshot!(wrong("[change.stat.acc]\nstart = 1\n[remove]\nhook = [\"cuont\"]\n[change.check.save.case.succes]\nwhen = \"yes\""), @r#"
    house/rules.toml:1:14: there is no `stat.acc` [HR0123]; did you mean `stat.ac`?
    house/rules.toml:4:10: there is no `hook.cuont` [HR0123]; did you mean `hook.count`?
    house/rules.toml:5:25: `save` has no degree `succes`; it has `failure`, `success` [HR0204]; did you mean `success`?
    "#);
}

#[test]
fn err_what_others_still_use_cannot_be_removed() {
    insta::assert_snapshot!(wrong("[remove]\nstat = [\"dex\"]\npool = [\"luck\"]"), @r#"
    core/rules.toml:3:11: there is no stat `dex` [HR0203]; it was removed by `house`, in `house/rules.toml` line 2; define it anew as `[stat.dex]`, or take this away as well
    core/rules.toml:15:10: `dex` is no stat, pool or word that is known here [HR0307]; it was removed by `house`, in `house/rules.toml` line 2; define it anew as `[stat.dex]`, or take this away as well
    core/rules.toml:41:10: there is no pool `luck` [HR0203]; it was removed by `house`, in `house/rules.toml` line 3; define it anew as `[pool.luck]`, or take this away as well
    "#);
}

#[test]
fn err_what_is_there_already_is_not_defined_anew() {
    insta::assert_snapshot!(wrong("[stat.ac]\nstart = 3"), @r#"house/rules.toml:1:7: `stat.ac` is defined already, in `core/rules.toml` line 11 [HR0122]; write `[change.stat.ac]` to change it"#);
}

const ENERGY: &str = r#"
[creature.one]
[tag]
acid = "a"
fire = "f"
[family.energy]
about = "kinds of energy"
KIND = ["acid", "fire"]
BY = ["drops", "flames"]
[family.energy.stat.resist_KIND]
about = "KIND by BY"
start = 3
[stat.resistance]
[family.energy.change.stat.resistance.part.KIND]
value = "resist_KIND"
when = "bearer has KIND"
[family.energy.condition.burns_KIND]
tags = ["KIND"]
start = { do = [{ tag = "KIND" }] }
"#;

#[test]
fn a_family_stands_for_what_is_alike_but_for_a_word() {
    let mut game = Game::new(ENERGY, &["rook"]);
    game.run("rook", r#"{ apply = "burns_fire" }"#);
    assert!(game.bears("rook", "burns_fire") && !game.bears("rook", "burns_acid"));
    assert_eq!((game.read("rook", "resist_acid"), game.read("rook", "resistance")), (3, 3));
    game.run("rook", r#"{ apply = "burns_acid" }"#);
    assert_eq!(game.read("rook", "resistance"), 6, "a part for each word");
}

#[test]
fn later_packs_patch_what_comes_of_a_family() {
    let over = Pack::new()
        .with("pack.toml", "id = \"over\"\nversion = \"1\"\ntitle = \"Over\"\nextends = [\"home\"]\n")
        .with("rules.toml", "[change.stat.resist_acid]\nstart = 8\n[family.energy]\nKIND = [\"fire\"]\n[family.energy.change.stat.resist_KIND]\nstart = 9\n");
    let rules = houserule_loader::load(&[common::pack(ENERGY), over], &[]).unwrap_or_else(|report| panic!("{report}"));
    let mut table = Table::new(&rules, 1);
    assert!(table.seat("rook", "one", "a").unwrap().is_done());
    let rook = table.state().find("rook").unwrap();
    assert_eq!(["resist_acid", "resist_fire"].map(|stat| table.read(rook, stat).unwrap()), [8, 9]);
}

#[test]
fn err_families_say_what_is_wrong_with_them() {
    for (family, told) in [
        ("[family]\nenergy = 3", "a family is a table"),
        ("[family.energy.stat.x]", "does not say which words it stands for"),
        ("[family.energy]\nKIND = \"acid\"", "`KIND` is a list of 1 to 200 words"),
        ("[family.energy]\nKIND = []", "`KIND` is a list of 1 to 200 words"),
        ("[family.energy]\nKIND = [\"a\", \"b\"]\nBY = [\"c\"]", "all lists of a family are of one length"),
        (
            "[family.energy]\nKIND = [\"a\"]\n[family.energy.stat.x_KIND]\n[family.energy.stat.x_a]",
            "`x_a` stands twice",
        ),
        ("[family.energy]\nKIND = [\"a\", \"a\"]\n[family.energy.stat.x_KIND]", "x_a"),
        ("[family.energy]\nKIND = [\"A b\"]\n[family.energy.stat.x_KIND]", "is no name"),
        ("[family.energy]\nKIND = [\"a\"]\n[family.energy.stat.x_KIMD]", "is no name"),
        (
            "[family.energy]\nKIND = [\"a\"]\n[family.energy.stat.x_KIND]\n[family.energy.stat.x_KIND.part.p]\nvalue = \"KIND + 1\"",
            "`a`",
        ),
    ] {
        let wrong = common::wrong(&format!("[creature.one]\n{family}\n"));
        assert!(wrong.contains(told), "{family}\n{wrong}");
    }
}

#[test]
fn a_word_of_a_family_stands_by_itself() {
    let rules = r#"
[creature.one]
[family.energy]
KIND = ["acid", "fire"]
KINDS = ["acids", "fires"]
[family.energy.stat.KIND_and_KINDS]
about = "KINDS to MANKIND"
start = 2
"#;
    let game = Game::new(rules, &["rook"]);
    assert_eq!((game.read("rook", "acid_and_acids"), game.read("rook", "fire_and_fires")), (2, 2));
}
