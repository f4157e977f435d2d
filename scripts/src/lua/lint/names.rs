//! Resolves the names of a file, and refuses what would be memory or is not known.

use super::scope::{Home, Scopes};
use super::{Defined, KNOWN, LIBRARIES, at, is_known, known_names, place, word};
use crate::error::{ScriptError, ScriptErrorKind};
use crate::lua::guard::OWN;
use full_moon::ast::{Index, Prefix, Suffix, Var};
use full_moon::node::Node;
use full_moon::tokenizer::TokenReference;
use houserule_kernel::error::MOST_IN_FILE;
use houserule_kernel::error::nearest;

/// Reads one file; `walk` leads it through the tree.
pub(super) struct Resolver<'a> {
    file: &'a str,
    defined: &'a Defined,
    pub(super) scopes: Scopes,
    pub(super) wrong: Vec<ScriptError>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(file: &'a str, defined: &'a Defined) -> Resolver<'a> {
        Resolver { file, defined, scopes: Scopes::default(), wrong: Vec::new() }
    }

    pub(super) fn refuse(&mut self, node: &impl Node, message: impl Into<String>) {
        let (line, column) = place(node);
        self.wrong.push(ScriptError::at(ScriptErrorKind::Syntax, self.file, line, Some(column), message));
    }

    pub(super) fn blame(&mut self, token: &TokenReference, message: impl Into<String>) {
        self.wrong.push(at(self.file, token, message));
    }

    pub(super) fn home(&self, name: &str) -> Home {
        let known = || is_known(name) || self.defined.contains_key(name);
        self.scopes.local(name).unwrap_or_else(|| if known() { Home::Pack } else { Home::Nowhere })
    }

    /// A new local. What this lint and the other files take for granted keeps its meaning in the whole file.
    pub(super) fn declare(&mut self, token: &TokenReference) {
        let name = word(token);
        let taken = self.scopes.at_file_level() && KNOWN.contains(&name.as_str());
        if taken || name == "_ENV" || name.starts_with(OWN) {
            self.blame(token, format!("`{name}` belongs to the language; choose another name"));
        }
        self.scopes.declare(name);
    }

    pub(super) fn used(&mut self, token: &TokenReference) {
        let name = word(token);
        if self.home(&name) != Home::Nowhere {
            return;
        }
        let names = self.scopes.names().chain(known_names()).chain(self.defined.keys().map(String::as_str));
        let told = self.wrong.len() < MOST_IN_FILE;
        let message = match told.then(|| nearest(&name, names)).flatten() {
            _ if name == "print" => "scripts cannot print; use `say(\"key\")` with a key of `text/en.toml`".to_owned(),
            Some(near) => format!("there is nothing named `{name}`; did you mean `{near}`?"),
            None => format!("there is nothing named `{name}`; write `local {name} = …` before its use"),
        };
        self.blame(token, message);
    }

    /// Refuses a function that its library does not hold.
    pub(super) fn member(&mut self, prefix: &Prefix, first: Option<&Suffix>) {
        let (Prefix::Name(library), Some(Suffix::Index(Index::Dot { name, .. }))) = (prefix, first) else { return };
        let (library, member) = (word(library), word(name));
        let Some((_, holds)) = LIBRARIES.iter().find(|(known, _)| *known == library) else { return };
        if holds.contains(&member.as_str()) || self.home(&library) != Home::Pack {
            return;
        }
        let way_out = match nearest(&member, holds.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are `{}`", holds.join("`, `")),
        };
        self.blame(name, format!("`{library}` has no `{member}`; {way_out}"));
    }

    /// The target of an assignment must be a local of a running function, or stand in a table that one holds.
    pub(super) fn assigned(&mut self, target: &Var) {
        match target {
            Var::Name(token) => self.assigned_name(token, true),
            Var::Expression(path) => match path.prefix() {
                Prefix::Name(token) => self.assigned_name(token, false),
                other => self.refuse(other, "only what has a name can be changed; write `local t = …` before it"),
            },
            other => self.refuse(other, "this cannot be assigned; name a local"),
        }
    }

    pub(super) fn assigned_name(&mut self, token: &TokenReference, whole: bool) {
        let name = word(token);
        let message = match self.home(&name) {
            Home::File if self.scopes.at_file_level() => {
                format!("`{name}` is a local of the file already; choose another name")
            }
            Home::File | Home::Pack if !self.scopes.at_file_level() => format!(
                "`{name}` stands at file level and cannot be changed, since scripts have no memory; \
                 use a note, a count, a pool or a condition"
            ),
            Home::Nowhere if whole => format!("`{name}` is not declared; write `local {name} = …`"),
            _ => return,
        };
        self.blame(token, message);
    }
}
