//! Who takes part: the lines of encounters and scenarios that seat somebody.

use crate::{NewEntity, Problem, Problems, Ruleset, Span, sheet};
use houserule_kernel::entity::StatBlockRef;
use houserule_kernel::ident::{IdSet, PoolId, TagId};
use houserule_kernel::space::Square;
use houserule_loader::load::context::LoadContext;
use houserule_loader::load::stat_blocks::{holds, numbered};
use houserule_loader::pack::{FieldReader, Merged, NodeKind, Spanned, TomlEntry, TomlNode};

/// What the table itself is called.
const TABLE: &str = "table";

/// Somebody who takes part.
#[derive(Clone, Debug)]
pub struct Member {
    /// How they come to the table.
    pub seat: NewEntity,
    /// Whether they are aware of the others when the encounter begins.
    pub aware: bool,
    /// The tactic by which they act if nobody plays them.
    pub tactic: Option<String>,
    /// Where the lines begin that seat them.
    pub place: Span,
    /// Where their pools are said; else as `place`.
    pub pools_at: Span,
}

impl Member {
    /// Reads a member, or what a later line says of one.
    pub fn read(rules: &Ruleset, child: &TomlEntry, onto: Option<&Member>, problems: &mut Problems) -> Option<Member> {
        let mut f = FieldReader::open(&child.node, format!("`{}`", child.name), problems);
        if child.name.trim().is_empty() || child.name == TABLE {
            let message = format!("nobody can be called `{}`", child.name);
            f.problems().push(Problem::new("HR0205", child.span, message).help("give them a name of their own"));
        }
        let member = match f.text("sheet") {
            Some(file) => Member::of_sheet(rules, &child.name, file, &mut f),
            None => Member::read_fields(rules, &child.name, onto, &mut f),
        };
        let pools_at = f.child("pools").map_or(child.span, |pools| pools.span);
        f.close();
        member.map(|member| Member { place: child.span, pools_at, ..member })
    }

    /// Reads what the fields say of a member of this name, over what is known.
    pub fn read_fields(
        rules: &Ruleset,
        name: &str,
        onto: Option<&Member>,
        f: &mut FieldReader<'_, '_>,
    ) -> Option<Member> {
        let merged = Merged::default();
        let desk = LoadContext::of(rules, &merged);
        let origin = match (f.text("like"), f.text("item"), onto) {
            (Some(like), Some(item), _) => {
                let message = format!("`{name}` is like a creature and an item at once");
                f.problems().push(Problem::new("HR0205", item.span, message).help("keep `like` or `item`"));
                desk.id(like, f.problems()).map(StatBlockRef::Creature)
            }
            (Some(like), None, _) => desk.id(like, f.problems()).map(StatBlockRef::Creature),
            (None, Some(item), _) => desk.id(item, f.problems()).map(StatBlockRef::Item),
            (None, None, Some(member)) => Some(member.seat.origin),
            (None, None, None) => {
                f.required_text("like");
                None
            }
        };
        let known = onto.cloned();
        let blank = |origin| Member {
            seat: empty_seat(name, origin),
            aware: true,
            tactic: None,
            place: Span::default(),
            pools_at: Span::default(),
        };
        let mut member = known.or_else(|| origin.map(blank)).unwrap_or_else(|| blank(StatBlockRef::Table));
        member.seat.origin = origin.unwrap_or(member.seat.origin);
        member.read_rest(&desk, f);
        if origin.is_some() {
            member.tell_lacking(rules, f);
        }
        origin.map(|_| member)
    }

    /// Reads what the fields say over a sheet.
    fn of_sheet(rules: &Ruleset, name: &str, file: &Spanned, f: &mut FieldReader<'_, '_>) -> Option<Member> {
        let found = sheet::find(rules, file).map_err(|problem| f.problems().push(problem)).ok();
        if let Some(like) = f.child("like") {
            let message = format!("`{name}` has a sheet, which says already what they are like");
            f.problems().push(Problem::new("HR0205", like.span, message).help("keep `like` or `sheet`"));
        }
        let named =
            found.map(|sheet| Member { seat: NewEntity { name: name.into(), ..sheet.member.seat }, ..sheet.member });
        // without its sheet the other lines are read all the same, for what is wrong with them
        let blank = Member {
            seat: empty_seat(name, StatBlockRef::Table),
            aware: true,
            tactic: None,
            place: Span::default(),
            pools_at: Span::default(),
        };
        let read = Member::read_fields(rules, name, Some(named.as_ref().unwrap_or(&blank)), f);
        named.and(read)
    }

    /// Whether it acts; things that lie about do not.
    #[must_use]
    pub fn acts(&self) -> bool {
        matches!(self.seat.origin, StatBlockRef::Creature(_))
    }

    /// Tells of pools that are said of whoever does not have them.
    fn tell_lacking(&mut self, rules: &Ruleset, f: &mut FieldReader<'_, '_>) {
        let Some(said) = f.child("pools") else { return };
        self.pools_at = said.span;
        for pool in said.node.as_table().map(houserule_loader::pack::TomlTable::children).unwrap_or_default() {
            if let Some(of) = rules.lexicon.find(&pool.name).map(|id| &rules.pools.get(id).of)
                && !self.is_one_of(rules, of)
            {
                let names: Vec<String> = of.iter().map(|tag| format!("`{}`", rules.name(tag))).collect();
                let (whose, help) = match names.is_empty() {
                    true => ("creatures".to_owned(), "take it away".to_owned()),
                    false => (names.join(", "), "take it away, or give them one of these tags".to_owned()),
                };
                let message = format!("`{}` has no pool `{}`, which is for {whose}", self.seat.name, pool.name);
                f.problems().push(Problem::new("HR0205", pool.span, message).help(help));
            }
        }
    }

    /// Whether they have one of these tags; where there is none, whether they are
    /// a creature.
    fn is_one_of(&self, rules: &Ruleset, of: &IdSet<TagId>) -> bool {
        let page = rules.page(self.seat.origin);
        let implied = self.seat.tags.iter().any(|tag| rules.implied(*tag).meets(of) || of.has(*tag));
        if of.is_empty() { self.acts() } else { implied || page.is_some_and(|page| page.tags.meets(of)) }
    }

    /// The pools that did not begin as it is said, since they have bounds.
    #[must_use]
    pub fn clamped(&self, table: &crate::Table) -> Vec<Problem> {
        let state = table.state();
        let Some(entity) = state.find(&self.seat.name).and_then(|who| state.entity(who)) else { return Vec::new() };
        let told = |(pool, said): &(PoolId, i32)| {
            let (pool, begins) = (table.rules().name(*pool), entity.pools.get(*pool));
            let message = format!("`{}` begins with {begins} of `{pool}`, not with {said}", self.seat.name);
            let bound = if *said > begins { "most" } else { "least" };
            let help = format!("{begins} is the {bound} that they can have");
            (begins != *said).then(|| Problem::new("HR0918", self.pools_at, message).help(help))
        };
        self.seat.pools.iter().filter_map(told).collect()
    }

    fn read_rest(&mut self, desk: &LoadContext<'_>, f: &mut FieldReader<'_, '_>) {
        if let Some(side) = f.text("side") {
            self.seat.side = side.text.as_str().into();
        }
        if f.child("at").is_some() {
            self.seat.square = square(f, "at");
        }
        numbered(desk, f, "stats", &mut self.seat.stats);
        numbered(desk, f, "pools", &mut self.seat.pools);
        let tags = f.texts("tags");
        self.seat.tags.extend(desk.ids::<TagId>(&tags, f.problems()));
        if f.child("holds").is_some() {
            self.seat.holds = Some(holds(desk, f));
        }
        self.aware = f.yes("aware", self.aware);
        if let Some(tactic) = f.text("tactic") {
            self.tactic = Some(tactic.text.clone());
        }
    }
}

fn empty_seat(name: &str, origin: StatBlockRef) -> NewEntity {
    NewEntity {
        name: name.into(),
        origin,
        side: Box::default(),
        square: None,
        stats: Vec::new(),
        pools: Vec::new(),
        tags: Vec::new(),
        holds: None,
        owner: None,
    }
}

/// A square written as `[x, y]`.
pub fn square(f: &mut FieldReader<'_, '_>, key: &str) -> Option<Square> {
    let child = f.child(key)?;
    on_map(f, &child.node)
}

/// A list of squares.
pub fn squares(f: &mut FieldReader<'_, '_>, key: &str) -> Vec<(i32, i32)> {
    let nodes = f.list(key);
    nodes.iter().filter_map(|node| on_map(f, node)).map(|square| (square.x, square.y)).collect()
}

fn on_map(f: &mut FieldReader<'_, '_>, node: &TomlNode) -> Option<Square> {
    let cells = match &node.body {
        NodeKind::List(cells) => cells.as_slice(),
        _ => &[],
    };
    let numbers: Vec<i32> = cells
        .iter()
        .filter_map(|cell| if let NodeKind::Int(number) = cell.body { Some(number) } else { None })
        .collect();
    let found = match numbers.as_slice() {
        [x, y] if cells.len() == 2 => Square::checked((*x).into(), (*y).into()).ok(),
        _ => None,
    };
    if found.is_none() {
        f.problems().push(Problem::new("HR0203", node.span, "a square is two numbers").help("write `[2, 3]`"));
    }
    found
}
