//! Faces written down beforehand: `stream:face`, parted by blanks, `#` for comments.

use crate::packs::read_text;
use crate::report::{CliError, Finding, in_file};
use houserule::kernel::oracle::{FixedRoll, taped};
use houserule::{Problem, Sources, Span};
use std::collections::VecDeque;
use std::path::Path;

/// Reads a tape.
///
/// # Errors
/// `HR0901` if there is no such file, `HR0904` for every word that is no face.
pub fn read(path: &Path) -> Result<VecDeque<FixedRoll>, CliError> {
    let text = read_text(path)?;
    parse(&path.to_string_lossy(), &text)
}

fn parse(name: &str, text: &str) -> Result<VecDeque<FixedRoll>, CliError> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let (mut tape, mut wrong) = (VecDeque::new(), Vec::new());
    for (start, word) in words(text) {
        match taped(word) {
            Ok(face) => tape.push_back(face),
            Err(why) => {
                let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
                let span = Span { file, start: byte(start), end: byte(start + word.len()) };
                wrong.push(sources.locate(&Problem::new("HR0904", span, why)));
            }
        }
    }
    if wrong.is_empty() { Ok(tape) } else { Err(in_file(&wrong, text)) }
}

/// The words outside of comments, each with its first byte.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let place = move |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    lines.flat_map(str::split_whitespace).map(move |word| (place(word), word))
}

/// What to say of faces that nobody rolled.
pub fn unused(tape: &VecDeque<FixedRoll>) -> Option<Finding> {
    let first = tape.front()?;
    let stream = first.stream.as_ref().map(|stream| format!("{stream}:")).unwrap_or_default();
    let message = match tape.len() {
        1 => format!("the last face of the tape was never rolled: `{stream}{}`", first.face),
        count => format!("{count} faces of the tape were never rolled; the first is `{stream}{}`", first.face),
    };
    Some(Finding::new("HR0905", message).warning())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_stand_between_blanks_and_comments() {
        let tape = parse("t", "# a tape\nattack:20 3 # and more: x\n\n  damage:6\n").unwrap();
        let faces: Vec<(Option<&str>, u32)> = tape.iter().map(|taped| (taped.stream.as_deref(), taped.face)).collect();
        assert_eq!(faces, [(Some("attack"), 20), (None, 3), (Some("damage"), 6)]);
    }

    #[test]
    fn err_every_word_that_is_no_face_is_told_with_its_place() {
        let CliError(found) = parse("t", "attack:20\nä attack:\n5 :-1").unwrap_err();
        let places: Vec<(u32, u32)> =
            found.iter().filter_map(|finding| finding.place.as_ref()).map(|at| (at.line, at.column)).collect();
        assert_eq!(places, [(2, 1), (2, 3), (3, 3)]);
    }
}
