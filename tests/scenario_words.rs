//! What a scenario says is read before it is played: names, deeds, faces; and what fails says where.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

use houserule::encounter::Encounter;
use houserule::scenario::Scenario;
use houserule::{Pack, Ruleset};
use std::sync::Arc;

const RULES: &str = r#"
[tag]
blade = "cuts"
[stat.might]
start = 3
[pool.hp]
max = "5"
[pool.wick]
max = "3"
of = ["blade"]
[condition.rattled]
[item.old_lantern]
[item.rather_old_lantern]
[item.knife]
tags = ["blade"]
[creature.ox]
holds = ["knife"]
[check.grit]
roll = "1d20"
stream = "grit"
bonus = "might"
against = "given"
degrees = ["lost", "won"]
[check.grit.case.won]
when = "total >= dc"
[check.quick]
roll = "1d20"
stream = "quick"
against = "given"
degrees = ["lost", "won"]
[action.push]
targets = { one = "creature" }
do = [{ pool = "hp", add = "-1", who = "target" }]
[reaction.duck]
window = "action.begin"
text = "ask.duck"
when = "bearer.is_target"
do = [{ pool = "hp", set = "5", who = "bearer" }]
[turn]
seconds = 6
[initiative]
check = "quick"
ties = ["choice"]
"#;

const CAST: &str = "about = \"a story\"\n[given]\nrook = { like = \"ox\" }\ndent = { like = \"ox\" }\n";

fn rules() -> Arc<Ruleset> {
    let pack = Pack::new()
        .with("pack.toml", "id = \"farm\"\nversion = \"1\"\ntitle = \"Farm\"\n")
        .with("rules.toml", RULES)
        .with("text/en.toml", "\"ask.duck\" = \"Does {who} duck below {actor}?\"\n");
    houserule::loader::load(&[pack], &[]).unwrap_or_else(|report| panic!("{report}"))
}

/// What is wrong with these acts, by line.
fn wrong(acts: &str) -> Vec<String> {
    let found = Scenario::read(&rules(), "farm/scenarios/s.toml", &format!("{CAST}{acts}")).unwrap_err();
    found.iter().map(ToString::to_string).map(|told| told.replace("farm/scenarios/s.toml:", "")).collect()
}

/// What does not come as these acts say.
fn failures(acts: &str) -> Vec<String> {
    let read = Scenario::read(&rules(), "farm/scenarios/s.toml", &format!("{CAST}{acts}"));
    let story = read.unwrap_or_else(|found| panic!("{found:?}"));
    story.play(&rules(), &mut |_| Ok(())).failures
}

#[test]
fn names_of_people_items_and_texts_may_be_said_in_many_ways() {
    let acts = [
        "who = \"rook\"\ndo = \"push\"\nwith = \"knife\"\ntarget = \"dent\"\nanswers = [\"no\"]\nafter = { \"dent.hp\" = 4 }\n",
        "who = \"rook\"\ndo = \"push\"\nwith = \"blade\"\nand = \"rook's knife\"\ntarget = \"dent\"\nanswers = [\"no\"]\n",
        "who = \"rook\"\ncheck = \"grit\"\ndc = 9\ntape = [\"grit:20\"]\nexpect = [\"won\"]\n",
        "who = \"rook\"\nrun = [{ apply = \"rattled\" }]\nafter = { \"rook.bearer has rattled\" = true, \"rook's knife.might\" = 3 }\n",
        "begin = [\"rook\", \"dent\"]\ntape = [\"quick:9\", \"quick:5\"]\norder = [\"rook\", \"dent\"]\nturn = \"rook\"\n",
    ];
    assert_eq!(failures(&acts.map(|act| format!("[[act]]\n{act}")).concat()), [""; 0]);
}

#[test]
fn what_is_not_known_may_be_said_where_just_that_is_refused() {
    let act = "[[act]]\nwho = \"rook\"\ndo = \"shove\"\nrefused = \"refuse.unknown_action\"\n";
    let nobody = "[[act]]\nwho = \"rook\"\ndo = \"push\"\ntarget = \"crow\"\nrefused = \"HR0704\"\n";
    assert_eq!(failures(&format!("{act}{nobody}")), [""; 0]);
}

#[test]
fn an_act_that_does_not_begin_does_not_begin() {
    assert_eq!(failures("[[act]]\nbegin = false\nnext = false\nafter = { \"rook.might\" = 3 }\n"), [""; 0]);
}

#[test]
fn err_every_name_that_is_not_known_is_told_at_once() {
    let act = "[[act]]\nwho = \"rok\"\ndo = \"pusch\"\nwith = \"knive\"\ntarget = \"dnet\"\nfacts = { cover = 1 }\n\
        tape = [\"gritt:3\", \"grit:x\"]\nexpect = [\"wonn\"]\nrefused = \"ask.duk\"\nturn = \"deny\"\n\
        after = { \"dnt.hp\" = 1, \"dent.hq\" = 2 }\n[[act]]\nwho = \"dent\"\nrun = [{ apply = \"ratled\" }]\n";
    insta::assert_snapshot!(wrong(act).join("\n"), @r#"
    6:8: nobody is called `rok` [HR0203]; did you mean `rook`?
    7:7: there is no action `pusch` [HR0203]; did you mean `push`?
    8:9: there is no item and no tag `knive` [HR0203]; did you mean `knife`?
    9:11: nobody is called `dnet` [HR0203]; did you mean `dent`?
    10:11: there is no fact `cover` [HR0203]; define it with `[fact.cover]`
    11:10: there is no stream `gritt` [HR0203]; did you mean `grit`?
    11:21: a taped face is written `stream:face`, such as `attack:20`, not `grit:x` [HR0702]
    12:12: there is no degree `wonn` [HR0203]; did you mean `won`?
    13:12: nothing is refused with `ask.duk` [HR0203]; did you mean `ask.duck`?
    14:9: nobody is called `deny` [HR0203]; did you mean `dent`?
    15:12: nobody is called `dnt` [HR0203]; did you mean `dent`?
    15:31: `hq` is no stat, pool or word that is known here [HR0307]; did you mean `hp`?
    18:19: there is no condition `ratled` [HR0203]; did you mean `rattled`?
    "#);
}

#[test]
fn err_half_a_name_of_an_item_leads_to_the_whole() {
    let told = wrong("[[act]]\nwho = \"rook\"\ndo = \"push\"\nwith = \"lantern\"\ntarget = \"dent\"\n");
    assert_eq!(told, ["8:9: there is no item and no tag `lantern` [HR0203]; did you mean `old_lantern`?"]);
}

#[test]
fn err_an_act_that_says_two_deeds_is_told() {
    let two = wrong("[[act]]\nnext = true\nend = true\n[[act]]\nwho = \"rook\"\ndo = \"push\"\nbegin = true\n");
    assert_eq!(two.len(), 2, "{two:?}");
    assert!(two[0].starts_with("7:1: an act does one thing, and this one says `next` and `end` [HR0205]"), "{two:?}");
    assert!(two[1].contains("says `do` and `begin`"), "{two:?}");
}

#[test]
fn err_fields_that_nothing_reads_are_told() {
    insta::assert_snapshot!(wrong("[[act]]\nbegin = \"dent\"\n[[act]]\nnext = true\nwith = \"knife\"\naware = [\"rook\"]\ndc = 3\n[[act]]\nexpect = [\"won\"]\n[[act]]\ncheck = \"grit\"\n").join("\n"), @r#"
    6:9: `begin` is `true` or a list of names, not the text `dent` [HR0203]; write `begin = ["dent"]` with everybody who takes part
    9:1: `with` means nothing without `do` [HR0205]; add `do = …`, or take `with` away
    10:1: `aware` means nothing without `begin` [HR0205]; add `begin = …`, or take `aware` away
    11:1: `dc` means nothing without `check` [HR0205]; add `check = …`, or take `dc` away
    13:1: this act does nothing, so no `expect` comes [HR0205]; say what is done, such as `do = …`, or only look with `after`
    14:1: nobody does what this act says with `check` [HR0202]; add `who = "…"`
    "#);
}

#[test]
fn err_a_row_says_names_too() {
    let told = wrong(
        "[[act]]\nwho = \"rook\"\ncheck = \"grit\"\n[[each]]\nname = \"x\"\ngiven.crow = { like = \"ox\" }\nwho = \"crow\"\nexpect = [\"wn\"]\n",
    );
    assert_eq!(told, ["12:12: there is no degree `wn` [HR0203]; did you mean `won`?"]);
}

#[test]
fn err_what_is_written_after_is_read_before() {
    let told =
        wrong("[[act]]\nafter = { \"dent has rattled\" = true, \"hp\" = 1, \"dent.bearer has rattled\" = \"yes\" }\n");
    insta::assert_snapshot!(told.join("\n"), @r#"
    6:11: `dent has rattled` does not say whose number it is [HR0203]; write `dent.bearer has rattled`
    6:38: `hp` does not say whose number it is [HR0203]; write `NAME.hp`
    6:76: `dent.bearer has rattled` must be a number, `true` or `false`, not the text `yes` [HR0203]
    "#);
}

#[test]
fn err_a_tape_in_one_text_and_a_face_that_is_none_are_marked_where_they_stand() {
    let told = wrong(
        "[[act]]\nwho = \"rook\"\ncheck = \"grit\"\ntape = \"grit:15 grit:1\"\n[[act]]\nwho = \"rook\"\ncheck = \"grit\"\ntape = [\n\"grit:3\",\n\"grit:\",\n]\n",
    );
    insta::assert_snapshot!(told.join("\n"), @r#"
    8:9: a tape of several faces is a list [HR0702]; write `tape = ["grit:15", "grit:1"]`
    14:2: a taped face is written `stream:face`, such as `attack:20`, not `grit:` [HR0702]
    "#);
}

#[test]
fn err_what_does_not_come_says_file_and_line() {
    let acts = "[[act]]\nwho = \"rook\"\ndo = \"push\"\ntarget = \"dent\"\n[[act]]\nwho = \"rook\"\ncheck = \"grit\"\ndc = 30\n\
        tape = [\"grit:2\", \"grit:3\"]\nexpect = [\"won\"]\nafter.\"rook.hp\" = 1\nafter.\"rook.might\" = 2\n[[each]]\nname = \"again\"\nact = 2\nexpect = [\"lost\"]\ntape = [\"grit:1\"]\n";
    insta::assert_snapshot!(failures(acts).join("\n"), @r#"
    farm/scenarios/s.toml:5: act 1: `ask.duck` is asked: the answer is yes or no; add `answers = ["yes"]` or `["no"]`
    farm/scenarios/s.toml:14: act 2: the checks came out ["lost"], not ["won"]
    farm/scenarios/s.toml:13: act 2: 1 face is left on the tape
    farm/scenarios/s.toml:15: act 2: `rook.hp` is 5, not 1
    farm/scenarios/s.toml:16: act 2: `rook.might` is 3, not 2
    farm/scenarios/s.toml:5: row `again`, act 1: `ask.duck` is asked: the answer is yes or no; add `answers = ["yes"]` or `["no"]`
    farm/scenarios/s.toml:15: row `again`, act 2: `rook.hp` is 5, not 1
    farm/scenarios/s.toml:16: row `again`, act 2: `rook.might` is 3, not 2
    "#);
}

#[test]
fn err_whoever_has_no_seat_is_named_with_whoever_is_there() {
    let text = "about = \"x\"\n[given]\nrook = { like = \"ox\", at = [0, 0] }\ndent = { like = \"ox\", at = [0, 0] }\n";
    let story = Scenario::read(&rules(), "s.toml", text).unwrap();
    assert_eq!(
        story.play(&rules(), &mut |_| Ok(())).failures,
        ["s.toml:4: `dent` cannot sit at 0, 0: `rook` is there"]
    );
}

/// What is wrong with a fight of these members.
fn fight(members: &str) -> Result<Encounter, Vec<String>> {
    let text = format!("title = \"t\"\npack = \"farm\"\n[who]\n{members}\n[tactic.idle]\nprefer = []\n");
    let found = Encounter::read(&rules(), "e", &text);
    found.map_err(|found| found.iter().map(ToString::to_string).collect())
}

#[test]
fn what_is_hardly_meant_is_told_and_can_be_played() {
    let fought =
        fight("a = { like = \"ox\", side = \"s\", pools = { hp = 99 } }\nb = { like = \"ox\", side = \"s\" }").unwrap();
    let table = fought.lay(&rules(), 1).unwrap();
    let told: Vec<String> = fought.warnings.iter().chain(&fought.clamped(&table)).map(ToString::to_string).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    e:4:1: `a` has no tactic, and stands idle [HR0919]; add `tactic = "…"`
    e:4:1: everybody is on side `s`, so that the fight is over before it begins [HR0920]; give the others a `side` of their own
    e:5:1: `b` has no tactic, and stands idle [HR0919]; add `tactic = "…"`
    e:4:32: `a` begins with 5 of `hp`, not with 99 [HR0918]; 5 is the most that they can have
    "#);
}

#[test]
fn what_is_meant_is_told_of_by_nobody() {
    let fought = fight(
        "a = { like = \"ox\", side = \"s\", tactic = \"idle\", pools = { hp = 5 } }\nb = { like = \"ox\", tactic = \"idle\" }\nc = { item = \"knife\" }",
    );
    let fought = fought.unwrap();
    assert_eq!((fought.warnings.len(), fought.clamped(&fought.lay(&rules(), 1).unwrap()).len()), (0, 0));
}

#[test]
fn err_members_who_are_two_things_or_lack_a_pool() {
    let told = fight(
        "a = { like = \"ox\", item = \"knife\" }\nb = { item = \"knife\", pools = { hp = 3 } }\nc = { like = \"ox\", pools = { wick = 3 }, tactic = \"idel\" }",
    );
    insta::assert_snapshot!(told.unwrap_err().join("\n"), @r#"
    e:4:28: `a` is like a creature and an item at once [HR0205]; keep `like` or `item`
    e:5:33: `b` has no pool `hp`, which is for creatures [HR0205]; take it away
    e:6:1: `c` acts by the tactic `idel`, which nobody wrote [HR0203]; did you mean `idle`?
    e:6:30: `c` has no pool `wick`, which is for `blade` [HR0205]; take it away, or give them one of these tags
    "#);
}
