//! Scopes: which names stand where, and at whose expense they may change.

/// Where a name is defined, seen from where it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// A local of a function, which lives no longer than one call of a hook.
    Hook,
    /// A local of the file, which lives as long as the guest.
    File,
    /// A name of the language, of the host or of the pack.
    Pack,
    /// Nobody defined it.
    Nowhere,
}

struct Local {
    name: String,
    home: Home,
}

/// The scopes around one place of a file, outermost first.
#[derive(Default)]
pub(super) struct Scopes {
    open: Vec<Vec<Local>>,
    functions: usize,
}

impl Scopes {
    pub(super) fn open(&mut self) {
        self.open.push(Vec::new());
    }

    pub(super) fn close(&mut self) {
        self.open.pop();
    }

    pub(super) fn enter_function(&mut self) {
        self.functions += 1;
    }

    pub(super) fn leave_function(&mut self) {
        self.functions -= 1;
    }

    /// Whether the place is in no function.
    pub(super) fn at_file_level(&self) -> bool {
        self.functions == 0
    }

    pub(super) fn declare(&mut self, name: String) {
        let home = if self.at_file_level() { Home::File } else { Home::Hook };
        if let Some(scope) = self.open.last_mut() {
            scope.push(Local { name, home });
        }
    }

    /// The home of the innermost local of this name.
    pub(super) fn local(&self, name: &str) -> Option<Home> {
        let mut known = self.open.iter().rev().flat_map(|scope| scope.iter().rev());
        known.find(|local| local.name == name).map(|local| local.home)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.open.iter().flatten().map(|local| local.name.as_str())
    }
}
