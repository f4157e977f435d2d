//! What scripts ask: every kind answered, refused, saved, replayed and undone, alike in both languages.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod common;

use common::home::*;
use houserule_kernel::ident::EntityId;
use houserule_kernel::oracle::{Answer, Oracle, Question, QuestionKind};
use houserule_kernel::policy::Policies;
use houserule_kernel::table::{Outcome, Table};

fn hooks(lua: &str, rhai: &str) -> (String, String) {
    (
        format!("on('action.done', {{ name = 'h', action = 'all' }}, function(ev)\n{lua}\nend)"),
        format!("on(\"action.done\", #{{ name: \"h\", action: \"all\" }}, |ev| {{\n{rhai}\n}});"),
    )
}

fn asked(outcome: Outcome) -> Question {
    match outcome {
        Outcome::Asking(question) => *question,
        other => panic!("nothing is asked: {other:?}"),
    }
}

fn seen(table: &Table) -> i32 {
    table.read(table.state().find("rook").unwrap(), "note.seen").unwrap()
}

/// One script's question: refused with each wrong answer, saved while it waits,
/// answered, replayed, undone and redone. Gives the question and what was noted.
fn goes_through(lua: &str, rhai: &str, wrong: &[Answer], answer: &str) -> (QuestionKind, EntityId, i32) {
    let (lua, rhai) = hooks(lua, rhai);
    twins(&lua, &rhai, |table| {
        let before = digest(table);
        let question = asked(act(table, "all").unwrap());
        for wrong in wrong {
            let refused = table.answer(wrong.clone(), &mut Oracle::Seeded).unwrap();
            assert!(matches!(refused, Outcome::Refused(refusal) if &*refusal.code == "HR0710"), "{wrong:?}");
            assert_eq!((digest(table), table.question()), (before.clone(), Some(&question)));
        }
        *table = Table::load(table.rules(), &table.save().unwrap()).unwrap();
        assert_eq!(table.question(), Some(&question));
        assert!(table.answer_in_words(answer, &mut Oracle::Seeded).unwrap().is_done());
        let (after, noted) = (digest(table), seen(table));
        assert!(digest(&table.replayed().unwrap()) == after, "the replay differs");
        assert!(table.undo(false) && seen(table) == 0 && table.redo() && digest(table) == after);
        (question.asked, question.who, noted)
    })
}

#[test]
fn one_of_some_names() {
    let lua =
        "if choose(ev.who, 'ask', { 'fire', 'ice' }, { who = ev.who }) == 'ice' then ev.who:set_note('seen', 2) end";
    let rhai = "if choose(ev.who, \"ask\", [\"fire\", \"ice\"], #{ who: ev.who }) == \"ice\" { ev.who.set_note(\"seen\", 2); }";
    let wrong = [2.into(), (-1).into(), vec![1].into()];
    assert_eq!(goes_through(lua, rhai, &wrong, "ice"), (QuestionKind::One { of: 2 }, EntityId(1), 2));
}

#[test]
fn several_of_some_names_in_the_order_of_the_offer() {
    let lua = "local got = choose_some(ev.who, 'ask', { 'a', 'b', 'c' }, { least = 1, most = 2 }, { who = ev.who })
      assert(#got == 2 and got[1] == 'a' and got[2] == 'c') ev.who:set_note('seen', #got)";
    let rhai =
        "let got = choose_some(ev.who, \"ask\", [\"a\", \"b\", \"c\"], #{ least: 1, most: 2 }, #{ who: ev.who });
      assert(got.len() == 2 && got[0] == \"a\" && got[1] == \"c\"); ev.who.set_note(\"seen\", got.len());";
    let wrong = [vec![].into(), vec![0, 1, 2].into(), vec![1, 1].into(), vec![3].into(), 1.into()];
    let asked = QuestionKind::Several { of: 3, least: 1, most: 2 };
    assert_eq!(goes_through(lua, rhai, &wrong, "c, a"), (asked, EntityId(1), 2));
}

#[test]
fn any_number_of_names_may_be_none() {
    let lua = "ev.who:set_note('seen', 5 + #choose_some(ev.who, 'ask', { 'a', 'b' }))";
    let rhai = "ev.who.set_note(\"seen\", 5 + choose_some(ev.who, \"ask\", [\"a\", \"b\"]).len());";
    let asked = QuestionKind::Several { of: 2, least: 0, most: 2 };
    assert_eq!(goes_through(lua, rhai, &[vec![2].into()], "none"), (asked, EntityId(1), 5));
}

#[test]
fn an_order_of_some_names() {
    let lua = "local got = order(ev.target, 'ask', { 'a', 'b', 'c' })
      assert(got[1] == 'c' and got[2] == 'a' and got[3] == 'b') ev.who:set_note('seen', #got)";
    let rhai = "let got = order(ev.target, \"ask\", [\"a\", \"b\", \"c\"]);
      assert(got[0] == \"c\" && got[1] == \"a\" && got[2] == \"b\"); ev.who.set_note(\"seen\", got.len());";
    let wrong = [vec![0, 1].into(), vec![0, 1, 1].into(), vec![0, 1, 3].into(), 0.into()];
    let (asked, who, noted) = goes_through(lua, rhai, &wrong, "c");
    assert_eq!((asked, noted), (QuestionKind::Order { of: 3 }, 3));
    assert_ne!(who, EntityId(1), "another may be asked");
}

#[test]
fn a_number_between_bounds() {
    let lua = "ev.who:set_note('seen', ask('ask', { who = ev.who, kind = 'number', least = 1, most = 6 }))";
    let rhai = "ev.who.set_note(\"seen\", ask(\"ask\", #{ who: ev.who, kind: \"number\", least: 1, most: 6 }));";
    let wrong = [0.into(), 7.into(), vec![3].into()];
    assert_eq!(goes_through(lua, rhai, &wrong, "6"), (QuestionKind::Number { least: 1, most: 6 }, EntityId(1), 6));
}

#[test]
fn a_yes_or_no_that_the_game_master_decides() {
    let lua = "if ask('ask', { kind = 'yes_no' }) then ev.who:set_note('seen', 1) end";
    let rhai = "if ask(\"ask\", #{ kind: \"yes_no\" }) { ev.who.set_note(\"seen\", 1); }";
    assert_eq!(goes_through(lua, rhai, &[2.into()], "yes"), (QuestionKind::YesNo, EntityId::TABLE, 1));
}

#[test]
fn a_ruling_among_some_names() {
    let lua = "local got = ruling('ask', { 'plain', 'odd' }) assert(got == 'odd') ev.who:set_note('seen', 1)";
    let rhai = "let got = ruling(\"ask\", [\"plain\", \"odd\"]); assert(got == \"odd\"); ev.who.set_note(\"seen\", 1);";
    assert_eq!(goes_through(lua, rhai, &[2.into()], "2"), (QuestionKind::One { of: 2 }, EntityId::TABLE, 1));
}

#[test]
fn policies_and_defaults_answer_scripts() {
    let (lua, rhai) = hooks(
        "local n = ask('ask', { who = ev.who, least = 0, otherwise = 3 })
         ev.who:set_note('seen', n + #choose_some(ev.who, 'ask', { 'a', 'b' }))",
        "let n = ask(\"ask\", #{ who: ev.who, least: 0, otherwise: 3 });
         ev.who.set_note(\"seen\", n + choose_some(ev.who, \"ask\", [\"a\", \"b\"]).len());",
    );
    twins(&lua, &rhai, |table| {
        let rules = table.rules().clone();
        let with = |table: &mut Table, policy: &str| {
            let mut policies = Policies::default();
            policies.set(&rules, "ask", policy).unwrap();
            table.set_policies(policies);
        };
        with(table, "always");
        let question = asked(act(table, "all").unwrap());
        assert_eq!(
            (question.asked, question.default),
            (QuestionKind::Number { least: 0, most: i32::MAX }, Some(3.into()))
        );
        with(table, "default");
        let question = asked(act(table, "all").unwrap());
        assert!(
            matches!(question.asked, QuestionKind::Several { .. }),
            "the number has a default, the names have none"
        );
        with(table, "hp - 13");
        asked(act(table, "all").unwrap());
        with(table, "ask");
        asked(act(table, "all").unwrap());
        with(table, "always");
        assert!(matches!(table.answer(3, &mut Oracle::Seeded).unwrap(), Outcome::Done(_)));
        assert_eq!(seen(table), 5, "three, and both names");
    });
}

#[test]
fn err_questions_that_have_no_answer_are_faults() {
    for (lua, rhai, told) in [
        (
            "choose_some(ev.who, 'ask', { 'a' }, { least = 2 })",
            "choose_some(ev.who, \"ask\", [\"a\"], #{ least: 2 });",
            "too little to choose from",
        ),
        ("order(ev.who, 'ask', {})", "order(ev.who, \"ask\", []);", "nothing to choose from"),
        ("ask('ask', { least = 2, most = 1 })", "ask(\"ask\", #{ least: 2, most: 1 });", "do not fit each other"),
        (
            "ask('ask', { most = 1, otherwise = 2 })",
            "ask(\"ask\", #{ most: 1, otherwise: 2 });",
            "do not fit each other",
        ),
        ("ask('ask', { kind = 'maybe' })", "ask(\"ask\", #{ kind: \"maybe\" });", "ask for a `number` or a `yes_no`"),
        ("ask('asl')", "ask(\"asl\");", "did you mean `ask`?"),
        ("ruling('ask', 3)", "ruling(\"ask\", 3);", "a list of names"),
    ] {
        let (lua, rhai) = hooks(lua, rhai);
        let fault = twins(&lua, &rhai, |table| fault(table, "all").message);
        assert!(fault.contains(told), "{fault}");
    }
}
