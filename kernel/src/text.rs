//! Texts for people: templates with named arguments, by language and key.
//!
//! A template holds `{who}` where an argument goes, `{n|point|points}` where a
//! word depends on the argument `n` being 1, and `{{` or `}}` for a brace that
//! is meant as one. There is no other grammar.

use crate::error::{Problem, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The language in which a text is looked for when the wanted one lacks it.
pub const FALLBACK: &str = "en";

/// The texts of a ruleset in every language it speaks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    languages: BTreeMap<String, BTreeMap<String, Template>>,
}

impl Texts {
    /// Adds the texts of one language, each as (key, template, where the
    /// template stands); `place` is where the language is named. A key read
    /// in an earlier call is replaced, so that a pack can reword another's.
    /// Texts with a problem are left out.
    ///
    /// Problems: `HR0601` to `HR0604` of a template (see [`Template::read`]),
    /// `HR0605` for a language that is not written like `en` or `pt-br`,
    /// `HR0606` for a key given twice in one call.
    pub fn add<'a>(
        &mut self,
        language: &str,
        place: Span,
        texts: impl IntoIterator<Item = (&'a str, &'a str, Span)>,
    ) -> Vec<Problem> {
        let mut problems: Vec<Problem> = misnamed(language, place).into_iter().collect();
        let named = problems.is_empty();
        let mut page = BTreeMap::new();
        for (key, text, span) in texts {
            let read = Template::read(text, span).unwrap_or_else(|found| {
                problems.extend(found);
                Template::default()
            });
            if page.insert(key.to_owned(), read).is_some() {
                let twice = Problem::new("HR0606", span, format!("the text `{key}` is given twice"));
                problems.push(twice.help("keep one of the two"));
            }
        }
        if named && problems.is_empty() {
            self.languages.entry(language.to_owned()).or_default().append(&mut page);
        }
        problems
    }

    /// The text for a key in a language, or else in [`FALLBACK`], with its
    /// arguments filled in (see [`Template::render`]); `<key>` if both lack it.
    #[must_use]
    pub fn render(&self, language: &str, key: &str, arguments: &[(&str, &str)]) -> String {
        let template = self.template(language, key).or_else(|| self.template(FALLBACK, key));
        template.map_or_else(|| format!("<{key}>"), |template| template.render(arguments))
    }

    /// The template for a key in exactly this language.
    #[must_use]
    pub fn template(&self, language: &str, key: &str) -> Option<&Template> {
        self.languages.get(language)?.get(key)
    }

    /// Whether a text has a place for an argument in any language.
    #[must_use]
    pub fn names(&self, key: &str, argument: &str) -> bool {
        let templates = self.languages.values().filter_map(|page| page.get(key));
        templates.flat_map(|template| &template.pieces).any(|piece| piece.argument() == Some(argument))
    }

    /// The languages that have texts, in order.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.keys().map(String::as_str)
    }

    /// The keys that some language has and this one lacks, in order.
    #[must_use]
    pub fn missing(&self, language: &str) -> Vec<&str> {
        let all: BTreeSet<&str> = self.languages.values().flat_map(BTreeMap::keys).map(String::as_str).collect();
        all.into_iter().filter(|key| self.template(language, key).is_none()).collect()
    }
}

/// The problem of a language that is not written like `en` or `pt-br`.
fn misnamed(language: &str, place: Span) -> Option<Problem> {
    let is_letters = |part: &str| matches!(part.len(), 2..=3) && part.bytes().all(|letter| letter.is_ascii_lowercase());
    let (tongue, region) = language.split_once('-').unwrap_or((language, "xx"));
    let wrong = || {
        Problem::new("HR0605", place, format!("`{language}` is no language"))
            .help("name the file by two or three small letters, as in `en.toml` or `pt-br.toml`")
    };
    (!is_letters(tongue) || !is_letters(region)).then(wrong)
}

/// One text, ready to be filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Words(String),
    Argument(String),
    Form { argument: String, one: String, many: String },
}

impl Piece {
    /// The argument that stands there.
    fn argument(&self) -> Option<&str> {
        match self {
            Piece::Words(_) => None,
            Piece::Argument(name) | Piece::Form { argument: name, .. } => Some(name),
        }
    }
}

impl Template {
    /// Reads a template; `span` covers exactly its text.
    ///
    /// # Errors
    /// All problems of the text: `HR0601` a brace is not closed, `HR0602` a
    /// brace closes nothing, `HR0603` an argument has no proper name, `HR0604`
    /// a choice of words has not two forms.
    pub fn read(text: &str, span: Span) -> Result<Template, Vec<Problem>> {
        let mut reader = TemplateReader { text, rest: text, span, pieces: Vec::new(), problems: Vec::new() };
        while !reader.rest.is_empty() {
            reader.step();
        }
        if reader.problems.is_empty() { Ok(Template { pieces: reader.pieces }) } else { Err(reader.problems) }
    }

    /// The names of its arguments, in order, each once.
    #[must_use]
    pub fn arguments(&self) -> Vec<&str> {
        self.pieces.iter().filter_map(Piece::argument).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The text with its arguments, each as (name, value); values are put in
    /// as they are. An argument that is not given stays as `{name}`; a choice
    /// of words takes the first form only if its argument is the number 1.
    #[must_use]
    pub fn render(&self, arguments: &[(&str, &str)]) -> String {
        let value = |name: &str| arguments.iter().find(|(given, _)| *given == name).map(|(_, value)| *value);
        let is_one = |name: &str| value(name).and_then(|value| value.parse::<i64>().ok()) == Some(1);
        let mut written = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Words(words) => written.push_str(words),
                Piece::Argument(name) => match value(name) {
                    Some(value) => written.push_str(value),
                    None => written.extend(["{", name, "}"]),
                },
                Piece::Form { argument, one, many } => written.push_str(if is_one(argument) { one } else { many }),
            }
        }
        written
    }
}

/// A template while it is read: `rest` is the end of `text` that is still to come.
struct TemplateReader<'a> {
    text: &'a str,
    rest: &'a str,
    span: Span,
    pieces: Vec<Piece>,
    problems: Vec<Problem>,
}

impl<'a> TemplateReader<'a> {
    /// Reads words up to a brace, or what stands at a brace.
    fn step(&mut self) {
        let words = self.rest.find(['{', '}']).unwrap_or(self.rest.len());
        if words > 0 {
            let words = self.take(words);
            self.words(words);
        } else if self.rest.starts_with("{{") || self.rest.starts_with("}}") {
            let brace = self.take(2);
            self.words(brace.get(1..).unwrap_or(brace));
        } else if self.rest.starts_with('}') {
            self.problem("HR0602", 1, "this brace closes nothing", "write `}}` for a brace that is meant as one");
            self.take(1);
        } else {
            self.brace();
        }
    }

    /// Reads from an opening brace to the one that closes it.
    fn brace(&mut self) {
        let after = self.rest.get(1..).unwrap_or("");
        match after.split_once(['{', '}']) {
            Some((inside, _)) if after.get(inside.len()..).is_some_and(|end| end.starts_with('}')) => {
                self.hole(inside);
                self.take(inside.len() + 2);
            }
            cut => {
                let length = 1 + cut.map_or(after.len(), |(inside, _)| inside.len());
                self.problem(
                    "HR0601",
                    length,
                    "this brace is not closed",
                    "close it before any other brace, or write `{{`",
                );
                self.take(length);
            }
        }
    }

    /// Reads what stands between braces.
    fn hole(&mut self, inside: &str) {
        let parts: Vec<&str> = inside.split('|').collect();
        let length = inside.len() + 2;
        match *parts.as_slice() {
            [name, ..] if !is_name(name) => {
                let message = format!("`{name}` is no name of an argument");
                self.problem("HR0603", length, &message, "use small letters, digits and `_`, a letter first");
            }
            [name] => self.pieces.push(Piece::Argument(name.to_owned())),
            [name, one, many] => {
                let [argument, one, many] = [name, one, many].map(str::to_owned);
                self.pieces.push(Piece::Form { argument, one, many });
            }
            _ => {
                let help = "write the form for 1 and the form for all others, as in `{n|point|points}`";
                self.problem("HR0604", length, "this choice of words has not two forms", help);
            }
        }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn words(&mut self, words: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Words(before)) => before.push_str(words),
            _ => self.pieces.push(Piece::Words(words.to_owned())),
        }
    }

    /// Notes a problem of the next `length` bytes.
    fn problem(&mut self, code: &'static str, length: usize, message: &str, help: &str) {
        let start = self.text.len() - self.rest.len();
        let place = self.span.within(start, start + length);
        self.problems.push(Problem::new(code, place, message).help(help));
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn span(text: &str) -> Span {
        Span { file: 2, start: 100, end: 100 + u32::try_from(text.len()).unwrap() }
    }

    fn read(text: &str) -> Template {
        Template::read(text, span(text)).unwrap()
    }

    /// Codes and underlined texts of a template's problems.
    fn problems(text: &str) -> Vec<(&'static str, &str)> {
        let found = Template::read(text, span(text)).unwrap_err();
        let under = |place: Span| &text[place.start as usize - 100..place.end as usize - 100];
        found.into_iter().map(|problem| (problem.code, under(problem.span))).collect()
    }

    fn table() -> Texts {
        let mut texts = Texts::default();
        let english = [("hit", "{who} hits {target}", Span::default()), ("miss", "{who} misses", Span::default())];
        assert_eq!(texts.add("en", Span::default(), english), []);
        let indonesian = [("hit", "{target} kena oleh {who}", Span::default()), ("aba", "ayo", Span::default())];
        assert_eq!(texts.add("id", Span::default(), indonesian), []);
        texts
    }

    #[test]
    fn a_text_is_given_in_the_wanted_language_or_else_in_english() {
        let names = [("who", "Rook"), ("target", "Wall")];
        assert_eq!(table().render("id", "hit", &names), "Wall kena oleh Rook");
        assert_eq!(table().render("id", "miss", &names), "Rook misses");
        assert_eq!(table().render("fr", "hit", &names), "Rook hits Wall");
        assert_eq!(table().render("en", "aba", &names), "<aba>");
    }

    #[test]
    fn each_language_knows_what_it_lacks() {
        let texts = table();
        assert_eq!(texts.missing("id"), ["miss"]);
        assert_eq!(texts.missing("en"), ["aba"]);
        assert_eq!(texts.missing("fr"), ["aba", "hit", "miss"]);
        assert_eq!(texts.languages().collect::<Vec<_>>(), ["en", "id"]);
    }

    #[test]
    fn languages_can_be_compared_by_their_arguments() {
        let texts = table();
        let names = |language| texts.template(language, "hit").unwrap().arguments();
        assert_eq!(names("en"), names("id"));
        assert_eq!(read("{n} {n|a|b} {m|c|d} {a1}").arguments(), ["a1", "m", "n"]);
        assert!(read("plain").arguments().is_empty());
    }

    #[test]
    fn one_has_a_form_of_its_own() {
        let text = read("{n} {n|point|points}");
        let say = |n| text.render(&[("n", n)]);
        assert_eq!(["1", "0", "-1", "12"].map(say), ["1 point", "0 points", "-1 points", "12 points"]);
        assert_eq!(say("many"), "many points");
        assert_eq!(text.render(&[]), "{n} points");
        assert_eq!(read("hit{n||s}").render(&[("n", "1")]), "hit");
    }

    #[test]
    fn doubled_braces_are_braces() {
        assert_eq!(read("{{{who}}} }}{{").render(&[("who", "Rook")]), "{Rook} }{");
    }

    #[test]
    fn a_value_is_never_read_as_a_template() {
        assert_eq!(read("{who}: {what}").render(&[("who", "{what}"), ("what", "{n|a|b}")]), "{what}: {n|a|b}");
    }

    #[test]
    fn an_open_brace_is_a_problem() {
        assert_eq!(problems("hits {who"), [("HR0601", "{who")]);
        assert_eq!(problems("hits {"), [("HR0601", "{")]);
        assert_eq!(problems("größer {wer {n}"), [("HR0601", "{wer ")]);
        assert_eq!(problems("{n|one|{n} many}"), [("HR0601", "{n|one|"), ("HR0602", "}")]);
    }

    #[test]
    fn a_brace_that_closes_nothing_is_a_problem() {
        assert_eq!(problems("who} hits"), [("HR0602", "}")]);
    }

    #[test]
    fn an_argument_needs_a_name_and_a_choice_two_forms() {
        assert_eq!(problems("{} {Who} {1n}"), [("HR0603", "{}"), ("HR0603", "{Who}"), ("HR0603", "{1n}")]);
        assert_eq!(problems("{n|point} {n|a|b|c}"), [("HR0604", "{n|point}"), ("HR0604", "{n|a|b|c}")]);
    }

    #[test]
    fn a_language_of_unknown_form_is_a_problem() {
        for wrong in ["english", "e", "", "EN", "en-", "en_us", "en-us-x", "日本"] {
            let mut texts = Texts::default();
            let found = texts.add(wrong, Span::default(), [("hit", "hit", Span::default())]);
            assert_eq!(found.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["HR0605"], "{wrong}");
            assert_eq!(texts.languages().count(), 0);
        }
        assert_eq!(Texts::default().add("pt-br", Span::default(), []), []);
    }

    #[test]
    fn all_problems_of_a_language_are_found_at_once() {
        let (first, second) = (Span { start: 1, end: 9, file: 0 }, Span { start: 10, end: 19, file: 0 });
        let found = Texts::default().add("??", first, [("hit", "{", first), ("hit", "}", second)]);
        let codes: Vec<&str> = found.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["HR0605", "HR0601", "HR0602", "HR0606"]);
        assert_eq!(found[3].message, "the text `hit` is given twice");
    }

    #[test]
    fn a_later_pack_may_reword_a_text() {
        let mut texts = table();
        assert_eq!(texts.add("en", Span::default(), [("miss", "{who} fails", Span::default())]), []);
        assert_eq!(texts.render("en", "miss", &[("who", "Rook")]), "Rook fails");
        assert_eq!(texts.render("en", "hit", &[]), "{who} hits {target}");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_with_places_inside_it(text in "[{}|a-c1 ö]{0,20}") {
            match Template::read(&text, span(&text)) {
                Ok(template) => prop_assert!(template.render(&[("a", "1")]).len() <= text.len()),
                Err(found) => for problem in found {
                    let place = problem.span.start as usize - 100..problem.span.end as usize - 100;
                    prop_assert!(text.get(place).is_some_and(|under| !under.is_empty()));
                }
            }
        }

        #[test]
        fn escaped_words_come_back_as_they_were(words in "\\PC{0,30}") {
            let text = words.replace('{', "{{").replace('}', "}}");
            prop_assert_eq!(read(&text).render(&[]), words);
        }
    }
}
