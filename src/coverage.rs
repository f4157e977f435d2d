//! Coverage: which rules of a game a pack plays, and why it leaves the others out.

use crate::scenario::of_pack;
use crate::{Diagnostic, Pack, Problem, Problems, Sources, Span};
use houserule_kernel::error::nearest;
use houserule_loader::pack::{FieldReader, NodeKind, Spanned, TomlNode, read_toml};
use std::collections::{BTreeMap, BTreeSet};

/// The file of a pack that says what it covers.
pub const FILE: &str = "coverage.toml";
/// The page that is written from it.
pub const PAGE: &str = "COVERAGE.md";

/// What a pack covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The rules of the game, in the order of the file.
    pub rules: Vec<CoveredRule>,
}

/// One rule of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredRule {
    /// A name of its own, which stays.
    pub id: String,
    /// Where the rule is written, such as `3.1`.
    pub section: String,
    /// What it says, in our own words.
    pub rule: String,
    /// Who shows that it holds.
    pub proof: Proof,
}

/// Who shows that a rule holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// These scenarios.
    Played(Vec<String>),
    /// Nobody, and why.
    LeftOut(String),
}

impl Coverage {
    /// Reads what a pack covers; none if it does not say.
    ///
    /// # Errors
    /// Everything that is wrong with it: an id that is no name or stands twice,
    /// a scenario that there is not, a rule with both a scenario and a reason,
    /// or with neither.
    pub fn read(pack: &Pack) -> Result<Option<Coverage>, Vec<Diagnostic>> {
        let Some(text) = pack.file(FILE) else { return Ok(None) };
        let (mut sources, mut problems) = (Sources::default(), Problems::default());
        let id = pack.manifest().map(|manifest| manifest.id).unwrap_or_default();
        let file = sources.add(&format!("{id}/{FILE}"), text);
        let body = NodeKind::Table(read_toml(text, file, &mut problems));
        let node = TomlNode { span: Span { file, start: 0, end: 0 }, body };
        let scenarios: BTreeSet<String> = of_pack(pack).into_keys().collect();
        let rules = read_rules(&node, &scenarios, &mut problems);
        if problems.is_empty() {
            return Ok(Some(Coverage { rules }));
        }
        Err(problems.told(&sources))
    }

    /// How many rules are played.
    #[must_use]
    pub fn played(&self) -> usize {
        self.rules.iter().filter(|rule| matches!(rule.proof, Proof::Played(_))).count()
    }

    /// The page for people.
    #[must_use]
    pub fn page(&self, pack: &str) -> String {
        let (all, played) = (self.rules.len(), self.played());
        let mut page = format!(
            "# What `{pack}` covers\n\nWritten from `{FILE}`. Of {all} rules, {played} are played by scenarios; \
             {} are left out, each with its reason.\n\n| section | rules | played | left out |\n|---|---|---|---|\n",
            all - played
        );
        for (section, (all, played)) in self.sections() {
            page.push_str(&format!("| {} | {all} | {played} | {} |\n", cell(section), all - played));
        }
        page.push_str("\n| rule | section | says | played by, or why not |\n|---|---|---|---|\n");
        self.rules.iter().for_each(|rule| page.push_str(&rule.row()));
        page
    }

    /// How many rules each section has, and how many are played; in the order
    /// of the file.
    fn sections(&self) -> Vec<(&str, (usize, usize))> {
        let mut order: Vec<&str> = Vec::new();
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for rule in &self.rules {
            let section = rule.section.as_str();
            if !counts.contains_key(section) {
                order.push(section);
            }
            let (all, played) = counts.entry(section).or_default();
            *all += 1;
            *played += usize::from(matches!(rule.proof, Proof::Played(_)));
        }
        order.into_iter().map(|section| (section, counts.get(section).copied().unwrap_or_default())).collect()
    }
}

impl CoveredRule {
    fn row(&self) -> String {
        let proof = match &self.proof {
            Proof::Played(scenarios) => {
                let link = |name: &String| format!("[{name}](scenarios/{name}.toml)");
                scenarios.iter().map(link).collect::<Vec<_>>().join(", ")
            }
            Proof::LeftOut(reason) => format!("not: {}", cell(reason)),
        };
        format!("| `{}` | {} | {} | {proof} |\n", self.id, cell(&self.section), cell(&self.rule))
    }
}

/// A text that stays in its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn read_rules(node: &TomlNode, scenarios: &BTreeSet<String>, problems: &mut Problems) -> Vec<CoveredRule> {
    let mut f = FieldReader::open(node, "the coverage", problems);
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut rules = Vec::new();
    for row in f.list("rule") {
        let covered = read_rule(f.inside(row, "a rule"), scenarios);
        if let Some((covered, span)) = covered {
            if !known.insert(covered.id.clone()) {
                let message = format!("two rules are called `{}`", covered.id);
                f.problems().push(Problem::new("HR0205", span, message).help("give one of them another `id`"));
            }
            rules.push(covered);
        }
    }
    f.close();
    rules
}

fn read_rule(mut f: FieldReader<'_, '_>, scenarios: &BTreeSet<String>) -> Option<(CoveredRule, Span)> {
    let id = f.required_text("id").filter(|id| well_formed(id, f.problems()));
    let (section, rule) = (f.required_text("section"), f.required_text("rule"));
    let played = f.child("scenario").map(|_| f.texts("scenario"));
    let reason = f.text("reason");
    for name in played.iter().flatten().filter(|name| !scenarios.contains(&name.text)) {
        let problem = Problem::new("HR0203", name.span, format!("there is no scenario `{}`", name.text));
        let near = nearest(name, scenarios.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
        f.problems().push(Problem { help: near, ..problem });
    }
    let names = |names: Vec<&Spanned>| names.into_iter().map(|name| name.text.clone()).collect::<Vec<_>>();
    let proof = match (played.map(names).filter(|names| !names.is_empty()), reason) {
        (Some(names), None) => Some(Proof::Played(names)),
        (None, Some(reason)) if !reason.trim().is_empty() => Some(Proof::LeftOut(reason.text.clone())),
        (some, _) => {
            let which = if some.is_some() { "both a scenario and a reason" } else { "neither a scenario nor a reason" };
            let problem = Problem::new("HR0205", f.span(), format!("the rule has {which}"));
            f.problems().push(problem.help("write either `scenario = \"…\"` or `reason = \"…\"`"));
            None
        }
    };
    f.close();
    let (id, section, rule) = (id?, section?.text.clone(), rule?.text.clone());
    Some((CoveredRule { id: id.text.clone(), section, rule, proof: proof? }, id.span))
}

/// Whether an id is a name: letters, digits and `_`, a letter first.
fn well_formed(id: &Spanned, problems: &mut Problems) -> bool {
    let fits = |sign: char| matches!(sign, 'a'..='z' | '0'..='9' | '_');
    let good = id.starts_with(|first: char| first.is_ascii_lowercase()) && id.chars().all(fits);
    if !good {
        let problem = Problem::new("HR0205", id.span, format!("`{}` is no name", id.text));
        problems.push(problem.help("a name begins with a letter `a` to `z`; digits and `_` may follow"));
    }
    good
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Coverage>, Vec<Diagnostic>> {
        Coverage::read(&Pack::new().with(FILE, text).with("scenarios/hit.toml", "").with("scenarios/miss.toml", ""))
    }

    #[test]
    fn a_page_counts_and_lists_what_is_covered() {
        let text = "[[rule]]\nid = \"hit\"\nsection = \"3.1\"\nrule = \"a | b\"\nscenario = [\"hit\", \"miss\"]\n[[rule]]\nid = \"fog\"\nsection = \"9\"\nrule = \"fog\"\nreason = \"no weather yet\"\n";
        let page = read(text).unwrap().unwrap().page("toy");
        assert!(page.contains("Of 2 rules, 1 are played by scenarios; 1 are left out"), "{page}");
        assert!(page.contains("| 3.1 | 1 | 1 | 0 |\n| 9 | 1 | 0 | 1 |\n"), "{page}");
        assert!(page.contains("| `hit` | 3.1 | a \\| b | [hit](scenarios/hit.toml), [miss](scenarios/miss.toml) |\n"));
        assert!(page.ends_with("| `fog` | 9 | fog | not: no weather yet |\n"), "{page}");
    }

    #[test]
    fn a_pack_may_say_nothing_of_it() {
        assert_eq!(Coverage::read(&Pack::new()).unwrap(), None);
    }

    #[test]
    fn err_everything_that_is_wrong_is_told() {
        let row = |id: &str, rest: &str| format!("[[rule]]\nid = \"{id}\"\nsection = \"1\"\nrule = \"r\"\n{rest}\n");
        let text = [
            row("a", "scenario = \"hti\""),
            row("b", "scenario = \"hit\"\nreason = \"both\""),
            row("c", ""),
            row("c_2", "reason = \" \""),
            row("3x", "reason = \"r\""),
            row("d", "reason = \"r\""),
            row("d", "scenarios = \"hit\"\nreason = \"r\""),
            row("e", "scenario = []"),
        ];
        let told = read(&text.concat()).unwrap_err();
        let told: Vec<String> = told.iter().map(|problem| format!("{} {}", problem.line, problem.message)).collect();
        let expected = [
            "5 there is no scenario `hti`",
            "6 the rule has both a scenario and a reason",
            "12 the rule has neither a scenario nor a reason",
            "17 the rule has neither a scenario nor a reason",
            "23 `3x` is no name",
            "33 two rules are called `d`",
            "36 unknown field `scenarios`",
            "38 the rule has neither a scenario nor a reason",
        ];
        assert_eq!(told, expected);
    }
}
