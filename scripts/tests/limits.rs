//! What hooks ask the host to do is paid for by what it touches, and a stop is a stop in any depth of causes.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

mod common;

use common::home::*;
use houserule_kernel::table::Table;

/// Each body as a hook on `action.done`, the second also in a loop that is far too long.
fn ends(name: &str, lua: &str, rhai: &str, codes: &[&str]) {
    let hook = |times: u32| {
        (
            format!(
                "on('action.done', {{ name = 'h', on_error = 'skip' }}, function(ev)\n local who = ev.who\n \
                 for i = 1, {times} do {lua} end\nend)"
            ),
            format!(
                "on(\"action.done\", #{{ name: \"h\", on_error: \"skip\" }}, |ev| {{\n let who = ev.who;\n \
                 for i in 1..{} {{ {rhai} }}\n}});",
                times + 1
            ),
        )
    };
    let (lua, rhai) = hook(2);
    twins(&lua, &rhai, |table| done(table, "all"));
    let (lua, rhai) = hook(1_000_000);
    for (language, text) in [("lua", &lua), ("rhai", &rhai)] {
        if speaks(language) {
            let mut table = table(&read(language, text).unwrap());
            let fault = fault(&mut table, "all");
            assert!(codes.contains(&fault.code.as_str()), "{name} in {language}: {fault}");
        }
    }
}

#[test]
fn err_every_word_ends_by_a_count_that_no_hook_skips() {
    let out = ["HR0404", "HR0520"];
    ends("formula", "formula('1 + 2 * hp', who)", "formula(\"1 + 2 * hp\", who);", &out);
    ends("roll", "roll('2d6 + 1')", "roll(\"2d6 + 1\");", &out);
    ends("stat", "who:stat('kac')", "who.stat(\"kac\");", &out);
    ends("say", "say('told', { n = i })", "say(\"told\", #{ n: i });", &out);
    ends("raise", "raise('may_i', { n = i })", "raise(\"may_i\", #{ n: i });", &out);
    ends("apply", "who:apply('burning')", "who.apply(\"burning\");", &out);
    ends("distance", "who:distance_to(who)", "who.distance_to(who);", &out);
    ends("holds", "who:holds('rod')", "who.holds(\"rod\");", &out);
    ends("damage", "who:damage(0, 'fire')", "who.damage(0, \"fire\");", &out);
}

#[test]
fn err_modifiers_of_one_are_bounded() {
    let (lua, rhai) =
        ("for i = 1, 300 do ev.who:modifier('kac', 1) end", "for i in 0..300 { ev.who.modifier(\"kac\", 1); }");
    let lua = format!("on('action.done', {{ name = 'h' }}, function(ev) {lua} end)");
    let rhai = format!("on(\"action.done\", #{{ name: \"h\" }}, |ev| {{ {rhai} }});");
    twins(&lua, &rhai, |table| {
        let fault = fault(table, "all");
        assert!(fault.code == "HR0535" && fault.message.contains("256 modifiers"), "{fault}");
    });
    twins(&lua.replace("300", "200"), &rhai.replace("300", "200"), |table| done(table, "all"));
}

#[test]
fn err_hooks_do_not_raise_what_the_kernel_raises() {
    for event in ["action.done", "check.begin", "damage.taken", "pool.emptied", "condition.applied", "encounter.begin"]
    {
        let lua = format!("on('action.done', {{ name = 'h', action = 'all' }}, function(ev) raise('{event}') end)");
        let rhai = format!("on(\"action.done\", #{{ name: \"h\", action: \"all\" }}, |ev| {{ raise(\"{event}\"); }});");
        twins(&lua, &rhai, |table| {
            let fault = fault(table, "all");
            assert!(fault.code == "HR0534" && fault.message.contains("an event of your own"), "{fault}");
        });
    }
}

#[test]
fn what_a_text_has_no_place_for_is_left_out() {
    let lua = "on('action.done', { name = 'h' }, function(ev)
               for i = 1, 50 do say('told', { n = 1, waste = string.rep('x', 100), more = 'yyyy' }) end end)";
    let rhai = "on(\"action.done\", #{ name: \"h\" }, |ev| {
                for i in 0..50 { let w = \"x\"; w.pad(100, 'x'); say(\"told\", #{ n: 1, waste: w, more: \"yyyy\" }); } });";
    let plain = |table: &mut Table| {
        done(table, "all");
        assert!(!digest(table).contains("xxx") && !digest(table).contains("yyyy"));
    };
    if speaks("lua") {
        plain(&mut table(&read("lua", lua).unwrap()));
    }
    if speaks("rhai") {
        plain(&mut table(&read("rhai", rhai).unwrap()));
    }
}

/// A skipped hook on an event that a hook raises, which runs inside a wrapper of a hook that may be skipped as well.
fn nested(lua: &str, rhai: &str) -> (String, String) {
    (
        format!(
            "on('action.done', {{ name = 'h', action = 'all', on_error = 'skip' }}, function(ev) raise('may_i', {{ n = 1 }}) \
             ev.who:add_count('hits', 1) end)\n\
             wrap('h', function(ev, inner) inner() ev.who:add_count('hits', 1) end)\n\
             on('may_i', {{ name = 'deep', on_error = 'skip' }}, function(ev)\n{lua}\nend)"
        ),
        format!(
            "on(\"action.done\", #{{ name: \"h\", action: \"all\", on_error: \"skip\" }}, |ev| {{ raise(\"may_i\", #{{ n: 1 \
             }}); ev.who.add_count(\"hits\", 1); }});\n\
             wrap(\"h\", |ev, inner| {{ inner.call(); ev.who.add_count(\"hits\", 1); }});\n\
             on(\"may_i\", #{{ name: \"deep\", on_error: \"skip\" }}, |ev| {{\n{rhai}\n}});"
        ),
    )
}

fn hits(table: &Table) -> i32 {
    table.read(table.state().find("rook").unwrap(), "count.hits").unwrap()
}

#[test]
fn a_mistake_deep_inside_is_skipped_and_the_rest_goes_on() {
    let (lua, rhai) = nested("error('no')", "error(\"no\");");
    twins(&lua, &rhai, |table| {
        done(table, "all");
        assert_eq!(hits(table), 2);
    });
}

#[test]
fn err_a_stop_deep_inside_ends_everything() {
    for (lua, rhai) in [
        ("while true do end", "loop {}"),
        ("for i = 1, 200000 do say('told', { n = i }) end", "loop { say(\"told\", #{ n: 1 }); }"),
        ("for i = 1, 100000 do roll('1d20') end", "loop { roll(\"1d20\"); }"),
    ] {
        let (lua, rhai) = nested(lua, rhai);
        for (language, text) in [("lua", &lua), ("rhai", &rhai)] {
            if speaks(language) {
                let mut table = table(&read(language, text).unwrap());
                let fault = fault(&mut table, "all");
                assert!(["HR0404", "HR0520"].contains(&fault.code.as_str()), "{language}: {fault}");
            }
        }
    }
}
