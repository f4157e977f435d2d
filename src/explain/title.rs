//! What was meant: the first line of an account.

use super::ExplanationLine;
use super::voice::Wording;
use houserule_kernel::entity::StatBlockRef;
use houserule_kernel::ident::*;
use houserule_kernel::intent::Operation;
use houserule_kernel::space::Square;
use serde_json::{Value, json};

/// Says who means to do what to whom, with what.
pub fn title(voice: Wording<'_>, deed: &Operation) -> ExplanationLine {
    let (text, names) = sentence(voice, deed);
    let written = voice.rules.lexicon.naming(|| serde_json::to_value(deed)).unwrap_or_default();
    let audience = match deed {
        Operation::Check { check, .. } if voice.rules.checks.get(*check).secret => Audience::GameMaster,
        _ => Audience::Everyone,
    };
    ExplanationLine {
        audience,
        ..ExplanationLine::new("deed", String::new(), text, json!({ "deed": written, "names": names }))
    }
}

fn sentence(voice: Wording<'_>, deed: &Operation) -> (String, Value) {
    let say = |key: &str, arguments: &[(&str, &str)]| {
        let names: serde_json::Map<String, Value> =
            arguments.iter().map(|(name, value)| ((*name).into(), json!(value))).collect();
        (voice.say(key, arguments), Value::Object(names))
    };
    match deed {
        Operation::Act { who, action, item, and, targets, to, .. } => {
            act(voice, *who, *action, [*item, *and], targets, *to)
        }
        Operation::Check { who, target, check, .. } => checked(voice, *who, *target, *check),
        Operation::Seat(seat) => {
            say("explain.title.seat", &[("who", &seat.name), ("what", &origin(voice, seat.origin))])
        }
        Operation::Rule { who, .. } => say("explain.title.rule", &[("who", &voice.who(*who))]),
        Operation::Begin { who, .. } => say("explain.title.begin", &[("who", &voice.all(who))]),
        Operation::Join(who) => say("explain.title.join", &[("who", &voice.who(*who))]),
        Operation::Leave(who) => say("explain.title.leave", &[("who", &voice.who(*who))]),
        Operation::Next => say("explain.title.next", &[]),
        Operation::Delay { behind } => say("explain.title.delay", &[("behind", &voice.who(*behind))]),
        Operation::End => say("explain.title.end", &[]),
        Operation::Wait { seconds } => {
            let (key, time) = passing(*seconds);
            say(key, &[("time", &time.to_string())])
        }
        Operation::Switch { option, value } => {
            say("explain.title.switch", &[("option", &voice.word(*option)), ("value", &voice.setting(*option, *value))])
        }
        Operation::Mute { who, off: true, .. } => say("explain.title.mute", &[("who", &voice.who(*who))]),
        Operation::Mute { who, .. } => say("explain.title.unmute", &[("who", &voice.who(*who))]),
        Operation::Withdraw { .. } => say("explain.title.withdraw", &[]),
    }
}

fn act(
    voice: Wording<'_>,
    who: EntityId,
    action: ActionId,
    items: [Option<EntityId>; 2],
    targets: &[EntityId],
    to: Option<Square>,
) -> (String, Value) {
    let (who, deed, at) = (voice.who(who), voice.word(action), voice.all(targets));
    let [item, other] = items;
    let with = both(voice, item, other);
    let key = match (targets.is_empty(), with.is_empty()) {
        (true, true) => "explain.title.act",
        (true, false) => "explain.title.act_with",
        (false, true) => "explain.title.act_at",
        (false, false) => "explain.title.act_at_with",
    };
    let mut text = voice.say(key, &[("who", &who), ("action", &deed), ("target", &at), ("item", &with)]);
    if let Some(square) = to {
        text = voice
            .say("explain.title.to", &[("deed", &text), ("x", &square.x.to_string()), ("y", &square.y.to_string())]);
    }
    let targets: Vec<String> = targets.iter().map(|target| voice.who(*target)).collect();
    let (item, other) = (voice.maybe_who(item), voice.maybe_who(other));
    (text, json!({ "who": who, "action": voice.rules.name(action), "item": item, "other": other, "targets": targets }))
}

/// What one or two items are called together.
fn both(voice: Wording<'_>, item: Option<EntityId>, other: Option<EntityId>) -> String {
    let (one, other) = (item.map(|item| voice.item(item)), other.map(|other| voice.item(other)));
    match (one, other) {
        (Some(one), Some(other)) => voice.say("explain.both", &[("one", &one), ("other", &other)]),
        (one, other) => one.or(other).unwrap_or_default(),
    }
}

/// A stretch of time in the largest unit that it fills evenly.
fn passing(seconds: i64) -> (&'static str, i64) {
    let units = [
        (86_400, "explain.title.wait.days"),
        (3_600, "explain.title.wait.hours"),
        (60, "explain.title.wait.minutes"),
        (1, "explain.title.wait.seconds"),
    ];
    let fits = units.into_iter().find(|(length, _)| seconds > 0 && seconds % length == 0);
    fits.map_or(("explain.title.wait.seconds", seconds), |(length, key)| (key, seconds / length))
}

fn checked(voice: Wording<'_>, who: EntityId, target: Option<EntityId>, check: CheckId) -> (String, Value) {
    let (who, name, against) = (voice.who(who), voice.word(check), voice.maybe_who(target));
    let key = if against.is_some() { "explain.title.check_at" } else { "explain.title.check" };
    let at = against.as_deref().unwrap_or_default();
    let text = voice.say(key, &[("who", &who), ("check", &name), ("target", at)]);
    (text, json!({ "who": who, "check": voice.rules.name(check), "target": against }))
}

fn origin(voice: Wording<'_>, origin: StatBlockRef) -> String {
    match origin {
        StatBlockRef::Table => String::new(),
        StatBlockRef::Creature(creature) => voice.word(creature),
        StatBlockRef::Item(item) => voice.word(item),
    }
}
