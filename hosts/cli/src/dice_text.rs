//! DiceTerm as they fell, in words: which face counts, which was dropped, rerolled, or brought another.

use houserule::kernel::dice::{Face, FaceOrigin, FaceStatus};
use houserule::kernel::expression::{DiceNumber, DiceTerm, Expr, ExprKind, ExprNode};

/// The dice terms of an expression as they are spelled, by their number.
pub fn terms(expression: &Expr) -> Vec<&str> {
    let mut nodes = Vec::new();
    collect(expression.root(), &mut nodes);
    nodes.into_iter().map(|node| expression.spelling(node.place)).collect()
}

/// Terms inside the count or the sides of another come before it.
fn collect<'a>(node: &'a ExprNode, into: &mut Vec<&'a ExprNode>) {
    match &node.what {
        ExprKind::Number(_) | ExprKind::YesNo(_) | ExprKind::Name | ExprKind::Has(..) => {}
        ExprKind::Negate(inner) | ExprKind::Not(inner) => collect(inner, into),
        ExprKind::Chain(links) => links.iter().for_each(|link| collect(&link.node, into)),
        ExprKind::Comparison(_, sides) => [&sides.0, &sides.1].into_iter().for_each(|side| collect(side, into)),
        ExprKind::Call(_, arguments) => arguments.iter().for_each(|argument| collect(argument, into)),
        ExprKind::Dice(dice) => {
            let DiceTerm { count, sides, .. } = &**dice;
            for amount in [count, sides] {
                if let DiceNumber::Computed(inner) = amount {
                    collect(inner, into);
                }
            }
            into.push(node);
        }
    }
}

/// One line for each term that was thrown.
pub fn lines(terms: &[&str], faces: &[Face]) -> Vec<String> {
    let thrown = || faces.chunk_by(|one, other| one.term == other.term);
    let name =
        |faces: &[Face]| faces.first().and_then(|face| terms.get(usize::from(face.term))).copied().unwrap_or("dice");
    let width = thrown().map(|faces| name(faces).chars().count()).max().unwrap_or(0);
    let line = |faces: &[Face]| {
        let shown: Vec<String> = faces.iter().map(face).collect();
        format!("{:width$}  {}", name(faces), shown.join(", "))
    };
    thrown().map(line).collect()
}

fn face(face: &Face) -> String {
    let mut words: Vec<String> = Vec::new();
    words.extend(match face.origin {
        FaceOrigin::Throw => None,
        FaceOrigin::Reroll => Some("thrown instead".to_owned()),
        FaceOrigin::Explosion => Some("thrown on top".to_owned()),
    });
    words.extend((face.value != face.face).then(|| format!("counts as {}", face.value)));
    words.extend(face.exploded.then(|| "explodes".to_owned()));
    words.extend(match face.fate {
        FaceStatus::Kept => None,
        FaceStatus::Dropped => Some("dropped".to_owned()),
        FaceStatus::Rerolled => Some("rerolled".to_owned()),
    });
    if words.is_empty() { face.face.to_string() } else { format!("{} ({})", face.face, words.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule::kernel::expression::parse;

    #[test]
    fn terms_are_named_as_they_are_numbered() {
        let expression = parse("2d6 + -(1d4)d(1d8) + max(d%, 4dF)").unwrap();
        assert_eq!(terms(&expression), ["2d6", "1d4", "1d8", "(1d4)d(1d8)", "d%", "4dF"]);
    }

    #[test]
    fn a_face_says_what_became_of_it() {
        let die = Face {
            term: 0,
            fate: FaceStatus::Rerolled,
            origin: FaceOrigin::Throw,
            exploded: false,
            sides: 6,
            face: 1,
            value: 1,
        };
        let new = Face { fate: FaceStatus::Kept, origin: FaceOrigin::Reroll, face: 2, value: 3, ..die };
        let on_top =
            Face { fate: FaceStatus::Dropped, origin: FaceOrigin::Explosion, exploded: true, face: 6, value: 6, ..die };
        let told = lines(&["3d6"], &[die, new, on_top]);
        assert_eq!(told, ["3d6  1 (rerolled), 2 (thrown instead, counts as 3), 6 (thrown on top, explodes, dropped)"]);
    }
}
