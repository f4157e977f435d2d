//! What went wrong, rendered for people with the place underlined, or kept for programs.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use houserule::{Diagnostic, Fault, Report, Sources};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// It must be mended.
    Error,
    /// It should be looked at.
    Warning,
}

/// Something that somebody should mend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub grade: Grade,
    /// Stable code such as `HR0203`.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Where, if it is anywhere.
    #[serde(flatten)]
    pub place: Option<Place>,
    /// One way out.
    pub help: Option<String>,
    /// The rules that were running, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trail: Vec<String>,
}

/// A place in a file, with the file's text to show it in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
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
pub struct Trouble(pub Vec<Finding>);

impl Finding {
    /// An error that stands in no file.
    pub fn new(code: &str, message: impl Into<String>) -> Finding {
        Finding {
            grade: Grade::Error,
            code: code.to_owned(),
            message: message.into(),
            place: None,
            help: None,
            trail: Vec::new(),
        }
    }

    /// Adds a way out.
    pub fn help(self, help: impl Into<String>) -> Finding {
        Finding { help: Some(help.into()), ..self }
    }

    /// The same as a warning.
    pub fn warning(self) -> Finding {
        Finding { grade: Grade::Warning, ..self }
    }

    /// An error in a file whose text is known.
    pub fn located(diagnostic: &Diagnostic, text: &Arc<str>) -> Finding {
        let Diagnostic { code, message, file, line, column, start, end, label, help } = diagnostic.clone();
        let place = Place { file, line, column, start, end, label, text: Arc::clone(text) };
        Finding { place: Some(place), help, ..Finding::new(&code, message) }
    }
}

/// Findings in one file.
pub fn in_file(diagnostics: &[Diagnostic], text: &str) -> Trouble {
    let text: Arc<str> = text.into();
    Trouble(diagnostics.iter().map(|diagnostic| Finding::located(diagnostic, &text)).collect())
}

/// Findings in files of the sources.
fn in_sources(diagnostics: &[Diagnostic], sources: &Sources) -> Trouble {
    let texts: BTreeMap<&str, Arc<str>> = sources.files().map(|(name, text)| (name, Arc::clone(text))).collect();
    let nothing: Arc<str> = "".into();
    let text = |name: &str| texts.get(name).unwrap_or(&nothing);
    Trouble(diagnostics.iter().map(|diagnostic| Finding::located(diagnostic, text(&diagnostic.file))).collect())
}

impl From<Finding> for Trouble {
    fn from(finding: Finding) -> Trouble {
        Trouble(vec![finding])
    }
}

impl From<Fault> for Finding {
    fn from(fault: Fault) -> Finding {
        Finding { trail: fault.trail, ..Finding::new(&fault.code, fault.message) }
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Finding::from(fault).into()
    }
}

impl From<Box<Report>> for Trouble {
    fn from(report: Box<Report>) -> Trouble {
        in_sources(&report.problems, &report.sources)
    }
}

/// A finding as text with colours; the screen takes them out where nobody
/// wants them.
pub fn render(finding: &Finding) -> String {
    let level = match finding.grade {
        Grade::Error => Level::ERROR,
        Grade::Warning => Level::WARNING,
    };
    let title = level.primary_title(&finding.message).id(&finding.code);
    let mut group = Group::with_title(title);
    if let Some(place) = &finding.place {
        group = group.element(shown(place));
    }
    group = group.elements(finding.trail.iter().map(|rule| Level::NOTE.message(format!("in {rule}"))));
    group = group.elements(finding.help.iter().map(|help| Level::HELP.message(help)));
    Renderer::styled().render(&[group])
}

/// The underlined text, or the bare place if there is nothing to underline.
fn shown(place: &Place) -> Element<'_> {
    if place.text.is_empty() {
        return Origin::path(&place.file).into();
    }
    let label = (!place.label.is_empty()).then_some(place.label.as_str());
    let underlined = AnnotationKind::Primary.span(within(&place.text, place.start, place.end)).label(label);
    Snippet::source(&*place.text).path(&place.file).annotation(underlined).into()
}

/// A stretch of bytes, brought back between the characters of a text, and to
/// the end of its first line.
fn within(text: &str, start: u32, end: u32) -> Range<usize> {
    let start = text.floor_char_boundary(start as usize);
    let end = text.floor_char_boundary(end as usize).max(start);
    let line = text.get(start..end).and_then(|stretch| stretch.find('\n')).map_or(end, |length| start + length);
    start..line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(finding: &Finding) -> String {
        anstream::adapter::strip_str(&render(finding)).to_string()
    }

    fn at(text: &str, start: u32, end: u32) -> Finding {
        let place =
            Place { file: "a.toml".into(), line: 1, column: 1, start, end, label: "here".into(), text: text.into() };
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
