//! The language in which people are told what happens, and the command line's own words in it.

use crate::report::{CliError, Finding};
use houserule::Ruleset;
use houserule::kernel::error::Span;
use houserule::kernel::text::Texts;

const WORDS: [(&str, &str); 2] = [("en", include_str!("../text/en.toml")), ("id", include_str!("../text/id.toml"))];

/// A language, and this program's words.
pub struct Locale {
    /// The language, such as `en`.
    pub language: String,
    texts: Texts,
}

impl Locale {
    /// The words of a language that the rules speak too.
    ///
    /// # Errors
    /// If nobody has words in it.
    pub fn of(language: &str, rules: &Ruleset) -> Result<Locale, CliError> {
        if !rules.texts.languages().any(|known| known == language) {
            let known: Vec<&str> = rules.texts.languages().collect();
            let finding = Finding::new("HR0917", format!("there are no words in `{language}`"));
            return Err(finding.help(format!("there are words in `{}`", known.join("`, `"))).into());
        }
        let mut texts = Texts::default();
        for (of, words) in WORDS {
            let table = words.parse::<toml::Table>().unwrap_or_default();
            let lines = table.iter().filter_map(|(key, text)| Some((key.as_str(), text.as_str()?, Span::default())));
            texts.add(of, Span::default(), lines);
        }
        Ok(Locale { language: language.to_owned(), texts })
    }

    /// A text with its arguments.
    pub fn say(&self, key: &str, arguments: &[(&str, &str)]) -> String {
        self.texts.render(&self.language, key, arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_words() {
        let rules = houserule::load(&["sf1e"]).expect("a shipped pack");
        let tongue = Locale::of("id", &rules).unwrap_or_else(|_| panic!("the kernel speaks it"));
        assert_eq!((tongue.texts.missing("en"), tongue.texts.missing("id")), (vec![], vec![]));
        assert_eq!(tongue.say("play.seed", &[("seed", "7")]), "benih 7");
        assert!(Locale::of("xx", &rules).is_err());
    }
}
