//! What a script can ask players and the game master.

use super::{Arg, Binder, Of, Type, Word};
use crate::value::{ScriptValue, WordArguments};
use houserule_kernel::error::Fault;
use houserule_kernel::oracle::{Flow, QuestionKind};
use houserule_kernel::scene::Scene;
use houserule_kernel::script::Scalar;

const WHO: Arg = Arg::new("who", Type::Entity);
const TEXT: Arg = Arg::new("text", Type::Name);
const NAMES: Arg = Arg::new("options", Type::Names);
const LEAST: Arg = Arg::maybe("least", Type::Number);
const MOST: Arg = Arg::maybe("most", Type::Number);
const LIMITS: Arg = Arg::maybe("limits", Type::Options(&[LEAST, MOST]));
const ARGUMENTS: Arg = Arg::maybe("arguments", Type::Table);
const HOW: Arg = Arg::maybe(
    "how",
    Type::Options(&[
        Arg::maybe("who", Type::Entity),
        Arg::maybe("kind", Type::Name),
        LEAST,
        MOST,
        Arg::maybe("otherwise", Type::Anything),
    ]),
);

/// Tells a binder the words.
pub(super) fn describe(b: &mut impl Binder) {
    let free = |name, takes, gives, doc| Word::new(Of::Free, name, takes, gives, doc);
    let choice = const { &[WHO, TEXT, NAMES, ARGUMENTS] };
    b.word(
        free("choose", choice, Type::Text, "Asks somebody to choose one of some names; gives the one chosen."),
        |scene, t| one(scene.spoken_choice(t.maybe_who(0), t.name(1), &t.names(2), one_of, t.table(3))?),
    );
    let several = const { &[WHO, TEXT, NAMES, LIMITS, ARGUMENTS] };
    b.word(
        free("choose_some", several, Type::Names, "Asks somebody to choose so many of some names, or any number."),
        choose_some,
    );
    b.word(
        free("order", choice, Type::Names, "Asks somebody to put some names in order; gives them, the first first."),
        |scene, t| {
            Ok(list(scene.spoken_choice(
                t.maybe_who(0),
                t.name(1),
                &t.names(2),
                |of| QuestionKind::Order { of },
                t.table(3),
            )?))
        },
    );
    let ruling = const { &[TEXT, NAMES, ARGUMENTS] };
    b.word(
        free("ruling", ruling, Type::Text, "Asks the game master for one of some names; gives the one chosen."),
        |scene, t| one(scene.spoken_choice(None, t.name(0), &t.names(1), one_of, t.table(2))?),
    );
    let asked = const { &[TEXT, HOW, ARGUMENTS] };
    b.word(
        free("ask", asked, Type::Anything, "Asks somebody, or else the game master, for a `number` or a `yes_no`."),
        ask,
    );
}

fn one_of(of: u32) -> QuestionKind {
    QuestionKind::One { of }
}

fn one(chosen: Vec<Box<str>>) -> Flow<ScriptValue> {
    Ok(chosen.first().map_or(ScriptValue::NOTHING, |name| ScriptValue::from(&**name)))
}

fn list(chosen: Vec<Box<str>>) -> ScriptValue {
    ScriptValue::List(chosen.into_iter().map(Scalar::Name).collect())
}

fn choose_some(scene: &mut Scene, t: &WordArguments) -> Flow<ScriptValue> {
    let limit = |name| t.number_option(3, name).map(|number| u32::try_from(number).unwrap_or(0));
    let (least, most) = (limit("least").unwrap_or(0), limit("most"));
    let kind = |of: u32| QuestionKind::Several { of, least, most: most.unwrap_or(of).min(of) };
    Ok(list(scene.spoken_choice(t.maybe_who(0), t.name(1), &t.names(2), kind, t.table(4))?))
}

fn ask(scene: &mut Scene, t: &WordArguments) -> Flow<ScriptValue> {
    let limit = |name, none| t.number_option(1, name).unwrap_or(none);
    let default = match t.option(1, "otherwise") {
        Some(Scalar::Number(number)) => Some(*number),
        Some(Scalar::YesNo(answer)) => Some(i32::from(*answer)),
        _ => None,
    };
    let yes_no = t.name_option(1, "kind").unwrap_or("number") == "yes_no";
    let asked = match t.name_option(1, "kind") {
        None | Some("number") => {
            QuestionKind::Number { least: limit("least", i32::MIN), most: limit("most", i32::MAX) }
        }
        Some("yes_no") => QuestionKind::YesNo,
        Some(kind) => return Err(no_kind(kind).into()),
    };
    let answer = scene.spoken_answer(t.who_option(1, "who"), t.name(0), asked, default, t.table(2))?;
    Ok(if yes_no { ScriptValue::from(answer != 0) } else { ScriptValue::from(answer) })
}

fn no_kind(kind: &str) -> Fault {
    Fault::new("HR0402", format!("`ask` knows no kind `{kind}`; ask for a `number` or a `yes_no`"))
}
