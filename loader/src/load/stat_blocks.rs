//! Reads creatures and items, each with all that it is like.

use super::context::*;
use super::numbers::modifiers;
use crate::pack::limits::MOST_HELD;
use crate::pack::{FieldReader, NodeKind, Spanned, TomlEntry, TomlNode};
use crate::problems::Problems;
use houserule_kernel::error::{Problem, Span};
use houserule_kernel::formula::ExpectedType;
use houserule_kernel::ident::*;
use houserule_kernel::intent::HeldItem;
use houserule_kernel::ruleset::{Pool, Ruleset, StatBlock, Tag};
use std::collections::BTreeSet;

/// How long a chain of `like` may be.
const LONGEST_CHAIN: usize = 16;

/// What a page says itself.
#[derive(Default)]
struct Said {
    page: StatBlock,
    /// It says what is held, and not the page that it is like.
    holds: bool,
}

impl Said {
    /// How many lines another page takes over from this one.
    fn lines(&self) -> usize {
        let StatBlock { stats, pools, holds, bears, rolls, modifiers, .. } = &self.page;
        let held: usize = holds.iter().map(|held| 1 + held.stats.len() + held.pools.len() + held.tags.len()).sum();
        1 + stats.len() + pools.len() + held + bears.len() + rolls.len() + 4 * modifiers.len()
    }
}

/// Reads the creatures or the items.
pub fn pages<I: Id>(desk: &LoadContext<'_>, tags: &IdVec<TagId, Tag>, problems: &mut Problems) -> IdVec<I, StatBlock> {
    let said: IdVec<I, Said> = desk.shelf(|name, node| {
        let read = |node| read_page(desk, &format!("{}.{name}", I::KIND.word()), node, problems);
        node.map(read).unwrap_or_default()
    });
    desk.shelf(|name, node| {
        let mut page = StatBlock::default();
        let Some(node) = node else { return page };
        for (base, span) in chain::<I>(desk, name, node, problems).into_iter().rev() {
            let base = said.get(base);
            if !desk.take_over(base.lines(), name, span, problems) {
                return page;
            }
            lay(base, &mut page);
        }
        for tag in page.tags.clone().iter() {
            page.tags.join(&tags.get(tag).implies);
        }
        page
    })
}

/// The page and all that it is like, itself first, each with where that is said.
fn chain<I: Id>(desk: &LoadContext<'_>, name: &str, node: &TomlNode, problems: &mut Problems) -> Vec<(I, Span)> {
    let mut chain: Vec<(I, Span)> = desk.lexicon.find(name).map(|id| (id, node.span)).into_iter().collect();
    let mut last = (name, node);
    while let Some(like) = last.1.as_table().and_then(|table| table.get("like")?.node.as_text()) {
        let found = desk.merged.find(I::KIND.word(), &like.text).zip(desk.lexicon.find::<I>(like));
        let Some((base, id)) = found else {
            desk.tell_unknown::<I>(like, problems);
            break;
        };
        if chain.iter().any(|(known, _)| *known == id) {
            let message = format!("`{name}` is like itself, by way of `{}`", last.0);
            problems.push(Problem::new("HR0206", like.span, message).help("break the circle of `like`"));
            break;
        }
        if chain.len() >= LONGEST_CHAIN {
            let message =
                format!("`{name}` is like one that is like one, and so on for more than {LONGEST_CHAIN} in a row");
            problems.push(Problem::new("HR0208", like.span, message).help("let it be like one of the last of them"));
            break;
        }
        chain.push((id, like.span));
        last = (&base.name, &base.node);
    }
    chain
}

fn read_page(desk: &LoadContext<'_>, rule: &str, node: &TomlNode, problems: &mut Problems) -> Said {
    let mut said = Said::default();
    let page = &mut said.page;
    let mut f = FieldReader::open(node, format!("`{rule}`"), problems);
    f.text("about");
    f.text("like");
    page.tags = desk.tags(&mut f, "tags");
    numbered(desk, &mut f, "stats", &mut page.stats);
    numbered(desk, &mut f, "pools", &mut page.pools);
    said.holds = f.child("holds").is_some();
    if said.holds {
        page.holds = holds(desk, &mut f);
    }
    let bears = f.texts("conditions");
    page.bears = desk.ids::<ConditionId>(&bears, f.problems());
    for child in f.table("rolls") {
        let formula = desk.formula(&child.node, ExpectedType::Roll, &Locals::new(), f.problems());
        page.rolls.extend(formula.map(|formula| (child.name.as_str().into(), formula)));
    }
    page.radius = desk.field(&mut f, "radius", ExpectedType::Number, &Locals::new());
    page.modifiers = modifiers(desk, rule, &mut f, &Locals::new());
    f.close();
    said
}

/// Lays what a page says on what stood before: numbers by name, and the rest
/// behind it.
fn lay(said: &Said, page: &mut StatBlock) {
    let StatBlock { tags, stats, pools, holds, bears, rolls, radius, modifiers } = &said.page;
    page.tags.join(tags);
    replace(&mut page.stats, stats);
    replace(&mut page.pools, pools);
    replace(&mut page.rolls, rolls);
    if said.holds {
        page.holds = holds.clone();
    }
    page.bears.extend(bears);
    page.radius = radius.clone().or(page.radius.take());
    page.modifiers.extend(modifiers.iter().cloned());
}

/// Adds entries behind those that stand, of which none keeps the same key.
fn replace<K: Ord + Clone, V: Clone>(standing: &mut Vec<(K, V)>, new: &[(K, V)]) {
    let keys: BTreeSet<&K> = new.iter().map(|(key, _)| key).collect();
    standing.retain(|(key, _)| !keys.contains(key));
    standing.extend(new.iter().cloned());
}

/// What somebody holds: names of items, or `{ item = "…", stats = { … }, pools = { … }, tags = [ … ] }`.
pub fn holds(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>) -> Vec<HeldItem> {
    let nodes = f.list("holds");
    nodes.iter().filter_map(|node| held(desk, node, f)).collect()
}

fn held<'a>(desk: &LoadContext<'_>, node: &'a TomlNode, f: &mut FieldReader<'a, '_>) -> Option<HeldItem> {
    if node.as_table().is_none() {
        let phrase = f.as_text(node, "holds")?;
        return desk.id::<ItemId>(phrase, f.problems()).map(HeldItem::from);
    }
    let mut inner = f.inside(node, "something held");
    let item = inner.required_text("item").and_then(|phrase| desk.id(phrase, inner.problems()));
    let (mut stats, mut pools) = (Vec::new(), Vec::new());
    numbered(desk, &mut inner, "stats", &mut stats);
    numbered(desk, &mut inner, "pools", &mut pools);
    let tags = inner.texts("tags");
    let tags = desk.ids(&tags, inner.problems());
    inner.close();
    Some(HeldItem { item: item?, stats, pools, tags })
}

/// Tells of pages with which more comes along than a table has room for: each of
/// what they hold brings what it holds itself. That no item holds itself, and
/// that the ways are short, was seen before.
pub fn hoards(desk: &LoadContext<'_>, rules: &Ruleset, problems: &mut Problems) {
    let mut counts: Vec<u64> = vec![1; rules.items.len()];
    let count = |page: &StatBlock, counts: &[u64]| {
        let of = |held: &HeldItem| counts.get(usize::from(held.item.number())).copied().unwrap_or(1);
        page.holds.iter().map(of).fold(1, u64::saturating_add)
    };
    for _ in 0..LONGEST_CHAIN {
        counts = rules.items.iter().map(|(_, page)| count(page, &counts)).collect();
    }
    let mut tell = |kind: &str, name: &str, page: &StatBlock| {
        let many = count(page, &counts);
        if let (true, Some(child)) = (many > MOST_HELD, desk.merged.find(kind, name)) {
            let message = format!("`{name}` brings along {many} things, by what it holds and what these hold");
            let help = format!("let it hold fewer: {MOST_HELD} is the most");
            problems.push(Problem::new("HR0208", child.span, message).help(help));
        }
    };
    rules.items.iter().for_each(|(id, page)| tell("item", rules.name(id), page));
    rules.creatures.iter().for_each(|(id, page)| tell("creature", rules.name(id), page));
}

/// Tells of pools that a page gives a start to without having them.
pub fn pools_fit<I: Id>(
    desk: &LoadContext<'_>,
    pages: &IdVec<I, StatBlock>,
    pools: &IdVec<PoolId, Pool>,
    problems: &mut Problems,
) {
    for child in desk.merged.kind(I::KIND.word()) {
        let said = child.node.as_table().and_then(|table| table.get("pools")?.node.as_table());
        let Some(id) = desk.lexicon.find::<I>(&child.name) else { continue };
        for pool in said.map(crate::pack::TomlTable::children).unwrap_or_default() {
            let Some(of) = desk.lexicon.find::<PoolId>(&pool.name).map(|id| &pools.get(id).of) else { continue };
            let fits = if of.is_empty() { I::KIND == NameKind::Creature } else { pages.get(id).tags.meets(of) };
            if !fits && problems.is_full(pool.span.file) {
                problems.push(Problem::new(
                    "HR0205",
                    pool.span,
                    format!("`{}` has no pool `{}`", child.name, pool.name),
                ));
            } else if !fits {
                let names = of.iter().map(|tag| format!("`{}`", desk.lexicon.name(tag))).collect::<Vec<_>>().join(", ");
                let (message, help) = match of.is_empty() {
                    true => (
                        format!("`{}` is a pool of creatures, and `{}` is an item", pool.name, child.name),
                        format!("name the items that have it in `of` of `[pool.{}]`", pool.name),
                    ),
                    false => (
                        format!("`{}` has no pool `{}`, which is for {names}", child.name, pool.name),
                        format!("give it one of these tags, or add one of its own to `of` of `[pool.{}]`", pool.name),
                    ),
                };
                problems.push(Problem::new("HR0205", pool.span, message).help(help));
            }
        }
    }
}

/// IdMap by name; what stands later replaces what stood before.
/// Whole numbers by name; a later one of the same name takes the place of the
/// earlier.
pub fn numbered<I: Id>(desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>, key: &str, into: &mut Vec<(I, i32)>) {
    for child in f.table(key) {
        let phrase = phrase(child);
        let id: Option<I> = desk.id(&phrase, f.problems());
        match (id, &child.node.body) {
            (Some(id), NodeKind::Int(number)) => {
                into.retain(|(known, _)| *known != id);
                into.push((id, *number));
            }
            (_, NodeKind::Int(_) | NodeKind::Broken) => {}
            _ => f.problems().push(Problem::new(
                "HR0203",
                child.node.span,
                format!("`{}` is a whole number, not {}", child.name, child.node.described()),
            )),
        }
    }
}

fn phrase(child: &TomlEntry) -> Spanned {
    Spanned { text: child.name.clone(), span: child.span }
}
