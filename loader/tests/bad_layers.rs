//! What is wrong between packs, and with what a pack says of itself.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod common;

use common::wrong_files;
use houserule_loader::pack::Pack;

#[test]
fn err_a_pack_says_who_it_is() {
    let told = wrong_files(&[(
        "pack.toml",
        r#"title = "Home"
version = "1"
foo = 1
"#,
    )]);
    insta::assert_snapshot!(told, @r#"
    pack.toml:1:1: `pack.toml` lacks the field `id` [HR0202]; add `id = …`
    pack.toml:3:1: unknown field `foo` [HR0201]; there is `id`, `version`, `title`, `about`, `licence`, `source`, `attribution`, `credits`, `extends`, `languages`, `limits`
    "#);
}

#[test]
fn err_a_pack_extends_packs_that_are_there() {
    let told = wrong_files(&[(
        "pack.toml",
        r#"id = "home"
title = "Home"
version = "1"
extends = ["core"]
"#,
    )]);
    insta::assert_snapshot!(told, @r#"home/pack.toml:4:13: `home` extends `core`, which is not among the packs [HR0111]; take it away"#);
}

/// A pack over `base`, which has these rules.
fn over(base: &str, above: &[(&str, &str)]) -> Vec<Pack> {
    let base =
        Pack::new().with("pack.toml", "id = \"base\"\nversion = \"1\"\ntitle = \"B\"\n").with("rules.toml", base);
    let manifest = "id = \"mine\"\nversion = \"1\"\ntitle = \"M\"\nextends = [\"base\"]\n";
    let mine = above.iter().fold(Pack::new().with("pack.toml", manifest), |pack, (name, text)| pack.with(name, text));
    vec![base, mine]
}

#[test]
fn err_what_still_names_a_removed_thing_is_told_who_removed_it() {
    let base = "[condition.prone]\n[condition.dazed]\nimplies = [\"prone\"]\n[stat.s]\n[pool.hp]\nmax = \"s\"\n[steps.fall]\ndo = [{ apply = \"prone\", when = \"not (bearer has prone)\" }]\n";
    let mut packs = over(base, &[("rules.toml", "[remove]\ncondition = [\"prone\"]\nstat = [\"s\"]\n")]);
    packs[0] = packs[0].clone().with("text/en.toml", "\"condition.prone\" = \"lying\"\n");
    let told = houserule_loader::load(&packs, &[]).unwrap_err().to_string();
    insta::assert_snapshot!(told, @r#"
    base/rules.toml:3:13: there is no condition `prone` [HR0203]; it was removed by `mine`, in `mine/rules.toml` line 2; define it anew as `[condition.prone]`, or take this away as well
    base/rules.toml:6:8: `s` is no stat, pool or word that is known here [HR0307]; it was removed by `mine`, in `mine/rules.toml` line 3; define it anew as `[stat.s]`, or take this away as well
    base/rules.toml:8:18: there is no condition `prone` [HR0203]; it was removed by `mine`, in `mine/rules.toml` line 2; define it anew as `[condition.prone]`, or take this away as well
    base/rules.toml:8:39: there is no tag or condition `prone` [HR0307]; it was removed by `mine`, in `mine/rules.toml` line 2; define it anew as `[condition.prone]`, or take this away as well
    "#);
}

#[test]
fn err_a_clash_of_names_is_told_where_the_later_pack_has_it() {
    let base = "[condition.prone]\n[stat.hp]\n[tag]\nburning = \"b\"\n";
    let mine = "[tag]\nprone = \"p\"\n[pool.hp]\nmax = \"1\"\n[condition.burning]\n";
    let told = houserule_loader::load(&over(base, &[("rules.toml", mine)]), &[]).unwrap_err().to_string();
    insta::assert_snapshot!(told, @r#"
    mine/rules.toml:2:1: `prone` is a condition already, and `has prone` could mean either [HR0205]; give one of them another name
    mine/rules.toml:3:1: `hp` is a stat and a pool, and an expression could mean either [HR0205]; call the stat `hp_max`, or the like
    mine/rules.toml:5:1: `burning` is a tag already, and `has burning` could mean either [HR0205]; give one of them another name
    "#);
}

#[test]
fn err_one_fault_in_a_manifest_brings_no_others() {
    let mut packs = over("[stat.s]\n", &[("rules.toml", "[change.stat.s]\nstart = 1\n")]);
    let manifest = "id = \"mine\"\ntitle = \"M\"\nextends = [\"base\"]\nauthor = \"me\"\n";
    packs[1] = packs[1].clone().with("pack.toml", manifest);
    assert_eq!((packs[1].id().as_deref(), packs[1].extended()), (Some("mine"), vec!["base".to_owned()]));
    let told = houserule_loader::load(&packs, &[]).unwrap_err().to_string();
    insta::assert_snapshot!(told, @r#"
    mine/pack.toml:1:1: `pack.toml` lacks the field `version` [HR0202]; add `version = …`
    mine/pack.toml:4:1: unknown field `author` [HR0201]; there is `id`, `version`, `title`, `about`, `licence`, `source`, `attribution`, `credits`, `extends`, `languages`, `limits`
    "#);
}

#[test]
fn err_of_a_pack_without_ground_only_that_is_told() {
    let packs = over("", &[("rules.toml", "[change.stat.s]\nstart = 1\n[nope]\n")]);
    let others = ["sf1e", "base", "sf2e"];
    let mine = packs[1]
        .clone()
        .with("pack.toml", "id = \"mine\"\nversion = \"1\"\ntitle = \"M\"\nextends = [\"sf1\", 'bsae']\n");
    let told = houserule_loader::load_suggesting(&[mine], &[], &others).unwrap_err().to_string();
    insta::assert_snapshot!(told, @r#"
    mine/pack.toml:4:13: `mine` extends `sf1`, which is not among the packs [HR0111]; did you mean `sf1e`?
    mine/pack.toml:4:20: `mine` extends `bsae`, which is not among the packs [HR0111]; did you mean `base`?
    "#);
}

#[test]
fn err_the_languages_of_a_pack_are_those_of_its_hooks() {
    let manifest =
        |languages: &str| format!("id = \"home\"\nversion = \"1\"\ntitle = \"Home\"\nlanguages = {languages}\n");
    let told = |languages: &str, files: &[(&str, &str)]| {
        let pack = files.iter().fold(common::pack(""), |pack: Pack, (name, text)| pack.with(name, text));
        houserule_loader::load(&[pack.with("pack.toml", &manifest(languages))], &[])
            .map_or_else(|told| told.to_string(), drop_all)
    };
    let hooks = [("hooks/a.rhai", ""), ("hooks/b.rhai", ""), ("lib/c.lua", "")];
    assert_eq!(told("[\"lua\", \"rhai\"]", &hooks), "");
    assert!(told("[]", &hooks).lines().count() == 2, "{}", told("[]", &hooks));
    assert!(
        told("[\"lua\", \"luau\"]", &hooks).contains("`languages` leaves out that of `hooks/a.rhai` [HR0115]"),
        "{}",
        told("[\"lua\", \"luau\"]", &hooks)
    );
}

fn drop_all<T>(_: T) -> String {
    String::new()
}
