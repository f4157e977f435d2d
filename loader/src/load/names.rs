//! Finds every name that packs give, before any definition is read.

use crate::pack::{Merged, NodeKind, TomlEntry, TomlNode};
use houserule_kernel::event::KERNEL_EVENTS;
use houserule_kernel::ident::{Lexicon, NameKind};
use houserule_kernel::script::{Declaration, Declared};

/// The texts of the kernel's own questions.
pub const KERNEL_TEXTS: [&str; 8] =
    ["ask.roll", "ask.fact", "ask.tie", "say.gate", "say.skipped", "say.dropped", "say.muted", "say.occupied"];
/// The streams the kernel draws from itself.
pub const KERNEL_STREAMS: [&str; 4] = ["damage", "roll", "tie", "pick"];
/// Tables inside definitions whose children are rules with names of their own.
const NAMED_CHILDREN: [&str; 8] = ["part", "modifier", "case", "shift", "tick", "gate", "requires", "stage"];

/// All names of merged packs and of what their scripts declare.
pub fn lexicon(merged: &Merged, declared: &[Declaration], texts: &[String]) -> Lexicon {
    Lexicon::new(|kind| names(merged, declared, texts, kind).into_iter().map(Into::into).collect())
}

fn names(merged: &Merged, declared: &[Declaration], texts: &[String], kind: NameKind) -> Vec<String> {
    let mut names: Vec<String> = merged.kind(kind.word()).iter().map(|child| child.name.clone()).collect();
    match kind {
        NameKind::Type => names.push("untyped".into()),
        NameKind::Degree => {
            names.extend(merged.kind("check").iter().flat_map(|check| texts_of(&check.node, "degrees")))
        }
        NameKind::Choice => {
            names.extend(merged.kind("option").iter().flat_map(|option| texts_of(&option.node, "choices")))
        }
        NameKind::Stage => names.extend(stages(merged)),
        NameKind::Event => names.extend(events(merged)),
        NameKind::Pool => names.extend(merged.kind("bundle").iter().map(|bundle| bundle.name.clone())),
        NameKind::Hook => names.extend(hooks(declared).map(|hook| hook.name.clone())),
        NameKind::Stream => {
            names.extend(KERNEL_STREAMS.map(str::to_owned));
            tables(merged).for_each(|node| find_streams(node, &mut names));
        }
        NameKind::Text => {
            names.extend(KERNEL_TEXTS.map(str::to_owned));
            names.extend_from_slice(texts);
        }
        NameKind::Rule => names = rules(merged, declared).into_iter().map(|(name, _)| name).collect(),
        _ => {}
    }
    names
}

fn hooks(declared: &[Declaration]) -> impl Iterator<Item = &Declaration> {
    declared.iter().filter(|declaration| declaration.deed == Declared::On)
}

fn tables(merged: &Merged) -> impl Iterator<Item = &TomlNode> {
    merged.kinds.values().flatten().chain(merged.singles.values()).map(|child| &child.node)
}

fn texts_of(node: &TomlNode, key: &str) -> Vec<String> {
    let list = node.as_table().and_then(|table| table.get(key));
    match list.map(|child| &child.node.body) {
        Some(NodeKind::List(list)) => {
            list.iter().filter_map(TomlNode::as_text).map(|phrase| phrase.text.clone()).collect()
        }
        _ => Vec::new(),
    }
}

fn child_names(node: Option<&TomlEntry>, key: &str) -> Vec<String> {
    let table = node.and_then(|child| child.node.as_table()).and_then(|table| table.get(key));
    table
        .and_then(|child| child.node.as_table())
        .map(|table| table.names().map(str::to_owned).collect())
        .unwrap_or_default()
}

/// The stages of damage, by name.
pub fn stages(merged: &Merged) -> Vec<String> {
    child_names(merged.single("damage"), "stage")
}

fn events(merged: &Merged) -> Vec<String> {
    let mut events: Vec<String> = KERNEL_EVENTS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    events.extend(stages(merged).iter().map(|stage| format!("damage/{stage}")));
    if let Some(turn) = merged.single("turn") {
        let phases = ["round_start", "start", "end", "round_end"].into_iter();
        events.extend(phases.flat_map(|key| texts_of(&turn.node, key)));
    }
    events
}

fn find_streams(node: &TomlNode, into: &mut Vec<String>) {
    match &node.body {
        NodeKind::Table(table) => {
            let stream = table.get("stream").and_then(|child| child.node.as_text());
            into.extend(stream.map(|phrase| phrase.text.clone()));
            table.children().into_iter().for_each(|child| find_streams(&child.node, into));
        }
        NodeKind::List(list) => list.iter().for_each(|node| find_streams(node, into)),
        _ => {}
    }
}

/// Every rule that can be cited, with the place where it was written.
pub fn rules(merged: &Merged, declared: &[Declaration]) -> Vec<(String, houserule_kernel::error::Span)> {
    let mut rules = Vec::new();
    for (kind, children) in &merged.kinds {
        for child in children {
            rule(&format!("{kind}.{}", child.name), child, &mut rules);
        }
    }
    for (kind, child) in &merged.singles {
        rule(kind, child, &mut rules);
    }
    rules.extend(hooks(declared).map(|hook| (format!("hook.{}", hook.name), hook.span)));
    rules.sort();
    rules.dedup_by(|one, other| one.0 == other.0);
    rules
}

fn rule(name: &str, child: &TomlEntry, into: &mut Vec<(String, houserule_kernel::error::Span)>) {
    into.push((name.to_owned(), child.span));
    let Some(table) = child.node.as_table() else { return };
    for inner in NAMED_CHILDREN {
        let named = table.get(inner).and_then(|child| child.node.as_table());
        for grandchild in named.map(crate::pack::TomlTable::children).unwrap_or_default() {
            into.push((format!("{name}.{inner}.{}", grandchild.name), grandchild.span));
        }
    }
}
