//! Where rules come from: the hooks of an event, a house-rule switch, any rule by its name.

use super::tally::find;
use super::voice::{Wording, spaced};
use super::{Explanation, ExplanationLine, unknown};
use houserule_kernel::error::Fault;
use houserule_kernel::event::FieldType;
use houserule_kernel::ident::*;
use houserule_kernel::layer::{LayerNote, PatchOp};
use houserule_kernel::ruleset::{Hook, HookBody, Ruleset};
use houserule_loader::pack::{TomlTable, read_toml};
use houserule_loader::problems::Problems;
use serde_json::{Value, json};

/// What answers an event, in the order in which it does: what conditions do at
/// it, hooks, then reactions; each with its place, and silenced ones with the
/// reason.
///
/// # Errors
/// `HR0541` if the packs know no such event.
pub fn explain_hooks(rules: &Ruleset, event: &str, language: &str) -> Result<Explanation, Fault> {
    let voice = Wording { rules, state: None, language };
    let id: EventId = find(&rules.lexicon, event)?;
    let before = rules.events.get(id).before;
    let key = if before { "explain.title.hooks_before" } else { "explain.title.hooks_after" };
    let mut lines: Vec<ExplanationLine> = Vec::new();
    let ticks = rules.conditions.iter().flat_map(|(_, condition)| &condition.ticks).filter(|tick| tick.at == id);
    lines.extend(ticks.map(|tick| asked(voice, "tick", tick.rule, tick.when.is_some())));
    lines.extend(rules.hooks.get(id).iter().map(|hook| hook_line(voice, id, hook)));
    let reactions = rules.windows.get(id).iter().map(|reaction| rules.reactions.get(*reaction));
    lines.extend(reactions.map(|reaction| asked(voice, "reaction", reaction.rule, reaction.when.is_some())));
    if lines.is_empty() {
        lines.push(ExplanationLine::new("hook", String::new(), voice.say("explain.hook.none", &[]), Value::Null));
    }
    let title = ExplanationLine::new(
        "event",
        String::new(),
        voice.say(key, &[("event", event)]),
        json!({ "event": event, "before": before }),
    );
    Ok(Explanation { title, lines })
}

fn asked(voice: Wording<'_>, topic: &'static str, rule: RuleId, asks: bool) -> ExplanationLine {
    let remarks: Vec<String> = asks.then(|| voice.say("explain.hook.asks", &[])).into_iter().collect();
    answer(voice, topic, rule, &remarks, json!({ "asks": asks }))
}

fn hook_line(voice: Wording<'_>, event: EventId, hook: &Hook) -> ExplanationLine {
    let filters: Vec<(&str, String)> =
        hook.filters.iter().filter_map(|filter| filter_of(voice.rules, event, *filter)).collect();
    let mut remarks: Vec<String> = filters
        .iter()
        .map(|(field, value)| voice.say("explain.hook.filter", &[("field", field), ("value", value)]))
        .collect();
    if hook.when.is_some() {
        remarks.push(voice.say("explain.hook.asks", &[]));
    }
    if hook.skip {
        remarks.push(voice.say("explain.hook.skip", &[]));
    }
    if let Some(why) = &hook.muted {
        remarks.push(voice.say("explain.hook.muted", &[("why", why)]));
    }
    let filters: serde_json::Map<String, Value> =
        filters.into_iter().map(|(field, value)| (field.to_owned(), json!(value))).collect();
    let language = match &hook.body {
        HookBody::Steps(_) => None,
        HookBody::Script { language, .. } => voice.rules.languages.get(*language).map(|language| language.name()),
    };
    let more = json!({ "filters": filters, "asks": hook.when.is_some(), "skip": hook.skip, "muted": hook.muted, "language": language });
    answer(voice, "hook", hook.rule, &remarks, more)
}

/// The field of a filter and the name it must have.
fn filter_of(rules: &Ruleset, event: EventId, (field, number): (u8, i32)) -> Option<(&str, String)> {
    let (name, kind) = rules.events.get(event).fields.get(usize::from(field))?;
    let named = match kind {
        FieldType::Name(kind) => {
            usize::try_from(number).ok().and_then(|at| rules.lexicon.names(*kind).get(at).map(ToString::to_string))
        }
        _ => None,
    };
    Some((name, named.unwrap_or_else(|| number.to_string())))
}

fn answer(voice: Wording<'_>, topic: &'static str, rule: RuleId, remarks: &[String], more: Value) -> ExplanationLine {
    let place = voice.rules.place(rule);
    let text = std::iter::once(place.clone()).chain(remarks.iter().cloned()).collect::<Vec<_>>().join(", ");
    let mut facts = json!({ "rule": voice.rules.name(rule), "place": place });
    if let (Value::Object(facts), Value::Object(more)) = (&mut facts, more) {
        facts.extend(more);
    }
    ExplanationLine::new(topic, voice.rules.name(rule).to_owned(), text, facts)
}

/// A house-rule switch: what it is about, its choices and the default, which
/// profiles set it, and the rules it changes with their places.
///
/// # Errors
/// `HR0541` if the packs know no such switch.
pub fn explain_option(rules: &Ruleset, name: &str, language: &str) -> Result<Explanation, Fault> {
    let voice = Wording { rules, state: None, language };
    let id: OptionId = find(&rules.lexicon, name)?;
    let switch = rules.options.get(id);
    let label = |key: &str| voice.say(key, &[]);
    let choices: Vec<String> = switch.choices.iter().map(|choice| spaced(rules.name(*choice))).collect();
    let mut lines = about(voice, &format!("option.{name}"));
    if !choices.is_empty() {
        lines.push(ExplanationLine::new(
            "choices",
            label("explain.label.choices"),
            choices.join(", "),
            json!({ "choices": choices }),
        ));
    }
    let default = voice.setting(id, switch.default);
    lines.push(ExplanationLine::new(
        "default",
        label("explain.label.default"),
        default,
        json!({ "default": switch.default }),
    ));
    for (profile, settings) in &rules.profiles {
        let set = settings.iter().filter(|(option, _)| *option == id);
        let told =
            |value: i32| voice.say("explain.profile", &[("profile", profile), ("value", &voice.setting(id, value))]);
        lines.extend(set.map(|(_, value)| {
            ExplanationLine::new(
                "profile",
                label("explain.label.profile"),
                told(*value),
                json!({ "profile": profile, "value": value }),
            )
        }));
    }
    lines.extend(switch.changes.iter().map(|rule| changes(voice, rule)));
    let title = voice.say("explain.title.option", &[("option", &voice.word(id))]);
    Ok(Explanation { title: ExplanationLine::new("option", String::new(), title, json!({ "option": name })), lines })
}

fn changes(voice: Wording<'_>, rule: &str) -> ExplanationLine {
    let place = voice.rules.lexicon.find::<RuleId>(rule).map(|rule| voice.rules.place(rule)).unwrap_or_default();
    let text = voice.say("explain.written", &[("rule", rule), ("place", &place)]);
    ExplanationLine::new(
        "changes",
        voice.say("explain.label.changes", &[]),
        text,
        json!({ "rule": rule, "place": place }),
    )
}

/// A rule by its full name, such as `stat.kac.part.armor`: where it stands,
/// which packs defined and changed it, and the switches that change it.
///
/// # Errors
/// `HR0541` if the packs know no such rule.
pub fn explain_rule(rules: &Ruleset, name: &str, language: &str) -> Result<Explanation, Fault> {
    let voice = Wording { rules, state: None, language };
    let known = rules.lexicon.names(NameKind::Rule);
    let id: RuleId = rules.lexicon.find(name).ok_or_else(|| unknown("rule", name, known.iter().map(AsRef::as_ref)))?;
    let place = rules.place(id);
    let mut lines = about(voice, name);
    lines.extend(notes_of(rules, name).map(|note| layer(voice, note)));
    for (option, _) in
        rules.options.iter().filter(|(_, switch)| switch.changes.iter().any(|changed| &**changed == name))
    {
        let told = voice.say("explain.switched", &[("option", &voice.word(option))]);
        lines.push(ExplanationLine::new(
            "option",
            voice.say("explain.label.option", &[]),
            told,
            json!({ "option": rules.name(option) }),
        ));
    }
    let title = voice.say("explain.written", &[("rule", name), ("place", &place)]);
    Ok(Explanation {
        title: ExplanationLine::new("rule", String::new(), title, json!({ "rule": name, "place": place })),
        lines,
    })
}

fn layer(voice: Wording<'_>, note: &LayerNote) -> ExplanationLine {
    let (line, _) = voice.rules.sources.line_column(note.span);
    let place = format!("{}:{line}", voice.rules.sources.name(note.span.file));
    let (deed, key) = match note.deed {
        PatchOp::Defined => ("defined", "explain.layer.defined"),
        PatchOp::Replaced => ("replaced", "explain.layer.replaced"),
        PatchOp::Changed => ("changed", "explain.layer.changed"),
        PatchOp::Removed => ("removed", "explain.layer.removed"),
    };
    let text = voice.say(key, &[("path", &note.path), ("place", &place)]);
    let facts = json!({ "pack": note.pack, "deed": deed, "path": note.path, "place": place });
    ExplanationLine::new("layer", note.pack.clone(), text, facts)
}

/// The full name of what a note is about, without its path.
fn title(note: &LayerNote) -> String {
    if note.name.is_empty() { note.kind.clone() } else { format!("{}.{}", note.kind, note.name) }
}

/// The rest of a rule's name behind a title, if it lies in what has that title.
fn behind<'a>(rule: &'a str, title: &str) -> Option<&'a str> {
    let rest = rule.strip_prefix(title)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

/// What packs did to a rule, to what it is part of, or to a part of it.
fn notes_of<'a>(rules: &'a Ruleset, rule: &'a str) -> impl Iterator<Item = &'a LayerNote> {
    let titles = rules.layers.iter().map(title).filter(|title| behind(rule, title).is_some());
    let nearest = titles.max_by_key(String::len).unwrap_or_default();
    let rest = behind(rule, &nearest).unwrap_or_default();
    let within = |outer: &str, inner: &str| outer.is_empty() || behind(inner, outer).is_some();
    rules
        .layers
        .iter()
        .filter(move |note| title(note) == nearest && (within(&note.path, rest) || within(rest, &note.path)))
}

/// What the packs say a rule is about, in the words of the last that does.
fn about(voice: Wording<'_>, rule: &str) -> Vec<ExplanationLine> {
    let notes: Vec<&LayerNote> = notes_of(voice.rules, rule).collect();
    let words = notes.iter().rev().filter(|note| title(note) == rule).find_map(|note| written_about(voice.rules, note));
    let label = voice.say("explain.label.about", &[]);
    words
        .map(|words| ExplanationLine::new("about", label, words.clone(), json!({ "about": words })))
        .into_iter()
        .collect()
}

/// The `about` of a definition, or of a change of it, as its file says.
fn written_about(rules: &Ruleset, note: &LayerNote) -> Option<String> {
    let root = read_toml(rules.sources.text(note.span.file), note.span.file, &mut Problems::default());
    let inner = |table: &TomlTable, name: &str| table.get(name).and_then(|child| child.node.as_table().cloned());
    let root = match note.deed {
        PatchOp::Defined => root,
        PatchOp::Replaced => inner(&root, "replace")?,
        PatchOp::Changed => inner(&root, "change")?,
        PatchOp::Removed => return None,
    };
    let kind = inner(&root, &note.kind)?;
    let table = if note.name.is_empty() { kind } else { inner(&kind, &note.name)? };
    table.get("about")?.node.as_text().map(|phrase| phrase.text.clone())
}
