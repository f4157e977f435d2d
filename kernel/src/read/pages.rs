//! Reads creatures and items, each with all that it is like.

use super::desk::*;
use super::numbers::modifiers;
use crate::error::Problem;
use crate::formula::Want;
use crate::ident::*;
use crate::intent::Held;
use crate::pack::{Body, Child, Fields, Node, Phrase};
use crate::ruleset::{Page, Pool, Tag};

/// How long a chain of `like` may be.
const LONGEST_CHAIN: usize = 16;

/// Reads the creatures or the items.
pub fn pages<I: Id>(desk: &Desk<'_>, tags: &Shelf<TagId, Tag>, problems: &mut Vec<Problem>) -> Shelf<I, Page> {
    desk.shelf(|name, node| {
        let mut page = Page::default();
        let Some(node) = node else { return page };
        for (base, base_node) in chain::<I>(desk, name, node, problems).into_iter().rev() {
            read_onto(desk, &mut page, &format!("{}.{base}", I::KIND.word()), base_node, problems);
        }
        for tag in page.tags.clone().iter() {
            page.tags.join(&tags.get(tag).implies);
        }
        page
    })
}

/// The page and all that it is like, itself first.
fn chain<'a, I: Id>(
    desk: &Desk<'a>,
    name: &str,
    node: &'a Node,
    problems: &mut Vec<Problem>,
) -> Vec<(String, &'a Node)> {
    let mut chain = vec![(name.to_owned(), node)];
    while let Some(like) = chain.last().and_then(|(_, node)| node.as_table()?.get("like")?.node.as_text()) {
        let defined = desk.merged.kind(I::KIND.word());
        let base = defined.iter().find(|child| child.name == like.text);
        match base {
            None => {
                problems.push(desk.unknown::<I>(like));
                break;
            }
            Some(base) if chain.len() >= LONGEST_CHAIN || chain.iter().any(|(known, _)| *known == base.name) => {
                let way = chain.last().map_or(name, |(last, _)| last);
                problems.push(
                    Problem::new("HR0206", like.span, format!("`{name}` is like itself, by way of `{way}`"))
                        .help("break the circle of `like`"),
                );
                break;
            }
            Some(base) => chain.push((base.name.clone(), &base.node)),
        }
    }
    chain
}

fn read_onto(desk: &Desk<'_>, page: &mut Page, rule: &str, node: &Node, problems: &mut Vec<Problem>) {
    let mut f = Fields::open(node, format!("`{rule}`"), problems);
    f.text("about");
    f.text("like");
    page.tags.join(&desk.tags(&mut f, "tags"));
    numbered(desk, &mut f, "stats", &mut page.stats);
    numbered(desk, &mut f, "pools", &mut page.pools);
    if f.child("holds").is_some() {
        page.holds = holds(desk, &mut f);
    }
    let bears = f.texts("conditions");
    page.bears.extend(desk.ids::<ConditionId>(&bears, f.problems()));
    for child in f.table("rolls") {
        let formula = desk.formula(&child.node, Want::Roll, &Locals::new(), f.problems());
        page.rolls.retain(|(name, _)| **name != *child.name);
        page.rolls.extend(formula.map(|formula| (child.name.as_str().into(), formula)));
    }
    if let Some(radius) = desk.field(&mut f, "radius", Want::Number, &Locals::new()) {
        page.radius = Some(radius);
    }
    page.modifiers.extend(modifiers(desk, rule, &mut f, &Locals::new()));
    f.close();
}

/// What somebody holds: names of items, or `{ item = "…", stats = { … }, pools = { … }, tags = [ … ] }`.
pub fn holds(desk: &Desk<'_>, f: &mut Fields<'_, '_>) -> Vec<Held> {
    let nodes = f.list("holds");
    nodes.iter().filter_map(|node| held(desk, node, f)).collect()
}

fn held<'a>(desk: &Desk<'_>, node: &'a Node, f: &mut Fields<'a, '_>) -> Option<Held> {
    if node.as_table().is_none() {
        let phrase = f.as_text(node, "holds")?;
        return desk.id::<ItemId>(phrase, f.problems()).map(Held::from);
    }
    let mut inner = f.inside(node, "something held");
    let item = inner.required_text("item").and_then(|phrase| desk.id(phrase, inner.problems()));
    let (mut stats, mut pools) = (Vec::new(), Vec::new());
    numbered(desk, &mut inner, "stats", &mut stats);
    numbered(desk, &mut inner, "pools", &mut pools);
    let tags = inner.texts("tags");
    let tags = desk.ids(&tags, inner.problems());
    inner.close();
    Some(Held { item: item?, stats, pools, tags })
}

/// Tells of pools that a page gives a start to without having them.
pub fn pools_fit<I: Id>(
    desk: &Desk<'_>,
    pages: &Shelf<I, Page>,
    pools: &Shelf<PoolId, Pool>,
    problems: &mut Vec<Problem>,
) {
    for child in desk.merged.kind(I::KIND.word()) {
        let said = child.node.as_table().and_then(|table| table.get("pools")?.node.as_table());
        let Some(id) = desk.lexicon.find::<I>(&child.name) else { continue };
        for pool in said.map(crate::pack::Table::children).unwrap_or_default() {
            let Some(of) = desk.lexicon.find::<PoolId>(&pool.name).map(|id| &pools.get(id).of) else { continue };
            let fits = if of.is_empty() { I::KIND == Kind::Creature } else { pages.get(id).tags.meets(of) };
            if !fits {
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

/// Numbers by name; what stands later replaces what stood before.
/// Whole numbers by name; a later one of the same name takes the place of the
/// earlier.
pub fn numbered<I: Id>(desk: &Desk<'_>, f: &mut Fields<'_, '_>, key: &str, into: &mut Vec<(I, i32)>) {
    for child in f.table(key) {
        let phrase = phrase(child);
        let id: Option<I> = desk.id(&phrase, f.problems());
        match (id, &child.node.body) {
            (Some(id), Body::Int(number)) => {
                into.retain(|(known, _)| *known != id);
                into.push((id, *number));
            }
            (_, Body::Int(_) | Body::Broken) => {}
            _ => f.problems().push(Problem::new(
                "HR0203",
                child.node.span,
                format!("`{}` is a whole number, not {}", child.name, child.node.described()),
            )),
        }
    }
}

fn phrase(child: &Child) -> Phrase {
    Phrase { text: child.name.clone(), span: child.span }
}
