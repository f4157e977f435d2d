//! Names and numbers as people say them, in the language they want.

use houserule_kernel::entity::StatBlockRef;
use houserule_kernel::ident::*;
use houserule_kernel::ruleset::Ruleset;
use houserule_kernel::state::State;
use houserule_kernel::text::FALLBACK;

/// Speaks of rules and entities in one language.
#[derive(Clone, Copy)]
pub struct Wording<'a> {
    /// The rules that are named.
    pub rules: &'a Ruleset,
    /// The entities that are named.
    pub state: Option<&'a State>,
    /// The language.
    pub language: &'a str,
}

impl Wording<'_> {
    /// The text for a key, with its arguments.
    pub fn say(&self, key: &str, arguments: &[(&str, &str)]) -> String {
        self.rules.texts.render(self.language, key, arguments)
    }

    /// The text of a rule, which may lack arguments.
    pub fn text(&self, text: TextId, arguments: &[(&str, &str)]) -> String {
        self.say(self.rules.name(text), arguments)
    }

    fn translated(&self, key: &str) -> Option<String> {
        let texts = &self.rules.texts;
        let template = texts.template(self.language, key).or_else(|| texts.template(FALLBACK, key));
        template.map(|template| template.render(&[]))
    }

    /// The name of anything: the text `kind.name` if the packs give one, else
    /// its name with spaces.
    pub fn word<I: Id>(&self, id: I) -> String {
        let name = self.rules.name(id);
        self.translated(&format!("{}.{name}", I::KIND.word())).unwrap_or_else(|| spaced(name))
    }

    /// A rule in short: the last part of its name. What a condition, an item or
    /// a creature does to numbers is called by the name of that.
    pub fn rule(&self, rule: RuleId) -> String {
        let name = self.rules.name(rule);
        self.translated(name).unwrap_or_else(|| match name.split('.').collect::<Vec<_>>().as_slice() {
            ["hook", ..] => spaced(name.trim_start_matches("hook.")),
            [kind @ ("condition" | "item" | "creature"), bearer, _, _] => {
                self.translated(&format!("{kind}.{bearer}")).unwrap_or_else(|| spaced(bearer))
            }
            [.., last] => spaced(last),
            [] => String::new(),
        })
    }

    /// The name of an entity.
    pub fn who(&self, who: EntityId) -> String {
        self.state.and_then(|state| state.entity(who)).map_or_else(|| "?".to_owned(), |entity| entity.name.to_string())
    }

    /// The name of an entity if there is one.
    pub fn maybe_who(&self, who: Option<EntityId>) -> Option<String> {
        who.map(|who| self.who(who))
    }

    /// Something of somebody, such as `wall fortitude`.
    pub fn of(&self, who: EntityId, what: &str) -> String {
        self.say("explain.of", &[("who", &self.who(who)), ("what", what)])
    }

    /// The names of several entities.
    pub fn all(&self, who: &[EntityId]) -> String {
        who.iter().map(|who| self.who(*who)).collect::<Vec<_>>().join(", ")
    }

    fn page(&self, item: EntityId) -> Option<ItemId> {
        match self.state?.entity(item)?.origin {
            StatBlockRef::Item(page) => Some(page),
            _ => None,
        }
    }

    /// Whether an entity is an item.
    pub fn is_item(&self, item: EntityId) -> bool {
        self.page(item).is_some()
    }

    /// What an item is; its own name if it is none.
    pub fn item(&self, item: EntityId) -> String {
        self.page(item).map_or_else(|| self.who(item), |page| self.word(page))
    }

    /// What a house-rule switch is set to.
    pub fn setting(&self, option: OptionId, value: i32) -> String {
        let choices = &self.rules.options.get(option).choices;
        let choice = usize::try_from(value).ok().and_then(|at| choices.get(at));
        choice.map_or_else(|| value.to_string(), |choice| self.word(*choice))
    }
}

/// A name of the packs as people write it.
pub fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// A bonus with its sign.
pub fn signed(number: i32) -> String {
    format!("{number:+}")
}
