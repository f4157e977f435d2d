//! What a script can say to the event whose hook runs, to a roll, and to the table.

use super::{Arg, Binder, Of, Type, Word, entity::somebody};
use crate::value::{ScriptValue, WordArguments};
use houserule_kernel::oracle::Flow;
use houserule_kernel::resolve::ScriptRoll;
use houserule_kernel::scene::Scene;
use houserule_kernel::script::Scalar;
use houserule_kernel::situation::Situation;

const TEXT: Arg = Arg::new("text", Type::Name);
const TAG: Arg = Arg::new("tag", Type::Name);
const NOTE: Arg = Arg::new("note", Type::Name);
const WHO: Arg = Arg::new("who", Type::Entity);
const ARGUMENTS: Arg = Arg::maybe("arguments", Type::Table);
const NUMBER: Arg = Arg::new("number", Type::Number);
const A: Arg = Arg::new("a", Type::Number);
const B: Arg = Arg::new("b", Type::Number);
const LOW: Arg = Arg::new("low", Type::Number);
const HIGH: Arg = Arg::new("high", Type::Number);
const DICE: Arg =
    Arg::maybe("options", Type::Options(&[Arg::maybe("stream", Type::Name), Arg::maybe("who", Type::Entity)]));

/// Tells a binder the words.
pub(super) fn describe(b: &mut impl Binder) {
    event(b);
    people(b);
    roll(b);
    table(b);
    words(b);
    library(b);
}

const fn of_event(name: &'static str, takes: &'static [Arg], gives: Type, doc: &'static str) -> Word {
    Word::new(Of::Event, name, takes, gives, doc)
}

fn event(b: &mut impl Binder) {
    b.word(of_event("event", &[], Type::Text, "The name of the event.").read(), |scene, _| {
        Ok(scene.frame().map_or(ScriptValue::NOTHING, |frame| ScriptValue::from(scene.rules.name(frame.event.event))))
    });
    b.word(of_event("prevent", &[TEXT], Type::Nothing, "Keeps a before-event from happening."), |scene, t| {
        scene.spoken_prevent(t.name(1))?;
        Ok(ScriptValue::NOTHING)
    });
    b.word(
        of_event(
            "refuse",
            &[TEXT],
            Type::Nothing,
            "Refuses the whole intent; only in `action.begin`, before any draw.",
        ),
        |scene, t| {
            scene.spoken_refuse(t.name(1))?;
            Ok(ScriptValue::NOTHING)
        },
    );
    b.word(
        of_event("note", &[NOTE], Type::Number, "A note of the running condition; 0 if nothing was noted."),
        |scene, t| Ok(ScriptValue::from(scene.spoken_kept(t.name(1))?)),
    );
    b.word(
        of_event("set_note", const { &[NOTE, NUMBER] }, Type::Nothing, "Notes a number with the running condition."),
        |scene, t| {
            scene.spoken_keep(t.name(1), t.number(2))?;
            Ok(ScriptValue::NOTHING)
        },
    );
    b.word(of_event("damage_has", &[TAG], Type::YesNo, "Whether the damage it tells of has a tag."), |scene, t| {
        Ok(ScriptValue::from(scene.spoken_damage_has(t.name(1))?))
    });
}

fn about(scene: &Scene) -> Situation {
    scene.frame().map(|frame| frame.event.about).unwrap_or_default()
}

fn people(b: &mut impl Binder) {
    let person = |name, doc| of_event(name, &[], Type::Entity, doc).or_nothing().read();
    b.word(person("bearer", "Whose number or condition it is about."), |scene, _| somebody(about(scene).bearer));
    b.word(person("actor", "Who acts."), |scene, _| somebody(about(scene).actor));
    b.word(person("target", "Who is acted upon."), |scene, _| somebody(about(scene).target));
    b.word(person("item", "What it is done with."), |scene, _| somebody(about(scene).item));
    b.word(person("source", "Who caused it."), |scene, _| somebody(about(scene).source));
}

fn rolled(t: &WordArguments) -> ScriptRoll {
    match t.get(0) {
        Some(ScriptValue::Roll(thrown)) => thrown.clone(),
        _ => ScriptRoll::default(),
    }
}

fn roll(b: &mut impl Binder) {
    let of = |name, gives, doc| Word::new(Of::Roll, name, &[], gives, doc).read();
    b.word(of("total", Type::Number, "What it comes to."), |_, t| Ok(ScriptValue::from(rolled(t).total)));
    b.word(of("natural", Type::Number, "The face of the one die that counts; 0 if several do."), |_, t| {
        Ok(ScriptValue::from(rolled(t).natural))
    });
    b.word(of("faces", Type::Numbers, "The faces that count, in the order drawn."), |_, t| {
        Ok(ScriptValue::List(rolled(t).faces.into_iter().map(Scalar::Number).collect()))
    });
}

const fn free(name: &'static str, takes: &'static [Arg], gives: Type, doc: &'static str) -> Word {
    Word::new(Of::Free, name, takes, gives, doc)
}

fn table(b: &mut impl Binder) {
    let dice = const { &[Arg::new("dice", Type::Text), DICE] };
    b.word(
        free("roll", dice, Type::Roll, "Rolls dice for who acts, from the stream `roll` if none is said."),
        |s, t| Ok(ScriptValue::Roll(s.spoken_roll(t.name(0), t.name_option(1, "stream"), t.who_option(1, "who"))?)),
    );
    let asked = const { &[Arg::new("expression", Type::Text), WHO] };
    b.word(free("formula", asked, Type::Number, "The value of an expression for somebody; a yes is 1."), |scene, t| {
        Ok(ScriptValue::from(scene.spoken_formula(t.name(0), t.who(1))?))
    });
    b.word(free("round", &[], Type::Number, "The round of the encounter, from 1; 0 outside."), |scene, _| {
        let order = &scene.state.order;
        Ok(ScriptValue::from(if order.running { i32::try_from(order.round).unwrap_or(i32::MAX) } else { 0 }))
    });
    let option = const { &[Arg::new("name", Type::Name)] };
    b.word(
        free("option", option, Type::Anything, "How a house-rule switch is set: a number, or the choice's name."),
        |s, t| Ok(ScriptValue::One(s.spoken_option(t.name(0))?)),
    );
}

fn words(b: &mut impl Binder) {
    let raise = const { &[Arg::new("event", Type::Name), Arg::maybe("fields", Type::Table)] };
    b.word(
        free("raise", raise, Type::YesNo, "Raises an event; a before-event says whether it was not prevented."),
        |scene, t| Ok(ScriptValue::from(scene.spoken_raise(t.name(0), t.table(1))?)),
    );
    b.word(free("say", &[TEXT, ARGUMENTS], Type::Nothing, "Says a line to everybody."), said);
}

fn said(scene: &mut Scene, t: &WordArguments) -> Flow<ScriptValue> {
    scene.spoken_say(t.name(0), t.table(1))?;
    Ok(ScriptValue::NOTHING)
}

/// What the languages answer by themselves, without a scene; it is told here so that it is written down.
fn library(b: &mut impl Binder) {
    let of = |name, takes, doc| Word::new(Of::Library, name, takes, Type::Number, doc);
    b.word(of("div_floor", const { &[A, B] }, "Divides and rounds down."), nothing);
    b.word(of("div_ceil", const { &[A, B] }, "Divides and rounds up."), nothing);
    b.word(of("clamp", const { &[NUMBER, LOW, HIGH] }, "The number, brought between two bounds."), nothing);
    b.word(of("min", const { &[A, B] }, "The lesser of two."), nothing);
    b.word(of("max", const { &[A, B] }, "The greater of two."), nothing);
    b.word(of("abs", const { &[NUMBER] }, "The number without its sign."), nothing);
}

fn nothing(_: &mut Scene, _: &WordArguments) -> Flow<ScriptValue> {
    Ok(ScriptValue::NOTHING)
}
