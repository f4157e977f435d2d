//! Dice as they fell: every face, also those that do not count.

use super::voice::Wording;
use houserule_kernel::dice::{Face, FaceOrigin, FaceStatus};

/// What was rolled, such as `2d6 [3, (1)]`; the total alone if no die fell.
pub fn shown(voice: Wording<'_>, faces: &[Face], total: i32) -> String {
    let terms: Vec<String> = faces.chunk_by(|one, other| one.term == other.term).map(term).collect();
    if terms.is_empty() {
        return total.to_string();
    }
    let dice = terms.join(" + ");
    if adds_up(faces, total) {
        dice
    } else {
        voice.say("explain.makes", &[("dice", &dice), ("total", &total.to_string())])
    }
}

/// Whether the faces that count come to the total by themselves.
pub fn adds_up(faces: &[Face], total: i32) -> bool {
    let kept = faces.iter().filter(|face| face.fate == FaceStatus::Kept);
    kept.map(|face| i64::from(face.value)).sum::<i64>() == i64::from(total)
}

/// Whether one die says it all.
pub fn is_plain(faces: &[Face], total: i32) -> bool {
    match faces {
        [] => true,
        [only] => only.face == total && only.fate == FaceStatus::Kept,
        _ => false,
    }
}

fn term(faces: &[Face]) -> String {
    let thrown = faces.iter().filter(|face| face.origin == FaceOrigin::Throw).count();
    let sides = faces.first().map_or(0, |face| face.sides);
    let shown: Vec<String> = chains(faces).iter().map(|chain| written(chain)).collect();
    let fudge = faces.iter().any(|face| face.face < 1);
    let die = if fudge { "F".to_owned() } else { sides.to_string() };
    format!("{thrown}d{die} [{}]", shown.join(", "))
}

/// The faces, each followed by those thrown in its stead. Every face that was
/// rerolled or exploded brought the next new face, in the order drawn.
fn chains(faces: &[Face]) -> Vec<Vec<Face>> {
    let mut chains: Vec<Vec<Face>> = Vec::new();
    let mut new = faces.iter().enumerate().filter(|(_, face)| face.origin != FaceOrigin::Throw);
    let heirs: Vec<Option<usize>> = faces
        .iter()
        .map(
            |face| if face.exploded || face.fate == FaceStatus::Rerolled { new.next().map(|(at, _)| at) } else { None },
        )
        .collect();
    for (at, face) in faces.iter().enumerate().filter(|(_, face)| face.origin != FaceOrigin::Reroll) {
        let mut chain = vec![*face];
        let mut last = at;
        while let Some(next) = heirs.get(last).copied().flatten()
            && let Some(heir) = faces.get(next).filter(|heir| heir.origin == FaceOrigin::Reroll)
        {
            chain.push(*heir);
            last = next;
        }
        chains.push(chain);
    }
    chains
}

fn written(chain: &[Face]) -> String {
    let shown = chain.iter().map(face).collect::<Vec<_>>().join("→");
    match chain.last() {
        Some(last) if last.fate == FaceStatus::Dropped => format!("({shown})"),
        _ => shown,
    }
}

/// A face, and what it counts for if that is something else.
fn face(face: &Face) -> String {
    let counted = if face.value == face.face { String::new() } else { format!("={}", face.value) };
    let exploded = if face.exploded { "!" } else { "" };
    format!("{}{counted}{exploded}", face.face)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn die(face: i32) -> Face {
        Face {
            term: 0,
            fate: FaceStatus::Kept,
            origin: FaceOrigin::Throw,
            exploded: false,
            sides: 6,
            face,
            value: face,
        }
    }

    fn dropped(face: i32) -> Face {
        Face { fate: FaceStatus::Dropped, ..die(face) }
    }

    fn rerolled(face: i32) -> Face {
        Face { fate: FaceStatus::Rerolled, ..die(face) }
    }

    #[test]
    fn faces_stand_in_the_order_drawn_and_dropped_ones_in_parentheses() {
        assert_eq!(term(&[die(3), dropped(1), die(6)]), "3d6 [3, (1), 6]");
    }

    #[test]
    fn a_new_face_stands_beside_the_one_it_was_thrown_for() {
        let new = |face| Face { origin: FaceOrigin::Reroll, ..die(face) };
        assert_eq!(term(&[rerolled(2), die(4), new(5)]), "2d6 [2→5, 4]");
        let again = Face { fate: FaceStatus::Rerolled, ..new(1) };
        assert_eq!(term(&[rerolled(2), rerolled(1), again, new(5), new(6)]), "2d6 [2→1→6, 1→5]");
    }

    #[test]
    fn an_exploded_face_is_marked_and_what_it_brought_follows() {
        let exploded = Face { exploded: true, ..die(6) };
        let brought = Face { origin: FaceOrigin::Explosion, ..die(2) };
        assert_eq!(term(&[exploded, die(3), brought]), "2d6 [6!, 3, 2]");
        let bad = Face { fate: FaceStatus::Rerolled, ..brought };
        let better = Face { origin: FaceOrigin::Reroll, ..die(4) };
        assert_eq!(
            term(&[rerolled(1), exploded, better, bad, Face { face: 5, value: 5, ..better }]),
            "2d6 [1→4, 6!, 2→5]"
        );
    }

    #[test]
    fn a_face_that_counts_for_something_else_says_so() {
        assert_eq!(term(&[Face { value: 2, ..die(1) }]), "1d6 [1=2]");
    }

    #[test]
    fn fudge_dice_are_known_by_their_faces() {
        assert_eq!(term(&[Face { sides: 3, ..die(-1) }, Face { sides: 3, ..die(1) }]), "2dF [-1, 1]");
    }
}
