//! Lines about pools, conditions, places and words: what stands by itself in a record.

use super::ExplanationLine;
use super::voice::{Wording, signed};
use houserule_kernel::change::{Change, StateField, StateValue};
use houserule_kernel::event::{FieldType, field_entity};
use houserule_kernel::ident::*;
use houserule_kernel::intent::Operation;
use houserule_kernel::journal::{AnsweredQuestion, Argument, EndReason, Record, SaidText};
use houserule_kernel::modifier::AdHocModifier;
use houserule_kernel::question::Answer;
use houserule_kernel::variables;
use serde_json::{Map, Value, json};

/// Pools of somebody before and after, and what damage left over. The amount
/// is told if it is not what was rolled, or if no pool took it. Pools that fill
/// up by themselves, such as those of actions, are bookkeeping.
pub fn pools(
    voice: Wording<'_>,
    who: EntityId,
    changes: &[(PoolId, i32, i32)],
    hurt: Option<(i32, i32)>,
    altered: bool,
) -> ExplanationLine {
    let pool = |(pool, before, after): &(PoolId, i32, i32)| {
        let (before, after) = (before.to_string(), after.to_string());
        voice.say("explain.pool", &[("pool", &voice.word(*pool)), ("before", &before), ("after", &after)])
    };
    let lasting = |(pool, ..): &&(PoolId, i32, i32)| voice.rules.pools.get(*pool).resets.is_none();
    let mut told: Vec<String> = changes.iter().filter(lasting).map(pool).collect();
    if let Some((amount, left_over)) = hurt {
        if altered || changes.is_empty() {
            told.insert(0, takes(voice, amount));
        }
        if left_over > 0 {
            told.push(voice.say("explain.left_over", &[("amount", &left_over.to_string())]));
        }
    }
    let changed = |(pool, before, after): &(PoolId, i32, i32)| json!({ "pool": voice.rules.name(*pool), "before": before, "after": after });
    let facts = json!({
        "who": voice.who(who), "amount": hurt.map(|hurt| hurt.0), "left_over": hurt.map(|hurt| hurt.1),
        "pools": changes.iter().map(changed).collect::<Vec<_>>(),
    });
    ExplanationLine::new("pool", voice.who(who), told.join(", "), facts)
}

fn takes(voice: Wording<'_>, amount: i32) -> String {
    match amount {
        0 => voice.say("explain.unhurt", &[]),
        _ => voice.say("explain.takes", &[("amount", &amount.to_string())]),
    }
}

/// The line of a change that people care about; none of mere bookkeeping.
pub fn change(voice: Wording<'_>, deed: &Operation, change: &Change) -> Option<ExplanationLine> {
    let seating = matches!(deed, Operation::Seat(_));
    let (who, topic, text) = match (change.place, &change.before, &change.after) {
        (StateField::Tag(who, tag), StateValue::YesNo(before), StateValue::YesNo(after)) if before != after => {
            let key = if *after { "explain.tagged" } else { "explain.untagged" };
            (who, "tag", voice.say(key, &[("tag", &voice.word(tag))]))
        }
        (StateField::Square(who), _, StateValue::Square(to)) => (who, "square", moved(voice, *to)),
        (StateField::Owner(who), _, StateValue::Who(owner)) => (who, "owner", owned(voice, *owner)),
        (StateField::Gone(who), _, StateValue::YesNo(true)) => (who, "gone", voice.say("explain.gone", &[])),
        (StateField::Entity(who), StateValue::Nothing, _) if !seating => {
            (who, "entity", voice.say("explain.arrives", &[]))
        }
        (StateField::Given(who, stat), StateValue::Number(before), StateValue::Number(after)) => {
            (who, "given", number(voice, stat, *before, *after))
        }
        (StateField::Loose(who, _), before, after) => (who, "modifier", loose(voice, before, after)?),
        _ => return None,
    };
    let facts = voice.rules.lexicon.naming(|| serde_json::to_value(change)).unwrap_or_default();
    Some(ExplanationLine::new(topic, voice.who(who), text, facts))
}

fn moved(voice: Wording<'_>, to: Option<houserule_kernel::space::Square>) -> String {
    match to {
        Some(square) => voice.say("explain.moved", &[("x", &square.x.to_string()), ("y", &square.y.to_string())]),
        None => voice.say("explain.off_grid", &[]),
    }
}

fn owned(voice: Wording<'_>, owner: Option<EntityId>) -> String {
    match owner {
        Some(owner) => voice.say("explain.held", &[("who", &voice.who(owner))]),
        None => voice.say("explain.put_down", &[]),
    }
}

fn number(voice: Wording<'_>, stat: StatId, before: i32, after: i32) -> String {
    let (before, after) = (before.to_string(), after.to_string());
    voice.say("explain.pool", &[("pool", &voice.word(stat)), ("before", &before), ("after", &after)])
}

/// A modifier that came, went, or was switched by hand.
fn loose(voice: Wording<'_>, before: &StateValue, after: &StateValue) -> Option<String> {
    let (key, loose): (&str, &AdHocModifier) = match (before, after) {
        (StateValue::Loose(_), StateValue::Loose(loose)) if loose.off => ("explain.modifier.off", loose),
        (StateValue::Loose(_), StateValue::Loose(loose)) => ("explain.modifier.on", loose),
        (_, StateValue::Loose(loose)) => ("explain.modifier.gains", loose),
        (StateValue::Loose(loose), _) => ("explain.modifier.loses", loose),
        _ => return None,
    };
    let (value, stat, rule) = (signed(loose.value), voice.word(loose.to), voice.rule(loose.rule));
    Some(voice.say(key, &[("value", &value), ("stat", &stat), ("type", &voice.word(loose.kind)), ("rule", &rule)]))
}

/// The line of a record that is neither number nor change.
pub fn thing(voice: Wording<'_>, record: &Record) -> Option<ExplanationLine> {
    match record {
        Record::Began { who, condition, value, source, rule } => {
            let key = if valued(voice, *condition) { "explain.began_valued" } else { "explain.began" };
            let more = json!({ "value": value, "source": voice.maybe_who(*source), "rule": voice.rules.name(*rule), "place": voice.rules.place(*rule) });
            Some(condition_line(voice, *who, *condition, key, &[("value", &value.to_string())], more))
        }
        Record::Became { who, condition, before, after } => {
            let key = if before == after { "explain.again" } else { "explain.became" };
            let numbers = [("before", before.to_string()), ("after", after.to_string())];
            let numbers = numbers.each_ref().map(|(name, number)| (*name, number.as_str()));
            Some(condition_line(voice, *who, *condition, key, &numbers, json!({ "before": before, "after": after })))
        }
        Record::Ended { who, condition, reason, still } => {
            let (why, mut facts) = because(voice, *reason);
            if let Value::Object(facts) = &mut facts {
                facts.insert("still".into(), json!(still));
            }
            let key = if *still { "explain.still" } else { "explain.ended" };
            Some(condition_line(voice, *who, *condition, key, &[("why", &why)], facts))
        }
        Record::Resisted { who, condition } => {
            Some(condition_line(voice, *who, *condition, "explain.resisted", &[], json!({})))
        }
        Record::Hooked { rule } => Some(ExplanationLine::new(
            "hook",
            voice.say("explain.label.hook", &[]),
            voice.rule(*rule),
            written(voice, *rule),
        )),
        Record::Stopped { rule, text, arguments } => Some(stopped(voice, *rule, *text, arguments)),
        Record::Wrote { rule, event, field, before, after } => {
            Some(wrote(voice, *rule, (*event, *field), (*before, *after)))
        }
        Record::Turn { who, round } => Some(turn(voice, *who, *round)),
        Record::Said { text, arguments, .. } => Some(said(voice, *text, arguments)),
        Record::Chosen(chosen) => Some(self::chosen(voice, chosen)),
        _ => None,
    }
}

fn written(voice: Wording<'_>, rule: RuleId) -> Value {
    json!({ "rule": voice.rules.name(rule), "place": voice.rules.place(rule) })
}

/// Whether a condition has a value worth telling.
fn valued(voice: Wording<'_>, condition: ConditionId) -> bool {
    let definition = voice.rules.conditions.get(condition);
    definition.least.is_some() || definition.most.is_some()
}

/// That somebody bears a condition already, whose time is another now.
pub fn timed_anew(voice: Wording<'_>, who: EntityId, condition: ConditionId, value: i32) -> ExplanationLine {
    let facts = json!({ "before": value, "after": value });
    condition_line(voice, who, condition, "explain.again_timed", &[], facts)
}

fn condition_line(
    voice: Wording<'_>,
    who: EntityId,
    condition: ConditionId,
    key: &str,
    more: &[(&str, &str)],
    facts: Value,
) -> ExplanationLine {
    let name = voice.word(condition);
    let mut arguments = vec![("condition", name.as_str())];
    arguments.extend_from_slice(more);
    let mut all = json!({ "who": voice.who(who), "condition": voice.rules.name(condition), "what": key.trim_start_matches("explain.") });
    if let (Value::Object(all), Value::Object(facts)) = (&mut all, facts) {
        all.extend(facts);
    }
    ExplanationLine::new("condition", voice.who(who), voice.say(key, &arguments), all)
}

fn because(voice: Wording<'_>, reason: EndReason) -> (String, Value) {
    let plain = |key: &str, word: &str| (voice.say(key, &[]), json!({ "reason": word }));
    match reason {
        EndReason::Rule(rule) => {
            let mut facts = written(voice, rule);
            if let Value::Object(facts) = &mut facts {
                facts.insert("reason".into(), json!("rule"));
            }
            (voice.say("explain.because.rule", &[("rule", &voice.rule(rule))]), facts)
        }
        EndReason::Time => plain("explain.because.time", "time"),
        EndReason::Parent => plain("explain.because.parent", "parent"),
        EndReason::Standing => plain("explain.because.standing", "standing"),
        EndReason::Value => plain("explain.because.value", "value"),
        EndReason::Gone => plain("explain.because.gone", "gone"),
    }
}

fn stopped(voice: Wording<'_>, rule: RuleId, text: TextId, arguments: &[Argument]) -> ExplanationLine {
    let (why, _) = filled(voice, text, arguments);
    let told = voice.say("explain.stopped", &[("why", &why), ("rule", &voice.rule(rule))]);
    let facts =
        json!({ "rule": voice.rules.name(rule), "place": voice.rules.place(rule), "text": voice.rules.name(text) });
    ExplanationLine::new("stopped", voice.say("explain.label.stopped", &[]), told, facts)
}

/// A field of an event that a hook changed.
fn wrote(
    voice: Wording<'_>,
    rule: RuleId,
    (event, field): (EventId, u8),
    (before, after): (i32, i32),
) -> ExplanationLine {
    let shape = voice.rules.events.get(event).fields.get(usize::from(field));
    let (name, kind) = shape.map_or(("?", FieldType::Number), |(name, kind)| (&**name, *kind));
    let value = |number: i32| match kind {
        FieldType::Name(kind) => {
            variables::name_of(&voice.rules.lexicon, kind, number).map_or_else(|| "?".to_owned(), String::from)
        }
        FieldType::Entity => field_entity(number).map_or_else(|| "-".to_owned(), |who| voice.who(who)),
        FieldType::Number | FieldType::YesNo => number.to_string(),
    };
    let (before, after) = (value(before), value(after));
    let text = voice.say("explain.altered", &[("before", &before), ("after", &after), ("rule", &voice.rule(rule))]);
    let facts = json!({ "event": voice.rules.name(event), "field": name, "before": before, "after": after, "rule": voice.rules.name(rule), "place": voice.rules.place(rule) });
    ExplanationLine::new("altered", name.to_owned(), text, facts).below()
}

fn turn(voice: Wording<'_>, who: EntityId, round: u32) -> ExplanationLine {
    let key = if round == 0 { "explain.turn_of_aware" } else { "explain.turn" };
    let text = voice.say(key, &[("who", &voice.who(who)), ("round", &round.to_string())]);
    ExplanationLine::new(
        "turn",
        voice.say("explain.label.turn", &[]),
        text,
        json!({ "who": voice.who(who), "round": round }),
    )
}

fn said(voice: Wording<'_>, text: TextId, arguments: &[Argument]) -> ExplanationLine {
    let (told, facts) = filled(voice, text, arguments);
    ExplanationLine::new("said", String::new(), told, json!({ "text": voice.rules.name(text), "arguments": facts }))
}

/// A text with its arguments put in, and the arguments as facts.
fn filled(voice: Wording<'_>, text: TextId, arguments: &[Argument]) -> (String, Map<String, Value>) {
    let value = |argument: &Argument| match &argument.value {
        SaidText::Number(number) => number.to_string(),
        SaidText::Entity(who) => voice.who(*who),
        SaidText::Word(word) => word.to_string(),
    };
    let values: Vec<(&str, String)> = arguments.iter().map(|argument| (&*argument.name, value(argument))).collect();
    let filled: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let facts = values.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    (voice.text(text, &filled), facts)
}

/// A question with its answer in words; a yes or no in those of the language.
fn chosen(voice: Wording<'_>, chosen: &AnsweredQuestion) -> ExplanationLine {
    let answered = match (&chosen.answer, chosen.words.is_empty()) {
        (Answer::One(0), true) => voice.say("explain.no", &[]),
        (Answer::One(_), true) => voice.say("explain.yes", &[]),
        (Answer::List(_), true) => voice.say("explain.none", &[]),
        (_, false) => chosen.words.join(", "),
    };
    let arguments: Vec<(&str, &str)> = chosen.arguments.iter().map(|(name, value)| (&**name, &**value)).collect();
    let question = voice.text(chosen.text, &arguments);
    let told = voice.say("explain.chosen", &[("question", &question), ("answer", &answered)]);
    let name = voice.who(chosen.who);
    let facts =
        json!({ "who": name, "text": voice.rules.name(chosen.text), "answer": chosen.answer, "words": chosen.words });
    ExplanationLine::new("chosen", name, told, facts)
}
