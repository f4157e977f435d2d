//! What is wrong with a pack is told at load, all at once, with place and way out.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "tests may panic"
)]

mod common;

use common::{wrong, wrong_files};

#[test]
fn err_b127_an_unknown_field_names_the_nearest_one() {
    let told = wrong(
        r#"[condition.shaken.modifier.m]
to = ["s"]
valeu = "2"
[stat.s]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:1:1: `condition.shaken.modifier.m` lacks the field `value` [HR0202]; add `value = …`
    home/rules.toml:3:1: unknown field `valeu` [HR0201]; did you mean `value`?
    "#);
}

#[test]
fn err_b130_an_unknown_tag_names_the_nearest_one() {
    let told = wrong(
        r#"[tag]
magical = "made by magic"
[creature.ooze]
tags = ["magic"]"#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:4:10: there is no tag `magic` [HR0203]; did you mean `magical`?"#);
}

#[test]
fn err_b131_a_limit_on_what_is_not_there_is_told() {
    let told = wrong(
        r#"[stat.ac]
[stat.ac.part.bracers]
value = "2"
[modifier.m]
to = ["ac"]
effect = "mute"
limits = "bands""#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:7:11: `bands` is neither a bonus type nor a part of the stats it goes to [HR0203]"#);
}

#[test]
fn err_b135_numbers_out_of_range_are_told_where_they_stand() {
    let told = wrong(
        r#"[stat.s]
start = 99999999999999999999"#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:2:9: `99999999999999999999` is too large a number [HR0103]; a number lies between `-2147483648` and `2147483647`"#);
}

#[test]
fn err_b135_no_number_has_a_fraction() {
    let told = wrong(
        r#"[stat.s]
start = 2.0"#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:2:9: `2.0` is not a whole number [HR0102]; write `2`"#);
}

#[test]
fn err_b135_what_is_no_number_is_told() {
    let told = wrong(
        r#"[stat.s]
start = nan"#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:2:9: `nan` is not a whole number [HR0102]; write a whole number, or a formula that rounds"#);
}

#[test]
fn err_b135_a_key_stands_once() {
    let told = wrong(
        r#"[stat.s]
start = 1
start = 2"#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:3:1: `start` stands twice in one table [HR0101]; keep one of the two"#);
}

#[test]
fn err_every_mistake_of_a_pack_is_told_at_once() {
    let told = wrong(
        r#"[stat.s]
strat = 1
[pool.hp]
[condition.c]
tags = ["nope"]
[action.a]
check = "nothing"
cost = { energy = 1 }"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:1: unknown field `strat` [HR0201]; did you mean `start`?
    home/rules.toml:3:1: pool `hp` lacks the field `max` [HR0202]; add `max = …`
    home/rules.toml:5:10: there is no tag `nope` [HR0203]; write `nope = "what it means"` under `[tag]`
    home/rules.toml:7:10: there is no check `nothing` [HR0203]; define it with `[check.nothing]`
    home/rules.toml:8:10: there is no pool `energy` [HR0203]; define it with `[pool.energy]`
    "#);
}

#[test]
fn err_an_unknown_stat_in_a_formula_names_the_nearest_one() {
    let told = wrong(
        r#"[stat.strength]
[pool.hp]
max = "10 + strenght""#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:3:13: `strenght` is no stat, pool or word that is known here [HR0307]; did you mean `strength`?"#);
}

#[test]
fn err_an_unknown_word_after_a_dot_is_told() {
    let told = wrong(
        r#"[stat.ac]
[condition.c]
while = "ac.tuoch > 3"
[view.touch]
of = "ac""#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:3:10: there is no view `tuoch` [HR0307]; did you mean `touch`?"#);
}

#[test]
fn err_an_unknown_condition_is_told_wherever_it_is_named() {
    let told = wrong(
        r#"[condition.shaken]
implies = ["panicked"]
overrides = ["shakn"]
[hook.h]
on = "turn.start"
do = [{ apply = "shakken" }]
[turn]
start = ["turn.start"]
seconds = 6"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:13: there is no condition `panicked` [HR0203]; define it with `[condition.panicked]`
    home/rules.toml:3:15: there is no condition `shakn` [HR0203]; did you mean `shaken`?
    home/rules.toml:6:18: there is no condition `shakken` [HR0203]; did you mean `shaken`?
    "#);
}

#[test]
fn err_an_unknown_degree_is_told() {
    let told = wrong(
        r#"[check.c]
roll = "1d20"
degrees = ["miss", "hit"]
[action.a]
check = "c"
on.hitt = []
[hook.h]
on = "check.degree"
do = [{ become = "mist" }]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:6:4: there is no degree `hitt` [HR0203]; did you mean `hit`?
    home/rules.toml:9:19: there is no degree `mist` [HR0203]; did you mean `miss`?
    "#);
}

#[test]
fn err_an_unknown_event_names_the_nearest_one() {
    let told = wrong(
        r#"[hook.h]
on = "damage.takn"
do = []"#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:2:7: there is no event `damage.takn` [HR0203]; did you mean `damage.taken`?"#);
}

#[test]
fn err_an_unknown_text_is_told() {
    let told = wrong(
        r#"[hook.h]
on = "action.begin"
do = [{ refuse = "refuse.nope" }]"#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:3:19: there is no text `refuse.nope` [HR0203]; did you mean `refuse.bound`?"#);
}

#[test]
fn err_a_wrong_type_of_value_is_told() {
    let told = wrong(
        r#"[stat.s]
start = "ten"
tags = 3
[condition.c]
unless = 4
[action.a]
cost = { hp = "1" }
[pool.hp]
max = "1""#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:9: `start` must be a whole number, not the text `ten` [HR0203]; write digits
    home/rules.toml:3:8: `tags` must be a text or a list of texts, not the number `3` [HR0203]; put texts in quotes
    home/rules.toml:5:10: the number `4` stands where a question such as `"bearer has undead"` is expected [HR0203]
    home/rules.toml:7:15: a cost is a number [HR0203]
    "#);
}

#[test]
fn err_a_number_is_no_question_and_a_question_no_number() {
    let told = wrong(
        r#"[stat.s]
[condition.c]
while = "s"
[pool.hp]
max = "s > 3""#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:3:10: `s` is a number, and a yes or no is wanted here [HR0308]; compare it, as in `x > 0`
    home/rules.toml:5:8: `s > 3` is a yes or no, and a number is wanted here [HR0308]; choose a number by it, as in `if(x, 1, 0)`
    "#);
}

#[test]
fn err_a_creature_is_like_one_that_is_there() {
    let told = wrong(
        r#"[creature.soldier]
[creature.captain]
like = "soldeir"
stats = { bravery = 3 }
holds = ["sword"]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:3:9: there is no creature `soldeir` [HR0203]; did you mean `soldier`?
    home/rules.toml:4:11: there is no stat `bravery` [HR0203]; define it with `[stat.bravery]`
    home/rules.toml:5:11: there is no item `sword` [HR0203]; define it with `[item.sword]`
    "#);
}

#[test]
fn err_a_word_with_few_choices_names_them() {
    let told = wrong(
        r#"[type.t]
bonuses = "hihgest"
[stacking]
penalties = "pool"
[damage]
multiply = "twice""#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:12: `bonuses` cannot be `hihgest` [HR0204]; did you mean `highest`?
    home/rules.toml:4:14: `penalties` cannot be `pool` [HR0204]; there is `by-type`, `one-pool`
    home/rules.toml:6:13: `multiply` cannot be `twice` [HR0204]; there is `reroll`, `result`, `total`
    "#);
}

#[test]
fn err_a_formula_that_cannot_be_read_is_told_where() {
    let told = wrong(
        r#"[pool.hp]
max = "10 + * 2"
[pool.mp]
max = "(3""#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:13: something is missing before `*` [HR0301]; a number, a name, dice or something in parentheses can stand there
    home/rules.toml:4:8: `(` is not closed at the end [HR0301]; add `)`
    "#);
}

#[test]
fn err_dice_stand_only_where_something_is_rolled() {
    let told = wrong(
        r#"[pool.hp]
max = "2d6""#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:2:8: `2d6` is rolled where a fixed value is wanted [HR0310]; dice stand in rolls and amounts only"#);
}

#[test]
fn err_a_stage_that_is_not_there_cannot_be_in_the_order() {
    let told = wrong(
        r#"[damage]
order = ["halve", "minimun"]
[damage.stage.minimum]
amount = "1""#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:11: there is no stage `halve` [HR0203]; define it with `[damage.stage.halve]`
    home/rules.toml:2:20: there is no stage `minimun` [HR0203]; did you mean `minimum`?
    "#);
}

#[test]
fn err_a_kind_of_rule_is_one_that_is_known() {
    let told = wrong(
        r#"[conditoin.shaken]
[stats]
x = 1"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:1:2: `conditoin` is no kind of rule [HR0120]; did you mean `condition`?
    home/rules.toml:2:2: `stats` is no kind of rule [HR0120]; did you mean `stat`?
    "#);
}

#[test]
fn err_a_name_is_written_in_small_letters() {
    let told = wrong(
        r#"[stat.BigOne]
[tag]
"two words" = "x""#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:1:7: `BigOne` is no name [HR0121]; a name begins with a letter `a` to `z`; digits and `_` may follow
    home/rules.toml:3:1: `two words` is no name [HR0121]; a name begins with a letter `a` to `z`; digits and `_` may follow
    "#);
}

#[test]
fn err_an_option_says_what_it_is_about_and_what_it_changes() {
    let told = wrong(
        r#"[option.grim]
kind = "yes_no"
default = 3.5
[option.ties]
about = "who wins"
choices = ["first", "last"]
default = "lats"
changes = ["initiative.nope"]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:1:1: option `grim` lacks the field `about` [HR0202]; add `about = …`
    home/rules.toml:3:11: `3.5` is not a whole number [HR0102]; write a whole number, or a formula that rounds
    home/rules.toml:7:11: a setting of this switch is one of `first`, `last`, not the text `lats` [HR0204]
    home/rules.toml:8:13: there is no rule `initiative.nope` [HR0203]; name a rule with its kind, as in `check.attack`
    "#);
}

#[test]
fn err_a_chart_has_rows_of_two_numbers() {
    let told = wrong(
        r#"[chart.c]
rows = [[1, 2], [3], "x"]
[chart.empty]
rows = []
[chart.none]
[chart.loose]
rows = [[8, 3], [1, 2], [1, 4], [9, 9]]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:17: a row of a chart is two numbers: from which key on, and the value [HR0203]; write `[8, 2]`
    home/rules.toml:2:22: a row of a chart is two numbers: from which key on, and the value [HR0203]; write `[8, 2]`
    home/rules.toml:4:8: chart `empty` has no row, so that nothing can be looked up [HR0205]; write rows such as `[[1, 2], [8, 3]]`
    home/rules.toml:5:1: chart `none` lacks the field `rows` [HR0202]; add `rows = …`
    home/rules.toml:7:17: the row from `1` on stands behind the row from `8` on [HR0205]; write the rows from the lowest key to the highest, each key once
    home/rules.toml:7:25: the row from `1` on stands behind the row from `1` on [HR0205]; write the rows from the lowest key to the highest, each key once
    "#);
}

#[test]
fn err_a_stream_is_a_name_only() {
    let told = wrong("[stream.z]\nabot = 1");
    insta::assert_snapshot!(told, @r#"home/rules.toml:2:1: unknown field `abot` [HR0201]; did you mean `about`?"#);
}

#[test]
fn err_no_name_is_one_that_expressions_read_otherwise() {
    let told = wrong(
        r#"[stat.if]
[stat.and]
[stat.d6]
[pool.min]
max = "1"
[tag]
not = "n"
[condition.has]
[chart.max]
rows = [[1, 1]]
[view.max]
of = []
[tag.d6]
[stat.iffy]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:1:7: `if` means something in every expression already [HR0121]; choose another name
    home/rules.toml:2:7: `and` means something in every expression already [HR0121]; choose another name
    home/rules.toml:3:7: `d6` means something in every expression already [HR0121]; choose another name
    home/rules.toml:4:7: `min` means something in every expression already [HR0121]; choose another name
    home/rules.toml:7:1: `not` means something in every expression already [HR0121]; choose another name
    home/rules.toml:8:12: `has` means something in every expression already [HR0121]; choose another name
    home/rules.toml:9:8: `max` means something in every expression already [HR0121]; choose another name
    home/rules.toml:11:7: `max` means something in every expression already [HR0121]; choose another name
    "#);
}

#[test]
fn err_a_tie_is_broken_by_what_is_known() {
    let told = wrong(
        r#"[check.i]
roll = "1d20"
degrees = ["rolled"]
[initiative]
check = "i"
ties = ["luck", "tag:hero"]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:6:10: `luck` breaks no tie [HR0204]; use `modifier`, `roll_off`, `choice` or `tag:NAME`
    home/rules.toml:6:18: there is no tag `hero` [HR0203]; write `hero = "what it means"` under `[tag]`
    "#);
}

#[test]
fn err_a_modifier_goes_to_some_number() {
    let told = wrong(
        r#"[stat.s]
[modifier.m]
value = "1"
[modifier.n]
to = ["s"]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:11: `modifier.m` does not say which stats it goes `to` [HR0202]; write `to = ["attack"]` or `to = ["tag:attack"]`
    home/rules.toml:4:1: `modifier.n` lacks the field `value` [HR0202]; add `value = …`
    "#);
}

#[test]
fn err_a_reaction_needs_its_window_and_its_text() {
    let told = wrong(
        r#"[reaction.r]
do = []"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:1:1: reaction `r` lacks the field `text` [HR0202]; add `text = …`
    home/rules.toml:1:1: reaction `r` lacks the field `window` [HR0202]; add `window = …`
    "#);
}

#[test]
fn err_an_item_asked_for_by_a_word_that_is_nobody() {
    let told = wrong(
        r#"[tag]
big = "b"
[condition.c]
unless = "enemy has big""#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:4:11: `enemy` is nobody who could have `big` [HR0307]; ask about `bearer`, `actor`, `target`, `item`, `other`, `source`, `holder`, `owner`, `toward`, `damage` or `action`"#);
}

#[test]
fn err_a_hook_waits_only_for_hooks_that_are_there() {
    let told = wrong(
        r#"[event.e]
[hook.early]
on = "e"
do = []
[hook.late]
on = "e"
after = ["earyl"]
do = []"#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:7:11: there is no hook `earyl` [HR0203]; did you mean `early`?"#);
}

#[test]
fn err_a_check_has_degrees() {
    let told = wrong(
        r#"[check.c]
roll = "1d20""#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:1:1: check `c` lacks the field `degrees` [HR0202]; add `degrees = …`"#);
}

#[test]
fn err_the_least_of_a_pool_is_one_number() {
    let told = wrong(
        r#"[stat.s]
[pool.hp]
max = "10"
min = "0 - s""#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:4:7: the `min` of a pool is one number for everybody [HR0203]; write a plain number"#);
}

#[test]
fn err_targets_are_creatures() {
    let told = wrong(
        r#"[action.a]
targets = { one = "creatuer" }"#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:2:20: `one` cannot be `creatuer` [HR0204]; did you mean `creature`?"#);
}

#[test]
fn err_a_hook_chooses_by_names_that_are_there() {
    let told = wrong(
        r#"[pool.hp]
max = "1"
[hook.h]
on = "pool.emptied"
pool = "hpp"
do = []
[hook.i]
on = "damage.taken"
pool = "hp"
do = []"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:5:9: there is no pool `hpp` [HR0203]; did you mean `hp`?
    home/rules.toml:9:1: unknown field `pool` [HR0201]; there is `about`, `on`, `when`, `bearer`, `do`, `before`, `after`, `priority`, `on_error`
    "#);
}

#[test]
fn err_an_event_has_eight_fields_of_known_kinds() {
    let told = wrong(
        r#"[event.e]
fields = { a = "number", b = "nubmer" }"#,
    );
    insta::assert_snapshot!(told, @r#"home/rules.toml:2:30: this is no kind of field [HR0204]; use `number`, `yes_no`, `entity`, or a kind such as `pool` or `condition`"#);
}

#[test]
fn err_a_thing_is_defined_once() {
    let told = wrong_files(&[
        (
            "a.toml",
            r#"[stat.s]
start = 1
"#,
        ),
        (
            "b.toml",
            r#"
[stat.s]
start = 2
"#,
        ),
    ]);
    insta::assert_snapshot!(told, @r#"home/b.toml:2:7: `stat.s` is defined already, in `home/a.toml` line 1 [HR0122]; give one of them another name"#);
}

#[test]
fn err_a_text_for_people_is_well_formed() {
    let told = wrong_files(&[(
        "text/en.toml",
        r#""say.hit" = "{who hits"
"#,
    )]);
    insta::assert_snapshot!(told, @r#"home/text/en.toml:1:14: this brace is not closed [HR0601]; close it before any other brace, or write `{{`"#);
}

#[test]
fn err_a_file_that_is_no_toml_is_told() {
    let told = wrong_files(&[(
        "a.toml",
        r#"[stat.s
start = 1
"#,
    )]);
    insta::assert_snapshot!(told, @r#"
    home/a.toml:1:8: this is not TOML: unclosed table, expected `]` [HR0101]
    home/a.toml:2:1: `start` is no kind of rule [HR0120]; did you mean `stat`?
    "#);
}

#[test]
fn err_a_stat_may_not_take_a_word_of_the_language() {
    let told = common::wrong("[stat.round]\n[pool.bearer]\nmax = \"1\"");
    assert!(
        told.contains("home/rules.toml:1:7: `round` means something in every expression already [HR0121]"),
        "{told}"
    );
    assert!(
        told.contains("home/rules.toml:2:7: `bearer` means something in every expression already [HR0121]"),
        "{told}"
    );
}

#[test]
fn err_a_standing_condition_asks_about_its_bearer_alone() {
    for question in ["round > 2", "target has x", "fact.far > 1", "own_turn"] {
        let told = common::wrong(&format!("[tag]\nx = \"x\"\n[fact.far]\n[condition.odd]\nwhile = \"{question}\""));
        assert!(
            told.contains("home/rules.toml:5:10: a standing condition may ask about its bearer alone [HR0207]"),
            "{told}"
        );
    }
    assert!(common::wrong("[condition.odd]\nagain = { time = \"per-source\" }").contains("HR0204"));
}

#[test]
fn err_a_turn_and_a_grid_leave_nothing_to_be_guessed() {
    let told = common::wrong("[turn]\nstart = [\"turn.start\"]\n[grid]\ntwo_takes_corners = true");
    for lacked in [
        "`turn` lacks the field `seconds`",
        "`grid` lacks the field `diagonals`",
        "`grid` lacks the field `feet_per_square`",
    ] {
        assert!(told.contains(lacked), "{told}");
    }
}

#[test]
fn err_a_condition_and_a_tag_of_one_name_could_not_be_told_apart() {
    let told = wrong("[tag]\nexposed = \"e\"\n[condition.exposed]\n");
    assert!(told.contains("`exposed` is a tag already") && told.contains("another name"), "{told}");
}

#[test]
fn err_words_for_people_name_what_there_is_and_what_somebody_fills() {
    let told = wrong_files(&[
        (
            "a.toml",
            r#"[tag]
fast = "f"
[condition.rattled]
[hook.h]
on = "action.begin"
do = [{ refuse = "refuse.tired", when = "bearer has rattled" }, { say = "condition.shout" }]
[check.c]
roll = "1d20"
degrees = ["miss", "hit"]
[check.c.case.hit]
when = "total > 3"
[reaction.duck]
window = "damage.begin"
text = "ask.duck"
do = []"#,
        ),
        (
            "text/en.toml",
            r#""ask.duck" = "Does {whom} duck before {actor}, {who}?"
"refuse.tired" = "{who} is {actor} with {item}"
"condition.ratled" = "x"
"condition.rattled" = "shaken {n|once|twice}"
"condition.shout" = "{target} shouts at {source}"
"tag.quick" = "q"
"check.c.case.hit" = "a hit"
"refuse.cannot_pay" = "{who} has too little {pol}"
"refuse.unheard" = "nobody says {this}""#,
        ),
        ("hooks/a.lua", "say('refuse.told', { n = 1 })"),
    ]);
    insta::assert_snapshot!(told, @r#"
    home/text/en.toml:1:20: nobody fills `{whom}` in `ask.duck` [HR0607]; did you mean `{who}`?
    home/text/en.toml:2:28: nobody fills `{actor}` in `refuse.tired` [HR0607]; there is `{who}`, `{target}`, `{item}`, `{source}`
    home/text/en.toml:3:1: these are words for condition `ratled`, which there is not [HR0608]; did you mean `condition.rattled`?
    home/text/en.toml:4:31: nobody fills `{n}` in `condition.rattled` [HR0607]; write the name alone
    home/text/en.toml:6:1: these are words for tag `quick`, which there is not [HR0608]; take it away
    home/text/en.toml:8:45: nobody fills `{pol}` in `refuse.cannot_pay` [HR0607]; did you mean `{pool}`?
    "#);
}
