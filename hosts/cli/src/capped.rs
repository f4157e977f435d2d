//! As many findings as somebody can use, wherever they come from; of the rest, how many there are.

use crate::report::{Finding, Severity};
use houserule::kernel::error::MOST_IN_FILE;
use houserule::loader::problems::{MEND_FIRST, MORE, MOST_IN_ALL, counted, more_of};
use std::collections::BTreeMap;

/// What is found in one file, or in none.
#[derive(Default)]
struct Group {
    told: Vec<Finding>,
    more: usize,
    /// The first that is not told; the rest is counted at its place.
    rest: Option<Finding>,
}

/// Findings file by file, at most fifty of each and a thousand in all.
pub fn capped(findings: Vec<Finding>) -> Vec<Finding> {
    let (mut groups, mut places, mut all) = (Vec::new(), BTreeMap::new(), 0);
    for finding in findings {
        let file = finding.place.as_ref().map(|place| place.file.clone());
        let at = *places.entry(file).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Group::default());
        }
        let Some(group) = groups.get_mut(at) else { continue };
        if finding.code != MORE && group.told.len() < MOST_IN_FILE && all < MOST_IN_ALL {
            group.told.push(finding);
            all += 1;
        } else {
            group.count(finding);
        }
    }
    groups.into_iter().flat_map(Group::findings).collect()
}

impl Group {
    fn count(&mut self, finding: Finding) {
        self.more += if finding.code == MORE { counted(&finding.message) } else { 1 };
        let grade = finding.grade;
        let rest = self.rest.get_or_insert(finding);
        if grade == Severity::Error {
            rest.grade = grade;
        }
    }

    fn findings(self) -> Vec<Finding> {
        let rest = self.rest.map(|rest| {
            let what = if rest.place.is_some() { "this file" } else { "the pack" };
            let counted = Finding::new(MORE, more_of(what, self.more)).help(MEND_FIRST);
            Finding { grade: rest.grade, place: rest.place, ..counted }
        });
        self.told.into_iter().chain(rest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::SourcePlace;

    fn at(file: &str, line: u32) -> Finding {
        let place =
            SourcePlace { file: file.into(), line, column: 1, start: 0, end: 0, label: String::new(), text: "".into() };
        Finding { place: Some(place), ..Finding::new("HR0203", "no") }
    }

    #[test]
    fn err_beyond_fifty_in_a_file_the_rest_is_counted() {
        let before = Finding { message: more_of("this file", 7), ..at("a", 9) };
        let before = Finding { code: MORE.to_owned(), ..before };
        let told = capped((1..=60).map(|line| at("a", line)).chain([before, at("b", 1)]).collect());
        assert_eq!((told.len(), told[51].place.as_ref().unwrap().file.as_str()), (52, "b"));
        assert_eq!((told[50].code.as_str(), told[50].message.as_str()), (MORE, "this file has 17 more problems"));
        assert_eq!(told[50].place.as_ref().unwrap().line, 51);
        let few: Vec<Finding> = (1..=50).map(|line| at("a", line)).collect();
        assert_eq!(capped(few.clone()), few);
    }

    #[test]
    fn err_an_error_among_what_is_counted_stays_one() {
        let warnings = (1..=60).map(|line| at("a", line).warning());
        let told = capped(warnings.clone().chain([at("a", 99)]).collect());
        assert_eq!(told.last().map(|last| last.grade), Some(Severity::Error));
        assert_eq!(capped(warnings.collect()).last().map(|last| last.grade), Some(Severity::Warning));
    }

    #[test]
    fn err_what_stands_in_no_file_and_in_many_files_is_counted_too() {
        let told = capped((0..70).map(|_| Finding::new("HR0911", "x")).collect());
        assert_eq!(told.last().map(|last| last.message.as_str()), Some("the pack has 20 more problems"));
        let told = capped((0..40).flat_map(|file| (1..=50).map(move |line| at(&file.to_string(), line))).collect());
        assert_eq!((told.len(), told[1_000].message.as_str()), (1_020, "this file has 50 more problems"));
    }
}
