//! What is wrong with files, as it is found: some of it is kept to be told, the
//! rest is counted, so that a file of faults costs no more than its text.

use houserule_kernel::error::{Diagnostic, MOST_IN_FILE, Problem, Sources, Span, nearest};
use std::collections::{BTreeMap, BTreeSet};

/// So many problems are told in all.
pub const MOST_IN_ALL: usize = 1_000;
/// The code of problems that are counted, not told.
pub const MORE: &str = "HR0134";
/// What to do about them.
pub const MEND_FIRST: &str = "mend the first ones, and check again";

/// The problems found so far, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    kept: BTreeMap<u16, Vec<Problem>>,
    /// How many were found beyond those that are kept, by file.
    more: BTreeMap<u16, usize>,
    found: BTreeMap<&'static str, usize>,
    all: usize,
}

impl Problems {
    /// Keeps a problem that is not known yet, or counts it if there are enough.
    pub fn push(&mut self, problem: Problem) {
        *self.found.entry(problem.code).or_default() += 1;
        let file = problem.span.file;
        let kept = self.kept.get(&file).map_or(&[][..], Vec::as_slice);
        if kept.contains(&problem) {
            return;
        }
        if self.is_full(file) {
            *self.more.entry(file).or_default() += 1;
        } else {
            self.kept.entry(file).or_default().push(problem);
            self.all += 1;
        }
    }

    /// Whether no more problems of a file are kept: what helps to mend one need
    /// not be looked for.
    #[must_use]
    pub fn is_full(&self, file: u16) -> bool {
        self.all >= MOST_IN_ALL || self.kept.get(&file).is_some_and(|kept| kept.len() >= MOST_IN_FILE)
    }

    /// The name that was meant, if one is near and the problem will be told.
    #[must_use]
    pub fn nearest<'n>(&self, span: Span, wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        if self.is_full(span.file) { None } else { nearest(wrong, names) }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many were found, one found again included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.found.values().sum()
    }

    /// How many of one code were found.
    #[must_use]
    pub fn count(&self, code: &str) -> usize {
        self.found.get(code).copied().unwrap_or(0)
    }

    /// Those that are kept, file by file.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.kept.values().flatten()
    }

    /// The same, to complete them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Problem> {
        self.kept.values_mut().flatten()
    }

    /// What is told of them: by file and place, then how many more there are.
    #[must_use]
    pub fn told(&self, sources: &Sources) -> Vec<Diagnostic> {
        let files: BTreeSet<u16> = self.kept.keys().chain(self.more.keys()).copied().collect();
        files.into_iter().flat_map(|file| self.told_of(file, sources)).collect()
    }

    fn told_of(&self, file: u16, sources: &Sources) -> Vec<Diagnostic> {
        let mut kept = self.kept.get(&file).cloned().unwrap_or_default();
        kept.sort();
        kept.extend(self.more.get(&file).map(|more| uncounted(file, *more, sources)));
        kept.iter().map(|problem| sources.locate(problem)).collect()
    }
}

/// That a file has more problems than are told.
fn uncounted(file: u16, more: usize, sources: &Sources) -> Problem {
    let end = u32::try_from(sources.text(file).len()).unwrap_or(u32::MAX);
    Problem::new(MORE, Span { file, start: end, end }, more_of("this file", more)).help(MEND_FIRST)
}

/// The sentence for problems that are counted, not told.
#[must_use]
pub fn more_of(what: &str, more: usize) -> String {
    if more == 1 { format!("{what} has 1 more problem") } else { format!("{what} has {more} more problems") }
}

/// How many problems such a sentence counts.
#[must_use]
pub fn counted(sentence: &str) -> usize {
    sentence.split(' ').rev().find_map(|word| word.parse().ok()).unwrap_or(0)
}

impl Extend<Problem> for Problems {
    fn extend<T: IntoIterator<Item = Problem>>(&mut self, problems: T) {
        problems.into_iter().for_each(|problem| self.push(problem));
    }
}

impl IntoIterator for Problems {
    type Item = Problem;
    type IntoIter = std::iter::Flatten<std::collections::btree_map::IntoValues<u16, Vec<Problem>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.kept.into_values().flatten()
    }
}

impl FromIterator<Problem> for Problems {
    fn from_iter<T: IntoIterator<Item = Problem>>(problems: T) -> Problems {
        let mut all = Problems::default();
        all.extend(problems);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(file: u16, start: u32) -> Problem {
        Problem::new("HR0203", Span { file, start, end: start + 1 }, "no")
    }

    fn sources(files: usize) -> Sources {
        let mut sources = Sources::default();
        for file in 0..files {
            sources.add(&format!("{file}.toml"), "x\n".repeat(200));
        }
        sources
    }

    #[test]
    fn a_few_problems_are_told_in_order_and_each_once() {
        let problems: Problems = [at(1, 4), at(0, 2), at(1, 0), at(1, 4)].into_iter().collect();
        let told = problems.told(&sources(2));
        let places: Vec<_> = told.iter().map(|one| (one.file.as_str(), one.line)).collect();
        assert_eq!(places, [("0.toml", 2), ("1.toml", 1), ("1.toml", 3)]);
        assert_eq!((problems.len(), problems.count("HR0203"), problems.count("HR0204")), (4, 4, 0));
    }

    #[test]
    fn err_beyond_fifty_in_a_file_the_rest_is_counted() {
        let problems: Problems = (0..100_000).map(|start| at(0, start)).chain([at(1, 0)]).collect();
        let told = problems.told(&sources(2));
        assert_eq!(told.len(), MOST_IN_FILE + 2);
        assert_eq!(
            told[MOST_IN_FILE].to_string(),
            "0.toml:201:1: this file has 99950 more problems [HR0134]; mend the first ones, and check again"
        );
        assert_eq!(told[MOST_IN_FILE + 1].file, "1.toml", "another file still tells its own");
    }

    #[test]
    fn err_beyond_a_thousand_in_all_each_file_tells_only_how_many() {
        let problems: Problems = (0..100).flat_map(|file| (0..50).map(move |start| at(file, start))).collect();
        let told = problems.told(&sources(100));
        assert_eq!(told.len(), MOST_IN_ALL + 80);
        assert!(told.last().is_some_and(|last| last.message == "this file has 50 more problems"));
    }

    #[test]
    fn nothing_near_is_looked_for_once_a_file_is_full() {
        let mut problems: Problems = (0..49).map(|start| at(0, start)).collect();
        assert_eq!(problems.nearest(Span::default(), "on", ["one"]), Some("one"));
        problems.push(at(0, 49));
        assert_eq!(problems.nearest(Span::default(), "on", ["one"]), None);
    }
}
