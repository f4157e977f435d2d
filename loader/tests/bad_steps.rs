//! Steps that could never be done as they are written are told at load.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod common;

use common::wrong;

#[test]
fn err_a_step_does_one_of_what_is_known() {
    let told = wrong(
        r#"[steps.s]
do = [{ aply = "shaken" }, "heal", { }]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:7: this step does nothing that is known [HR0210]; did you mean `apply`?
    home/rules.toml:2:28: a step is a table such as `{ apply = "…" }`, not the text `heal` [HR0210]
    home/rules.toml:2:36: this step does nothing that is known [HR0210]; a step does one of damage, drop, heal, pool, apply, remove, raise, lower, suspend, resume, extend, sustain, count, note, tag, untag, check, become, bonus, reroll, prevent, disrupt, refuse, event, hook, steps, pick, push, do, say, create, reduce, initiative
    "#);
}

#[test]
fn err_a_step_takes_no_field_of_another() {
    let told = wrong(
        r#"[count.a]
[steps.s]
do = [{ count = "a", add = "1", roudns = "3" }, { count = "a" }]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:3:33: unknown field `roudns` [HR0201]; there is `when`, `who`, `to`, `count`, `add`, `set`
    home/rules.toml:3:49: step `count` lacks the field `add` [HR0202]; add `add = …`
    "#);
}

#[test]
fn err_until_whose_event_is_told() {
    let told = wrong(
        r#"[condition.c]
[steps.s]
do = [{ apply = "c", until = "nobody turn.start" }, { apply = "c", until = "bearer turn.strat" }]
[turn]
start = ["turn.start"]
seconds = 6"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:3:31: before the event stand how many times and whose it is: `3 source turn.start` [HR0203]
    home/rules.toml:3:84: there is no event `turn.strat` [HR0203]; did you mean `turn.start`?
    "#);
}

#[test]
fn err_a_note_is_set_and_not_added_to() {
    let told = wrong("[note.n]\n[steps.s]\ndo = [{ note = \"n\", add = \"1\" }]\n");
    assert!(told.contains("`set`") && told.contains("`add`"), "{told}");
}

#[test]
fn err_a_step_has_one_amount_and_something_to_pick() {
    let told = wrong(
        r#"[pool.hp]
max = "3"
[damage]
pools = ["hp"]
[steps.s]
do = [{ pool = "hp", add = "1", set = "3" }, { pick = [] }, { damage = "1", times = -1 }, { damage = "1", times = ["2", "0 - 1"] }]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:6:39: a step has one amount, and this one has both `add` and `set` [HR0210]; `add` changes what is there, `set` replaces it: keep one of the two
    home/rules.toml:6:55: there is no list here that could be picked [HR0205]; name lists of steps, as in `pick = ["calm", "storm"]`
    home/rules.toml:6:85: damage cannot be dealt `-1` times [HR0205]; write a number from 0
    home/rules.toml:6:121: damage cannot be dealt `0 - 1` times [HR0205]; write a number from 0
    "#);
}

#[test]
fn err_a_condition_without_a_value_is_neither_given_one_nor_raised() {
    let told = wrong(
        r#"[condition.prone]
[condition.shaken]
value = { max = "3" }
[condition.tired]
again = { value = "add" }
[steps.s]
do = [{ apply = "prone", value = "3" }, { raise = "prone" }, { lower = "prone", by = "1" }, { apply = "shaken", value = "2" }, { raise = "tired" }]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:7:34: condition `prone` has no value [HR0205]; take `value` away, or add `value = { min = "1" }` to `[condition.prone]`
    home/rules.toml:7:51: condition `prone` has no value [HR0205]; take `raise` away, or add `value = { min = "1" }` to `[condition.prone]`
    home/rules.toml:7:72: condition `prone` has no value [HR0205]; take `lower` away, or add `value = { min = "1" }` to `[condition.prone]`
    "#);
}

#[test]
fn err_steps_that_change_what_runs_stand_where_it_runs() {
    let told = wrong(
        r#"[check.c]
roll = "1d20"
degrees = ["miss", "hit"]
[pool.hp]
max = "3"
[damage]
pools = ["hp"]
[action.a]
targets = { one = "creature" }
check = "c"
on.hit = [{ bonus = "2" }, { do = [{ become = "miss" }] }, { check = "c", on.hit = [{ reroll = "new" }] }]
do = [{ reduce = "1" }, { prevent = "no" }, { refuse = "no" }, { disrupt = "no" }]
[condition.x]
start.do = [{ bonus = "1" }]
tick.t = { at = "turn.start", do = [{ prevent = "no" }] }
[turn]
start = ["turn.start"]
seconds = 6
[hook.late]
on = "check.degree"
do = [{ become = "hit" }, { bonus = "1" }, { prevent = "no" }]
[hook.fits]
on = "check.rolled"
do = [{ bonus = "1" }, { reroll = "better" }]
[hook.struck]
on = "damage.begin"
do = [{ reduce = "1" }, { prevent = "no" }, { become = "hit" }]
[reaction.r]
window = "damage.taken"
text = "ask"
do = [{ reduce = "1" }]
[hook.begins]
on = "action.begin"
do = [{ refuse = "no" }]
[event.mine]
[hook.mine]
on = "mine"
do = [{ bonus = "1" }, { prevent = "no" }]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:11:11: `bonus` needs a check whose degree is not known yet, and there is none in the steps of an action [HR0211]; write it in a hook on `check.rolled` or the like
    home/rules.toml:11:36: `become` needs a running check, and there is none in the steps of an action [HR0211]; write it in a hook on `check.rolled` or the like
    home/rules.toml:11:85: `reroll` needs a running check, and there is none in the steps of an action [HR0211]; write it in a hook on `check.rolled` or the like
    home/rules.toml:12:7: `reduce` needs damage that is being dealt, and there is none in the steps of an action [HR0211]; write it in a hook on `damage.begin` or a stage of damage
    home/rules.toml:12:25: `prevent` needs an event that can be prevented, and there is none in the steps of an action [HR0211]; write it in a hook on an event before something happens, such as `condition.begin`
    home/rules.toml:12:45: `refuse` needs an action that begins, and there is none in the steps of an action [HR0211]; write it in a hook on `action.begin`, or say `requires` in the action
    home/rules.toml:14:13: `bonus` needs a check whose degree is not known yet, and there is none in the steps of a condition [HR0211]; write it in a hook on `check.rolled` or the like
    home/rules.toml:15:37: `prevent` needs an event that can be prevented, and there is none in the steps of a condition [HR0211]; write it in a hook on an event before something happens, such as `condition.begin`
    home/rules.toml:21:27: `bonus` needs a check whose degree is not known yet, and there is none in `check.degree` [HR0211]; write it in a hook on `check.rolled` or the like
    home/rules.toml:21:44: `prevent` needs an event that can be prevented, and there is none in `check.degree` [HR0211]; write it in a hook on an event before something happens, such as `condition.begin`
    home/rules.toml:27:45: `become` needs a running check, and there is none in `damage.begin` [HR0211]; write it in a hook on `check.rolled` or the like
    home/rules.toml:31:7: `reduce` needs damage that is being dealt, and there is none in `damage.taken` [HR0211]; write it in a hook on `damage.begin` or a stage of damage
    home/rules.toml:38:24: `prevent` needs an event that can be prevented, and there is none in `mine` [HR0211]; write it in a hook on an event before something happens, such as `condition.begin`
    "#);
}

#[test]
fn err_nothing_is_done_to_a_target_where_there_is_none() {
    let told = wrong(
        r#"[pool.hp]
max = "3"
[damage]
pools = ["hp"]
[condition.burning]
tick.t = { at = "turn.start", do = [{ damage = "1d6" }, { damage = "1", to = "bearer" }] }
[turn]
start = ["turn.start"]
seconds = 6
[action.shout]
do = [{ apply = "burning", to = "target" }, { apply = "burning" }]
[action.bow]
targets = "self"
do = [{ apply = "burning", to = "target" }]"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:6:37: this is done to the target, and a condition has none [HR0211]; write `to = "bearer"`, or `to = "source"` for who caused it
    home/rules.toml:11:7: this is done to the target, and the action has none [HR0211]; say whom with `targets = { one = "creature" }`, or write `to = "bearer"`
    "#);
}

#[test]
fn err_an_unknown_name_in_a_step_or_a_window_is_told_once() {
    let told = wrong(
        r#"[steps.s]
do = [{ apply = "ratled", value = "1", rounds = "2" }]
[reaction.r]
window = "chek.total"
when = "check == strike and total > 3"
text = "ask"
do = [{ bonus = "total" }]
[hook.h]
on = "damage.takn"
pool = "hp"
when = "amount > 0"
do = []"#,
    );
    insta::assert_snapshot!(told, @r#"
    home/rules.toml:2:18: there is no condition `ratled` [HR0203]; define it with `[condition.ratled]`
    home/rules.toml:4:11: there is no event `chek.total` [HR0203]; did you mean `check.total`?
    home/rules.toml:9:7: there is no event `damage.takn` [HR0203]; did you mean `damage.taken`?
    "#);
}
