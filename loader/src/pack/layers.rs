//! Lays packs on each other: what one defines, the next may change, replace
//! or remove, and every such deed is noted.
//!
//! `[stat.x]` defines, `[change.stat.x]` merges, `[replace.stat.x]` puts
//! another in its place, `remove.stat = ["x"]` removes. Inside a change, a
//! list of texts called `remove` names children to take away, so no field
//! that is a list of texts can be called `remove`.

use super::Pack;
use super::family::members;
use super::fields::way_out;
use super::growth::Growth;
use super::manifest::{ABSENT, Layer, Manifest, TOO_LARGE, bad_name, in_order, is_name};
use super::node::{NodeKind, Spanned, TomlEntry, TomlNode, TomlTable, read_toml};
use crate::problems::Problems;
use houserule_kernel::error::{Problem, Sources, Span};
use houserule_kernel::layer::{LayerNote, PatchOp};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

/// Which words may stand first in a rules file.
#[derive(Clone, Copy, Debug)]
pub struct Kinds<'k> {
    /// Kinds whose definitions have names: `[stat.speed]`.
    pub named: &'k [&'k str],
    /// Kinds that are one table: `[turn]`.
    pub single: &'k [&'k str],
    /// Those of `named` whose names may have `.` and `/` in them, as in
    /// `[event."turn.start"]`.
    pub dotted: &'k [&'k str],
}

/// All packs as one.
#[derive(Debug, Default)]
pub struct Merged {
    /// What the packs say of themselves, the lowest first.
    pub packs: Vec<Manifest>,
    /// The definitions of each named kind, sorted by name in byte order.
    pub kinds: BTreeMap<String, Vec<TomlEntry>>,
    /// The kinds that are one table.
    pub singles: BTreeMap<String, TomlEntry>,
    /// Everything that was done, in the order in which it was done.
    pub layers: Vec<LayerNote>,
    /// Not all was merged, for a pack builds on one that is not there, or there is
    /// too much of it: whatever is said of the rest would be wrong too.
    pub groundless: bool,
    /// How much room they take, to which their texts join.
    pub(crate) growth: Growth,
}

impl Merged {
    /// The definitions of a named kind, sorted by name.
    #[must_use]
    pub fn kind(&self, kind: &str) -> &[TomlEntry] {
        self.kinds.get(kind).map_or(&[], Vec::as_slice)
    }

    /// The definition of a name.
    #[must_use]
    pub fn find(&self, kind: &str, name: &str) -> Option<&TomlEntry> {
        let defined = self.kind(kind);
        let at = defined.binary_search_by(|child| child.name.as_str().cmp(name)).ok()?;
        defined.get(at)
    }

    /// The table of a kind that is one table, if a pack defines it.
    #[must_use]
    pub fn single(&self, kind: &str) -> Option<&TomlEntry> {
        self.singles.get(kind)
    }
}

/// Reads packs, in whatever order they come, into one tree. Their files join
/// `sources`; whatever is wrong joins `problems`, and all else is merged.
#[must_use]
pub fn merge(packs: &[Pack], kinds: &Kinds<'_>, sources: &mut Sources, problems: &mut Problems) -> Merged {
    let (things, ledger, notes) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    let growth = Growth::default();
    let mut pile = LayerStack { kinds, sources, problems, things, ledger, notes, growth };
    let layers = in_order(packs, pile.sources, pile.problems);
    if [ABSENT, TOO_LARGE].iter().any(|code| pile.problems.count(code) > 0) {
        return Merged { groundless: true, ..Merged::default() };
    }
    for layer in &layers {
        pile.lay(layer);
        if pile.growth.is_full() {
            return Merged { groundless: true, ..Merged::default() };
        }
    }
    let mut merged = Merged { layers: pile.notes, growth: pile.growth, ..Merged::default() };
    for ((kind, name), thing) in pile.things {
        if name.is_empty() {
            merged.singles.insert(kind, thing);
        } else {
            merged.kinds.entry(kind).or_default().push(thing);
        }
    }
    merged.packs = layers.into_iter().map(|layer| layer.manifest).collect();
    merged
}

/// The packs that lie so far.
struct LayerStack<'a> {
    kinds: &'a Kinds<'a>,
    sources: &'a mut Sources,
    problems: &'a mut Problems,
    /// By kind and name; the name is empty for a kind that is one table.
    things: BTreeMap<(String, String), TomlEntry>,
    /// Which notes there are on a place, by [`key_of`] it.
    ledger: BTreeMap<String, SmallVec<[usize; 2]>>,
    notes: Vec<LayerNote>,
    growth: Growth,
}

/// One sentence of a rules file: a deed and the thing it is done to.
struct Patch {
    deed: PatchOp,
    kind: String,
    child: TomlEntry,
}

impl LayerStack<'_> {
    /// Within a pack the order of files does not matter: definitions come
    /// first, then what replaces, changes and removes.
    fn lay(&mut self, layer: &Layer<'_>) {
        let mut sayings = Vec::new();
        for (name, text) in layer.pack.shared_rules() {
            let file = self.sources.add(&format!("{}/{name}", layer.manifest.id), Arc::clone(text));
            let mut root = read_toml(text, file, self.problems);
            let place = Span { file, start: 0, end: 0 };
            let (values, bytes) = root.size();
            if !self.growth.take(values, bytes, name, place, self.problems) {
                return;
            }
            let families = root.take("family").map(|family| members(family.node, &mut self.growth, self.problems));
            self.hear_file(root, &mut sayings);
            families.into_iter().flatten().for_each(|member| self.hear_file(member, &mut sayings));
        }
        sayings.sort_by_key(|saying| saying.deed);
        for saying in sayings {
            if self.growth.is_full() {
                return;
            }
            self.perform(layer, saying);
        }
    }

    /// What one file says, or one member of a family in it.
    fn hear_file(&mut self, mut root: TomlTable, sayings: &mut Vec<Patch>) {
        for (word, deed) in [("replace", PatchOp::Replaced), ("change", PatchOp::Changed), ("remove", PatchOp::Removed)]
        {
            if let Some(TomlEntry { node, .. }) = root.take(word) {
                self.hear_deed(word, deed, node, sayings);
            }
        }
        self.hear(PatchOp::Defined, root, sayings);
    }

    fn hear_deed(&mut self, word: &str, deed: PatchOp, node: TomlNode, sayings: &mut Vec<Patch>) {
        match node.body {
            NodeKind::Table(table) => self.hear(deed, table, sayings),
            _ => self.misshapen(&node, word, &format!("a table, as in `[{word}.…]`")),
        }
    }

    fn hear(&mut self, deed: PatchOp, table: TomlTable, sayings: &mut Vec<Patch>) {
        for child in table.into_children() {
            let (kind, single) = (child.name.clone(), self.kinds.single.contains(&child.name.as_str()));
            if !single && !self.kinds.named.contains(&kind.as_str()) {
                self.unknown_kind(&child);
            } else if deed == PatchOp::Removed {
                self.hear_removal(&kind, single, &child.node, sayings);
            } else if single {
                sayings.push(Patch { deed, kind, child: TomlEntry { name: String::new(), ..child } });
            } else if let NodeKind::Table(named) = child.node.body {
                sayings.extend(named.into_children().into_iter().map(|child| Patch {
                    deed,
                    kind: kind.clone(),
                    child,
                }));
            } else {
                self.misshapen(&child.node, &kind, &format!("a table of definitions, as in `[{kind}.…]`"));
            }
        }
    }

    fn hear_removal(&mut self, kind: &str, single: bool, node: &TomlNode, sayings: &mut Vec<Patch>) {
        if single {
            let problem = Problem::new("HR0125", node.span, format!("`{kind}` cannot be removed, for it is one table"));
            self.problems.push(problem.help(format!("write another with `[replace.{kind}]`")));
            return;
        }
        let Some(names) = node.as_texts() else {
            return self.misshapen(node, &format!("remove.{kind}"), "a list of names, as in `[\"a\", \"b\"]`");
        };
        for name in names {
            let node = TomlNode { span: name.span, body: NodeKind::Broken };
            let child = TomlEntry { name: name.text.clone(), span: name.span, node };
            sayings.push(Patch { deed: PatchOp::Removed, kind: kind.to_owned(), child });
        }
    }

    fn perform(&mut self, layer: &Layer<'_>, saying: Patch) {
        let Patch { deed, kind, child } = saying;
        let key = (kind, child.name.clone());
        match (deed, self.things.contains_key(&key)) {
            (PatchOp::Defined, true) => self.twice(layer, &key, &child),
            (PatchOp::Defined, false) => self.define(layer, key, child),
            (_, false) => self.absent(&key, &child),
            (PatchOp::Removed, true) => {
                self.note(layer, &path_of(&key), child.span, PatchOp::Removed);
                self.things.remove(&key);
            }
            (PatchOp::Replaced, true) => {
                self.note(layer, &path_of(&key), child.span, PatchOp::Replaced);
                self.things.insert(key, child);
            }
            (PatchOp::Changed, true) => self.change(layer, &key, child),
        }
    }

    fn define(&mut self, layer: &Layer<'_>, key: (String, String), child: TomlEntry) {
        let dotted = self.kinds.dotted.contains(&key.0.as_str());
        if !self.kinds.single.contains(&key.0.as_str()) && !is_name(&key.1, dotted) {
            self.problems.push(bad_name("HR0121", &key.1, child.span, dotted));
            return;
        }
        if !self.growth.define(&title(&path_of(&key)), child.span, self.problems) {
            return;
        }
        self.note(layer, &path_of(&key), child.span, PatchOp::Defined);
        self.things.insert(key, child);
    }

    fn change(&mut self, layer: &Layer<'_>, key: &(String, String), child: TomlEntry) {
        let Some(thing) = self.things.get_mut(key) else { return };
        match (&mut thing.node.body, child.node.body) {
            (NodeKind::Table(old), NodeKind::Table(new)) => {
                let mut old = std::mem::take(old);
                self.blend(layer, &mut old, new, &mut path_of(key));
                self.things.entry(key.clone()).and_modify(|thing| thing.node.body = NodeKind::Table(old));
            }
            _ => {
                let message = format!("`{}` cannot be changed in part, for it is no table", title(&path_of(key)));
                let help = format!("write `replace.{}`", title(&path_of(key)));
                self.problems.push(Problem::new("HR0125", child.span, message).help(help));
            }
        }
    }

    /// Merges `new` into `old`: tables by key, all else as a whole. A list of
    /// texts called `remove` names children to take away.
    fn blend(&mut self, layer: &Layer<'_>, old: &mut TomlTable, new: TomlTable, path: &mut Vec<String>) {
        for child in new.into_children() {
            if child.name == "remove"
                && let Some(names) = child.node.as_texts()
            {
                names.iter().for_each(|name| self.take_away(layer, old, name, path));
            } else {
                self.blend_child(layer, old, child, path);
            }
        }
    }

    fn blend_child(&mut self, layer: &Layer<'_>, old: &mut TomlTable, child: TomlEntry, path: &mut Vec<String>) {
        path.push(child.name.clone());
        let had_table = old.get(&child.name).is_some_and(|old| old.node.as_table().is_some());
        match child.node.body {
            NodeKind::Table(new) if had_table || !new.is_empty() => {
                let mut kept = match old.take(&child.name).filter(|_| had_table) {
                    Some(kept) => kept,
                    None => TomlEntry {
                        node: TomlNode { body: NodeKind::Table(TomlTable::default()), ..child.node },
                        ..child
                    },
                };
                if let NodeKind::Table(table) = &mut kept.node.body {
                    self.blend(layer, table, new, path);
                }
                old.put(kept);
            }
            body => {
                self.note(layer, path, child.span, PatchOp::Changed);
                old.put(TomlEntry { node: TomlNode { body, ..child.node }, ..child });
            }
        }
        path.pop();
    }

    fn take_away(&mut self, layer: &Layer<'_>, old: &mut TomlTable, name: &Spanned, path: &mut Vec<String>) {
        if old.take(name).is_none() {
            let message = format!("`{}` has no `{}` to remove", title(path), name.text);
            let mut problem = Problem::new("HR0123", name.span, message);
            problem.help = (!self.problems.is_full(name.span.file)).then(|| way_out(name, old.names()));
            self.problems.push(problem);
            return;
        }
        path.push(name.text.clone());
        self.note(layer, path, name.span, PatchOp::Removed);
        path.pop();
    }

    /// Writes a deed down; if it meets the deed of a pack that it does not
    /// build on, that is a problem.
    fn note(&mut self, layer: &Layer<'_>, place: &[String], span: Span, deed: PatchOp) {
        if let Some(other) = self.clash(layer, place) {
            let problem = self.clash_problem(layer, place, span, other);
            self.problems.push(problem);
        }
        let [kind, name, path @ ..] = place else { return };
        let key = key_of(place);
        if !self.growth.take(1, key.len(), &title(place), span, self.problems) {
            return;
        }
        self.ledger.entry(key).or_default().push(self.notes.len());
        let (kind, name, path, pack) = (kind.clone(), name.clone(), path.join("."), layer.manifest.id.clone());
        self.notes.push(LayerNote { kind, name, path, pack, span, deed });
    }

    /// An earlier deed on this place, on what holds it or on what is in it,
    /// by a pack that this one does not build on; or by this one itself, whose
    /// files would then need an order.
    fn clash(&self, layer: &Layer<'_>, place: &[String]) -> Option<&LayerNote> {
        let over = (2..=place.len()).filter_map(|length| self.ledger.get(&key_of(place.get(..length)?)));
        let (key, inside) = (key_of(place), key_of(place) + BETWEEN);
        let after = self.ledger.range::<str, _>((Bound::Excluded(key.as_str()), Bound::Unbounded));
        let within = after.take_while(|(other, _)| other.starts_with(&inside)).map(|(_, notes)| notes);
        let notes = over.chain(within).flatten().filter_map(|number| self.notes.get(*number));
        notes.into_iter().find(|note| {
            let own = note.pack == layer.manifest.id;
            own && note.deed != PatchOp::Defined || !own && !layer.below.contains(&note.pack)
        })
    }

    fn clash_problem(&self, layer: &Layer<'_>, place: &[String], span: Span, other: &LayerNote) -> Problem {
        let (ours, theirs, what, there) = (&layer.manifest.id, &other.pack, title(place), self.place(other.span));
        if ours == theirs {
            return Problem::new("HR0124", span, format!("`{ours}` touches `{what}` twice, here and in {there}"))
                .help("keep one of the two");
        }
        if other.deed == PatchOp::Defined {
            let message = format!("`{what}` belongs to `{theirs}`, which `{ours}` does not extend (see {there})");
            return Problem::new("HR0126", span, message).help(format!("add `{theirs}` to the `extends` of `{ours}`"));
        }
        let message = format!("`{ours}` and `{theirs}` both touch `{what}`, here and in {there}");
        Problem::new("HR0124", span, message).help(format!("let one extend the other, as `{ours}` could `{theirs}`"))
    }

    fn twice(&mut self, layer: &Layer<'_>, key: &(String, String), child: &TomlEntry) {
        let what = title(&path_of(key));
        let Some(first) = self.last_note(key, PatchOp::Defined) else { return };
        let help = match first.pack == layer.manifest.id {
            true => "give one of them another name".to_owned(),
            false => format!("write `[change.{what}]` to change it"),
        };
        let message = format!("`{what}` is defined already, in {}", self.place(first.span));
        self.problems.push(Problem::new("HR0122", child.span, message).label("the second definition").help(help));
    }

    fn absent(&mut self, key: &(String, String), child: &TomlEntry) {
        let what = title(&path_of(key));
        let problem = if let Some(note) = self.last_note(key, PatchOp::Removed) {
            let message = format!("`{what}` was removed by `{}`, in {}", note.pack, self.place(note.span));
            Problem::new("HR0123", child.span, message).help(format!("define it anew as `[{what}]`"))
        } else {
            let names = self.things.keys().filter(|(kind, _)| *kind == key.0).map(|(_, name)| name.as_str());
            let help = match self.problems.nearest(child.span, &key.1, names) {
                Some(name) => format!("did you mean `{}.{name}`?", key.0),
                None => format!("define it as `[{what}]`"),
            };
            Problem::new("HR0123", child.span, format!("there is no `{what}`")).help(help)
        };
        self.problems.push(problem);
    }

    fn unknown_kind(&mut self, child: &TomlEntry) {
        let kinds = self.kinds.named.iter().chain(self.kinds.single).chain(&["change", "replace", "remove", "family"]);
        let problem = Problem::new("HR0120", child.span, format!("`{}` is no kind of rule", child.name));
        self.problems.push(problem.help(way_out(&child.name, kinds.copied())));
    }

    fn misshapen(&mut self, node: &TomlNode, what: &str, wanted: &str) {
        if node.body != NodeKind::Broken {
            let message = format!("`{what}` must be {wanted}, not {}", node.described());
            self.problems.push(Problem::new("HR0125", node.span, message));
        }
    }

    /// The last time that this deed was done to the whole of a thing.
    fn last_note(&self, key: &(String, String), deed: PatchOp) -> Option<&LayerNote> {
        let numbers = self.ledger.get(&key_of(&path_of(key)))?;
        numbers.iter().rev().filter_map(|number| self.notes.get(*number)).find(|note| note.deed == deed)
    }

    /// A place in words, such as `` `core/stats.toml` line 3 ``.
    fn place(&self, span: Span) -> String {
        format!("`{}` line {}", self.sources.name(span.file), self.sources.line(span))
    }
}

/// Stands between the steps of a place, before every sign that may stand in one.
const BETWEEN: &str = "\0";

/// A place as one text, such that what lies in it follows it.
fn key_of(place: &[String]) -> String {
    place.join(BETWEEN)
}

fn path_of((kind, name): &(String, String)) -> Vec<String> {
    vec![kind.clone(), name.clone()]
}

/// A place as one writes it in a pack, such as `stat.speed.part.base`.
fn title(place: &[String]) -> String {
    place.iter().filter(|step| !step.is_empty()).map(String::as_str).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KINDS: Kinds<'static> =
        Kinds { named: &["stat", "condition", "event", "tag"], single: &["turn", "damage"], dotted: &["event"] };

    fn pack(id: &str, extends: &str, files: &[(&str, &str)]) -> Pack {
        let manifest = format!("id = '{id}'\nversion = '1'\ntitle = 'T'\nextends = [{extends}]\n");
        files.iter().fold(Pack::new().with("pack.toml", &manifest), |pack, (name, text)| pack.with(name, text))
    }

    fn told(packs: &[Pack]) -> (Merged, String) {
        let (mut sources, mut problems) = (Sources::default(), Problems::default());
        let merged = merge(packs, &KINDS, &mut sources, &mut problems);
        let lines: Vec<String> = problems.told(&sources).iter().map(ToString::to_string).collect();
        (merged, lines.join("\n"))
    }

    fn quiet(packs: &[Pack]) -> Merged {
        let (merged, told) = told(packs);
        assert_eq!(told, "");
        merged
    }

    /// All leaves as `path = value`.
    fn leaves(node: &TomlNode, path: &str, out: &mut BTreeMap<String, String>) {
        match &node.body {
            NodeKind::Table(table) => table.children().iter().for_each(|child| {
                let dot = if path.is_empty() { "" } else { "." };
                leaves(&child.node, &format!("{path}{dot}{}", child.name), out);
            }),
            NodeKind::Int(number) => drop(out.insert(path.to_owned(), number.to_string())),
            _ => drop(out.insert(path.to_owned(), node.described())),
        }
    }

    fn shown(merged: &Merged) -> String {
        let mut out = BTreeMap::new();
        for (kind, things) in &merged.kinds {
            things.iter().for_each(|thing| leaves(&thing.node, &format!("{kind}.{}", thing.name), &mut out));
        }
        merged.singles.iter().for_each(|(kind, thing)| leaves(&thing.node, kind, &mut out));
        out.iter().map(|(path, value)| format!("{path} = {value}")).collect::<Vec<_>>().join("\n")
    }

    fn noted(merged: &Merged) -> String {
        let line = |note: &LayerNote| {
            let place = [&*note.kind, &*note.name, &*note.path].map(String::from);
            format!("{} {:?} {}", note.pack, note.deed, title(&place))
        };
        merged.layers.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    fn core() -> Pack {
        let stats = "[stat.kin.part]\nbase = { value = 10 }\namber = { value = 2, note = 'worn' }\n[stat.eye]\nvalue = 1\n[stat.hi]\nvalue = 9\n";
        let turn =
            "[turn]\nphases = ['start', 'end']\nlength = 6\n[event.\"turn.start/first\"]\n[tag]\nfear = 'a fear'\n";
        pack("core", "", &[("stats.toml", stats), ("turn.toml", turn)])
    }

    #[test]
    fn a_pack_changes_replaces_and_removes_what_another_defined() {
        let house = "[change.stat.kin.part]\nremove = ['amber']\ndex = { value = 4 }\nbase.value = 12\n[replace.stat.eye]\nfixed = 3\n[remove]\nstat = ['hi']\n[change.turn]\nlength = 10\nextra = {}\n[replace]\ntag.fear = 'a fright'\n";
        let merged = quiet(&[pack("house", "'core'", &[("a.toml", house)]), core()]);
        insta::assert_snapshot!(shown(&merged), @r##"
        stat.eye.fixed = 3
        stat.kin.part.base.value = 12
        stat.kin.part.dex.value = 4
        tag.fear = the text `a fright`
        turn.length = 10
        turn.phases = a list
        "##);
        insta::assert_snapshot!(noted(&merged), @r##"
        core Defined stat.kin
        core Defined stat.eye
        core Defined stat.hi
        core Defined turn
        core Defined event.turn.start/first
        core Defined tag.fear
        house Replaced stat.eye
        house Replaced tag.fear
        house Removed stat.kin.part.amber
        house Changed stat.kin.part.dex.value
        house Changed stat.kin.part.base.value
        house Changed turn.length
        house Changed turn.extra
        house Removed stat.hi
        "##);
        assert_eq!(merged.packs.iter().map(|pack| &*pack.id).collect::<Vec<_>>(), ["core", "house"]);
        assert!(merged.single("turn").is_some() && merged.single("damage").is_none());
        assert_eq!(merged.kind("stat").iter().map(|stat| &*stat.name).collect::<Vec<_>>(), ["eye", "kin"]);
        assert!(merged.kind("condition").is_empty());
    }

    #[test]
    fn a_changed_value_points_into_the_pack_that_changed_it() {
        let (mut sources, mut problems) = (Sources::default(), Problems::default());
        let house = pack("house", "'core'", &[("a.toml", "[change.stat.eye]\nvalue = 2\n")]);
        let merged = merge(&[house, core()], &KINDS, &mut sources, &mut problems);
        let eye = &merged.kind("stat")[0];
        assert_eq!(sources.name(eye.span.file), "core/stats.toml");
        let value = eye.node.as_table().unwrap().get("value").unwrap();
        assert_eq!(
            (sources.name(value.node.span.file), sources.line_column(value.node.span)),
            ("house/a.toml", (2, 9))
        );
    }

    #[test]
    fn a_removed_thing_may_be_defined_anew_above() {
        let cut = pack("cut", "'core'", &[("a.toml", "remove.stat = ['hi']")]);
        let anew = pack("deep", "'cut'", &[("a.toml", "stat.hi.value = 1")]);
        assert!(shown(&quiet(&[core(), cut.clone(), anew])).contains("stat.hi.value = 1"));
        let late = pack("late", "'cut'", &[("a.toml", "change.stat.hi.value = 1")]);
        insta::assert_snapshot!(told(&[core(), cut, late]).1, @r##"
        late/a.toml:1:13: `stat.hi` was removed by `cut`, in `cut/a.toml` line 1 [HR0123]; define it anew as `[stat.hi]`
        "##);
    }

    #[test]
    fn a_definition_stands_once() {
        let own = pack("a", "", &[("a.toml", "[stat.x]\n"), ("b.toml", "[stat.x]\n[turn]\n"), ("c.toml", "[turn]")]);
        let other = pack("b", "'a'", &[("a.toml", "\n[stat.x]\nvalue = 1\n")]);
        insta::assert_snapshot!(told(&[own, other]).1, @r##"
        a/b.toml:1:7: `stat.x` is defined already, in `a/a.toml` line 1 [HR0122]; give one of them another name
        a/c.toml:1:2: `turn` is defined already, in `a/b.toml` line 2 [HR0122]; give one of them another name
        b/a.toml:2:7: `stat.x` is defined already, in `a/a.toml` line 1 [HR0122]; write `[change.stat.x]` to change it
        "##);
    }

    #[test]
    fn what_is_absent_cannot_be_changed() {
        let house = "change.stat.kix.value = 1\nchange.damage.x = 1\n[change.stat.kin.part]\nremove = ['ambers']\n[replace]\nstat.q.value = 2\n[remove]\nstat = ['epe']\n";
        insta::assert_snapshot!(told(&[core(), pack("house", "'core'", &[("a.toml", house)])]).1, @r##"
        house/a.toml:1:13: there is no `stat.kix` [HR0123]; did you mean `stat.kin`?
        house/a.toml:2:8: there is no `damage` [HR0123]; define it as `[damage]`
        house/a.toml:4:12: `stat.kin.part` has no `ambers` to remove [HR0123]; did you mean `amber`?
        house/a.toml:6:6: there is no `stat.q` [HR0123]; define it as `[stat.q]`
        house/a.toml:8:10: there is no `stat.epe` [HR0123]; did you mean `stat.eye`?
        "##);
    }

    #[test]
    fn words_and_shapes_that_no_pack_may_use_are_told() {
        let text = "stta.x = 1\nhitpoints = 1\ncondition = 3\nturn = 1\nchange = 2\n[stat.Big-One]\n[stat.\"a.b\"]\n[stat.\"\"]\n[event.\"Turn\"]\n[remove]\nturn = []\ntag = 'x'\n[replace]\nconditon.x = 1\n";
        let bad = pack("bad", "", &[("a.toml", text), ("b.toml", "[change.tag]\nx = 1\n[tag]\nx = 2\n")]);
        insta::assert_snapshot!(told(&[bad]).1, @r##"
        bad/a.toml:1:1: `stta` is no kind of rule [HR0120]; did you mean `stat`?
        bad/a.toml:2:1: `hitpoints` is no kind of rule [HR0120]; there is `stat`, `condition`, `event`, `tag`, `turn`, `damage`, `change`, `replace`, `remove`, `family`
        bad/a.toml:3:13: `condition` must be a table of definitions, as in `[condition.…]`, not the number `3` [HR0125]
        bad/a.toml:5:10: `change` must be a table, as in `[change.…]`, not the number `2` [HR0125]
        bad/a.toml:6:7: `Big-One` is no name [HR0121]; a name begins with a letter `a` to `z`; digits and `_` may follow
        bad/a.toml:7:7: `a.b` is no name [HR0121]; a name begins with a letter `a` to `z`; digits and `_` may follow
        bad/a.toml:8:7: `` is no name [HR0121]; a name begins with a letter `a` to `z`; digits and `_` may follow
        bad/a.toml:9:8: `Turn` is no name [HR0121]; a name begins with a letter `a` to `z`; digits and `_`, `.` and `/` may follow
        bad/a.toml:11:8: `turn` cannot be removed, for it is one table [HR0125]; write another with `[replace.turn]`
        bad/a.toml:12:7: `remove.tag` must be a list of names, as in `["a", "b"]`, not the text `x` [HR0125]
        bad/a.toml:14:1: `conditon` is no kind of rule [HR0120]; did you mean `condition`?
        bad/b.toml:2:1: `tag.x` cannot be changed in part, for it is no table [HR0125]; write `replace.tag.x`
        "##);
    }

    #[test]
    fn two_packs_side_by_side_may_touch_different_things() {
        let left = pack("left", "'core'", &[("a.toml", "change.stat.kin.part.dex.value = 1")]);
        let right = pack("right", "'core'", &[("a.toml", "change.stat.kin.part.str.value = 2")]);
        let both = [left, core(), right];
        let merged = shown(&quiet(&both));
        assert!(merged.contains("part.dex.value = 1") && merged.contains("part.str.value = 2"));
    }

    #[test]
    fn two_packs_side_by_side_cannot_touch_one_thing() {
        let left =
            "[change.stat.kin.part]\nbase.value = 1\namber.value = 3\n[change.stat.eye]\nvalue = 4\n[stat.new]\n";
        let right = "[change.stat.kin.part]\nbase.value = 2\nremove = ['amber']\n[remove]\nstat = ['eye']\n[change.stat.new]\nvalue = 1\n";
        let packs = [
            core(),
            pack("left", "'core'", &[("a.toml", left)]),
            pack("right", "'core'", &[("b.toml", right)]),
            pack("twice", "'core'", &[("a.toml", "change.stat.hi.value = 1"), ("b.toml", "change.stat.hi.value = 2")]),
        ];
        insta::assert_snapshot!(told(&packs).1, @r##"
        right/b.toml:2:6: `right` and `left` both touch `stat.kin.part.base.value`, here and in `left/a.toml` line 2 [HR0124]; let one extend the other, as `right` could `left`
        right/b.toml:3:12: `right` and `left` both touch `stat.kin.part.amber`, here and in `left/a.toml` line 3 [HR0124]; let one extend the other, as `right` could `left`
        right/b.toml:5:10: `right` and `left` both touch `stat.eye`, here and in `left/a.toml` line 5 [HR0124]; let one extend the other, as `right` could `left`
        right/b.toml:7:1: `stat.new.value` belongs to `left`, which `right` does not extend (see `left/a.toml` line 6) [HR0126]; add `left` to the `extends` of `right`
        twice/b.toml:1:16: `twice` touches `stat.hi.value` twice, here and in `twice/a.toml` line 1 [HR0124]; keep one of the two
        "##);
    }

    #[test]
    fn a_pack_may_change_what_lies_two_packs_below() {
        let middle = pack("middle", "'core'", &[("a.toml", "change.stat.eye.value = 2")]);
        let top = pack("aaa", "'middle'", &[("a.toml", "change.stat.eye.value = 3")]);
        assert!(shown(&quiet(&[top, middle, core()])).contains("stat.eye.value = 3"));
    }

    #[test]
    fn err_a_flood_of_problems_is_counted() {
        let text: String = (0..30_000).map(|n| format!("change.stat.n{n}=1\n")).collect();
        let texts = text.lines().collect::<Vec<_>>().chunks(3_000).map(|lines| lines.join("\n")).collect::<Vec<_>>();
        let names: Vec<String> = (0..10).map(|at| format!("{at}.toml")).collect();
        let files: Vec<(&str, &str)> = names.iter().zip(&texts).map(|(name, text)| (&**name, &**text)).collect();
        let (_, told) = told(&[pack("a", "", &files)]);
        assert_eq!(told.lines().count(), 510);
        assert_eq!(told.matches("this file has 2950 more problems [HR0134]").count(), 10);
    }

    #[test]
    fn a_pack_that_is_too_large_is_told_and_left_out() {
        let long = format!("# {}", "x".repeat(super::super::MOST_BYTES_IN_FILE));
        let (merged, told) = told(&[pack("big", "", &[("a.toml", &long)])]);
        assert!(merged.packs.is_empty());
        assert!(told.starts_with("big/pack.toml:1:7: `a.toml` has 262146 bytes;"), "{told}");
    }

    type Leaves = BTreeMap<String, i32>;

    /// Random leaves of which none lies on another.
    fn some_leaves() -> impl Strategy<Value = Leaves> {
        prop::collection::vec(("[abc](\\.[abc]){0,2}", 0..9), 1..6).prop_map(|drawn| {
            let mut leaves = Leaves::new();
            for (path, value) in drawn {
                overlay(&mut leaves, &path, value);
            }
            leaves
        })
    }

    /// The foolish model of a change: a leaf takes the place of every leaf on
    /// its way or behind it.
    fn overlay(leaves: &mut Leaves, path: &str, value: i32) {
        let meets = |a: &str, b: &str| a == b || a.starts_with(&format!("{b}."));
        leaves.retain(|other, _| !meets(other, path) && !meets(path, other));
        leaves.insert(path.to_owned(), value);
    }

    fn written(prefix: &str, leaves: &Leaves) -> String {
        leaves.iter().map(|(path, value)| format!("{prefix}.x.{path} = {value}\n")).collect()
    }

    proptest! {
        #[test]
        fn layers_agree_with_the_foolish_model(base in some_leaves(), layers in prop::collection::vec(some_leaves(), 0..4)) {
            let (mut packs, mut model) = (vec![pack("p0", "", &[("a.toml", &written("stat", &base))])], base);
            for (number, leaves) in layers.iter().enumerate() {
                let (id, below) = (format!("p{}", number + 1), format!("'p{number}'"));
                packs.insert(0, pack(&id, &below, &[("a.toml", &written("change.stat", leaves))]));
                leaves.iter().for_each(|(path, value)| overlay(&mut model, path, *value));
            }
            let expected: Vec<String> = model.iter().map(|(path, value)| format!("stat.x.{path} = {value}")).collect();
            prop_assert_eq!(shown(&quiet(&packs)), expected.join("\n"));
        }

        #[test]
        fn nothing_that_is_written_makes_reading_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            soup in "(\\[|\\]|\\{|\\}|=|\\.|,|'|\"|\"\"\"|\\\\|\n|stat|change|remove|replace|turn|x|1|2\\.5|nan|true| ){0,60}",
        ) {
            let bytes = String::from_utf8_lossy(&bytes).into_owned();
            for text in [&bytes, &soup] {
                let above = pack("b", "'a'", &[("a.toml", text), ("b.toml", &soup)]);
                let odd = Pack::new().with("pack.toml", text);
                told(&[pack("a", "", &[("a.toml", &soup)]), above, odd]);
            }
        }
    }
}
