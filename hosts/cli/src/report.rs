//! What went wrong, rendered for people with the place underlined, or kept for programs.

use crate::excerpt::Excerpt;
use crate::output::{cut, shown};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use houserule::{Diagnostic, Fault, LoadError, Sources};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most characters of one sentence of a finding: words of packs stand in it.
const LONGEST_SENTENCE: usize = 1_000;
/// The most rules of a trail.
const LONGEST_TRAIL: usize = 50;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It must be mended.
    Error,
    /// It should be looked at.
    Warning,
}

/// Something that somebody should mend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub grade: Severity,
    /// Stable code such as `HR0203`.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Where, if it is anywhere.
    #[serde(flatten)]
    pub place: Option<SourcePlace>,
    /// One way out.
    pub help: Option<String>,
    /// The rules that were running, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trail: Vec<String>,
}

/// A place in a file, with the file's text to show it in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourcePlace {
    /// The file.
    pub file: String,
    /// Line, from one.
    pub line: u32,
    /// Column in characters, from one.
    pub column: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Stands beside the underlined text.
    pub label: String,
    /// The text of the file.
    #[serde(skip)]
    pub text: Arc<str>,
}

/// Why a command did not come to its end.
#[derive(Debug)]
pub struct CliError(pub Vec<Finding>);

impl Finding {
    /// An error that stands in no file.
    pub fn new(code: &str, message: impl Into<String>) -> Finding {
        Finding {
            grade: Severity::Error,
            code: code.to_owned(),
            message: sentence(message),
            place: None,
            help: None,
            trail: Vec::new(),
        }
    }

    /// Adds a way out.
    pub fn help(self, help: impl Into<String>) -> Finding {
        Finding { help: Some(sentence(help)), ..self }
    }

    /// The same as a warning.
    pub fn warning(self) -> Finding {
        Finding { grade: Severity::Warning, ..self }
    }

    /// An error in a file whose text is known.
    pub fn located(diagnostic: &Diagnostic, text: &Arc<str>) -> Finding {
        let Diagnostic { code, message, file, line, column, start, end, label, help } = diagnostic.clone();
        let (file, label) = (sentence(file), sentence(label));
        let place = SourcePlace { file, line, column, start, end, label, text: Arc::clone(text) };
        Finding { place: Some(place), help: help.map(sentence), ..Finding::new(&code, message) }
    }
}

/// A sentence that is not too long.
fn sentence(text: impl Into<String>) -> String {
    let text = text.into();
    cut(&text, LONGEST_SENTENCE).into_owned()
}

/// Findings in one file.
pub fn in_file(diagnostics: &[Diagnostic], text: &str) -> CliError {
    let text: Arc<str> = text.into();
    CliError(diagnostics.iter().map(|diagnostic| Finding::located(diagnostic, &text)).collect())
}

/// Findings in files of the sources.
fn in_sources(diagnostics: &[Diagnostic], sources: &Sources) -> CliError {
    let texts: BTreeMap<&str, Arc<str>> = sources.files().map(|(name, text)| (name, Arc::clone(text))).collect();
    let nothing: Arc<str> = "".into();
    let text = |name: &str| texts.get(name).unwrap_or(&nothing);
    CliError(diagnostics.iter().map(|diagnostic| Finding::located(diagnostic, text(&diagnostic.file))).collect())
}

impl From<Finding> for CliError {
    fn from(finding: Finding) -> CliError {
        CliError(vec![finding])
    }
}

impl From<Fault> for Finding {
    fn from(fault: Fault) -> Finding {
        let trail = fault.trail.into_iter().take(LONGEST_TRAIL).map(sentence).collect();
        Finding { trail, ..Finding::new(&fault.code, fault.message) }
    }
}

impl From<Fault> for CliError {
    fn from(fault: Fault) -> CliError {
        Finding::from(fault).into()
    }
}

impl From<Box<LoadError>> for CliError {
    fn from(report: Box<LoadError>) -> CliError {
        in_sources(&report.problems, &report.sources)
    }
}

/// A finding as text with colours; the screen takes them out where nobody
/// wants them. Its parts are made harmless before they are put together.
pub fn render(finding: &Finding) -> String {
    let level = match finding.grade {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(shown(&finding.message)).id(shown(&finding.code)));
    if let Some(place) = &finding.place {
        group = located(group, place);
    }
    group =
        group.elements(finding.trail.iter().map(|rule| Level::NOTE.message(shown(&format!("in {rule}")).into_owned())));
    group = group.elements(finding.help.iter().map(|help| Level::HELP.message(shown(help))));
    Renderer::styled().render(&[group])
}

/// The place with the underlined text, or the bare place if there is nothing to
/// underline. Where the line is not shown as it is in the file, the column is
/// told apart from it.
fn located<'a>(group: Group<'a>, place: &'a SourcePlace) -> Group<'a> {
    let origin = Origin::path(shown(&place.file));
    if place.text.is_empty() {
        return group.element(origin);
    }
    let excerpt = Excerpt::of(&place.text, place.start, place.end);
    let true_to_file = excerpt.column() == place.column;
    let label = (!place.label.is_empty()).then(|| shown(&place.label));
    let underlined = AnnotationKind::Primary.span(excerpt.underlined).label(label);
    let number = usize::try_from(place.line).unwrap_or(1);
    let snippet = Snippet::source(excerpt.line).line_start(number).annotation(underlined);
    if true_to_file {
        return group.element(snippet.path(shown(&place.file)));
    }
    let column = usize::try_from(place.column).unwrap_or(1);
    group.element(origin.line(number).char_column(column)).element(snippet)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(finding: &Finding) -> String {
        anstream::adapter::strip_str(&render(finding)).to_string()
    }

    fn at(text: &str, start: u32, end: u32) -> Finding {
        let place = SourcePlace {
            file: "a.toml".into(),
            line: 1,
            column: 1,
            start,
            end,
            label: "here".into(),
            text: text.into(),
        };
        Finding { place: Some(place), ..Finding::new("HR0203", "no") }
    }

    #[test]
    fn a_place_is_underlined_with_its_label() {
        let told = plain(&at("x = 1\ny = two\n", 10, 13).help("write `2`"));
        assert!(told.contains("y = two") && told.contains("^^^ here") && told.contains("help: write `2`"), "{told}");
    }

    #[test]
    fn err_a_place_outside_its_text_is_shown_all_the_same() {
        for text in ["", "ä", "ä\n", "\n\n", "x = \"€\"\n", "\u{1b}[31m\tred\r\n"] {
            for (start, end) in
                (0..9).flat_map(|start| [(start, 0), (start, start), (start, start + 1), (start, u32::MAX)])
            {
                assert!(plain(&at(text, start, end)).contains("no"));
            }
        }
    }

    #[test]
    fn err_a_trail_is_told_rule_by_rule() {
        let fault = Fault::new("HR0502", "`1 / 0` divides by zero").during("`hook.a` (x/a.toml:3)");
        let told = plain(&fault.into());
        assert!(
            told.starts_with("error[HR0502]: `1 / 0` divides by zero") && told.contains("in `hook.a` (x/a.toml:3)"),
            "{told}"
        );
    }
}
