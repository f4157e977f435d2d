//! Lines about checks: what was rolled against what, which degree came of it, and who altered it.

use super::ExplanationLine;
use super::lines::{EntryExplainer, sum};
use super::pairs::check_of;
use super::voice::signed;
use houserule_kernel::check::CheckResult;
use houserule_kernel::ident::*;
use houserule_kernel::intent::Operation;
use houserule_kernel::journal::{Alteration, Record};
use serde_json::json;

impl EntryExplainer<'_> {
    pub(super) fn decided(&self, at: usize, verdict: &CheckResult, case: RuleId) -> ExplanationLine {
        let (voice, check) = (self.voice, self.voice.rules.checks.get(verdict.check));
        let (faces, roll) = self.faces(at);
        let added = i64::from(verdict.total) - i64::from(verdict.rolled) - i64::from(verdict.bonus);
        let sum = sum(voice, faces, verdict.rolled, &[i64::from(verdict.bonus), added]);
        let facts = json!({
            "check": voice.rules.name(verdict.check), "who": voice.who(verdict.who),
            "target": voice.maybe_who(verdict.target), "natural": verdict.natural, "rolled": verdict.rolled,
            "bonus": verdict.bonus, "added": added, "total": verdict.total, "dc": verdict.dc,
            "degree": check.degrees.contains(&verdict.degree).then(|| voice.rules.name(verdict.degree)),
            "case": voice.rules.name(case), "place": voice.rules.place(case), "roll": roll,
        });
        ExplanationLine::new("check", self.check_label(verdict), self.verdict(sum, verdict, case), facts)
    }

    fn check_label(&self, verdict: &CheckResult) -> String {
        let own = match self.deed {
            Operation::Act { action, .. } => self.voice.rules.actions.get(*action).check == Some(verdict.check),
            Operation::Check { check, .. } => *check == verdict.check,
            _ => false,
        };
        let own = own && self.actor() == Some(verdict.who);
        let name = if own { self.voice.say("explain.label.roll", &[]) } else { self.voice.word(verdict.check) };
        self.whose(verdict.who, name)
    }

    /// The sum, what it had to reach, and the degree, with the case if that
    /// says another.
    fn verdict(&self, sum: String, verdict: &CheckResult, case: RuleId) -> String {
        let (voice, check) = (self.voice, self.voice.rules.checks.get(verdict.check));
        let (dc, degree) = (verdict.dc.to_string(), voice.word(verdict.degree));
        let text = match check.against.is_empty() {
            true => sum,
            false => voice.say("explain.against", &[("sum", &sum), ("dc", &dc)]),
        };
        let found = check.cases.iter().find(|known| known.rule == case).map(|case| case.degree);
        let found = found.or(check.degrees.first().copied());
        match found {
            None => text,
            Some(found) if found == verdict.degree => {
                voice.say("explain.degree", &[("sum", &text), ("degree", &degree)])
            }
            Some(found) => voice
                .say("explain.degree_altered", &[("sum", &text), ("degree", &degree), ("case", &voice.word(found))]),
        }
    }

    /// The degree with which a check ends, if nothing told of it yet: a script
    /// may have set it.
    pub(super) fn concluded(
        &self,
        at: usize,
        check: CheckId,
        who: EntityId,
        degree: DegreeId,
    ) -> Option<ExplanationLine> {
        let mut since = self.records.iter().take(at).rev();
        let told = since.find_map(|record| match record {
            Record::Altered { what: Alteration::Degree, .. } => Some(degree),
            Record::Decided { verdict, .. } if (verdict.check, verdict.who) == (check, who) => Some(verdict.degree),
            _ => None,
        });
        let (voice, before) = (self.voice, told.filter(|told| *told != degree)?);
        let text = voice.say("explain.becomes", &[("before", &voice.word(before)), ("after", &voice.word(degree))]);
        let facts = json!({ "check": voice.rules.name(check), "who": voice.who(who), "before": voice.rules.name(before), "after": voice.rules.name(degree) });
        Some(ExplanationLine::new("altered", voice.say("explain.label.degree", &[]), text, facts).below())
    }

    pub(super) fn altered(
        &self,
        at: usize,
        rule: RuleId,
        (before, after): (i32, i32),
        what: Alteration,
    ) -> ExplanationLine {
        let (voice, rules) = (self.voice, self.voice.rules);
        let label = match what {
            Alteration::Degree => "explain.label.degree",
            Alteration::Roll => "explain.label.roll",
            Alteration::Total => "explain.label.total",
        };
        let check = check_of(rules, self.records, at, rule).filter(|_| what == Alteration::Degree);
        let named = |number: i32| {
            let degree = usize::try_from(number).ok().and_then(|at| rules.checks.get(check?).degrees.get(at));
            degree.map_or_else(|| number.to_string(), |degree| voice.word(*degree))
        };
        let by = signed(after.saturating_sub(before));
        let (before, after) = (named(before), named(after));
        let key = if what == Alteration::Total { "explain.added" } else { "explain.altered" };
        let text = voice.say(key, &[("before", &before), ("after", &after), ("by", &by), ("rule", &voice.rule(rule))]);
        let facts = json!({ "what": what, "before": before, "after": after, "rule": rules.name(rule), "place": rules.place(rule) });
        ExplanationLine::new("altered", voice.say(label, &[]), text, facts).below()
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::lines;
    use super::super::voice::Wording;
    use super::*;
    use houserule_kernel::journal::Journal;

    use houserule_loader::pack::Pack;

    const RULES: &str = "[check.luck]\nroll = \"1d20\"\nstream = \"luck\"\nbonus = \"0\"\nagainst = \"given\"\n\
        degrees = [\"bad\", \"good\"]\n[check.luck.case.good]\nwhen = \"total >= dc\"\n";

    #[test]
    fn a_degree_that_no_rule_stands_for_is_told_at_the_end() {
        let manifest = "id = \"a\"\nversion = \"1.0.0\"\ntitle = \"A\"\n";
        let rules =
            houserule_loader::load(&[Pack::new().with("pack.toml", manifest).with("a.toml", RULES)], &[]).unwrap();
        let find = |name: &str| rules.lexicon.find(name).unwrap();
        let (check, who) = (rules.lexicon.find("luck").unwrap(), EntityId(1));
        let verdict = CheckResult {
            check,
            who,
            target: None,
            natural: 3,
            rolled: 3,
            bonus: 0,
            total: 3,
            dc: 9,
            degree: find("bad"),
        };
        let case = rules.lexicon.find("check.luck").unwrap();
        let ends = |degree: &str| {
            let mut journal = Journal::default();
            let since = journal.mark();
            journal.records.push(Record::Decided { verdict, case });
            journal.records.push(Record::Concluded { check, who, degree: find(degree) });
            journal.close(Operation::Next, since);
            let voice = Wording { rules: &rules, state: None, language: "en" };
            lines(voice, &journal, &journal.done()[0]).into_iter().map(|line| line.text).collect::<Vec<_>>()
        };
        assert_eq!(ends("good"), ["3 against 9: bad", "bad → good"]);
        assert_eq!(ends("bad"), ["3 against 9: bad", ""]);
    }
}
