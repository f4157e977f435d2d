//! Who takes part: the lines of encounters and scenarios that seat somebody.

use crate::{Problem, Ruleset, Seat};
use houserule_kernel::entity::Origin;
use houserule_kernel::ident::{Id, ItemId, TagId};
use houserule_kernel::pack::{Body, Child, Fields, Merged, Node, Phrase};
use houserule_kernel::read::desk::Desk;
use houserule_kernel::space::Square;

/// What the table itself is called.
const TABLE: &str = "table";

/// Somebody who takes part.
#[derive(Clone, Debug)]
pub struct Member {
    /// How they come to the table.
    pub seat: Seat,
    /// Whether they are aware of the others when the encounter begins.
    pub aware: bool,
    /// The tactic by which they act if nobody plays them.
    pub tactic: Option<String>,
}

impl Member {
    /// Reads a member, or what a later line says of one.
    pub fn read(rules: &Ruleset, child: &Child, onto: Option<&Member>, problems: &mut Vec<Problem>) -> Option<Member> {
        let merged = Merged::default();
        let desk = Desk::of(rules, &merged);
        let mut f = Fields::open(&child.node, format!("`{}`", child.name), problems);
        let origin = match (f.text("like"), onto) {
            (Some(like), _) => desk.id(like, f.problems()).map(Origin::Creature),
            (None, Some(member)) => Some(member.seat.origin),
            (None, None) => {
                f.required_text("like");
                None
            }
        };
        if child.name.trim().is_empty() || child.name == TABLE {
            let message = format!("nobody can be called `{}`", child.name);
            f.problems().push(Problem::new("HR0205", child.span, message).help("give them a name of their own"));
        }
        let mut member = match (origin, onto) {
            (Some(origin), Some(member)) => Member { seat: Seat { origin, ..member.seat.clone() }, ..member.clone() },
            (Some(origin), None) => Member { seat: empty_seat(&child.name, origin), aware: true, tactic: None },
            (None, _) => {
                f.close();
                return None;
            }
        };
        member.read_rest(&desk, &mut f);
        f.close();
        Some(member)
    }

    fn read_rest(&mut self, desk: &Desk<'_>, f: &mut Fields<'_, '_>) {
        if let Some(side) = f.text("side") {
            self.seat.side = side.text.as_str().into();
        }
        if f.child("at").is_some() {
            self.seat.square = square(f, "at");
        }
        numbers(desk, f, "stats", &mut self.seat.stats);
        numbers(desk, f, "pools", &mut self.seat.pools);
        let tags = f.texts("tags");
        self.seat.tags.extend(desk.ids::<TagId>(&tags, f.problems()));
        if f.child("holds").is_some() {
            let holds = f.texts("holds");
            self.seat.holds = Some(desk.ids::<ItemId>(&holds, f.problems()));
        }
        self.aware = f.yes("aware", self.aware);
        if let Some(tactic) = f.text("tactic") {
            self.tactic = Some(tactic.text.clone());
        }
    }
}

fn empty_seat(name: &str, origin: Origin) -> Seat {
    Seat {
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
pub fn square(f: &mut Fields<'_, '_>, key: &str) -> Option<Square> {
    let child = f.child(key)?;
    on_map(f, &child.node)
}

/// A list of squares.
pub fn squares(f: &mut Fields<'_, '_>, key: &str) -> Vec<(i32, i32)> {
    let nodes = f.list(key);
    nodes.iter().filter_map(|node| on_map(f, node)).map(|square| (square.x, square.y)).collect()
}

fn on_map(f: &mut Fields<'_, '_>, node: &Node) -> Option<Square> {
    let cells = match &node.body {
        Body::List(cells) => cells.as_slice(),
        _ => &[],
    };
    let numbers: Vec<i32> =
        cells.iter().filter_map(|cell| if let Body::Int(number) = cell.body { Some(number) } else { None }).collect();
    let found = match numbers.as_slice() {
        [x, y] if cells.len() == 2 => Square::checked((*x).into(), (*y).into()).ok(),
        _ => None,
    };
    if found.is_none() {
        f.problems().push(Problem::new("HR0203", node.span, "a square is two numbers").help("write `[2, 3]`"));
    }
    found
}

fn numbers<I: Id>(desk: &Desk<'_>, f: &mut Fields<'_, '_>, key: &str, into: &mut Vec<(I, i32)>) {
    for child in f.table(key) {
        let id: Option<I> = desk.id(&Phrase { text: child.name.clone(), span: child.span }, f.problems());
        match (id, &child.node.body) {
            (Some(id), Body::Int(number)) => {
                into.retain(|(known, _)| *known != id);
                into.push((id, *number));
            }
            (_, Body::Int(_) | Body::Broken) => {}
            _ => f.problems().push(Problem::new(
                "HR0203",
                child.node.span,
                format!("`{}` is a whole number", child.name),
            )),
        }
    }
}
